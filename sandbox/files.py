"""The only way to files: everything below one root, nothing outside it, nothing of git's own.

`names.py` refuses by spelling, before anything is opened. Reading asks the kernel to stay below the root
(openat2), and follows links that do; where the kernel can't, and for every change, the path is walked folder
by folder through no link at all. Changes are atomic and say which content they replace, so that what wasn't
read can't be overwritten.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import weakref
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import folders, names, openat2
from .errors import ExitCode, Refused, UserError
from .folders import Entry, Kind
from .obstacles import explain, is_a_directory

READ_LIMIT = 4 * 1024 * 1024
"""Bytes; source files are far smaller, and a model could read no more."""


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it was read.

    Attributes:
        data: its bytes.
        mode: its permission bits.
        digest: SHA-256 of the bytes, in hexadecimal; what a change names as expected.
    """

    data: bytes
    mode: int
    digest: str


class Root:
    """A folder, held open; every path is relative to it. All methods that take a path raise `Refused`.

    Attributes:
        path: the folder's own path, for programs that are started in it.
    """

    def __init__(self, path: Path, *, use_openat2: bool | None = None) -> None:
        """Opens the folder.

        Args:
            path: the folder; links in its own path are followed, since the caller chose it.
            use_openat2: None to use it where the kernel has it.

        Raises:
            UserError: there is no such folder.
        """
        try:
            self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise UserError(
                f"`{path}` can't be opened as a folder",
                hint="name a folder that exists and that you may read",
                exit_code=ExitCode.ENVIRONMENT,
            ) from error
        weakref.finalize(self, os.close, self._root)
        self.path = Path(os.path.realpath(path))
        self._use_openat2 = openat2.is_available() if use_openat2 is None else use_openat2

    def normalize(self, path: str) -> str:
        """The path with slashes only and no dot parts; `.` for the root. Looks at the spelling alone."""
        return "/".join(names.split(path)) or "."

    def read(self, path: str, *, limit: int = READ_LIMIT) -> FileContent:
        """Reads a regular file of at most `limit` bytes."""
        parts = names.split(path)
        with self._explained(parts), self._opened_to_read(parts) as descriptor:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise is_a_directory("/".join(parts) or ".")
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.ENXIO, "not a regular file")
            data = folders.read_all(descriptor, limit)
        if len(data) > limit:
            size = max(status.st_size, len(data))
            raise Refused(f"'{path}' has {size:,} bytes, more than the {limit:,} that can be read; use grep on it")
        return FileContent(data, stat.S_IMODE(status.st_mode), _digest(data))

    def create(self, path: str, data: bytes, *, executable: bool = False) -> None:
        """Makes a new file and the folders above it."""
        parts = _file_parts(path)
        names.check_new(parts[-1:])
        with self._new_place(parts) as folder:
            folders.write_new(folder, parts[-1], data, mode=0o777 if executable else 0o666)

    def replace(self, path: str, data: bytes, *, expected: str) -> None:
        """Puts new content in place of the content with the expected digest; the permission bits stay."""
        parts = _file_parts(path)
        with self._explained(parts), folders.opened(self._root, parts[:-1]) as folder:
            old = self._expected(folder, parts, expected)
            folders.write_over(folder, parts[-1], data, mode=old.mode & 0o777)

    def delete(self, path: str, *, expected: str) -> None:
        """Removes a file with the expected digest, and the folders that this empties."""
        parts = _file_parts(path)
        with self._explained(parts), folders.opened(self._root, parts[:-1]) as folder:
            self._expected(folder, parts, expected)
            os.unlink(parts[-1], dir_fd=folder)
            folders.prune(self._root, parts[:-1])

    def move(self, source: str, target: str, *, expected: str) -> None:
        """Moves a file with the expected digest to a path that isn't taken; folders come and go as needed."""
        old_parts, new_parts = _file_parts(source), _file_parts(target)
        if old_parts == new_parts:
            raise Refused(f"'{source}' and '{target}' are the same path; name another target")
        names.check_new(new_parts[-1:])
        besides = old_parts[-1] if old_parts[:-1] == new_parts[:-1] else None
        with self._explained(old_parts), folders.opened(self._root, old_parts[:-1]) as old_folder:
            old = self._expected(old_folder, old_parts, expected)
            with self._new_place(new_parts, besides=besides) as folder:
                # Not rename(2), which would overwrite; nor link(2), which not every file system has.
                folders.write_new(folder, new_parts[-1], old.data, mode=old.mode & 0o777, exact=True)
            os.unlink(old_parts[-1], dir_fd=old_folder)
            folders.prune(self._root, old_parts[:-1])

    def list(self, path: str) -> tuple[Entry, ...]:
        """What a folder holds, sorted, without git's own; names that no path can say are escaped."""
        parts = names.split(path)
        if self.kind(path) == "file":
            raise Refused(f"'{path}' is a file; use read_file to see it, or list_dir on its folder")
        with self._explained(parts), folders.opened(self._root, parts) as folder:
            return tuple(Entry(names.shown(entry.name), entry.kind) for entry in folders.entries(folder))

    def kind(self, path: str) -> Kind | Literal["missing"]:
        """What a path is, without following it; below a link it is refused."""
        parts = names.split(path)
        if not parts:
            return "directory"
        with self._explained(parts):
            try:
                with folders.opened(self._root, parts[:-1]) as folder:
                    return folders.kind_in(folder, parts[-1])
            except FileNotFoundError:
                return "missing"

    def walk(self, path: str = ".", *, limit: int) -> Iterator[str]:
        """The regular files at or below a path, sorted, never through a link.

        Args:
            path: a folder, or one file.
            limit: how many paths to give at most; one more than you can use tells that there are more.
        """
        parts = names.split(path)
        if self.kind(path) == "file":
            return iter(["/".join(parts)][:limit])
        with self._explained(parts), folders.opened(self._root, parts) as folder:
            first = folders.entries(folder)
        return self._files(parts, first, limit)

    def _files(self, parts: tuple[str, ...], first: tuple[Entry, ...], limit: int) -> Iterator[str]:
        pending = [((*parts, entry.name), entry.kind) for entry in reversed(first)]
        while pending and limit > 0:
            here, kind = pending.pop()
            if not names.is_plain(here[-1]):
                continue
            if kind == "file":
                limit -= 1
                yield "/".join(here)
            elif kind == "directory":
                # A folder that vanished or became a link since it was listed has no files.
                with contextlib.suppress(OSError), folders.opened(self._root, here) as folder:
                    pending += [((*here, entry.name), entry.kind) for entry in reversed(folders.entries(folder))]

    @contextlib.contextmanager
    def _explained(self, parts: tuple[str, ...]) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise explain(self._root, parts, error) from error

    @contextlib.contextmanager
    def _opened_to_read(self, parts: tuple[str, ...]) -> Generator[int]:
        descriptor = self._open_to_read(parts)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _open_to_read(self, parts: tuple[str, ...]) -> int:
        if not self._use_openat2 or not parts:
            with folders.opened(self._root, parts[:-1]) as folder:
                return os.open(parts[-1] if parts else ".", folders.READ | os.O_NOFOLLOW, dir_fd=folder)
        descriptor = openat2.open_beneath(self._root, "/".join(parts), folders.READ)
        try:
            self._refuse_dot_git(descriptor, parts)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _refuse_dot_git(self, descriptor: int, parts: tuple[str, ...]) -> None:
        """A link inside the root may lead into git's own folder, which only the resolved name shows."""
        opened = os.readlink(f"/proc/self/fd/{descriptor}")
        top = os.readlink(f"/proc/self/fd/{self._root}")
        if any(names.is_dot_git(name) for name in os.path.relpath(opened, top).split("/")):
            raise Refused(f"'{'/'.join(parts)}' leads through a symbolic link into git's own folder")

    @contextlib.contextmanager
    def _new_place(self, parts: tuple[str, ...], *, besides: str | None = None) -> Generator[int]:
        with self._explained(parts), folders.opened(self._root, parts[:-1], create=True) as folder:
            if folders.kind_in(folder, parts[-1]) == "file":
                raise Refused(f"'{'/'.join(parts)}' is there already; read it and edit it, or use another path")
            folders.refuse_case_twin(folder, parts[-1], besides=besides)
            yield folder

    def _expected(self, folder: int, parts: tuple[str, ...], expected: str) -> FileContent:
        """The file to change, when its content is still the one that the caller read."""
        if folders.kind_in(folder, parts[-1]) != "file":
            raise OSError(errno.EINVAL, "not a regular file")
        descriptor = os.open(parts[-1], folders.READ | os.O_NOFOLLOW, dir_fd=folder)
        try:
            mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
            data = folders.read_all(descriptor)
        finally:
            os.close(descriptor)
        if (digest := _digest(data)) != expected:
            raise Refused(f"'{'/'.join(parts)}' has changed since it was read; read it again, then repeat the change")
        return FileContent(data, mode, digest)


def _file_parts(path: str) -> tuple[str, ...]:
    parts = names.split(path)
    if not parts:
        raise is_a_directory(".")
    return parts


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
