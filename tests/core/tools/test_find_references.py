"""Every place that refers to a symbol: certain ones by imports, possible ones apart, and nothing of strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import Files

from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

OpenTree = Callable[[Files], Toolbox]

SHAPES = '''"""Shapes; area is in m²."""


class Shape:
    def area(self):
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2  # the area

    def twice(self):
        return 2 * self.area()


def area(shape):
    return shape.area()
'''
FILES = {
    "src/geo/__init__.py": "from .shapes import Square, area as surface\n",
    "src/geo/shapes.py": SHAPES,
    "src/geo/report.py": "from .shapes import area\n\n\ndef line(it):\n    return 'area', area(it)\n",
    "src/geo/flat.py": "from geo import surface\n\n\ndef flat(it):\n    return surface(it)\n",
    "src/geo/dotted.py": "import geo.shapes\n\n\ndef f(it):\n    return geo.shapes.area(it)\n",
    "src/geo/other.py": "def area():\n    return 1\n\n\nprint(area())\n",
    "src/geo/outside.py": "from numpy import area\nimport os.path\n\nprint(area(), os.path.area)\n",
    "src/geo/star.py": "from geo.shapes import *\n\nprint(area(1))\n",
    "tests/test_shapes.py": "import geo\n\n\ndef test_square():\n    assert geo.Square(2).area() == 4\n",
    "README.md": "# Area\n\nCall `area`.\n\nMeets REQ-1.2.\n",
}  # fmt: skip


def lines_of(answer: str) -> tuple[set[str], set[str], set[str]]:
    """The places that are certain, that define it, and that are possible."""
    sure, _, perhaps = answer.partition("\npossible, ")
    place = re.compile(r"^([^ \n]+:\d+): (.*)$", re.MULTILINE)
    found: dict[str, str] = dict(place.findall(sure))
    defining = {at for at, text in found.items() if text.endswith("[definition]")}
    return set(found) - defining, defining, {at for at, _ in place.findall(perhaps)}


@pytest.mark.parametrize(
    ("symbol", "certain", "defining", "possible"),
    [
        pytest.param(
            "geo.shapes.area",
            {"src/geo/__init__.py:1", "src/geo/report.py:1", "src/geo/report.py:5", "src/geo/flat.py:1",
             "src/geo/flat.py:5", "src/geo/dotted.py:5", "src/geo/star.py:3"},
            {"src/geo/shapes.py:20"}, set[str](), id="function",
        ),
        pytest.param("Square.area", {"src/geo/shapes.py:17"}, {"src/geo/shapes.py:13"},
                     {"src/geo/shapes.py:21", "tests/test_shapes.py:5"}, id="method"),
        pytest.param("Shape.area", set[str](), {"src/geo/shapes.py:5"},
                     {"src/geo/shapes.py:17", "src/geo/shapes.py:21", "tests/test_shapes.py:5"}, id="overridden"),
        pytest.param("src/geo/other.py::area", {"src/geo/other.py:5"}, {"src/geo/other.py:1"}, set[str](), id="path"),
        pytest.param("geo.Square", {"src/geo/__init__.py:1", "tests/test_shapes.py:5"}, {"src/geo/shapes.py:9"},
                     set[str](), id="handed-on"),
        pytest.param("`Shape()`", {"src/geo/shapes.py:9"}, {"src/geo/shapes.py:4"}, set[str](), id="base-class"),
    ],
)  # fmt: skip
def test_what_refers_to_it(
    open_tree: OpenTree, symbol: str, certain: set[str], defining: set[str], possible: set[str]
) -> None:
    answer = open_tree(FILES).call("find_references", {"symbol": symbol}).text
    assert lines_of(answer) == (certain, defining, possible), answer


def test_what_stands_beside_the_lines(open_tree: OpenTree) -> None:
    box = open_tree(FILES)
    said = box.call("find_references", {"symbol": "Square.area"}).text.splitlines()
    assert said[0] == "src/geo/shapes.py:13 Square.area: used in 1 line, possibly in 2 more"
    assert said[1] == "the same method in classes above or below: src/geo/shapes.py:5 Shape.area"
    assert said[2].startswith("besides, 14 lines hold the word (strings, comments, documents, other things so called)")
    assert "README.md:3" in said[2]
    assert said[3] == "src/geo/shapes.py:13: def area(self):  [definition]"
    said = box.call("find_references", {"symbol": "twice"}).text.splitlines()
    assert said[1] == "no other line holds the word `twice`"


def test_a_name_of_several_gives_the_uses_of_all(open_tree: OpenTree) -> None:
    answer = open_tree(FILES).call("find_references", {"symbol": "area"}).text
    assert answer.startswith("`area` means 4 definitions; to see one alone name it as `path::name`: used in ")
    certain, defining, possible = lines_of(answer)
    assert len(defining) == 4
    assert {"src/geo/other.py:5", "src/geo/report.py:5", "src/geo/shapes.py:17"} <= certain
    assert possible == {"src/geo/shapes.py:21", "tests/test_shapes.py:5"}


@pytest.mark.parametrize(
    ("symbol", "answer"),
    [
        ("path", "`path` is not defined in this tree; `path` is used in 2 lines:\nsrc/geo/outside.py:2: "),
        ("os.path", "`os.path` is not defined in this tree; `path` is used in 2 lines:\nsrc/geo/outside.py:2: "),
        ("REQ-1.2", "`REQ-1.2` is not defined in this tree; `REQ-1.2` is used in 1 line:\nREADME.md:5: Meets REQ-1.2."),
        ("sqare", "ERROR: no symbol `sqare` is defined in this tree; near: `src/geo/shapes.py::Square`"),
        ("SQUARE", "ERROR: no symbol `SQUARE` is defined in this tree; near: `src/geo/shapes.py::Square`"),
        ("zzzzzzzzzzzz", "ERROR: no symbol `zzzzzzzzzzzz` is defined in this tree; grep finds any text"),
        ("", "ERROR: name a symbol, such as `area`"),
        ("  `` ", "ERROR: name a symbol, such as `area`"),
        (".", "ERROR: no symbol `.` is defined"),
        ("..", "ERROR: no symbol `..` is defined"),
        ("::", "ERROR: no symbol `::` is defined"),
        ("src/geo/shapes.py::", "ERROR: no symbol `src/geo/shapes.py::` is defined"),
        ("src/geo/shapes.py::Cube", "ERROR: no symbol `src/geo/shapes.py::Cube` is defined"),
        ("a\nb\x1b[2J\ud800", r"ERROR: no symbol `a\nb\x1b[2J\ud800` is defined"),
        ("." * 100_000, "ERROR: no symbol `....."),
        ("x" * 100_000, "ERROR: no symbol `" + "x" * 100 + "…` is defined"),
    ],
)  # fmt: skip
def test_names_that_nothing_has(open_tree: OpenTree, symbol: str, answer: str) -> None:
    assert open_tree(FILES).call("find_references", {"symbol": symbol}).text.startswith(answer)


MEMBERS: Mapping[str, tuple[str, set[str], set[str]]] = {
    "a-value-of-another-class": ("class B:\n    def g(self):\n        self.f = self.f\n", set(), set()),
    "a-mixin": ("class M:\n    def g(self):\n        return self.f()\n", set(), {"y.py:3"}),
    "a-class-that-inherits": (
        "from x import A\n\n\nclass B(A):\n    def g(self):\n        return self.f()\n", {"y.py:6"}, set(),
    ),
    "a-class-that-overrides": (
        "import x\n\n\nclass B(x.A):\n    def f(self):\n        return self.f()\n", set(), {"y.py:6"},
    ),
    "another-class-with-it": ("class B:\n    def f(self):\n        return self.f()\n", set(), set()),
    "an-object": ("def g(it):\n    return it.f() + it.a.f + it().f\n", set(), {"y.py:2"}),
    "a-class-by-name": ("from x import A\n\nA.f(1)\n", {"y.py:3"}, set()),
    "a-class-under-another-name": ("from x import A as X\n\nX.f(1)\n", {"y.py:3"}, set()),
    "a-plain-name": ("def g(f):\n    return f()\n", set(), set()),
    "a-module-outside": ("import os\n\nos.f()\n", set(), set()),
    "a-module-inside": ("import x\n\nx.f()\n", set(), set()),
}  # fmt: skip


@pytest.mark.parametrize(("text", "certain", "possible"), MEMBERS.values(), ids=MEMBERS)
def test_members_of_a_class(open_tree: OpenTree, text: str, certain: set[str], possible: set[str]) -> None:
    files = {"x.py": "class A:\n    def f(self):\n        return 1\n", "y.py": text}
    found, _, perhaps = lines_of(open_tree(files).call("find_references", {"symbol": "A.f"}).text)
    assert (found, perhaps) == (certain, possible)


def test_each_definition_of_one_name_is_marked(open_tree: OpenTree) -> None:
    text = (
        "import typing\n\n\nclass A:\n    @property\n    def side(self):\n        return 1\n\n"
        "    @side.setter\n    def side(self, to):\n        pass\n\n\nif typing.TYPE_CHECKING:\n"
        "    def g(): ...\nelse:\n    def g(): ...\n"
    )
    box = open_tree({"x.py": text})
    assert lines_of(box.call("find_references", {"symbol": "A.side"}).text)[1] == {"x.py:6", "x.py:10"}
    assert lines_of(box.call("find_references", {"symbol": "g"}).text)[1] == {"x.py:15", "x.py:17"}


def test_pages_give_every_line_once(open_tree: OpenTree) -> None:
    calls = "".join(f"area({number})  # {'x' * 400}\n" for number in range(300))
    box = open_tree({"x.py": "def area(it):\n    return it\n", "y.py": f"from x import area\n\n{calls}"})
    seen, offset = list[str](), 0
    while True:
        answer = box.call("find_references", {"symbol": "area", "offset": offset})
        assert len(answer.text.encode()) <= 8192
        *lines, last = answer.text.splitlines()
        following = re.search(r"go on with offset=(\d+)\]$", last)
        seen += lines if following else [*lines, last]
        if following is None:
            break
        offset = int(following[1])
    places = [line.partition(": ")[0] for line in seen if line.startswith("y.py:")]
    assert places == ["y.py:1", *(f"y.py:{number}" for number in range(3, 303))]
    assert all(len(line) < 320 for line in seen)


def test_after_edits_and_without_an_index(tmp_path: Path) -> None:
    box = Toolbox(TOOLS, Workspace(Root(tmp_path)), Redactor({}))
    for name, argument in (("find_references", "symbol"), ("codebase_context", "target"), ("skill_section", "rule_id")):
        answer = box.call(name, {argument: "x"})
        assert answer.text == "ERROR: this tree has no index of symbols; use grep and ast_outline"
        assert answer.status == "failed"


def test_a_word_that_cannot_be_searched(open_tree: OpenTree) -> None:
    box = open_tree({"x.py": "def f(): ...\n\n\nf()\n"})
    box.workspace.cancelled = lambda: True
    said = box.call("find_references", {"symbol": "f"}).text
    assert "strings, comments and documents were not searched: grep does it" in said
    assert "x.py:4: f()" in said
