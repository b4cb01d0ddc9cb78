"""Runs a run's required checks once more: on a proven result in a throwaway worktree, against its base in another.

Checks of our own catalogue run, and commands that the person says. A trace may be a stranger's, so a command that it
names is never taken from there.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from orefactor.sandbox.build_products import copy_build_products
from orefactor.sandbox.files import Root
from orefactor.sandbox.repository import Repository
from orefactor.sandbox.worktree import Worktree, throwaway_worktree

from .checks.catalogue import CHECKS, DEFAULT_CHECKS
from .checks.host import CheckHost, HostSettings
from .checks.own import OwnCommand
from .checks.required import CheckResult, run_required
from .checks.targets import changed_files
from .errors import ExitCode, ToolError, UserError
from .proof import Proof
from .settings import Settings

# Of throwaway commits that nothing refers to; the same trees give the same ids.
_IDENTITY: Mapping[str, str] = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "git-orefactor"), ("EMAIL", "orefactor@localhost"), ("DATE", "@0 +0000"))
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which checks a result has to pass.

    Attributes:
        names: those of the catalogue.
        unknown: what else the trace names; these are commands of the project's own.
    """

    names: tuple[str, ...]
    unknown: tuple[str, ...] = ()


def wanted_checks(proof: Proof) -> Wanted:
    """The required checks that the run's trace names; the default ones where the run isn't kept."""
    if proof.trace is None:
        return Wanted(DEFAULT_CHECKS)
    named: Any = proof.trace.settings.get("checks")
    if not isinstance(named, list):
        return Wanted(DEFAULT_CHECKS)
    texts = [name for name in named if isinstance(name, str)]  # pyright: ignore[reportUnknownVariableType]
    known = tuple(name for name in texts if name in CHECKS)
    return Wanted(tuple(dict.fromkeys(known)), tuple(dict.fromkeys(name for name in texts if name not in CHECKS)))


def recheck(
    repository: Repository,
    proof: Proof,
    names: Sequence[str],
    settings: Settings,
    own: tuple[OwnCommand, ...] = (),
) -> tuple[CheckResult, ...]:
    """Run the checks on the proven result; only what the base did not already have counts against it.

    Args:
        settings: of the isolation, the interpreter and the time of one check.
        own: the project's own commands, as the person says them.

    Raises:
        UserError: a worktree can't be made, the project's Python doesn't start, or the base can't be checked.
    """
    stopped = threading.Event()
    with ExitStack() as stack:
        worktree = stack.enter_context(_worktree(repository, proof.commit or _commit(repository, proof.tree)))
        root = Root(worktree.path)
        host = CheckHost(root, lambda: worktree.scratch, _host_settings(repository, settings, stopped, own))
        base_host = partial(_at_base, repository, proof, host, stack)
        try:
            return tuple(run_required(names, changed_files(root, proof.changes), host, base_host, stopped.set))
        except ToolError as error:
            raise UserError(
                f"the base could not be checked: {error}",
                hint="see `git orefactor doctor`",
                exit_code=ExitCode.ENVIRONMENT,
            ) from error


def _host_settings(
    repository: Repository, settings: Settings, stopped: threading.Event, own: tuple[OwnCommand, ...]
) -> HostSettings:
    return HostSettings(
        place=Path(os.path.realpath(repository.place)),
        mode=settings.sandbox,
        python=Path(settings.python) if settings.python else None,
        seconds=lambda: settings.tool_timeout,
        cancelled=stopped.is_set,
        own=own,
    )


@contextmanager
def _worktree(repository: Repository, commit: str) -> Generator[Worktree]:
    with throwaway_worktree(repository, commit, f"verify-{secrets.token_hex(6)}") as worktree:
        copy_build_products(repository, Root(worktree.path))
        yield worktree


def _commit(repository: Repository, tree: str) -> str:
    """A commit that holds the tree, since a worktree needs one."""
    made = repository.git.result("commit-tree", "--no-gpg-sign", tree, stdin=b"orefactor: verify\n", identity=_IDENTITY)
    return made.stdout.decode().strip()


def _at_base(repository: Repository, proof: Proof, host: CheckHost, stack: ExitStack) -> CheckHost:
    """Check out the base, which is asked for once, and only where a comparison needs it."""
    commit = proof.base if proof.start == proof.base else _commit(repository, proof.start)
    worktree = stack.enter_context(_worktree(repository, commit))
    return host.elsewhere(Root(worktree.path), worktree.scratch)
