"""Finds the one JSON object in a model's reply.

A fence or words may stand around it, and nothing else: where a reply holds two objects, or one that is cut, which of
them the model means would be a guess, so there is none. All of it takes linear time, since the first text that begins
like an object and is none ends the search.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

LONGEST = 500_000
"""Characters of a reply that is looked at; no ceiling of output tokens that people set gives more."""

_MOST_DIGITS = 20
# As an object begins, or a list of objects. A brace before anything else is a placeholder or code in the words around.
_BEGINNING = re.compile(r'\{[ \t\r\n]*["}]|\[[ \t\r\n]*\{[ \t\r\n]*"')


class Unreadable(ValueError):
    """The model's reply is no answer in the form; the text says why, in one line, and quotes nothing of it."""


def only_object(text: str) -> dict[str, Any]:
    """The one JSON object in the text.

    Raises:
        Unreadable: there is none or more than one, it is cut or no JSON (RFC 8259: no NaN), names a key twice,
            or the text is too long.
    """
    if len(text) > LONGEST:
        raise Unreadable(f"it has {len(text):,} characters, more than {LONGEST:,}")
    first = _BEGINNING.search(text)
    if first is None:
        raise Unreadable("there is no JSON object in it" if text.strip() else "it is empty")
    value, end = _decode(text, first.start())
    if not isinstance(value, dict):
        raise Unreadable("it is a list and not one JSON object")
    if _BEGINNING.search(text, end):
        raise Unreadable("there is more than one JSON object in it")
    return value  # pyright: ignore[reportUnknownVariableType]


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        why = f"{error.msg} (line {error.lineno}, column {error.colno})"
        raise Unreadable(f"its JSON object is cut or broken: {why}") from None
    except RecursionError:
        raise Unreadable("its JSON object is nested too deeply") from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise Unreadable("an object in it names a key twice")
    return read


def _integer(digits: str) -> int:
    # Python refuses thousands of digits; a number this large is no line and no confidence, however large it is.
    return int(digits[:_MOST_DIGITS])


def _no_number(name: str) -> NoReturn:
    raise Unreadable(f"it holds {name}, which is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repetition, parse_int=_integer, parse_constant=_no_number)
