"""Short ways to write a `FileChange` in a table."""

from __future__ import annotations

from orefactor.core.guards.change import FileChange

FILE, PROGRAM, LINK, SUBMODULE, NONE = "100644", "100755", "120000", "160000", "000000"


def _data(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def modified(before: str | bytes, after: str | bytes, path: str = "x.py") -> FileChange:
    return FileChange(path, None, "modified", _data(before), _data(after), FILE, FILE)


def added(after: str | bytes, path: str = "x.py", mode: str = FILE) -> FileChange:
    return FileChange(path, None, "added", None, _data(after), NONE, mode)


def deleted(before: str | bytes, path: str = "x.py") -> FileChange:
    return FileChange(path, None, "deleted", _data(before), None, FILE, NONE)


def renamed(before: str | bytes, after: str | bytes, old_path: str, path: str) -> FileChange:
    return FileChange(path, old_path, "renamed", _data(before), _data(after), FILE, FILE)
