"""Puts the lines of a change side by side, and finds what differs within two lines that stand beside each other. Pure.

Removed and added lines of one run of changes are paired by how many words they share, in order, as a longest common
subsequence with weights (Needleman and Wunsch, 1970). Where that would take long they are paired one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...code.line_diff import hunks

Pair = tuple[int | None, int | None]
"""Places of an old and of a new line; None where one stands alone."""
Range = tuple[int, int]

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_CELLS = 1_500
"""Old times new lines that are compared with each other."""
_LIKE = 0.4
"""The share of common words from which on two lines are one that was changed."""
_MOST_RANGES = 40
"""Differences within one line; with more it is another line."""


def pairs(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The lines of both sides in order, like ones beside each other."""
    if len(old) * len(new) > _MOST_CELLS or len(old) == len(new) == 1:
        matched = [(at, at) for at in range(min(len(old), len(new)))]
    else:
        matched = _matched(old, new)
    found: list[Pair] = []
    first = second = 0
    for one, other in [*matched, (len(old), len(new))]:
        # Between two pairs what is left stands beside each other as well, but for its surplus.
        gap = max(one - first, other - second)
        found += [
            (first + at if first + at < one else None, second + at if second + at < other else None)
            for at in range(gap)
        ]
        if one < len(old) and other < len(new):
            found.append((one, other))
        first, second = one + 1, other + 1
    return found


def _matched(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    olds, news = [list(map(_bag, side)) for side in (old, new)]
    likeness = [[_likeness(one, other) for other in news] for one in olds]
    best = [[0.0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    for i in range(len(olds) - 1, -1, -1):
        for j in range(len(news) - 1, -1, -1):
            like = likeness[i][j]
            both = best[i + 1][j + 1] + like if like >= _LIKE else 0.0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    matched: list[tuple[int, int]] = []
    i = j = 0
    while i < len(olds) and j < len(news):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            matched.append((i, j))
            i, j = i + 1, j + 1
    return matched


def _bag(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text[:500]) if not word.isspace())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    whole = one.total() + other.total()
    return 2 * (one & other).total() / whole if whole else 0.0


def differences(old: str, new: str) -> tuple[list[Range], list[Range]]:
    """What differs within two lines, as ranges of characters in order; nothing where they have little in common."""
    olds, news = _WORD.findall(old), _WORD.findall(new)
    if _likeness(_bag(old), _bag(new)) < _LIKE:
        return [], []
    found = hunks(olds, news)
    if len(found) > _MOST_RANGES:
        return [], []
    return _ranges(olds, [hunk.old for hunk in found]), _ranges(news, [hunk.new for hunk in found])


def _ranges(words: Sequence[str], places: Sequence[range]) -> list[Range]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return [(starts[place.start], starts[place.stop]) for place in places if place]
