"""How names are compared: folded, so that `max_size`, `MAX-SIZE` and `MaxSize` are one; and the words of a text.

Which things of a repository a word names is told in `linking.py`, what it asks for in `task_types.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_TEXT = 20_000
"""Characters of a request that are looked through."""
_MAX_PLACE = 300
_TOKEN = re.compile(r"[A-Za-z0-9_.:-]+")
_PATH = re.compile(r"[A-Za-z0-9_.:/-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands around one part of a path.

    Attributes:
        above: the parts before it; empty where it is the first.
        below: the parts after it; empty where it is the last.
    """

    above: str
    below: str


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text that can be a name.

    Attributes:
        text: as written, without trailing dots and colons.
        start: where it begins in the text.
        place: where the text says that it lies.
    """

    text: str
    start: int
    place: Place


def fold(name: str) -> str:
    """A name as it is compared: without case, underscores and dashes."""
    return name.casefold().replace("_", "").replace("-", "")


def tokens(text: str) -> Iterator[Token]:
    """The tokens `[A-Za-z0-9_.:-]+` of a text's beginning, in its order; those of nothing but punctuation are none."""
    for path in _PATH.finditer(text[:MAX_TEXT]):
        for found in _TOKEN.finditer(path[0]):
            word = found[0].rstrip(".:")
            if fold(word).strip(".:"):
                yield Token(word, path.start() + found.start(), _place(path[0], found.start(), found.end()))


def _place(path: str, start: int, end: int) -> Place:
    """What stands around a part, as far as it can matter: the copies of a long path would be long too."""
    first = max(start - _MAX_PLACE, 0)
    above, below = path[first:start], path[end : end + _MAX_PLACE]
    return Place((above.partition("/")[2] if first else above).strip("/"), below.partition(":")[0].strip("/."))
