"""What stopped a run, in the gate's words."""

from __future__ import annotations

from dataclasses import replace

from orefactor.sandbox.shield import Stopped

from . import events
from .errors import Cancelled, ExitCode, RunStopped, UserError
from .gate import Outcome
from .record import Record


def undelivered(error: RunStopped | UserError, outcome: Outcome) -> Outcome:
    """The outcome of a change that passed the gate and could not be delivered."""
    if isinstance(error, RunStopped):
        return Outcome(error.status, error.reason, error.exit_code, outcome.verified, error.message, error.hint)
    reason = "conflict" if error.exit_code is ExitCode.CONFLICT else "environment"
    return Outcome("error", reason, error.exit_code, outcome.verified, error.message, error.hint)


def cancelled(error: Stopped | KeyboardInterrupt) -> Cancelled:
    """The stop that a signal means."""
    interrupted = isinstance(error, KeyboardInterrupt) or error.signal.name == "SIGINT"
    return Cancelled(exit_code=ExitCode.INTERRUPTED if interrupted else ExitCode.TERMINATED)


def broken(error: UserError | OSError) -> RunStopped:
    """The environment failed in the middle, for example because the disk is full."""
    if isinstance(error, UserError):
        return RunStopped("error", "environment", error.message, hint=error.hint, exit_code=error.exit_code)
    said = f"{error.strerror or error}" + (f" ({error.filename})" if error.filename else "")
    hint = "check the free space and the permissions"
    return RunStopped("error", "environment", said, hint=hint, exit_code=ExitCode.ENVIRONMENT)


def with_outcome(record: Record, outcome: Outcome) -> events.OutcomeReached:
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
