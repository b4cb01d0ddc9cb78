"""What one attempt amounts to, read from its run's trace. A pure function of what is known afterwards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ..errors import RunStopped, UserError
from ..record import Record
from ..trace_building import build_trace
from ..trace_model import CallPart, Trace
from .task import Attempt, Verdict

EDITS = frozenset(["edit_file", "write_file", "delete_file", "move_file"])
_WHY: Mapping[str, re.Pattern[str]] = {
    "out of scope": re.compile(r"is outside the scope"),
    "unread": re.compile(r"before you change it"),
    "not found": re.compile(r"old_string isn't in"),
    "several places": re.compile(r"old_string occurs"),
    "already applied": re.compile(r"already applied"),
    "elided": re.compile(r"text is taken literally"),
    "would not parse": re.compile(r"couldn't be parsed after"),
    "no change": re.compile(r"are the same, so nothing"),
    "arguments": re.compile(r"invalid arguments|not valid JSON|one JSON object"),
    "cut reply": re.compile(r"reply was cut off"),
    "outside the tree": re.compile(r"outside|leads through|absolute"),
}
"""How an answer to an edit begins, by the word for it; the first that fits."""
OTHER = "other"


def measured(
    task: str,
    arm: str,
    repeat: int,
    trace: Trace,
    verdicts: Mapping[str, Verdict],
    lines: int,
    *,
    seconds: float,
    place: str = "",
) -> Attempt:
    """The figures of one attempt.

    Args:
        verdicts: of the task's own checks, the deciding one first; none where nothing was delivered.
        lines: added and removed by the delivered change.
        seconds: wall time of the run.
        place: where its trace is kept.
    """
    edits = [call for call in trace.tool_calls if call.name in EDITS]
    deciding = next(iter(verdicts.values()), Verdict(None))
    needed = deciding.needed_lines
    landed = trace.status == "completed" and bool(trace.files_changed)
    return Attempt(
        task=task,
        arm=arm,
        repeat=repeat,
        run_id=trace.run_id,
        status=trace.status,
        reason=trace.reason,
        exit_code=trace.exit_code,
        landed=landed,
        passed=deciding.passed if landed else None,
        verdicts={name: verdict.passed for name, verdict in verdicts.items()},
        first_edit=edits[0].status == "executed" if edits else None,
        edits=len(edits),
        refused=dict(sorted(Counter(why_refused(call) for call in edits if call.status != "executed").items())),
        out_of_scope=_outside(edits),
        rounds=trace.iterations,
        prompt_tokens=trace.usage.prompt_tokens,
        cached_tokens=trace.usage.cached_tokens,
        completion_tokens=trace.usage.completion_tokens,
        cost=trace.cost_usd,
        seconds=round(seconds, 3),
        lines=lines,
        beyond=None if needed is None or not landed else max(0, lines - needed),
        trace=place,
        detail=deciding.detail or ("" if landed else trace.message),
    )


def unstarted(task: str, arm: str, repeat: int, error: UserError | RunStopped) -> Attempt:
    """The attempt of a task that could not begin, in an arm that works otherwise."""
    trace = build_trace(Record(), "")
    told = {"reason": "not_started", "exit_code": int(error.exit_code), "message": error.message}
    return measured(task, arm, repeat, trace.model_copy(update=told), {}, 0, seconds=0.0)


def why_refused(call: CallPart) -> str:
    """Why an edit was not carried out, in two words."""
    return next((word for word, pattern in _WHY.items() if pattern.search(call.summary)), OTHER)


def _outside(edits: Sequence[CallPart]) -> int:
    refused = [why_refused(call) for call in edits if call.status != "executed"]
    return sum(word in ("out of scope", "outside the tree") for word in refused)
