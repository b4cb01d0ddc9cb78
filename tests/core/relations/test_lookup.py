"""What is meant by a symbol's name, and what is near a mistaken one."""

from __future__ import annotations

import pytest

from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.core.relations.lookup import find_modules, find_symbols, near_names, plain_name
from orefactor.core.relations.neighbours import is_test_path
from orefactor.core.relations.resolution import Resolver

FILES = {
    "src/geo/__init__.py": "from .shapes import Square\n",
    "src/geo/shapes.py": "class Square:\n    SIDE_LENGTH = 1\n\n    def area(self): ...\n\n\ndef area(): ...\n",
    "src/geo/more.py": "if 1:\n    def twice(): ...\nelse:\n    def twice(): ...\n",
    "tests/test_geo.py": "def area(): ...\n\n\nclass TestSquare:\n    def test_area(self): ...\n",
    "docs/area.md": "# Area\n\n## Units of area\n",
}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Square", ["src/geo/shapes.py::Square"]),
        ("`Square`", ["src/geo/shapes.py::Square"]),
        (" area() ", ["src/geo/shapes.py::area", "src/geo/shapes.py::Square.area", "tests/test_geo.py::area"]),
        ("Square.area", ["src/geo/shapes.py::Square.area"]),
        ("Square::area", ["src/geo/shapes.py::Square.area"]),
        ("Square#area", ["src/geo/shapes.py::Square.area"]),
        ("shapes.area", ["src/geo/shapes.py::area"]),
        ("src.geo.shapes.Square.area", ["src/geo/shapes.py::Square.area"]),
        ("geo.Square", ["src/geo/shapes.py::Square"]),
        ("geo.Square.area", ["src/geo/shapes.py::Square.area"]),
        ("geo.Square.nothing", []),
        ("src/geo/shapes.py::area", ["src/geo/shapes.py::area"]),
        ("src/geo/shapes.py::Square.area", ["src/geo/shapes.py::Square.area"]),
        ("src/geo/shapes.py::nothing", []),
        ("tests/test_geo.py::TestSquare::test_area", ["tests/test_geo.py::TestSquare.test_area"]),
        ("tests/test_geo.py::test_area", ["tests/test_geo.py::TestSquare.test_area"]),
        ("docs/area.md#area", ["docs/area.md#area"]),
        ("twice", ["src/geo/more.py::twice"]),
        ("rea", []),
        ("quare.area", []),
        ("", []),
        ("...", []),
    ],
)
def test_what_a_name_means(name: str, found: list[str]) -> None:
    resolver = Resolver(MemoryIndex({path: text.encode() for path, text in FILES.items()}))
    assert [symbol.node_id for symbol in find_symbols(resolver, name)] == found


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("SQUARE", ("src/geo/shapes.py::Square",)),
        ("sidelength", ("src/geo/shapes.py::Square.SIDE_LENGTH",)),
        ("Sqare", ("src/geo/shapes.py::Square",)),
        ("geo.shapes.Squares", ("src/geo/shapes.py::Square", "tests/test_geo.py::TestSquare")),
        ("quite_another", ()),
    ],
)
def test_what_is_near(name: str, near: tuple[str, ...]) -> None:
    resolver = Resolver(MemoryIndex({path: text.encode() for path, text in FILES.items()}))
    assert near_names(resolver, name)[: len(near)] == near
    assert bool(near_names(resolver, name)) == bool(near)


def test_modules_and_plain_names() -> None:
    resolver = Resolver(MemoryIndex({path: text.encode() for path, text in FILES.items()}))
    assert find_modules(resolver, "`geo::shapes`") == ("src/geo/shapes.py",)
    assert find_modules(resolver, "") == ()
    assert plain_name(' "a.b()" ') == "a.b"


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/x.py", True), ("test_x.py", True), ("src/x_test.go", True), ("x.test.ts", True), ("x.spec.js", True),
        ("a/conftest.py", True), ("spec/x.rb", True), ("src/XTests.java", True), ("a/__tests__/b.js", True),
        ("src/testing.py", False), ("src/contest.py", False), ("latest/x.py", False), ("src/tests.md/x", False),
    ],
)  # fmt: skip
def test_paths_of_tests(path: str, is_test: bool) -> None:
    assert is_test_path(path) is is_test
