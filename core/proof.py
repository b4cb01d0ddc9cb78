"""Proves, with nothing but the repository at hand, that a patch or a commit gives the tree that its run names.

A patch is applied to a clean private index at the base that its head names; what it gives there must be the tree at
its head and, where the run is kept here, in its trace. A commit says only which run it is from, so that without the
kept run nothing can be proven of it. Nothing is written but unreferenced objects. Checks are `recheck`'s.

The tree is what counts, not the patch's bytes: text around the hunks may differ by git's version. But nothing in it may
mislead: no line may read as a part of the change that git doesn't need for this result.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.git import Git, GitFailed
from orefactor.sandbox.patch import Change, list_changes
from orefactor.sandbox.repository import Repository

from .errors import ExitCode, UserError
from .outputs.patch_form import find_stray, head_lines
from .outputs.patch_head import PatchHead, is_object_id, read_head
from .redact import printable
from .trace import DIFFERENCE, PATCH, RUN_ID, RunFolder, find_kept, picked_file, require_change
from .trace_model import Trace

_TRAILER = re.compile(rb"^Orefactor-Run:(.*)$", re.MULTILINE)
_LONGEST = 300
"""Characters of what git or a trace says, in a message."""
_LATER = "take the run's own: `git orefactor show`"


@dataclass(frozen=True, slots=True)
class Proof:
    """What has been proven: on `base`, the changes give `tree`.

    Attributes:
        base: the commit's id, as the head or the trace names it.
        start: what the changes were applied to: the base, or its tree where git has dropped the commit meanwhile.
        commit: where a commit was asked for, its id.
        trace: the kept run's trace, which agrees; None where the run isn't kept here.
        same_bytes: whether the patch is, byte for byte, the one that the run delivered; None where that isn't known.
        is_picked: whether it is a choice of the run's hunks that has passed, and is kept with the run.
    """

    run_id: str
    base: str
    start: str
    tree: str
    changes: tuple[Change, ...]
    trace: Trace | None
    commit: str | None = None
    same_bytes: bool | None = None
    is_picked: bool = False


@dataclass(frozen=True, slots=True)
class _Kept:
    folder: RunFolder
    trace: Trace


def prove_patch(repository: Repository, patch: bytes) -> Proof:
    """Prove that a patch gives the tree that its head names, and its run's trace where that is kept here.

    Raises:
        UserError: it doesn't: no head, or a review's (exit 2), another tree (3), a base that isn't here
            (6), doesn't apply (7).
    """
    head = read_head(patch)
    kept = _find(repository, head.run_id)
    start = _start(repository.git, head, kept)
    tree = _applied(repository.git, start, patch)
    if tree != head.tree:
        raise _refuted(f"the patch gives the tree {tree}, but its head names {head.tree}")
    if stray := find_stray(patch, _heads(repository.git, start, tree)):
        raise _refuted(f"the patch gives the tree {tree}, but its line {stray} reads as a part of it and is none")
    picked = _picked(kept, head) if kept else None
    if kept is not None:
        _require_agreement(kept.trace, head.base, tree, "the patch", is_picked=picked is not None)
    delivered = picked or (kept.folder.read(PATCH) if kept else None)
    return Proof(
        head.run_id,
        head.base,
        start,
        tree,
        list_changes(repository.git, start, tree),
        kept.trace if kept else None,
        same_bytes=None if delivered is None else patch == delivered,
        is_picked=picked is not None,
    )


def prove_commit(repository: Repository, revision: str) -> Proof:
    """Prove that a commit holds the tree that its run's trace names, on the base that it names.

    Raises:
        UserError: it doesn't: no commit or none of a run (exit 2), another tree or parent (3), the run isn't kept (6).
    """
    if RUN_ID.fullmatch(revision):
        # People may well name the run itself, and a review deserves a better answer than that it is no commit.
        _find(repository, revision)
    commit = _commit_id(repository.git, revision)
    tree, parents, message = _read_commit(repository.git, commit)
    run_id = _named_run(commit, message)
    kept = _find(repository, run_id)
    if kept is None:
        raise UserError(
            f"the run {run_id}, which the commit {commit} names, is not kept in this repository, so that nothing "
            f"says which tree it gave (the commit's own is {tree})",
            hint="verify it where the run was made, or verify the run's patch: `git orefactor verify FILE`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    base = parents[0] if len(parents) == 1 else f"with {len(parents)} parents"
    _require_agreement(kept.trace, base, tree, "the commit")
    return Proof(run_id, base, base, tree, list_changes(repository.git, base, tree), kept.trace, commit)


def _find(repository: Repository, run_id: str) -> _Kept | None:
    """The kept run of exactly that id; one whose trace is none, or another run's, doesn't count."""
    folder = find_kept(repository.common_dir, run_id)
    trace = folder.read_trace() if folder else None
    if trace is not None:
        require_change(trace)
    return _Kept(folder, trace) if folder and trace and trace.run_id == run_id else None


def _picked(kept: _Kept, head: PatchHead) -> bytes | None:
    """What was kept of a choice of the run's hunks that gives this tree; None where the run gave it itself, or none."""
    found = kept.folder.read(picked_file(head.tree)) if head.tree != kept.trace.tree else None
    try:
        return found if found and read_head(found) == head else None
    except UserError:
        return None


