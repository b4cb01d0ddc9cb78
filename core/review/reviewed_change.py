"""The change that a review looks at, as values; `change.py` finds it in a repository."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from orefactor.sandbox.base import Base


@dataclass(frozen=True, slots=True)
class ReviewedChange:
    """What is reviewed: what leads from one tree to another.

    Attributes:
        source: what the user asked for, in words: `the working tree`, `the index`, `the branch x`, `a..b`.
        before: the old side's commit; unreferenced where there is none (a root commit).
        before_tree: its tree.
        after: the new side; its `source` is the same as above, `head` what HEAD names.
        paths: the changed files, both names of a renamed one, sorted; those of the wanted paths only.
        hunks: for each file that exists now its changed places: first and last line of each hunk in the new file,
            three lines of context included, ascending; none for a file that only moved, is binary or changed its mode.
        lines: for each of them how many lines it has now.
        patch: the diff in git's form, with three lines of context and renames found.
        changed_lines: lines added and removed.
        is_published: whether the new side is a commit of the repository, so that a status may be set on it.
    """

    source: str
    before: str
    before_tree: str
    after: Base
    paths: tuple[str, ...]
    hunks: Mapping[str, tuple[tuple[int, int], ...]]
    lines: Mapping[str, int]
    patch: bytes
    changed_lines: int
    is_published: bool

    @property
    def digest(self) -> str:
        """Of the diff, 64 hex digits."""
        return hashlib.sha256(self.patch).hexdigest()
