"""Where things stand: callers left of the targets, callees right, tests and documents below, nothing over another."""

from __future__ import annotations

from itertools import combinations

import pytest
from graph_scenes import AREA, BASE, CALLED, CALLER, LINKS, RULES, SHAPES, TARGET, TEST, item, link, many

from orefactor.core.context.pack import PackedItem
from orefactor.core.context.selection import Link
from orefactor.core.outputs.graph_layout import BOX, MOST_ITEMS, Box, lay_out
from orefactor.core.outputs.graph_roles import Role, roles_of


@pytest.mark.parametrize(
    ("items", "links", "expected"),
    [
        pytest.param(
            SHAPES,
            LINKS,
            {
                "src/shapes.py": "centre",
                "src/report.py": "users",
                "tests/test_shapes.py": "tests",
                "src/units.py": "used",
                "src/base.py": "used",
                "AGENTS.md": "documents",
            },
            id="all roles",
        ),
        pytest.param((CALLER, CALLED), (), {"src/report.py": "centre", "src/units.py": "used"}, id="no target"),
        pytest.param((AREA, CALLER, CALLED), (), {"src/report.py": "users", "src/units.py": "used"}, id="by reasons"),
        pytest.param((item("tests/test_x.py", "target"),), (), {"tests/test_x.py": "centre"}, id="a test as target"),
        pytest.param((item("README.md", "target"),), (), {"README.md": "centre"}, id="a document as target"),
        pytest.param(
            (item("a.py::x", "one of 2 that `x` may mean"), item("tests/test_x.py::x", "one of 2 that `x` may mean")),
            (),
            {"a.py": "centre", "tests/test_x.py": "tests"},
            id="candidates",
        ),
        pytest.param(
            (TARGET, item("far.py", "near it"), CALLER),
            (link("far.py", "imports", "src/report.py::total"),),
            {"far.py": "users", "src/report.py": "used"},
            id="linked with others only",
        ),
        pytest.param((), (), {}, id="nothing"),
    ],
)
def test_a_file_has_one_role(items: tuple[PackedItem, ...], links: tuple[Link, ...], expected: dict[str, Role]) -> None:
    roles = roles_of(items, links)
    assert {path: roles[path] for path in expected} == expected


def test_who_uses_it_stands_left_and_what_it_uses_right() -> None:
    layout = lay_out(SHAPES, LINKS)
    boxes = {box.path: box for box in layout.boxes}
    target = boxes["src/shapes.py"]
    assert boxes["src/report.py"].x < target.x < boxes["src/units.py"].x == boxes["src/base.py"].x
    assert min(boxes["AGENTS.md"].y, boxes["tests/test_shapes.py"].y) > max(
        box.y + box.height for box in boxes.values() if box.role in ("users", "centre", "used")
    )
    assert [(role, x) for role, x, _ in layout.headings] == [
        ("users", 16),
        ("centre", 412),
        ("used", 808),
        ("tests", 16),
        ("documents", 412),
    ]
    assert (target.head, [row.number for row in target.rows]) == (0, [1])
    # What lies in its own box needs no line, and two links between the same two are one.
    assert [(curve.source, curve.target, curve.kinds) for curve in layout.curves] == [
        (0, 5, ("inherits",)),
        (1, 4, ("calls",)),
        (2, 1, ("calls", "uses")),
        (3, 1, ("tests",)),
    ]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("count", [1, 2, 14, 60, 200])
def test_nothing_lies_over_another(count: int, narrow: bool) -> None:
    items, links = many(count)
    layout = lay_out(items, links, narrow=narrow)
    assert not [pair for pair in combinations(layout.boxes, 2) if _overlap(*pair)]
    assert all(box.x + BOX <= layout.width and box.y + box.height <= layout.height for box in layout.boxes)
    drawn = sorted(row.number for box in layout.boxes for row in box.rows)
    heads = [box.head for box in layout.boxes if box.head is not None]
    assert sorted([*drawn, *heads]) == list(range(count))
    assert len(layout.curves) == len(links)
    # A curve goes three quarters of the way to its middle points at most.
    farthest = [0.25 * curve.points[0] + 0.75 * curve.points[2] for curve in layout.curves]
    assert all(0 <= x <= layout.width for x in farthest)
    assert layout == lay_out(items, links, narrow=narrow)
    if narrow:
        assert layout.width < 420
        assert layout.headings[0][0] == "centre"


def _overlap(one: Box, other: Box) -> bool:
    beside = one.x + BOX <= other.x or other.x + BOX <= one.x
    return not beside and one.y < other.y + other.height and other.y < one.y + one.height


@pytest.mark.parametrize("count", [60, 200])
def test_a_layer_that_is_alone_takes_all_columns(count: int) -> None:
    items = [item(f"src/f{number}.py", "target") for number in range(count)]
    layout = lay_out(items, [])
    assert len({box.x for box in layout.boxes}) == 3
    assert len({box.role for box in layout.boxes}) == 1


@pytest.mark.parametrize(
    "links",
    [
        (link("nowhere.py", "calls", AREA.node_id), link(AREA.node_id, "calls", "nowhere.py")),
        (link(AREA.node_id, "calls", AREA.node_id),),
        (link(TARGET.node_id, "holds", AREA.node_id),),
    ],
    ids=["to nothing", "to itself", "within its box"],
)
def test_links_that_need_no_line(links: tuple[Link, ...]) -> None:
    assert lay_out(SHAPES, links).curves == ()


def test_no_more_than_so_many_items_are_drawn() -> None:
    layout = lay_out(*many(1000))
    assert sum(len(box.rows) + (box.head is not None) for box in layout.boxes) == MOST_ITEMS
    assert len(layout.curves) == MOST_ITEMS - 1


def test_nothing_at_all() -> None:
    layout = lay_out((), ())
    assert (layout.boxes, layout.curves, layout.headings) == ((), (), ())
    assert {CALLED, BASE, TEST, RULES} < set(SHAPES)
