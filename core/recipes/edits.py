"""Turns the difference of two texts into exact edits that `edit_file` takes, one after the other.

Each is made of whole lines and unique in the text when it is applied: where it isn't, lines around it are
added on both sides. Each leaves Python that can be parsed, since the tool refuses anything else: where it
doesn't, it is joined with the next. A line with a redaction mark isn't what the file holds, so none touches
or quotes it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from ..code.syntax import breaks

REDACTION = "[REDACTED:"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old`, which occurs once, by `new`."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of one file.

    Attributes:
        edits: to be applied in this order.
        result: the text behind the last one.
        dropped: how many differences can't be written as an edit: redaction marks, or broken syntax.
    """

    edits: tuple[Edit, ...]
    result: str
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class _Hunk:
    """Lines `start` to `end` of the old text (end excluded) become `lines`."""

    start: int
    end: int
    lines: list[str]


def edits_between(before: str, after: str, path: str) -> Edits:
    """Find the edits that make one text from the other.

    Args:
        before: what the file holds, at least one line; an empty file is written whole.
        after: what it is to hold.
        path: its name's end tells the language.
    """
    old, new = _lines(before), _lines(after)
    current = list(old)
    edits: list[Edit] = []
    dropped = shift = 0
    hunks = _hunks(old, new)
    while hunks:
        hunk = hunks.pop(0)
        start, end = hunk.start + shift, hunk.end + shift
        edit = _unique_edit(current, start, end, hunk.lines)
        if edit is not None and _breaks(current, [*current[:start], *hunk.lines, *current[end:]], path):
            edit = None
            if hunks:
                hunks[0] = _joined(hunk, hunks[0], old)
                continue
        if edit is None:
            dropped += 1
            continue
        edits.append(edit)
        current[start:end] = hunk.lines
        shift += len(hunk.lines) - (end - start)
    return Edits(tuple(edits), "".join(current), dropped)


def count_hunks(before: str, after: str) -> int:
    """How many separate places of two texts differ."""
    return len(_hunks(_lines(before), _lines(after)))


def _joined(first: _Hunk, second: _Hunk, old: list[str]) -> _Hunk:
    return _Hunk(first.start, second.end, [*first.lines, *old[first.end : second.start], *second.lines])


def _breaks(before: list[str], after: list[str], path: str) -> bool:
    old, new = ("".join(lines).encode("utf-8", "surrogatepass") for lines in (before, after))
    return breaks(old, new, path) is not None


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, unlike for `str.splitlines`."""
    pieces = text.split("\n")
    return [f"{piece}\n" for piece in pieces[:-1]] + pieces[-1:] * bool(pieces[-1])


def _hunks(before: list[str], after: list[str]) -> list[_Hunk]:
    same = 0  # difflib is slow on long texts, and most of a text is the same
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    matcher = difflib.SequenceMatcher(None, before[same:], after[same:])
    return [
        _Hunk(start + same, end + same, after[new_start + same : new_end + same])
        for tag, start, end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _unique_edit(current: list[str], start: int, end: int, lines: list[str]) -> Edit | None:
    text = "".join(current)
    for low, high in _windows(current, start, end):
        old = "".join(current[low:high])
        new = "".join([*current[low:start], *lines, *current[end:high]])
        if REDACTION in old or REDACTION in new:
            return None
        if old and text.find(old) == text.rfind(old) and not _looks_applied(text, old, new):
            return Edit(old, new)
    return None


def _looks_applied(text: str, old: str, new: str) -> bool:
    """Whether the new text stands around the old one already, as when one more empty line is to be added.

    The tool takes such an edit for a repeated one and refuses it.
    """
    inside = new.find(old)
    start = text.find(old) - inside
    return inside >= 0 and start >= 0 and text.startswith(new, start)


def _windows(current: list[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The hunk, then the hunk with more and more lines around it, stopping at redacted ones."""
    low, high = start, end
    yield low, high
    while True:
        above = low > 0 and REDACTION not in current[low - 1]
        below = high < len(current) and REDACTION not in current[high]
        if not above and not below:
            return
        # A definition's own line is the best anchor, and it stands above.
        if above:
            low -= 1
            yield low, high
        if below:
            high += 1
            yield low, high
