"""Items and links of made-up contexts, for the tests of what draws them."""

from __future__ import annotations

from orefactor.core.context.conventions import Section
from orefactor.core.context.frame import LinkedEntity, RequestFrame
from orefactor.core.context.pack import ContextPack, PackedItem
from orefactor.core.context.selection import Link, LinkKind


def item(node_id: str, *why: str, score: float = 0.5, lines: tuple[int, int] = (1, 9)) -> PackedItem:
    path, _, symbol = node_id.partition("#" if "#" in node_id else "::")
    return PackedItem(node_id, path, symbol, lines, why, score, "signature", 10)


def link(source: str, kind: LinkKind, target: str) -> Link:
    return Link(source, target, kind)


TARGET = item("src/shapes.py", "target", score=1)
AREA = item("src/shapes.py::area", "named in the task", "target", score=0.9, lines=(3, 4))
CALLER = item("src/report.py::total", "calls `area`")
CALLED = item("src/units.py::metres", "called by `area`", score=0.3)
BASE = item("src/base.py::Shape", "base of `Square`", score=0.2)
TEST = item("tests/test_shapes.py::test_area", "tests `area`", score=0.4)
RULES = item("AGENTS.md#docstrings", "conventions", score=0.1)
SHAPES = (TARGET, AREA, CALLER, TEST, CALLED, BASE, RULES)
LINKS = (
    link("src/report.py::total", "calls", "src/shapes.py::area"),
    link("src/report.py::total", "uses", "src/shapes.py::area"),
    link("src/shapes.py", "holds", "src/shapes.py::area"),
    link("src/shapes.py", "inherits", "src/base.py::Shape"),
    link("src/shapes.py::area", "calls", "src/units.py::metres"),
    link("tests/test_shapes.py::test_area", "tests", "src/shapes.py::area"),
)

FRAME = RequestFrame(
    "document",
    (
        LinkedEntity("area", "function", "src/shapes.py::area", False),
        LinkedEntity("x", "", "", True, (("class", "a.py::X"), ("function", "b.py::x"))),
    ),
    6000,
    "human",
)
PACK = ContextPack(
    "0123456789abcdef",
    6000,
    1234,
    SHAPES,
    3,
    LINKS,
    "## src/shapes.py (target)\n```\nif a < b and b > c:\n\treturn '&'\n```\n",
    ("src/shapes.py",),
    (Section("AGENTS.md#docstrings", "Docstrings", "AGENTS.md", (1, 9)),),
)


def many(count: int) -> tuple[tuple[PackedItem, ...], tuple[Link, ...]]:
    """A target and so many items around it, in files of five, all linked with it."""
    folders = ("src/pkg/callers", "src/pkg/callees", "tests/test_callers", "docs/part")
    items = [item("src/pkg/core.py", "target", score=1)]
    links: list[Link] = []
    for number in range(count - 1):
        folder = folders[number // 5 % 4]
        where = f"{folder}_{number // 20}" + (".md#" if folder.startswith("docs") else ".py::")
        node = f"{where}{'long_' * (number % 9)}name_{number}"
        items.append(item(node, "calls `core`", score=1 / (number + 2), lines=(number * 37, number * 37 + 20)))
        ends = (items[0].node_id, node) if "callees" in folder else (node, items[0].node_id)
        links.append(link(ends[0], "tests" if folder.startswith("tests") else "calls", ends[1]))
    return tuple(items), tuple(links)
