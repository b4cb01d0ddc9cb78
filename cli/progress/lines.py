"""What is said of each event: one line, or none, and below it the beginning of what a failed check said. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orefactor.core import events

from ..repetition import repetition_line
from ..result_review_words import has_objected, objection_lines, result_review_line
from ..review_words import review_line
from ..shard_words import shard_line
from ..wording import call_words, plain, seconds, shortened, tokens
from .totals import Totals

_MARKS = {"executed": "✓", "refused": "✗", "failed": "✗", "passed": "✓", "not_run": "-", "not_installed": "✗"}
_TIERS = {"none": "were not isolated", "external": "ran as they are, in what you say is a container of yours"}
_PROTOCOLS = {
    "text": "calls are written as text from now on",
    "answer_alone": "the answer's form is asked for by itself",
}
_LONG, _LONGEST = 100, 160
_MOST_DETAILS = 3
# What `edit_file` and `write_file` answer; a path may hold anything, so only the end counts.
_EDITED = re.compile(r"edited .*?(?::(\d{1,9}))?: (\d{1,9}) line\(s\) replaced by (\d{1,9})")
_WRITTEN = re.compile(r"(?:created|overwrote) .*: (\d{1,9}) line\(s\)")


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of an event. `more`: lines below it; `is_call`: whether it names a call and its place."""

    line: str
    failed: bool = False
    more: tuple[str, ...] = ()
    is_call: bool = False


class Lines:
    """Turns a run's events into lines."""

    def __init__(self) -> None:
        self._totals = Totals()
        self._is_review = False

    def told(self, event: events.Event) -> Told | None:
        """What to say of an event; None where it isn't worth a line."""
        self._totals.listen(event)
        # What a review's model says is told when it is known whether it may be.
        self._is_review = self._is_review or isinstance(event, events.ChangeTaken)
        line = self._of_model(event) or _of_run(event) or _of_checks(event)
        if line is None:
            return None
        more = _details(event)
        return Told(line, _has_failed(event), more, isinstance(event, events.CallFinished))

    def _of_model(self, event: events.Event) -> str | None:
        match event:
            case events.RoundFinished():
                return self._round(event)
            case events.RetryScheduled():
                again = f"asking again in {event.seconds:.1f} s ({event.attempt} of {event.attempts})"
                return f"  ↻ {shortened(event.message, _LONG)}; {again}"
            case events.ProviderChanged():
                return f"  → going on with {event.provider}, model {plain(event.model)}: {_why(event.reason)}"
            case events.ProtocolChanged():
                return f"  → {_PROTOCOLS[event.protocol]}: {_why(event.reason)}"
            case events.CallFinished():
                return f"  {_MARKS[event.status]} {finished_call(event)}"
            case events.ReplyRejected():
                return f"  ✗ the reply was not acted on ({event.reason.replace('_', ' ')}); asked again"
            case events.RepairAsked():
                return f"asked for repair {event.number}"
            case _:
                return None

    def _round(self, event: events.RoundFinished) -> str:
        used = "".join(f", {words}" for words in self._totals.words()).replace(" tokens", " tokens so far")
        is_told = event.text and event.calls and not self._is_review
        words = f": {shortened(event.text)}" if is_told else ""
        written = ", written as text" if event.written else ""
        return f"round {event.round}: {event.calls} call(s){written} in {seconds(event.duration_ms)}{used}{words}"


def finished_call(event: events.CallFinished) -> str:
    """A call in a few words, with where its edit landed, or why it failed."""
    words = call_words(event.name, event.arguments)
    if event.status != "executed":
        return f"{words}: {shortened(event.summary.removeprefix('ERROR: '), _LONGEST)}"
    if event.name == "edit_file" and (edited := _EDITED.fullmatch(event.summary)):
        line, old, new = edited.groups()
        return f"{words}{f':{line}' if line else ''} ({_replaced(int(old), int(new))})"
    if event.name == "write_file" and (written := _WRITTEN.fullmatch(event.summary)):
        return f"{words} ({written[1]} line(s))"
    return words


def _replaced(old: int, new: int) -> str:
    return f"{old} → {new} lines" if old != new else f"{new} line(s)"


def _why(reason: str) -> str:
    return shortened(reason, _LONG)


