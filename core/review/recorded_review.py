"""The event that a part of a trace was made from: the review of a result as it was told."""

from __future__ import annotations

from collections.abc import Iterable

from ..events import ResultReviewed
from ..messages import Usage
from ..trace_model import ResultReviewPart
from ..trace_review import ReviewFindingPart
from .finding import ReviewFinding, SuggestedEdit


def recorded_review(part: ResultReviewPart) -> ResultReviewed:
    """The event."""
    return ResultReviewed(
        part.run_id,
        part.round,
        part.model,
        part.commit,
        part.tree,
        part.outcome,
        part.reason,
        part.message,
        part.verdict,
        part.summary,
        _findings(part.findings),
        part.dropped,
        _findings(part.blocking_findings),
        part.fail_on,
        part.limitations,
        Usage(**part.usage.model_dump()),
        part.cost_usd,
    )


def _findings(parts: Iterable[ReviewFindingPart]) -> tuple[ReviewFinding, ...]:
    return tuple(map(_finding, parts))


def _finding(part: ReviewFindingPart) -> ReviewFinding:
    told = part.model_dump()
    edit = told.pop("suggestion")
    return ReviewFinding(**told, suggestion=SuggestedEdit(**edit) if edit else None)
