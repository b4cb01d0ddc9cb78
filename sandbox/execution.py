"""The two ways to run a check: in a bubblewrap sandbox, or plainly with a clean environment.

A check that may write works on a copy of the tree in both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import seccomp
from .bwrap import NOBODY, TEMPORARY, Layout, Limits, Mount, command_line
from .environment import PythonEnvironment
from .mounts import choose_way, copied, mount_points, plan, skeleton, whole
from .process import OUTPUT_LIMIT, ProcessResult, run_process
from .tree_copy import tree_copy
from .variables import check_variables

LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Command:
    """One check to run, see `Isolation.run`."""

    argv: Sequence[str]
    writable: bool
    timeout: float
    cancel: Callable[[], bool] | None = None
    output_limit: int = OUTPUT_LIMIT


def sandbox_variables(environment: PythonEnvironment | None) -> dict[str, str]:
    """The variables of a check in the sandbox, whose /tmp is its own."""
    return check_variables(environment, folder=TEMPORARY)


def run_sandboxed(bwrap: Path, layout: Layout, command: Command) -> ProcessResult:
    """Run a check under bubblewrap; `write_etc` must have been called for the layout's scratch folder.

    Raises:
        UserError: it can't be started.
    """
    with _tree(layout, command.writable) as tree, _filter() as filters:
        words = command_line(
            bwrap,
            layout,
            command.argv,
            mounts=plan(layout, tree),
            limits=LIMITS,
            environ=sandbox_variables(layout.environment),
            root=os.geteuid() == 0,
            seccomp_fd=filters[0] if filters else None,
        )
        return run_process(
            words,
            env={},  # what bwrap is started with can be read inside, whatever it is told to clear
            cwd=Path("/"),
            timeout=command.timeout,
            cancel=command.cancel,
            output_limit=command.output_limit,
            pass_fds=filters,
        )


def run_plainly(layout: Layout, command: Command) -> ProcessResult:
    """Run a check as the user; it can reach whatever the user can.

    Raises:
        UserError: it can't be started.
    """
    folder = layout.scratch / "plain"
    for name in ("home", "cache"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    variables = check_variables(layout.environment, folder=str(folder))
    with _plain_tree(layout, command.writable) as tree:
        if layout.environment and layout.environment.installed_in_place:
            # Else the environment's own paths lead to the user's files, and these would be checked.
            variables["PYTHONPATH"] = f"{tree / 'src'}{os.pathsep}{tree}"
        return run_process(
            command.argv,
            env=variables,
            cwd=tree,
            timeout=command.timeout,
            cancel=command.cancel,
            output_limit=command.output_limit,
        )


@contextmanager
def _tree(layout: Layout, writable: bool) -> Generator[list[Mount]]:
    way = "copy" if writable else choose_way(layout)
    if way == "copy":
        owner = NOBODY if os.geteuid() == 0 else None
        with tree_copy(layout.tree, layout.scratch, owner=owner, folders=mount_points(layout)) as copy:
            yield copied(layout, copy, writable=writable)
    else:
        yield skeleton(layout) if way == "skeleton" else whole(layout)


@contextmanager
def _plain_tree(layout: Layout, writable: bool) -> Generator[Path]:
    if writable:
        with tree_copy(layout.tree, layout.scratch) as copy:
            yield copy
    else:
        yield layout.tree


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
