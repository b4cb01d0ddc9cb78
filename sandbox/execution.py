"""The two ways to run a check: in a bubblewrap sandbox, or where it lies, with or without another confinement.

A check that may write works on a view or a copy of the tree in both.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from . import seccomp
from .bwrap import NOBODY, TEMPORARY, Layout, command_line
from .environment import PythonEnvironment
from .limits import Limits
from .memory import MemoryWatch
from .mounts import choose_way, copied, mount_points, plan, skeleton, whole
from .process import OUTPUT_LIMIT, ProcessResult, run_process
from .removal import remove_all
from .tree_copy import tree_copy
from .tree_views import TreeView, Way, view
from .variables import check_variables


@dataclass(frozen=True, slots=True)
class Command:
    """One check to run, see `Isolation.run`."""

    argv: Sequence[str]
    writable: bool
    timeout: float
    cancel: Callable[[], bool] | None = None
    output_limit: int = OUTPUT_LIMIT


@dataclass(frozen=True, slots=True)
class Folders:
    """What a check that isn't in bubblewrap works with.

    Attributes:
        tree: where it starts.
        temporary: its own folder, with `home` and `cache` in it.
        writable: whether it may write to the tree.
    """

    tree: Path
    temporary: Path
    writable: bool


Confine = Callable[[Sequence[str], Folders], Sequence[str]]
"""Makes the command line that starts a command in a confinement."""


def sandbox_variables(environment: PythonEnvironment | None) -> dict[str, str]:
    """The variables of a check in the sandbox, whose /tmp is its own."""
    return check_variables(environment, folder=TEMPORARY)


def run_sandboxed(bwrap: Path, layout: Layout, command: Command, limits: Limits, way: Way) -> ProcessResult:
    """Run a check under bubblewrap; `write_etc` must have been called for the layout's scratch folder.

    Args:
        way: how a check that may write sees the tree.

    Raises:
        UserError: it can't be started.
    """
    root = os.geteuid() == 0
    with _tree(layout, command, limits, way) as tree, _filter() as filters:
        words = command_line(
            bwrap,
            layout,
            [*tree.inside, *command.argv],
            mounts=plan(layout, tree.mounts),
            limits=limits,
            environ=sandbox_variables(layout.environment),
            root=root,
            seccomp_fd=filters[0] if filters else None,
        )
        return run_process(
            [*tree.before, *words],
            env={},  # what bwrap is started with can be read inside, whatever it is told to clear
            cwd=Path("/"),
            timeout=command.timeout,
            cancel=command.cancel,
            output_limit=command.output_limit,
            pass_fds=filters,
            memory=MemoryWatch(limits.total_memory_here, tree.place),
        )


def run_in_place(
    layout: Layout, command: Command, limits: Limits, confine: Confine, *, without_git: bool = False
) -> ProcessResult:
    """Run a check at the tree's own path, or at a copy's where it may write.

    Args:
        without_git: work on a copy also where the tree has git's own folder in it, which no worktree has.

    Raises:
        UserError: it can't be started.
    """
    needs_copy = command.writable or (without_git and (layout.tree / ".git").is_dir())
    with _folders(layout, command.writable, needs_copy) as folders:
        variables = check_variables(layout.environment, folder=str(folders.temporary))
        if layout.environment and layout.environment.installed_in_place:
            # Else the environment's own paths lead to the user's files, and these would be checked.
            variables["PYTHONPATH"] = f"{folders.tree / 'src'}{os.pathsep}{folders.tree}"
        result = run_process(
            confine(command.argv, folders),
            env=variables,
            cwd=folders.tree,
            timeout=command.timeout,
            cancel=command.cancel,
            output_limit=command.output_limit,
            memory=MemoryWatch(limits.total_memory_here),
        )
    # A copy's path means nothing to whoever reads this.
    copy, tree = os.fsencode(folders.tree), os.fsencode(layout.tree)
    return replace(result, stdout=result.stdout.replace(copy, tree), stderr=result.stderr.replace(copy, tree))


@contextmanager
def _tree(layout: Layout, command: Command, limits: Limits, way: Way) -> Generator[TreeView]:
    root = os.geteuid() == 0
    if command.writable:
        yield view(way, layout, limits, root=root)
        return
    shown = choose_way(layout)
    if shown == "copy":
        owner = NOBODY if root else None
        with tree_copy(layout.tree, layout.scratch, owner=owner, folders=mount_points(layout)) as copy:
            yield TreeView(copied(layout, copy))
    else:
        yield TreeView(skeleton(layout) if shown == "skeleton" else whole(layout))


@contextmanager
def _folders(layout: Layout, writable: bool, needs_copy: bool) -> Generator[Folders]:
    temporary = Path(tempfile.mkdtemp(prefix="tmp-", dir=layout.scratch))
    try:
        for name in ("home", "cache"):
            (temporary / name).mkdir()
        if needs_copy:
            with tree_copy(layout.tree, layout.scratch) as copy:
                yield Folders(copy, temporary, writable)
        else:
            yield Folders(layout.tree, temporary, False)
    finally:
        remove_all(temporary)


@contextmanager
def _filter() -> Generator[tuple[int, ...]]:
    """A descriptor of the system call filter; none for a machine that isn't in its tables."""
    program = seccomp.program()
    descriptors = () if program is None else (seccomp.memfd(program),)
    try:
        yield descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
