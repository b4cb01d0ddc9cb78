"""A private copy of the tree, for checks that may write: nothing of what they do reaches the tree."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path


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
        _copy_folder(tree, copy, {Path(".git"), *folders}, Path())
        for folder in folders:
            _make_plain(copy, folder)
        if owner is not None:
            _give(copy, owner)
        yield copy
    finally:
        _remove(parent)


def _copy_folder(source: Path, target: Path, left_out: set[Path], relative: Path) -> None:
    target.mkdir()
    with os.scandir(source) as entries:
        for entry in entries:
            path = relative / entry.name
            if path in left_out:
                continue
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), target / entry.name)
            elif entry.is_dir():
                _copy_folder(Path(entry.path), target / entry.name, left_out, path)
            elif entry.is_file():
                _copy_file(entry, target / entry.name)


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
    for folder, names, files in os.walk(copy):
        for name in (*names, *files):
            os.lchown(os.path.join(folder, name), owner, owner)


def _remove(folder: Path) -> None:
    """Remove all, also what was closed to us; no process is left that could exchange a folder for a link."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
