"""Reads JSON that a model wrote in the middle of a text, and refuses what a later reader could stumble over.

Python reads more than JSON knows (`NaN`, `1e999` as infinity), and nesting that it can't write again. A failure
says where it happened, so that a caller doesn't read the same letters again and again.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

_DEEPEST = 64
_LONGEST_NUMBER = 400
"""Digits of a number."""
_REFUSED = object()
_BLANK = re.compile(r"\s*+")
_BETWEEN = re.compile(r"[\s,;]*+")


class NotJson(ValueError):
    """The text holds no JSON value, or not the one that was needed; the exception's text says why.

    Attributes:
        at: where it went wrong; what lies before needs no second look.
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


def skip_blank(text: str, at: int) -> int:
    """Where the white space ends that begins at `at`."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


def decode(text: str, at: int = 0) -> tuple[Any, int]:
    """The JSON value that begins at or after the white space at `at`, and where it ends.

    Raises:
        NotJson: there is none.
    """
    try:
        value, end = _DECODER.raw_decode(text, skip_blank(text, at))
    except RecursionError:
        raise NotJson("it is nested too deeply", len(text)) from None
    except json.JSONDecodeError as error:
        raise NotJson(error.msg, error.pos) from None
    if not _is_plain(value):
        raise NotJson("it is nested too deeply, or holds a number that JSON doesn't know", end)
    return value, end


def decode_all(text: str) -> list[Any]:
    """The values of a text that holds nothing but JSON values, one after the other.

    Raises:
        NotJson: it holds something else.
    """
    values: list[Any] = []
    at = skip_blank(text, 0)
    while at < len(text):
        value, end = decode(text, at)
        values.append(value)
        match = _BETWEEN.match(text, end)
        at = match.end() if match else end
    return values


def _is_plain(value: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether it can be written again, and read by others."""
    level = [value]
    for _ in range(_DEEPEST):
        if any(item is _REFUSED for item in level):
            return False
        level = [child for item in level for child in _children(item)]
        if not level:
            return True
    return False


def _children(value: Any) -> list[Any]:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return list(cast("dict[str, Any]", value).values())
    items: list[Any] = value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
    return items


def _integer(digits: str) -> Any:  # noqa: ANN401 - JSON
    return int(digits) if len(digits) <= _LONGEST_NUMBER else _REFUSED


def _number(digits: str) -> Any:  # noqa: ANN401 - JSON
    return number if math.isfinite(number := float(digits)) else _REFUSED


# Models write line ends into strings as they are.
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: _REFUSED, parse_int=_integer, parse_float=_number)
