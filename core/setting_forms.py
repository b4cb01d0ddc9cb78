"""How single values are written in options, variables and git's configuration: lists, switches, whole numbers.

What a file writes with a type of its own comes as it is. A switch is no number and a number no switch, although Python
takes one for the other.
"""

from __future__ import annotations

import re
from typing import Any

_SWITCHES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def read_list(value: Any) -> Any:  # noqa: ANN401 - a setting as it was written
    """The words of a text, between commas or blanks."""
    return tuple(part for part in value.replace(",", " ").split() if part) if isinstance(value, str) else value


def read_switch(value: Any) -> bool:  # noqa: ANN401
    """A switch, as git writes one.

    Raises:
        ValueError: it is none.
    """
    found = _SWITCHES.get(value.strip().lower()) if isinstance(value, str) else value
    if isinstance(found, bool):
        return found
    raise ValueError("true or false")


def is_on(value: object) -> bool:
    """Whether a value is a switch that is on; what is none isn't."""
    try:
        return read_switch(value)
    except ValueError:
        return False


def read_whole(value: Any) -> int:  # noqa: ANN401
    """A whole number.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError("a whole number")


def read_number(value: Any) -> Any:  # noqa: ANN401
    """What may be a number.

    Raises:
        ValueError: it is a switch.
    """
    if isinstance(value, bool):
        raise ValueError("a number")
    return value
