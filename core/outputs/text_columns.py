"""Breaks and cuts text by the columns that a terminal gives it, in which some characters take two and some none."""

from __future__ import annotations

from collections.abc import Iterator

from .graph_text import visible, width


def fitting(text: str, columns: int) -> str:
    """The visible text, of one that takes more columns the start."""
    text = visible(text)
    return text if width(text) <= columns else text[: _end(text, columns - 1)] + "…"


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, at least one; words that are longer are broken."""
    lines: list[str] = []
    line, taken = "", 0
    for word, columns_of_word in _words(visible(text), max(columns, 2)):
        if line and taken + 1 + columns_of_word > columns:
            lines.append(line)
            line, taken = "", 0
        line, taken = (f"{line} {word}", taken + 1 + columns_of_word) if line else (word, columns_of_word)
    return [*lines, line]


def _words(text: str, columns: int) -> Iterator[tuple[str, int]]:
    """The words with their columns, long ones in pieces."""
    for word in text.split(" "):
        rest = word
        while rest:
            end = _end(rest, columns)
            yield rest[:end], width(rest[:end])
            rest = rest[end:]


def _end(text: str, columns: int) -> int:
    """How many characters of the text take at most so many columns; at least one, so that breaking ends."""
    taken = 0
    for place, character in enumerate(text):
        taken += width(character)
        if taken > columns:
            return max(place, 1)
    return len(text)
