"""Finds the words for an edit whose old text isn't in the file: what is there instead, and where.

An edit is never applied by likeness; likeness only serves the answer, so that the next try is exact. All
searches take time in proportion to the file, whatever the model sent.
"""

from __future__ import annotations

import bisect
import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_MAX_SHOWN = 36
"""Lines of the file in an answer."""
_MAX_WIDTH = 200
"""Characters of a shown line, and of a line that is compared by likeness."""
_MAX_STARTS = 200
_MAX_COMPARED = 20_000
_NUMBERED = re.compile(r"^[ \t]*L?\d+(?:\t|: ?| ?[|\u2502\u2192] ?)")
_SPACES = re.compile(r"^ +| {2,}| +$")
_AGAIN = "copy old_string from the file again, exactly as read_file shows it"


@dataclass(frozen=True, slots=True)
class _Place:
    """The part of a file that resembles the old text; lines count from 0.

    `differs` is the first line that differs, and `wanted` what the old text has there.
    """

    start: int
    stop: int
    differs: int | None
    wanted: str | None
    note: str


def explain(text: str, old: str) -> str:
    """Says why the old text isn't found, in a few lines for the model.

    Args:
        text: the file, with plain line ends.
        old: what was looked for, which doesn't occur in it.
    """
    if (mended := _mended(text, old)) is not None:
        return mended
    lines, wanted = text.split("\n"), old.strip("\n").split("\n")
    place = _whitespace(lines, wanted)
    if place:
        return _shown(place, lines, visible=True)
    place = _both_ends(lines, wanted) or _most_in_common(lines, wanted) or _most_alike(lines, wanted)
    return _shown(place, lines, visible=False) if place else f"nothing in the file resembles it; {_AGAIN}"


def differs_in_space(text: str, old: str, new: str) -> bool:
    """Whether the old text stands there but for its white space, and the edit is about more than that."""
    if "".join(old.split()) == "".join(new.split()):
        return False
    return _whitespace(text.split("\n"), old.strip("\n").split("\n")) is not None


def visible(line: str) -> str:
    """The line with tabs as `→`, and leading, trailing and repeated spaces as `·`."""
    dotted = _SPACES.sub(lambda run: "·" * len(run[0]), line)
    return "".join(
        "→" if c == "\t" else f"\\u{ord(c):04x}" if c != " " and (c.isspace() or not c.isprintable()) else c
        for c in dotted
    )


def _mended(text: str, old: str) -> str | None:
    """Slips that a fixed change of the old text mends."""
    if f"{text}\n".endswith(old):
        return "the file has no line break at its end; leave out the last line break of old_string"
    lines = old.strip("\n").split("\n")
    if all(_NUMBERED.match(line) or not line for line in lines):
        bare = "\n".join(_NUMBERED.sub("", line, count=1) for line in lines)
        if bare.strip() and bare in text:
            return "old_string holds the line numbers that read_file shows; leave them out"
    if "\\" in old and old.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"') in text:
        return "old_string is escaped twice; send line breaks, tabs and quotes as they are"
    return None


def _whitespace(lines: Sequence[str], wanted: Sequence[str]) -> _Place | None:
    """A place that is the same but for white space and blank lines."""
    theirs = [(number, line) for number, line in enumerate(lines) if line.strip()]
    ours = [line for line in wanted if line.strip()]
    squeezed = "\n".join("".join(line.split()) for _, line in theirs)
    at = squeezed.find("\n".join("".join(line.split()) for line in ours)) if ours else -1
    if at < 0:
        return None
    first = squeezed.count("\n", 0, at)
    found = theirs[first : first + len(ours)]
    start, stop = found[0][0], found[-1][0] + 1
    for index, ((number, line), own) in enumerate(zip(found, ours, strict=True)):
        # The old text may begin and end within a line.
        if line != own and not (
            (index == 0 and line.endswith(own)) or (index == len(ours) - 1 and line.startswith(own))
        ):
            return _Place(start, stop, number, own, "only white space differs (→ is a tab, · a space)")
    return _Place(start, stop, None, None, "only blank lines or white space around them differ")


