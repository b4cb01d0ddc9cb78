"""Finds the two sides of a reviewed change: which commit it starts from, and what it leads to.

A branch is looked at as a whole, from where it left the history that it goes back to; any other revision is one
commit. The working tree and the index become unreferenced commits, as for a run, so that both sides are commits and
checks can be compared on them. Nothing is read of what differs; that is for `change.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from orefactor.sandbox.base import Base, take_base, unreferenced_commit
from orefactor.sandbox.git import Git
from orefactor.sandbox.index_file import index_in_use
from orefactor.sandbox.repository import Repository

from ..errors import ExitCode, UserError
from ..redact import printable
from .change_words import INDEX, LONG_FORMS, WORKTREE
from .revisions import (
    BRANCHES,
    HEAD,
    REMOTES,
    Range,
    commit_of,
    first_parent,
    full_name,
    merge_base,
    no_commit,
    no_common_history,
    parse_range,
    require_commit,
)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides; `before` is a commit's id, the rest as in `ReviewedChange`."""

    before: str
    after: Base
    is_published: bool


def find_sides(repository: Repository, wanted: str | None, paths: Sequence[str]) -> Sides:
    """The sides of the change that the words mean.

    Args:
        wanted: `worktree` (or None), `index`, a range, a branch or any other revision.
        paths: relative to the top; untracked files in them belong to the working tree's change.

    Raises:
        UserError: bad input, or a repository in which there are no such sides.
    """
    word = WORKTREE if wanted is None else LONG_FORMS.get(wanted, wanted)
    if word == WORKTREE:
        return _snapshot(repository, word, "the working tree", paths)
    if word == INDEX:
        return _snapshot(repository, word, "the index", ())
    return _named(repository, word)


def _snapshot(repository: Repository, source: str, words: str, paths: Sequence[str]) -> Sides:
    if repository.top is None:
        raise UserError(
            f"a bare repository has nothing in {words}",
            hint="name a branch, a commit or a range: `git orefactor review A..B`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    head = commit_of(repository.git, HEAD)
    if head is None:
        raise no_commit()
    if source == INDEX:
        _require_merged(repository)
    base = take_base(repository, source, _with_untracked(repository, paths))
    return Sides(head, replace(base, source=words), is_published=False)


def _require_merged(repository: Repository) -> None:
    if repository.git.with_index(index_in_use(repository)).run("ls-files", "--unmerged", "-z"):
        raise UserError(
            "the index has unmerged paths",
            hint="resolve the conflicts and `git add` them, or review the working tree: `git orefactor review`",
            exit_code=ExitCode.CONFLICT,
        )


def _with_untracked(repository: Repository, paths: Sequence[str]) -> list[str]:
    """Those of the paths that hold untracked files; the others needn't exist any more."""
    top = repository.place
    folders = [path for path in paths if (top / path).is_dir() and not (top / path).is_symlink()]
    files = [path for path in paths if path not in set(folders)]
    found: set[str] = set()
    # As `take_base` looks for them: a named file counts even when it is ignored.
    for named, options in ((folders, ("--exclude-standard",)), (files, ())):
        if named:
            listed = repository.git.run("ls-files", "--others", "-z", *options, "--", *named)
            found.update(_with_folders(listed.decode("utf-8", "surrogateescape").split("\0")))
    return [path for path in paths if path in found]


def _with_folders(names: Iterable[str]) -> set[str]:
    """The names and all folders above them; of a repository within this one, whose name ends in `/`, nothing."""
    found: set[str] = set()
    for name in names:
        if name and not name.endswith("/"):
            found.add(".")
            while name and name not in found:
                found.add(name)
                name = name.rpartition("/")[0]
    return found


def _named(repository: Repository, wanted: str) -> Sides:
    git = repository.git
    sides = parse_range(wanted)
    # As with git, a range whose sides are there comes first; `:/a..b` looks for a message.
    if sides is not None and (commit_of(git, wanted) is None or _is_known(git, sides)):
        return _range(git, sides)
    commit = require_commit(git, wanted)
    branch = full_name(git, wanted) or ""
    short = branch.removeprefix(BRANCHES).removeprefix(REMOTES)
    if branch in (short, ""):
        return _published(git, first_parent(git, commit) or _empty_commit(git), commit, f"the commit {wanted}")
    return _published(git, _start(repository, branch, short, commit), commit, f"the branch {short}")


def _is_known(git: Git, sides: Range) -> bool:
    return commit_of(git, sides.left) is not None and commit_of(git, sides.right) is not None


def _range(git: Git, sides: Range) -> Sides:
    left, right = require_commit(git, sides.left), require_commit(git, sides.right)
    start = merge_base(git, left, right) if sides.is_symmetric else left
    if start is None:
        raise no_common_history(git, sides.left, sides.right)
    return _published(git, start, right, sides.text)


def _published(git: Git, before: str, commit: str, source: str) -> Sides:
    # It stands in prompts and pages, and text that is searched for may hold anything.
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in printable(source))
    after = Base(shown, commit, git.line("rev-parse", commit + "^{tree}"), commit_of(git, HEAD))
    return Sides(before, after, is_published=True)


def _start(repository: Repository, branch: str, short: str, commit: str) -> str:
    """Where a branch left the history that it belongs to: HEAD's, or what it is likely to be merged into."""
    git = repository.git
    head = commit_of(git, HEAD)
    if head is not None:
        met = merge_base(git, head, commit)
        if met is None:
            raise no_common_history(git, HEAD, short)
        if met != commit:
            return met
    for name in _likely_targets(repository, branch, short):
        other = commit_of(git, name)
        met = merge_base(git, other, commit) if other else None
        if met is not None and met != commit:
            return met
    raise UserError(
        f"nothing tells where the branch `{short}` began: all that it could be compared with holds it already",
        hint=f"name the two sides: `A..B`, such as `{short}~1..{short}`",
    )


def _likely_targets(repository: Repository, branch: str, short: str) -> list[str]:
    """Refs, the likeliest first; some may not exist."""
    upstream = repository.git.line("for-each-ref", "--format=%(upstream)", branch)
    is_local = branch.startswith(BRANCHES)
    own = repository.setting(f"branch.{short}.remote") if is_local else short.partition("/")[0]
    remotes = [name for name in dict.fromkeys((own, "origin")) if name]
    defaults = [f"{REMOTES}{name}/{HEAD}" for name in remotes]
    usual = [f"{place}{name}" for place in (BRANCHES, f"{REMOTES}origin/") for name in ("main", "master")]
    return [name for name in (upstream, *defaults, *usual) if name]


def _empty_commit(git: Git) -> str:
    """An unreferenced commit without files, for what a root commit is compared with."""
    tree = git.line("hash-object", "-t", "tree", "-w", "--stdin")
    return unreferenced_commit(git, tree, None, "orefactor: nothing")
