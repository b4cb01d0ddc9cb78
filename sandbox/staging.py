"""Brings chosen paths of an index to what the working tree holds now.

One `git update-index --add --remove` can't: it refuses a path whose folder has become a link or a file, although
the path is simply gone then. So what is gone leaves the index first, and what is there enters it afterwards.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from .git import Git


def stage(git: Git, top: Path, names: Sequence[bytes]) -> None:
    """Put each path into the index as it is now: new, changed, or gone.

    Args:
        git: with the index and the working tree that are meant.
        top: the working tree's top folder.
        names: paths relative to it; one that is neither tracked nor there is no error.
    """
    gone = missing(top, names)
    there = [name for name in names if name not in gone]
    git.run("update-index", "--force-remove", "-z", "--stdin", stdin=_listed(gone))
    git.run("update-index", "--add", "-z", "--stdin", stdin=_listed(there))


def _listed(names: Iterable[bytes]) -> bytes:
    return b"".join(name + b"\0" for name in dict.fromkeys(names))


def missing(top: Path, names: Iterable[bytes]) -> dict[bytes, None]:
    """Those paths at which no file is, in the given order: a folder, or what lies beyond a link, is none."""
    home = os.path.realpath(os.fsencode(top))
    return {name: None for name in names if not _is_there(home, name)}


def behind_links(top: Path, names: Iterable[bytes]) -> dict[bytes, None]:
    """Those paths, there or not, that have a link among their folders, in the given order."""
    home = os.path.realpath(os.fsencode(top))
    return {name: None for name in names if _is_behind_link(home, name)}


def _is_there(home: bytes, name: bytes) -> bool:
    try:
        mode = os.lstat(os.path.join(home, name)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not stat.S_ISDIR(mode) and not _is_behind_link(home, name)


def _is_behind_link(home: bytes, name: bytes) -> bool:
    folder = os.path.dirname(os.path.join(home, name))
    return os.path.realpath(folder) != folder
