"""The part of `trace.json` that only reviews have."""

from __future__ import annotations

from typing import Literal

from .trace_rounds import Count, Part, UsagePart


class SuggestionPart(Part):
    """An exact edit of the finding's file."""

    old_string: str
    new_string: str


class ReviewFindingPart(Part):
    """One finding on the change."""

    rule: str
    origin: str
    """`model`, or the check's name."""
    severity: Literal["error", "warning", "note"]
    path: str
    start_line: Count
    """In the new file, from 1; 0 where there is no line."""
    end_line: Count
    message: str
    suggestion: SuggestionPart | None = None
    confidence: float | None = None


class ReviewPart(Part):
    """What was reviewed and what came of it."""

    source: str
    before: str
    before_tree: str
    commit: str
    tree: str
    paths: tuple[str, ...] = ()
    changed_lines: Count = 0
    diff_digest: str = ""
    outcome: Literal["reviewed", "not_reviewed", "inconclusive"] = "not_reviewed"
    reason: str = "interrupted"
    verdict: Literal["approve", "comment", "request_changes"] | None = None
    summary: str = ""
    findings: tuple[ReviewFindingPart, ...] = ()
    """The weightiest first."""
    dropped: Count = 0
    """Findings that pointed outside of the change or at lines that don't exist."""
    blocking_findings: tuple[ReviewFindingPart, ...] = ()
    fail_on: Literal["error", "warning", "never"] = "error"
    limit: str = ""
    """The limit of the deliberation that was reached."""
    tokens: Count = 0
    results_digest: str = ""
    """Of what the tools gave."""
    reused: str | None = None
    """The review whose verdict holds here too, so that no model was asked."""
    limitations: tuple[str, ...] = ()
    quality_degraded: bool = False


class ResultReviewPart(ReviewPart):
    """A review of the main job's result, which is a run of its own; what it looked at stands in its own trace."""

    source: str = "the result"
    before: str = ""
    before_tree: str = ""
    run_id: str = ""
    """Of the review; empty where it never began."""
    round: Count = 0
    """The main job's, whose answer was reviewed."""
    model: str = ""
    message: str = ""
    usage: UsagePart
    """It is part of the main job's, and so is the cost."""
    cost_usd: float | None = None
