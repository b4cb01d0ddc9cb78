"""Where a run's checks are executed: in the strongest isolation that works here, or plainly where the user lets them.

What works is found out when the first check is started or when somebody asks, once; until then opening costs
nothing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from .bwrap import Layout
from .diagnosis import Failure
from .errors import ExitCode, UserError
from .execution import Command
from .limits import Limits
from .probe import ProbeLine
from .process import OUTPUT_LIMIT, ProcessResult
from .tiers import Closed, Opened, Tier, open_bwrap, open_external, open_landlock, open_none, open_seatbelt, reopen

Mode = Literal["auto", "bwrap", "landlock", "external", "none"]


def open_isolation(
    mode: Mode, layout: Layout, *, cancel: Callable[[], bool] | None = None, limits: Limits | None = None
) -> Isolation:
    """Prepare to run checks; nothing is started yet.

    Args:
        mode: `auto`, the first tier that works, and none where none does, with the reasons in `failures`; `bwrap` or
            `landlock`, that or nothing; `external`, the caller's word that this machine is a throwaway; `none`,
            plain by choice.
        layout: what the checks work on.
        cancel: asked while the probe runs; true ends it.
        limits: what one check may use.
    """
    return Isolation(mode, layout, cancel, limits or Limits())


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found out, once.

    Attributes:
        opened: what runs checks.
        failures: of the tiers that were tried before.
        probe: of the tier that is used, or of the last one that was tried.
    """

    opened: Opened
    failures: tuple[Failure, ...]
    probe: tuple[ProbeLine, ...]


class Isolation:
    """Runs a run's checks. Any thread may use it, several at once."""

    def __init__(
        self,
        mode: Mode,
        layout: Layout,
        cancel: Callable[[], bool] | None,
        limits: Limits,
        like: Isolation | None = None,
    ) -> None:
        self._like = like
        self._mode: Mode = mode
        self._layout = layout
        self._cancel = cancel
        self._limits = limits
        self._lock = threading.Lock()
        self._known: _Found | None = None

    def at(self, layout: Layout, cancel: Callable[[], bool] | None) -> Isolation:
        """The same for another tree of the same repository; what works is found out once, for all of them."""
        return Isolation(self._mode, layout, cancel, self._limits, self)

    @property
    def tier(self) -> Tier:
        """How checks are run.

        Raises:
            UserError: mode `bwrap` or `landlock`, and it doesn't work; from the other properties too.
        """
        return self._found().opened.tier

    @property
    def isolated(self) -> bool:
        """Whether a model's code may be executed: it reaches neither the user's files nor a network."""
        return self.tier != "none"

    @property
    def place(self) -> Path:
        """Where the tree stands for a check that doesn't write."""
        return self._layout.tree if self._found().opened.in_place else self._layout.repository

    @property
    def probe(self) -> tuple[ProbeLine, ...]:
        """What the probe found; empty where there was nothing to probe."""
        return self._found().probe

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Why there is no better isolation although it was wanted, in the order of trying."""
        return self._found().failures

    @property
    def failure(self) -> Failure | None:
        """The first of them: of the best tier."""
        return next(iter(self.failures), None)

    def run(
        self,
        command: Sequence[str],
        *,
        writable: bool,
        timeout: float,
        cancel: Callable[[], bool] | None = None,
        output_limit: int = OUTPUT_LIMIT,
    ) -> ProcessResult:
        """Run a check in the tree's top folder.

        Args:
            command: program and arguments; nothing of it is interpreted.
            writable: whether it may write; it then works on a view or a copy that is thrown away.
            timeout: seconds.
            cancel: asked every 50 ms; true ends it.
            output_limit: bytes kept of each stream.

        Raises:
            UserError: it can't be started; or mode `bwrap` or `landlock`, and that doesn't work.
        """
        return self._found().opened.run(Command(command, writable, timeout, cancel, output_limit))

    def _found(self) -> _Found:
        with self._lock:
            if self._known is None:
                self._known = self._find()
            known = self._known
        if known.failures and self._mode in ("bwrap", "landlock"):
            failure = known.failures[0]
            raise UserError(f"no working sandbox: {failure.line}", hint=failure.fix, exit_code=ExitCode.ENVIRONMENT)
        return known

    def _find(self) -> _Found:
        if self._like is not None:
            known = self._like._found()
            return replace(known, opened=reopen(known.opened, self._layout))
        failures: list[Failure] = []
        probe: tuple[ProbeLine, ...] = ()
        for tried in self._tiers():
            if isinstance(tried, Opened):
                return _Found(tried, tuple(failures), tried.probe or probe)
            failures.append(tried.failure)
            probe = tried.probe or probe
        return _Found(open_none(self._layout, self._limits), tuple(failures), probe)

    def _tiers(self) -> Iterator[Opened | Closed]:
        """What the mode allows, best first."""
        layout, limits, cancel = self._layout, self._limits, self._cancel
        match self._mode:
            case "external":
                yield open_external(layout, limits)
            case "none":
                return
            case "auto" if sys.platform == "darwin":
                yield open_seatbelt(layout, limits, cancel)
            case "auto":
                yield open_bwrap(layout, limits, cancel)
                yield open_landlock(layout, limits, cancel)
            case "bwrap":
                yield open_bwrap(layout, limits, cancel)
            case "landlock":
                yield open_landlock(layout, limits, cancel)
