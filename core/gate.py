"""Decides: one pure function from facts to outcome, with one status, one reason and one exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .checks.result import CheckResult
from .errors import ExitCode, RunStopped, Status


@dataclass(frozen=True, slots=True)
class GuardResult:
    """What one guard found."""

    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ContractResult:
    """What kind of change was promised, and the first place where the result is something else."""

    kinds: tuple[str, ...] = ("any",)
    ok: bool = True
    detail: str = ""

    @property
    def label(self) -> str:
        """The kinds as `--contract` takes them."""
        return ",".join(self.kinds)


@dataclass(frozen=True, slots=True)
class ResultReview:
    """What a review of the result came to.

    Attributes:
        passed: whether it came to its end and nothing blocks.
        reason: the review's own, such as `blocking:model`.
        message: one line for people; `hint` says what to do.
        objections: what blocks, for the model; empty where a repair is no help.
    """

    passed: bool
    reason: str
    message: str = ""
    hint: str = ""
    objections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a task that was split isn't in the result.

    Attributes:
        paths: of the shards that failed.
        reason: the weightiest failure's, and its `exit_code`.
    """

    paths: tuple[str, ...]
    reason: str
    exit_code: ExitCode


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when the work is over.

    Attributes:
        changed: whether the result differs from the base.
        review: of the result; None where none was asked for, or where there is nothing to review.
        stopped: what ended the run before its end.
        isolation: how checks ran, where that isn't bubblewrap; empty where it is, or where none ran.
        exit_code_for_changes: whether changes exit 1, as `git diff --exit-code` does.
        left_out: what could not be done; None where everything was.
    """

    changed: bool
    checks: Sequence[CheckResult] = ()
    guards: Sequence[GuardResult] = ()
    contract: ContractResult = ContractResult()
    stopped: RunStopped | None = None
    exit_code_for_changes: bool = False
    isolation: str = ""
    review: ResultReview | None = None
    left_out: LeftOut | None = None


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
    outcomes = [check.outcome for check in checks if check.required and (check.counts or check.outcome == "failed")]
    if "failed" in outcomes:
        return False
    return True if "passed" in outcomes else None


def judge(facts: Facts) -> Outcome:
    """Rank what is known: what ended the run, then scope, contract, the other guards, required checks, the review."""
    verified = is_verified(facts.checks)
    if facts.stopped is not None:
        stop = facts.stopped
        return Outcome(stop.status, stop.reason, stop.exit_code, verified, stop.message, stop.hint)
    for reason, message in _objections(facts):
        return _refused(reason, verified, message)
    for check in facts.checks:
        if check.required and check.wrong_code:
            message = f"the required check `{check.name}` {check.detail}"
            return _refused(f"check:{check.name}", verified, message)
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
    review = facts.review
    if review is not None and not review.passed:
        reason = f"review:{review.reason}"
        return Outcome("gate", reason, ExitCode.GATE, verified, review.message, review.hint)
    if facts.left_out is not None:
        return _partly(facts, facts.left_out, verified)
    if not facts.changed:
        return Outcome("completed", "no_change_needed", ExitCode.OK, verified, "the task needed no change")
    code = ExitCode.CHANGES if facts.exit_code_for_changes else ExitCode.OK
    return Outcome("completed", "delivered", code, verified, f"the change passed the gate{_weaker(facts.isolation)}")


def _partly(facts: Facts, left_out: LeftOut, verified: bool | None) -> Outcome:
    """What passed leaves the run; but who asked for all of it must not take that for the whole."""
    did = f"the change passed the gate{_weaker(facts.isolation)}" if facts.changed else "nothing was changed"
    message = f"{did}, but {len(left_out.paths)} file(s) were left out: {left_out.reason}"
    hint = "run the same task again for what is left out; see `git orefactor show` for why each failed"
    return Outcome("completed", "left_out", left_out.exit_code, verified, message, hint)


def _objections(facts: Facts) -> Iterator[tuple[str, str]]:
    """What guards and contract object to, the weightiest first."""
    objecting = [guard for guard in facts.guards if not guard.ok]
    told = [(f"guard:{g.name}", f"the guard `{g.name}` refused the change: {g.detail}") for g in objecting]
    scope = [words for words in told if words[0] == "guard:scope"]
    yield from scope
    contract = facts.contract
    if not contract.ok:
        yield f"contract:{contract.label}", f"the contract `{contract.label}` is broken: {contract.detail}"
    yield from (words for words in told if words not in scope)


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
