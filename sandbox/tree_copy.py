"""A private copy of the tree: nothing of what happens to it reaches the tree."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .removal import remove_all


@contextmanager
def tree_copy(tree: Path, scratch: Path, *, owner: int | None = None, folders: Sequence[Path] = ()) -> Generator[Path]:
    """Copy the tree without its `.git`, links as links; the copy is gone after the block.

    Args:
        tree: what to copy.
        scratch: the folder to make the copy in.
        owner: the user and group that the copy is to belong to, where we are root.
        folders: relative paths that are made as empty folders, whatever the tree has there.
    """
    parent = Path(tempfile.mkdtemp(prefix="tree-", dir=scratch))
    try:
        copy = parent / "tree"
        _copy_folder(tree, copy, {Path(".git"), *folders})
        for folder in folders:
            _make_plain(copy, folder)
        if owner is not None:
            _give(copy, owner)
        yield copy
    finally:
        remove_all(parent)


def _copy_folder(tree: Path, copy: Path, left_out: set[Path]) -> None:
    waiting = [Path()]
    while waiting:  # not by recursion: a commit may nest folders as deep as paths go
        folder = waiting.pop()
        (copy / folder).mkdir()
        with os.scandir(tree / folder) as entries:
            for entry in entries:
                path = folder / entry.name
                if path in left_out:
                    continue
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), copy / path)
                elif entry.is_dir():
                    waiting.append(path)
                elif entry.is_file():
                    _copy_file(entry, copy / path)


def _copy_file(entry: os.DirEntry[str], target: Path) -> None:
    shutil.copyfile(entry.path, target)
    is_program = entry.stat().st_mode & stat.S_IXUSR
    target.chmod(0o755 if is_program else 0o644)


def _make_plain(copy: Path, folder: Path) -> None:
    """Make a folder whose path has no link in it: mounts are put there."""
    path = copy
    for name in folder.parts:
        path /= name
        if path.is_symlink() or path.is_file():
            path.unlink()
        path.mkdir(exist_ok=True)


def _give(copy: Path, owner: int) -> None:
    os.chown(copy, owner, owner)
    waiting = [str(copy)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                os.lchown(entry.path, owner, owner)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
