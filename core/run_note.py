"""Says in a git note where a run's commit came from. Only when the trace is whole: its digest has to hold."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from .errors import UserError
from .request import Prepared
from .trace import RunFolder
from .trace_model import Trace


def note_commit(prepared: Prepared, folder: RunFolder, trace: Trace, now: datetime) -> None:
    """Note it at the commit, where there is one; without it the result is complete, so that it may fail."""
    identities = prepared.identities
    if trace.commit is None or identities is None:
        return
    from .outputs.note import write_note

    with suppress(UserError, OSError):
        write_note(prepared.repository, trace.commit, folder, trace, identities, now)
