"""Where a run's checks are executed: in a bubblewrap sandbox, or plainly where the user lets them.

Whether the sandbox works is found out when the first check is started or when somebody asks, once; until then
opening costs nothing. It is believed only after `probe.py` has tried to get out of it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import seccomp
from .bwrap import NOBODY, Layout, etc_folder, find_bwrap
from .diagnosis import MISSING, Failure, diagnose
from .errors import ExitCode, UserError
from .etc import write_etc
from .execution import Command, run_plainly, run_sandboxed, sandbox_variables
from .probe import ProbeError, ProbeLine, run_probe
from .process import OUTPUT_LIMIT, ProcessResult

Mode = Literal["auto", "bwrap", "none"]
Tier = Literal["bwrap", "none"]

SECONDS_TO_PROBE = 20.0


def open_isolation(mode: Mode, layout: Layout, *, cancel: Callable[[], bool] | None = None) -> Isolation:
    """Prepare to run checks; nothing is started yet.

    Args:
        mode: `bwrap` or nothing; `auto`, which falls back to none and says why in `failure`; `none`, plain by
            choice.
        layout: what the checks work on.
        cancel: asked while the probe runs; true ends it.
    """
    return Isolation(mode, layout, cancel)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found out, once: the program to use, or why there is none."""

    bwrap: Path | None = None
    probe: tuple[ProbeLine, ...] = ()
    failure: Failure | None = None


class Isolation:
    """Runs a run's checks. Any thread may use it, several at once."""

    def __init__(self, mode: Mode, layout: Layout, cancel: Callable[[], bool] | None = None) -> None:
        self._mode = mode
        self._layout = layout
        self._cancel = cancel
        self._lock = threading.Lock()
        self._known: _Found | None = _Found() if mode == "none" else None

    @property
    def tier(self) -> Tier:
        """How checks are run.

        Raises:
            UserError: mode `bwrap`, and it doesn't work; from the other properties too.
        """
        return "bwrap" if self._found().bwrap else "none"

    @property
    def isolated(self) -> bool:
        """Whether a model's code may be executed: it reaches neither the user's files nor a network."""
        return self.tier == "bwrap"

    @property
    def probe(self) -> tuple[ProbeLine, ...]:
        """What the probe found; empty where there was nothing to probe."""
        return self._found().probe

    @property
    def failure(self) -> Failure | None:
        """Why there is no isolation although it was wanted."""
        return self._found().failure

    def run(
        self,
        command: Sequence[str],
        *,
        writable: bool,
        timeout: float,
        cancel: Callable[[], bool] | None = None,
        output_limit: int = OUTPUT_LIMIT,
    ) -> ProcessResult:
        """Run a check in the tree's top folder, which is at the repository's path where it is isolated.

        Args:
            command: program and arguments; nothing of it is interpreted.
            writable: whether it may write; it then works on a copy that is thrown away.
            timeout: seconds.
            cancel: asked every 50 ms; true ends it.
            output_limit: bytes kept of each stream.

        Raises:
            UserError: it can't be started; or mode `bwrap`, and that doesn't work.
        """
        bwrap = self._found().bwrap
        work = Command(command, writable, timeout, cancel, output_limit)
        return run_sandboxed(bwrap, self._layout, work) if bwrap else run_plainly(self._layout, work)

    def _found(self) -> _Found:
        with self._lock:
            if self._known is None:
                self._known = _find(self._layout, self._cancel)
            known = self._known
        if known.failure and self._mode == "bwrap":
            raise UserError(
                f"no working sandbox: {known.failure.tried}: {known.failure.error} ({known.failure.cause})",
                hint=known.failure.fix,
                exit_code=ExitCode.ENVIRONMENT,
            )
        return known


def _find(layout: Layout, cancel: Callable[[], bool] | None) -> _Found:
    bwrap = find_bwrap()
    if bwrap is None:
        return _Found(failure=MISSING)
    nobody = os.geteuid() == 0
    write_etc(etc_folder(layout.scratch), NOBODY if nobody else os.geteuid(), NOBODY if nobody else os.getegid())

    def run(argv: Sequence[str]) -> ProcessResult:
        return run_sandboxed(bwrap, layout, Command(argv, False, SECONDS_TO_PROBE, cancel))

    try:
        lines = run_probe(run, layout, sandbox_variables(layout.environment))
    except ProbeError as error:
        return _Found(failure=diagnose(str(bwrap), str(error)))
    if wrong := _wrong(lines):
        said = f"the sandbox starts, but did not isolate: {wrong}"
        return _Found(probe=lines, failure=diagnose(str(bwrap), said))
    return _Found(bwrap, lines)


def _wrong(lines: Sequence[ProbeLine]) -> str:
    """The assertions that don't hold; without a filter for this machine, vsock is only told about."""
    accepted = set[str]() if seccomp.program() else {"vsock"}
    return "; ".join(f"{line.name}: {line.detail}" for line in lines if not line.ok and line.name not in accepted)
