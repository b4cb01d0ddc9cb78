"""Writes JSON that may be shown as it is: what drives a terminal or can't be seen is escaped, other letters stay."""

from __future__ import annotations

import json
import re
from typing import Any

# DEL and the C1 controls, marks of direction, what has no width, separators of lines, halves of surrogate pairs, tags.
# In JSON they stand inside strings only, where an escape means the same.
_UNSEEN = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def json_text(value: Any, *, indent: int | None = None) -> str:  # noqa: ANN401 - whatever JSON can hold
    """The value as JSON; what JSON doesn't know is written as its `str`."""
    return _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=indent, default=str))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    # `json` leaves DEL as it is, but makes the pairs that lie beyond four digits.
    return f"\\u{code:04x}" if code < 1 << 16 else json.dumps(match[0])[1:-1]
