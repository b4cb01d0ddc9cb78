"""The scope that a commit or a push gives: the text files that it changes, as `--staged` and `--since` ask for them.

Links, submodules, binary files and what was deleted are no task for a model, so they are left out; so are names that no
tool takes. A hook that finds nothing left has nothing to do, and asks nobody.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.base import take_base
from orefactor.sandbox.git import Git
from orefactor.sandbox.index_file import index_in_use
from orefactor.sandbox.repository import Repository

from .errors import UserError
from .scope_paths import scope_paths
from .trace import list_runs

_REGULAR = (b"100644", b"100755")
_RUNS_LOOKED_AT = 10
_ABSENT = (0, 1, 128)
"""Exit codes of git for what isn't there."""
_IN_PRE_COMMIT = "PRE_COMMIT"
"""The variable that the pre-commit tool sets for its hooks."""


@dataclass(frozen=True, slots=True)
class ChangedScope:
    """What may change in a run.

    Attributes:
        base: what the run starts from, as `--base` takes it.
        paths: absolute paths of text files; empty where there is nothing to do.
        why_empty: the reason for people, where `paths` is empty.
    """

    base: str
    paths: tuple[str, ...] = ()
    why_empty: str = ""


def staged_scope(
    repository: Repository, root: Path, named: Sequence[str], task: str, *, fresh: bool = False
) -> ChangedScope:
    """What is staged: without names all of it, else the named files as the index has them.

    Files that are staged as an earlier run for the same task left them are done: a model may find something else to
    change each time, and the commit would never be made.

    Args:
        root: the folder that `named` is relative to.
        fresh: whether earlier runs count for nothing.

    Raises:
        UserError: a bare repository, unmerged paths, or a name outside of the repository.
    """
    if _commit(repository.git, "HEAD") is None:
        return ChangedScope("index", why_empty="this is the first commit, and a change needs one to start from")
    commit = take_base(repository, "index", ()).commit
    if named:
        names = _text_files(repository.git, _empty_tree(repository.git), commit, scope_paths(repository, root, named))
        why = "none of the files is a text file in the index"
    else:
        parents = ["HEAD", *_merged(repository)]
        found = [_text_files(repository.git, parent, commit, ()) for parent in parents]
        names = [name for name in found[0] if all(name in other for other in found[1:])]
        why = "no text file is staged"
    if names and not fresh and (run := _run_that_left(repository, task, commit, names)):
        names, why = [], f"the files are as the run {run} left them"
    return _scope(repository, _base_of_hook(repository, names), names, why)


def scope_since(repository: Repository, root: Path, base: str, since: str, named: Sequence[str]) -> ChangedScope:
    """What the base has changed since it left a revision, as `git diff SINCE...BASE` tells it.

    Args:
        base: what the run starts from, as `--base` takes it.
        since: a revision.
        named: where not empty, only what lies in these files and folders; relative to `root`.

    Raises:
        UserError: an unknown revision, or a name outside of the repository.
    """
    git = repository.git
    other = _commit(git, since)
    if other is None:
        raise UserError(
            f"`{since}` names no commit in this repository", hint="name a branch or a commit: `--since origin/main`"
        )
    taken = take_base(repository, base, ())
    found = git.result("merge-base", other, taken.commit, ok=_ABSENT)
    start = found.stdout.decode().strip() or _empty_tree(git)
    names = _text_files(git, start, taken.commit, scope_paths(repository, root, named))
    return _scope(repository, base, names, f"no text file has changed since `{since}`")


def _base_of_hook(repository: Repository, names: Sequence[str]) -> str:
    """`index`, or `worktree` where the pre-commit tool runs several hooks and an earlier one has changed the files.

    It has put away what isn't staged, so the working tree is the index and what its hooks made of it.
    """
    if not os.environ.get(_IN_PRE_COMMIT) or not names:
        return "index"
    git = repository.git.with_index(index_in_use(repository))
    return "worktree" if git.run("diff-files", "-z", "--name-only", "--", *names) else "index"


def _scope(repository: Repository, base: str, names: Sequence[str], why_empty: str) -> ChangedScope:
    if not names:
        return ChangedScope(base, why_empty=why_empty)
    return ChangedScope(base, tuple(os.path.join(repository.place, name) for name in names))


def _commit(git: Git, revision: str) -> str | None:
    if "\0" in revision:
        return None
    found = git.result("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}", ok=_ABSENT)
    return found.stdout.decode().strip() if found.returncode == 0 else None


def _empty_tree(git: Git) -> str:
    return git.line("hash-object", "-t", "tree", "--stdin")


def _merged(repository: Repository) -> list[str]:
    """The other parents of a merge that is being committed: what comes from them as it is was theirs to look at."""
    try:
        lines = (repository.git_dir / "MERGE_HEAD").read_text(errors="replace").split()
    except OSError:
        return []
    return [line for line in lines if _commit(repository.git, line)]


def _text_files(git: Git, start: str, end: str, paths: Sequence[str]) -> list[str]:
    """The text files at `end` that differ from `start`, in git's order.

    With `--raw --numstat -z` git writes `:MODES IDS LETTER`, then the path, for each; then `ADDED TAB DELETED TAB
    PATH` for each, with dashes for a binary file.
    """
    arguments = ("-r", "--raw", "--numstat", "-z", "--no-renames", "--diff-filter=d", start, end, "--", *paths)
    fields = iter(git.run("diff-tree", *arguments).split(b"\0"))
    regular: set[bytes] = set()
    text: list[bytes] = []
    for field in fields:
        if field.startswith(b":"):
            mode, path = field.split(b" ")[1], next(fields)
            if mode in _REGULAR:
                regular.add(path)
        elif field[:1].isdigit():
            text.append(field.split(b"\t", 2)[2])
    usable = [path for path in text if path in regular and b"\n" not in path and b"\r" not in path]
    return [os.fsdecode(path) for path in usable]


def _run_that_left(repository: Repository, task: str, commit: str, names: Sequence[str]) -> str | None:
    """The newest run for the task whose result holds the files as the commit has them."""
    wanted = " ".join(task.split())
    for folder in list_runs(repository.common_dir)[:_RUNS_LOOKED_AT]:
        trace = folder.read_trace()
        if trace is None or trace.tree is None or (trace.status, " ".join(trace.task.split())) != ("completed", wanted):
            continue
        if not set(names).isdisjoint(trace.left_out):
            continue
        if (not trace.paths or set(names) <= set(trace.paths)) and _same(repository.git, trace.tree, commit, names):
            return trace.run_id
    return None


def _same(git: Git, tree: str, commit: str, names: Sequence[str]) -> bool:
    """Whether the tree that a trace names, which may be gone or no tree at all, holds the files as they are."""
    if re.fullmatch(r"[0-9a-f]{40,64}", tree) is None:
        return False
    found = git.result("diff-tree", "-r", "-z", "--name-only", tree, commit, "--", *names, ok=_ABSENT)
    return found.returncode == 0 and not found.stdout
