"""Lines of the page: named fields, and texts that are broken where the page ends."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ..pages import Line, Span, Style
from ..wording import plain

HEAD = 10
"""Columns that a field's name takes."""
_LONGEST = 20_000
"""Characters of one text; a longer one is cut, and says so."""


def field(name: str, text: str, width: int, style: Style = "") -> Iterator[Line]:
    """A named field; what doesn't fit on its line stands below, indented.

    Args:
        width: columns of the page.
    """
    for number, line in enumerate(wrapped(" ".join(text[:_LONGEST].split()), width - HEAD)):
        yield (Span(f"{'' if number else name:<{HEAD}}", "faint"), Span(line, style))


def wrapped(text: str, width: int) -> list[str]:
    """One line of text in lines of at most so many columns, if its words allow."""
    return textwrap.wrap(plain(text), max(width, 20), break_long_words=False, break_on_hyphens=False) or [""]


def paragraph(text: str, width: int, indent: int, style: Style = "") -> Iterator[Line]:
    """A text of several lines, each broken for itself; leading spaces stay."""
    for line in text_lines(text):
        inner = len(line) - len(line.lstrip(" "))
        for part in wrapped(line, width - indent - inner):
            yield (Span(" " * (indent + inner) + part, style),)


def verbatim(text: str, indent: int, style: Style = "") -> Iterator[Line]:
    """A text of several lines as it is, for code and output."""
    for line in text_lines(text):
        yield (Span(" " * indent + plain(line), style),)


def text_lines(text: str) -> list[str]:
    """The lines of a text, tabs as spaces; of a very long one the beginning."""
    cut = text[:_LONGEST].replace("\r\n", "\n").strip("\n").replace("\t", "    ").split("\n")
    return [*cut, f"… and {len(text) - _LONGEST:,} more characters"] if len(text) > _LONGEST else cut


def title(text: str) -> Iterator[Line]:
    """The title of a part, with an empty line above."""
    yield ()
    yield (Span(text, "head"),)
