r"""Gives edited lines their ends, so that exactly the lines that the model changed differ.

A file may mix `\r\n`, `\n` and `\r`, and the model sees none of it. A line that stays keeps its own end,
whatever is inserted before it; a changed line keeps the end of the line in its place; an added one takes
its neighbour's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .line_diff import Hunk, anchors


def carry(old: Sequence[str], ends: Sequence[str], new: Sequence[str], *, default: str) -> list[str]:
    r"""The ends of the lines that replace others.

    Args:
        old: the replaced lines, without ends.
        ends: their ends; the last is empty when the file ends there.
        new: the lines in their place.
        default: the end for a line that has no neighbour with one.

    Returns:
        One end for each new line; the last is that of the last old line.
    """
    taken: list[str | None] = [None] * len(new)
    for i, j in _aligned(old, new):
        taken[j] = ends[i] or None
    before = next((end for end in ends if end), default)
    filled: list[str] = []
    for end in taken:
        before = end or before
        filled.append(before)
    return [*filled[:-1], ends[-1]]


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of an old line and the new line in its place, in order."""
    start_old = start_new = 0
    whole = Hunk(range(len(old)), range(len(new)))
    for i, j in [*anchors(old, new, whole), (len(old), len(new))]:
        yield from _gap(old, new, range(start_old, i), range(start_new, j))
        if i < len(old):
            yield i, j
        start_old, start_new = i + 1, j + 1


def _gap(old: Sequence[str], new: Sequence[str], lost: range, won: range) -> Iterator[tuple[int, int]]:
    """Between two anchors: equal lines from both sides, then one for one as long as both have some."""
    while lost and won and old[lost[0]] == new[won[0]]:
        yield lost[0], won[0]
        lost, won = lost[1:], won[1:]
    tail: list[tuple[int, int]] = []
    while lost and won and old[lost[-1]] == new[won[-1]]:
        tail.append((lost[-1], won[-1]))
        lost, won = lost[:-1], won[:-1]
    yield from zip(lost, won, strict=False)
    yield from reversed(tail)
