"""One hunk, or a part of one, as lines for a terminal: the call that made it, what happens to its file, its lines.

All of it is a stranger's text: what could drive a terminal is spelled out, and what is too long is cut, unless a person
asks for the whole hunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .terminal import spelled_out
from .wording import call_words, plain

if TYPE_CHECKING:
    from orefactor.core.hunk_pieces import Piece
    from orefactor.core.patch_hunks import PatchFile, PatchLine, Section
    from orefactor.core.reporting import ReportedRun

ViewStyle = Literal["", "meta", "frag", "old", "new", "faint", "help"]
_STYLES: dict[str, ViewStyle] = {" ": "", "+": "new", "-": "old"}
_AROUND = 3
"""Unchanged lines around a part, as around a hunk of git's."""
MOST_LINES, LONGEST_LINE = 200, 300
"""Lines of a hunk and characters of a line that are shown at first."""
_MOST_CALLS = 2


@dataclass(frozen=True, slots=True)
class ViewLine:
    """One line, plain."""

    text: str
    style: ViewStyle = ""


def file_lines(files: Sequence[PatchFile]) -> Iterator[ViewLine]:
    """What file it is, and what happens to it besides its lines.

    Args:
        files: one, or both halves of one that becomes another kind of file; none where it has been said.
    """
    for file in files[:1]:
        yield ViewLine("")
        yield ViewLine(plain(file.path), "meta")
    for file in files:
        said = {"new": "a new file", "deleted": "the file goes", "renamed": f"renamed from {plain(file.old_path)}"}
        modes = file.modes if file.kind in ("mode", "renamed") else None
        facts = [said.get(file.kind, ""), f"mode {plain(modes[0])} becomes {plain(modes[1])}" if modes else ""]
        told = ", ".join(filter(None, [*facts, "binary" if file.is_binary else ""]))
        if told:
            yield ViewLine(told, "faint")


def made_by(run: ReportedRun, numbers: Sequence[int]) -> str:
    """The rounds and calls that made the hunks, in a few words; empty where none is known."""
    places = dict.fromkeys(place for number in numbers for place in run.origins.get(number, ()))
    made = [run.trace.tool_calls[place] for place in places]
    words = [f"round {call.round}: {call_words(call.name, call.arguments)}" for call in made[:_MOST_CALLS]]
    more = len(made) - len(words)
    return "; ".join(words) + (f"; and {more} more" if more > 0 else "")


def piece_lines(pieces: Sequence[Piece], *, is_cut: bool = True) -> Iterator[ViewLine]:
    """The lines of a hunk, or of one part with what stands around it.

    Args:
        pieces: all of one hunk, or one part of it.
        is_cut: whether long ones are shown in part.
    """
    left, hidden = MOST_LINES if is_cut else -1, 0
    for line in _lines(pieces):
        if left == 0:
            hidden += 1
            continue
        left -= 1
        text = spelled_out(line.text.encode()).decode()
        yield ViewLine(text[: LONGEST_LINE - 1] + "…" if is_cut and len(text) > LONGEST_LINE else text, line.style)
    if hidden:
        yield ViewLine(f"… and {hidden:,} more line{'' if hidden == 1 else 's'}; `p` shows all of it", "faint")


def _lines(pieces: Sequence[Piece]) -> Iterator[ViewLine]:
    first, last = pieces[0], pieces[-1]
    if first.section is None:  # all that happens to a file
        for section in (section for hunk in first.hunks for section in hunk.sections):
            yield from _section(section, range(len(section.lines)))
        return
    lines = first.section.lines
    above = _unchanged(lines[max(first.rows.start - _AROUND, 0) : first.rows.start][::-1])
    below = _unchanged(lines[last.rows.stop : last.rows.stop + _AROUND])
    yield from _section(first.section, range(first.rows.start - above, last.rows.stop + below))


def _unchanged(lines: Sequence[PatchLine]) -> int:
    """How many lines stand before the first changed one."""
    return next((number for number, line in enumerate(lines) if line.kind != " "), len(lines))


def _section(section: Section, rows: range) -> Iterator[ViewLine]:
    above, within = section.lines[: rows.start], section.lines[rows.start : rows.stop]
    sides = (
        ("-", section.old_start, _count(above, "+"), _count(within, "+")),
        ("+", section.new_start, _count(above, "-"), _count(within, "-")),
    )
    places = " ".join(f"{mark}{start + skipped},{length}" for mark, start, skipped, length in sides)
    yield ViewLine(f"@@ {places} @@ {section.heading}".rstrip(), "frag")
    for line in within:
        yield ViewLine(line.kind + line.text, _STYLES[line.kind])
        if not line.ended:
            yield ViewLine("\\ No newline at end of file", "faint")


def _count(lines: Sequence[PatchLine], other: str) -> int:
    """How many lines stand on the side that isn't the other one."""
    return sum(line.kind != other for line in lines)
