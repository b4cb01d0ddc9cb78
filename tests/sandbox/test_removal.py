"""Removing a folder that strangers filled."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orefactor.sandbox.removal import remove_all

LEVELS = 3000
"""More than Python recurses, and more than a path can name."""


def nest(folder: Path, levels: int, mode: int = 0o777) -> None:
    """Make folders in one another, each with a file; as root modes don't matter."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.fchmod(here, mode)
        os.close(here)
        here = below
    os.close(here)


def _plain(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")


def _closed(folder: Path) -> None:
    _plain(folder)
    for path in (folder / "a" / "b", folder / "a", folder):
        path.chmod(0)


def _names(folder: Path) -> None:
    for name in (b"\xff", b"a\nb", b"-rf", b" "):
        os.mkdir(os.path.join(os.fsencode(folder), name))
    nest(folder, 1200)


FILLS: dict[str, Callable[[Path], None]] = {
    "plain": _plain,
    "closed": _closed,
    "deep": lambda folder: nest(folder, LEVELS),
    "deep and closed": lambda folder: nest(folder, LEVELS, 0),
    "odd names": _names,
    "nothing": lambda _folder: None,
}


@pytest.mark.parametrize("name", FILLS)
def test_it_is_gone(tmp_path: Path, name: str) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for made in (folder, outside):
        made.mkdir()
    (outside / "file").write_text("stays")
    (folder / "link").symlink_to(outside)
    FILLS[name](folder)
    remove_all(folder)
    assert not folder.exists()
    assert (outside / "file").read_text() == "stays"


def test_what_is_no_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    remove_all(tmp_path / "missing")
    remove_all(tmp_path / "link")
    assert (tmp_path / "outside").stat().st_mode & 0o777 == 0o755
