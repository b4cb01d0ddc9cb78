"""The lines of a tree's files as text, and how a name is spelled on one: plainly, or behind what dots.

References say the name before the last dot only where that is one plain name. What stands in front of `area` in
`shapes.flat.area()` or `pick().area()` is read here, so that it is not taken for a plain `area()`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from orefactor.sandbox.errors import Refused

from ..code.text import decode, shown

_LONGEST = 2000
"""Characters of a line that is looked into; minified code refers to one name thousands of times in a line."""
_CHAIN = re.compile(r"(?:^|[^\w.)\]}\"'?!])((?:[^\W\d]\w*\s*\.\s*)+)$")


class SourceLines:
    """Lines of files, each file read once."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """Nothing is read yet.

        Args:
            read: gives a file's content; None where it is not there.
        """
        self._read = read
        self._lines: dict[str, list[str]] = {}
        self._before: dict[tuple[str, int, str], tuple[str, ...] | None] = {}

    def of(self, path: str) -> list[str]:
        """All lines of a file without their ends; none where it is not there."""
        lines = self._lines.get(path)
        if lines is None:
            lines = self._lines[path] = _text(self._read(path) or b"", path).split("\n")
        return lines

    def line(self, path: str, number: int) -> str:
        """One line, counted from 1; empty where there is none."""
        lines = self.of(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def before(self, path: str, number: int, name: str) -> tuple[str, ...] | None:
        """The names before the dot in front of a name on a line.

        Returns:
            None where the name stands plainly on the line, too; nothing where what stands before the dot is no chain of
            plain names.
        """
        place = (path, number, name)
        if place not in self._before:
            self._before[place] = _before(self.line(path, number), name)
        return self._before[place]


def _before(line: str, name: str) -> tuple[str, ...] | None:
    if len(line) > _LONGEST:
        return None
    starts = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", line)]
    heads = [line[:start].rstrip() for start in starts]
    if not heads or any(not head.endswith((".", "->", "::")) for head in heads):
        return None
    chains = (_CHAIN.search(head) for head in heads)
    texts = (chain[1].rstrip(". \t").split(".") for chain in chains if chain)
    # Of `one.one()` the references don't say which is which.
    return max((tuple(part.strip() for part in text) for text in texts), key=len, default=())


def _text(data: bytes, path: str) -> str:
    try:
        return shown(decode(data, path).text)
    except Refused:
        return shown(data.decode("utf-8", "replace"))
