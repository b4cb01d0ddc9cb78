"""Puts a patch on the user's working tree, whole or not at all: the one place that writes there, when asked to.

What reaches the index too is rehearsed in a private one first, since git 2.39 alone would not leave things alone: a
three-way merge leaves conflict markers, a missing file is checked out even by `--check`, and a link that stands where
the index has a folder, or nothing, is followed out of the tree.
"""

from __future__ import annotations

from pathlib import Path

from .base import private_index
from .errors import ExitCode, UserError
from .git import Git, GitFailed
from .repository import Repository
from .staging import behind_links, missing


def apply_patch(repository: Repository, patch: bytes, *, index: bool = False, three_way: bool = False) -> None:
    """Apply the patch.

    Args:
        index: to the index as well, as `git apply --index` does.
        three_way: fall back on a three-way merge; one with conflicts is refused like a patch that doesn't fit.

    Raises:
        UserError: a bare repository, or the patch doesn't fit; nothing is changed then.
    """
    options = require_fit(repository, patch, index=index, three_way=three_way)
    try:
        repository.git.run("apply", *options, stdin=patch)
    except GitFailed as error:
        raise _does_not_fit(_words(error), three_way=three_way) from error


def require_fit(
    repository: Repository, patch: bytes, *, index: bool = False, three_way: bool = False
) -> tuple[str, ...]:
    """Make sure that the patch would apply, without changing anything.

    Returns:
        The options with which git applies it.

    Raises:
        UserError: as `apply_patch`.
    """
    if repository.top is None:
        raise UserError(
            "a bare repository has no working tree",
            hint="apply the patch in a clone",
            exit_code=ExitCode.ENVIRONMENT,
        )
    options = ["--binary", "--whitespace=nowarn"]
    if three_way:
        options.append("--3way")
    try:
        if index or three_way:
            _rehearse(repository.git, repository.top, patch, options)
        if index and not three_way:
            options.append("--index")
        repository.git.run("apply", "--check", *options, stdin=patch)
    except GitFailed as error:
        raise _does_not_fit(_words(error), three_way=three_way) from error
    return tuple(options)


def _rehearse(git: Git, top: Path, patch: bytes, options: list[str]) -> None:
    with private_index(git) as private:
        before = _entries(private)
        private.run("apply", "--cached", *options, stdin=patch)
        after = _entries(private)
    touched = [name for name in before | after if before.get(name) != after.get(name)]
    gone = missing(top, [name for name in touched if name in before])
    for name in [*gone, *behind_links(top, touched)]:
        said = f"{name.decode(errors='replace')}: not in the working tree as the index has it"
        raise _does_not_fit(said, three_way="--3way" in options)


def _entries(git: Git) -> dict[bytes, bytes]:
    listed = git.run("ls-files", "--stage", "-z").split(b"\0")
    return {name: about for about, _, name in (entry.partition(b"\t") for entry in listed if entry)}


def _words(error: GitFailed) -> str:
    """Git's own reason: the first error, or the first path that a merge left in conflict."""
    lines = error.errors.decode(errors="replace").splitlines()
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    conflicts = [line.removeprefix("U ") + ": conflict" for line in lines if line.startswith("U ")]
    return [*conflicts, *errors, error.message][0]


def _does_not_fit(said: str, *, three_way: bool) -> UserError:
    merge = "" if three_way else ", or try `git orefactor apply --3way`"
    return UserError(
        f"the patch doesn't fit the working tree: {said}",
        hint=f"commit or undo your own changes there{merge}; nothing was changed",
        exit_code=ExitCode.CONFLICT,
    )
