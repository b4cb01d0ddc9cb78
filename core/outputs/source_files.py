"""The lines of a reviewed file that an output shows beside a finding.

Lines end where git ends them. What is shown of them is bounded, has its tabs as spaces, and everything else that can't
be seen spelled out, bytes that are no UTF-8 too. Files come through a reader, so that this touches no repository.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .redacted_lines import Redact, as_they_are

Source = Callable[[str], bytes | None]
"""Gives a file of the reviewed change's new side by its path; None where it isn't known."""

LARGEST = 1 << 20
"""Bytes of a file of which an excerpt is shown."""
_CONTEXT, _MOST = 2, 8
"""Lines above and below the place, and of the place itself."""
_LONGEST, _TAB, _KEPT = 400, 4, 8
"""Characters of a line, columns of a tab, files that are remembered."""


def no_source(_path: str) -> None:
    """The reader of a run whose files aren't at hand."""
    return


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of an excerpt. `number`: from 1; 0 where lines are left out, which the text says.

    Attributes:
        is_meant: whether the finding is about it.
    """

    number: int
    text: str
    is_meant: bool


class SourceFiles:
    """Gives excerpts of files.

    Args:
        source: reads a file.
        redact: takes secrets out of its lines.
    """

    def __init__(self, source: Source, redact: Redact = as_they_are) -> None:
        self._source = source
        self._redact = redact
        self._lines = functools.lru_cache(_KEPT)(self._read)

    def excerpt(self, path: str, start: int, end: int) -> tuple[SourceLine, ...]:
        """The lines from `start` to `end`, from 1, with what stands around them; nothing where they aren't known."""
        lines = self._lines(path) if path and start > 0 else ()
        if start > len(lines):
            return ()
        last = min(max(start, end), len(lines))
        shown = last if last - start < _MOST else start + _MOST - 2
        told = [self._line(lines, number, start, last) for number in range(max(start - _CONTEXT, 1), shown + 1)]
        if shown < last:
            return (*told, SourceLine(0, f"… {last - shown:,} more lines", False))
        below = range(last + 1, min(last + _CONTEXT, len(lines)) + 1)
        return (*told, *(self._line(lines, number, start, last) for number in below))

    def _line(self, lines: Sequence[str], number: int, start: int, last: int) -> SourceLine:
        return SourceLine(number, shown_line(lines[number - 1]), start <= number <= last)

    def _read(self, path: str) -> Sequence[str]:
        data = self._source(path)
        if data is None or len(data) > LARGEST or b"\0" in data[:8000]:
            return ()
        lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "backslashreplace").split("\n")
        if lines[-1] == "":
            lines.pop()
        return self._redact(lines)


def shown_line(text: str) -> str:
    """A line of code as it is shown, at most so many characters."""
    cut = text[: _LONGEST + 1].removesuffix("\r")
    seen = "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in cut)
    wide = seen.expandtabs(_TAB)
    return wide if len(wide) <= _LONGEST else wide[: _LONGEST - 1] + "…"
