"""Finds the calls in our own text format that a reply holds. `text_block` reads each; `text_render` writes them.

A call counts at the start of a line, outside of code fences: what a reply quotes stays text. One exception: small
models like to wrap their calls, so where a reply ends in a fence that holds nothing but calls, such fences count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .findings import Fault, Findings
from .signatures import Signature
from .text_block import MOST_FAULTS, Block, Lines, read_block

_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)", re.DOTALL)
_TRIES = 8
"""Fences that are read for calls in vain; each may be read to the end of the text."""


def parse_calls(
    text: str, signatures: Mapping[str, Signature], *, first_line: int = 1, is_strict: bool = True
) -> Findings:
    """The calls of a reply's text, in linear time; never raises.

    Args:
        first_line: the number of the text's first line within the reply.
        is_strict: take every block for a call; else only those that name one of the tools.
    """
    if "<call" not in text:
        return Findings(prose=(text,))
    reader = _Reader(Lines(text.split("\n"), signatures, first_line, is_strict))
    reader.read()
    return reader.findings()


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines that hold calls and nothing else, from `start` up to, not with, `end`."""

    start: int
    end: int
    blocks: tuple[Block, ...]
    is_wrapped: bool = False


@dataclass(slots=True)
class _Reader:
    """Goes through the lines once.

    Attributes:
        at: index of the next line.
        faults: how many there are so far.
        unquoted: a fence without an end that holds calls.
    """

    lines: Lines
    at: int = 0
    tries: int = _TRIES
    pieces: list[_Piece] = field(default_factory=list[_Piece])
    faults: int = 0
    unquoted: tuple[Fault, ...] = ()

    def read(self) -> None:
        """Read the whole text."""
        texts = self.lines.texts
        while self.at < len(texts) and self.faults < MOST_FAULTS:
            if self.lines.starts_call(self.at):
                block = read_block(self.lines, self.at)
                self._add(_Piece(self.at, block.end, (block,)))
            elif fence := _FENCE.fullmatch(texts[self.at]):
                wrapped = self._unwrapped(fence[1] or fence[2])
                if wrapped:
                    self._add(wrapped)
                else:
                    self._skip_fence(fence[1] or fence[2])
            else:
                self.at += 1

    def _add(self, piece: _Piece) -> None:
        self.pieces.append(piece)
        self.faults += sum(len(block.faults) for block in piece.blocks)
        self.at = piece.end

    def _skip_fence(self, fence: str) -> None:
        """Go past a fence of the prose. A call in one that never ends was hardly meant as a quotation."""
        opened = self.at
        self.at = next((at for at in range(opened + 1, self._count) if self._ends_fence(at, fence)), self._count) + 1
        if self.at > self._count and any(map(self.lines.starts_call, range(opened + 1, self._count))):
            text = "this code fence is never closed, so that the call after it doesn't count"
            self.unquoted = (Fault(self.lines.first + opened, text),)

    @property
    def _count(self) -> int:
        return len(self.lines.texts)

    def _ends_fence(self, index: int, fence: str) -> bool:
        line = self.lines.texts[index].strip()
        return line.startswith(fence) and not line.strip(fence[0])

    def _unwrapped(self, fence: str) -> _Piece | None:
        """The fence that begins on the next line, where it holds calls and nothing else."""
        at, blocks, faults = self.at + 1, list[Block](), 0
        while self.tries and self.lines.starts_call(at) and faults < MOST_FAULTS:
            blocks.append(read_block(self.lines, at))
            faults += len(blocks[-1].faults)
            at = self._skip_blank(blocks[-1].end)
        if not blocks:
            return None
        if at < self._count and self._ends_fence(at, fence):
            return _Piece(self.at, at + 1, tuple(blocks), is_wrapped=True)
        if at == self._count and blocks[-1].is_closed:
            return _Piece(self.at, at, tuple(blocks), is_wrapped=True)
        self.tries -= 1
        return None

    def _skip_blank(self, at: int) -> int:
        while at < self._count and not self.lines.texts[at].strip():
            at += 1
        return at

    def findings(self) -> Findings:
        """What was found."""
        last = self.pieces[-1] if self.pieces else None
        wraps = last is not None and last.is_wrapped and self._skip_blank(last.end) == self._count
        pieces = [piece for piece in self.pieces if wraps or not piece.is_wrapped]
        blocks = [block for piece in pieces for block in piece.blocks]
        starts, ends = [piece.start for piece in pieces], [piece.end for piece in pieces]
        return Findings(
            tuple(block.call for block in blocks if block.call),
            tuple(fault for block in blocks for fault in block.faults) + self.unquoted,
            tuple(
                "\n".join(self.lines.texts[end:start])
                for end, start in zip([0, *ends], [*starts, self._count], strict=True)
            ),
        )
