"""Lays a docstring out in Google style: quotes, wrapping, indentation and blank lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .docstring_sections import Docstring, Section

_QUOTES = '"""'
_TAB = 8


def lay_out(docstring: Docstring, indent: str, unit: str, width: int) -> list[str]:
    """Write a docstring as source lines.

    Args:
        docstring: what it says.
        indent: white space in front of each line.
        unit: one more step of indentation.
        width: columns that a line may fill; names that are longer stay whole.

    Returns:
        Lines without line ends, indented.
    """
    free = width - len(indent.expandtabs(_TAB))
    parts = [line for section in docstring.sections for line in _section(section, unit, free)]
    prefix = "r" if any("\\" in line for line in [docstring.summary, *parts]) else ""
    summary = _fitting(docstring.summary, free - len(prefix) - len(_QUOTES) * (1 if parts else 2))
    lines = [f"{prefix}{_QUOTES}{summary}", *parts, _QUOTES] if parts else [f"{prefix}{_QUOTES}{summary}{_QUOTES}"]
    return [f"{indent}{line}" if line else "" for line in lines]


def _fitting(summary: str, free: int) -> str:
    """The summary, cut to a shorter one at a word where it is too long: it has to stand on one line."""
    words = summary.rstrip(".").split()
    while len(words) > 2 and len(" ".join(words)) + 1 > free:
        words.pop()
    return f"{' '.join(words)}."


def _section(section: Section, unit: str, free: int) -> Iterator[str]:
    yield ""
    yield f"{section.title}:"
    for name, text in section.entries:
        first, further = (unit, unit * 2) if name else (unit, unit)
        yield from _wrapped(f"{name}: {text}" if name else text, first, further, free)


def _wrapped(text: str, first: str, further: str, free: int) -> Iterator[str]:
    # The columns are counted with tabs expanded, which textwrap would do to the text as well.
    blank = " " * len(further.expandtabs(_TAB))
    lines = textwrap.wrap(
        text,
        max(free, len(blank) + 20),
        initial_indent=" " * len(first.expandtabs(_TAB)),
        subsequent_indent=blank,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for place, line in enumerate(lines):
        yield (further if place else first) + line.strip()
