"""Puts a hook where git looks for it, and takes it away again; what others have put there is never lost."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.hooks import hooks_folder
from orefactor.sandbox.repository import Repository

from .errors import ExitCode, UserError
from .hook_script import BEFORE, HookName, is_ours

_LONGEST = 64 << 10
"""Bytes of a hook that are looked at."""


@dataclass(frozen=True, slots=True)
class HookFile:
    """The place of one hook of a repository.

    Attributes:
        path: the file that git runs.
        before: where the hook is kept that stood there before ours.
    """

    path: Path
    before: Path

    @property
    def is_there(self) -> bool:
        """Whether there is a hook, ours or not."""
        return os.path.lexists(self.path)

    @property
    def is_ours(self) -> bool:
        """Whether the hook that is there was made by this program."""
        if not self.path.is_file() or self.path.is_symlink():
            return False
        with open(os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return is_ours(file.read(_LONGEST))


def hook_file(repository: Repository, hook: HookName) -> HookFile:
    """The place of a hook: `core.hooksPath`, or the hooks of the git directory that all worktrees share.

    Raises:
        UserError: a bare repository, in which nobody commits.
    """
    if repository.top is None:
        raise UserError(
            "nobody commits in a bare repository",
            hint="install the hook in a clone",
            exit_code=ExitCode.ENVIRONMENT,
        )
    path = hooks_folder(repository) / hook
    return HookFile(path, path.with_name(path.name + BEFORE))


def install(file: HookFile, script: bytes, *, force: bool) -> bool:
    """Write the hook, and give whether another one stood there, which is kept and runs first.

    Raises:
        UserError: another hook is there and `force` is not given, or two of them.
        OSError: the folder can't be written to.
    """
    is_foreign = file.is_there and not file.is_ours
    if is_foreign:
        _require_room(file, force=force)
    file.path.parent.mkdir(parents=True, exist_ok=True)
    part = file.path.with_name(f".{file.path.name}.{secrets.token_hex(4)}")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o777), "wb") as opened:
            opened.write(script)
        if is_foreign:
            file.path.rename(file.before)
        part.rename(file.path)
    finally:
        part.unlink(missing_ok=True)
    return is_foreign


def _require_room(file: HookFile, *, force: bool) -> None:
    if not force:
        raise UserError(
            f"another hook is there: `{file.path}`",
            hint="keep it and let it run first: `git orefactor install-hook --force …`; "
            "with the pre-commit tool, name our hook in `.pre-commit-config.yaml`",
            exit_code=ExitCode.CONFLICT,
        )
    if os.path.lexists(file.before) or (file.path.is_dir() and not file.path.is_symlink()):
        raise UserError(
            f"there is no place to keep the hook that is there: `{file.before}`",
            hint="see what the two files are, and remove or rename one of them",
            exit_code=ExitCode.CONFLICT,
        )


def uninstall(file: HookFile) -> bool:
    """Take our hook away, put the one before it back, and give whether there was one of ours.

    Raises:
        UserError: the hook that is there is another one.
    """
    if not file.is_there:
        return False
    if not file.is_ours:
        raise UserError(
            f"`{file.path}` is not a hook of git orefactor, so it stays",
            hint="remove it yourself, if you want that",
            exit_code=ExitCode.CONFLICT,
        )
    if os.path.lexists(file.before):
        file.before.rename(file.path)
    else:
        file.path.unlink()
    return True
