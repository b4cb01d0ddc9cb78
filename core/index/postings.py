"""Collects by name what many files define and mention, and lays it into the buckets in which it is kept.

A row for each name would cost more to write than the parsing itself. A bucket holds all names of one family whose hash
ends alike, a line each: the name as JSON, a tab, and numbers of files, each followed by a position where the family has
them, with a comma before every number, so that a line just grows. A name is looked up and added to without reading the
other lines, of which a large project has hundreds.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Sequence
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
    head = b"\n%s\t," % _quoted(name)
    start = bucket.find(head)
    if start < 0:
        return []
    end = bucket.find(b"\n", start + 1)
    found: list[int] = json.loads(b"[%s]" % bucket[start + len(head) : end if end >= 0 else None])
    return found


def merged(bucket: bytes, added: bytes) -> bytes:
    """A bucket with further lines, whose names it may have already."""
    if not bucket or not added:
        return bucket or added
    lines = _lines(bucket)
    for name, places in _lines(added).items():
        lines[name] = lines.get(name, b"") + places
    return b"".join([b"\n%s\t%s" % line for line in lines.items()])


def _lines(bucket: bytes) -> dict[bytes, bytes]:
    return dict(line.split(b"\t") for line in bucket.split(b"\n")[1:])


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

    def buckets(self, numbers: Sequence[int | None]) -> dict[int, bytes]:
        """The lines of each bucket that has any, as `merged` takes them.

        Args:
            numbers: those that the files have got, in the order in which they came; None leaves a file out.
        """
        as_expected = all(number == expected for expected, number in enumerate(numbers, self._first))
        found: dict[int, bytes] = {}
        for offset, family in enumerate(FAMILIES):
            for bucket, lines in self._names[family].buckets.items():
                kept = lines if as_expected else [self._renumbered(family, line, numbers) for line in lines]
                found[offset * BUCKETS + bucket] = b"".join(kept)
        return found

    def _renumbered(self, family: Family, line: bytearray, numbers: Sequence[int | None]) -> bytes:
        name, _, text = line.partition(b"\t,")
        places = pairs(family, [int(piece) for piece in text.split(b",")])
        known = [(number, position) for at, position in places if (number := numbers[at - self._first]) is not None]
        kept = [b",%d" % number if position < 0 else b",%d,%d" % (number, position) for number, position in known]
        return b"".join([name, b"\t", *kept]) if kept else b""


class _Names(dict[str, bytearray]):
    """The line of each name, and by bucket the same lines again."""

    def __init__(self) -> None:
        super().__init__()
        self.buckets: defaultdict[int, list[bytearray]] = defaultdict(list)

    def __missing__(self, name: str) -> bytearray:
        quoted = _quoted(name)
        self[name] = line = bytearray(b"\n%s\t" % quoted)
        self.buckets[zlib.crc32(quoted) % BUCKETS].append(line)
        return line


def _bucket(family: Family, quoted: bytes) -> int:
    return FAMILIES.index(family) * BUCKETS + zlib.crc32(quoted) % BUCKETS


def _quoted(name: str) -> bytes:
    """In JSON, so that no name holds a tab or the end of a line; `json.dumps` takes three times as long."""
    return encode_basestring_ascii(name).encode("ascii")
