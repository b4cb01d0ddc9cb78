"""Removes a folder that strangers filled, whatever they made of it: closed folders, or deeper ones than a path reaches.

The usual walks recurse, or hold a descriptor for each level, and fail where a test or a commit nests thousands.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path


def remove_all(folder: Path) -> None:
    """Remove a folder with all that is in it; what can't be removed stays.

    No process may be left that could exchange a folder for a link.
    """
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.is_symlink() or not folder.is_dir():
        return
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _flatten(top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _flatten(top: int) -> None:
    """Empty a folder: what lies in its folders is moved up to it, over and over, so that nothing is ever deep."""
    prefix = secrets.token_hex(8)
    names = (f"{prefix}-{number}" for number in count())
    waiting = _empty(top, top, names)
    while waiting:
        name = waiting.pop()
        with contextlib.suppress(OSError):
            os.chmod(name, 0o700, dir_fd=top)
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                waiting += _empty(below, top, names)
            finally:
                os.close(below)
            os.rmdir(name, dir_fd=top)


def _empty(folder: int, top: int, names: Iterator[str]) -> list[str]:
    """Remove the files of a folder and move its folders to the top under names that nobody else has; gives these."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    moved: list[str] = []
    for name, is_folder in found:
        with contextlib.suppress(OSError):
            if not is_folder:
                os.unlink(name, dir_fd=folder)
            else:
                # A closed folder can't be moved, as its `..` would change.
                os.chmod(name, 0o700, dir_fd=folder)
                new = next(names)
                os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
                moved.append(new)
    return moved
