"""The story of one run. It reads like the README; each step is a call into a file of that name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from orefactor import __version__
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.shield import Stopped, shield
from orefactor.sandbox.user_state import UserState, read_user_state

from . import events
from .calls import SessionTools
from .clock import Clock, SystemClock
from .deliver import Delivery, deliver, proven_patch, put_on_working_tree
from .errors import Cancelled, ExitCode, RunStopped, ToolsUnsupported, UserError
from .gate import Facts, Outcome, judge
from .keys import whole_environment
from .limits import Ledger
from .log import make_log
from .outputs.message import Summary, summarize
from .prompts import opening
from .record import Record, build_trace
from .redact import Redactor, printable
from .request import Prepared, RunRequest, prepare
from .result import RefactorResult
from .session import Session
from .trace import DIFFERENCE, REJECTED, EventFile, RunFolder, make_run_folder
from .trace_model import Trace
from .verify import Verification, Verifier, located, probed
from .workshop import Workshop, open_workshop


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run is given by its caller besides the request.

    Attributes:
        listeners: are given every event.
        cancelled: asked between steps whether to stop.
    """

    listeners: Sequence[events.Listener] = ()
    cancelled: Callable[[], bool] = lambda: False
    clock: Clock = field(default_factory=SystemClock)


def run(request: RunRequest, surroundings: Surroundings | None = None) -> RefactorResult:
    """Do the main job.

    Returns:
        The result; limits, a failed gate, provider failures and cancellation are results too.

    Raises:
        UserError: bad input, said before anything was made.
    """
    surroundings = surroundings or Surroundings()
    prepared = prepare(request)
    now = surroundings.clock.now()
    folder = make_run_folder(prepared.repository.common_dir, f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}")
    return _Run(prepared, folder, surroundings, now.isoformat()).tell()


