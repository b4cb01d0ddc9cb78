"""Finds the branch that holds a run's result, proves it, and makes it where the run gave only a patch.

What is published has to be what the run's gate let pass: the commit must hold the tree that the trace names on the base
that it names. Commits that people have put on top are theirs to publish, and are said.
"""

from __future__ import annotations

from dataclasses import dataclass

from orefactor.sandbox.repository import Repository

from .clock import Clock
from .errors import ExitCode, UserError
from .outputs.branch import create_branch, read_identities, require_free_branch, write_commit
from .outputs.message import Summary, branch_slug, commit_message
from .outputs.patch_head import is_object_id
from .proof import prove_commit, prove_patch
from .trace import PATCH, RunFolder
from .trace_model import Trace


@dataclass(frozen=True, slots=True)
class ResultBranch:
    """A run's result on a branch.

    Attributes:
        commit: the run's own.
        tip: what the branch is at; the same unless people went on from there.
        on_top: how many commits people have put on it.
        exists: whether the branch is there.
    """

    name: str
    commit: str
    tip: str
    on_top: int = 0
    exists: bool = True


def require_result(folder: RunFolder) -> Trace:
    """The trace of a run that has something to publish.

    Raises:
        UserError: it was interrupted, stopped or refused (exit 3), or started from uncommitted work (exit 7).
    """
    trace = folder.read_trace()
    if trace is None or trace.run_id != folder.run_id or trace.status != "completed" or trace.tree is None:
        why = f": {trace.message}" if trace is not None else ", since it was interrupted"
        raise UserError(
            f"the run {folder.run_id} gave no result{why}",
            hint="see `git orefactor show`, or another run in `git orefactor runs`",
            exit_code=ExitCode.GATE,
        )
    base = trace.base
    if base is not None and base.source in ("worktree", "index") and base.commit != base.head and trace.files_changed:
        raise UserError(
            f"the run {folder.run_id} started from uncommitted work, which would be published along with it",
            hint="commit first, and run the task again with `--branch auto`, which starts from HEAD",
            exit_code=ExitCode.CONFLICT,
        )
    return trace


def find_branch(repository: Repository, folder: RunFolder, trace: Trace) -> ResultBranch:
    """The branch with the result, or the one that would have to be made.

    Raises:
        UserError: the result can't be proven, or the branch holds something else by now.
    """
    name = trace.branch or f"orefactor/{branch_slug(trace.summary.title)}-{trace.run_id}"
    if not is_branch_name(repository, name):
        raise UserError("the trace names a branch that can't be one", hint="see `git orefactor show`")
    found = repository.git.result("rev-parse", "--verify", "--quiet", f"refs/heads/{name}", ok=(0, 1, 128))
    tip = found.stdout.decode().strip() if found.returncode == 0 else ""
    commit = trace.commit if trace.branch is not None else None
    if commit is None:
        if not tip:
            return _from_patch(repository, folder, name)
        commit = _first_of_run(repository, trace, tip)
    if not is_object_id(commit):
        raise UserError("the trace names a commit that can't be one", hint="see `git orefactor show`")
    if tip and not is_ancestor(repository, commit, tip):
        commit = _written_again(repository, trace, name, tip)
    prove_commit(repository, commit)
    if not tip or tip == commit:
        return ResultBranch(name, commit, commit, exists=bool(tip))
    return ResultBranch(name, commit, tip, count_commits(repository, commit, tip))


def _written_again(repository: Repository, trace: Trace, name: str, tip: str) -> str:
    """The run's commit as somebody has written it again, to run the hooks for instance: it has to hold the same."""
    commit = _first_of_run(repository, trace, tip)
    try:
        prove_commit(repository, commit)
    except UserError as error:
        raise UserError(
            f"the branch `{name}` no longer holds the run's result: {error.message}",
            hint=f"publish it by yourself, or put the run's own back: `git branch --force {name} {trace.commit}`",
            exit_code=ExitCode.CONFLICT,
        ) from error
    return commit


def _first_of_run(repository: Repository, trace: Trace, tip: str) -> str:
    """The commit of the run on a branch that was made from its patch: the first one after the base."""
    base = trace.base.commit if trace.base else ""
    if not is_object_id(base):
        return tip
    line = repository.git.run("rev-list", "--first-parent", "--reverse", f"{base}..{tip}", "--", ok=(0, 128))
    return line.decode().partition("\n")[0] or tip


def _from_patch(repository: Repository, folder: RunFolder, name: str) -> ResultBranch:
    patch = folder.read(PATCH)
    if not patch:
        raise UserError(
            f"the run {folder.run_id} keeps no patch",
            hint="run the task again with `--branch auto`",
            exit_code=ExitCode.GATE,
        )
    proof = prove_patch(repository, patch)
    if proof.start != proof.base:
        raise UserError(
            f"the commit {proof.base[:12]} that the run {folder.run_id} started from is not here any more",
            hint="run the task again with `--branch auto`",
            exit_code=ExitCode.CONFLICT,
        )
    require_free_branch(repository, name)
    return ResultBranch(name, "", "", exists=False)


def make_branch(repository: Repository, trace: Trace, name: str, clock: Clock) -> ResultBranch:
    """Make the branch from the kept result, as the run would have with `--branch`.

    Raises:
        UserError: git knows no identity, or the branch was made by somebody else meanwhile.
    """
    assert trace.tree is not None
    assert trace.base is not None
    identities = read_identities(repository)
    summary = Summary(trace.summary.title, trace.summary.body, trace.summary.follow_ups)
    models = [entry.model for entry in trace.rounds if entry.model]
    message = commit_message(summary, trace.run_id, models[-1] if models else trace.provider)
    commit = write_commit(repository, trace.tree, trace.base.commit, message, identities, clock.now())
    create_branch(repository, name, commit, identities)
    return ResultBranch(name, commit, commit)


def is_branch_name(repository: Repository, name: str) -> bool:
    """Whether a branch can have that name; unlike with git's `--branch`, no name stands for another one.

    A forge takes names in UTF-8 only, and nobody wants to see others.
    """
    full = f"refs/heads/{name}"
    is_good = not name.startswith("-") and name.isprintable()
    return is_good and repository.git.result("check-ref-format", full, ok=(0, 1, 128)).returncode == 0


def count_commits(repository: Repository, older: str, newer: str) -> int:
    """How many commits one has that the other one doesn't; 1 where the older one isn't here, so that it isn't known."""
    counted = repository.git.result("rev-list", "--count", f"{older}..{newer}", "--", ok=(0, 128))
    return int(counted.stdout) if counted.returncode == 0 else 1


def is_ancestor(repository: Repository, older: str, newer: str) -> bool:
    """Whether a commit is part of another one's history; False where it isn't here."""
    return repository.git.result("merge-base", "--is-ancestor", older, newer, ok=(0, 1, 128)).returncode == 0
