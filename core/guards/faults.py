"""How a guard words what it found: the first fault with its place, in one line, and how many more there are.

Paths and quotes come from strangers, so control characters are spelled out and long texts cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..gate import GuardResult

_MAX_PATH = 200
_MAX_QUOTE = 80
"""Characters."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that a guard objects to; `line` counts from 1, and is 0 where none can be named."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"`{one_line(place, _MAX_PATH)}`: {self.what}"


def verdict(name: str, faults: Sequence[Fault], looked_at: str) -> GuardResult:
    """The guard's result.

    Args:
        name: the guard's name, as `--allow` takes it.
        faults: in the order of the change; none means that the change passes.
        looked_at: what was examined, for a change that passes.
    """
    if not faults:
        return GuardResult(name, True, looked_at)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return GuardResult(name, False, f"{faults[0]}{more}")


def quoted(text: str) -> str:
    """A piece of a stranger's text within backticks: one line, cut."""
    return f"`{one_line(text, _MAX_QUOTE)}`"


def one_line(text: str, limit: int) -> str:
    """The text with white space joined and unprintable characters spelled out, at most `limit` characters."""
    # Cut first: only as much as can be shown is looked at.
    words = " ".join(text[: 2 * limit].split())
    plain = "".join(c if c.isprintable() else c.encode("unicode-escape").decode() for c in words)
    return plain if len(plain) <= limit and len(text) <= 2 * limit else f"{plain[: limit - 1]}\u2026"
