"""Takes the base of a run: one commit that holds what the change starts from.

`worktree` is a snapshot of the tracked files as they are now plus the named untracked paths. It is made through a
private copy of the user's index, which keeps its stat data, so that only changed files are read; the user's index,
stash and files are not touched, and the commit is referenced by nothing.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .cache import private_folder
from .errors import ExitCode, UserError
from .git import Git
from .index_file import index_in_use
from .patch import write_patch
from .repository import Repository
from .staging import missing, stage

# Such a commit depends on content alone: the same tree and parent give the same id, in all repositories.
_IDENTITY: Mapping[str, str] = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "git-orefactor"), ("EMAIL", "orefactor@localhost"), ("DATE", "@0 +0000"))
}


@dataclass(frozen=True, slots=True)
class Base:
    """What the change starts from.

    Attributes:
        source: `worktree`, `index`, or the revision as the user wrote it.
        commit: the commit's id; unreferenced where it is a snapshot.
        tree: its tree's id.
        head: the commit that HEAD names; None where it names none.
        difference: the patch from HEAD to a snapshot, empty otherwise. It makes the base again after git's
            clean-up has dropped the unreferenced commit.
    """

    source: str
    commit: str
    tree: str
    head: str | None
    difference: bytes = b""


def take_base(repository: Repository, source: str, paths: Sequence[str]) -> Base:
    """Make or find the base.

    Args:
        source: `worktree`, `index`, or any revision.
        paths: the scope relative to the top; untracked files in it become part of a `worktree` base.

    Raises:
        UserError: no commit yet, a bare repository without a revision, an unknown revision, unmerged paths in
            the index, or a path that the base doesn't hold.
    """
    head = _commit_of(repository.git, "HEAD")
    if source in ("worktree", "index"):
        base = _snapshot_base(repository, source, paths, head)
    else:
        base = _revision_base(repository.git, source, head)
    _require_paths(repository.git, base, paths)
    return base


def _commit_of(git: Git, revision: str) -> str | None:
    found = git.result("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}", ok=(0, 1, 128))
    return found.stdout.decode().strip() if found.returncode == 0 else None


def _revision_base(git: Git, revision: str, head: str | None) -> Base:
    commit = None if "\0" in revision else _commit_of(git, revision)
    if commit is not None:
        return Base(revision, commit, git.line("rev-parse", commit + "^{tree}"), head)
    if head is None:
        raise _no_commit()
    raise UserError(
        f"`{revision}` names no commit in this repository",
        hint="see `git log --oneline`, or use `--base HEAD`, `--base index` or `--base worktree`",
    )


def _no_commit() -> UserError:
    return UserError(
        "this repository has no commit yet",
        hint="make the first one: `git add -A && git commit -m 'first commit'`",
        exit_code=ExitCode.ENVIRONMENT,
    )


def _snapshot_base(repository: Repository, source: str, paths: Sequence[str], head: str | None) -> Base:
    if repository.top is None:
        raise UserError(
            "a bare repository has no working tree to start from",
            hint="name a revision: `--base HEAD`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    if head is None:
        raise _no_commit()
    user_git = repository.git if source == "worktree" else repository.git.with_index(index_in_use(repository))
    with private_index(user_git) as git:
        if source == "worktree":
            _add_working_tree(git, repository.top, paths)
        _require_merged(git, source)
        tree = git.line("write-tree", "--missing-ok")
    if tree == repository.git.line("rev-parse", head + "^{tree}"):
        return Base(source, head, tree, head)
    commit = unreferenced_commit(repository.git, tree, head)
    return Base(source, commit, tree, head, write_patch(repository.git, head, commit))


def unreferenced_commit(git: Git, tree: str, parent: str | None, subject: str = "orefactor: base") -> str:
    """Make a commit of a tree that nothing refers to, by nobody, at no time; no hook or signing program runs.

    Args:
        parent: None for a commit without one.

    Returns:
        Its id, which depends on the arguments alone.
    """
    parents = ("-p", parent) if parent else ()
    message = f"{subject}\n".encode()
    made = git.result("commit-tree", "--no-gpg-sign", tree, *parents, stdin=message, identity=_IDENTITY)
    return made.stdout.decode().strip()


def _require_merged(git: Git, source: str) -> None:
    if git.run("ls-files", "--unmerged", "-z"):
        # Of a working tree only paths with a `filter` are left, whose content isn't read.
        other = "" if source == "worktree" else ", or use `--base worktree`"
        raise UserError(
            "the index has unmerged paths",
            hint="resolve the conflicts and `git add` them" + other,
            exit_code=ExitCode.CONFLICT,
        )


@contextmanager
def private_index(git: Git) -> Generator[Git]:
    """The same git with a throwaway copy of its index, stat data included."""
    with private_folder("index-") as folder:
        index = folder / "index"
        try:
            shutil.copy2(git.index or git.git_dir / "index", index)
        except FileNotFoundError:
            git.with_index(index).run("read-tree", "--empty")
        yield git.with_index(index)


def _add_working_tree(git: Git, top: Path, paths: Sequence[str]) -> None:
    changed = _names(git.run("diff-files", "-z", "--name-only", "--ignore-submodules=all"))
    untracked = _untracked(git, top, paths)
    gone = missing(top, changed)
    filtered = _filtered(git, [name for name in changed if name not in gone])
    stage(git, top, [name for name in [*changed, *untracked] if name not in filtered])


def _names(listed: bytes) -> list[bytes]:
    return [name for name in listed.split(b"\0") if name]


def _filtered(git: Git, names: Sequence[bytes]) -> set[bytes]:
    """Those paths that a filter such as LFS converts: their content on disk isn't what git stores."""
    if not names:
        return set()
    fields = git.run("check-attr", "-z", "--stdin", "filter", stdin=b"".join(n + b"\0" for n in names)).split(b"\0")
    return {
        name for name, value in zip(fields[::3], fields[2::3], strict=False) if value not in (b"unspecified", b"unset")
    }


def _untracked(git: Git, top: Path, paths: Sequence[str]) -> list[bytes]:
    """Untracked files that the paths name: folders by the ignore rules, a file even when it is ignored."""
    found: list[bytes] = []
    for path in paths:
        full = top / path
        named_file = not full.is_dir() or full.is_symlink()
        if named_file:
            _require_regular(full, path)
            arguments = ["--", path]
        else:
            arguments = ["--exclude-standard", "--", path]
        listed = _names(git.run("ls-files", "--others", "-z", *arguments))
        names = [name for name in listed if not name.endswith(b"/") and _is_content(top, name)]
        filtered = _filtered(git, names)
        if named_file and filtered:
            raise UserError(
                f"`{path}` is untracked and has a `filter` attribute, whose program is not run here",
                hint=f"add it first: `git add {path}`",
            )
        found += [name for name in names if name not in filtered]
    return found


def _require_regular(full: Path, path: str) -> None:
    try:
        mode = full.lstat().st_mode
    except OSError:
        # A path that is tracked or missing is judged against the base.
        return
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise UserError(f"`{path}` is not a regular file", hint="name a file or a folder of the repository")


def _is_content(top: Path, name: bytes) -> bool:
    try:
        mode = os.lstat(os.path.join(os.fsencode(top), name)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _require_paths(git: Git, base: Base, paths: Sequence[str]) -> None:
    for path in paths:
        if path != "." and not git.run("ls-tree", "-z", "--name-only", base.commit, "--", path):
            raise UserError(
                f"`{path}` is not in the base (`{base.source}`)",
                hint="check the path; it is relative to the current folder"
                + ("" if base.source == "worktree" else ", or use `--base worktree`"),
            )
