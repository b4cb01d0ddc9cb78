"""Where loaders put what they make of other material: files and repositories whose names tell their content."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from orefactor.sandbox.cache import cache_folder
from orefactor.sandbox.repository import Repository, find_repository

from ..errors import UserError
from .command_check import refuse


def folder_for_material(into: Path | None) -> Path:
    """The folder that the caller names, or one in the user's cache.

    Raises:
        UserError: it can't be made.
    """
    folder = into if into is not None else cache_folder() / "suites"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"can't make the folder `{folder}`: {error.strerror}", hint="name another one") from error
    return folder


def kept_repository(into: Path, name: str, make: Callable[[Path], Repository]) -> Repository:
    """A repository that is made anew, unless one with the same name and content is there.

    An evaluation may be working with the one that is there, so that is never touched.

    Args:
        into: the folder for it.
        make: makes it in a new folder.

    Raises:
        UserError: what it is made of can't be read, or it can't be written.
    """
    beside = Path(tempfile.mkdtemp(prefix=".making-", dir=into))
    try:
        made = make(beside / "repository")
        kept = into / f"{name}-{made.git.line('rev-parse', 'HEAD^{tree}')[:16]}"
        if not kept.exists():
            os.rename(beside / "repository", kept)
        return find_repository(kept)
    except OSError as error:  # that copying a folder raises, for sockets and the like, too
        raise refuse(f"`{name}` can't be made in `{into}`: {error}", "check both folders") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
