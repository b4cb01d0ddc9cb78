"""Text of strangers in a drawing: made visible, cut to a width, escaped for SVG and HTML alike.

Names come from repositories and models. What can't be seen or turns the direction of writing is spelled out, so nothing
but markup of ours is markup, and the result is valid XML 1.0, which knows no control characters.
"""

from __future__ import annotations

import unicodedata
from html import escape
from itertools import accumulate

_LONGEST = 2000
"""Characters of any one text; a longer one is no name."""


def visible(text: str, longest: int = _LONGEST) -> str:
    """The text on one line with everything unprintable spelled out, halves of surrogate pairs too."""
    seen = text[:longest] + ("…" if len(text) > longest else "")
    return "".join(c if c.isprintable() else _spelled(c) for c in seen)


def markup(text: str, longest: int = _LONGEST) -> str:
    """The visible text, escaped for element content and for attributes in double quotes."""
    return escape(visible(text, longest))


def visible_lines(text: str) -> str:
    """A text of several lines, escaped like `markup`, of any length; line feeds and tabs stay."""
    return escape("".join(c if c.isprintable() or c in "\n\t" else _spelled(c) for c in text))


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode()


def width(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cut_middle(text: str, columns: int) -> str:
    """The visible text in at most so many columns; of a longer one both ends, of which the last says more."""
    text = visible(text)
    if width(text) <= columns:
        return text
    end = _start(text[::-1], (columns - 1) * 3 // 5)[::-1]
    return _start(text, columns - 1 - width(end)) + "…" + end


def _start(text: str, columns: int) -> str:
    ends = accumulate(map(width, text))
    return "".join(character for character, end in zip(text, ends, strict=True) if end <= columns)
