"""Long runs of comments and of continued lines, on which the scanner of Python's grammar takes quadratic time.

After each comment it looks ahead over all that follow, for the indentation of the next statement; the same for lines
that end in a backslash. Four thousand lines take half a second, and a file may have a hundred times as many. So long
runs are blanked before parsing, which keeps every offset and line. Only for symbols: guards and checks need comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_MAX_RUN = 100
"""Lines; real files have longer runs too, where code is commented out."""
_COMMENTS = re.compile(rb"(?:^[ \t\f]*(?:#[^\n]*)?\n)+", re.MULTILINE)
_CONTINUED = re.compile(rb"(?:\\\n[ \t\f]*)+")


@dataclass(frozen=True, slots=True)
class Calmed:
    """A source that can be parsed in linear time.

    Attributes:
        source: as long as the original, the same but for blanks.
        comments: `(start, end)` of what was comments.
    """

    source: bytes
    comments: tuple[tuple[int, int], ...] = ()


def calmed(source: bytes) -> Calmed:
    """Blanks the long runs of a source; nearly every source has none and stays as it is."""
    if source.count(b"#") > _MAX_RUN and _may_have_run(source):
        runs = tuple(_runs(_COMMENTS, source))
        source = _blanked(source, runs)
    else:
        runs = ()
    # The backslashes alone are counted several times as fast.
    if source.count(b"\\") > _MAX_RUN and source.count(b"\\\n") > _MAX_RUN:
        source = _blanked(source, _runs(_CONTINUED, source))
    return Calmed(source, runs)


def _may_have_run(source: bytes) -> bool:
    """Whether lines of equal distance, some of which every long run holds, are comments or blank in a row."""
    sample = source.split(b"\n")[:: _MAX_RUN // 4]
    return b"\1\1\1" in bytes(line.lstrip()[:1] in (b"", b"#") for line in sample)


def _runs(pattern: re.Pattern[bytes], source: bytes) -> Iterator[tuple[int, int]]:
    for found in pattern.finditer(source):
        if source.count(b"\n", found.start(), found.end()) > _MAX_RUN:
            yield found.span()


def _blanked(source: bytes, runs: Iterable[tuple[int, int]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end in runs:
        parts += (source[at:start], re.sub(rb"[^\n]", b" ", source[start:end]))
        at = end
    return b"".join([*parts, source[at:]]) if parts else source
