"""Reads and writes a choice of hunks as people type it: `1,3,5-7`, and `4.2` for the second part of hunk 4. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from .errors import UserError
from .hunk_pieces import Piece

NONE = "none"
"""The choice of nothing."""
_WORD = re.compile(r"0*([0-9]{1,9})(?:\.0*([0-9]{1,9})|-0*([0-9]{1,9}))?")
_FORM = "write numbers from the report or `git orefactor apply --pick`, as in `--hunks 1,3,5-7`"
_MOST_QUOTED = 60
"""Characters of what was typed."""


def parse_choice(text: str, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces that a text names, in their order; nothing, or `none`, names none.

    Raises:
        UserError: it has another form, or names what isn't there.
    """
    wanted: set[tuple[int, int]] = set()
    parts = _parts(pieces)
    for word in text.replace(",", " ").split():
        if word != NONE:
            wanted.update(_named(word, parts))
    for piece in pieces:
        _require_whole(piece, {number for number, _ in wanted})
    return tuple(piece for piece in pieces if (piece.numbers[0], piece.part) in wanted)


def _parts(pieces: Sequence[Piece]) -> dict[int, int]:
    """How many parts each hunk has."""
    return {number: piece.part for piece in pieces for number in piece.numbers}


def _named(word: str, parts: dict[int, int]) -> Iterator[tuple[int, int]]:
    match = _WORD.fullmatch(word)
    if match is None:
        raise UserError(f"`{_quoted(word)}` names no hunk", hint=_FORM)
    first, last = int(match[1]), int(match[3] or match[1])
    for number in (first, last):
        if number not in parts:
            raise UserError(f"there is no hunk {number}; the change has {_counted(len(parts))}", hint=_FORM)
    if last < first:
        raise UserError(f"`{_quoted(word)}` ends before it begins", hint=_FORM)
    if match[2] is None:
        yield from ((number, part) for number in range(first, last + 1) for part in range(1, parts.get(number, 0) + 1))
        return
    part = int(match[2])
    if not 1 <= part <= parts[first]:
        has = f"has {parts[first]} parts" if parts[first] > 1 else "can't be split"
        raise UserError(f"there is no part {part} of the hunk {first}, which {has}", hint=_FORM)
    yield first, part


def _require_whole(piece: Piece, wanted: Collection[int]) -> None:
    named = [number for number in piece.numbers if number in wanted]
    if named and len(named) < len(piece.numbers):
        both = " and ".join(map(str, piece.numbers))
        raise UserError(
            f"the hunks {both} make one file another kind of file, and only go together",
            hint=f"name both: `--hunks {','.join(map(str, piece.numbers))}`",
        )


def write_choice(taken: Collection[Piece], pieces: Sequence[Piece]) -> str:
    """The same as `parse_choice` reads it, as short as it can be."""
    parts = _parts(pieces)
    chosen = {(number, piece.part) for piece in taken for number in piece.numbers}
    whole = {number for number in parts if all((number, part + 1) in chosen for part in range(parts[number]))}
    words = [(number, 0, word) for number, word in _ranges(sorted(whole))]
    words += [(number, part, f"{number}.{part}") for number, part in chosen if number not in whole]
    return ",".join(word for *_, word in sorted(words)) or NONE


def _ranges(numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    for _, run in groupby(enumerate(numbers), key=lambda entry: entry[1] - entry[0]):
        found = [number for _, number in run]
        if len(found) < 3:
            yield from ((number, str(number)) for number in found)
        else:
            yield found[0], f"{found[0]}-{found[-1]}"


def _quoted(word: str) -> str:
    return word if len(word) <= _MOST_QUOTED else word[: _MOST_QUOTED - 1] + "…"


def _counted(count: int) -> str:
    return f"{count} hunk{'' if count == 1 else 's'}"
