"""Finds what looks like a part of a patch and isn't one: git skips it, and a reader would take it for a change.

Git applies a patch by few of its lines. It doesn't mind other names in `diff --git`, other ids in `index` (from which
`git apply --3way` takes its base), other line numbers, or any text between and behind the files. A mailing list's
footer there is harmless; what a reader could take for a part of the change is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_FREE = re.compile(rb"(?:dis)?similarity index \d{1,3}%|GIT binary patch")
"""What may stand in the head of a file besides what the change makes of it."""
_FILE, _SIGNATURE = b"diff --git ", b"-- "
"""The first line of a file's head; what mail programs put at the end."""
# A mail's lines above the first file may begin with anything else.
_ABOVE, _BEHIND = (b"--- ", b"+++ ", b"@@ "), (b"+", b"-", b"@", b" ")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line outside of hunks; `head` is one of a file's, `stray` one that can't stand there."""

    number: int
    text: bytes
    kind: Literal["head", "stray"]


def head_lines(patch: bytes) -> frozenset[bytes]:
    """The lines in the heads of a patch's files: names, modes, ids."""
    return frozenset(line.text for line in _walk(patch) if line.kind == "head")


def find_stray(patch: bytes, heads: Collection[bytes]) -> int | None:
    """The first line, from 1, that reads as a part of the change and is none; None where there is no such line.

    Args:
        patch: one that git applies, so that hunks have as many lines as they say.
        heads: the lines that the files' heads may have.
    """
    for line in _walk(patch):
        if line.kind == "stray" or (line.text not in heads and not _FREE.fullmatch(line.text)):
            return line.number
    return None


def _walk(patch: bytes) -> Iterator[_Line]:
    lines = enumerate(patch.split(b"\n"), 1)
    in_file = in_head = False
    shift = 0
    for number, text in lines:
        if text.startswith(_FILE):
            in_file, in_head, shift = True, True, 0
        if (hunk := _HUNK.match(text)) and in_file:
            in_head = False
            old, new = _lengths(hunk)
            if _begin(hunk[3], new) - _begin(hunk[1], old) != shift:
                yield _Line(number, text, "stray")
            shift += new - old
            _skip(lines, old, new)
        elif not text or text == _SIGNATURE:
            in_head = False
        elif in_head:
            yield _Line(number, text, "head")
        elif text.startswith(_BEHIND if in_file else _ABOVE):
            yield _Line(number, text, "stray")
        in_head = in_head and text != b"GIT binary patch"


def _lengths(hunk: re.Match[bytes]) -> tuple[int, int]:
    return int(hunk[2] or 1), int(hunk[4] or 1)


def _begin(written: bytes, length: int) -> int:
    """The first line; a side without lines is written as the line before."""
    return int(written) + (length == 0)


def _skip(lines: Iterator[tuple[int, bytes]], old: int, new: int) -> None:
    while (old > 0 or new > 0) and (line := next(lines, None)) is not None:
        mark = line[1][:1]
        old -= mark not in (b"+", b"\\")
        new -= mark not in (b"-", b"\\")
