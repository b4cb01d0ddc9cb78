"""One SQLite database of symbols: what is kept of files, by their content, and where names stand in them.

A file goes by its key: the id of its blob and the language by which it was read. No path and no time is kept, so
branches, worktrees and clones share what they have in common. A key gets a number, which is never given to another one.

Every row is sealed with a key of the user's own, over its place and its content. So a row that isn't as it was written
is noticed, whether a disk, a crash or a stranger changed it, and whoever has written to the file without that key can
at worst bring back an older row of the same place. All buckets of names exist from the start, so that a lost one is
noticed as well.

Writers wait for each other; a rollback journal is used rather than a write-ahead log, which needs shared memory and so
fails on network file systems and in folders that can't be written. Not for several threads at once.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .database import Damaged, groups, select, transaction, translated
from .postings import BUCKETS, Places, Postings, bucket_of, merged, places_in
from .symbol_rows import FAMILIES, Family, Row

if TYPE_CHECKING:
    import sqlite3

SCHEMA = 1
"""Of the tables and of everything in them, the symbols' own form excepted."""
_TABLES = (
    "CREATE TABLE blobs (key TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE keys (chunk INTEGER PRIMARY KEY, data BLOB NOT NULL, seal BLOB NOT NULL)",
    "CREATE TABLE symbols (number INTEGER PRIMARY KEY, data BLOB NOT NULL, seal BLOB NOT NULL)",
    "CREATE TABLE names (bucket INTEGER PRIMARY KEY, data BLOB NOT NULL, seal BLOB NOT NULL)",
    "CREATE TABLE trees (tree BLOB PRIMARY KEY, seal BLOB NOT NULL) WITHOUT ROWID",
)
_SEAL_BYTES = 16
_MOST_CACHED = 1024
_CHUNK = 512
"""Keys in one row of `keys`, where they stand in the order of their numbers."""


def key_of(blob: str, language: str) -> str:
    """The key of a file."""
    return f"{blob}:{language}"


class SymbolStore:
    """The symbols of files by their keys."""

    def __init__(self, connection: sqlite3.Connection, secret: bytes) -> None:
        """Take a connection with autocommit; `close` closes it.

        Args:
            connection: to an empty database, or one that was made here.
            secret: seals the rows, 1 to 64 bytes.

        Raises:
            Unusable: it can't be opened, or isn't one of ours.
        """
        self._connection = connection
        self._secret = secret
        self._buckets: dict[int, bytes] = {}
        self._chunks: dict[int, list[str]] = {}
        with translated():
            if self._version() == 0:
                with transaction(connection):
                    self._create()
            if self._version() != SCHEMA:
                raise Damaged("another schema")

    def close(self) -> None:
        """Close the connection; anything asked afterwards is `Unusable`."""
        self._connection.close()

    def has(self, keys: Collection[str]) -> set[str]:
        """Those of the keys that are kept."""
        return {row[0] for row in select(self._connection, "SELECT key FROM blobs WHERE key IN", keys)}

    def count(self) -> int:
        """How many keys are kept."""
        with translated():
            return int(self._connection.execute("SELECT coalesce(max(number), 0) FROM symbols").fetchone()[0])

    def is_whole(self, tree: bytes) -> bool:
        """Whether every file of a tree is kept, as `mark_whole` was told."""
        rows = list(select(self._connection, "SELECT tree, seal FROM trees WHERE tree IN", [tree]))
        for found, seal in rows:
            self._check(b"trees", found, b"", seal)
        return bool(rows)

    def mark_whole(self, tree: bytes) -> None:
        """Remember that every file of a tree is kept.

        Raises:
            Unusable: it can't be written.
        """
        with transaction(self._connection):
            row = (tree, self._seal(b"trees", tree, b""))
            self._connection.execute("INSERT OR REPLACE INTO trees VALUES (?, ?)", row)

    def symbols(self, keys: Collection[str]) -> dict[str, bytes]:
        """What is kept of files, in the form of `Row.symbols`; keys that aren't kept are left out."""
        query = "SELECT key, data, seal FROM blobs LEFT JOIN symbols USING (number) WHERE key IN"
        found: dict[str, bytes] = {}
        for key, data, seal in select(self._connection, query, keys):
            self._check(b"symbols", key.encode(), data, seal)
            found[key] = data
        return found

    def find(self, family: Family, names: Collection[str]) -> Mapping[str, Places]:
        """Where names stand: numbers of files, in whatever tree, with positions where the family has them."""
        buckets = {name: bucket_of(family, name) for name in names}
        self._load(set(buckets.values()) - self._buckets.keys())
        found = {name: places_in(self._buckets[bucket], name) for name, bucket in buckets.items()}
        while len(self._buckets) > _MOST_CACHED:
            del self._buckets[next(iter(self._buckets))]
        return found

    def keys_of(self, numbers: Collection[int]) -> dict[int, str]:
        """The key of each number that `find` gave."""
        query = "SELECT chunk, data, seal FROM keys WHERE chunk IN"
        wanted = {(number - 1) // _CHUNK for number in numbers}
        for chunk, data, seal in select(self._connection, query, wanted - self._chunks.keys()):
            self._check(b"keys", b"%d" % chunk, data, seal)
            self._chunks[chunk] = data.decode().split("\n")
        try:
            return {number: self._chunks[(number - 1) // _CHUNK][(number - 1) % _CHUNK] for number in numbers}
        except LookupError as error:
            raise Damaged("a number without a key") from error

    def add(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Keep what was read of files, all or nothing; keys that are kept already stay as they are.

        Raises:
            Unusable: it can't be written.
        """
        postings, kept = Postings(self.count() + 1), dict[str, tuple[bytes, bytes]]()
        for key, row in rows:
            if key not in kept:
                postings.add(row)
                kept[key] = row.symbols, self._seal(b"symbols", key.encode(), row.symbols)
        self._forget()
        with transaction(self._connection):
            known = self.has(kept)
            first = self.count() + 1
            fresh = [key for key in kept if key not in known]
            numbers = {key: number for number, key in enumerate(fresh, first)}
            self._connection.executemany("INSERT INTO blobs VALUES (?, ?)", sorted(numbers.items()))
            self._insert("symbols", ((numbers[key], *kept[key]) for key in fresh))
            self._number(fresh, first)
            self._merge(postings.buckets([numbers.get(key) for key in kept]), is_first=first == 1)
        self._forget()

    def _number(self, keys: Sequence[str], first: int) -> None:
        """Put keys behind those of the numbers below `first`."""
        chunk, filled = divmod(first - 1, _CHUNK)
        self.keys_of([first - 1] if filled else [])
        whole = [*(self._chunks[chunk] if filled else []), *keys]
        if len(whole) - len(keys) != filled:
            raise Damaged("a key without a number")
        chunks = enumerate(groups(whole, _CHUNK), chunk)
        self._insert("keys", (self._row(b"keys", at, "\n".join(group).encode()) for at, group in chunks))

    def _merge(self, added: Mapping[int, bytes], *, is_first: bool) -> None:
        for group in groups(sorted(added), _MOST_CACHED):
            self._buckets.clear()
            if not is_first:  # else all are empty
                self._load(group)
            rows = ((bucket, merged(self._buckets.get(bucket, b""), added[bucket])) for bucket in group)
            self._insert("names", (self._row(b"names", bucket, data) for bucket, data in rows))

    def _forget(self) -> None:
        self._buckets.clear()
        self._chunks.clear()

    def _load(self, buckets: Collection[int]) -> None:
        query = "SELECT bucket, data, seal FROM names WHERE bucket IN"
        for bucket, data, seal in select(self._connection, query, buckets):
            self._check(b"names", b"%d" % bucket, data, seal)
            self._buckets[bucket] = data
        if not self._buckets.keys() >= set(buckets):
            raise Damaged("a lost bucket")

    def _row(self, table: bytes, number: int, data: bytes) -> tuple[int, bytes, bytes]:
        return number, data, self._seal(table, b"%d" % number, data)

    def _insert(self, table: str, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        self._connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608 - our own

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _create(self) -> None:
        if self._version() == 0:  # else another process was first
            for table in _TABLES:
                self._connection.execute(table)
            self._insert("names", (self._row(b"names", bucket, b"") for bucket in range(len(FAMILIES) * BUCKETS)))
            self._connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def _seal(self, table: bytes, place: bytes, data: bytes) -> bytes:
        whole = b"%s %d %s%s" % (table, len(place), place, data)
        return hashlib.blake2b(whole, key=self._secret, digest_size=_SEAL_BYTES).digest()

    def _check(self, table: bytes, place: object, data: object, seal: object) -> None:
        # A damaged row may hold values of any type.
        if not (isinstance(place, bytes) and isinstance(data, bytes) and isinstance(seal, bytes)):
            raise Damaged("a row of other types")
        if not hmac.compare_digest(seal, self._seal(table, place, data)):
            raise Damaged("a row that was changed")
