"""One check's result as the trace and the gate see it, and what it was asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .findings import Finding

CheckOutcome = Literal["passed", "failed", "not_installed", "not_run"]
CheckTime = Literal["baseline", "final", "on_demand"]
BaselineSource = Literal["kept", "measured", "none"]
"""`none`: there was no need of it, or there is none to compare with."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check's result.

    Attributes:
        new: findings that the base did not have.
        old: how many findings the base had already.
        detail: why it did not run, or what it said, for people and the model.
        isolated: whether it ran in isolation.
        lost: tests that passed at the base and are gone or don't count now, a line each; a guard judges them.
        flaky: node ids of tests that failed, passed when they were run again alone, and so don't count as new.
        command: the command line; paths are those inside the isolation.
        baseline: where the comparison's other side came from.
        counts: whether it speaks about the change: it ran, and where it executes the project's code, isolated and on
            the change's code.
        wrong_code: whether it could only have run another copy of the project's code than the change's.
        tests_before: outcomes at the base by node id, files' renames applied; None where they aren't known.
        tests_after: outcomes of the result by node id; None where it ran no tests or didn't say all of them.
        known: the findings that the base had already.
    """

    name: str
    outcome: CheckOutcome
    when: CheckTime = "final"
    required: bool = True
    new: tuple[Finding, ...] = ()
    old: int = 0
    detail: str = ""
    seconds: float = 0.0
    isolated: bool = False
    lost: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    baseline: BaselineSource = "none"
    counts: bool = True
    wrong_code: bool = False
    tests_before: Mapping[str, str] | None = None
    tests_after: Mapping[str, str] | None = None
    known: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """What the checks look at.

    Attributes:
        paths: files that exist after the change.
        before: for each that existed in the base, its path there.
    """

    paths: tuple[str, ...]
    before: Mapping[str, str]
