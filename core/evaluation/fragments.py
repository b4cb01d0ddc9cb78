"""What the tokens of a function's lines tell that its syntax tree doesn't: places in strings and in parameter lists.

The lines may be indented, as they stand in a class; only they are read, since a whole file takes a second.
"""

from __future__ import annotations

import io
import token
import tokenize
from collections.abc import Iterator, Sequence

# Python 3.12 and 3.14 give formatted strings in pieces.
_OPENING = ("FSTRING_START", "TSTRING_START")
_CLOSING = ("FSTRING_END", "TSTRING_END")
_SILENT = (tokenize.NL, tokenize.COMMENT)


def plain_lines(lines: Sequence[str]) -> frozenset[int]:
    """The places, counted from 0, of the lines whose white space at the left isn't part of a string's value."""
    inside: set[int] = set()
    opened: list[int] = []
    for each in _tokens(lines):
        name = token.tok_name[each.type]
        if name == "STRING" or name in _OPENING:
            opened.append(each.start[0])
        if name == "STRING" or name in _CLOSING:
            inside.update(range(opened.pop(), each.end[0]))
    return frozenset(range(len(lines))) - inside


def without_first_parameter(lines: Sequence[str]) -> list[str]:
    """A function's lines without its first parameter and its comma; as they are where it has none."""
    marks = [each for each in _tokens(lines) if each.type not in _SILENT]
    name = next(place for place, each in enumerate(marks) if each.string == "def") + 1
    opening = next(place for place in range(name, len(marks)) if marks[place].string == "(")
    first = marks[opening + 1]
    if first.type != tokenize.NAME:
        return list(lines)
    following = marks[_behind_comma(marks, opening + 1)]
    if following.string == "/":
        following = marks[_behind_comma(marks, marks.index(following))]
    (row, left), (until, right) = first.start, following.start
    joined = lines[row - 1][:left] + lines[until - 1][right:]
    return [*lines[: row - 1], joined, *lines[until:]]


def _behind_comma(marks: Sequence[tokenize.TokenInfo], place: int) -> int:
    """The place of what follows the parameter's comma, or of the bracket that closes the list."""
    depth = 0
    while True:
        text = marks[place].string
        if depth == 0 and text in (",", ")"):
            return place + (text == ",")
        depth += (text in "([{") - (text in ")]}") if marks[place].type == tokenize.OP else 0
        place += 1


def _tokens(lines: Sequence[str]) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline)
