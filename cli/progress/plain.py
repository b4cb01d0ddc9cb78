"""Progress as plain lines: in a pipe, a dumb terminal, and in the log of a CI, there with its sections."""

from __future__ import annotations

import sys

from orefactor.core import events

from ..wording import inert, plain
from .lines import Lines, Told
from .sections import Section, Sections


class PlainProgress:
    """One line for each thing that has happened."""

    def __init__(self, *, reasoning: bool = False, section: Section | None = None) -> None:
        """Begin.

        Args:
            reasoning: whether to show what a reasoning model thinks.
            section: how sections are marked, where the lines go to somebody who knows them.
        """
        self._lines = Lines()
        self._sections = Sections(section, self._print) if section else None
        self._shows_reasoning = reasoning
        self._thoughts: list[str] = []

    def listen(self, event: events.Event) -> None:
        """Print a line, where the event is worth one."""
        if self._sections is not None:
            self._sections.listen(event)
        if self._shows_reasoning:
            if isinstance(event, events.ReasoningArrived):
                self._collect_reasoning(event.text)
            elif self._thoughts:
                self._end_reasoning()
        told = self._lines.told(event)
        if told is not None:
            self.write(told)

    def write(self, told: Told) -> None:
        """Print what is said of an event."""
        for line in (told.line, *told.more):
            self._print(inert(line))

    def think(self, thought: str) -> None:
        """Print a line of reasoning."""
        self._print(inert(f"  {thought}"))

    def close(self) -> None:
        """Close the last section."""
        if self._sections is not None:
            self._sections.close()

    def _print(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def _collect_reasoning(self, text: str) -> None:
        """Print reasoning line by line as it is complete."""
        self._thoughts.append(text)
        if "\n" not in text:
            return
        *whole, rest = "".join(self._thoughts).split("\n")
        self._thoughts = [rest]
        for thought in whole:
            if thought.strip():
                self.think(plain(thought))

    def _end_reasoning(self) -> None:
        self._collect_reasoning("\n")
        self._thoughts.clear()
