"""The lines of a hunk as HTML: old beside new on wide screens, one below the other on narrow ones.

Each run of changed lines is a grid: in the source removed lines stand before added ones, as in a patch, so that it
reads well without a style too, and the grid puts them into two columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from ...patch_hunks import PatchLine, Section
from ..graph_text import visible
from ..redacted_lines import Redact as Redact
from .alignment import Range, differences, pairs
from .colours import Painter, Piece

LONGEST_LINE = 600
"""Characters of a line that are shown."""
_LONGEST_SECRET = 4000


@dataclass(frozen=True, slots=True)
class _Row:
    """One line with its numbers on both sides; the pieces are its text."""

    line: PatchLine
    old: int
    new: int
    text: str
    pieces: Sequence[Piece]


def section_markup(path: str, section: Section, redact: Redact, painter: Painter, *, beside: bool) -> str:
    """The lines of one section.

    Args:
        path: its end tells the language.
        redact: takes secrets out.
        painter: the page's.
        beside: whether both sides may stand beside each other; a new file has only one.
    """
    blocks: list[str] = []
    for is_changed, group in groupby(_rows(path, section, redact, painter), key=lambda row: row.line.kind != " "):
        rows = list(group)
        block = _changed(rows) if is_changed else "".join(_context(row, twice=beside) for row in rows)
        blocks.append(f'<div class="block{" two" if beside else ""}">{block}</div>')
    return "".join(blocks)


def _rows(path: str, section: Section, redact: Redact, painter: Painter) -> Iterator[_Row]:
    # A secret may begin within what is shown and end behind it.
    redacted = redact([line.text[: LONGEST_LINE + _LONGEST_SECRET] for line in section.lines])
    texts = [_shown(text, len(line.text)) for text, line in zip(redacted, section.lines, strict=True)]
    painted = _painted(path, section.lines, texts, painter)
    old, new = section.old_start, section.new_start
    for line, text, pieces in zip(section.lines, texts, painted, strict=True):
        yield _Row(line, old, new, text, pieces)
        old += line.kind != "+"
        new += line.kind != "-"


def _shown(text: str, length: int) -> str:
    """A line as it is shown: tabs stay, everything else that can't be seen is spelled out; `length` is the whole's."""
    cut = text[:LONGEST_LINE]
    more = f" … {length - LONGEST_LINE:,} more characters" if len(text) > LONGEST_LINE else ""
    return "\t".join(visible(part, LONGEST_LINE) for part in cut.split("\t")) + more


def _painted(path: str, lines: Sequence[PatchLine], texts: Sequence[str], painter: Painter) -> list[list[Piece]]:
    """Each side is coloured by itself, since only that is a text of the language; context counts as new."""
    painted: list[list[Piece]] = [[] for _ in lines]
    for absent in ("+", "-"):
        places = [number for number, line in enumerate(lines) if line.kind != absent]
        for place, pieces in zip(places, painter.coloured(path, [texts[p] for p in places]), strict=True):
            painted[place] = pieces
    return painted


def _context(row: _Row, *, twice: bool) -> str:
    content = pieces_markup(row.pieces, ())
    here = f'<div class="c" data-n="{row.old}" data-m="{row.new}"><b> </b><code>{content}</code></div>'
    again = f'<div class="c r" data-n="{row.new}" aria-hidden="true"><b> </b><code>{content}</code></div>'
    return here + (again if twice else "")


def _changed(rows: Sequence[_Row]) -> str:
    old = [row for row in rows if row.line.kind == "-"]
    new = [row for row in rows if row.line.kind == "+"]
    left: list[str] = []
    right: list[str] = []
    for one, other in pairs([row.text for row in old], [row.text for row in new]):
        marks: tuple[list[Range], list[Range]] = ([], [])
        if one is not None and other is not None:
            marks = differences(old[one].text, new[other].text)
        left.append(_side("o", old[one], marks[0]) if one is not None else '<div class="o f"></div>')
        right.append(_side("n", new[other], marks[1]) if other is not None else '<div class="n f"></div>')
    if not old or not new:
        return "".join(left if old else right)
    return "".join([*left, *right])


def _side(name: str, row: _Row, marks: Sequence[Range]) -> str:
    number = row.old if name == "o" else row.new
    sign = "−" if name == "o" else "+"
    end = "" if row.line.ended else '<i class="end">no line end</i>'
    content = f"<code>{pieces_markup(row.pieces, marks)}</code>{end}"
    return f'<div class="{name}" data-n="{number}"><b>{sign}</b>{content}</div>'


def pieces_markup(pieces: Sequence[Piece], marks: Sequence[Range]) -> str:
    """The pieces with their colours, and marked where they differ from the other side."""
    parts: list[str] = []
    at = 0
    for text, style in pieces:
        for part, is_marked in _split(text, at, marks):
            content = f'<span class="{style}">{escape(part)}</span>' if style else escape(part)
            parts.append(f"<mark>{content}</mark>" if is_marked else content)
        at += len(text)
    return "".join(parts)


def _split(text: str, start: int, marks: Sequence[Range]) -> Iterator[tuple[str, bool]]:
    """A piece that begins at a character of its line, cut where marks begin and end."""
    at = start
    stop = start + len(text)
    for first, last in marks:
        if last <= at or first >= stop:
            continue
        if first > at:
            yield text[at - start : first - start], False
            at = first
        yield text[at - start : min(last, stop) - start], True
        at = min(last, stop)
    if at < stop:
        yield text[at - start :], False
