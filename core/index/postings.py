"""Collects by name what many files define and mention, and lays it into the buckets in which it is kept.

A row for each name would cost more to write than the parsing itself. A bucket holds all names of one family whose hash
ends alike, a line each: the name as JSON, a tab, and numbers of files, each followed by a position where the family has
them. A name is looked up and added to without reading the other lines, of which a large project has hundreds.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii

from .symbol_rows import FAMILIES, Family, Row

BUCKETS = 2048
"""Of each family. All exist from the start, and one is written whole: few would be long, many slow to make."""
_POSITIONED: tuple[Family, ...] = ("defined", "folded")
"""The families that keep a position beside each file."""

Places = Sequence[int]
"""Numbers of files, each followed by a position where the family has them."""


def bucket_of(family: Family, name: str) -> int:
    """The bucket that a name lies in; the same in every process."""
    return _bucket(family, _quoted(name))


def pairs(family: Family, places: Places) -> list[tuple[int, int]]:
    """Numbers of files with positions; -1 where the family has none."""
    if family not in _POSITIONED:
        return [(number, -1) for number in places]
    return list(zip(places[::2], places[1::2], strict=True))


def places_in(bucket: bytes, name: str) -> list[int]:
    """The places of a name in its bucket."""
    head = b"\n%s\t" % _quoted(name)
    start = bucket.find(head)
    if start < 0:
        return []
    end = bucket.find(b"\n", start + 1)
    found: list[int] = json.loads(b"[%s]" % bucket[start + len(head) : end if end >= 0 else None])
    return found


def merged(bucket: bytes, added: Mapping[bytes, bytes]) -> bytes:
    """A bucket with further places of some names, both as they are written in it."""
    if not bucket:
        return b"".join([b"\n%s\t%s" % line for line in added.items()])
    lines = dict(line.split(b"\t") for line in bucket.split(b"\n")[1:])
    for name, places in added.items():
        lines[name] = b"%s,%s" % (lines[name], places) if name in lines else places
    return b"".join([b"\n%s\t%s" % line for line in lines.items()])


class Postings:
    """What files define and mention, by name, as texts that grow file by file.

    Files get the numbers that they will most likely have, from `first` on: so the texts are done when the last file
    comes, whose reading on all cores leaves time for them, while afterwards everything waits.
    """

    def __init__(self, first: int) -> None:
        self._first = self._next = first
        self._names = {family: _Names() for family in FAMILIES}

    def add(self, row: Row) -> None:
        """Take in the names of the next file."""
        number = b",%d" % self._next
        self._next += 1
        mentioned = self._names["mentioned"]
        for name in row.names.get("mentioned", ()):
            mentioned[name] += number
        for family in _POSITIONED:
            known = self._names[family]
            for name, position in zip(row.names.get(family, ()), row.positions.get(family, ()), strict=True):
                known[name] += b"%s,%d" % (number, position)

    def buckets(self, numbers: Sequence[int | None]) -> dict[int, dict[bytes, bytes]]:
        """All places by bucket and name, as `merged` takes them.

        Args:
            numbers: those that the files have got, in the order in which they came; None leaves a file out.
        """
        as_expected = all(number == expected for expected, number in enumerate(numbers, self._first))
        found: dict[int, dict[bytes, bytes]] = {}
        for offset, family in enumerate(FAMILIES):
            for bucket, names in self._names[family].buckets.items():
                if as_expected:
                    found[offset * BUCKETS + bucket] = {quoted: bytes(text[1:]) for quoted, text in names}
                else:
                    texts = {quoted: self._renumbered(family, text, numbers) for quoted, text in names}
                    found[offset * BUCKETS + bucket] = {quoted: text for quoted, text in texts.items() if text}
        return found

    def _renumbered(self, family: Family, text: bytearray, numbers: Sequence[int | None]) -> bytes:
        places = pairs(family, [int(piece) for piece in text[1:].split(b",")])
        known = [(number, position) for at, position in places if (number := numbers[at - self._first]) is not None]
        return b",".join(
            [b"%d" % number if position < 0 else b"%d,%d" % (number, position) for number, position in known]
        )


class _Names(dict[str, bytearray]):
    """The places of each name, and by bucket the same texts again."""

    def __init__(self) -> None:
        super().__init__()
        self.buckets: dict[int, list[tuple[bytes, bytearray]]] = {}

    def __missing__(self, name: str) -> bytearray:
        quoted = _quoted(name)
        self[name] = places = bytearray()
        self.buckets.setdefault(zlib.crc32(quoted) % BUCKETS, []).append((quoted, places))
        return places


def _bucket(family: Family, quoted: bytes) -> int:
    return FAMILIES.index(family) * BUCKETS + zlib.crc32(quoted) % BUCKETS


def _quoted(name: str) -> bytes:
    """In JSON, so that no name holds a tab or the end of a line; `json.dumps` takes three times as long."""
    return encode_basestring_ascii(name).encode("ascii")
