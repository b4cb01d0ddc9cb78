"""The smallest pieces of a change that can be taken or left, and what a file holds with some of them. Pure.

The hunks and their numbers are `patch_hunks`'; a hunk is divided further where unchanged lines stand between its
changed ones, as `git add -p` does. `minimal/hunks` divides by other line ends, for a search and not for people.

What is shown to choose from is the patch's text, and what is taken comes from the contents. So both are compared first:
git applies a patch whose line numbers are wrong, and a person would choose something else than they see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .errors import ExitCode, UserError
from .guards.change import FileChange
from .patch_hunks import PatchFile, PatchHunk, Section
from .redact import printable

_NO_ROWS = range(0)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """What is taken or left; two pieces are the same only where they are one.

    Attributes:
        hunks: the hunk that it is, or is a part of; both halves of a file that became something else, such as a link.
        part: its place among the parts of its hunk, from 1.
        place: of its file, in the change.
        section: where its lines stand; None where it is all that happens to the file.
        rows: its changed lines among those of the section.
        old: the lines of the old content that it replaces, from 0.
        new: the lines of the new content in their place.
    """

    hunks: tuple[PatchHunk, ...]
    part: int
    place: int
    section: Section | None = None
    rows: range = _NO_ROWS
    old: range = _NO_ROWS
    new: range = _NO_ROWS

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its hunks."""
        return tuple(hunk.number for hunk in self.hunks)


def divide(files: Sequence[PatchFile], changes: Sequence[FileChange]) -> tuple[Piece, ...]:
    """All pieces in the order of the patch.

    Args:
        files: the patch, read.
        changes: what it does, with the contents.

    Raises:
        UserError: the patch doesn't show what it does.
    """
    by_path: defaultdict[str, list[PatchFile]] = defaultdict(list)
    for file in files:
        by_path[file.path].append(file)
    if set(by_path) != {change.path for change in changes}:
        raise _misleading(next(iter(set(by_path) ^ {change.path for change in changes})))
    pieces = [piece for place, change in enumerate(changes) for piece in _of_file(by_path[change.path], change, place)]
    return tuple(sorted(pieces, key=lambda piece: (piece.numbers, piece.part)))


def _of_file(files: Sequence[PatchFile], change: FileChange, place: int) -> list[Piece]:
    hunks = tuple(hunk for file in files for hunk in file.hunks)
    is_there = change.before is not None and change.new_mode.startswith("100")
    if len(files) > 1 or hunks[0].is_whole or not is_there:
        return [Piece(hunks, 1, place)]
    pieces = [piece for hunk in hunks for piece in _of_hunk(hunk, place)]
    before, after = lines(change.before), lines(change.after)
    is_shown = all(_stands(section, before, after) for hunk in hunks for section in hunk.sections)
    if not is_shown or combine(change, pieces) != change.after:
        raise _misleading(change.path)
    return pieces


def _of_hunk(hunk: PatchHunk, place: int) -> list[Piece]:
    pieces: list[Piece] = []
    for section in hunk.sections:
        old, new = _begins(section)
        start: tuple[int, int, int] | None = None
        for row, line in enumerate([*section.lines, None]):
            if line is not None and line.kind != " ":
                start = start or (row, old, new)
            elif start is not None:
                at, *sides = start
                ranges = range(at, row), range(sides[0], old), range(sides[1], new)
                pieces.append(Piece((hunk,), len(pieces) + 1, place, section, *ranges))
                start = None
            if line is not None:
                old += line.kind != "+"
                new += line.kind != "-"
    return pieces


def _begins(section: Section) -> tuple[int, int]:
    """The first lines of both sides, from 0; a side without lines is written as the line before."""
    has_old = any(line.kind != "+" for line in section.lines)
    has_new = any(line.kind != "-" for line in section.lines)
    return max(section.old_start - has_old, 0), max(section.new_start - has_new, 0)


def _stands(section: Section, before: Sequence[bytes], after: Sequence[bytes]) -> bool:
    """Whether the section's lines are those of the contents."""
    old, new = _begins(section)
    sides = (
        (before, old, [line for line in section.lines if line.kind != "+"]),
        (after, new, [line for line in section.lines if line.kind != "-"]),
    )
    return all(
        [(line.text, line.ended) for line in shown] == [_as_shown(line) for line in content[begin : begin + len(shown)]]
        for content, begin, shown in sides
    )


def _as_shown(line: bytes) -> tuple[str, bool]:
    return line.removesuffix(b"\n").decode("utf-8", "backslashreplace"), line.endswith(b"\n")


def lines(content: bytes | None) -> list[bytes]:
    """The lines with their ends, as git counts them."""
    parts = (content or b"").split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def combine(change: FileChange, taken: Collection[Piece]) -> bytes:
    """What a changed file holds with some of its pieces, none of which is all that happens to it."""
    before, after = lines(change.before), lines(change.after)
    parts: list[bytes] = []
    at = 0
    for piece in sorted(taken, key=lambda piece: (piece.old.start, piece.new.start)):
        parts += before[at : piece.old.start]
        parts += after[piece.new.start : piece.new.stop]
        at = piece.old.stop
    return b"".join([*parts, *before[at:]])


def _misleading(path: str) -> UserError:
    return UserError(
        f"the patch doesn't show what it does to `{printable(path)[:200]}`",
        hint="it was changed after the run; take all of it or nothing: see `git orefactor verify`",
        exit_code=ExitCode.GATE,
    )
