"""What remains of a file once the things that a contract allows to differ are taken out.

The kinds of contract say what is taken out; here it is done, so that the places of what is left can be compared
one by one, and so that what was taken out can still be judged by the kind that took it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .comments import Comment, in_gap, inside
from .source import MODULE, Item, Source

GONE = -2
"""The suite of what stood below a head that was taken out."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands before a remaining item, or at the end of the file.

    Attributes:
        pieces: the parts of the text, as start and end; more than one where something was taken out.
        taken: what was taken out there.
    """

    pieces: tuple[tuple[int, int], ...]
    taken: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """Something taken out, with its suite: the place among the remaining items of the head that it stood below."""

    item: Item
    suite: int


@dataclass(frozen=True, slots=True)
class Remainder:
    """The remaining items, the gap before each and one more at the end, and what was taken out."""

    source: Source
    items: tuple[Item, ...]
    gaps: tuple[Gap, ...]
    taken: tuple[Taken, ...]

    def raw_gap(self, place: int) -> bytes:
        """A gap as it stands in the text, without what was taken out."""
        return b"".join(self.source.text[start:end] for start, end in self.gaps[place].pieces)

    def comments(self, place: int) -> list[Comment]:
        """The comments between two remaining items: those within the first and in the gap, but none of an import."""
        found = inside(self.source, self.items[place - 1]) if place else []
        gap = self.gaps[place]
        for number, (start, end) in enumerate(gap.pieces):
            before = gap.taken[number - 1] if number else None
            comments = in_gap(self.source, start, end)
            if before is not None and before.kind == "import":
                comments = [comment for comment in comments if not comment.is_trailing]
            elif before is not None:
                found += inside(self.source, before)
            found += comments
        return found

    def line(self, offset: int) -> int:
        """The line of a place in the text, from 1."""
        return self.source.text.count(b"\n", 0, offset) + 1


def remainder(source: Source, taken_out: Collection[int]) -> Remainder:
    """Take items out of a source, by their places among its items."""
    places: dict[int, int] = {MODULE: MODULE}
    items: list[Item] = []
    gaps: list[Gap] = []
    taken: list[Taken] = []
    pieces: list[tuple[int, int]] = []
    here: list[Item] = []
    at = 0
    for place, item in enumerate(source.items):
        pieces.append((at, item.start))
        at = item.end
        if place in taken_out:
            here.append(item)
            taken.append(Taken(item, places.get(item.suite, GONE)))
            continue
        places[place] = len(items)
        items.append(item)
        gaps.append(Gap(tuple(pieces), tuple(here)))
        pieces, here = [], []
    gaps.append(Gap((*pieces, (at, len(source.text))), tuple(here)))
    return Remainder(source, tuple(items), tuple(gaps), tuple(taken))
