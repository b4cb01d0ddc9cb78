"""The story of one run. It reads like the README; each step is a call into a file of that name."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.shield import Stopped, shield

from . import events
from .book import RunBook, Surroundings
from .context.beside import ContextBeside, ContextLater, context_beside
from .conversation import open_session
from .deliver import Delivery, deliver, proven_patch, put_on_working_tree
from .endings import broken, cancelled, undelivered, with_outcome
from .errors import ProviderFailed, RunStopped, UserError
from .gate import ContractResult, Facts, Outcome, judge
from .outputs.message import summarize
from .request import Prepared, RunRequest, prepare
from .result import RefactorResult
from .reuse import Reuse
from .run_note import note_commit
from .telling import tell
from .verify import Verifier, check_undecided, copied, located, probed
from .workshop import Workshop, open_workshop

if TYPE_CHECKING:
    from .judging import Judgement
    from .limits import Ledger
    from .review.result_review import ResultReviewer
    from .sharding.plan import Plan


def run(request: RunRequest, surroundings: Surroundings | None = None) -> RefactorResult:
    """Do the main job.

    Returns:
        The result; limits, a failed gate, provider failures and cancellation are results too.

    Raises:
        UserError: bad input, said before anything was made.
    """
    surroundings = surroundings or Surroundings()
    prepared = prepare(request)
    if prepared.settings.review_result:
        from .review.result_request import require_reviewer

        require_reviewer(prepared)
    if prepared.settings.jobs == 1:
        return _run(prepared, surroundings)
    from .sharding.plan import plan_shards

    return _run(prepared, surroundings, plan_shards(prepared))


def run_shard(prepared: Prepared, surroundings: Surroundings, run_id: str) -> RefactorResult:
    """Do a part of a run, for which everything is prepared; see `sharding.whole`.

    Raises:
        UserError: as `run`.
    """
    return _run(prepared, surroundings, run_id=run_id)


def _run(prepared: Prepared, surroundings: Surroundings, plan: Plan | None = None, run_id: str = "") -> RefactorResult:
    reuse, continues = Reuse(prepared, is_split=plan is not None), prepared.request.continues
    watching = reuse.listen if continues is None else continues.comparison().listen
    surroundings = replace(surroundings, listeners=(*surroundings.listeners, watching))
    now = surroundings.clock.now()
    run_id = run_id or f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
    with context_beside(prepared, surroundings.share) if plan is None else nullcontext() as pending:
        folder = surroundings.new_folder(prepared.repository.common_dir, run_id)
        book = RunBook(prepared, folder, surroundings, now.isoformat(), _shown(prepared))
        return _Run(prepared, book, surroundings, pending, reuse, plan).tell()


def _shown(prepared: Prepared) -> dict[str, Any]:
    """The settings of reviews, where the result is reviewed."""
    return {"review": asdict(prepared.settings.review)} if prepared.settings.review_result else {}


class _Run:
    """One run, from the first event to the last."""

    def __init__(
        self,
        prepared: Prepared,
        book: RunBook,
        surroundings: Surroundings,
        pending: ContextBeside | ContextLater | None,
        reuse: Reuse,
        plan: Plan | None = None,
    ) -> None:
        self._prepared = prepared
        self._pending = pending
        self._book = book
        self._surroundings = surroundings
        self._reuse = reuse
        self._plan = plan
        self._ledger = self._new_ledger()

    def _new_ledger(self) -> Ledger:
        limits, continues = self._prepared.settings.limits, self._prepared.request.continues
        return self._surroundings.new_ledger(continues.extended(limits) if continues else limits)

    def tell(self) -> RefactorResult:
        """Work, judge, deliver, and close the trace, whatever happens."""
        return tell(self._book, self._work, self._finish)

    def _finish(self, verified: Judgement | None, stopped: RunStopped | None) -> RefactorResult:
        """Judge, deliver and end the trace; a signal must not fall between a delivery and what is said of it."""
        try:
            outcome, patch = self._close(verified, stopped)
        except OSError as error:
            outcome, patch = self._close(verified, broken(error))
        if outcome.delivers and self._prepared.request.apply and patch:
            self._book.compare_user_state()
            outcome, patch = self._apply(outcome, patch)
        return self._result(outcome, patch)

    def _result(self, outcome: Outcome, patch: bytes | None) -> RefactorResult:
        trace, path = self._book.end()
        note_commit(self._prepared, self._book.folder, trace, self._surroundings.clock.now())
        self._reuse.keep(self._book.folder, trace)
        return RefactorResult(
            outcome.status,
            outcome.reason,
            outcome.exit_code,
            outcome.verified,
            # A server's error may repeat the key that it was sent.
            self._book.redactor.text(outcome.message),
            outcome.hint,
            patch,
            trace,
            path,
        )

    def _work(self) -> tuple[Judgement | None, RunStopped | None]:
        """Change and verify, or what stopped that; the worktree is gone when this returns."""
        continues = self._prepared.request.continues
        if continues is not None:
            self._book.emit(events.RunContinued(continues.run_id, continues.round))
        try:
            reused = self._reuse.attempt(self._change, self._book.emit)
            if reused is not None:
                return reused, None
            # Nothing of an attempt counts.
            self._book.partial, self._ledger = b"", self._new_ledger()
            return self._change(self._prepared), None
        except RunStopped as error:
            return None, error
        except (Stopped, KeyboardInterrupt) as error:
            return None, cancelled(error)
        except (UserError, OSError) as error:
            if not (self._book.record.rounds or self._book.record.shards):
                raise
            return None, broken(error)

    def _change(self, prepared: Prepared) -> Judgement:
        book, around, run_id = self._book, self._surroundings, self._book.folder.run_id
        with open_workshop(prepared, run_id, self._ledger, book.redactor, around.cancelled, around.share) as workshop:
            try:
                self._tell(copied(workshop.bench.products))
                workshop.require_ready()
                workshop.baseline.start(prepared.checks)
                if self._plan is not None:
                    return self._change_by_shards(workshop, self._plan)
                session = open_session(workshop, self._ledger, self._book, self._surroundings, self._pending)
                return Verifier(workshop, session, book.redactor, book.emit, self._reviewer()).run()
            except (RunStopped, Stopped, KeyboardInterrupt) as error:
                with shield():
                    self._book.partial = self._partial_patch(workshop)
                if isinstance(error, ProviderFailed) and not self._reuse.is_trying:
                    self._check_undecided(workshop)
                raise
            finally:
                self._tell(probed(workshop.host))
                self._tell(located(workshop.host))

    def _tell(self, event: events.Event | None) -> None:
        if event is not None:
            self._book.emit(event)

    def _change_by_shards(self, workshop: Workshop, plan: Plan) -> Judgement:
        from .sharding.whole import Whole

        return Whole(self._prepared, plan, self._book, self._surroundings, self._ledger).run(workshop, run_shard)

    def _reviewer(self) -> ResultReviewer | None:
        """Who reviews the result; None where nobody shall."""
        if not self._prepared.settings.review_result:
            return None
        from .review.result_review import reviewer_of_run

        return reviewer_of_run(self._prepared, self._book, self._ledger, self._surroundings)

    def _check_undecided(self, workshop: Workshop) -> None:
        """No model has decided which checks are worth their cost, so they run."""
        requested = {call.name for call in self._book.record.calls}
        for check in check_undecided(workshop, requested, self._book.redactor):
            self._book.emit(check)

    def _partial_patch(self, workshop: Workshop) -> bytes:
        """What was changed until the run was stopped; kept with the run, never delivered."""
        tree = workshop.result_tree()
        return write_patch(workshop.worktree.git, self._prepared.base.commit, tree)

    def _close(self, verified: Judgement | None, stopped: RunStopped | None) -> tuple[Outcome, bytes | None]:
        """Judge, and deliver what passes."""
        prepared = self._prepared
        facts = Facts(
            changed=bool(verified and verified.changes),
            checks=verified.checks if verified else (),
            guards=verified.guards if verified else (),
            contract=verified.contract if verified else ContractResult(),
            stopped=stopped,
            isolation=self._book.weaker_isolation(),
            exit_code_for_changes=prepared.request.exit_code_for_changes,
            review=verified.review if verified else None,
            left_out=verified.left_out if verified else None,
        )
        outcome = judge(facts)
        summary = summarize(verified.answer if verified else "", prepared.request.task)
        if verified is None or not outcome.delivers:
            self._book.keep_rejected(verified)
            self._book.reach(outcome, verified, summary)
            return outcome, None
        try:
            patch = proven_patch(prepared, verified.tree, self._book.folder.run_id)
            delivery = Delivery(verified.tree, patch, summary, self._book.model)
            deliver(prepared, delivery, self._book.folder, self._surroundings.clock, self._book.emit)
        except (RunStopped, UserError) as error:
            outcome = undelivered(error, outcome)
            self._book.keep_rejected(verified)
            self._book.reach(outcome, verified, summary)
            return outcome, None
        self._book.reach(outcome, verified, summary)
        return outcome, patch

    def _apply(self, outcome: Outcome, patch: bytes) -> tuple[Outcome, bytes | None]:
        try:
            put_on_working_tree(self._prepared, patch, self._book.emit)
        except UserError as error:
            outcome = undelivered(error, outcome)
            self._book.emit(with_outcome(self._book.record, outcome))
            return outcome, None
        return outcome, patch
