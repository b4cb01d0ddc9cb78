"""Where this program keeps throwaway files: one folder of the user's own, never a place that others can write to.

All of it lies in folders of mode 0700, so the files in it need no modes of their own and the process's umask stays
the user's: what a run hands out (patch, branch, applied change) is made with that one.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import ExitCode, UserError

_DAY = 86_400.0
"""Seconds after which nobody works any more in a folder that was made for one call."""


def cache_folder() -> Path:
    """The folder `$XDG_CACHE_HOME/git-orefactor`, made with mode 0700.

    Raises:
        UserError: it can't be made, or belongs to another user.
    """
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home and os.path.isabs(home) else Path(os.path.expanduser("~/.cache"))
    folder = base / "git-orefactor"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        # A link counts by its maker, too: in a shared place it may lead to a folder of ours that others shall see.
        if {status.st_uid, folder.lstat().st_uid} != {os.geteuid()}:
            raise UserError(
                f"the cache folder `{folder}` belongs to another user",
                hint="set XDG_CACHE_HOME to a folder of your own",
                exit_code=ExitCode.ENVIRONMENT,
            )
        if stat.S_IMODE(status.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError as error:
        raise UserError(
            f"can't make the cache folder `{folder}`: {error.strerror}",
            hint="set XDG_CACHE_HOME to a folder that you can write to",
            exit_code=ExitCode.ENVIRONMENT,
        ) from error
    return folder


@contextmanager
def private_folder(prefix: str) -> Generator[Path]:
    """A new folder for one piece of work, gone when the block ends; what killed processes left goes with time.

    Raises:
        UserError: the cache folder can't be made.
    """
    parent = cache_folder() / "tmp"
    parent.mkdir(mode=0o700, exist_ok=True)
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    with os.scandir(parent) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # its owner has removed it
                if time.time() - entry.stat(follow_symlinks=False).st_mtime > _DAY:
                    shutil.rmtree(entry.path, ignore_errors=True)
