"""The story of one run. It reads like the README; each step is a call into a file of that name."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.shield import Stopped, shield

from . import events
from .book import RunBook, Surroundings
from .context.beside import ContextBeside, context_beside
from .conversation import open_session
from .deliver import Delivery, deliver, proven_patch, put_on_working_tree
from .endings import broken, cancelled, undelivered, with_outcome
from .errors import ProviderFailed, RunStopped, UserError
from .gate import ContractResult, Facts, Outcome, judge
from .limits import Ledger
from .outputs.message import summarize
from .redact import printable
from .request import Prepared, RunRequest, prepare
from .result import RefactorResult
from .reuse import Reuse
from .trace import make_run_folder
from .verify import Verifier, check_undecided, located, probed
from .workshop import Workshop, open_workshop

if TYPE_CHECKING:
    from .judging import Judgement
    from .trace_model import Trace


def run(request: RunRequest, surroundings: Surroundings | None = None) -> RefactorResult:
    """Do the main job.

    Returns:
        The result; limits, a failed gate, provider failures and cancellation are results too.

    Raises:
        UserError: bad input, said before anything was made.
    """
    surroundings = surroundings or Surroundings()
    prepared = prepare(request)
    reuse, continues = Reuse(prepared), request.continues
    watching = reuse.listen if continues is None else continues.comparison().listen
    surroundings = replace(surroundings, listeners=(*surroundings.listeners, watching))
    now = surroundings.clock.now()
    with context_beside(prepared) as pending:
        folder = make_run_folder(prepared.repository.common_dir, f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}")
        book = RunBook(prepared, folder, surroundings, now.isoformat())
        return _Run(prepared, book, surroundings, pending, reuse).tell()


class _Run:
    """One run, from the first event to the last."""

    def __init__(
        self,
        prepared: Prepared,
        book: RunBook,
        surroundings: Surroundings,
        pending: ContextBeside | None,
        reuse: Reuse,
    ) -> None:
        self._prepared = prepared
        self._pending = pending
        self._book = book
        self._surroundings = surroundings
        self._reuse = reuse
        self._ledger = self._new_ledger()

    def _new_ledger(self) -> Ledger:
        limits, continues = self._prepared.settings.limits, self._prepared.request.continues
        return Ledger(continues.extended(limits) if continues else limits, self._surroundings.clock)

    def tell(self) -> RefactorResult:
        """Work, judge, deliver, and close the trace, whatever happens."""
        book = self._book
        try:
            book.open()
        except BaseException:
            # Nothing has happened yet.
            with shield():
                book.discard()
            raise
        result: RefactorResult | None = None
        try:
            verified, stopped = self._work()
            with shield():
                result = self._finish(verified, stopped)
        except UserError:
            # Bad input that shows only in the worktree: the model was not asked.
            book.discard()
            raise
        except (Stopped, KeyboardInterrupt) as error:
            # Once the result has been delivered, it stands.
            if result is None:
                with shield():
                    result = self._finish(None, cancelled(error))
        except BaseException:
            with shield():
                book.end()
            raise
        return result

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
        self._note(trace)
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

    def _note(self, trace: Trace) -> None:
        """Say in a git note where the commit came from; only now the trace is whole, so that its digest holds."""
        identities = self._prepared.identities
        if trace.commit is None or identities is None:
            return
        from .outputs.note import write_note

        now = self._surroundings.clock.now()
        with suppress(UserError, OSError):  # the result is complete without it
            write_note(self._prepared.repository, trace.commit, self._book.folder, trace, identities, now)

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
            if not self._book.record.rounds:
                raise
            return None, broken(error)

    def _change(self, prepared: Prepared) -> Judgement:
        cancelled = self._surroundings.cancelled
        with open_workshop(
            prepared, self._book.folder.run_id, self._ledger, self._book.redactor, cancelled
        ) as workshop:
            try:
                self._emit_products(workshop)
                workshop.require_ready()
                workshop.baseline.start(prepared.checks)
                session = open_session(workshop, self._ledger, self._book, self._surroundings, self._pending)
                return Verifier(workshop, session, self._book.redactor, self._book.emit).run()
            except (RunStopped, Stopped, KeyboardInterrupt) as error:
                with shield():
                    self._book.partial = self._partial_patch(workshop)
                if isinstance(error, ProviderFailed) and not self._reuse.is_trying:
                    self._check_undecided(workshop)
                raise
            finally:
                for said in (probed(workshop), located(workshop)):
                    if said is not None:
                        self._book.emit(said)

    def _check_undecided(self, workshop: Workshop) -> None:
        """No model has decided which checks are worth their cost, so they run."""
        requested = {call.name for call in self._book.record.calls}
        for check in check_undecided(workshop, requested, self._book.redactor):
            self._book.emit(check)

    def _emit_products(self, workshop: Workshop) -> None:
        products = workshop.products
        if products.paths or products.left_out:
            paths = tuple(map(printable, products.paths))
            self._book.emit(events.BuildProductsCopied(paths, products.bytes, products.left_out))

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
