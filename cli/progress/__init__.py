"""Shows on standard error what happens in a run; which view fits is decided here.

`lines` says what is said of each event and `board` where the run is; `plain` and `live` show it. The last screen is
`cli/outcome.py`'s.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Protocol

from orefactor.core import events

from .plain import PlainProgress
from .sections import section_of

if TYPE_CHECKING:
    from rich.console import Console

_DUMB = ("", "dumb", "unknown")


class Progress(Protocol):
    """Listens to a run for people."""

    def listen(self, event: events.Event) -> None:
        """Take one event."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


class NoProgress:
    """Shows nothing."""

    def listen(self, event: events.Event) -> None:
        """Take one event."""

    def close(self) -> None:
        """Nothing to leave."""


def is_live() -> bool:
    """Whether standard error is a terminal of a person that can be drawn on; a CI may have terminals as well."""
    in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in _DUMB and not in_ci


def make_console() -> Console:
    """A console on the terminal that standard error is."""
    from rich.console import Console

    return Console(file=sys.stderr, highlight=False, force_terminal=True)


def make_progress(*, quiet: bool, reasoning: bool = False) -> Progress:
    """The view that fits where standard error goes; `reasoning` shows what a reasoning model thinks."""
    if quiet:
        return NoProgress()
    if not is_live():
        return PlainProgress(reasoning=reasoning, section=section_of(os.environ))
    from .live import LiveProgress

    return LiveProgress(make_console(), reasoning=reasoning)
