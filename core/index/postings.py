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
_STRIDE: Mapping[Family, int] = {"defined": 2, "folded": 2, "mentioned": 1}

Places = Sequence[int]
"""Numbers of files, each followed by a position where the family has them."""


def bucket_of(family: Family, name: str) -> int:
    """The bucket that a name lies in; the same in every process."""
    return _bucket(family, _quoted(name))


def pairs(family: Family, places: Places) -> list[tuple[int, int]]:
    """Numbers of files with positions; -1 where the family has none."""
    if _STRIDE[family] == 1:
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
    lines = dict(line.split(b"\t") for line in bucket.split(b"\n")[1:])
    for name, places in added.items():
        lines[name] = b"%s,%s" % (lines[name], places) if name in lines else places
    return b"".join([b"\n%s\t%s" % line for line in lines.items()])


class Postings:
    """What files that aren't numbered yet define and mention, by name."""

    def __init__(self) -> None:
        self._mentioned: dict[str, list[int]] = {}
        self._defined: dict[Family, dict[str, list[tuple[int, int]]]] = {"defined": {}, "folded": {}}

    def add(self, file: int, row: Row) -> None:
        """Take in the names of one file.

        Args:
            file: counts from 0 in the order of the calls.
            row: whose names are taken.
        """
        for name in row.names.get("mentioned", ()):
            self._mentioned.setdefault(name, []).append(file)
        for family, known in self._defined.items():
            for name, positions in row.names.get(family, {}).items():
                known.setdefault(name, []).extend([(file, position) for position in positions])

    def buckets(self, numbers: Sequence[int | None]) -> dict[int, dict[bytes, bytes]]:
        """All places by bucket and name, as `merged` takes them.

        Args:
            numbers: of each file; None leaves it out.
        """
        texts = ["" if number is None else str(number) for number in numbers]
        found: dict[int, dict[bytes, bytes]] = {}
        for name, files in self._mentioned.items():
            _put(found, "mentioned", name, [text for file in files if (text := texts[file])])
        for family, names in self._defined.items():
            for name, places in names.items():
                _put(found, family, name, [f"{text},{position}" for file, position in places if (text := texts[file])])
        return found


def _put(buckets: dict[int, dict[bytes, bytes]], family: Family, name: str, places: Sequence[str]) -> None:
    if places:
        quoted = _quoted(name)
        buckets.setdefault(_bucket(family, quoted), {})[quoted] = ",".join(places).encode("ascii")


def _bucket(family: Family, quoted: bytes) -> int:
    return FAMILIES.index(family) * BUCKETS + zlib.crc32(quoted) % BUCKETS


def _quoted(name: str) -> bytes:
    """In JSON, so that no name holds a tab or the end of a line; `json.dumps` takes three times as long."""
    return encode_basestring_ascii(name).encode("ascii")
