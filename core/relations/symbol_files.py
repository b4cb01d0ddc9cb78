"""The symbols of a tree's files as they are looked up one by one: by place, by qualified name, by what is around.

Each file is asked for once; `resolution.py` tells on top of it what names mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ..code.symbols import Definition, FileSymbols, Import
from ..index.symbol_index import SymbolIndex

_DEEPEST = 50
"""Scopes around a place that are looked at; deeper code was made to be slow."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition and where it stands; two of one qualified name in one file (overloads, branches) are the same."""

    path: str
    position: int
    definition: Definition

    @property
    def node_id(self) -> str:
        """Its id in the graph."""
        mark = "#" if self.definition.kind == "heading" else "::"
        return f"{self.path}{mark}{self.definition.qualified_name}"


@dataclass(frozen=True, slots=True)
class Imports:
    """What a file imports.

    Attributes:
        named: by the name that it has in the file.
        whole: the modules of which everything is imported.
    """

    named: Mapping[str, Import]
    whole: tuple[str, ...]


_NONE = Imports({}, ())


class SymbolFiles:
    """The files of one index; what was looked up is kept."""

    def __init__(self, index: SymbolIndex) -> None:
        self.index = index
        self._files: dict[str, FileSymbols | None] = {}
        self._positions: dict[str, Mapping[str, int]] = {}
        self._imports: dict[str, Imports] = {}

    def load(self, paths: Collection[str]) -> None:
        """Look these files up in one go."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._files]
        if missing:
            found = self.index.symbols(missing)
            self._files.update((path, found.get(path)) for path in missing)

    def file(self, path: str) -> FileSymbols | None:
        """A file's symbols; None where none are known."""
        if path not in self._files:
            self.load([path])
        return self._files[path]

    def symbol(self, path: str, position: int) -> Symbol | None:
        """The definition at a position of a file."""
        file = self.file(path)
        if file is None or not 0 <= position < len(file.definitions):
            return None
        return Symbol(path, position, file.definitions[position])

    def named(self, path: str, qualified_name: str) -> Symbol | None:
        """The definition of this qualified name in a file."""
        position = self.positions(path).get(qualified_name)
        return None if position is None else self.symbol(path, position)

    def positions(self, path: str) -> Mapping[str, int]:
        """The positions of a file's definitions by qualified name; the first of several."""
        known = self._positions.get(path)
        if known is None:
            file = self.file(path)
            listed = list(enumerate(file.definitions)) if file else []
            known = {definition.qualified_name: position for position, definition in reversed(listed)}
            self._positions[path] = known
        return known

    def imports(self, path: str) -> Imports:
        """What a file imports; of several that give one name the first."""
        known = self._imports.get(path)
        if known is None:
            file = self.file(path)
            known = self._imports[path] = _imports(file) if file else _NONE
        return known

    def scopes(self, path: str, owner: int) -> Iterator[Symbol]:
        """The definitions around a place, innermost first."""
        inner = self.symbol(path, owner)
        for _ in range(_DEEPEST):
            if inner is None:
                return
            yield inner
            inner = self.named(path, inner.definition.qualified_name.rpartition(".")[0])


def _imports(file: FileSymbols) -> Imports:
    named: dict[str, Import] = {}
    for each in file.imports:
        if each.name != "*":
            # Python's `import a.b` gives the name `a`.
            is_whole = file.language == "python" and each.name is None and each.alias == each.module
            named.setdefault(each.module.partition(".")[0] if is_whole else each.alias, each)
    return Imports(named, tuple(each.module for each in file.imports if each.name == "*"))
