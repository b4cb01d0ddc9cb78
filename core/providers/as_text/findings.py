"""What was found in a reply's text: calls, faults, and the prose around them. The parsers of all forms give these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LONGEST = 60
"""Characters of the model's text that a fault quotes."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call that stands in a text."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a call, and how it is written right.

    Attributes:
        line: counted from 1.
    """

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a text holds.

    Attributes:
        prose: the pieces of text around the calls, in order.
    """

    calls: tuple[WrittenCall, ...] = ()
    faults: tuple[Fault, ...] = ()
    prose: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that was meant as a call."""
        return not self.calls and not self.faults


def quoted(text: str) -> str:
    """The text in backticks, for a message of one line: cut, and without anything that can't be seen."""
    cut = text[: _LONGEST + 1].strip()
    line = "".join(letter if letter.isprintable() else " " for letter in cut).replace("`", "'")
    return f"`{line}`" if len(text) <= _LONGEST else f"`{line[:_LONGEST]}…`"
