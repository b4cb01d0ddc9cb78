"""Reads the files of a kept review's new side out of the repository, for the outputs that show its lines.

The trace names the tree and the paths, and it may be a stranger's: what is read are objects of the repository that
keeps the run, so many and so large as a page can use, and whatever is no file there is not known. The tree of
uncommitted work is unreferenced, so that it may be gone by the time that somebody looks.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache

from orefactor.sandbox.git import Git
from orefactor.sandbox.repository import Repository

from .outputs.patch_head import is_object_id
from .outputs.source_files import LARGEST, Source, no_source
from .reporting import ReportedRun

_MOST, _KEPT = 500, 16
"""Files that are read in all, and that are remembered."""


def with_source(run: ReportedRun, repository: Repository) -> ReportedRun:
    """The run with its reviewed files at hand; one that is no review as it is."""
    review = run.trace.review
    return run if review is None else replace(run, source=source_of_tree(repository.git, review.tree))


def source_of_tree(git: Git, tree: str) -> Source:
    """A reader of a tree's files.

    Args:
        tree: its id; of anything else nothing is read.
    """
    if not is_object_id(tree):
        return no_source
    left = _MOST

    @lru_cache(_KEPT)
    def read(path: str) -> bytes | None:
        nonlocal left
        left -= 1
        return _file(git, f"{tree}:{path}") if left >= 0 and _can_be_asked(path) else None

    return read


def _can_be_asked(path: str) -> bool:
    """Whether git can be asked for it: a name that a program can be given, and not the tree itself."""
    try:
        return bool(path) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _file(git: Git, name: str) -> bytes | None:
    size = git.result("cat-file", "-s", name, ok=(0, 1, 128))
    if size.returncode != 0 or int(size.stdout) > LARGEST:
        return None
    found = git.result("cat-file", "blob", name, ok=(0, 1, 128))
    return found.stdout if found.returncode == 0 else None
