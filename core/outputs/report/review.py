"""What a review found: verdict, limitations, tools, and each finding with the lines that it is about."""

from __future__ import annotations

from collections.abc import Sequence

from ...patch_hunks import PatchLine, Section
from ...reporting import ReportedRun
from ...review.finding import MODEL
from ...trace_model import ReviewPart, Trace
from ...trace_review import ReviewFindingPart
from ..published_review import (
    OUTCOMES,
    blocking_places,
    change_words,
    counts_words,
    decided_line,
    place_words,
    published,
    tools_told,
    verdict_words,
)
from ..redacted_lines import Redact
from ..source_files import SourceFiles, SourceLine
from ..suggested_lines import suggested_lines
from .colours import Painter
from .lines import pieces_markup, section_markup
from .text import block, count, line, path_markup

MOST_FINDINGS = 300
_MOST_LIMITATIONS, _MOST_LINES = 50, 60
"""Limitations, and lines of a suggestion."""
_STYLES = {"error": "bad", "warning": "unsure", "note": "counts"}


def review_markup(run: ReportedRun, redact: Redact) -> str:
    """The section; `redact` takes secrets out of the files' lines."""
    review = published(run.trace)
    assert review is not None, "page.py asks only for reviews"
    return (
        f'<section id="review"><h2>Review</h2><p><strong>{verdict_words(review)}</strong>, {counts_words(review)}</p>'
        f"{summary_markup(review)}<dl>{_facts(run.trace, review)}</dl>"
        f"{findings_markup(review, SourceFiles(run.source, redact), redact)}</section>\n"
    )


def summary_markup(review: ReviewPart) -> str:
    """What the model says on the whole, and what the review could not do."""
    summary = f"<blockquote>{block(review.summary)}</blockquote>" if review.summary.strip() else ""
    return summary + _limitations(review)


def findings_markup(review: ReviewPart, files: SourceFiles, redact: Redact) -> str:
    """The findings, the weightiest first.

    Args:
        review: as `published` gives it.
        files: the lines that they are about.
    """
    blocking, painter = blocking_places(review), Painter()
    shown = "".join(
        _finding(finding, files, redact, painter, blocks=place in blocking)
        for place, finding in enumerate(review.findings[:MOST_FINDINGS])
    )
    rest = len(review.findings) - MOST_FINDINGS
    return shown + (f'<p class="note">{count(rest, "more finding")} left out.</p>' if rest > 0 else "")


def review_badge(trace: Trace, review: ReviewPart) -> tuple[str, str]:
    """The style and the words of what came of it."""
    decided = f"{OUTCOMES[review.outcome]}: {line(decided_line(trace, review), 600)}"
    if review.outcome == "inconclusive":
        return "unsure", f"? {decided}"
    is_good = review.outcome == "reviewed" and trace.exit_code == 0
    return ("good", f"✓ {decided}") if is_good else ("bad", f"✗ {decided}")


def _limitations(review: ReviewPart) -> str:
    told = "".join(f'<p class="note">{line(text, 600)}</p>' for text in review.limitations[:_MOST_LIMITATIONS])
    rest = len(review.limitations) - _MOST_LIMITATIONS
    return told + (f"<p>{count(rest, 'more limitation')}.</p>" if rest > 0 else "")


def _facts(trace: Trace, review: ReviewPart) -> str:
    told = [("change", line(change_words(review))), *((name, line(words, 1000)) for name, words in tools_told(trace))]
    if review.reused:
        told.append(("reused", f"the verdict of the review <code>{line(review.reused, 60)}</code>"))
    return "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in told)


def _finding(finding: ReviewFindingPart, files: SourceFiles, redact: Redact, painter: Painter, *, blocks: bool) -> str:
    origin = "the model" if finding.origin == MODEL else line(finding.origin, 60)
    sure = "" if finding.confidence is None else f", {finding.confidence:.0%} sure"
    marked = ' <span class="bad">blocking</span>' if blocks else ""
    place = f"<code>{path_markup(place_words(finding))}</code> " if finding.path else ""
    excerpt = files.excerpt(finding.path, finding.start_line, finding.end_line)
    return (
        f'<article class="finding"><h3><span class="{_STYLES[finding.severity]}">{finding.severity}</span> {place}'
        f'{line(finding.rule, 120)} <span class="counts">{origin}{sure}</span>{marked}</h3>'
        f"<blockquote>{block(finding.message)}</blockquote>{_excerpt(finding.path, excerpt, painter)}"
        f"{_suggestion(finding, redact, painter)}</article>\n"
    )


def _excerpt(path: str, excerpt: Sequence[SourceLine], painter: Painter) -> str:
    if not excerpt:
        return ""
    painted = painter.coloured(path, [shown.text for shown in excerpt])
    rows = "".join(
        f'<div class="c{" here" if shown.is_meant else ""}" data-n="{shown.number or ""}" '
        f'data-m="{shown.number or ""}"><b> </b><code>{pieces_markup(pieces, ())}</code></div>'
        for shown, pieces in zip(excerpt, painted, strict=True)
    )
    return f'<div class="lines">{rows}</div>'


def _suggestion(finding: ReviewFindingPart, redact: Redact, painter: Painter) -> str:
    if finding.suggestion is None:
        return ""
    lines, rest = suggested_lines(finding.suggestion, _MOST_LINES)
    section = Section(1, 1, "", tuple(PatchLine(kind, text) for kind, text in lines))
    more = f'<p class="gap">… {count(rest, "more line")}</p>' if rest else ""
    told = section_markup(finding.path, section, redact, painter, beside=False)
    return f'<h4>Suggestion</h4><div class="lines suggested">{told}{more}</div>'
