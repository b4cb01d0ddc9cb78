"""Writes git notes with git's plumbing: nobody's note is lost, nobody else's ref is touched, no hook runs.

`git notes` reads and writes any form that a tree of notes can have, but it moves its ref without looking whether
somebody moved it meanwhile. So it works in a throwaway git directory that shares only the objects; the repository's own
ref is then moved from exactly what was read, and all of it is done again where it has moved.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from pathlib import Path

from .cache import private_folder
from .errors import ExitCode, UserError
from .git import Git, GitFailed
from .repository import Repository

_ATTEMPTS = 20
_LONGEST_PAUSE = 0.05
"""Seconds between attempts; a writer needs about as long for one."""
_NEVER = "never read"


def append_note(repository: Repository, ref: str, commit: str, text: str, identity: Mapping[str, str]) -> bool:
    """Add a paragraph to the commit's note.

    Args:
        ref: a full name below `refs/notes/`.
        text: the paragraph; one that the note already holds is not written again.
        identity: `GIT_AUTHOR_…` and `GIT_COMMITTER_…`.

    Returns:
        Whether something was written.

    Raises:
        UserError: the ref is something else than a branch of notes, or others write to it all the time.
    """
    if repository.git.result("symbolic-ref", "--quiet", ref, ok=(0, 1, 128)).returncode == 0:
        raise _unusable(ref, "it stands for another ref")
    with private_folder("notes-") as folder:
        private = _private(repository, folder / "git")
        old = new = _NEVER
        for _ in range(_ATTEMPTS):
            present = _value(repository.git, ref)
            if present != old:
                old = present
                new = _appended(private, ref, old, commit, text, identity)
            if new == old:
                return False
            if _move(repository.git, ref, new, old, identity):
                return True
            time.sleep(random.uniform(0, _LONGEST_PAUSE))  # noqa: S311 - so that two writers don't keep step
    raise _unusable(ref, "others write to it all the time, or its name is taken")


def read_note(repository: Repository, ref: str, commit: str) -> str:
    """The commit's note; empty where it has none."""
    shown = repository.git.result("notes", f"--ref={ref}", "show", commit, ok=(0, 1, 128))
    return shown.stdout.decode("utf-8", "replace") if shown.returncode == 0 else ""


def _private(repository: Repository, folder: Path) -> Git:
    """A git directory of its own whose objects are the repository's."""
    objects = {"GIT_OBJECT_DIRECTORY": str(repository.common_dir / "objects")}
    git = Git(folder, {**repository.git.environment, **objects})
    git.run("init", "--quiet", "--bare", f"--object-format={repository.object_format}", "--template=", str(folder))
    return git


def _value(git: Git, ref: str) -> str:
    """The ref's commit; empty where there is no such ref."""
    found = git.result("rev-parse", "--verify", "--quiet", ref, ok=(0, 1, 128))
    return found.stdout.decode().strip() if found.returncode == 0 else ""


def _appended(git: Git, ref: str, old: str, commit: str, text: str, identity: Mapping[str, str]) -> str:
    try:
        git.run("update-ref", *((ref, old) if old else ("-d", ref)))
        present = git.result("notes", f"--ref={ref}", "show", commit, ok=(0, 1, 128))
        if text.strip() in present.stdout.decode("utf-8", "replace"):
            return old
        git.result("notes", f"--ref={ref}", "append", "-F", "-", commit, stdin=text.encode(), identity=identity)
    except GitFailed as error:
        raise _unusable(ref, error.message) from error
    return _value(git, ref)


def _move(git: Git, ref: str, new: str, old: str, identity: Mapping[str, str]) -> bool:
    expected = old or "0" * len(new)
    command = f"update {ref}\0{new}\0{expected}\0".encode()
    done = git.result("update-ref", "--no-deref", "--stdin", "-z", stdin=command, identity=identity, ok=(0, 1, 128))
    return done.returncode == 0


def _unusable(ref: str, why: str) -> UserError:
    return UserError(
        f"no note could be written to `{ref}`: {why}",
        hint=f"see `git notes --ref={ref} list`; the result itself is complete",
        exit_code=ExitCode.CONFLICT,
    )
