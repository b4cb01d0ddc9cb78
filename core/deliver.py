"""Delivery: the patch, proven to give the same tree, and the commit on a branch. Nothing leaves a run that failed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.apply import apply_patch
from orefactor.sandbox.hooks import commit_hooks
from orefactor.sandbox.patch import applied_tree, write_patch
from orefactor.sandbox.shield import shield

from .clock import Clock
from .errors import ExitCode, RunStopped
from .events import Delivered, Listener
from .outputs.branch import create_branch, require_free_branch, write_commit
from .outputs.message import Summary, branch_slug, commit_message
from .outputs.patch import with_header
from .request import AUTO_BRANCH, Prepared
from .trace import PATCH, RunFolder


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is to be delivered.

    Attributes:
        tree: the result's tree.
        patch: the patch with its head; empty where nothing changed.
        model: the one that has answered.
    """

    tree: str
    patch: bytes
    summary: Summary
    model: str


def proven_patch(prepared: Prepared, tree: str, run_id: str) -> bytes:
    """The patch with its head, after it has given the result's tree on a clean private index.

    Raises:
        RunStopped: it gave another tree, or did not apply; that would be a bug of ours.
    """
    git, base = prepared.repository.git, prepared.base.commit
    patch = write_patch(git, base, tree)
    if applied_tree(git, base, patch) != tree:
        raise RunStopped(
            "gate",
            "proof",
            "the patch does not give the result's tree when it is applied to the base",
            hint="please report this with the run's trace",
            exit_code=ExitCode.GATE,
        )
    return with_header(patch, run_id, base, tree)


def deliver(prepared: Prepared, delivery: Delivery, folder: RunFolder, clock: Clock, emit: Listener) -> None:
    """Keep the patch with the run, then write the file and the branch that were asked for.

    Raises:
        UserError: the branch was made by somebody else meanwhile, or the file can't be written.
    """
    folder.write(PATCH, delivery.patch)
    request = prepared.request
    if request.output is not None:
        request.output.write_bytes(delivery.patch)
        emit(Delivered("patch", str(request.output)))
    if not delivery.patch:
        return
    if request.branch is not None:
        with shield():
            _deliver_branch(prepared, delivery, folder.run_id, clock, emit)
    elif request.output is None and not request.part_of:
        emit(Delivered("patch", "stdout"))


def _deliver_branch(prepared: Prepared, delivery: Delivery, run_id: str, clock: Clock, emit: Listener) -> None:
    repository, identities = prepared.repository, prepared.identities
    assert identities is not None
    name = branch_name(prepared, delivery.summary, run_id)
    require_free_branch(repository, name)
    message = commit_message(delivery.summary, run_id, delivery.model)
    commit = write_commit(repository, delivery.tree, prepared.base.commit, message, identities, clock.now())
    create_branch(repository, name, commit, identities)
    emit(Delivered("branch", name, commit, commit_hooks(repository)))


def branch_name(prepared: Prepared, summary: Summary, run_id: str) -> str:
    """The branch that was asked for; `auto` is spelled out."""
    asked = prepared.request.branch or AUTO_BRANCH
    return f"orefactor/{branch_slug(summary.title)}-{run_id}" if asked == AUTO_BRANCH else asked


def put_on_working_tree(prepared: Prepared, patch: bytes, emit: Listener) -> None:
    """Apply the patch to the user's files, because they asked for it.

    Raises:
        UserError: it doesn't fit; nothing is changed then.
    """
    if patch:
        with shield():
            apply_patch(prepared.repository, patch)
        emit(Delivered("applied", str(Path(prepared.repository.place))))
