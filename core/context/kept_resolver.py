"""A resolver for whoever asks about every reference of many files: it reads no source and can be kept to what it knows.

Of a name behind several dots (`a.b.name`) only the last counts then, since the rest stands in the source alone.
"""

from __future__ import annotations

from ..code.symbols import FileSymbols, Reference
from ..index.symbol_index import SymbolIndex
from ..relations.resolution import Meaning, Resolver


class KeptResolver(Resolver):
    """As `Resolver`, but for names behind several dots."""

    def __init__(self, index: SymbolIndex) -> None:
        super().__init__(index)
        self._is_closed = False

    def close(self) -> None:
        """Look up no more files: imports that lead through others mean nothing from now on."""
        self._is_closed = True

    def file(self, path: str) -> FileSymbols | None:
        """As `Resolver.file`; nothing of a file that is looked up too late."""
        return self._files.get(path) if self._is_closed else super().file(path)

    def meaning(self, path: str, reference: Reference) -> Meaning:
        """As `Resolver.meaning`, from names alone."""
        if reference.kind in ("base", "decorator"):
            reference = reference._replace(owner=self._around(path, reference.owner))
        if reference.receiver:
            return self.member(self.holder(path, reference), reference.name)
        return self.plain(path, reference.name, reference.owner)
