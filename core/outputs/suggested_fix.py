"""Where exactly a suggested edit of a review stands in its file, for editors that offer to make it.

The edit is one of the text as a model sees it, whose lines all end alike; here it becomes one of the file as it is. It
is offered only where it can be made exactly: the old text stands there once, the file is text whose lines end as git
and editors count them, and nothing of it was taken out as a secret.
"""

from __future__ import annotations

from dataclasses import dataclass

from orefactor.sandbox.errors import Refused

from ..code.line_ends import carry
from ..code.text import decode, line_ends, shown
from ..redact import has_mark
from ..trace_review import SuggestionPart
from .source_files import LARGEST

_LONGEST = 20_000
"""Characters of either side of an edit; a larger one is no suggestion."""


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    """A part of a file with what is to stand in its place.

    Attributes:
        start, end: line and column, both from 1; columns are code points, and the end is behind the last one.
        text: with the file's line ends.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def find_fix(suggestion: SuggestionPart, path: str, data: bytes | None) -> SuggestedFix | None:
    """The edit in the file; None where it can't be made exactly.

    Args:
        data: the file's content, where it is known.
    """
    old, new = suggestion.old_string, suggestion.new_string
    whole = _text(path, data)
    if whole is None or not old or old == new or max(len(old), len(new)) > _LONGEST or has_mark(old) or has_mark(new):
        return None
    text = shown(whole)
    at = text.find(old)
    if at < 0 or text.find(old, at + 1) >= 0:
        return None
    start, end = _position(text, at), _position(text, at + len(old))
    return SuggestedFix(start, end, _with_ends(old, line_ends(whole)[start[0] - 1 : end[0]], new))


def _text(path: str, data: bytes | None) -> str | None:
    """The file's text; None where it is none, or its lines can't be numbered alike by all."""
    if data is None or len(data) > LARGEST:
        return None
    try:
        text = decode(data, path).text
    except Refused:
        return None
    return None if "\r" in text.replace("\r\n", "") else text


def _position(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _with_ends(old: str, ends: list[str], new: str) -> str:
    """The new text with the line ends of those in whose place they stand."""
    lines = new.split("\n")
    known = next((end for end in ends if end), "\n")
    # The last line of both goes on with what stands behind the edit.
    carried = carry(old.split("\n"), [*ends[:-1], ""], lines, default=known)
    return "".join(line + end for line, end in zip(lines, carried, strict=True))
