"""What one run of a check gave: its verdict, its findings, and its words for the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from orefactor.sandbox.limits import Limits
from orefactor.sandbox.process import FLOOD_FACTOR, OUTPUT_LIMIT, ProcessResult

from .catalogue import Check
from .command import CheckName
from .findings import Finding

RunOutcome = Literal["passed", "failed", "broken", "timeout"]
"""`broken`: the check itself didn't work, for example because its configuration is wrong."""


_MEBIBYTE = 1 << 20
_KILLED = (-9, 137)
"""By SIGKILL: the code as we see it, and as it comes through a sandbox."""


@dataclass(frozen=True, slots=True)
class CheckRun:
    """What one check said.

    Attributes:
        output: what it printed, with the repository's path taken out.
        seconds: wall time.
        isolated: whether it ran in isolation.
    """

    check: CheckName
    outcome: RunOutcome
    findings: tuple[Finding, ...]
    output: str
    seconds: float
    isolated: bool


def read_result(check: Check, result: ProcessResult, top: str, *, isolated: bool) -> CheckRun:
    """Read what a check's process gave.

    Args:
        top: the folder of the tree as the process saw it; its path is taken out of the output.
        isolated: whether it ran in isolation.
    """
    stdout, stderr = result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
    outcome: RunOutcome = "broken"
    findings: tuple[Finding, ...] = ()
    if result.ended_by == "time":
        outcome = "timeout"
    elif result.ended_by is None and result.returncode in (*check.passes, *check.fails):
        outcome = "passed" if result.returncode in check.passes else "failed"
        try:
            findings = tuple(check.parse(stdout, top))
        except ValueError as error:
            outcome, stderr = "broken", f"{stderr}\nits output can't be read: {error}"
    if outcome == "failed" and not findings:
        outcome = "broken"
    shown = "\n".join(map(str, findings)) if check.name in ("ruff", "py_compile") and findings else stdout
    shown = "\n".join(filter(None, (why_ended(result), shown)))
    text = (shown + ("\n" + stderr if stderr and outcome != "passed" else "")).replace(top + "/", "")
    if check.name == "ruff" and outcome == "passed":
        text = "All checks passed!"
    return CheckRun(check.name, outcome, findings, text.strip("\n"), result.seconds, isolated)


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
    )
