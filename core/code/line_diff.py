"""What differs between two lists of lines, in time n log n whatever they hold.

Patience diff (Bram Cohen): lines that occur once on both sides are the anchors; between them the same again, as often
as it helps, and equal lines at both ends. It isn't always the smallest diff, but a readable one, and never slow, as
`difflib` is on repeated lines.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

_MAX_DEPTH = 12
"""Rounds of anchors within anchors; each costs n log n."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of the old list that lines of the new one replace; either may be none. Lines count from 0."""

    old: range
    new: range

    @property
    def size(self) -> int:
        """Lines removed and added."""
        return len(self.old) + len(self.new)


def hunks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Hunk]:
    """The differences, in order; what lies between two of them is equal."""
    found: list[Hunk] = []
    pending = [(Hunk(range(len(old)), range(len(new))), 0)]
    while pending:
        gap, depth = pending.pop()
        gap = _trimmed(old, new, gap)
        if not gap.size:
            continue
        parts = _split(old, new, gap) if gap.old and gap.new and depth < _MAX_DEPTH else []
        if parts:
            pending += [(part, depth + 1) for part in reversed(parts)]
        else:
            found.append(gap)
    return found


def _trimmed(old: Sequence[Hashable], new: Sequence[Hashable], gap: Hunk) -> Hunk:
    start, stop, first, last = gap.old.start, gap.old.stop, gap.new.start, gap.new.stop
    while start < stop and first < last and old[start] == new[first]:
        start, first = start + 1, first + 1
    while start < stop and first < last and old[stop - 1] == new[last - 1]:
        stop, last = stop - 1, last - 1
    return Hunk(range(start, stop), range(first, last))


def _split(old: Sequence[Hashable], new: Sequence[Hashable], gap: Hunk) -> list[Hunk]:
    """The gaps between the anchors; nothing where there is no anchor."""
    parts: list[Hunk] = []
    start, first = gap.old.start, gap.new.start
    for i, j in anchors(old, new, gap):
        parts.append(Hunk(range(start, i), range(first, j)))
        start, first = i + 1, j + 1
    return [*parts, Hunk(range(start, gap.old.stop), range(first, gap.new.stop))] if parts else []


def anchors(old: Sequence[Hashable], new: Sequence[Hashable], gap: Hunk) -> Iterator[tuple[int, int]]:
    """The places of lines that occur once on both sides of a gap and keep their order."""
    in_old, in_new = Counter(old[i] for i in gap.old), Counter(new[j] for j in gap.new)
    places = {new[j]: j for j in gap.new if in_new[new[j]] == 1}
    pairs = [(i, places[old[i]]) for i in gap.old if in_old[old[i]] == 1 and old[i] in places]
    return reversed(_longest_rising(pairs))


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs whose second parts rise (patience sorting), last pair first."""
    tops: list[int] = []  # smallest last `j` of a rising run of each length
    ends: list[int] = []  # the pair that has it
    previous: list[int] = []  # the pair before each in its run
    for index, (_, j) in enumerate(pairs):
        length = bisect.bisect_left(tops, j)
        previous.append(ends[length - 1] if length else -1)
        tops[length : length + 1] = [j]
        ends[length : length + 1] = [index]
    chosen: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = previous[at]
    return chosen
