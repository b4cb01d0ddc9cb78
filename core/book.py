"""Keeps the books of one run: events to their listeners, the trace, and what belongs to the user before and after."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orefactor import __version__
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.user_state import UserState, read_user_state

from . import events
from .clock import Clock, SystemClock
from .gate import Outcome
from .keys import whole_environment
from .limits import Ledger, Limits
from .log import make_log
from .outputs.message import Summary
from .reasoning_file import ReasoningFile
from .record import Record
from .redact import Redactor, printable
from .request import Prepared
from .trace import DIFFERENCE, REJECTED, EventFile, RunFolder, make_part_folder, make_run_folder
from .trace_building import build_trace
from .trace_model import Trace

if TYPE_CHECKING:
    from .judging import Judgement
    from .sharding.pacing import Pacing
    from .sharding.share import Share


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run is given by its caller besides the request.

    Attributes:
        listeners: are given every event.
        cancelled: asked between steps whether to stop.
        share: what shards of one run have together; None where the run is no shard.
    """

    listeners: Sequence[events.Listener] = ()
    cancelled: Callable[[], bool] = lambda: False
    clock: Clock = field(default_factory=SystemClock)
    share: Share | None = None

    @property
    def pacing(self) -> Pacing | None:
        """When a server may be asked; None where nobody else asks it."""
        return self.share.pacing if self.share else None

    def new_folder(self, common_dir: Path, run_id: str) -> RunFolder:
        """The folder of one run; a shard's lies in the whole's.

        Raises:
            UserError: it can't be made.
        """
        if self.share is None:
            return make_run_folder(common_dir, run_id)
        return make_part_folder(self.share.folder, run_id)

    def new_ledger(self, limits: Limits) -> Ledger:
        """The ledger of one session; a shard's draws on what all shards have."""
        if self.share is None:
            return Ledger(limits, self.clock)
        return self.share.new_ledger(limits, self.clock, self.cancelled)


class RunBook:
    """The record of one run.

    Attributes:
        folder: the run's folder.
        redactor: takes secrets out of whatever is written.
        record: what has happened so far.
        reasoning: keeps what the model thought, beside the trace.
        partial: the patch of a change that was stopped on its way.
    """

    def __init__(
        self,
        prepared: Prepared,
        folder: RunFolder,
        surroundings: Surroundings,
        started: str,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Open the files.

        Args:
            started: when the run began, as ISO 8601 has it.
            settings: what is shown of them beside those that every run has.
        """
        self._more_settings = settings or {}
        self._prepared = prepared
        self._surroundings = surroundings
        self._started = started
        self.folder = folder
        self.redactor = Redactor(whole_environment())
        self.record = Record()
        self.partial = b""
        self._file = EventFile(folder)
        self.reasoning = ReasoningFile(folder, self.redactor)
        log = make_log()
        own = [self._file.listen, self.record.listen, *([log.listen] if log else [])]
        self._listeners = [*own, *surroundings.listeners]
        # What belongs to the user the whole looks after; looking takes long in a large repository.
        self._is_part = surroundings.share is not None
        self._begun = 0.0
        self._before: UserState | None = None

    def emit(self, event: events.Event) -> None:
        """Tell every listener."""
        for listener in self._listeners:
            listener(event)

    def open(self) -> None:
        """The first events, after a look at what belongs to the user."""
        prepared = self._prepared
        self._begun = self._surroundings.clock.monotonic()
        if not self._is_part:
            self._before = read_user_state(prepared.repository, own_file=prepared.request.output)
        prepared, base = self._prepared, self._prepared.base
        if base.difference:
            self.folder.write(DIFFERENCE, base.difference)
        shown = prepared.settings.model_dump(mode="json", exclude_none=True)
        shown |= {"model": prepared.model, "checks": list(prepared.checks), **self._more_settings}
        self.emit(
            events.RunStarted(
                self.folder.run_id,
                self.redactor.text(prepared.request.task),
                tuple(map(printable, prepared.paths)),
                self.redactor.value(shown),
                __version__,
            )
        )
        self.emit(events.BaseTaken(base.source, base.commit, base.tree, base.head))

    def reach(self, outcome: Outcome, verified: Judgement | None, summary: Summary) -> None:
        """Note the outcome with what the result is."""
        paths = {p for c in (verified.changes if verified else ()) for p in (c.path, c.old_path) if p}
        self.emit(
            events.OutcomeReached(
                outcome.status,
                outcome.reason,
                int(outcome.exit_code),
                outcome.verified,
                self.redactor.text(outcome.message),
                outcome.hint,
                tuple(sorted(map(printable, map(_utf8, paths)))),
                verified.tree if verified else None,
                self.redactor.text(summary.title),
                self.redactor.text(summary.body),
                tuple(map(self.redactor.text, summary.follow_ups)),
            )
        )

    def compare_user_state(self) -> None:
        """Note whether what belongs to the user is as before, our own branch and file left out."""
        branches = [delivered.what for delivered in self.record.delivered if delivered.kind == "branch"]
        own = f"refs/heads/{branches[0]}" if branches else None
        assert self._before is not None
        after = read_user_state(self._prepared.repository, own_branch=own, own_file=self._prepared.request.output)
        same = self._before == after
        self.emit(events.UserStateCompared(asdict(self._before), asdict(after), same))

    def keep_rejected(self, verified: Judgement | None) -> None:
        """Keep a change that is not delivered, whole or as far as it came."""
        patch = self.partial
        if verified is not None and verified.changes:
            patch = write_patch(self._prepared.repository.git, self._prepared.base.commit, verified.tree)
        if patch:
            self.folder.write(REJECTED, patch)

    @property
    def model(self) -> str:
        """The model that gave the last reply."""
        return next((part.model for part in reversed(self.record.rounds) if part.model), self._prepared.model)

    def weaker_isolation(self) -> str:
        """The tier that checks ran in, where it was not bubblewrap."""
        probed = self.record.isolation
        return probed.tier if probed and probed.tier != "bwrap" and self.record.checks else ""

    def end(self) -> tuple[Trace, Path]:
        """The last events and the trace."""
        try:
            if self.record.user_state is None and not self._is_part:
                self.compare_user_state()
            seconds = self._surroundings.clock.monotonic() - self._begun
            self.emit(events.RunEnded(round(seconds * 1000)))
            trace = build_trace(self.record, self._started)
            return trace, self.folder.write_trace(trace)
        finally:
            self._close_files()

    def discard(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            # On a full disk closing fails to write what is left, and closes all the same.
            self._close_files()
        self.folder.remove()

    def _close_files(self) -> None:
        try:
            self.reasoning.close()
        finally:
            self._file.close()


def _utf8(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
