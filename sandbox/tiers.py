"""Opens each tier: what runs checks there, or why it doesn't work here.

A tier is believed only after `probe.py` has tried to get out of it, with the command line that checks get.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

from . import seccomp
from .bwrap import NOBODY, Layout, etc_folder, find_bwrap
from .confinement import by_landlock, by_seatbelt, limited, unconfined
from .diagnosis import NO_FILTER, NO_SEATBELT, Failure, diagnose, missing, this_machine
from .errors import UserError
from .etc import write_etc
from .execution import Command, run_in_place, run_sandboxed, sandbox_variables
from .limits import Limits
from .probe import ProbeError, ProbeLine, run_probe
from .process import ProcessResult, run_process
from .seatbelt import SANDBOX_EXEC
from .tree_views import Way, ways

Tier = Literal["bwrap", "landlock", "sandbox-exec", "external", "none"]

SECONDS_TO_PROBE = 20.0
# Held by the filter alone; on a machine that it doesn't know they are only told about.
FROM_THE_FILTER = {"vsock", "namespaces"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A tier that works.

    Attributes:
        run: runs a check.
        in_place: whether the tree stands at its own path and not at the repository's.
        anew: gives the same at another tree, not probed.
        probe: what was tried to get out of it.
    """

    tier: Tier
    run: Callable[[Command], ProcessResult]
    in_place: bool
    anew: Callable[[Layout], Opened]
    probe: tuple[ProbeLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """A tier that doesn't work here."""

    failure: Failure
    probe: tuple[ProbeLine, ...] = ()


class _Bubblewrap:
    """Runs checks under bubblewrap; how they may write is found out when the first one wants to."""

    def __init__(self, bwrap: Path, layout: Layout, limits: Limits) -> None:
        self._bwrap, self._layout, self._limits = bwrap, layout, limits
        self._lock = threading.Lock()
        self._way: Way | None = None

    def run(self, command: Command) -> ProcessResult:
        """Run a check."""
        way = self._writable(command) if command.writable else "copy"
        return run_sandboxed(self._bwrap, self._layout, command, self._limits, way)

    def _writable(self, command: Command) -> Way:
        with self._lock:
            if self._way is None:
                self._way = self._first_that_works(command)
            return self._way

    def _first_that_works(self, command: Command) -> Way:
        root = os.geteuid() == 0
        for way in ways(self._layout, root=root, has_overlays=lambda: has_overlays(self._bwrap)):
            if way != "copy" and self._works(way, command):
                return way
        return "copy"

    def _works(self, way: Way, command: Command) -> bool:
        trial = Command(("sh", "-c", "echo > .orefactor-trial"), True, SECONDS_TO_PROBE, command.cancel)
        return run_sandboxed(self._bwrap, self._layout, trial, self._limits, way).returncode == 0


@cache
def has_overlays(bwrap: Path) -> bool:
    """Whether this bubblewrap can make overlays, as its help says."""
    said = run_process([str(bwrap), "--help"], env={}, cwd=Path("/"), timeout=SECONDS_TO_PROBE)
    return b"--tmp-overlay" in said.stdout


def open_bwrap(
    layout: Layout, limits: Limits, cancel: Callable[[], bool] | None, *, bwrap: Path | None = None
) -> Opened | Closed:
    """Bubblewrap, as `bwrap.py` says.

    Args:
        bwrap: the program; by default the system's.
    """
    bwrap = bwrap or find_bwrap()
    if bwrap is None:
        return Closed(missing(this_machine()))
    return _probed(_in_bwrap(bwrap, limits, layout), str(bwrap), layout, cancel)


def _in_bwrap(bwrap: Path, limits: Limits, layout: Layout) -> Opened:
    nobody = os.geteuid() == 0
    write_etc(etc_folder(layout.scratch), NOBODY if nobody else os.geteuid(), NOBODY if nobody else os.getegid())
    run = _Bubblewrap(bwrap, layout, limits).run
    return Opened("bwrap", run, in_place=False, anew=partial(_in_bwrap, bwrap, limits))


def reopen(opened: Opened, layout: Layout) -> Opened:
    """The same tier at another tree of the same repository.

    It isn't probed once more: of what the probe tries, nothing depends on which of our own folders the tree is.
    """
    return replace(opened.anew(layout), probe=opened.probe)


def open_landlock(layout: Layout, limits: Limits, cancel: Callable[[], bool] | None) -> Opened | Closed:
    """Landlock, as `landlock.py` says."""
    if by_landlock(layout, limits) is None:
        return Closed(NO_FILTER)
    return _probed(_in_landlock(limits, layout), "Landlock", layout, cancel)


def _in_landlock(limits: Limits, layout: Layout) -> Opened:
    confine = by_landlock(layout, limits)
    assert confine is not None
    run = partial(run_in_place, layout, limits=limits, confine=confine, without_git=True)
    return Opened("landlock", run, in_place=True, anew=partial(_in_landlock, limits))


def open_seatbelt(
    layout: Layout, limits: Limits, cancel: Callable[[], bool] | None, *, program: Path = SANDBOX_EXEC
) -> Opened | Closed:
    """The sandbox of macOS."""
    if not program.exists():
        return Closed(NO_SEATBELT)
    return _probed(_in_seatbelt(program, limits, layout), str(program), layout, cancel)


def _in_seatbelt(program: Path, limits: Limits, layout: Layout) -> Opened:
    run = partial(run_in_place, layout, limits=limits, confine=by_seatbelt(layout, program), without_git=True)
    return Opened("sandbox-exec", run, in_place=True, anew=partial(_in_seatbelt, program, limits))


def open_external(layout: Layout, limits: Limits) -> Opened:
    """A container or machine that the user made for this; only limits, taken at the user's word."""
    run = partial(run_in_place, layout, limits=limits, confine=limited(limits))
    return Opened("external", run, in_place=True, anew=lambda other: open_external(other, limits))


def open_none(layout: Layout, limits: Limits) -> Opened:
    """No isolation; only for checks that run none of the project's code."""
    run = partial(run_in_place, layout, limits=limits, confine=unconfined)
    return Opened("none", run, in_place=True, anew=lambda other: open_none(other, limits))


def _probed(opened: Opened, tried: str, layout: Layout, cancel: Callable[[], bool] | None) -> Opened | Closed:
    def run(argv: Sequence[str]) -> ProcessResult:
        return opened.run(Command(argv, False, SECONDS_TO_PROBE, cancel))

    try:
        # In place a project that is installed in place needs it, see `run_in_place`.
        variables = [*sandbox_variables(layout.environment), *(["PYTHONPATH"] if opened.in_place else [])]
        lines = run_probe(run, layout, variables, in_place=opened.in_place)
    except ProbeError as error:
        return Closed(diagnose(tried, str(error), this_machine()))
    except UserError as error:
        return Closed(diagnose(tried, error.message, this_machine()))
    if wrong := _wrong(lines):
        said = f"the sandbox starts, but did not isolate: {wrong}"
        return Closed(diagnose(tried, said, this_machine()), lines)
    return replace(opened, probe=lines)


def _wrong(lines: Sequence[ProbeLine]) -> str:
    """The assertions that don't hold."""
    accepted = set[str]() if seccomp.program() else FROM_THE_FILTER
    return "; ".join(f"{line.name}: {line.detail}" for line in lines if not line.ok and line.name not in accepted)
