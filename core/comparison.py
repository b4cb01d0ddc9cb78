"""Holds what happens in a run that plays recorded replies against what happened in the recorded run.

The replies are the same, so what can differ first is what the model was shown for them: the context pack, and the
answers of its calls, by their digests. A check's words hold times and temporary names, so that of these calls only the
status and the first line count, where the digest differs. It listens to the stream of events and stops the run at the
first difference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from . import events
from .errors import ExitCode, RunStopped
from .redact import printable
from .tools import TOOLS
from .trace_model import CallPart, Trace

_SECONDS = re.compile(r"\d+(?:\.\d+)? ?m?s\b")
_ON_DEMAND = "check_"
_LONGEST = 300
"""Characters of what was and what is."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as it was.

    Attributes:
        kind: `context` for the pack, `call` for an answer, `end` where the run takes more or fewer replies, `tree` for
            the result.
        message: one line for people.
        was: what it was, a line or so; `now` what it is.
        round: of a call or of the reply that is missing or left; 0 otherwise.
        path: the first differing file of the tree.
    """

    kind: Literal["context", "call", "end", "tree"]
    message: str
    was: str = ""
    now: str = ""
    round: int = 0
    tool: str = ""
    arguments: Any = None
    path: str = ""


class Diverged(RunStopped):
    """The run is not the recorded one any more."""

    def __init__(self, difference: Difference, hint: str) -> None:
        super().__init__("gate", "replay:difference", difference.message, hint=hint, exit_code=ExitCode.GATE)
        self.difference = difference


class Comparison:
    """Compares one run with one trace, event by event."""

    def __init__(self, trace: Trace, before: int | None = None) -> None:
        """Begin.

        Args:
            before: the round from which on a live model answers; None where all replies are recorded. What the model
                of the rounds before it had not yet seen is free to differ.
        """
        self._trace = trace
        self._before = before
        self._pack_id = ""
        self._calls = iter(trace.tool_calls)
        self.calls = 0
        """How many calls gave the same."""

    def listen(self, event: events.Event) -> None:
        """Take one event.

        Raises:
            Diverged: it is not what the trace tells.
        """
        match event:
            case events.ContextBuilt():
                self._pack_id = _pack_id(event.pack)
            case events.RoundStarted() if event.round == 1:
                self._compare_context()
            case events.CallFinished():
                self._compare_call(event)
            case _:
                pass

    def _compare_context(self) -> None:
        was, now = _pack_id(self._trace.context_pack), self._pack_id
        if was == now or self._before == 1:
            return
        message = f"the context pack differs: it was {_said(was) or 'none'}, and is {_said(now) or 'none'}"
        raise Diverged(
            Difference("context", message, _said(was), _said(now)),
            "the model would be shown something else; `--from 1` asks it anew" if self._before else "",
        )

    def _compare_call(self, event: events.CallFinished) -> None:
        recorded = next(self._calls, None)
        if recorded is None or (self._before is not None and event.round >= self._before - 1):
            return
        if not _is_same(recorded, event):
            next_round = event.round + 1
            hint = f"the model has not seen this answer; `--from {next_round}` asks it" if self._before else ""
            raise Diverged(_call_difference(recorded, event), hint)
        self.calls += 1


def _pack_id(pack: Any) -> str:  # noqa: ANN401 - JSON of a stranger
    found = pack.get("pack_id") if isinstance(pack, dict) else ""  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    return found if isinstance(found, str) else ""


def _is_same(recorded: CallPart, event: events.CallFinished) -> bool:
    if recorded.name != event.name or recorded.status != event.status:
        return False
    if recorded.digest == event.digest:
        return True
    return _verifies(event.name) and _first_line(recorded.summary) == _first_line(event.summary)


def _verifies(name: str) -> bool:
    tool = TOOLS.get(name)
    return tool.effect == "verify" if tool else name.startswith(_ON_DEMAND)


def _first_line(text: str) -> str:
    return _SECONDS.sub("… s", text.partition("\n")[0])


def _call_difference(recorded: CallPart, event: events.CallFinished) -> Difference:
    was, now = _first_different(recorded.summary, event.summary)
    if recorded.status != event.status:
        was, now = f"{recorded.status}: {was}", f"{event.status}: {now}"
    if was == now:
        was, now = f"{was} (sha256 {recorded.digest[:12]})", f"{now} (sha256 {event.digest[:12]})"
    message = f"`{_said(event.name)}` in round {event.round} gives another answer than it gave"
    return Difference("call", message, _said(was), _said(now), event.round, _said(event.name), event.arguments)


def _first_different(before: str, after: str) -> tuple[str, str]:
    """The first lines that differ; the last ones where all that is kept is the same."""
    first, second = before.splitlines() or [""], after.splitlines() or [""]
    number = next((n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    if number is None:
        number = min(len(first), len(second)) - (len(first) == len(second))
    return "".join(first[number : number + 1]), "".join(second[number : number + 1])


def _said(text: str) -> str:
    return printable(text)[:_LONGEST]
