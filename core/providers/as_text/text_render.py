"""Writes calls in our own text format, and text in fences. `text_format` reads what this writes.

A value that fits on one line follows its name; every other one stands in a fence that is longer than any run of
backticks in it, so that no content can end it. Files end in a line end, and models write them so: a value called
`content` therefore keeps its last line end, and one that has none says so in the words of `diff`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...json_text import json_text
from ...redact import printable
from .findings import WrittenCall

KEEPS_LINE_END = "content"
"""The parameter whose value keeps its last line end."""
NO_LINE_END = "\\ No newline at end of file"
_RUN = re.compile(r"`{3,}")
_LOOSE = re.compile(r"[^\w.-]")


def render_calls(calls: Iterable[WrittenCall]) -> str:
    """The calls, one below the other."""
    return "\n".join(_call(call) for call in calls)


def fenced(lines: str) -> str:
    """The text between two lines of backticks; it is empty or ends in a line end."""
    # Only the very same run ends a fence, so that runs of one or two need no care.
    fence = "`" * max((len(run) + 1 for run in _RUN.findall(lines)), default=3)
    return f"{fence}\n{lines}{fence}"


def _call(call: WrittenCall) -> str:
    values = [_argument(_name(name), value) for name, value in call.arguments.items()]
    return printable("\n".join([f'<call tool="{_name(call.name)}">', *values, "</call>"]))


def _name(name: str) -> str:
    """The name; only a model's slip makes one with other letters, and it must not break the frame."""
    return _LOOSE.sub("_", name) or "_"


def _argument(name: str, value: Any) -> str:  # noqa: ANN401 - JSON
    if not isinstance(value, str):
        return f"{name}: {json_text(value)}"
    if _fits_a_line(value):
        return f"{name}: {value}"
    if not value or (name == KEEPS_LINE_END and value.endswith("\n")):
        return f"{name}:\n{fenced(value)}"
    whole = f"{value}\n"
    mark = f"\n{NO_LINE_END}" if name == KEEPS_LINE_END else ""
    return f"{name}:\n{fenced(whole)}{mark}"


def _fits_a_line(value: str) -> bool:
    """Whether the value is read back as it is; white space around it, `null` and fences would not be."""
    if not value or value != value.strip() or value == "null" or value.startswith(("```", "~~~")):
        return False
    return "\n" not in value and "\r" not in value
