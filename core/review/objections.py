"""What a review of a result means for the job: whether it passes, and what the model is told to mend.

Pure. A review that could not be finished can't be mended by the model that did the work, so nothing of it goes back.
"""

from __future__ import annotations

from ..context.rendering import fenced
from ..events import ResultReviewed
from ..gate import ResultReview
from ..guards.faults import one_line
from .finding import MODEL, ReviewFinding

MOST_OBJECTIONS = 20
_LONGEST_MESSAGE, _LONGEST_EDIT = 600, 800
_BLOCKING = "blocking:"


def weighed(reviewed: ResultReviewed, hint: str) -> ResultReview:
    """What the gate and the model have to know of a review.

    Args:
        hint: what the review says to do about it.
    """
    kept = f"see the review with `git orefactor show {reviewed.run_id}`" if reviewed.run_id else ""
    if reviewed.outcome == "reviewed" and not reviewed.blocking:
        return ResultReview(passed=True, reason=reviewed.reason, message=reviewed.message)
    if reviewed.blocking and reviewed.reason.startswith(_BLOCKING):
        message = f"the review objects to the result: {reviewed.message}"
        told = tuple(map(_objection, reviewed.blocking[:MOST_OBJECTIONS]))
        return ResultReview(False, reviewed.reason, message, _joined(kept), told)
    message = f"the result could not be reviewed: {reviewed.message}"
    return ResultReview(False, reviewed.reason, message, _joined(hint, kept))


def _joined(*said: str) -> str:
    return "; ".join([*filter(None, said), "nothing was delivered"])


def _objection(finding: ReviewFinding) -> str:
    """A finding as the model is told it, with its suggestion where that is short."""
    lines = f":{finding.start_line}" if finding.start_line else ""
    lines += f"-{finding.end_line}" if finding.end_line > finding.start_line else ""
    who = "review" if finding.origin == MODEL else f"review, {finding.origin}"
    place = f" {one_line(finding.path, 300)}{lines}" if finding.path else ""
    told = f"- {who}:{place} ({one_line(finding.rule, 100)}) {one_line(finding.message, _LONGEST_MESSAGE)}"
    edit = finding.suggestion
    if edit is None or len(edit.old_string) + len(edit.new_string) > _LONGEST_EDIT:
        return told
    old, new = (fenced(text, finding.path) for text in (edit.old_string, edit.new_string))
    return f"{told}\n  It suggests to replace\n{old}  by\n{new}".rstrip("\n")
