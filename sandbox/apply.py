"""Puts a patch on the user's working tree, whole or not at all: the one place that writes there, when asked to."""

from __future__ import annotations

from .base import private_index
from .errors import ExitCode, UserError
from .git import GitFailed
from .repository import Repository


def apply_patch(repository: Repository, patch: bytes, *, index: bool = False, three_way: bool = False) -> None:
    """Apply the patch.

    Args:
        index: to the index as well, as `git apply --index` does.
        three_way: fall back on a three-way merge; one with conflicts is refused like a patch that doesn't fit.

    Raises:
        UserError: a bare repository, or the patch doesn't fit; nothing is changed then.
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
        _try_merge(repository, patch, options)
    elif index:
        options.append("--index")
    try:
        repository.git.run("apply", "--check", *options, stdin=patch)
        repository.git.run("apply", *options, stdin=patch)
    except GitFailed as error:
        raise _does_not_fit(error) from error


def _try_merge(repository: Repository, patch: bytes, options: list[str]) -> None:
    """Merge in a private index first: a real three-way apply would leave conflict markers behind."""
    with private_index(repository.git) as git:
        try:
            git.run("apply", "--cached", *options, stdin=patch)
        except GitFailed as error:
            raise _does_not_fit(error) from error


def _does_not_fit(error: GitFailed) -> UserError:
    lines = [line for line in error.errors.decode(errors="replace").splitlines() if line.startswith("error: ")]
    said = lines[0].removeprefix("error: ") if lines else error.message
    return UserError(
        f"the patch doesn't fit the working tree: {said}",
        hint="commit or undo your own changes there, or try `git orefactor apply --3way`; nothing was changed",
        exit_code=ExitCode.CONFLICT,
    )
