"""A review as text for a terminal: lines of pieces with a style each, which `cli/review_view.py` puts into colours.

The first line says what came of it, the last one what decided. Between them stand the findings with the lines that they
are about. Everything of a stranger's is made visible, bounded and, but for places, which are there to be clicked on,
no wider than the page. A pure function of the trace and a reader of the reviewed files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..review.finding import MODEL
from ..trace_model import ReviewPart, Trace
from ..trace_review import ReviewFindingPart, SuggestionPart
from .graph_text import visible, width
from .published_review import (
    OUTCOMES,
    blocking_places,
    change_words,
    counted,
    counts_words,
    decided_line,
    place_words,
    published,
    verdict_words,
)
from .redacted_lines import Redact, as_they_are
from .source_files import Source, SourceFiles, SourceLine, shown_line
from .suggested_lines import suggested_lines
from .text_columns import fitting, wrapped

Style = Literal["", "head", "name", "faint", "strong", "bad", "warn", "old", "new"]
MOST_FINDINGS = 200
_MOST_LIMITATIONS, _MOST_LINES, _LONGEST, _NARROWEST = 50, 30, 4000, 40
"""Limitations, lines of a suggestion, characters of a text, columns of the page at least."""
_INDENT, _ASIDE, _LONGEST_RULE = 8, 22, 60
"""Columns: before a place, of what is said beside an origin, of a rule."""
_OF_SEVERITY: dict[str, Style] = {"error": "bad", "warning": "warn", "note": "head"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text on one line, visible as it is."""

    text: str
    style: Style = ""


Line = Sequence[Piece]


def review_text(trace: Trace, source: Source, columns: int) -> str:
    """The review without colours; nothing where the run is none."""
    lines = review_lines(trace, source, columns)
    return "".join("".join(piece.text for piece in line).rstrip(" ") + "\n" for line in lines)


def review_lines(trace: Trace, source: Source, columns: int, redact: Redact = as_they_are) -> Iterator[Line]:
    """The review as lines.

    Args:
        source: reads the reviewed files.
        columns: of the page.
        redact: takes secrets out of the lines of a file.
    """
    review = published(trace)
    if review is None:
        return
    columns = max(columns, _NARROWEST)
    yield from _head(trace, review, columns)
    files = SourceFiles(source, redact)
    blocking = blocking_places(review)
    for place, finding in enumerate(review.findings[:MOST_FINDINGS]):
        yield ()
        yield from _finding(finding, files, columns, blocks=place in blocking)
    yield ()
    if len(review.findings) > MOST_FINDINGS:
        yield (Piece(f"and {counted(len(review.findings) - MOST_FINDINGS, 'more finding')}", "faint"),)
    for text in review.limitations[:_MOST_LIMITATIONS]:
        yield from _named("limitation", text, columns, "warn")
    if len(review.limitations) > _MOST_LIMITATIONS:
        yield (Piece(f"and {counted(len(review.limitations) - _MOST_LIMITATIONS, 'more limitation')}", "faint"),)
    yield from _named("decided", decided_line(trace, review), columns, "bad" if trace.exit_code else "strong")


def _head(trace: Trace, review: ReviewPart, columns: int) -> Iterator[Line]:
    outcome = OUTCOMES[review.outcome]
    style: Style = "strong" if review.outcome == "reviewed" and not trace.exit_code else "bad"
    verdict = f" {verdict_words(review)};" if review.verdict or review.outcome == "reviewed" else ""
    first, *more = wrapped(f"{outcome}:{verdict} {counts_words(review)}", columns)
    yield (Piece(first[: len(outcome)], style), Piece(first[len(outcome) :], "head"))
    yield from ((Piece(line, "head"),) for line in more)
    told = change_words(review) + (f"; as in the review {review.reused}" if review.reused else "")
    yield from ((Piece(line, "faint"),) for line in wrapped(told[:_LONGEST], columns))
    if review.summary.strip():
        yield from _paragraph(review.summary, 0, columns)


def _finding(finding: ReviewFindingPart, files: SourceFiles, columns: int, *, blocks: bool) -> Iterator[Line]:
    yield from _title(finding, columns, blocks=blocks)
    yield from _paragraph(finding.message, 2, columns)
    yield from _excerpt(files.excerpt(finding.path, finding.start_line, finding.end_line), columns)
    if finding.suggestion is not None:
        yield (Piece("  suggestion", "faint"),)
        yield from _suggestion(finding.suggestion, columns)


def _title(finding: ReviewFindingPart, columns: int, *, blocks: bool) -> Iterator[Line]:
    """Severity, place, rule and origin; the last two stand on lines of their own where the place leaves no room."""
    place = visible(place_words(finding) or "the change as a whole")
    head = Piece(f"{finding.severity:<{_INDENT}}", _OF_SEVERITY[finding.severity]), Piece(place, "name")
    rule = Piece(fitting(finding.rule, min(columns - _INDENT, _LONGEST_RULE)), "head")
    sure = "" if finding.confidence is None else f", {finding.confidence:.0%} sure"
    origin = "the model" if finding.origin == MODEL else fitting(finding.origin, columns - _INDENT - _ASIDE)
    about = [Piece(f"({origin}{sure})", "faint"), *([Piece(" blocking", "bad")] if blocks else [])]
    gap = Piece(" " * _INDENT)
    if _width([*head, rule, *about]) + 3 <= columns:
        yield (*head, Piece("  "), rule, Piece(" "), *about)
        return
    yield head
    if _width([gap, rule, *about]) < columns:
        yield (gap, rule, Piece(" "), *about)
        return
    yield (gap, rule)
    yield (gap, *about)


def _width(pieces: Sequence[Piece]) -> int:
    return sum(width(piece.text) for piece in pieces)


def _excerpt(lines: Sequence[SourceLine], columns: int) -> Iterator[Line]:
    digits = len(str(max((line.number for line in lines), default=0)))
    for line in lines:
        mark = "> " if line.is_meant else "  "
        text = fitting(line.text, columns - digits - 7)
        yield (
            Piece(f"  {mark}{line.number or '':>{digits}} | ", "faint"),
            Piece(text, "" if line.is_meant else "faint"),
        )


def _suggestion(suggestion: SuggestionPart, columns: int) -> Iterator[Line]:
    """What it takes away and adds, with the lines that stay."""
    styles: dict[str, Style] = {" ": "faint", "-": "old", "+": "new"}
    told, left_out = suggested_lines(suggestion, _MOST_LINES)
    for sign, line in told:
        yield (Piece(fitting(f"    {sign} {shown_line(line)}".rstrip(), columns), styles[sign]),)
    if left_out:
        yield (Piece(f"    … {counted(left_out, 'more line')}", "faint"),)


def _paragraph(text: str, indent: int, columns: int) -> Iterator[Line]:
    told = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    for line in told.replace("\r\n", "\n").expandtabs(4).strip("\n").split("\n"):
        inner = indent + min(len(line) - len(line.lstrip(" ")), 8)
        yield from ((Piece(" " * inner + part),) for part in wrapped(line.strip(" "), columns - inner))


def _named(name: str, text: str, columns: int, style: Style) -> Iterator[Line]:
    """A named text; what doesn't fit on its line stands below."""
    room = columns - len(name) - 2
    for number, line in enumerate(wrapped(" ".join(text[:_LONGEST].split()), room)):
        head = Piece(" " * (len(name) + 2)) if number else Piece(f"{name}: ", style)
        yield (head, Piece(line))
