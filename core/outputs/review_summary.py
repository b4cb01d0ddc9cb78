"""The part of a CI job's summary that only reviews have: verdict, limitations, and the findings as a table."""

from __future__ import annotations

from ..trace_model import ResultReviewPart, ReviewPart, Trace
from ..trace_review import ReviewFindingPart
from .markdown_table import more, section, table
from .markdown_text import code, prose, words
from .published_review import (
    OUTCOMES,
    blocking_places,
    change_words,
    counts_words,
    decided_words,
    place_words,
    result_reviews,
    result_words,
    verdict_words,
)

_MOST_FINDINGS, _MOST_LIMITATIONS = 100, 20
_LONGEST_WORDS, _LONGEST_PATH, _LONGEST_RULE, _LONGEST_NAME = 300, 200, 100, 60


def review_heading(trace: Trace, review: ReviewPart) -> str:
    """The summary's first line."""
    mark = "✓" if review.outcome == "reviewed" and trace.exit_code == 0 else "✗"
    said = verdict_words(review) if review.outcome == "reviewed" else OUTCOMES[review.outcome]
    return f"## {mark} git orefactor review: {said}"


def review_sections(trace: Trace, review: ReviewPart) -> list[str]:
    """What came of it, in the order in which it is read.

    Args:
        review: as `published` gives it.
    """
    decided = f"Decided: {words(decided_words(trace, review), 1000)} ({code(review.reason, 200)})."
    return [
        f"{words(change_words(review), _LONGEST_WORDS)}: {counts_words(review)}. {decided}",
        prose(review.summary, 4000),
        *section("Limitations", _limitations(review)),
        *section("Findings", findings_table(review)),
    ]


def result_section(trace: Trace) -> list[str]:
    """What the reviews of the main job's result came to, and what the last one found; nothing where there is none."""
    reviews = result_reviews(trace)
    if not reviews:
        return []
    told = [f"- after round {review.round}: {words(result_words(review), 1000)}{_by(review)}" for review in reviews]
    last = reviews[-1]
    parts = ("\n".join(told[-_MOST_LIMITATIONS:]), prose(last.summary, 4000), findings_table(last))
    return section("Review of the result", "\n\n".join(part for part in parts if part))


def _by(review: ResultReviewPart) -> str:
    run = f", run {code(review.run_id, _LONGEST_NAME)}" if review.run_id else ""
    return f" ({code(review.model, _LONGEST_RULE)}{run})" if review.model else ""


def _limitations(review: ReviewPart) -> str:
    told = [f"- {words(text, _LONGEST_WORDS)}" for text in review.limitations[:_MOST_LIMITATIONS]]
    return "\n".join(told) + (more(len(review.limitations) - _MOST_LIMITATIONS) if told else "")


def findings_table(review: ReviewPart) -> str:
    """The findings as a table; empty where there are none.

    Args:
        review: as `published` and `result_reviews` give it.
    """
    if not review.findings:
        return ""
    blocking = blocking_places(review)
    shown = enumerate(review.findings[:_MOST_FINDINGS])
    rows = [_row(finding, blocks=place in blocking) for place, finding in shown]
    heads = ("Where", "Weight", "Rule", "By", "What")
    return table([heads, *rows], ":-- | :-- | :-- | :-- | :--") + more(len(review.findings) - _MOST_FINDINGS)


def _row(finding: ReviewFindingPart, *, blocks: bool) -> tuple[str, ...]:
    return (
        code(place_words(finding), _LONGEST_PATH) if finding.path else "",
        f"**{finding.severity}**, blocking" if blocks else finding.severity,
        code(finding.rule, _LONGEST_RULE),
        words(finding.origin, _LONGEST_NAME),
        words(finding.message, _LONGEST_WORDS),
    )
