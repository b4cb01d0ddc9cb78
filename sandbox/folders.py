"""Folders held open by descriptor, so that a link put in a path's way meanwhile leads nowhere.

Each step opens one name in a folder that is already open and never follows a link; what is done then is done
relative to that descriptor. Functions here raise `OSError`; `obstacles.py` puts it into words.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from . import names
from .errors import Refused

Kind = Literal["file", "directory", "link", "other"]
"""What a name stands for, links not followed; `other` is a FIFO, a socket or a device."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a FIFO that nobody writes to must return.
READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder."""

    name: str
    kind: Kind


@contextlib.contextmanager
def opened(root: int, parts: Sequence[str], *, create: bool = False) -> Generator[int]:
    """The folder at `parts` below the root as a descriptor, reached through no link.

    Args:
        root: descriptor of the root.
        parts: as `names.split` gives them.
        create: make the folders that aren't there.

    Raises:
        OSError: a part is missing, a link, or no folder.
        Refused: a folder would be made whose name must not come into being.
    """
    folder = os.dup(root)
    try:
        for index, part in enumerate(parts):
            deeper = _enter_or_make(folder, parts[index:]) if create else _enter(folder, part)
            os.close(folder)
            folder = deeper
        yield folder
    finally:
        os.close(folder)


def kind_of(mode: int) -> Kind:
    """The kind that a `st_mode` tells."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "other"


def kind_in(folder: int, name: str) -> Kind | Literal["missing"]:
    """What a name in an open folder stands for."""
    try:
        return kind_of(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return "missing"


def entries(folder: int) -> tuple[Entry, ...]:
    """What an open folder holds, sorted by name, without git's own folder."""
    with os.scandir(folder) as found:
        kept = [
            Entry(entry.name, kind_of(entry.stat(follow_symlinks=False).st_mode))
            for entry in found
            if not names.is_dot_git(entry.name)
        ]
    return tuple(sorted(kept, key=lambda entry: entry.name))


def refuse_case_twin(folder: int, name: str, *, besides: str | None = None) -> None:
    """Refuses a new name that another system couldn't hold beside one that is there.

    Args:
        folder: where the name would come into being.
        name: the new name.
        besides: a name that is about to go, and so may be the twin.

    Raises:
        Refused: there is a name that differs only by case.
    """
    twin = names.case_twin(name, (other for other in os.listdir(folder) if other != besides))
    if twin is not None:
        raise Refused(f"'{name}' differs only by case from '{names.shown(twin)}', which is there; use that name")


def read_all(descriptor: int, limit: int | None = None) -> bytes:
    """Reads an open file to its end, or until it has more than `limit` bytes."""
    data = bytearray()
    while chunk := os.read(descriptor, _CHUNK):
        data += chunk
        if limit is not None and len(data) > limit:
            break
    return bytes(data)


def write_new(folder: int, name: str, data: bytes, *, mode: int, exact: bool = False) -> None:
    """Makes a file that wasn't there; a failed write leaves none.

    Args:
        folder: the open folder.
        name: of the file.
        data: its content.
        mode: permission bits.
        exact: whether the umask leaves them alone.

    Raises:
        OSError: FileExistsError when the name is taken, whatever by.
    """
    descriptor = os.open(name, _CREATE, mode, dir_fd=folder)
    try:
        if exact:
            os.fchmod(descriptor, mode)
        _write_all(descriptor, data)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)


def write_over(folder: int, name: str, data: bytes, *, mode: int) -> None:
    """Puts a file in the place of another at once: a reader sees the old content or the new one.

    The rename parts hard links and never writes through a link. There is no fsync: a worktree is thrown away.
    """
    temporary = f".orefactor-{secrets.token_hex(8)}.tmp"
    write_new(folder, temporary, data, mode=mode, exact=True)
    try:
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)
        raise


def prune(root: int, parts: Sequence[str]) -> None:
    """Removes the folder at `parts` and those above it as far as they are empty; never the root."""
    for depth in range(len(parts), 0, -1):
        with opened(root, parts[: depth - 1]) as parent:
            try:
                os.rmdir(parts[depth - 1], dir_fd=parent)
            except OSError:
                return


def _enter(folder: int, name: str) -> int:
    return os.open(name, _FOLDER, dir_fd=folder)


def _enter_or_make(folder: int, rest: Sequence[str]) -> int:
    try:
        return _enter(folder, rest[0])
    except FileNotFoundError:
        # All names before the first mkdir, so that a refusal leaves nothing behind.
        names.check_new(rest)
        refuse_case_twin(folder, rest[0])
        os.mkdir(rest[0], dir_fd=folder)
        return _enter(folder, rest[0])


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
