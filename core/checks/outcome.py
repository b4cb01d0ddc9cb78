"""What one run of a check gave: its verdict, its findings, and its words for the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from orefactor.sandbox.limits import Limits
from orefactor.sandbox.process import FLOOD_FACTOR, OUTPUT_LIMIT, ProcessResult

from .check import Check
from .findings import Finding, Reading

RunOutcome = Literal["passed", "failed", "broken", "timeout"]
"""`broken`: the check itself didn't work, for example because its configuration is wrong."""


_MEBIBYTE = 1 << 20
_NOT_STARTED = (126, 127)
"""As shells and the programs that start others say it."""
_KILLED = (-9, 137)
"""By SIGKILL: the code as we see it, and as it comes through a sandbox."""


@dataclass(frozen=True, slots=True)
class CheckRun:
    """What one check said.

    Attributes:
        output: what it printed, with the repository's path taken out.
        seconds: wall time.
        isolated: whether it ran in isolation.
        tests: outcomes by node id, where it ran tests and said all of them.
        command: the command line as people are shown it; paths are those inside the isolation.
    """

    check: str
    outcome: RunOutcome
    findings: tuple[Finding, ...]
    output: str
    seconds: float
    isolated: bool
    tests: Mapping[str, str] | None = None
    command: tuple[str, ...] = ()


def read_result(
    check: Check, result: ProcessResult, top: str, *, isolated: bool, command: Sequence[str] = ()
) -> CheckRun:
    """Read what a check's process gave.

    Args:
        top: the folder of the tree as the process saw it; its path is taken out of the output.
        isolated: whether it ran in isolation.
        command: how it was started.
    """
    stdout, stderr = result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
    outcome = _ending(check, result)
    reading = Reading(())
    if outcome in ("passed", "failed"):
        try:
            reading = check.parse(stdout, top)
        except ValueError as error:
            outcome, stderr = "broken", f"{stderr}\nits output can't be read: {error}"
    # Own commands may print what looks like a finding although they are content.
    findings = reading.findings if outcome == "failed" else ()
    if outcome == "failed" and not findings:
        outcome = "broken"
    shown = stdout if reading.shown is None else reading.shown
    shown = "\n".join(filter(None, (why_ended(result), shown)))
    text = (shown + ("\n" + stderr if stderr and outcome != "passed" else "")).replace(top + "/", "")
    if outcome == "passed" and check.all_passed is not None:
        text = check.all_passed
    words = tuple(_one_word(word) for word in command)
    return CheckRun(check.name, outcome, findings, text.strip("\n"), result.seconds, isolated, reading.tests, words)


def _ending(check: Check, result: ProcessResult) -> RunOutcome:
    """The verdict of how it ended."""
    if result.ended_by == "time":
        return "timeout"
    if result.ended_by is not None or result.returncode is None or result.returncode < 0:
        return "broken"
    if result.returncode in check.passes:
        return "passed"
    if check.fails is None:
        return "broken" if result.returncode in (*_NOT_STARTED, *_KILLED) else "failed"
    return "failed" if result.returncode in check.fails else "broken"


def _one_word(word: str) -> str:
    """A word of a command line as it is shown: a program of ours, given as text, is only a mark."""
    return "\u2026" if "\n" in word else word


def why_ended(result: ProcessResult) -> str:
    """Why a check was ended before its end; empty where it wasn't."""
    match result.ended_by:
        case "memory":
            return f"it ran out of memory and was ended: more than {Limits().total_memory_here // _MEBIBYTE:,} MiB"
        case "output":
            return f"too much output, it was ended: more than {OUTPUT_LIMIT * FLOOD_FACTOR // _MEBIBYTE:,} MiB"
        case "time":
            return f"it ran out of time and was ended after {result.seconds:.0f} s"
        case "cancelled":
            return "it was ended because the run stops"
        case None:
            return "it was killed, for using too much processor time or memory" if result.returncode in _KILLED else ""


def merged(runs: Sequence[CheckRun]) -> CheckRun:
    """One result for the runs of a check on parts of its paths; the worst verdict counts."""
    ranked: tuple[RunOutcome, ...] = ("timeout", "broken", "failed", "passed")
    worst = min(runs, key=lambda run: ranked.index(run.outcome)).outcome
    return CheckRun(
        runs[0].check,
        worst,
        tuple(finding for run in runs for finding in run.findings),
        "\n".join(run.output for run in runs if run.output),
        sum(run.seconds for run in runs),
        runs[0].isolated,
        command=runs[0].command,
    )
