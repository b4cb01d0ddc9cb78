"""Fingerprints what belongs to the user, so that a run can prove that it left all of it alone."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from .repository import Repository
from .worktree import PREFIX


@dataclass(frozen=True, slots=True)
class UserState:
    """Digests (sha256, hex) of the user's side of the repository.

    Attributes:
        head: what HEAD names, as stored.
        refs: every ref with its object, without the run's own result branch.
        index: the index file's bytes.
        stash: the stash's reflog.
        status: changed and untracked files with size, times and mode.
        worktrees: the names of worktrees that aren't ours.
    """

    head: str
    refs: str
    index: str
    stash: str
    status: str
    worktrees: str


def read_user_state(
    repository: Repository, *, own_branch: str | None = None, own_file: Path | None = None
) -> UserState:
    """Fingerprint the user's side as it is now.

    Args:
        own_branch: the full ref of the run's result branch, which is left out.
        own_file: the file that the run was asked to write, which is left out too.
    """
    git, common = repository.git, repository.common_dir
    refs = git.run("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    own = os.fsencode(own_branch) + b" " if own_branch else None
    kept = [line for line in refs if own is None or not line.startswith(own)]
    names = sorted(entry.name for entry in _entries(common / "worktrees") if not entry.name.startswith(PREFIX))
    return UserState(
        head=_digest_file(repository.git_dir / "HEAD"),
        refs=_digest(b"\n".join(kept)),
        index=_digest_file(repository.git_dir / "index"),
        stash=_digest_file(common / "logs" / "refs" / "stash"),
        status=_digest(_status(repository, own_file)),
        worktrees=_digest("\n".join(names).encode("utf-8", "surrogateescape")),
    )


def _status(repository: Repository, own_file: Path | None) -> bytes:
    if repository.top is None:
        return b""
    git, top = repository.git, os.fsencode(repository.top)
    own = os.fsencode(os.path.relpath(os.path.realpath(own_file), repository.top)) if own_file else None
    changed = git.run("diff-files", "-z", "--name-only", "--ignore-submodules=all")
    untracked = git.run("ls-files", "--others", "--exclude-standard", "-z")
    names = [name for name in (changed + untracked).split(b"\0") if name and name != own]
    return b"\n".join(_stat_line(top, name) for name in names)


def _stat_line(top: bytes, name: bytes) -> bytes:
    try:
        status = os.lstat(os.path.join(top, name))
    except OSError:
        return name + b" missing"
    return name + f" {status.st_mode:o} {status.st_size} {status.st_mtime_ns} {status.st_ino}".encode()


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _digest_file(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except OSError:
        return _digest(b"")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
