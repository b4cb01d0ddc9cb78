"""Ends a review: the gate judges what is known, and the trace is closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .. import events
from ..book import RunBook
from ..errors import ExitCode, RunStopped, Status
from ..gate import is_verified
from ..messages import Provider
from ..redact import Redactor, printable
from .answer import AcceptedAnswer, accepted
from .change import touches
from .deliberation import Heard
from .finding import ReviewFinding
from .request import PreparedReview
from .result import Reviewed, ReviewResult
from .review_gate import ReviewFacts, ReviewVerdict, judge_review


def close_review(
    ready: PreparedReview, book: RunBook, came: Reviewed | None, stopped: RunStopped | None
) -> ReviewResult:
    """Judge what is known, tell it, and close the trace.

    Args:
        came: what the review came to; None where it was stopped before.
        stopped: what stopped it then.
    """
    came = came or Reviewed(Heard(stopped=stopped))
    verdict = judge_review(_facts(ready, book, came))
    reached = _redacted(verdict.reached, book.redactor)
    book.emit(reached)
    book.emit(_outcome(verdict, came, book.redactor))
    trace, path = book.end()
    return ReviewResult(
        verdict.exit_code,
        book.redactor.text(verdict.message),
        verdict.hint,
        trace,
        path,
        ready.change,
        came.contents,
        ready.warnings,
        _scripted(ready),
    )


def _scripted(ready: PreparedReview) -> Provider | None:
    first = ready.prepared.choices[0].provider if ready.prepared.choices else None
    return first if getattr(first, "follows_script", False) else None


def _facts(ready: PreparedReview, book: RunBook, came: Reviewed) -> ReviewFacts:
    heard, review = came.heard, ready.prepared.settings.review
    return ReviewFacts(
        answer=_accepted(heard, ready, book.redactor, came.contents),
        checks=came.checks,
        stopped=heard.stopped,
        limit=heard.limit,
        unreadable=heard.unreadable,
        fail_on=review.fail_on,
        inconclusive_exit=review.inconclusive_exit,
        is_empty=not ready.change.paths,
    )


def _accepted(
    heard: Heard, ready: PreparedReview, redactor: Redactor, contents: Mapping[str, bytes]
) -> AcceptedAnswer | None:
    if heard.answer is None:
        return None
    return accepted(heard.answer, ready.change, touches, contents.get, redactor.text)


def _redacted(reached: events.ReviewReached, redactor: Redactor) -> events.ReviewReached:
    """The same without secrets; what checks say may hold some, and so may a server's error."""

    def clean(finding: ReviewFinding) -> ReviewFinding:
        rule, message = redactor.text(finding.rule), redactor.text(finding.message)
        return replace(finding, rule=rule, message=message, path=printable(redactor.text(finding.path)))

    return replace(
        reached,
        findings=tuple(map(clean, reached.findings)),
        blocking=tuple(map(clean, reached.blocking)),
        limitations=tuple(map(redactor.text, reached.limitations)),
    )


def _outcome(verdict: ReviewVerdict, came: Reviewed, redactor: Redactor) -> events.OutcomeReached:
    reached = verdict.reached
    return events.OutcomeReached(
        _status(verdict, came.heard),
        reached.reason,
        int(verdict.exit_code),
        is_verified(came.checks),
        redactor.text(verdict.message),
        verdict.hint,
        (),
        None,
        f"Review: {reached.outcome.replace('_', ' ')}",
        reached.summary,
    )


def _status(verdict: ReviewVerdict, heard: Heard) -> Status:
    if heard.limit:
        return "limit"
    if heard.stopped is not None:
        return heard.stopped.status
    return "completed" if verdict.exit_code is ExitCode.OK else "gate"
