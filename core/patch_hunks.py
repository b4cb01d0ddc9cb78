"""Reads a patch of git's as files and numbered hunks, for whoever looks at a change or chooses from it. Pure.

Hunks count from 1 in the order of the patch, file by file, so that a page, a terminal and `--hunks` mean the same by a
number. A file that is new, gone, renamed, binary or of another mode is one hunk, as half of it would be none of these.
The patch may be a stranger's: lines that fit nowhere are left out, nothing is raised, and the time is linear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

LineKind = Literal[" ", "+", "-"]
FileKind = Literal["changed", "new", "deleted", "renamed", "mode"]

_FILE, _NOTHING = b"diff --git ", b"/dev/null"
_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_ESCAPE = re.compile(rb'\\([0-3][0-7]{2}|[abtnvfr"\\])')
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_KINDS: dict[LineKind, bytes] = {" ": b" ", "+": b"+", "-": b"-"}
_KIND_OF: dict[bytes, LineKind] = {mark: kind for kind, mark in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class PatchLine:
    """One line of a hunk without its end; bytes that are no UTF-8 are spelled out. `ended`: whether it has an end."""

    kind: LineKind
    text: str
    ended: bool = True


@dataclass(frozen=True, slots=True)
class Section:
    """What follows one `@@`. The starts are line numbers from 1; `heading` is what git found above it."""

    old_start: int
    new_start: int
    heading: str
    lines: tuple[PatchLine, ...]


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """What can be taken or left: one section, or all that happens to a file (`is_whole`)."""

    number: int
    path: str
    sections: tuple[Section, ...]
    is_whole: bool = False

    @property
    def added(self) -> int:
        """Lines."""
        return self._count("+")

    @property
    def removed(self) -> int:
        """Lines."""
        return self._count("-")

    def _count(self, kind: LineKind) -> int:
        return sum(line.kind == kind for section in self.sections for line in section.lines)


@dataclass(frozen=True, slots=True)
class PatchFile:
    """One changed file. Names are `str` with surrogateescape; `modes`: before and after, where they differ."""

    path: str
    old_path: str
    kind: FileKind
    is_binary: bool
    modes: tuple[str, str] | None
    hunks: tuple[PatchHunk, ...]

    @property
    def added(self) -> int:
        """Lines."""
        return sum(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> int:
        """Lines."""
        return sum(hunk.removed for hunk in self.hunks)


def read_patch(patch: bytes) -> tuple[PatchFile, ...]:
    """The files of a patch in order; what stands above the first is skipped."""
    lines = patch.split(b"\n")
    starts = _file_starts(lines)
    files: list[PatchFile] = []
    number = 1
    for start, stop in pairwise([*starts, len(lines)]):
        file = _file(lines[start:stop], number)
        number += len(file.hunks)
        files.append(file)
    return tuple(files)


def _file_starts(lines: list[bytes]) -> list[int]:
    """Where files begin; a line of content has a mark before it, so that it can't look like one."""
    return [number for number, line in enumerate(lines) if line.startswith(_FILE)]


def _file(lines: list[bytes], number: int) -> PatchFile:
    head = _head(lines)
    facts = _facts(head)
    sections = _sections(lines[len(head) :])
    is_binary = any(line.startswith((b"GIT binary patch", b"Binary files ")) for line in head)
    old, new = _names(head[0], facts)
    kind = _kind(facts)
    if kind == "changed" and not is_binary and sections:
        hunks = tuple(PatchHunk(number + place, new, (section,)) for place, section in enumerate(sections))
    else:
        hunks = (PatchHunk(number, new, () if is_binary else tuple(sections), is_whole=True),)
    modes = (facts[b"old mode"].decode("ascii", "replace"), facts[b"new mode"].decode("ascii", "replace"))
    return PatchFile(new, old, kind, is_binary, modes if modes[0] != modes[1] else None, hunks)


def _head(lines: list[bytes]) -> list[bytes]:
    """The lines up to the first section, or to a binary content."""
    for number, line in enumerate(lines):
        if _HUNK.match(line):
            return lines[:number]
        if line.startswith(b"GIT binary patch"):
            return lines[: number + 1]
    return lines


_FACTS: tuple[bytes, ...] = (
    b"new file mode",
    b"deleted file mode",
    b"rename from",
    b"rename to",
    b"old mode",
    b"new mode",
    b"---",
    b"+++",
)


def _facts(head: list[bytes]) -> dict[bytes, bytes]:
    facts = dict.fromkeys(_FACTS, b"")
    for line in head[1:]:
        for name in _FACTS:
            if line.startswith(name + b" "):
                facts[name] = line[len(name) + 1 :]
    return facts


def _kind(facts: dict[bytes, bytes]) -> FileKind:
    # To git the name alone says as much, and the line with the mode may be missing.
    if facts[b"new file mode"] or facts[b"---"] == _NOTHING:
        return "new"
    if facts[b"deleted file mode"] or facts[b"+++"] == _NOTHING:
        return "deleted"
    if facts[b"rename to"]:
        return "renamed"
    return "mode" if facts[b"new mode"] else "changed"


def _names(first: bytes, facts: dict[bytes, bytes]) -> tuple[str, str]:
    """The path before and after; the same one where the file is new or gone."""
    if facts[b"rename from"] and facts[b"rename to"]:
        return _name(facts[b"rename from"], b""), _name(facts[b"rename to"], b"")
    rest = first[len(_FILE) :]
    sides = [_name(facts[key], prefix) for key, prefix in ((b"---", b"a/"), (b"+++", b"b/"))]
    old, new = ("" if side == "/dev/null" else side for side in sides)
    if not (old or new):
        # Both names are the same but for the prefix, so one of them is half of what stands there.
        old = new = _name(rest[: (len(rest) - 1) // 2], b"a/")
    return old or new, new or old


def _name(written: bytes, prefix: bytes) -> str:
    """A name as git writes it: quoted where it must be, with a tab behind it where it holds a space."""
    name = written.removesuffix(b"\t")
    if name.startswith(b'"') and name.endswith(b'"') and len(name) > 1:
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return name.removeprefix(prefix).decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    found = match[1]
    return bytes([int(found, 8)]) if len(found) == 3 else _LETTERS.get(found, found)


def _sections(lines: list[bytes]) -> list[Section]:
    sections: list[Section] = []
    at = 0
    while at < len(lines):
        match = _HUNK.match(lines[at])
        at += 1
        if match:
            length = _length(lines, at, int(match[2] or 1), int(match[4] or 1))
            content = _content(lines[at : at + length])
            heading = match[5].decode("utf-8", "backslashreplace")
            sections.append(Section(int(match[1]), int(match[3]), heading, content))
            at += length
    return sections


def _length(lines: list[bytes], start: int, old: int, new: int) -> int:
    """How many lines belong to a section that says how many it has on both sides."""
    at = start
    while at < len(lines) and (old > 0 or new > 0 or lines[at][:1] == b"\\"):
        mark = lines[at][:1] or b" "
        if mark not in (b" ", b"+", b"-", b"\\"):
            break
        old -= mark in (b" ", b"-")
        new -= mark in (b" ", b"+")
        at += 1
    return at - start


def _content(lines: list[bytes]) -> tuple[PatchLine, ...]:
    content: list[PatchLine] = []
    for line in lines:
        if line[:1] == b"\\":
            content[-1:] = [PatchLine(last.kind, last.text, ended=False) for last in content[-1:]]
        else:
            kind = _KIND_OF[line[:1] or b" "]
            content.append(PatchLine(kind, line[1:].decode("utf-8", "backslashreplace")))
    return tuple(content)
