"""Which of many nested spans of a file a place lies in, in time log n whatever the nesting.

A tree is never climbed for it: tree-sitter finds a node's parent from the root down, which costs as much as the file is
large.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spans:
    """Spans of bytes, flattened into stretches that belong to one span each.

    Attributes:
        starts: where each stretch begins, ascending; the first is 0.
        values: of the innermost span there; -1 outside every span.
    """

    starts: list[int]
    values: list[int]

    def at(self, place: int) -> int:
        """The value of the innermost span that holds a place."""
        return self.values[bisect_right(self.starts, place) - 1]

    def stretches(self) -> Iterator[tuple[int, int]]:
        """The value and the end of each stretch in turn, for whoever goes through a file from the start."""
        return zip(self.values, [*self.starts[1:], sys.maxsize], strict=True)


def spans(pieces: Iterable[tuple[int, int, int]]) -> Spans:
    """Flattens nested spans.

    Args:
        pieces: `(start, end, value)`, the end excluded, sorted by start, outer ones first.
    """
    found = Spans([0], [-1])
    still_open: list[tuple[int, int]] = []
    for start, end, value in pieces:
        _close(found, still_open, start)
        found.starts.append(start)
        found.values.append(value)
        still_open.append((end, value))
    _close(found, still_open, None)
    return found


def _close(found: Spans, still_open: list[tuple[int, int]], place: int | None) -> None:
    while still_open and (place is None or still_open[-1][0] <= place):
        end, _ = still_open.pop()
        found.starts.append(end)
        found.values.append(still_open[-1][1] if still_open else -1)
