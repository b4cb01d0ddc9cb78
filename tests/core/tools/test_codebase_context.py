"""What hangs together with a path or a symbol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Files

from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

OpenTree = Callable[[Files], Toolbox]

SHAPES = '''"""Shapes of the plane."""

import math

from .units import metres


class Shape:
    def area(self):
        raise NotImplementedError


class Square(Shape):
    """A square.

    It has four sides.
    """

    def __init__(self, side):
        self.side = metres(side)

    def area(self):
        return self.side**2

    def twice(self):
        return 2 * self.area() + math.pi


def total(shapes):
    return sum(shape.area() for shape in shapes)
'''
FILES: Files = {
    "src/geo/__init__.py": '"""Geometry."""\n\nfrom .shapes import Square, total\n',
    "src/geo/shapes.py": SHAPES,
    "src/geo/units.py": "def metres(value):\n    return value\n",
    "src/geo/report.py": "from . import shapes\n\n\ndef report(it):\n"
    "    shapes.total(it)\n    return shapes.total(it)\n",
    "src/geo/cube.py": "from geo.shapes import Square\n\n\nclass Cube(Square):\n"
    "    def area(self):\n        return 6\n",
    "tests/test_shapes.py": "from geo import Square, total\n\n\nclass TestTotal:\n    def test_it(self):\n"
    "        assert total([Square(2)]) == 4\n",
    "tests/test_cube.py": "import geo.cube\n\n\ndef test_cube():\n    assert geo.cube.Cube(1).area() == 6\n",
    "docs/index.md": "# Guide\n\nCall `total()` on shapes.\n",
    "data/empty.txt": "",
    "data/odd.bin": b"\0\1\2",
}  # fmt: skip

TOTAL = """\
src/geo/shapes.py:29-30 function total: def total(shapes)
callers: 1
  src/geo/report.py:5 report (2 lines)
callees: none
importers: 2
  src/geo/__init__.py:3
  tests/test_shapes.py:1
tests: 1
  tests/test_shapes.py:6 TestTotal.test_it"""
SQUARE = """\
src/geo/shapes.py:13-26 class Square: class Square(Shape)
  A square.
callers: 1
  src/geo/cube.py:4 Cube (as base)
callees: 2
  src/geo/shapes.py:8 Shape
  src/geo/units.py:1 metres
importers: 3
  src/geo/__init__.py:3
  src/geo/cube.py:1
  tests/test_shapes.py:1
tests: 1
  tests/test_shapes.py:6 TestTotal.test_it
bases: 1
  src/geo/shapes.py:8 Shape"""
AREA = """\
src/geo/shapes.py:22-23 method Square.area: def area(self)
callers: 1
  src/geo/shapes.py:26 Square.twice
callees: none
importers: none
tests: none
same method in classes above or below: 2
  src/geo/cube.py:5 Cube.area
  src/geo/shapes.py:9 Shape.area
possible callers (by names and imports alone not certain): 2
  src/geo/shapes.py:30 total
  tests/test_cube.py:5 test_cube"""
MODULE = """\
src/geo/shapes.py: 30 lines, 7 symbols
  Shapes of the plane.
callers: 2
  src/geo/cube.py:4 Cube (as base)
  src/geo/report.py:5 report (2 lines)
callees: 1
  src/geo/units.py:1 metres
importers: 3
  src/geo/__init__.py:3
  src/geo/cube.py:1
  src/geo/report.py:1
imports: 1
  src/geo/units.py
