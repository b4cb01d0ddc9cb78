"""A repository with known symbols, and everything that an index says of it, to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from conftest import git

from orefactor.core.index.stored_index import StoredIndex, open_index
from orefactor.core.index.symbol_index import MemoryIndex, SymbolIndex
from orefactor.sandbox.repository import find_repository

SHAPES = b"class Square:\n    def area(self):\n        return total()\n"
APP = b"from shapes import Square\n\ndef total():\n    return Square().area()\n"
FILES = {"shapes.py": SHAPES, "app.py": APP, "pkg/app.py": APP, "README.md": b"# Area of all\n", "data": b"\0"}
NAMES = ["area", "Area", "total", "Square", "square", "square.area", "shapes", "areaofall", "none", "os", "f", "g"]


def answers(index: SymbolIndex, paths: Iterable[str] = ()) -> object:
    every = [*index.paths, *paths, "none"]
    return [
        [list(index.paths), [index.source(path) for path in every], dict(index.symbols(every))],
        [{name: list(found) for name, found in ask(NAMES).items()} for ask in (index.folded, index.defining)],
        {name: list(found) for name, found in index.referring(NAMES).items()},
    ]


def opened(top: Path, tree: str = "HEAD", changed: Mapping[str, bytes | None] | None = None) -> StoredIndex:
    return open_index(find_repository(top), git(top, "rev-parse", tree), changed)


def kept(top: Path) -> list[Path]:
    return sorted((top / ".git/orefactor").glob("symbols-*"))


EXPECTED = answers(MemoryIndex(FILES))