def _of_run(event: events.Event) -> str | None:
    match event:
        case events.RunStarted():
            return f"run {event.run_id}: {shortened(event.task)}"
        case events.RunContinued() | events.ReuseBegun() | events.ReuseTried():
            return repetition_line(event)
        case events.ChangeTaken() | events.DeliberationEnded() | events.VerdictReused():
            return review_line(event)
        case events.ResultReviewBegun() | events.ResultReviewed():
            return result_review_line(event)
        case events.ShardsPlanned() | events.ShardEnded():
            return shard_line(event)
        case events.BuildProductsCopied():
            more = f", {event.left_out} left out" if event.left_out else ""
            return f"copied {len(event.paths)} build product(s) that git ignores for the checks{more}"
        case events.ContextBuilt():
            return _context(event)
        case events.UserStateCompared() if not event.same:
            differing = [name for name, digest in event.before.items() if event.after.get(name) != digest]
            return f"  ! meanwhile somebody else changed what is yours: {', '.join(differing)}"
        case _:
            return None


def _context(event: events.ContextBuilt) -> str:
    if event.pack is None:
        return f"  ! no context: {_why(event.failure)}"
    return f"context: {len(event.pack['items'])} item(s), {tokens(event.pack['tokens'])} tokens"


def _of_checks(event: events.Event) -> str | None:
    match event:
        case events.IsolationProbed() if event.tier != "bwrap":
            why = f": {shortened(event.failure, _LONGEST)}" if event.failure else ""
            return f"checks {isolation_words(event.tier)}{why}"
        case events.CheckFinished():
            why = f": {_why(event.detail)}" if event.outcome == "not_run" and event.detail else ""
            mark, outcome = _MARKS.get(event.outcome, "✗"), event.outcome.replace("_", " ")
            return f"  {mark} {event.name} {outcome}{_findings(event)}{why}"
        case events.GuardJudged() if not event.ok:
            return f"  ✗ guard {event.name}: {shortened(event.detail, _LONGEST)}"
        case events.ContractJudged() if event.kinds != ("any",):
            mark, why = ("✓", "kept") if event.ok else ("✗", shortened(event.detail, _LONGEST))
            return f"  {mark} contract {plain(','.join(event.kinds))}: {why}"
        case events.SpareHunksFound():
            places = ", ".join(f"{plain(path)}:{line}" for path, line, _, _ in event.hunks[:3])
            more = ", …" if len(event.hunks) > 3 else ""
            return f"  ! {len(event.hunks)} hunk(s) that nothing in the task names: {places}{more} (`--minimize`)"
        case events.ChangeMinimized():
            return f"  dropped {len(event.dropped)} hunk(s) that nothing needs, in {event.trials} trial(s)"
        case _:
            return None


def isolation_words(tier: str) -> str:
    """How checks ran, where that wasn't in bubblewrap."""
    return _TIERS.get(tier, f"ran in {tier}")


def _findings(event: events.CheckFinished) -> str:
    found = [f"{event.findings_new} new"] if event.findings_new else []
    found += [f"{event.findings_old} old"] if event.findings_old else []
    return f" ({', '.join(found)} finding(s))" if found else ""


def _details(event: events.Event) -> tuple[str, ...]:
    """The beginning of what a failed check said, or a review objects to; the rest is folded."""
    if isinstance(event, events.ResultReviewed):
        objections = [f"      {shortened(line, _LONGEST)}" for line in objection_lines(event)]
        return folded(objections, _MOST_DETAILS, f"git orefactor show {event.run_id}")
    if not isinstance(event, events.CheckFinished) or event.outcome != "failed":
        return ()
    said = [line for line in event.detail.splitlines() if line.strip()]
    return folded([f"      {shortened(line, _LONGEST)}" for line in said], _MOST_DETAILS)


def folded(lines: Sequence[str], most: int, command: str = "git orefactor show --checks") -> tuple[str, ...]:
    """The first lines, and in place of the others how many they are; `command` shows them."""
    if len(lines) <= most + 1:
        return tuple(lines)
    return (*lines[:most], f"      … {len(lines) - most} more line(s): `{command}`")


def _has_failed(event: events.Event) -> bool:
    match event:
        case events.CallFinished():
            return event.status != "executed"
        case events.CheckFinished():
            return event.outcome in ("failed", "not_installed")
        case events.GuardJudged() | events.ContractJudged():
            return not event.ok
        case events.ResultReviewed():
            return has_objected(event)
        case events.ShardEnded():
            return event.status != "completed"
        case _:
            return isinstance(event, events.ReplyRejected)
