"""Finds the calls that made each hunk of a change, from the arguments that the trace recorded. Pure.

What a call put in or took out is compared with what a hunk adds and removes, line by line; a call whose whole text
stands in the hunk comes first, so that equal lines in several places find their own call. A line that no call holds
(a formatter's, say) stays without one. Arguments are redacted and the patch is not, so lines with secrets find none.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from .patch_hunks import PatchFile, PatchHunk
from .trace_model import CallPart

_MOST_VOTES = 40
"""Calls that one line may speak for; a line that more of them hold tells nothing."""
_MOST_TRIED = 8
"""Calls whose whole text is looked for in a hunk."""
_LONGEST_CHAIN = 16
"""Moves of one file."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """What a call changed: lines that came and went, and the text that stands there now."""

    number: int
    added: frozenset[str]
    removed: frozenset[str]
    text: str


def find_origins(files: Sequence[PatchFile], calls: Sequence[CallPart]) -> dict[int, tuple[int, ...]]:
    """By hunk number the places in `calls` of those that made it, in their order; hunks without any are left out."""
    edits, moved = _edits(calls)
    origins: dict[int, tuple[int, ...]] = {}
    for file in files:
        paths = _earlier_paths(file, moved)
        known = [edit for path in paths for edit in edits.get(path, ())]
        index = _Index(known)
        moves = tuple(moved[path][1] for path in paths if path in moved)
        for hunk in file.hunks:
            found = {*index.makers(hunk), *(moves if hunk.is_whole else ())}
            if found:
                origins[hunk.number] = tuple(sorted(found))
    return origins


def _edits(calls: Sequence[CallPart]) -> tuple[dict[str, list[_Edit]], dict[str, tuple[str, int]]]:
    """The edits by path, and by new path the old one of a move with the move's place."""
    edits: defaultdict[str, list[_Edit]] = defaultdict(list)
    moved: dict[str, tuple[str, int]] = {}
    for number, call in enumerate(calls):
        if call.status != "executed":
            continue
        texts = {name: value for name, value in arguments_of(call).items() if isinstance(value, str)}
        path = _path(texts.get("path", ""))
        match call.name:
            case "edit_file":
                edits[path].append(_edit(number, texts.get("old_string", ""), texts.get("new_string", "")))
            case "write_file":
                edits[path].append(_edit(number, "", texts.get("content", "")))
            case "delete_file":
                moved[path] = ("", number)
            case "move_file":
                moved[_path(texts.get("new_path", ""))] = (path, number)
            case _:
                pass
    return edits, moved


def arguments_of(call: CallPart) -> Mapping[str, Any]:
    """The arguments by name; none where the model sent something else than an object."""
    given: Any = call.arguments
    return (
        {str(name): value for name, value in cast("Mapping[Any, Any]", given).items()}
        if isinstance(given, dict)
        else {}
    )


def _path(written: str) -> str:
    return posixpath.normpath(written.strip()) if written.strip() else ""


def _edit(number: int, old: str, new: str) -> _Edit:
    before, after = Counter(_lines(old)), Counter(_lines(new))
    added, removed = after - before, before - after
    return _Edit(number, frozenset(added), frozenset(removed), "\n".join(_lines(new)))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _earlier_paths(file: PatchFile, moved: Mapping[str, tuple[str, int]]) -> list[str]:
    """The names that the file had during the run."""
    paths = list(dict.fromkeys([file.path, file.old_path]))
    for path in paths[:]:
        for _ in range(_LONGEST_CHAIN):
            path = moved.get(path, ("", 0))[0]
            if not path or path in paths:
                break
            paths.append(path)
    return paths


class _Index:
    """The edits of one file by the lines that they hold."""

    def __init__(self, edits: Sequence[_Edit]) -> None:
        self._edits = {edit.number: edit for edit in edits}
        self._adding = _by_line((edit.number, edit.added) for edit in edits)
        self._removing = _by_line((edit.number, edit.removed) for edit in edits)

    def makers(self, hunk: PatchHunk) -> list[int]:
        """The calls that hold the hunk's changed lines, as few as tell of all of them."""
        holders = self._holders(hunk)
        votes = Counter(number for numbers in holders for number in numbers)
        # The latest first: what it wrote is what stands there.
        ranked = sorted(votes, key=lambda number: (-votes[number], -number))
        whole = self._whole(hunk, ranked[:_MOST_TRIED])
        ranked.sort(key=lambda number: number not in whole)
        makers: list[int] = []
        left = holders
        for number in ranked:
            rest = [numbers for numbers in left if number not in numbers]
            if len(rest) < len(left):
                makers.append(number)
                left = rest
            if not left:
                break
        return makers

    def _holders(self, hunk: PatchHunk) -> list[frozenset[int]]:
        """Of each changed line the calls that hold it; lines that tell nothing only count where there are no others."""
        changed = [line for section in hunk.sections for line in section.lines if line.kind != " "]
        telling = [line for line in changed if line.text.strip()] or changed
        found = [
            (self._adding if line.kind == "+" else self._removing).get(line.text.removesuffix("\r"), frozenset[int]())
            for line in telling
        ]
        return [numbers for numbers in found if 0 < len(numbers) <= _MOST_VOTES]

    def _whole(self, hunk: PatchHunk, numbers: Sequence[int]) -> set[int]:
        """Those whose whole text stands in the hunk as it is now."""
        now = "\n".join(
            line.text.removesuffix("\r") for section in hunk.sections for line in section.lines if line.kind != "-"
        )
        return {number for number in numbers if (text := self._edits[number].text.strip("\n")) and text in now}


def _by_line(edits: Iterable[tuple[int, frozenset[str]]]) -> dict[str, frozenset[int]]:
    holders: defaultdict[str, set[int]] = defaultdict(set)
    for number, lines in edits:
        for line in lines:
            holders[line].add(number)
    return {line: frozenset(numbers) for line, numbers in holders.items()}
