"""Patches between two trees: written as bytes, proven by applying them to a clean private index."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .cache import private_folder
from .git import Git, GitFailed

ChangeKind = Literal["added", "deleted", "modified", "renamed", "type"]

_FORM = (
    "--binary",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--diff-algorithm=myers",
    "-U3",
)


@dataclass(frozen=True, slots=True)
class Change:
    """One changed path between two trees.

    Attributes:
        path: the path after the change, or before it where it is deleted.
        old_path: the path before it, where that differs.
        old_mode: git's mode before, such as `100644`; zeros where the path is new.
        old_id: the id of the content before; zeros where the path is new.
    """

    kind: ChangeKind
    path: str
    old_path: str | None
    old_mode: str
    new_mode: str
    # Two changes are the same whatever their contents: what is compared are paths and kinds.
    old_id: str = field(default="", compare=False)
    new_id: str = field(default="", compare=False)


def write_patch(git: Git, base: str, result: str) -> bytes:
    """The patch from one commit or tree to another; git's renames are found, so that a move reads as one."""
    return git.run("diff-tree", "-r", "-p", "-M", *_FORM, base, result)


def list_changes(git: Git, base: str, result: str) -> tuple[Change, ...]:
    """What differs between two commits or trees, renames found."""
    fields = git.run("diff-tree", "-r", "-z", "-M", "--raw", "--no-abbrev", base, result).split(b"\0")
    changes: list[Change] = []
    position = 0
    while position < len(fields) - 1:
        old_mode, new_mode, old_id, new_id, letter = fields[position].decode().lstrip(":").split(" ")
        old = fields[position + 1].decode("utf-8", "surrogateescape")
        renamed = letter[0] == "R"
        new = fields[position + 2].decode("utf-8", "surrogateescape") if renamed else old
        changes.append(Change(_kind(letter[0]), new, old if renamed else None, old_mode, new_mode, old_id, new_id))
        position += 3 if renamed else 2
    return tuple(changes)


def _kind(letter: str) -> ChangeKind:
    match letter:
        case "A":
            return "added"
        case "D":
            return "deleted"
        case "R":
            return "renamed"
        case "T":
            return "type"
        case _:
            return "modified"


def applied_tree(git: Git, base: str, patch: bytes) -> str | None:
    """The tree that the patch gives on the base, in a clean private index; None where it doesn't apply."""
    with private_folder("proof-") as folder:
        private = git.with_index(folder / "index")
        try:
            private.run("read-tree", base)
            if patch:
                private.run("apply", "--cached", "--binary", "--whitespace=nowarn", stdin=patch)
            # Objects that a partial clone has not fetched are named by the base; nothing new is missing.
            return private.line("write-tree", "--missing-ok")
        except GitFailed:
            return None
