"""Syntax colours for the lines of a change: which pieces of a line are keywords, strings, comments.

Pygments' lexers are tables of regular expressions, which strangers' text can make slow; so only those are used that
were found to take linear time, on text of a bounded length, and `scanning.py` has the other languages. A hunk may begin
within a string, which no lexer can know: of the two readings of a Python hunk that such a string makes possible, the
one with fewer errors counts.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from .scanning import scan

Piece = tuple[str, str]
"""Some text and the class of its colour; empty for none."""

_LEXERS = {"python": "py pyi pyw", "json": "json", "toml": "toml", "yaml": "yaml yml", "ini": "ini cfg"}
_SCANNED = {
    "c": "c h cc cpp cxx hpp hh cs java kt go rs swift js mjs cjs jsx ts tsx php scala proto",
    "shell": "sh bash zsh rb pl",
}
_LEXER_OF = {ending: name for name, endings in (_LEXERS | _SCANNED).items() for ending in endings.split()}
_CLASSES = (
    ("Token.Keyword", "k"),
    ("Token.Name.Function", "f"),
    ("Token.Name.Class", "f"),
    ("Token.Name.Decorator", "d"),
    ("Token.Name.Builtin", "u"),
    ("Token.Name.Tag", "k"),
    ("Token.Literal.String", "s"),
    ("Token.Literal.Number", "m"),
    ("Token.Comment", "q"),
    ("Token.Operator.Word", "k"),
)
_LONGEST, _MOST = 20_000, 150_000
"""Characters that are coloured: of one side of a hunk, and in all."""
_QUOTES = '"""'


class Painter:
    """Colours lines, until it has coloured as much as one page may have."""

    def __init__(self) -> None:
        self._left = _MOST

    def coloured(self, path: str, lines: Sequence[str]) -> list[list[Piece]]:
        """The lines as coloured pieces, which joined are the same lines.

        Args:
            path: its end tells the language.
        """
        name = _LEXER_OF.get(PurePosixPath(path).suffix[1:].lower())
        text = "\n".join(lines)
        if name is None or len(text) > min(_LONGEST, self._left) or not text.strip():
            return [[(line, "")] for line in lines]
        self._left -= len(text)
        pieces = _pieces(name, text)
        if name == "python" and text.count(_QUOTES) % 2:
            within = _pieces(name, f"{_QUOTES}\n{text}")[1:]
            pieces = min(pieces, within, key=_doubts)
        return pieces if len(pieces) == len(lines) else [[(line, "")] for line in lines]


def _pieces(name: str, text: str) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for value, style in scan(name, text) if name in _SCANNED else _lexed(name, text):
        first, *more = value.split("\n")
        _append(lines[-1], first, style)
        lines += [[(part, style)] for part in more]
    return [[piece for piece in line if piece[0]] for line in lines]


def _lexed(name: str, text: str) -> Iterator[Piece]:
    for kind, value in _lexer(name).get_tokens(text):
        yield str(value), _class_of(str(kind))


def _append(line: list[Piece], text: str, style: str) -> None:
    """Put a piece behind the others; one of the same colour grows."""
    if line and line[-1][1] == style:
        line[-1] = (line[-1][0] + text, style)
    else:
        line.append((text, style))


@cache
def _lexer(name: str) -> Any:  # noqa: ANN401 - pygments has no types
    return importlib.import_module("pygments.lexers").get_lexer_by_name(name, stripnl=False, ensurenl=False)


@cache
def _class_of(kind: str) -> str:
    if kind == "Token.Error":
        return "e"
    return next((style for prefix, style in _CLASSES if kind.startswith(prefix)), "")


def _doubts(lines: Sequence[Sequence[Piece]]) -> int:
    """How much speaks against a reading: errors, and words of prose that stand as names in a row."""
    return sum(_prose(line) for line in lines)


def _prose(line: Sequence[Piece]) -> int:
    bare = sum(text.isalpha() and not style for text, style in line)
    quoted = sum("def " in text or "return " in text or " = " in text for text, style in line if style == "s")
    return sum(style == "e" for _, style in line) + (bare > 3) + quoted