class _Run:
    """One run, from the first event to the last."""

    def __init__(self, prepared: Prepared, folder: RunFolder, surroundings: Surroundings, started: str) -> None:
        self._prepared = prepared
        self._folder = folder
        self._surroundings = surroundings
        self._started = started
        self._redactor = Redactor(whole_environment())
        self._record = Record()
        self._file = EventFile(folder)
        log = make_log()
        own = [self._file.listen, self._record.listen, *([log.listen] if log else [])]
        self._listeners = [*own, *surroundings.listeners]
        self._ledger = Ledger(prepared.settings.limits, surroundings.clock)
        self._partial = b""
        self._begun = 0.0
        self._before: UserState | None = None

    def tell(self) -> RefactorResult:
        """Work, judge, deliver, and close the trace, whatever happens."""
        clock, prepared = self._surroundings.clock, self._prepared
        self._begun = clock.monotonic()
        try:
            self._before = read_user_state(prepared.repository, own_file=prepared.request.output)
            self._open()
        except BaseException:
            # Nothing has happened yet.
            with shield():
                self._discard()
            raise
        result: RefactorResult | None = None
        try:
            verified, stopped = self._work()
            with shield():
                result = self._finish(verified, stopped)
        except UserError:
            # Bad input that shows only in the worktree: the model was not asked.
            self._discard()
            raise
        except (Stopped, KeyboardInterrupt) as error:
            # Once the result has been delivered, it stands.
            if result is None:
                with shield():
                    result = self._finish(None, _cancelled(error))
        except BaseException:
            with shield():
                self._end()
            raise
        return result

    def _finish(self, verified: Verification | None, stopped: RunStopped | None) -> RefactorResult:
        """Judge, deliver and end the trace; a signal must not fall between a delivery and what is said of it."""
        try:
            outcome, patch = self._close(verified, stopped)
        except OSError as error:
            outcome, patch = self._close(verified, _broken(error))
        if outcome.delivers and self._prepared.request.apply and patch:
            self._compare_user_state()
            outcome, patch = self._apply(outcome, patch)
        return self._result(outcome, patch)

    def _discard(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            # On a full disk closing fails to write what is left, and closes all the same.
            self._file.close()
        self._folder.remove()

    def _result(self, outcome: Outcome, patch: bytes | None) -> RefactorResult:
        trace, path = self._end()
        return RefactorResult(
            outcome.status,
            outcome.reason,
            outcome.exit_code,
            outcome.verified,
            # A server's error may repeat the key that it was sent.
            self._redactor.text(outcome.message),
            outcome.hint,
            patch,
            trace,
            path,
        )

    def _end(self) -> tuple[Trace, Path]:
        """The last events and the trace."""
        try:
            if self._record.user_state is None:
                self._compare_user_state()
            seconds = self._surroundings.clock.monotonic() - self._begun
            self._emit(events.RunEnded(round(seconds * 1000)))
            trace = build_trace(self._record, self._started)
            return trace, self._folder.write_trace(trace)
        finally:
            self._file.close()

    def _emit(self, event: events.Event) -> None:
        for listener in self._listeners:
            listener(event)

    def _open(self) -> None:
        prepared, base = self._prepared, self._prepared.base
        if base.difference:
            self._folder.write(DIFFERENCE, base.difference)
        shown = prepared.settings.model_dump(mode="json", exclude_none=True)
        shown |= {"model": prepared.choice.model, "checks": list(prepared.checks)}
        self._emit(
            events.RunStarted(
                self._folder.run_id,
                self._redactor.text(prepared.request.task),
                tuple(map(printable, prepared.paths)),
                self._redactor.value(shown),
                __version__,
            )
        )
        self._emit(events.BaseTaken(base.source, base.commit, base.tree, base.head))

    def _work(self) -> tuple[Verification | None, RunStopped | None]:
        """Change and verify, or what stopped that; the worktree is gone when this returns."""
        try:
            return self._change(), None
        except RunStopped as error:
            return None, error
        except (Stopped, KeyboardInterrupt) as error:
            return None, _cancelled(error)
        except (UserError, OSError) as error:
            if not self._record.rounds:
                raise
            return None, _broken(error)

    def _change(self) -> Verification:
        prepared, surroundings = self._prepared, self._surroundings
        cancelled = surroundings.cancelled
        with open_workshop(prepared, self._folder.run_id, self._ledger, self._redactor, cancelled) as workshop:
            try:
                self._emit_products(workshop)
                workshop.require_checks()
                return Verifier(workshop, self._session(workshop), self._redactor, self._emit).run()
            except (RunStopped, Stopped, KeyboardInterrupt):
                with shield():
                    self._partial = self._partial_patch(workshop)
                raise
            finally:
                for said in (probed(workshop), located(workshop)):
                    if said is not None:
                        self._emit(said)

    def _emit_products(self, workshop: Workshop) -> None:
        products = workshop.products
        if products.paths or products.left_out:
            paths = tuple(map(printable, products.paths))
            self._emit(events.BuildProductsCopied(paths, products.bytes, products.left_out))

    def _session(self, workshop: Workshop) -> Session:
        prepared = self._prepared
        provider, model = prepared.choice.provider, prepared.choice.model
        if not provider.supports_function_calling():
            self._emit(events.ToolsOffered((), provider.name, model))
            raise ToolsUnsupported(provider.name)
        names = tuple(str(schema["function"]["name"]) for schema in workshop.toolbox.schemas)
        self._emit(events.ToolsOffered(names, provider.name, model))
        tools = SessionTools(
            provider,
            workshop.toolbox,
            self._redactor,
            self._surroundings.clock,
            self._emit,
            self._surroundings.cancelled,
            workshop.abort,
        )
        messages = opening(self._redactor.text(prepared.request.task), prepared.paths, prepared.checks)
        return Session(model, messages, tools, self._ledger)

    def _partial_patch(self, workshop: Workshop) -> bytes:
        """What was changed until the run was stopped; kept with the run, never delivered."""
        tree = workshop.result_tree()
        return write_patch(workshop.worktree.git, self._prepared.base.commit, tree)

    def _close(self, verified: Verification | None, stopped: RunStopped | None) -> tuple[Outcome, bytes | None]:
        """Judge, and deliver what passes."""
        prepared = self._prepared
        facts = Facts(
            changed=bool(verified and verified.changes),
            checks=verified.checks if verified else (),
            guards=verified.guards if verified else (),
            stopped=stopped,
            isolation=self._weaker_isolation(),
            exit_code_for_changes=prepared.request.exit_code_for_changes,
        )
        outcome = judge(facts)
        summary = summarize(verified.answer if verified else "", prepared.request.task)
        if verified is None or not outcome.delivers:
            self._keep_rejected(verified)
            self._reach(outcome, verified, summary)
            return outcome, None
        try:
            patch = proven_patch(prepared, verified.tree, self._folder.run_id)
            delivery = Delivery(verified.tree, patch, summary)
            deliver(prepared, delivery, self._folder, self._surroundings.clock, self._emit)
        except (RunStopped, UserError) as error:
            outcome = _undelivered(error, outcome)
            self._keep_rejected(verified)
            self._reach(outcome, verified, summary)
            return outcome, None
        self._reach(outcome, verified, summary)
        return outcome, patch

    def _weaker_isolation(self) -> str:
        probed = self._record.isolation
        return probed.tier if probed and probed.tier != "bwrap" and self._record.checks else ""

    def _keep_rejected(self, verified: Verification | None) -> None:
        patch = self._partial
        if verified is not None and verified.changes:
            patch = write_patch(self._prepared.repository.git, self._prepared.base.commit, verified.tree)
        if patch:
            self._folder.write(REJECTED, patch)

    def _reach(self, outcome: Outcome, verified: Verification | None, summary: Summary) -> None:
        paths = {p for c in (verified.changes if verified else ()) for p in (c.path, c.old_path) if p}
        self._emit(
            events.OutcomeReached(
                outcome.status,
                outcome.reason,
                int(outcome.exit_code),
                outcome.verified,
                self._redactor.text(outcome.message),
                outcome.hint,
                tuple(sorted(map(printable, map(_utf8, paths)))),
                verified.tree if verified else None,
                self._redactor.text(summary.title),
                self._redactor.text(summary.body),
            )
        )

    def _compare_user_state(self) -> None:
        branches = [delivered.what for delivered in self._record.delivered if delivered.kind == "branch"]
        own = f"refs/heads/{branches[0]}" if branches else None
        assert self._before is not None
        after = read_user_state(self._prepared.repository, own_branch=own, own_file=self._prepared.request.output)
        same = self._before == after
        self._emit(events.UserStateCompared(asdict(self._before), asdict(after), same))

    def _apply(self, outcome: Outcome, patch: bytes) -> tuple[Outcome, bytes | None]:
        try:
            put_on_working_tree(self._prepared, patch, self._emit)
        except UserError as error:
            outcome = _undelivered(error, outcome)
            self._emit(_with_outcome(self._record, outcome))
            return outcome, None
        return outcome, patch


def _undelivered(error: RunStopped | UserError, outcome: Outcome) -> Outcome:
    if isinstance(error, RunStopped):
        return Outcome(error.status, error.reason, error.exit_code, outcome.verified, error.message, error.hint)
    reason = "conflict" if error.exit_code is ExitCode.CONFLICT else "environment"
    return Outcome("error", reason, error.exit_code, outcome.verified, error.message, error.hint)


def _cancelled(error: Stopped | KeyboardInterrupt) -> Cancelled:
    interrupted = isinstance(error, KeyboardInterrupt) or error.signal.name == "SIGINT"
    return Cancelled(exit_code=ExitCode.INTERRUPTED if interrupted else ExitCode.TERMINATED)


def _broken(error: UserError | OSError) -> RunStopped:
    """The environment failed in the middle, for example because the disk is full."""
    if isinstance(error, UserError):
        return RunStopped("error", "environment", error.message, hint=error.hint, exit_code=error.exit_code)
    said = f"{error.strerror or error}" + (f" ({error.filename})" if error.filename else "")
    hint = "check the free space and the permissions"
    return RunStopped("error", "environment", said, hint=hint, exit_code=ExitCode.ENVIRONMENT)


def _with_outcome(record: Record, outcome: Outcome) -> events.OutcomeReached:
    """The same facts under another outcome, where delivery failed after the gate had passed."""
    assert record.outcome is not None
    return replace(
        record.outcome,
        status=outcome.status,
        reason=outcome.reason,
        exit_code=int(outcome.exit_code),
        message=outcome.message,
        hint=outcome.hint,
    )


def _utf8(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