def _both_ends(lines: Sequence[str], wanted: Sequence[str]) -> _Place | None:
    """A place with the same first and last line, as when the middle was made up or shortened."""
    ours = [line.strip() for line in wanted]
    if len(ours) < 3:
        return None
    starts = [number for number, line in enumerate(lines) if line.strip() == ours[0]]
    stops = [number for number, line in enumerate(lines) if line.strip() == ours[-1]]
    best: tuple[int, int, int] | None = None
    for start in starts[:_MAX_STARTS]:
        aim = start + len(ours) - 1
        near = bisect.bisect_left(stops, aim)
        for stop in stops[max(near - 1, 0) : near + 1]:
            if start < stop <= start + 3 * len(ours) + 20:
                best = min(best or (len(lines), 0, 0), (abs(stop - aim), start, stop))
    if best is None:
        return None
    return _differing(lines, wanted, best[1], best[2] + 1, "the first and the last line match, the middle differs")


def _most_in_common(lines: Sequence[str], wanted: Sequence[str]) -> _Place | None:
    """The stretch as long as the old text that shares most of its lines; rare lines count more."""
    theirs = [line.strip() for line in lines]
    often = Counter(theirs)
    ours = {line.strip() for line in wanted} - {""}
    total = [0.0]
    for line in theirs:
        total.append(total[-1] + (1 / often[line] if line in ours else 0.0))
    width = min(len(wanted), len(lines))
    start = max(range(len(lines) - width + 1), key=lambda at: total[at + width] - total[at])
    if total[start + width] == total[start]:
        return None
    # Begin where the first shared line stands, as far above it as it stands in the old text.
    shared = next(at for at in range(start, start + width) if theirs[at] in ours)
    offsets: dict[str, int] = defaultdict(int, {line.strip(): at for at, line in reversed([*enumerate(wanted)])})
    start = max(shared - offsets[theirs[shared]], 0)
    return _differing(lines, wanted, start, min(start + width, len(lines)), "some lines are the same")


def _most_alike(lines: Sequence[str], wanted: Sequence[str]) -> _Place | None:
    """The line most like the longest line of the old text."""
    telling = max(wanted, key=len).strip()[:_MAX_WIDTH]
    numbers = {line.strip(): number for number, line in enumerate(lines[:_MAX_COMPARED]) if len(line) <= _MAX_WIDTH}
    if not telling:
        return None
    alike = difflib.get_close_matches(telling, numbers, n=1)
    if not alike:
        return None
    at = numbers[alike[0]]
    return _Place(max(at - 2, 0), min(at + 3, len(lines)), at, telling, "one line is similar")


def _differing(lines: Sequence[str], wanted: Sequence[str], start: int, stop: int, note: str) -> _Place:
    for number, own in zip(range(start, stop), wanted, strict=False):
        if lines[number].strip() != own.strip():
            return _Place(start, stop, number, own, note)
    return _Place(start, stop, None, None, note)


def _shown(place: _Place, lines: Sequence[str], *, visible: bool) -> str:
    head = f"nearest place: lines {place.start + 1}-{place.stop}; {place.note}"
    at = place.start if place.differs is None else place.differs
    first = max(place.start, min(at - _MAX_SHOWN // 2, place.stop - _MAX_SHOWN))
    last = min(place.stop, first + _MAX_SHOWN)
    told = [head]
    for number in range(first, last):
        mark = ">" if number == place.differs else " "
        told.append(f"{mark} {number + 1:>5}  {_cut(lines[number], as_is=not visible)}")
    if place.differs is not None and place.wanted is not None:
        told.append(f"line {place.differs + 1} is:     {_cut(lines[place.differs], as_is=not visible)}")
        told.append(f"old_string has: {_cut(place.wanted, as_is=not visible)}")
    return "\n".join([*told, _AGAIN])


def _cut(line: str, *, as_is: bool) -> str:
    line = line if as_is else visible(line)
    return line if len(line) <= _MAX_WIDTH else f"{line[:_MAX_WIDTH]}\u2026"