def _start(git: Git, head: PatchHead, kept: _Kept | None) -> str:
    """The base, or its tree made anew from what was kept when git has dropped a snapshot's commit."""
    if _type_of(git, head.base) == "commit":
        return head.base
    base = kept.trace.base if kept else None
    if kept and base and base.commit == head.base and base.head and _type_of(git, base.head) == "commit":
        difference = kept.folder.read(DIFFERENCE)
        if difference and _applied(git, base.head, difference) == base.tree:
            return base.tree
    raise UserError(
        f"the base {head.base} of the patch is not in this repository",
        hint=f"fetch it: `git fetch REMOTE {head.base}`; a base with uncommitted work is only where the run was made",
        exit_code=ExitCode.ENVIRONMENT,
    )


def _type_of(git: Git, name: str) -> str:
    """The kind of an object that is here; empty where it isn't, or where a stranger's name is no id."""
    if not is_object_id(name):
        return ""
    return git.result("cat-file", "-t", name, ok=(0, 1, 128)).stdout.decode().strip()


def _applied(git: Git, start: str, patch: bytes) -> str:
    with private_folder("proof-") as folder:
        private = git.with_index(folder / "index")
        private.run("read-tree", start)
        try:
            # White space counts, whatever the configuration says.
            options = ("--cached", "--binary", "--whitespace=nowarn", "--no-ignore-whitespace")
            private.run("apply", *options, stdin=patch)
            return private.line("write-tree", "--missing-ok")
        except GitFailed as error:
            raise _does_not_apply(error) from error


def _does_not_apply(error: GitFailed) -> UserError:
    if b"promisor remote" in error.errors:
        return UserError(
            "this is a partial clone, and files of the base have not been fetched",
            hint="fetch them: `git fetch --refetch --no-filter`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    lines = error.errors.decode(errors="replace").splitlines()
    said = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), error.message)
    return UserError(
        f"the patch doesn't apply to the base that its head names: {said[:_LONGEST]}",
        hint=f"it was changed on its way, its line ends perhaps; {_LATER}",
        exit_code=ExitCode.CONFLICT,
    )


def _heads(git: Git, start: str, tree: str) -> frozenset[bytes]:
    """What a patch of this change may have in its files' heads, with renames and, as older gits may see it, without."""
    form = ("-p", "-U0", "--text", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative")
    names = ("--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=none", "--submodule=short")
    patches = (git.run("diff-tree", "-r", way, *form, *names, start, tree) for way in ("-M", "--no-renames"))
    return frozenset[bytes]().union(*map(head_lines, patches))


def _require_agreement(trace: Trace, base: str, tree: str, what: str, *, is_picked: bool = False) -> None:
    if trace.tree != tree and not is_picked:
        raise _refuted(f"{what} gives the tree {tree}, but the trace of its run names {_said(trace.tree)}")
    if trace.base is None or trace.base.commit != base:
        named = _said(trace.base.commit if trace.base else None)
        raise _refuted(f"{what} stands on the base {base}, but the trace of its run names {named}")
    if trace.status == "gate":
        raise _refuted(f"{what} gives the tree {tree}, which its run refused: {_said(trace.message)}")


def _said(text: str | None) -> str:
    return printable(text or "none")[:_LONGEST]


def _refuted(message: str) -> UserError:
    return UserError(message, hint=f"it is not what the run delivered; {_LATER}", exit_code=ExitCode.GATE)


def _commit_id(git: Git, revision: str) -> str:
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    found = git.result(*asked, ok=(0, 1, 128)) if "\0" not in revision else None
    if found is None or found.returncode != 0:
        raise UserError(
            f"`{printable(revision)}` is neither a file nor a commit of this repository",
            hint="name a patch, `-` for one on standard input, or a commit",
        )
    return found.stdout.decode().strip()


def _read_commit(git: Git, commit: str) -> tuple[str, list[str], bytes]:
    """The tree, the parents and the message of the commit as it is stored, whatever stands in for it."""
    head, _, message = git.run("cat-file", "commit", commit).partition(b"\n\n")
    fields = [os.fsdecode(line).partition(" ") for line in head.split(b"\n")]
    (tree,) = [value for name, _, value in fields if name == "tree"]
    return tree, [value for name, _, value in fields if name == "parent"], message


def _named_run(commit: str, message: bytes) -> str:
    last = message.replace(b"\r\n", b"\n").rstrip().rpartition(b"\n\n")[2]
    named = {line[1].decode("ascii", "replace").strip() for line in _TRAILER.finditer(last)}
    if len(named) != 1:
        several = "names several runs" if named else "has no trailer `Orefactor-Run:`"
        raise UserError(f"the commit {commit} {several}", hint="name a commit that `--branch` made, or a patch")
    run_id = named.pop()
    if not RUN_ID.fullmatch(run_id):
        raise UserError(
            f"the commit {commit} names a run in no form that there is", hint="see `git orefactor runs` for their ids"
        )
    return run_id
