"""Finds the run that shall be repeated: its trace, what its folder holds beside it, and the base that it started from.

A trace may come from anywhere: as a file, or with a repository that was downloaded. Of its settings only those are
taken that decide what the model is shown and what is promised; where a model runs, what it may cost, how checks are
isolated, which interpreter and which commands of the project's own they use is the user's to say. A run that was killed
has no trace; its events tell as much.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from orefactor.sandbox.base import Base, unreferenced_commit
from orefactor.sandbox.git import Git
from orefactor.sandbox.patch import applied_tree
from orefactor.sandbox.repository import Repository
from orefactor.sandbox.worktree import running

from .checks.catalogue import CHECKS
from .errors import ExitCode, UserError
from .outputs.patch_head import is_object_id
from .providers.replay import read_trace_file, require_calls
from .redact import printable
from .reporting import trace_of_events
from .setting_sources import from_git
from .trace import DIFFERENCE, RunFolder, find_change, require_change
from .trace_model import BasePart, Trace

_TAKEN = ("contract", "minimize", "context_tokens", "tool_protocol")
"""Settings of a trace that count wherever it is repeated."""
_OFFLINE_ONLY = ("allow", "max_iterations", "max_tokens", "max_output_tokens")
"""Those that count where nobody is asked and nothing is delivered."""
_REVIEWED = "review_result"


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded run.

    Attributes:
        folder: where its trace lies, perhaps with more of what the run kept.
        was_killed: whether it wrote no trace, so that this one is made from its events.
    """

    trace: Trace
    folder: RunFolder
    was_killed: bool = False

    @property
    def run_id(self) -> str:
        """The run's id, for people."""
        return printable(self.trace.run_id)[:60]

    @property
    def replies(self) -> int:
        """The number of the last round that has a reply; 0 where none has."""
        return max((part.round for part in self.trace.rounds if part.finish_reason), default=0)


def find_recording(repository: Repository, name: str | None) -> Recording:
    """The run that a file or an id means; the newest one for None.

    Raises:
        UserError: no such run, one that is still going on, a file that is no trace, a run without any event, or a
            review.
    """
    recording = _find(repository, name)
    require_change(recording.trace)
    _require_one_session(recording)
    require_calls(recording.trace, name or recording.run_id)
    return recording


def _require_one_session(recording: Recording) -> None:
    shards = recording.trace.shards
    if not shards:
        return
    first = next((printable(shard.run_id)[:60] for shard in shards if shard.run_id), "ID")
    raise UserError(
        f"the task of the run {recording.run_id} was split into {len(shards)} runs, and has no replies of its own",
        hint=f"name one of them, as `git orefactor show` lists them: `git orefactor replay {first}`",
    )


def _find(repository: Repository, name: str | None) -> Recording:
    if name is not None and os.path.lexists(name) and not os.path.isdir(name):
        return Recording(read_trace_file(Path(name)), RunFolder(Path(os.path.abspath(name)).parent))
    folder = find_change(repository.common_dir, name)
    trace = folder.read_trace()
    if trace is not None:
        return Recording(trace, folder)
    if folder.run_id in running(repository):
        raise UserError(f"the run {folder.run_id} is still going on", hint="wait for its end, or name another run")
    return Recording(_from_events(folder), folder, was_killed=True)


def _from_events(folder: RunFolder) -> Trace:
    trace = trace_of_events(folder.run_id, folder.read_events())
    if trace.base is None or not trace.task:
        raise UserError(
            f"the run {folder.run_id} kept nothing that can be repeated",
            hint="see `git orefactor runs` for the others",
        )
    return trace


def recorded_options(trace: Trace, repository: Repository, *, is_offline: bool) -> tuple[dict[str, Any], list[str]]:
    """The settings of a trace that may count, and the names of checks that aren't run.

    Args:
        is_offline: whether nobody is asked and nothing is delivered, so that its limits and allowances count as well.
    """
    names = (*_TAKEN, *(_OFFLINE_ONLY if is_offline else ()))
    options = {name: trace.settings[name] for name in names if trace.settings.get(name) is not None}
    options |= {name: tuple(cast("Any", value)) for name, value in options.items() if isinstance(value, list)}
    if trace.settings.get(_REVIEWED) is True:
        # Its other value would take away what the user's own settings ask for.
        options[_REVIEWED] = True
    told: Any = trace.settings.get("checks")
    if not isinstance(told, list):
        return options, []
    checks = [check for check in told if isinstance(check, str)]  # pyright: ignore[reportUnknownVariableType]
    known = {*CHECKS, *_own_checks(repository)}
    # With `=` it would be a command.
    options["checks"] = tuple(check for check in checks if check in known and "=" not in check)
    return options, [printable(check) for check in checks if check not in options["checks"]]


def _own_checks(repository: Repository) -> Collection[str]:
    """The names of the commands that the user's own configuration knows."""
    return {name for source in from_git(repository.config) for name in source.values.get("commands", ())}


def recorded_base(repository: Repository, recording: Recording) -> Base:
    """The base that the run started from, made anew where git has dropped its commit.

    Raises:
        UserError: it isn't here and can't be made; exit 7.
    """
    base, git = recording.trace.base, repository.git
    if base is None or not (is_object_id(base.commit) and is_object_id(base.tree)):
        raise UserError("the trace names no base", hint="take the `trace.json` of a run that got as far as that")
    head = base.head if base.head and _is_here(git, base.head, "commit") else None
    difference = recording.folder.read(DIFFERENCE) or b""
    if _is_here(git, base.commit, "commit") and _tree_of(git, base.commit) == base.tree:
        return Base(printable(base.source), base.commit, base.tree, head, difference)
    if _is_here(git, base.tree, "tree") or (head and difference and applied_tree(git, head, difference) == base.tree):
        # A snapshot's gets the id that it had.
        commit = unreferenced_commit(git, base.tree, head)
        return Base(printable(base.source), commit, base.tree, head, difference)
    raise _missing(base, head, difference)


def _missing(base: BasePart, head: str | None, difference: bytes) -> UserError:
    if head and difference:
        why = f"its `{DIFFERENCE}` doesn't give the tree {base.tree} on the commit {head}"
    elif head:
        why = f"neither is its tree, nor a `{DIFFERENCE}` beside the trace to make it from the commit {head}"
    else:
        why = f"neither is its tree {base.tree}" + (f", nor the commit {base.head} below it" if base.head else "")
    return UserError(
        f"the base {base.commit} of the run is not in this repository: {printable(why)[:300]}",
        hint=f"fetch it: `git fetch REMOTE {base.commit}`, or replay it where the run was made",
        exit_code=ExitCode.CONFLICT,
    )


def _is_here(git: Git, name: str, kind: str) -> bool:
    if not is_object_id(name):
        return False
    found = git.result("cat-file", "-t", name, ok=(0, 1, 128))
    return found.returncode == 0 and found.stdout.decode().strip() == kind


def _tree_of(git: Git, commit: str) -> str:
    return git.line("rev-parse", commit + "^{tree}")


def kept_tree(git: Git, recording: Recording, base: str, patches: Sequence[str]) -> str | None:
    """The recorded result's tree, where it is here or one of the run's patches gives it; else None."""
    tree = recording.trace.tree
    if tree is None or not is_object_id(tree):
        return None
    if _is_here(git, tree, "tree"):
        return tree
    kept = (recording.folder.read(name) for name in patches)
    return tree if any(patch and applied_tree(git, base, patch) == tree for patch in kept) else None
