"""The symbols of a folder as it is on disk now, for whoever works without a run: read once, then only what changed.

Nothing is written anywhere, since the folder may be no repository; a run's index (`stored_index.py`) is kept instead.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.text_files import list_text_files

from ..code.symbols import FileSymbols
from .extraction import MAX_BYTES
from .symbol_index import MemoryIndex, SymbolIndex

_SECONDS = 20.0
_MOST_BYTES = 200 << 20
"""Of all files together; what comes after them has no symbols."""

Places = Mapping[str, Sequence[tuple[str, int]]]
Stamp = tuple[int, int, int]
"""What tells that a file was written to: size, time of the last change in nanoseconds, number on the disk."""


class FolderIndex:
    """Gives the index of a folder whenever it is called."""

    def __init__(self, root: Root) -> None:
        """Nothing is read yet.

        Args:
            root: the folder.
        """
        self._root = root
        self._stamps: dict[str, Stamp] = {}
        self._index: MemoryIndex | None = None

    def __call__(self) -> SymbolIndex:
        """The index of the files as they are now.

        Raises:
            UserError: listing them took too long.
        """
        now = self._stamped()
        if self._index is None:
            self._stamps, self._index = now, MemoryIndex(self._read(now))
            return self._index
        changed = {path for path in {*now, *self._stamps} if now.get(path) != self._stamps.get(path)}
        if not changed:
            return self._index
        return OverlaidIndex(self._index, MemoryIndex(self._read(sorted(changed & now.keys()))), changed)

    def _stamped(self) -> dict[str, Stamp]:
        stamps: dict[str, Stamp] = {}
        for path in list_text_files(self._root.path, seconds=_SECONDS):
            try:
                status = os.stat(self._root.path / path, follow_symlinks=False)
            except OSError:
                continue
            stamps[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
        return stamps

    def _read(self, paths: Collection[str]) -> dict[str, bytes]:
        """The files that can be read; too long ones stand there without content."""
        files: dict[str, bytes] = {}
        room = _MOST_BYTES
        for path in paths:
            try:
                data = self._root.read(path, limit=min(MAX_BYTES, room)).data
            except Refused:
                data = b""
            files[path] = data
            room = max(0, room - len(data))
        return files


class OverlaidIndex:
    """A `SymbolIndex` in which some files of another one have other content, or are gone."""

    def __init__(self, below: SymbolIndex, over: SymbolIndex, changed: Collection[str]) -> None:
        """Put one index over another.

        Args:
            over: those of the changed files that there are.
            changed: the paths whose files in `below` count no more.
        """
        self._below, self._over, self._changed = below, over, frozenset(changed)

    @property
    def paths(self) -> Sequence[str]:
        """As `SymbolIndex.paths`."""
        kept = (path for path in self._below.paths if path not in self._changed)
        return tuple(sorted([*kept, *self._over.paths]))

    def source(self, path: str) -> bytes | None:
        """As `SymbolIndex.source`."""
        return (self._over if path in self._changed else self._below).source(path)

    def symbols(self, paths: Collection[str]) -> Mapping[str, FileSymbols]:
        """As `SymbolIndex.symbols`."""
        kept = self._below.symbols([path for path in paths if path not in self._changed])
        return dict(sorted({**kept, **self._over.symbols(paths)}.items()))

    def folded(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.folded`."""
        return self._places(self._below.folded(names), self._over.folded(names))

    def defining(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.defining`."""
        return self._places(self._below.defining(names), self._over.defining(names))

    def referring(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """As `SymbolIndex.referring`."""
        below, over = self._below.referring(names), self._over.referring(names)
        kept = {name: [path for path in paths if path not in self._changed] for name, paths in below.items()}
        return _united(kept, over)

    def _places(self, below: Places, over: Places) -> Places:
        kept = {name: [at for at in places if at[0] not in self._changed] for name, places in below.items()}
        return _united(kept, over)


def _united(kept: Mapping[str, Sequence[Any]], over: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    both = {name: sorted([*kept.get(name, ()), *over.get(name, ())]) for name in sorted({*kept, *over})}
    return {name: places for name, places in both.items() if places}
