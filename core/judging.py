"""Holds the worktree's change against guards, contract and required checks; says nothing to anybody.

`verify` tells what came of it and lets the model repair; the search for what a change can do without judges as often as
it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orefactor.sandbox.patch import Change

from .changed_files import read_changes
from .checks.result import CheckResult
from .errors import ExitCode, RunStopped, ToolError
from .gate import ContractResult, GuardResult, LeftOut, ResultReview
from .guards.change import FileChange
from .guards.contracts.contract import Contract
from .guards.contracts.verdict import judge
from .guards.table import Inspection, judge_all, with_outcomes
from .redact import printable
from .workshop import Workshop


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known of a result.

    Attributes:
        tree: the result's tree; the base's own where nothing changed.
        files: the changes with their contents.
        answer: the model's last words.
        review: what a review says of it; None where there is none.
        left_out: what of a task that was split isn't in it.
    """

    tree: str
    changes: tuple[Change, ...]
    files: tuple[FileChange, ...]
    guards: tuple[GuardResult, ...]
    contract: ContractResult
    checks: tuple[CheckResult, ...]
    answer: str = ""
    review: ResultReview | None = None
    left_out: LeftOut | None = None

    @property
    def failures(self) -> list[str]:
        """What is wrong, a line each, for the model."""
        lines = [f"- {guard.name}: {guard.detail}" for guard in self.guards if not guard.ok]
        if not self.contract.ok:
            lines.insert(0, f"- contract {self.contract.label}: {self.contract.detail}")
        for check in self.checks:
            if check.outcome == "failed":
                lines += [f"- {check.name}: {finding}" for finding in check.new] or [f"- {check.name}: {check.detail}"]
        return [*lines, *(self.review.objections if self.review else ())]


def judge_worktree(
    workshop: Workshop, *, edits_known: bool = True, ended: Callable[[CheckResult], None] = lambda _result: None
) -> Judgement:
    """Judge what the worktree holds now.

    Args:
        edits_known: whether it is just what the tools wrote; where parts were taken out again, it isn't.
        ended: told of each check when it has ended, by the thread that ran it.

    Raises:
        RunStopped: the base, with which the checks compare, can't be checked.
    """
    prepared, allowed = workshop.prepared, workshop.prepared.settings.allow
    tree = workshop.result_tree()
    changes = workshop.changes(tree)
    files = read_changes(workshop.worktree.git, changes)
    requested = workshop.toolbox.workspace.edits if edits_known else None
    seen = Inspection(files, workshop.scope, requested, prepared.contract.renames)
    checks = _checks(workshop, changes, ended)
    guards = with_outcomes(judge_all(seen, allowed), seen, checks, allowed)
    return Judgement(tree, changes, files, guards, judge_contract(prepared.contract, files), tuple(checks))


def _checks(workshop: Workshop, changes: tuple[Change, ...], ended: Callable[[CheckResult], None]) -> list[CheckResult]:
    names = workshop.prepared.checks if changes else ()
    try:
        return workshop.bench.run_required(names, workshop.changed_files(changes), ended)
    except ToolError as error:
        raise RunStopped(
            "error",
            "environment",
            f"the base could not be checked: {error}",
            hint="see `git orefactor doctor`",
            exit_code=ExitCode.ENVIRONMENT,
        ) from error


def judge_contract(contract: Contract, files: Sequence[FileChange]) -> ContractResult:
    """Hold a change against what was promised."""
    breach = judge(contract, files)
    if breach is None:
        return ContractResult(tuple(contract.label.split(",")))
    place = f"{breach.path}:{breach.line}" if breach.line else breach.path
    inside = f" in {breach.symbol}" if breach.symbol else ""
    return ContractResult(
        tuple(contract.label.split(",")), ok=False, detail=printable(f"{place}{inside}: {breach.detail}")
    )
