"""The symbols of one tree, as frame and selection ask for them.

The tree is a set of paths with content; nothing here depends on when it was read or where it lies. `MemoryIndex` reads
files given to it; `stored_index.py` has the same face over what is kept in the repository.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from ..code.symbols import Definition, FileSymbols
from .extraction import symbols_of
from .index_keys import answers_to, mentioned


class SymbolIndex(Protocol):
    """What is known of one tree's files."""

    @property
    def paths(self) -> Sequence[str]:
        """Every regular file of the tree, sorted by code points, which is git's order; those without symbols too."""
        ...

    def source(self, path: str) -> bytes | None:
        """A file's content; None where the tree has no such file."""
        ...

    def symbols(self, paths: Collection[str]) -> Mapping[str, FileSymbols]:
        """What is known of these files; files of no known language, too large ones and missing ones are left out."""
        ...

    def folded(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Where folded names are defined, as sorted `(path, position in definitions)`.

        A definition answers to its folded last segment and to its folded qualified name (`fold` in `words.py`).
        """
        ...

    def defining(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Where exactly these last segments are defined, as sorted `(path, position in definitions)`."""
        ...

    def referring(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """The sorted paths of the files that refer to these names, or import them."""
        ...


class MemoryIndex:
    """The symbols of files that are given with their content; each is read when something of it is first asked for."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Keep the files; nothing of them is read yet.

        Args:
            files: the content of each path.
        """
        self._files = dict(sorted(files.items()))
        self._paths = tuple(self._files)

    @property
    def paths(self) -> Sequence[str]:
        """As `SymbolIndex.paths`."""
        return self._paths

    def source(self, path: str) -> bytes | None:
        """As `SymbolIndex.source`."""
        return self._files.get(path)

    def symbols(self, paths: Collection[str]) -> Mapping[str, FileSymbols]:
        """As `SymbolIndex.symbols`."""
        return {path: self._symbols[path] for path in sorted(set(paths)) if path in self._symbols}

    def folded(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.folded`."""
        return {name: self._folded[name] for name in sorted(set(names)) if name in self._folded}

    def defining(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.defining`."""
        return {name: self._defining[name] for name in sorted(set(names)) if name in self._defining}

    def referring(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """As `SymbolIndex.referring`."""
        return {name: self._referring[name] for name in sorted(set(names)) if name in self._referring}

    @cached_property
    def _symbols(self) -> dict[str, FileSymbols]:
        found = ((path, symbols_of(data, path)) for path, data in self._files.items())
        return {path: symbols for path, symbols in found if symbols is not None}

    @cached_property
    def _folded(self) -> dict[str, list[tuple[str, int]]]:
        return self._places(answers_to)

    @cached_property
    def _defining(self) -> dict[str, list[tuple[str, int]]]:
        return self._places(lambda definition: [definition.name])

    @cached_property
    def _referring(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, symbols in self._symbols.items():
            for name in mentioned(symbols):
                found.setdefault(name, []).append(path)
        return found

    def _places(self, names: Callable[[Definition], Iterable[str]]) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for path, symbols in self._symbols.items():
            for position, definition in enumerate(symbols.definitions):
                for name in names(definition):
                    found.setdefault(name, []).append((path, position))
        return found
