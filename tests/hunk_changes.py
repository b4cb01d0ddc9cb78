"""Short ways to make changes for the tests of this folder."""

from __future__ import annotations

from orefactor.core.guards.change import FileChange

FILE, PROGRAM, LINK, SUBMODULE, NONE = "100644", "100755", "120000", "160000", "000000"


def modified(before: bytes, after: bytes, path: str = "x.py") -> FileChange:
    """A file with other content."""
    return FileChange(path, None, "modified", before, after, FILE, FILE)


def added(after: bytes, path: str = "new.py") -> FileChange:
    """A new file."""
    return FileChange(path, None, "added", None, after, NONE, FILE)


def deleted(before: bytes, path: str = "gone.py") -> FileChange:
    """A file that is gone."""
    return FileChange(path, None, "deleted", before, None, FILE, NONE)
