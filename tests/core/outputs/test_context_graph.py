"""The drawing as XML: what it says, to whom, and that no name of a stranger becomes markup."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from graph_scenes import AREA, LINKS, SHAPES, TARGET, item, link, many
from hypothesis import given, settings
from hypothesis import strategies as st

from orefactor.core.context.pack import PackedItem
from orefactor.core.outputs.context_graph import draw
from orefactor.core.outputs.graph_layout import MOST_ITEMS
from orefactor.core.outputs.graph_text import cut_middle, markup, visible_lines, width

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = {
    "markup": "</svg><script>alert(1)</script>.py",
    "comment": "--><!--]]>",
    "entity": "&lt;&#x41;&copy;&nope",
    "quotes": "a\"'`onload=x",
    "controls": "a\x00\x1b[2J\x07\x7f\x9b\r\n\tb",
    "bidi": "a\u202e\u2066gnp.exe\u200f",
    "surrogate": "caf\udce9\ud800",
    "no characters": "\ufffe\uffff\U0001fffe",
    "wide": "日本語🦀é",
    "empty": "",
}


def _rows(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {group.attrib["data-n"]: group for group in root.iter(f"{SVG}g") if "data-n" in group.attrib}


def _texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_it_is_an_image_with_a_name_and_a_description() -> None:
    root = ElementTree.fromstring(draw(SHAPES, LINKS, name="g"))
    assert root.attrib["role"] == "img"
    named = {element.attrib["id"]: element.text for element in root if "id" in element.attrib}
    assert root.attrib["aria-labelledby"].split() == list(named) == ["g-title", "g-desc"]
    assert named["g-desc"] == (
        "7 items in 6 files, 4 links. The best: src/shapes.py, src/shapes.py::area, src/report.py::total, "
        "tests/test_shapes.py::test_area, src/units.py::metres."
    )
    _, _, *size = root.attrib["viewBox"].split()
    assert size == [root.attrib["width"], root.attrib["height"]]


def test_it_says_what_each_item_is_and_why() -> None:
    root = ElementTree.fromstring(draw(SHAPES, LINKS))
    rows = _rows(root)
    assert sorted(rows, key=int) == [str(number) for number in range(len(SHAPES))]
    assert rows["1"][0].text == (
        "src/shapes.py::area, lines 3-4: named in the task; target (score 0.9, signature, 10 tokens)"
    )
    assert {"src/shapes.py", "area", "3–4", "who uses it", "what the task is about", "what it uses"} < set(_texts(root))
    edges = [group for group in root.iter(f"{SVG}g") if group.attrib.get("class") == "edge"]
    assert [edge[0].text for edge in edges] == [
        "src/shapes.py inherits src/base.py::Shape",
        "src/shapes.py::area calls src/units.py::metres",
        "src/report.py::total calls, uses src/shapes.py::area",
        "tests/test_shapes.py::test_area tests src/shapes.py::area",
    ]
    # The legend holds the kinds that are there, each with its own tip.
    legend = [element.text for element in root.iter(f"{SVG}text") if element.attrib.get("class") == "legend"]
    assert legend == ["calls", "inherits", "tests", "score, log scale"]
    tips = {marker.attrib["id"] for marker in root.iter(f"{SVG}marker")}
    used = {path.attrib["marker-end"] for path in root.iter(f"{SVG}path") if "marker-end" in path.attrib}
    assert {f"url(#{tip})" for tip in tips} == used == {f"url(#graph-{kind})" for kind in legend[:-1]}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("narrow", [False, True])
def test_names_of_strangers_stay_text(text: str, narrow: bool) -> None:
    hostile = PackedItem(f"{text}::{text}", text, text, (1, 2), (text, f"target {text}"), 0.5, "full", 1)
    svg = draw([TARGET, hostile, item(f"x.py::{text}", text)], [link(hostile.node_id, "calls", TARGET.node_id)])
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "title", "desc", "style", "defs", "marker", "path", "rect", "g", "text")
    }
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "href")]
    assert all(c.isprintable() or c == "\n" for c in svg)
    assert svg.encode().decode() == svg
    assert narrow or draw([TARGET], []) != svg


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30), st.floats()), max_size=6))
def test_whatever_the_names_it_is_well_formed(named: list[tuple[str, str, float]]) -> None:
    items = [PackedItem(f"{p}::{s}", p, s, (1, 1), (s,), score, "full", 1) for p, s, score in named]
    links = [link(items[0].node_id, "calls", other.node_id) for other in items]
    ElementTree.fromstring(draw(items, links))


@pytest.mark.parametrize("score", [0.0, -1.0, 5.0, math.nan, math.inf])
def test_a_score_never_leaves_its_bar(score: float) -> None:
    root = ElementTree.fromstring(draw([item("a.py", "target", score=score)], []))
    (bar,) = [rect for rect in root.iter(f"{SVG}rect") if rect.attrib["class"] == "score"]
    assert 1 <= float(bar.attrib["width"]) <= 30


def test_long_names_are_cut_in_the_middle_and_whole_in_the_title() -> None:
    long = f"src/{'deep/' * 40}module.py::{'Long' * 30}.name"
    root = ElementTree.fromstring(draw([item(long, "calls `x`", lines=(12345, 23456))], []))
    assert long in (_rows(root)["0"][0].text or "")
    path, symbol = (text for text in _texts(root) if "…" in text)
    assert path.startswith("src/deep/") and path.endswith("/module.py")
    assert symbol.startswith("Long") and symbol.endswith(".name")
    assert max(len(path) * 7.3, len(symbol) * 7 + 70) < 320


@pytest.mark.parametrize("count", [60, 2000])
def test_its_size_is_bounded(count: int) -> None:
    items, links = many(count)
    svg = draw(items, links)
    root = ElementTree.fromstring(svg)
    assert len(_rows(root)) == min(count, MOST_ITEMS)
    assert len(svg) < 1500 * MOST_ITEMS
    told = next(root.iter(f"{SVG}desc")).text or ""
    assert ("of which the first 200 are drawn" in told) == (count > MOST_ITEMS)
    endless = item("x" * 100_000, *(["y" * 100_000] * 100))
    assert len(draw([endless], [])) < 30_000


def test_nothing_was_chosen() -> None:
    root = ElementTree.fromstring(draw([], []))
    assert _texts(root) == ["nothing was chosen"]
    assert AREA in SHAPES


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("short", 5, "short"),
        ("a_long_name", 8, "a_l…name"),
        ("日本語日本語", 7, "日本…語"),
        ("e\u0301" * 4, 4, "e\u0301" * 4),
        ("a\nb", 4, "a\\nb"),
        ("abc", 1, "…"),
    ],
)
def test_cut_in_the_middle(text: str, columns: int, expected: str) -> None:
    assert cut_middle(text, columns) == expected
    assert width(expected) <= columns


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a href='x'>&", "&lt;a href=&#x27;x&#x27;&gt;&amp;"),
        ("\udce9\x1b", "\\udce9\\x1b"),
        ("a\n\tb", "a\\n\\tb"),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert markup(text) == expected
    assert visible_lines(text) == (expected if "\n" not in text else text)


def test_markup_of_a_long_text_is_cut() -> None:
    assert markup("x" * 5000) == "x" * 2000 + "…"
