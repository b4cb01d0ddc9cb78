"""What stands before a definition and belongs to it: comments that document it, and decorators by whatever name."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .shortening import cut

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DECORATORS = 20
_MAX_GAP = 200
"""Bytes of blanks between what belongs together."""
_MAX_BYTES = 2000
"""Bytes of a comment or a decorator that are read."""
_MARKS = re.compile(r"^[\s/*#!;-]+|\*+/\s*$|-->\s*$")
_TAGS = re.compile(r"</?[A-Za-z][^<>]{0,40}>")


@dataclass(frozen=True, slots=True)
class Margin:
    """What belongs to one definition.

    Attributes:
        start: where its first decorator begins, or itself.
        code_start: where it begins after its decorators.
        decorators: without their marks, each in one line.
        docstring: the first line with text of the comment right before it, or None.
    """

    start: int
    code_start: int
    decorators: tuple[str, ...]
    docstring: str | None


@dataclass(frozen=True, slots=True)
class Margins:
    """The comments and decorators of a source, as sorted `(start, end)`."""

    source: bytes
    comments: Sequence[tuple[int, int]]
    decorators: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, matches: Sequence[Mapping[str, Sequence[Node]]], source: bytes) -> Margins:
        """Those that a query tagged `comment` and `decorator`."""
        return cls(
            source,
            sorted((node.start_byte, node.end_byte) for match in matches for node in match.get("comment", ())),
            sorted((node.start_byte, node.end_byte) for match in matches for node in match.get("decorator", ())),
        )

    def before(self, start: int, name: int) -> Margin:
        """What belongs to the definition that begins at `start` and whose name begins at `name`."""
        first = last = bisect_left(self.decorators, (start, 0))
        while last < len(self.decorators) and self.decorators[last][1] <= name and last - first < _MAX_DECORATORS:
            last += 1
        while first and last - first < _MAX_DECORATORS and self._touches(self.decorators[first - 1], start):
            first -= 1
            start = self.decorators[first][0]
        found = self.decorators[first:last]
        code_start = max(start, found[-1][1]) if found else start
        code_start += len(self.source[code_start:name]) - len(self.source[code_start:name].lstrip())
        return Margin(start, code_start, tuple(map(self._decorator, found)), self._docstring(start))

    def _touches(self, span: tuple[int, int], start: int) -> bool:
        """Whether only one line break at most lies between a span's end and a place."""
        if start - span[1] > _MAX_GAP:
            return False
        gap = self.source[span[1] : start]
        return not gap.strip() and gap.count(b"\n") <= 1

    def _decorator(self, span: tuple[int, int]) -> str:
        text = " ".join(self.source[span[0] : min(span[1], span[0] + _MAX_BYTES)].decode("utf-8", "replace").split())
        return cut(text.removeprefix("@").removeprefix("#").removeprefix("[").removesuffix("]"))

    def _docstring(self, start: int) -> str | None:
        at = bisect_right(self.comments, (start, 0)) - 1
        block: list[tuple[int, int]] = []
        while at >= 0 and self._touches(self.comments[at], start) and self._begins_line(self.comments[at][0]):
            block.append(self.comments[at])
            start = self.comments[at][0]
            at -= 1
        for begin, end in reversed(block):
            for line in self.source[begin : min(end, begin + _MAX_BYTES)].decode("utf-8", "replace").split("\n"):
                text = _TAGS.sub("", _MARKS.sub("", line.strip())).strip()
                if text:
                    return cut(text)
        return None

    def _begins_line(self, start: int) -> bool:
        line = self.source.rfind(b"\n", max(0, start - _MAX_GAP), start) + 1
        return (line > 0 or start < _MAX_GAP) and not self.source[line:start].strip()
