"""The symbols of one tree out of what is kept in the repository, with files over it whose content differs.

Nothing is held but the tree's paths: a question reads those rows of the database that it needs, and of the answer only
what stands in the tree counts, since the database knows other branches as well. See `shelf.py` for where the rows come
from, `index.py` for what the answers mean.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from orefactor.sandbox.objects import read_blobs
from orefactor.sandbox.repository import Repository
from orefactor.sandbox.tree_listing import list_tree

from ..code.symbols import FileSymbols
from ..user_key import derived_key
from .extraction import language_of
from .lenders import lenders
from .postings import pairs
from .shelf import Need, Shelf
from .symbol_index import MemoryIndex
from .symbol_rows import Family, decoded
from .symbol_store import SymbolStore, key_of

_PURPOSE = "symbols"
_MOST_CACHED = 64
_Place = tuple[str, int]


def open_index(repository: Repository, tree: str, changed: Mapping[str, bytes | None] | None = None) -> StoredIndex:
    """The symbols of a tree; what was never read before is read now, on all cores.

    Args:
        repository: whose common git directory keeps what is read.
        tree: the id of a tree or a commit.
        changed: the content of files that the tree doesn't have, or has otherwise; None for those that it has and that
            are gone. Nothing of them is kept.

    Raises:
        GitFailed: there is no such tree, or git can't read what is missing in the index.
    """
    return StoredIndex(repository, tree, changed or {})


class StoredIndex:
    """A `SymbolIndex` of one tree. Any thread may ask."""

    def __init__(self, repository: Repository, tree: str, changed: Mapping[str, bytes | None]) -> None:
        """See `open_index`."""
        self._git = repository.git
        listing = list_tree(repository.git, tree)
        self._changed = changed
        self._over = MemoryIndex({path: data for path, data in changed.items() if data is not None})
        self._blobs = {path: blob for path, blob in listing.blobs.items() if path not in changed}
        self._paths = tuple(sorted([*self._blobs, *self._over.paths]))
        self._sources: dict[str, bytes | None] = {}
        self._lock = threading.RLock()
        # For each store, since each has numbers of its own.
        self._known: dict[SymbolStore, dict[int, Sequence[str]]] = {}
        need = Need(repository.git, listing)
        self._shelf = Shelf(need, derived_key(_PURPOSE), repository.common_dir, lambda: lenders(repository))
        weakref.finalize(self, _close, self._shelf.stores)

    @property
    def parsed(self) -> int:
        """How many files of the tree had to be read, because no index on this disk had them."""
        return self._shelf.parsed

    @property
    def paths(self) -> Sequence[str]:
        """As `SymbolIndex.paths`."""
        return self._paths

    def source(self, path: str) -> bytes | None:
        """As `SymbolIndex.source`."""
        if path not in self._blobs:
            return self._over.source(path)
        with self._lock:
            if path not in self._sources:
                while len(self._sources) >= _MOST_CACHED:
                    del self._sources[next(iter(self._sources))]
                (self._sources[path],) = read_blobs(self._git, [self._blobs[path]])
            return self._sources[path]

    def symbols(self, paths: Collection[str]) -> Mapping[str, FileSymbols]:
        """As `SymbolIndex.symbols`."""
        keys = {path: key for path in paths if (key := _key(self._blobs.get(path), path)) is not None}
        found = dict(self._over.symbols(paths))
        with self._lock:
            rows = self._shelf.ask(lambda store: store.symbols(set(keys.values())))
        for path, key in keys.items():
            kept = next((decoded(row[key]) for row in rows if key in row), None)
            if kept is not None:
                found[path] = kept
        return dict(sorted(found.items()))

    def folded(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.folded`."""
        return _sorted(self._over.folded(names), self._find("folded", names))

    def defining(self, names: Collection[str]) -> Mapping[str, Sequence[tuple[str, int]]]:
        """As `SymbolIndex.defining`."""
        return _sorted(self._over.defining(names), self._find("defined", names))

    def referring(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """As `SymbolIndex.referring`."""
        over = {name: [(path, -1) for path in paths] for name, paths in self._over.referring(names).items()}
        found = _sorted(over, self._find("mentioned", names))
        return {name: [path for path, _ in places] for name, places in found.items()}

    def _find(self, family: Family, names: Collection[str]) -> Mapping[str, Collection[_Place]]:
        """Where names stand in the tree itself, each place once."""
        with self._lock:
            first, *others = self._shelf.ask(lambda store: self._places(store, family, names)) or [{}]
        if not others:
            return first  # the usual case; a common name has many thousand places
        found: dict[str, set[_Place]] = {}
        for answer in (first, *others):
            for name, places in answer.items():
                found.setdefault(name, set()).update(places)
        return found

    def _places(self, store: SymbolStore, family: Family, names: Collection[str]) -> dict[str, list[_Place]]:
        found = {name: pairs(family, places) for name, places in store.find(family, names).items()}
        paths = self._paths_by_number(store, {number for places in found.values() for number, _ in places})
        return {
            name: [(path, position) for number, position in places for path in paths[number]]
            for name, places in found.items()
        }

    def _paths_by_number(self, store: SymbolStore, numbers: Iterable[int]) -> Mapping[int, Sequence[str]]:
        """The paths in the tree of a store's numbers."""
        known = self._known.setdefault(store, {})
        fresh = [number for number in numbers if number not in known]
        for number, key in store.keys_of(fresh).items():
            known[number] = self._paths_of(key)
        return known

    @cached_property
    def _by_blob(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path, blob in self._blobs.items():
            found.setdefault(blob, []).append(path)
        return found

    def _paths_of(self, key: str) -> Sequence[str]:
        """The paths in the tree of a key."""
        blob, _, language = key.partition(":")
        return [path for path in self._by_blob.get(blob, ()) if language_of(path) == language]


def _sorted(over: Mapping[str, Sequence[_Place]], found: Mapping[str, Collection[_Place]]) -> dict[str, list[_Place]]:
    """The places of each name that has any, in order, as `MemoryIndex` gives them; no file is in both."""
    names = sorted({*over, *(name for name, places in found.items() if places)})
    return {name: sorted([*over.get(name, ()), *found.get(name, ())]) for name in names}


def _key(blob: str | None, path: str) -> str | None:
    language = language_of(path)
    return None if blob is None or language is None else key_of(blob, language)


def _close(stores: Sequence[SymbolStore]) -> None:
    for store in stores:
        store.close()
