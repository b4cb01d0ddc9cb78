"""Decides: one pure function from facts to outcome, with one status, one reason and one exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .checks.required import CheckResult
from .errors import ExitCode, RunStopped, Status


@dataclass(frozen=True, slots=True)
class GuardResult:
    """What one guard found."""

    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when the work is over.

    Attributes:
        changed: whether the result differs from the base.
        stopped: what ended the run before its end.
        isolation: how checks ran, where that isn't bubblewrap; empty where it is, or where none ran.
        exit_code_for_changes: whether changes exit 1, as `git diff --exit-code` does.
    """

    changed: bool
    checks: Sequence[CheckResult] = ()
    guards: Sequence[GuardResult] = ()
    stopped: RunStopped | None = None
    exit_code_for_changes: bool = False
    isolation: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The gate's word.

    Attributes:
        verified: True when required checks ran and none failed anew, False when one did, None where none could run.
        message: one line for people.
    """

    status: Status
    reason: str
    exit_code: ExitCode
    verified: bool | None
    message: str
    hint: str = ""

    @property
    def delivers(self) -> bool:
        """Whether the result may leave the run."""
        return self.status == "completed"


def is_verified(checks: Sequence[CheckResult]) -> bool | None:
    """Whether the required checks speak for the change; None where none could run."""
    outcomes = [check.outcome for check in checks if check.required]
    if "failed" in outcomes:
        return False
    return True if "passed" in outcomes else None


def judge(facts: Facts) -> Outcome:
    """Rank what is known: what ended the run, then guards, then checks."""
    verified = is_verified(facts.checks)
    if facts.stopped is not None:
        stop = facts.stopped
        return Outcome(stop.status, stop.reason, stop.exit_code, verified, stop.message, stop.hint)
    for guard in facts.guards:
        if not guard.ok:
            return _refused(
                f"guard:{guard.name}",
                verified,
                f"the guard `{guard.name}` refused the change: {guard.detail}",
            )
    for check in facts.checks:
        if check.required and check.outcome == "failed":
            return _refused(f"check:{check.name}", False, _check_failed(check))
        if check.required and check.outcome == "not_installed":
            return Outcome(
                "error",
                f"check:{check.name}",
                ExitCode.ENVIRONMENT,
                verified,
                f"the required check `{check.name}` could not run: {check.detail}",
                "see `git orefactor doctor`",
            )
    if not facts.changed:
        return Outcome("completed", "no_change_needed", ExitCode.OK, verified, "the task needed no change")
    code = ExitCode.CHANGES if facts.exit_code_for_changes else ExitCode.OK
    return Outcome("completed", "delivered", code, verified, f"the change passed the gate{_weaker(facts.isolation)}")


def _weaker(isolation: str) -> str:
    if not isolation:
        return ""
    return "; its checks were not isolated" if isolation == "none" else f"; its checks ran in {isolation}"


def _refused(reason: str, verified: bool | None, message: str) -> Outcome:
    return Outcome(
        "gate",
        reason,
        ExitCode.GATE,
        verified,
        message,
        "see the rejected change with `git orefactor show`; nothing was delivered",
    )


def _check_failed(check: CheckResult) -> str:
    first = f": {check.new[0]}" if check.new else ""
    return f"the check `{check.name}` failed with {max(1, len(check.new))} new finding(s){first}"
