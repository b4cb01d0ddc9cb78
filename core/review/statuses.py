"""What a review says of the reviewed commit: two statuses, made from its result. Setting them is for `posting.py`.

`orefactor/review` tells what the model thinks of the change, `orefactor/gate` whether the review lets it pass. Both are
made of counts, reasons and our own words, so that a status is never where a model's text gets published: a line of 140
characters is too short for it, and where a limit was reached it must not be.
"""

from __future__ import annotations

from typing import Literal

from ..errors import ExitCode, UserError
from ..forges.commit_status import GATE, REVIEW, description
from ..forges.forge import CommitStatus
from ..outputs.published_review import counts_words, decided_words, published, verdict_words
from ..trace_review import ReviewPart
from .result import ReviewResult

_BROKEN = ("error", "cancelled")
"""How a review ended that broke on the way, so that its end says nothing of the change."""
_LIMITS = ("deliberation_limit", "limit")
_EMPTY = "there is no change to review"


def review_statuses(result: ReviewResult) -> tuple[CommitStatus, CommitStatus]:
    """What is said of the reviewed commit: first of the review, then of the gate."""
    review = published(result.trace)
    assert review is not None
    commit = result.change.after.commit
    is_broken = review.outcome == "not_reviewed" and result.trace.status in _BROKEN
    asks = review.outcome != "reviewed" or review.verdict == "request_changes"
    first = CommitStatus(commit, _state(asks, is_broken), REVIEW, description(_review_words(result, review)), "")
    blocks = result.exit_code is not ExitCode.OK
    second = CommitStatus(commit, _state(blocks, is_broken), GATE, description(_gate_words(result, review)), "")
    return first, second


def broken_statuses(commit: str, error: UserError) -> tuple[CommitStatus, CommitStatus]:
    """The same where the review could not even begin, for want of a key or of what checks need.

    Args:
        error: what is said of it, without secrets.
    """
    reason = error.exit_code.name.lower()
    return (
        CommitStatus(commit, "error", REVIEW, description(f"not reviewed: {error.message}"), ""),
        CommitStatus(commit, "error", GATE, description(f"{reason}: {error.message}"), ""),
    )


def _state(is_bad: bool, is_broken: bool) -> Literal["success", "failure", "error"]:
    if is_broken:
        return "error"
    return "failure" if is_bad else "success"


def _review_words(result: ReviewResult, review: ReviewPart) -> str:
    if review.outcome == "not_reviewed":
        return f"not reviewed: {_stopped_words(result, review)}"
    if review.outcome == "inconclusive":
        return f"model review inconclusive: {'; '.join(review.limitations) or review.reason}"
    return f"{verdict_words(review)}: {counts_words(review)}" if review.verdict else _EMPTY


def _gate_words(result: ReviewResult, review: ReviewPart) -> str:
    """The reason stands first, since the end may be cut off."""
    if result.exit_code is ExitCode.OK:
        return _passed_words(review)
    if review.outcome == "not_reviewed":
        return _stopped_words(result, review)
    if review.blocking_findings:
        return f"{review.reason}: {decided_words(result.trace, review)}"
    return f"{review.reason}: {'; '.join(review.limitations) or decided_words(result.trace, review)}"


def _passed_words(review: ReviewPart) -> str:
    if review.outcome == "inconclusive":
        return f"passed, though the review is inconclusive: {review.reason}"
    if not review.verdict:
        return f"passed: {_EMPTY}"
    return f"passed: nothing blocks with fail-on {review.fail_on}; {counts_words(review)}"


def _stopped_words(result: ReviewResult, review: ReviewPart) -> str:
    """What stopped the review; of a limit no more than its name, as a message may quote what was going on."""
    kind = review.reason.partition(":")[0]
    if kind in _LIMITS:
        return f"{review.reason} was reached, so that nothing of the model's counts"
    return f"{review.reason}: {result.message}" if result.message else review.reason
