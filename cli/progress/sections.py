"""Foldable sections in the log of a CI: GitHub's groups (Forgejo and Gitea know them too) and GitLab's sections.

Which service reads the log is in its environment. That strangers' text can't give it commands is `wording.inert`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from orefactor.core import events

_CLOSING = (
    events.RunStarted,
    events.RunContinued,
    events.ReuseBegun,
    events.ReuseTried,
    events.ResultReviewBegun,
    events.IsolationProbed,
    events.OutcomeReached,
    events.UserStateCompared,
)
"""What is said of these stands outside of sections, where it is seen without unfolding anything."""

Section = Callable[[str, int], tuple[str, str]]
"""From a title and a number to the lines that begin and end the section."""


def github_section(title: str, _number: int) -> tuple[str, str]:
    """A group, as GitHub's documentation of workflow commands has it."""
    return f"::group::{title}", "::endgroup::"


def gitlab_section(title: str, number: int) -> tuple[str, str]:
    """A collapsible section, as GitLab's documentation of job logs has it: a mark, a time in seconds, a unique name."""
    now = int(time.time())
    name = f"orefactor_{number}"
    start = f"\x1b[0Ksection_start:{now}:{name}\r\x1b[0K{title}"
    return start, f"\x1b[0Ksection_end:{now}:{name}\r\x1b[0K"


def section_of(environment: Mapping[str, str]) -> Section | None:
    """How the service that reads the log marks sections; None where it has none."""
    if environment.get("GITHUB_ACTIONS") == "true":
        return github_section
    return gitlab_section if environment.get("GITLAB_CI") == "true" else None


class Sections:
    """Opens and closes sections by round and phase."""

    def __init__(self, section: Section, write: Callable[[str], None]) -> None:
        """Begin. `write` is given the marks, a line each."""
        self._section = section
        self._write = write
        self._number = 0
        self._end = ""

    def listen(self, event: events.Event) -> None:
        """Open or close a section before the event's own line is written."""
        match event:
            case events.RoundStarted():
                self._open(f"round {event.round}")
            case events.ChecksStarted():
                self._open("checks")
            case _ if isinstance(event, _CLOSING):
                self.close()
            case _:
                pass

    def close(self) -> None:
        """Close the open section, if there is one."""
        if self._end:
            self._write(self._end)
            self._end = ""

    def _open(self, title: str) -> None:
        self.close()
        self._number += 1
        start, self._end = self._section(title, self._number)
        self._write(start)
