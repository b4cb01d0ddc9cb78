"""Splits a change into hunks and puts any choice of them together again, exact to the byte. Pure.

Only a text file that stays what and where it was is split, into runs of lines. What else changes goes or stays as a
whole: a file that is new, gone, renamed or binary, a link, a submodule, a mode.

A line ends as `bytes.splitlines` says, that is, as the line numbers that a person and a model see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..code.line_diff import hunks as line_hunks
from ..guards.change import FileChange

_NO_LINES = range(0)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One part of a change that can be left out.

    Attributes:
        path: the changed file's, as in `FileChange`.
        old: the lines of the old content that are replaced, counted from 0; none for a whole file.
        new: the lines of the new content in their place.
        is_whole: whether it is all that changes at the path.
    """

    path: str
    old: range
    new: range
    is_whole: bool = False

    @property
    def line(self) -> int:
        """The first changed line after the change, or before it where lines are only removed; from 1, 0 for a file."""
        if self.is_whole:
            return 0
        return (self.new or self.old).start + 1


def split(changes: Sequence[FileChange]) -> tuple[Hunk, ...]:
    """All hunks, in the order of the change; what changes nothing has none."""
    return tuple(hunk for change in changes for hunk in _split_file(change))


def _split_file(change: FileChange) -> list[Hunk]:
    if not _has_parts(change):
        return [Hunk(change.path, _NO_LINES, _NO_LINES, is_whole=True)] if _differs(change) else []
    found = line_hunks(lines(change.before), lines(change.after))
    return [Hunk(change.path, hunk.old, hunk.new) for hunk in found]


def lines(content: bytes | None) -> list[bytes]:
    """The lines with their ends."""
    return (content or b"").splitlines(keepends=True)


def _has_parts(change: FileChange) -> bool:
    if change.before is None or change.after is None or b"\0" in change.before or b"\0" in change.after:
        return False
    same_place = change.old_path in (None, change.path) and change.old_mode == change.new_mode
    return same_place and change.new_mode.startswith("100")


def _differs(change: FileChange) -> bool:
    before = (change.old_path or change.path, change.old_mode, change.before)
    return before != (change.path, change.new_mode, change.after)


def combine(changes: Sequence[FileChange], kept: Collection[Hunk]) -> tuple[FileChange, ...]:
    """The change with the kept hunks alone; a path at which none is kept is left out.

    Args:
        kept: of those that `split` gave for the same change; their order doesn't matter.
    """
    by_path: defaultdict[str, list[Hunk]] = defaultdict(list)
    for hunk in kept:
        by_path[hunk.path].append(hunk)
    return tuple(_combined(change, by_path[change.path]) for change in changes if by_path[change.path])


def _combined(change: FileChange, kept: Sequence[Hunk]) -> FileChange:
    if kept[0].is_whole:
        return change
    before, after = lines(change.before), lines(change.after)
    parts: list[bytes] = []
    at = 0
    for hunk in sorted(kept, key=lambda hunk: (hunk.old.start, hunk.new.start)):
        parts += before[at : hunk.old.start]
        parts += after[hunk.new.start : hunk.new.stop]
        at = hunk.old.stop
    return replace(change, after=b"".join([*parts, *before[at:]]))
