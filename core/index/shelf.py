"""The stores that together hold every file of one tree: our own, those of other repositories on this disk, and memory.

What no store has is read and put into our own; where that can't be written (no space, no permission, locked), into one
in memory, which is gone with the process. A store that fails is left out, our own is begun anew where it was damaged,
and what is missing then is read again: whoever asks gets the same answer, only later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from orefactor.sandbox.git import Git
from orefactor.sandbox.objects import blob_sizes, read_blobs
from orefactor.sandbox.tree_listing import TreeListing

from .database import Damaged, Unusable, connect
from .extraction import language_of, languages
from .index_file import IndexFile
from .parsing import Parsers, Wanted, portions
from .symbol_rows import Row
from .symbol_store import SymbolStore, key_of

_Answer = TypeVar("_Answer")
_GROUP_FILES, _GROUP_BYTES = 10_000, 128 << 20
"""What is read before it is kept: less would write the names again and again, more would hold them in memory."""
_OTHER_FILES, _OTHER_TIMES = 50_000, 4
"""Files of other trees, and as many times those of this one, beyond which an index is begun anew."""


class Need:
    """What has to stand on the shelf: the files of one tree that have symbols.

    Attributes:
        git: reads what is missing.
        tree: stands for all of it, and for the languages that count.
    """

    def __init__(self, git: Git, listing: TreeListing) -> None:
        """Take a tree's files."""
        self.git = git
        self.tree = hashlib.sha256(listing.digest + languages().encode()).digest()
        self._blobs = listing.blobs

    @cached_property
    def files(self) -> Mapping[str, tuple[str, str]]:
        """For each key a blob and one of its paths; not asked for where one store has the whole tree."""
        found: dict[str, tuple[str, str]] = {}
        for path, blob in self._blobs.items():
            language = language_of(path)
            if language is not None:
                found.setdefault(key_of(blob, language), (blob, path))
        return found


class _Failed(Exception):
    def __init__(self, store: SymbolStore, cause: Unusable) -> None:
        super().__init__(str(cause))
        self.store = store
        self.cause = cause


class Shelf:
    """The stores of one tree. Not for several threads at once.

    Attributes:
        stores: those that have something of it.
        parsed: how many files had to be read so far.
    """

    def __init__(self, need: Need, secret: bytes | None, own: Path, others: Callable[[], Sequence[Path]]) -> None:
        """Open what there is, and read what is missing.

        Args:
            need: what every later question is about.
            secret: the user's key for indexes; None keeps everything in memory.
            own: the common git directory.
            others: gives those that may have what is missing.
        """
        self.stores: list[SymbolStore] = []
        self.parsed = 0
        self._need = need
        self._secret = secret or b"-"
        self._others: Callable[[], Sequence[Path]] | None = others if secret else None
        self._file = IndexFile(own, secret) if secret else None
        self._own: SymbolStore | None = None
        self._memory: SymbolStore | None = None
        self._lacking: set[str] = set()
        self._may_write = self._may_renew = secret is not None
        self._open_own()
        self._fill()

    def ask(self, question: Callable[[SymbolStore], _Answer]) -> list[_Answer]:
        """The answer of each store; which ones there are may change between questions, what they know together not."""
        while True:
            try:
                answers: list[_Answer] = []
                for store in self.stores:
                    with _using(store):
                        answers.append(question(store))
            except _Failed as failure:
                self._lose(failure)
                self._fill()
            else:
                return answers

    def _open_own(self) -> None:
        try:
            self._own = self._file.open_kept() if self._file else None
        except Damaged:
            self._renew()
        except Unusable:
            self._may_write = False
        self.stores[:0] = [self._own] if self._own else []

    def _fill(self) -> None:
        """Try until it works: each failure costs a store, or the wish to write to it."""
        while True:
            try:
                return self._complete()
            except _Failed as failure:
                self._lose(failure)

    def _complete(self) -> None:
        """Read what no store has."""
        if self._is_whole():
            return
        missing = self._missing()
        if missing and self._others is not None:
            self._borrow(self._others)
            if self._is_whole():
                return
            missing = self._missing()
        with Parsers(len(missing)) as parsers:
            wanted = _wanted(self._need, missing)
            for group in portions(wanted, _GROUP_FILES, _GROUP_BYTES):
                store = self._target()
                with _using(store):
                    store.add(self._rows(parsers, group))
        if self._own and self._may_write and self._lacking <= {file.key for file in wanted}:
            with _using(self._own):
                self._own.mark_whole(self._need.tree)

    def _is_whole(self) -> bool:
        for store in self.stores:
            with _using(store):
                if store.is_whole(self._need.tree):
                    return True
        return not self._need.files

    def _missing(self) -> set[str]:
        missing = set(self._need.files)
        self._lacking = set(missing)
        for store in self.stores:
            with _using(store):
                missing -= store.has(missing)
            if store is self._own:  # the first one
                self._lacking = set(missing)
        return missing

    def _borrow(self, others: Callable[[], Sequence[Path]]) -> None:
        self._others = None
        for place in others():
            try:
                store = IndexFile(place, self._secret).open_kept("ro")
            except Unusable:
                continue
            self.stores += [store] if store else []

    def _target(self) -> SymbolStore:
        """Where to put what was read: our own store, made where there is none, or one in memory."""
        if self._may_write and self._own and self._is_overgrown(self._own):
            raise _Failed(self._own, Damaged("overgrown"))
        if self._may_write and self._own is None:
            self._renew()
            self.stores[:0] = [self._own] if self._own else []
        if self._may_write and self._own:
            return self._own
        if self._memory is None:
            self._memory = SymbolStore(connect(None, "rw"), self._secret)
            self.stores.append(self._memory)
        return self._memory

    def _is_overgrown(self, store: SymbolStore) -> bool:
        with _using(store):
            return store.count() > _OTHER_FILES + _OTHER_TIMES * len(self._need.files)

    def _renew(self) -> None:
        """Begin our own store anew, once in a process."""
        self._own = self._file.open_next() if self._file and self._may_renew else None
        self._may_renew = False
        self._may_write = self._own is not None

    def _lose(self, failure: _Failed) -> None:
        store, is_damaged = failure.store, isinstance(failure.cause, Damaged)
        if store is self._memory:
            raise failure.cause
        if store is self._own and self._may_write and not is_damaged:
            self._may_write = False  # it may still be read
            return
        self.stores.remove(store)
        store.close()
        if store is self._own:
            self._own = None
            if is_damaged:
                self._renew()
                self.stores[:0] = [self._own] if self._own else []

    def _rows(self, parsers: Parsers, files: Sequence[Wanted]) -> Iterator[tuple[str, Row]]:
        for file, row in parsers.rows(files, lambda blobs: read_blobs(self._need.git, blobs)):
            self.parsed += 1
            yield file.key, row


def _wanted(need: Need, missing: Collection[str]) -> list[Wanted]:
    """What can be read, in the order of the paths; a partial clone lacks some."""
    keys = [key for key in need.files if key in missing] if missing else []
    sizes = blob_sizes(need.git, [need.files[key][0] for key in keys])
    return [Wanted(key, *need.files[key], size) for key, size in zip(keys, sizes, strict=True) if size is not None]


@contextmanager
def _using(store: SymbolStore) -> Generator[None]:
    try:
        yield
    except Unusable as error:
        raise _Failed(store, error) from error
