"""A part of a reply that is a written call, or meant as one; and the text that it was found in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .findings import WrittenCall
from .signatures import Signature

_FOLDED = str.maketrans({"｜": "|", "▁": "_"})


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the tools that it may call.

    Attributes:
        folded: the same with plain letters in the marks of calls. DeepSeek's have letters of their own; each stands
            for one, so that places in both texts agree.
    """

    text: str
    folded: str
    signatures: Mapping[str, Signature]


def source_of(text: str, signatures: Mapping[str, Signature]) -> Source:
    """The text, made ready."""
    return Source(text, text.translate(_FOLDED), signatures)


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands from `start` up to, not with, `end`; it is plain text unless a field says more.

    Attributes:
        fault: what is wrong with a call.
        is_frame: it stands around calls and means nothing.
        must_end: it counts only where the text ends with such a piece.
    """

    start: int
    end: int
    calls: tuple[WrittenCall, ...] = ()
    fault: str = ""
    is_frame: bool = False
    must_end: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is nothing but text."""
        return not (self.calls or self.fault or self.is_frame)
