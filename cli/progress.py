"""Shows on standard error what happens: a live line in a terminal, plain lines when piped."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Protocol

from orefactor.core import events
from orefactor.core.messages import Usage

from .wording import call_words, money, plain, seconds, shortened, tokens

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

_MARKS = {"executed": "✓", "refused": "✗", "failed": "✗", "passed": "✓", "not_run": "-", "not_installed": "✗"}
_REFRESH = 0.1
_TIERS = {"none": "were not isolated", "external": "ran as they are, in what you say is a container of yours"}


class Progress(Protocol):
    """Listens to a run for people."""

    def listen(self, event: events.Event) -> None:
        """Take one event."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


class PlainProgress:
    """One line for each thing that has happened."""

    def __init__(self, *, reasoning: bool = False) -> None:
        """Begin; `reasoning` shows what a reasoning model thinks."""
        self._usage = Usage()
        self._cost: float | None = 0.0
        self._shows_reasoning = reasoning
        self._thoughts: list[str] = []

    def listen(self, event: events.Event) -> None:
        """Print a line, where the event is worth one."""
        if self._shows_reasoning:
            if isinstance(event, events.ReasoningArrived):
                self._collect_reasoning(event.text)
            elif self._thoughts:
                self._end_reasoning()
        line = self.line(event)
        if line:
            self.write(line, failed=_has_failed(event))

    def write(self, line: str, *, failed: bool) -> None:
        """Print one line."""
        del failed
        print(line, file=sys.stderr, flush=True)

    def think(self, thought: str) -> None:
        """Print a line of reasoning."""
        print(f"  {thought}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing to leave."""

    def _round(self, event: events.RoundFinished) -> str:
        self._usage += event.usage
        unknown = self._cost is None or event.cost_usd is None
        self._cost = None if unknown else (self._cost or 0.0) + (event.cost_usd or 0.0)
        used = f", {tokens(self._usage.total)} tokens so far" if self._usage.total else ""
        used += f", {money(self._cost)}" if self._cost else ""
        words = f": {shortened(event.text)}" if event.text and event.calls else ""
        written = ", written as text" if event.written else ""
        return f"round {event.round}: {event.calls} call(s){written} in {seconds(event.duration_ms)}{used}{words}"

    def _collect_reasoning(self, text: str) -> None:
        """Print reasoning line by line as it is complete."""
        *whole, rest = "".join([*self._thoughts, text]).split("\n")
        self._thoughts = [rest]
        for thought in whole:
            if thought.strip():
                self.think(plain(thought))

    def _end_reasoning(self) -> None:
        self._collect_reasoning("\n")
        self._thoughts.clear()

    def line(self, event: events.Event) -> str | None:
        """The line for an event."""
        match event:
            case events.RunStarted():
                return f"run {event.run_id}: {shortened(event.task)}"
            case events.BuildProductsCopied():
                more = f", {event.left_out} left out" if event.left_out else ""
                return f"copied {len(event.paths)} build product(s) that git ignores for the checks{more}"
            case events.IsolationProbed() if event.tier != "bwrap":
                why = f": {shortened(event.failure, 160)}" if event.failure else ""
                return f"checks {_TIERS.get(event.tier, f'ran in {event.tier}')}{why}"
            case events.RoundFinished():
                return self._round(event)
            case events.RetryScheduled():
                again = f"asking again in {event.seconds:.1f} s ({event.attempt} of {event.attempts})"
                return f"  ↻ {shortened(event.message, 100)}; {again}"
            case events.ProviderChanged():
                return f"  → going on with {event.provider}, model {plain(event.model)}: {shortened(event.reason, 100)}"
            case events.ProtocolChanged():
                return f"  → {_PROTOCOLS[event.protocol]}: {shortened(event.reason, 100)}"
            case events.CallFinished():
                mark = _MARKS[event.status]
                why = "" if event.status == "executed" else f": {shortened(event.summary.removeprefix('ERROR: '))}"
                return f"  {mark} {call_words(event.name, event.arguments)}{why}"
            case events.ReplyRejected():
                return f"  ✗ the reply was not acted on ({event.reason.replace('_', ' ')}); asked again"
            case events.CheckFinished():
                mark = _MARKS.get(event.outcome, "✗")
                why = f": {shortened(event.detail, 100)}" if event.outcome == "not_run" and event.detail else ""
                return f"  {mark} {event.name} {event.outcome.replace('_', ' ')}{_findings(event)}{why}"
            case events.GuardJudged() if not event.ok:
                return f"  ✗ guard {event.name}: {shortened(event.detail, 100)}"
            case events.ContractJudged() if event.kinds != ("any",):
                mark, why = ("✓", "kept") if event.ok else ("✗", shortened(event.detail, 100))
                return f"  {mark} contract {plain(','.join(event.kinds))}: {why}"
            case events.SpareHunksFound():
                places = ", ".join(f"{plain(path)}:{line}" for path, line, _, _ in event.hunks[:3])
                more = ", …" if len(event.hunks) > 3 else ""
                return f"  ! {len(event.hunks)} hunk(s) that nothing in the task names: {places}{more} (`--minimize`)"
            case events.ChangeMinimized():
                return f"  dropped {len(event.dropped)} hunk(s) that nothing needs, in {event.trials} trial(s)"
            case events.UserStateCompared() if not event.same:
                differing = [name for name, digest in event.before.items() if event.after.get(name) != digest]
                return f"  ! meanwhile somebody else changed what is yours: {', '.join(differing)}"
            case events.RepairAsked():
                return f"asked for repair {event.number}"
            case _:
                return None


_PROTOCOLS = {
    "text": "calls are written as text from now on",
    "answer_alone": "the answer's form is asked for by itself",
}


def _findings(event: events.CheckFinished) -> str:
    found = [f"{event.findings_new} new"] if event.findings_new else []
    found += [f"{event.findings_old} old"] if event.findings_old else []
    return f" ({', '.join(found)} finding(s))" if found else ""


def _has_failed(event: events.Event) -> bool:
    match event:
        case events.CallFinished():
            return event.status != "executed"
        case events.CheckFinished():
            return event.outcome == "failed"
        case events.GuardJudged() | events.ContractJudged():
            return not event.ok
        case _:
            return isinstance(event, events.ReplyRejected)


class LiveProgress(PlainProgress):
    """The same lines, and below them a live one that says what is going on and for how long."""

    def __init__(self, *, reasoning: bool = False) -> None:
        """Begin; as `PlainProgress`."""
        super().__init__(reasoning=reasoning)
        from rich.console import Console

        self._console: Console = Console(file=sys.stderr, highlight=False, soft_wrap=True)
        self._status: Status = self._console.status("starting", spinner="dots", spinner_style="cyan")
        self._doing = "starting"
        self._since = time.monotonic()
        self._received = 0
        self._shown = 0.0
        self._lock = threading.Lock()
        self._status.start()

    def listen(self, event: events.Event) -> None:
        """Print the line, and update the live one."""
        super().listen(event)
        match event:
            case events.RoundStarted():
                self._do(f"round {event.round}: waiting for the model")
            case events.ReasoningArrived():
                self._do(f"round {event.round}: the model thinks", often=True)
            case events.RetryScheduled():
                self._do(f"round {event.round}: waiting {event.seconds:.0f} s before the next attempt")
            case events.TextArrived():
                self._received += len(event.text)
                self._do(f"round {event.round}: the model writes ({self._received} characters)", often=True)
            case events.CallStarted():
                self._do(call_words(event.name, event.arguments))
            case events.ChecksStarted():
                self._do(f"checking: {', '.join(event.names)}" if event.names else "checking")
            case events.OutcomeReached():
                self._do("closing the run")
            case _:
                pass

    def write(self, line: str, *, failed: bool) -> None:
        """Print one line above the live one."""
        from rich.text import Text

        style = "red" if failed else "bold" if line.startswith("run ") else "dim" if line.startswith("round ") else ""
        self._console.print(Text(line, style=style))

    def think(self, thought: str) -> None:
        """Print a line of reasoning, dimmed."""
        from rich.text import Text

        self._console.print(Text(f"  {thought}", style="dim italic"))

    def close(self) -> None:
        """Take the live line away."""
        self._status.stop()

    def _do(self, what: str, *, often: bool = False) -> None:
        with self._lock:
            now = time.monotonic()
            if often and now - self._shown < _REFRESH:
                return
            self._shown = now
            self._status.update(shortened(what, max(20, self._console.width - 6)))


class NoProgress:
    """Shows nothing."""

    def listen(self, event: events.Event) -> None:
        """Take one event."""

    def close(self) -> None:
        """Nothing to leave."""


def make_progress(*, quiet: bool, reasoning: bool = False) -> Progress:
    """The view that fits where standard error goes; `reasoning` shows what a reasoning model thinks."""
    if quiet:
        return NoProgress()
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return LiveProgress(reasoning=reasoning)
    return PlainProgress(reasoning=reasoning)
