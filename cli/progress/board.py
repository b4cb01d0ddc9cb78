"""What the live view shows: where the run is, as a few rows of plain text. Pure; `live` draws it.

There are as many rows at any time, so that nothing below or above them jumps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from orefactor.core import events

from ..wording import call_words, seconds
from .totals import Totals

HEIGHT = 4
CheckState = Literal["waiting", "running", "passed", "failed"]
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_SPINNER = "|/-\\"
_TURN = 0.125
"""Seconds that a sign of the spinner stays."""
_LASTING = 2
"""Seconds from which on it is worth saying how long a phase lasts."""
_GAP = "  "


@dataclass(frozen=True, slots=True)
class Row:
    """One row, and how it is painted."""

    text: str
    style: str = ""


@dataclass(slots=True)
class Board:
    """Where a run is. Times are seconds of one monotonic clock; `begun` and `since` are the run's and the phase's."""

    begun: float
    since: float
    phase: str = "starting"
    round: int = 0
    most_rounds: int = 0
    calls: int = 0
    doing: str = ""
    received: int = 0
    shards: int = 0
    shards_ended: int = 0
    checks: dict[str, CheckState] = field(default_factory=dict[str, CheckState])
    totals: Totals = field(default_factory=Totals)

    def listen(self, event: events.Event, now: float) -> None:
        """Take one event."""
        self.totals.listen(event)
        self._listen_to_model(event, now)
        match event:
            case events.RunStarted():
                self._read_settings(event.settings)
            case events.BaseTaken():
                self._go("looking at the repository", now)
            case events.ChecksStarted():
                self.checks = dict.fromkeys(event.names, "running")
                self.doing = ""
                self._go("checking the change", now)
            case events.CheckEnded() | events.CheckFinished() if event.name in self.checks:
                self.checks[event.name] = "passed" if event.outcome == "passed" else "failed"
            case events.ShardsPlanned():
                self.shards = event.shards
                self._go(f"working on {event.shards} shards, {event.jobs} at once", now)
            case events.ShardEnded():
                self.shards_ended += 1
                self.doing = f"{self.shards_ended} of {self.shards} ended"
            case events.ResultReviewBegun():
                self._go("reviewing the result", now)
            case events.SpareHunksFound():
                self._go("looking for what nothing needs", now)
            case events.OutcomeReached():
                self._go("closing the run", now)
            case _:
                pass

    def _listen_to_model(self, event: events.Event, now: float) -> None:
        match event:
            case events.RoundStarted():
                self.round, self.received, self.doing = event.round, 0, ""
                self._go("waiting for the model", now)
            case events.ReasoningArrived():
                self._receive("the model thinks", event.text, now)
            case events.TextArrived():
                self._receive("the model writes", event.text, now)
            case events.RetryScheduled():
                self._go(f"waiting {event.seconds:.0f} s before the next attempt", now)
            case events.CallStarted():
                self.doing = call_words(event.name, event.arguments)
                self._go("working", now)
            case events.CallFinished():
                self.calls += 1
            case _:
                pass

    def _read_settings(self, settings: Mapping[str, Any]) -> None:
        most, names = settings.get("max_iterations"), settings.get("checks")
        self.most_rounds = most if isinstance(most, int) else 0
        if isinstance(names, list):
            self.checks = {str(name): "waiting" for name in cast("list[object]", names)}

    def _receive(self, phase: str, text: str, now: float) -> None:
        self.received += len(text)
        self._go(phase, now)

    def _go(self, phase: str, now: float) -> None:
        if phase != self.phase:
            self.phase, self.since = phase, now

    def rows(self, now: float, width: int, *, ascii_only: bool = False) -> list[Row]:
        """The rows at a time, `HEIGHT` of them, for so many columns."""
        spinner = _ASCII_SPINNER if ascii_only else _SPINNER
        sign = spinner[int(now / _TURN) % len(spinner)]
        here = f"round {self.round}{f'/{self.most_rounds}' if self.most_rounds else ''}: " if self.round else ""
        received = f" ({self.received} characters)" if self.phase.startswith("the model") else ""
        return [
            Row(f"{sign} {here}{self.phase}{received}{_lasting(now - self.since)}", "cyan"),
            Row(_GAP + self.doing),
            Row(_GAP + self._check_words(width - len(_GAP))),
            Row(_GAP + self._used(now - self.begun), "dim"),
        ]

    def _used(self, passed: float) -> str:
        """The time comes first, as the end of a row may be cut off."""
        counts = [f"{self.totals.rounds} round(s)", f"{self.calls} call(s)"]
        return ", ".join([_time(passed), *counts, *self.totals.words()])

    def _check_words(self, width: int) -> str:
        """Each check with its state; where there is no room, how many have which."""
        if not self.checks:
            return "no checks"
        each = ", ".join(f"{name} {state}" for name, state in self.checks.items())
        if len(each) <= width:
            return each
        counted = Counter(self.checks.values())
        return "checks: " + ", ".join(f"{count} {state}" for state, count in _in_order(counted))


def _in_order(counted: Mapping[CheckState, int]) -> Sequence[tuple[CheckState, int]]:
    order: tuple[CheckState, ...] = ("failed", "running", "waiting", "passed")
    return [(state, counted[state]) for state in order if state in counted]


def _lasting(passed: float) -> str:
    return f", {_time(passed)}" if passed >= _LASTING else ""


def _time(passed: float) -> str:
    """Whole seconds, so that it changes once a second."""
    return seconds(int(passed) * 1000).replace(".0 s", " s")
