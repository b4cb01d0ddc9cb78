"""A suggested edit as the lines that it takes away and adds, between those that stay."""

from __future__ import annotations

from ..code.line_diff import hunks
from ..patch_hunks import LineKind
from ..trace_review import SuggestionPart

_MOST = 400
"""Lines of either side that are compared; of a longer edit no more is shown anyway."""


def suggested_lines(suggestion: SuggestionPart, most: int) -> tuple[list[tuple[LineKind, str]], int]:
    """The lines without their ends, each with what happens to it, and how many more there are.

    Args:
        most: how many lines are given.
    """
    old, new = _lines(suggestion.old_string), _lines(suggestion.new_string)
    beyond = max(len(old) - _MOST, 0) + max(len(new) - _MOST, 0)
    told: list[tuple[LineKind, str]] = []
    at = 0
    for hunk in hunks(old[:_MOST], new[:_MOST]):
        told.extend((" ", line) for line in old[at : hunk.old.start])
        told.extend(("-", old[place]) for place in hunk.old)
        told.extend(("+", new[place]) for place in hunk.new)
        at = hunk.old.stop
    told.extend((" ", line) for line in old[at:_MOST])
    return told[:most], max(len(told) - most, 0) + beyond


def _lines(text: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines
