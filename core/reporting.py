"""One run as it is shown to people: its trace, its change as hunks, and which call made which of them.

A run that was killed has no trace; what its events tell up to there stands in its place. All of it may be a stranger's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from . import events
from .errors import UserError
from .hunk_origins import find_origins
from .outputs.source_files import Source, no_source
from .patch_hunks import PatchFile, read_patch
from .record import Record
from .redact import printable
from .trace import PATCH, REJECTED, RUN_ID, TRACE, RunFolder
from .trace_building import build_trace
from .trace_model import CheckPart, Trace

_LARGEST = 64 << 20
"""Bytes; a larger file is none of ours."""
_MISSING: dict[type[Any], dict[str, Any]] = {
    events.RunStarted: {"run_id": "", "task": "", "paths": (), "settings": {}, "version": ""},
    events.CallFinished: {"round": 0, "id": "", "arguments": {}, "duration_ms": 0, "summary": "", "digest": ""},
}
"""What stands for facts that an event of another version may lack, where it tells much without them."""
_HINT = "name a run that `git orefactor runs` lists, or a `trace.json`"


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """What there is to show of a run.

    Attributes:
        trace: built from the events where the run broke off.
        patch: the change, delivered or not; not redacted, as it is exact.
        fate: what became of the change; `none` where there is no patch.
        files: the same patch, read.
        origins: by hunk number the places in `trace.tool_calls` of the calls that made it.
        is_complete: False where the run was killed before its end.
        source: reads the files that a review is about; `reviewed_source` gives one for a kept run.
    """

    trace: Trace
    patch: bytes
    fate: Literal["delivered", "rejected", "none"]
    files: tuple[PatchFile, ...]
    origins: Mapping[int, tuple[int, ...]]
    is_complete: bool = True
    source: Source = no_source

    @property
    def can_be_applied(self) -> bool:
        """Whether `git orefactor apply` would take it by its id."""
        return self.fate == "delivered" and bool(self.files) and RUN_ID.fullmatch(self.trace.run_id) is not None


def read_run(folder: RunFolder) -> ReportedRun:
    """Read a kept run, complete or not."""
    trace = folder.read_trace()
    delivered, rejected = folder.read(PATCH), folder.read(REJECTED)
    failed = trace is not None and trace.status == "gate"
    if delivered is not None and not failed:
        return _reported(trace, folder, delivered, "delivered")
    return _reported(trace, folder, rejected or delivered or b"", "rejected" if rejected or delivered else "none")


def _reported(
    trace: Trace | None, folder: RunFolder, patch: bytes, fate: Literal["delivered", "rejected", "none"]
) -> ReportedRun:
    told = trace or trace_of_events(folder.run_id, folder.read_events())
    return _with_patch(told, patch, fate if patch else "none", is_complete=trace is not None)


def _with_patch(
    trace: Trace, patch: bytes, fate: Literal["delivered", "rejected", "none"], *, is_complete: bool = True
) -> ReportedRun:
    files = read_patch(patch)
    return ReportedRun(trace, patch, fate, files, find_origins(files, trace.tool_calls), is_complete)


def read_trace_file(path: Path) -> ReportedRun:
    """Read a trace that a person names; where it lies in its run's folder, the patch beside it as well.

    Raises:
        UserError: it can't be read, or is no trace.
    """
    try:
        data = _bytes(path)
        trace = Trace.model_validate_json(data)
    except OSError as error:
        raise UserError(f"can't read `{path}`: {error.strerror}", hint=_HINT) from error
    except ValueError as error:
        # No JSON of that form, or a name that no file can have.
        raise UserError(f"`{path}` is no trace of a run", hint=_HINT) from error
    folder = path.absolute().parent
    if path.name == TRACE and folder.name == trace.run_id:
        return read_run(RunFolder(folder))
    return _with_patch(trace, b"", "none")


def _bytes(path: Path) -> bytes:
    # A FIFO that nobody writes to would keep us waiting.
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        os.close(opened)
        raise UserError(f"`{path}` is no regular file of at most {_LARGEST >> 20} MiB", hint=_HINT)
    with open(opened, "rb") as file:
        return file.read(_LARGEST)


def trace_of_events(run_id: str, told: Iterable[dict[str, Any]]) -> Trace:
    """The trace that a run's events give; those that can't be are left out."""
    record = Record()
    for values in told:
        event = _event(values)
        needs_round = isinstance(event, events.RoundFinished | events.ReplyRejected)
        if event is not None and not (needs_round and not record.rounds):
            record.listen(event)
    try:
        # Numbers that a trace can't hold are found out where they are read back, arguments that are too deep before.
        trace = Trace.model_validate_json(build_trace(record, "").model_dump_json(by_alias=True))
    except (ValueError, RecursionError):
        trace = build_trace(Record(), "")
    return trace.model_copy(update={"run_id": trace.run_id or printable(run_id)})


def _event(values: Mapping[str, Any]) -> events.Event | None:
    name = values.get("event")
    kind = events.EVENT_KINDS.get(name) if isinstance(name, str) else None
    if kind is None or kind in events.TRANSIENT:
        return None
    given = {field: value for field, value in values.items() if field != "event"}
    try:
        event: events.Event = _adapters()[kind.__name__].validate_python({**_MISSING.get(kind, {}), **given})
    except ValidationError:
        return None
    return event


@cache
def _adapters() -> dict[str, TypeAdapter[Any]]:
    return {name: TypeAdapter(kind) for name, kind in events.EVENT_KINDS.items()}


def before_words(check: CheckPart) -> str:
    """What a check gave on the base, in a few words."""
    if check.outcome in ("not_run", "not_installed") or (check.baseline == "none" and not check.findings_old):
        return "not measured"
    return findings_words(check.findings_old)


def after_words(check: CheckPart) -> str:
    """What a check gave on the change, in a few words."""
    match check.outcome:
        case "passed":
            kept = f", {findings_words(check.findings_old)} as before" if check.findings_old else ""
            return f"passed{kept}" + ("" if check.counts else " (says nothing about this change)")
        case "failed":
            old = f", {check.findings_old} old" if check.findings_old else ""
            return f"failed, {check.findings_new} new{old}"
        case _:
            return check.outcome.replace("_", " ")


def findings_words(number: int) -> str:
    """A number of findings in words."""
    return "clean" if number == 0 else f"{number} finding{'' if number == 1 else 's'}"
