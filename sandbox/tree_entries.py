"""Writes a tree that differs from another one in a few paths, in git's store alone: no file is written anywhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from .cache import private_folder
from .git import Git

GONE = "000000"
"""The mode of a path that the tree shall not hold."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path of a tree: git's mode, such as `100644`, and the id of what it holds."""

    path: str
    mode: str
    object_id: str


def write_blob(git: Git, content: bytes) -> str:
    """Store a content as it is; its id."""
    return git.run("hash-object", "-w", "--stdin", stdin=content).decode().strip()


def tree_with(git: Git, start: str, entries: Sequence[TreeEntry]) -> str:
    """The id of the tree that the entries make of a commit or tree.

    A path takes the place of a file that stands where it needs a folder, and the other way round.
    """
    # What goes makes room for what comes.
    ordered = sorted(entries, key=lambda entry: entry.mode != GONE)
    listed = b"".join(f"{e.mode} {e.object_id}\t".encode() + os.fsencode(e.path) + b"\0" for e in ordered)
    with private_folder("tree-") as folder:
        private = git.with_index(folder / "index")
        private.run("read-tree", start)
        private.run("update-index", "-z", "--index-info", stdin=listed)
        # Objects that a partial clone has not fetched are named by the start; nothing new is missing.
        return private.line("write-tree", "--missing-ok")
