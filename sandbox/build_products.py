"""Brings what was built in the user's tree, and git ignores, to where checks run: without it many tests can't start.

A worktree holds tracked files only. Ignored secrets (`.env`) are rightly not among them, but ignored extension modules,
generated versions and generated protocols are needed. Only names that are always built are taken, never a folder whole.
They are read and written through `files.py`, and are no part of the change: nothing ignored is, and tools refuse them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from .errors import Refused
from .files import Root
from .repository import Repository

PATTERNS = ("*.so", "*.pyd", "*.dylib", "_version.py", "_version.pyi", "version.py", "*_pb2*.py", "*_pb2*.pyi")
"""Of the file's name."""
TOTAL = 64 << 20
"""Bytes."""
# Folders that are ignored whole and belong to tools; an environment's own extension modules are mounted with it.
NOT_ENTERED = ("__pycache__", "node_modules", "build", "dist", "env", "venv", "site-packages", "*.egg-info", ".*")
MOST_FILES = 5000
"""Files of one ignored folder that are looked at."""
_READABLE, _EXECUTABLE = 0o644, 0o755


@dataclass(frozen=True, slots=True)
class BuildProducts:
    """What was copied.

    Attributes:
        paths: relative to the top, sorted.
        bytes: their size together.
        left_out: how many more there are, for which there was no room or that can't be copied.
    """

    paths: tuple[str, ...] = ()
    bytes: int = 0
    left_out: int = 0


def copy_build_products(repository: Repository, worktree: Root, *, total: int = TOTAL) -> BuildProducts:
    """Copy the ignored build products of the user's tree into a worktree that has no such files.

    Args:
        total: the most bytes to copy.
    """
    if repository.top is None:
        return BuildProducts()
    source = Root(repository.top)
    copied: list[str] = []
    used = left_out = 0
    for path in sorted(set(_found(repository, source))):
        try:
            if worktree.kind(path) != "missing":
                continue  # the base has it
            size = _copy(source, worktree, path, total - used)
        except Refused:
            size = None
        if size is None:
            left_out += 1
        else:
            copied.append(path)
            used += size
    return BuildProducts(tuple(copied), used, left_out)


def _found(repository: Repository, source: Root) -> Iterator[str]:
    """The products' paths; folders that are ignored whole are listed by git as one."""
    arguments = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    for name in repository.git.run(*arguments).split(b"\0"):
        path = os.fsdecode(name)
        if not path.endswith("/"):
            yield from [path] if _is_product(path) else []
        elif not any(fnmatchcase(part, pattern) for part in path.split("/")[:-1] for pattern in NOT_ENTERED):
            yield from _inside(source, path.rstrip("/"))


def _inside(source: Root, folder: str) -> Iterator[str]:
    try:
        if source.kind(f"{folder}/pyvenv.cfg") != "missing":
            return
        yield from (path for path in source.walk(folder, limit=MOST_FILES) if _is_product(path))
    except Refused:
        return


def _is_product(path: str) -> bool:
    name = PurePosixPath(path).name
    return any(fnmatchcase(name, pattern) for pattern in PATTERNS)


def _copy(source: Root, worktree: Root, path: str, room: int) -> int | None:
    """Copy one file; its size, or None where it is none, or there is no room.

    Raises:
        Refused: it can't be read, or the worktree has something there.
    """
    if source.kind(path) != "file":
        return None
    content = source.read(path, limit=room)
    is_program = bool(content.mode & 0o100)
    worktree.create(path, content.data, executable=is_program)
    # Whatever the umask says: as root the checks run as another user.
    Path(worktree.path, path).chmod(_EXECUTABLE if is_program else _READABLE)
    return len(content.data)
