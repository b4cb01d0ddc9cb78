"""Verification: the result is judged; failures go back to the model while limits allow, and spare hunks are told.

What judges is loaded when the model has answered: it takes as long as all else before the first request.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from .checks.host import CheckHost
from .checks.marks import marks
from .checks.result import CheckResult
from .errors import ToolError, UserError
from .events import (
    BuildProductsCopied,
    CheckEnded,
    CheckFinding,
    CheckFinished,
    ChecksStarted,
    ContractJudged,
    GuardJudged,
    IsolationProbed,
    Listener,
    OriginsFound,
    RepairAsked,
)
from .prompts import repair
from .redact import Redactor, printable
from .session import Session
from .workshop import Workshop

if TYPE_CHECKING:
    from orefactor.sandbox.build_products import BuildProducts

    from .judging import Judgement
    from .review.result_review import ResultReviewer

MAX_REPAIRS = 3
_DETAIL = 2000
"""Characters of a check's words that the trace keeps."""
_MOST_NAMES = 100
"""Tests, and words of a command line, that it names."""
_MOST_FINDINGS, _LONGEST_TEXT, _LONGEST_NAME = 200, 400, 1000
"""Findings of a check that it keeps, and characters of their messages and names."""


class Verifier:
    """Runs the session to its end, verifies, and lets the model repair."""

    def __init__(
        self,
        workshop: Workshop,
        session: Session,
        redactor: Redactor,
        emit: Listener,
        reviewer: ResultReviewer | None = None,
    ) -> None:
        """Begin; `reviewer` looks at what else would pass, None for nobody."""
        self._workshop = workshop
        self._session = session
        self._redactor = redactor
        self._emit = emit
        self._reviewer = reviewer
        self._edits_known = True

    def run(self) -> Judgement:
        """Go on until the result passes, or the model had its repairs.

        Raises:
            RunStopped: as `Session.run`, `judge_worktree` and `ResultReviewer.review`.
        """
        for number in range(MAX_REPAIRS + 1):
            answer = self._session.run()
            judged = self._judge()
            if not judged.failures:
                judged = self._reviewed(self._trimmed(judged))
            if number == MAX_REPAIRS or not judged.failures:
                return replace(judged, answer=answer)
            text = repair([self._redactor.text(line) for line in judged.failures])
            self._emit(RepairAsked(number + 1, text))
            self._session.say(text)
        raise AssertionError("unreachable: the last round returns")

    def _judge(self) -> Judgement:
        """Judge and tell it."""
        return judge_and_tell(self._workshop, self._redactor, self._emit, edits_known=self._edits_known)

    def _trimmed(self, judged: Judgement) -> Judgement:
        """Tell which hunks nobody asked for, and drop what nothing needs where that is wanted."""
        from .trimming import Trimmer

        trimmer = Trimmer(self._workshop, judged.files)
        trimmer.point_out(self._emit)
        if self._workshop.prepared.settings.minimize and trimmer.trim(self._emit):
            self._edits_known = False
            return self._judge()
        return judged

    def _reviewed(self, judged: Judgement) -> Judgement:
        """The same with what a review says of it, where one is wanted and nothing else speaks against it."""
        if self._reviewer is None or judged.failures or not judged.changes:
            return judged
        return replace(judged, review=self._reviewer.review(judged))


def judge_and_tell(workshop: Workshop, redactor: Redactor, emit: Listener, *, edits_known: bool) -> Judgement:
    """Judge what the worktree holds now, and tell what came of it.

    Raises:
        RunStopped: as `judge_worktree`.
    """
    from .judging import judge_worktree

    def tell_ended(check: CheckResult) -> None:
        emit(CheckEnded(check.name, check.outcome))

    emit(ChecksStarted(workshop.prepared.checks))
    judged = judge_worktree(workshop, edits_known=edits_known, ended=tell_ended)
    contract = judged.contract
    emit(ContractJudged(contract.kinds, contract.ok, redactor.text(contract.detail)))
    for guard in judged.guards:
        emit(GuardJudged(guard.name, guard.ok, redactor.text(guard.detail)))
    for check in judged.checks:
        emit(finished(check, redactor))
    return judged


def check_undecided(workshop: Workshop, requested: Collection[str], redactor: Redactor) -> list[CheckFinished]:
    """Run the checks that the model was offered and never got to, as it gave no reply that could decide."""
    changed = workshop.changed_files(workshop.changes(workshop.result_tree()))
    ran: list[CheckResult] = []
    with suppress(ToolError, UserError):  # the provider's failure is what has to be said
        ran = workshop.bench.run_undecided(requested, changed)
    return [finished(check, redactor) for check in ran]


def finished(check: CheckResult, redactor: Redactor) -> CheckFinished:
    """A check's result as an event."""

    def names(texts: Collection[str]) -> tuple[str, ...]:
        return tuple(redactor.text(text) for text in list(texts)[:_MOST_NAMES])

    detail = "\n".join(map(str, check.new)) or check.detail
    return CheckFinished(
        check.name,
        check.required,
        check.when,
        check.outcome,
        len(check.new),
        check.old,
        redactor.text(detail)[:_DETAIL],
        round(check.seconds * 1000),
        check.isolated,
        check.counts,
        check.baseline,
        names(check.lost),
        names(check.flaky),
        names(check.command),
        _findings(check, redactor),
    )


def _findings(check: CheckResult, redactor: Redactor) -> tuple[CheckFinding, ...]:
    told = [*check.new, *check.known]
    named = list(zip(told, marks(check.name, told), strict=True))
    return tuple(
        CheckFinding(
            redactor.text(finding.path)[:_LONGEST_NAME],
            finding.line,
            redactor.text(finding.rule)[:_LONGEST_NAME],
            redactor.text(finding.text)[:_LONGEST_TEXT],
            redactor.text(finding.symbol)[:_LONGEST_NAME],
            place < len(check.new),
            mark,
        )
        for place, (finding, mark) in enumerate(named[:_MOST_FINDINGS])
    )


def copied(products: BuildProducts) -> BuildProductsCopied | None:
    """What was built in the user's tree and copied for the checks; None where nothing was."""
    if not (products.paths or products.left_out):
        return None
    return BuildProductsCopied(tuple(map(printable, products.paths)), products.bytes, products.left_out)


def located(host: CheckHost) -> OriginsFound | None:
    """Where the project's modules were imported from; None where no check had to know."""
    origins = host.origins_if_asked
    if origins is None:
        return None
    modules = tuple((module.name, printable(module.place), module.in_tree) for module in origins.modules)
    return OriginsFound(modules, origins.search_path)


def probed(host: CheckHost) -> IsolationProbed | None:
    """What the isolation said of itself; None where no check has run."""
    isolation = host.isolation_if_used
    if isolation is None:
        return None
    said = printable("; ".join(failure.line for failure in isolation.failures)) or None
    return IsolationProbed(isolation.tier, said, tuple((line.name, line.ok, line.detail) for line in isolation.probe))
