"""Which files of a repository are tests, by their path."""

from __future__ import annotations

_FOLDERS = frozenset(["test", "tests", "testing"])


def is_test(path: str) -> bool:
    """Whether a file lies in a folder of tests, or is named as one."""
    *folders, name = path.split("/")
    return not _FOLDERS.isdisjoint(folders) or is_test_module(path) or name == "conftest.py"


def is_test_module(path: str) -> bool:
    """Whether pytest collects a file by its usual names."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
