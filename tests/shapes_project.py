"""A small project that tests of selecting and packing look at."""

from __future__ import annotations

from orefactor.core.index.symbol_index import MemoryIndex

FILES = {
    "AGENTS.md": b"# Rules\n\n## Docstrings\n\nGoogle style.\n\n## Commits\n\nShort ones.\n",
    "pyproject.toml": b"[tool.ruff]\nline-length = 100\n",
    "docs/spec.md": b"# Spec\n\n## Areas\n\nREQ-1-002: areas are positive.\n",
    "src/geo/__init__.py": b'"""Geometry."""\n\nfrom .shapes import Square, area\nfrom .other import *\n',
    "src/geo/shapes.py": b'''"""Shapes."""

from functools import cached_property
from typing import overload

LIMIT = 10


class Shape:
    """What has an area."""

    def area(self) -> float:
        return self.scaled(1)

    def scaled(self, by: int) -> float:
        return by * LIMIT


class Square(Shape):
    """A square."""

    def area(self) -> float:
        # REQ-1-002
        return check(self.side) ** 2


@overload
def area(shape: None) -> None: ...
@overload
def area(shape: Shape) -> float: ...
def area(shape):
    """The area of a shape."""
    def inner():
        return check(1)
    return shape.area() if shape else inner()


def check(value):
    return value
''',
    "src/geo/other.py": b"""from .shapes import check as verify

def total(shapes):
    return sum(verify(s.area()) for s in shapes)

def run():
    return total([])
""",
    "src/app.py": b"""import geo
from geo import area as a

def show(shape):
    print(a(shape), geo.total([shape]))

def run(thing):
    thing.start()
    return show(thing)
""",
    "src/far.py": b"def lonely():\n    return nobody()\n\ndef nobody():\n    return 1\n",
    "tests/test_shapes.py": b"""from geo.shapes import Square

def test_square():
    assert Square().area() == 4

def test_other():
    assert True
""",
}


def index(**more: bytes) -> MemoryIndex:
    """The project, with other files over it."""
    return MemoryIndex({**FILES, **more})
