"""The throwaway worktree: detached, outside the repository, readable by its owner only, gone at the end.

`git worktree prune` is never called: it would drop the user's own worktrees that happen to be unreachable now.
A killed run's worktree is recognised by the owner that its lock names, and removed by the next run.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from .cache import cache_folder
from .errors import ExitCode, UserError
from .git import Git, GitFailed
from .owner import Owner, current_owner
from .removal import remove_all
from .repository import Repository
from .shield import shield

PREFIX = "orefactor-"
BASE_MARK = "-base"
"""What the name of the worktree that a run compares with has behind the run's id."""
_OWNER_FILE = "owner.json"
_DEAD = ".dead"
_WAITS = (0.0, 0.01, 0.03, 0.1, 0.3)
"""Seconds between the tries to add a worktree while other runs come and go."""
_coming_and_going = threading.Lock()
"""Held while this process adds or removes one; between processes, the tries have to do."""
_DAY = 86_400.0
"""Seconds after which nothing waits any more for an owner that can't be asked."""


@dataclass(frozen=True, slots=True)
class Worktree:
    """A checked-out base.

    Attributes:
        path: its top folder.
        git: the neutralised git at it.
        scratch: a folder of the run beside it, for what checks need; gone together with it.
    """

    path: Path
    git: Git
    scratch: Path


def repository_cache(repository: Repository) -> Path:
    """The cache folder of one repository; its name tells people which."""
    common = os.path.realpath(repository.common_dir)
    name = Path(common).parent.name if Path(common).name == ".git" else Path(common).name
    digest = hashlib.sha256(os.fsencode(common)).hexdigest()[:12]
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:40]
    folder = cache_folder() / f"{plain}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@contextmanager
def throwaway_worktree(repository: Repository, commit: str, run_id: str, *, sweeps: bool = True) -> Generator[Worktree]:
    """Check out `commit` in a worktree that is gone when the block ends, however it ends.

    Args:
        sweeps: whether to remove first what killed runs left; many that start together need it once.

    Raises:
        GitFailed: git can't check it out, for example because objects are missing.
    """
    if sweeps:
        sweep_dead(repository)
    folder = repository_cache(repository) / run_id
    with ExitStack() as stack:
        with shield():
            # An id that is in use fails here, before the clean-up is set up that would hit the other run.
            folder.mkdir(mode=0o700)
            stack.callback(_remove_shielded, repository, folder, f"{PREFIX}{run_id}")
            (folder / _OWNER_FILE).write_text(current_owner().to_text())
        yield _check_out(repository, commit, folder, f"{PREFIX}{run_id}")


def _check_out(repository: Repository, commit: str, folder: Path, name: str) -> Worktree:
    path, scratch = folder / name, folder / "scratch"
    scratch.mkdir(mode=0o700)
    with shield():
        # This git has children: ended in the middle, they would write into a folder that we have just removed.
        _add_worktree(repository.git, path, commit)
    git = repository.git.at(repository.common_dir / "worktrees" / name, path)
    # As root the checks run as another user, so the tree itself is readable; its parent folder isn't.
    path.chmod(0o755)
    try:
        git.result("read-tree", "-m", "-u", commit, umask=0o022)
    except GitFailed as error:
        raise _missing_objects() if b"promisor remote" in error.errors else error from error
    return Worktree(path, git, scratch)


def _missing_objects() -> UserError:
    # No call of ours reaches a network, so that a repository can't make it.
    return UserError(
        "this is a partial clone, and files of the base have not been fetched",
        hint="fetch them: `git fetch --refetch --no-filter`, or name a revision whose files are here: `--base REV`",
        exit_code=ExitCode.ENVIRONMENT,
    )


def _add_worktree(git: Git, path: Path, commit: str) -> None:
    arguments = (
        "worktree",
        "add",
        "--detach",
        "--no-checkout",
        "--lock",
        "--reason",
        current_owner().to_text(),
    )
    for wait in (*_WAITS, None):
        try:
            with _coming_and_going:
                git.run(*arguments, str(path), commit)
            return
        except GitFailed:
            # Git reads the other worktrees' folders, and fails where one is half written or just being removed.
            if wait is None:
                raise
            time.sleep(wait)


def sweep_dead(repository: Repository) -> list[str]:
    """Remove what killed runs left behind in this repository, and nothing else.

    Returns:
        The ids of the runs.
    """
    swept: list[str] = []
    cache = repository_cache(repository)
    for entry in _subfolders(cache):
        if _is_leftover(entry):
            remove_all(entry)
        elif _is_dead(entry / _OWNER_FILE) and (claimed := _claim(entry)):
            _remove(repository, claimed, f"{PREFIX}{entry.name}")
            swept.append(entry.name)
    for entry in _subfolders(repository.common_dir / "worktrees"):
        if entry.name.startswith(PREFIX) and _is_dead(entry / "locked"):
            _remove_admin(repository, entry.name)
            swept.append(entry.name.removeprefix(PREFIX))
    return list(dict.fromkeys(swept))


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []


def _is_dead(owner_file: Path) -> bool:
    try:
        # A worktree that the user locked may hold any words, or no file at all.
        owner = Owner.parse(owner_file.read_text(errors="replace")) if owner_file.is_file() else None
        age = time.time() - owner_file.stat().st_mtime if owner else 0.0
    except OSError:
        return False
    if owner is None:
        return False
    return age > _DAY if owner.is_elsewhere else not owner.is_alive


def _is_leftover(folder: Path) -> bool:
    """A removal or a start that was itself killed: claimed already, or without an owner for a day."""
    if folder.name.endswith(_DEAD):
        return True
    try:
        return not (folder / _OWNER_FILE).exists() and time.time() - folder.stat().st_mtime > _DAY
    except OSError:
        # Its own run has removed it meanwhile.
        return False


def _claim(folder: Path) -> Path | None:
    """Only one of several runs that start at once removes a dead one: the one whose rename succeeds."""
    claimed = folder.with_name(folder.name + _DEAD)
    try:
        folder.rename(claimed)
    except OSError:
        return None
    return claimed


def remove_worktree(repository: Repository, run_id: str) -> None:
    """Remove the worktrees of a run whose thread can't be woken to do so."""
    for name in (run_id, run_id + BASE_MARK):
        _remove_shielded(repository, repository_cache(repository) / name, f"{PREFIX}{name}")


def _remove_shielded(repository: Repository, folder: Path, name: str) -> None:
    with shield():
        _remove(repository, folder, name)


def _remove(repository: Repository, folder: Path, name: str) -> None:
    _remove_admin(repository, name)
    remove_all(folder)


def _remove_admin(repository: Repository, name: str) -> None:
    worktrees = repository.common_dir / "worktrees"
    with _coming_and_going:
        remove_all(worktrees / name)
        try:
            # git removes the empty folder too, so the common directory looks as before.
            worktrees.rmdir()
        except OSError:
            return


def running(repository: Repository) -> set[str]:
    """The ids of the runs of this repository that are alive now."""
    folders = _subfolders(repository_cache(repository))
    return {entry.name for entry in folders if (entry / _OWNER_FILE).exists() and not _is_dead(entry / _OWNER_FILE)}