tests: 1
  tests/test_shapes.py:1"""
FOLDER = """\
src/geo/: 5 files
callers: none
callees: none
importers: none
imports: none
tests: 2
  tests/test_cube.py:1
  tests/test_shapes.py:1"""


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        pytest.param("total", TOTAL, id="function"),
        pytest.param("geo.total", TOTAL, id="as-handed-on"),
        pytest.param("src/geo/shapes.py::total", TOTAL, id="in-a-file"),
        pytest.param("./src//geo/shapes.py::total", TOTAL, id="path-in-other-words"),
        pytest.param("Square", SQUARE, id="class"),
        pytest.param("Square.area", AREA, id="method"),
        pytest.param("geo.shapes.Square.area", AREA, id="whole-name"),
        pytest.param("src/geo/shapes.py::Square::area", AREA, id="as-pytest-writes-it"),
        pytest.param("src/geo/shapes.py", MODULE, id="file"),
        pytest.param("geo.shapes", MODULE, id="module"),
        pytest.param(" src/geo/ ", FOLDER, id="folder"),
    ],
)
def test_what_hangs_together(open_tree: OpenTree, target: str, answer: str) -> None:
    assert open_tree(FILES).call("codebase_context", {"target": target}).text == answer


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("area", ["`area` can mean 3 things; ask again with one of these, as `path` or `path::name`", "candidates: 3",
                  "src/geo/shapes.py:22-23 method Square.area: def area(self)",
                  "src/geo/cube.py:5-6 method Cube.area"]),
        ("docs/index.md", ["docs/index.md: 3 lines, 1 symbols", "callers: none"]),
        ("docs/index.md#guide", ["docs/index.md:1-3 heading guide"]),
        ("data/odd.bin", ["data/odd.bin: no symbols known"]),
        ("metre", ["ERROR: no symbol `metre` is defined in this tree; near: `src/geo/units.py::metres`"]),
        ("src/geo/shapes.py::Cone", ["ERROR: no symbol `src/geo/shapes.py::Cone` is defined in this tree"]),
        ("src/geo/shape.py", ["ERROR: 'src/geo/shape.py' doesn't exist"]),
        ("lost/", ["ERROR: 'lost' doesn't exist"]),
        ("../x", ["ERROR: '../x' holds '..'"]),
        ("../x.py::area", ["ERROR: '../x.py' holds '..'"]),
        ("/etc/passwd", ["ERROR: '/etc/passwd'", "relative to the root"]),
        (".git/config", ["ERROR: ", ".git"]),
        (".", ["ERROR: name a folder, a file or a symbol"]),
        ("", ["ERROR: name a symbol"]),
        ("\0", ["ERROR: "]),
        ("a/\ud800", ["ERROR: "]),
        ("x" * 100_000, ["ERROR: no symbol `xxx"]),
        ("x/" * 50_000, ["ERROR: "]),
        ("x." * 50_000, ["ERROR: no symbol `x.x."]),
    ],
)  # fmt: skip
def test_other_targets(open_tree: OpenTree, target: str, words: list[str]) -> None:
    answer = open_tree(FILES).call("codebase_context", {"target": target})
    assert [word for word in words if word not in answer.text] == []
    assert (answer.bug, len(answer.text.encode()) <= 8192) == (None, True)


def test_a_path_that_is_no_part_of_the_repository(open_tree: OpenTree) -> None:
    box = open_tree({"x.py": "def f(): ...\n"})
    (box.workspace.root.path / "built").mkdir()
    for target in ("built", "built/"):
        answer = box.call("codebase_context", {"target": target})
        assert answer.text == "built holds no file that is part of the repository"


def test_stubs_of_a_definition_are_not_another_one(open_tree: OpenTree) -> None:
    box = open_tree({"x.py": "def f(): ...\n", "x.pyi": "def f() -> None: ...\n", "y.pyi": "def g() -> None: ...\n"})
    assert "stubs: 1\n  x.pyi:1 f" in box.call("codebase_context", {"target": "f"}).text
    assert box.call("codebase_context", {"target": "g"}).text.startswith("y.pyi:1-1 function g: ")


def test_modules_of_one_name(open_tree: OpenTree) -> None:
    box = open_tree({"a/conf.py": "x = 1\n", "b/conf.py": "y = 1\n"})
    answer = box.call("codebase_context", {"target": "conf"}).text
    assert answer.splitlines()[1:] == ["candidates: 2", "  a/conf.py", "  b/conf.py"]


def test_long_lists_say_what_they_leave_out(open_tree: OpenTree) -> None:
    name = "n" * 120
    users = {
        f"{'folder' * 12}/user_{number:03}.py": f"from core import f\n\n\ndef {name}_{number}():\n    f()\n"
        for number in range(250)
    }
    tests = {f"tests/test_{number:03}.py": "from core import f\n\n\ndef test():\n    f()\n" for number in range(50)}
    callees = "\n".join(f"def {name}{number}(): ...\n" for number in range(50))
    uses = "\n".join(f"    {name}{number}()" for number in range(50))
    box = open_tree({"core.py": f"{callees}\n\ndef f():\n{uses}\n", **users, **tests})
    answer = box.call("codebase_context", {"target": "core.py::f"}).text
    assert len(answer.encode()) <= 8192
    listed = {line.partition(":")[0]: line.partition(": ")[2] for line in answer.splitlines() if line[0] != " "}
    assert (listed["callers"], listed["tests"]) == ("250, 12 of them shown", "50, 12 of them shown")
    assert (listed["callees"], listed["importers"]) == ("50, 12 of them shown", "300, 12 of them shown")
    folder = box.call("codebase_context", {"target": f"{'folder' * 12}"}).text
    assert folder.splitlines()[0].endswith("/: 250 files, 200 of them looked at; ask for a smaller folder")


def test_a_name_in_too_many_files(tmp_path: Path) -> None:
    users = {f"a/{number:04}.py": b"it.f()\n" for number in range(2010)}
    index = MemoryIndex({"core.py": b"class A:\n    def f(self): ...\n", **users})
    box = Toolbox(TOOLS, Workspace(Root(tmp_path), index=lambda: index), Redactor({}))
    assert "files with that name that were not looked through: 1\n  11" in (
        box.call("codebase_context", {"target": "A.f"}).text
    )
    assert "not looked through: 11 of the files" in box.call("find_references", {"symbol": "A.f"}).text
