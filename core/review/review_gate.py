"""The gate for reviews: one pure function from facts to outcome, with one reason and one exit code.

What was reached or broke on the way ranks before what was found: a review that could not be finished is no review,
and then nothing that the model wrote is published. Checks need no model, so what they found always counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..checks.result import CheckResult
from ..errors import ExitCode, RunStopped
from ..guards.faults import one_line
from ..review_events import ReviewOutcome, ReviewReached
from .answer import AcceptedAnswer
from .check_findings import found_by, silent, why_silent
from .finding import MODEL, FailOn, ReviewFinding
from .weight import blocks, ranked

MOST_CHECK_FINDINGS = 1000
"""More are counted as dropped."""
_LONGEST_LINE = 400
_NO_VERDICT = "no verdict of the model is published"


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """What is known when a review is over.

    Attributes:
        stopped: what ended it before its end, a limit of the deliberation apart.
        limit: the limit of the deliberation that was reached; empty where none was.
        answer: what counts of the model's answer; None where it gave none.
        unreadable: why an answer could not be read; empty where it could.
        checks: the required ones, those that the model asked for, and deferred ones, on the change.
        inconclusive_exit: the exit code of an inconclusive review.
        is_empty: whether there is no change, so that nobody was asked.
    """

    answer: AcceptedAnswer | None = None
    checks: Sequence[CheckResult] = ()
    stopped: RunStopped | None = None
    limit: str = ""
    unreadable: str = ""
    fail_on: FailOn = "error"
    inconclusive_exit: int = ExitCode.CHANGES
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class ReviewVerdict:
    """The gate's word.

    Attributes:
        message: one line for people.
        hint: what to do about it; empty where there is nothing to do.
    """

    reached: ReviewReached
    exit_code: ExitCode
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    findings: tuple[ReviewFinding, ...]
    blocking: tuple[ReviewFinding, ...]
    dropped: int


def judge_review(facts: ReviewFacts) -> ReviewVerdict:
    """Rank what is known: what ended the review, an unreadable answer, what blocks, and checks that could not speak."""
    if facts.limit:
        message = f"{_NO_VERDICT}: the limit {facts.limit} of the deliberation was reached"
        hint = f"review a smaller change, or raise the setting `review.deliberation.{facts.limit}`"
        return _not_reviewed(facts, f"deliberation_limit:{facts.limit}", message, ExitCode.CHANGES, hint)
    if facts.stopped is not None:
        stop = facts.stopped
        return _not_reviewed(facts, stop.reason, stop.message, stop.exit_code, stop.hint)
    return _finished(facts)


def _not_reviewed(facts: ReviewFacts, reason: str, message: str, exit_code: ExitCode, hint: str) -> ReviewVerdict:
    """Nothing of the model's is published, and one limitation says why."""
    message = one_line(message, _LONGEST_LINE)
    limitation = message if message.startswith(_NO_VERDICT) else f"{_NO_VERDICT}: {message}"
    reached = _reached("not_reviewed", reason, facts, None, _found(facts, None), (limitation,))
    return ReviewVerdict(reached, exit_code, message, hint)


def _finished(facts: ReviewFacts) -> ReviewVerdict:
    answer = None if facts.is_empty or facts.unreadable else facts.answer
    found = _found(facts, answer)
    unread, quiet = _why_unread(facts), silent(facts.checks)
    limitations = tuple(dict.fromkeys([*filter(None, [unread]), *map(why_silent, quiet)]))
    reason, message, hint = "reviewed", "the review found nothing that blocks", ""
    if unread:
        reason, message = "model:unreadable_answer", unread
        hint = "review again, or choose another model with `--model NAME`"
    elif found.blocking:
        reason, message = f"blocking:{found.blocking[0].origin}", _told(found.blocking)
        hint = "mend what blocks, or say with `--fail-on` what does"
    elif quiet:
        reason, message, hint = f"check:{quiet[0].name}", limitations[0], "see `git orefactor doctor`"
    elif facts.is_empty:
        reason, message = "no_change", "there is no change to review"
    reached = _reached("inconclusive" if limitations else "reviewed", reason, facts, answer, found, limitations)
    return ReviewVerdict(reached, _exit_code(facts, found, limitations), message, hint)


def _exit_code(facts: ReviewFacts, found: _Found, limitations: Sequence[str]) -> ExitCode:
    # What blocks does so under any setting for reviews that are inconclusive besides.
    if found.blocking:
        return ExitCode.CHANGES
    return ExitCode(facts.inconclusive_exit) if limitations else ExitCode.OK


def _why_unread(facts: ReviewFacts) -> str:
    """Why the model's answer says nothing; empty where it does, or where nobody was asked."""
    if facts.unreadable:
        return one_line(f"the model's answer could not be read: {facts.unreadable}", _LONGEST_LINE)
    return "" if facts.is_empty or facts.answer is not None else "the model gave no answer"


def _found(facts: ReviewFacts, answer: AcceptedAnswer | None) -> _Found:
    checked = ranked(found_by(facts.checks))
    findings = ranked([*(answer.findings if answer else ()), *checked[:MOST_CHECK_FINDINGS]])
    dropped = (answer.dropped if answer else 0) + len(checked[MOST_CHECK_FINDINGS:])
    return _Found(findings, tuple(each for each in findings if blocks(each, facts.fail_on)), dropped)


def _reached(
    outcome: ReviewOutcome,
    reason: str,
    facts: ReviewFacts,
    answer: AcceptedAnswer | None,
    found: _Found,
    limitations: tuple[str, ...],
) -> ReviewReached:
    return ReviewReached(
        outcome,
        reason,
        answer.verdict if answer else None,
        answer.summary if answer else "",
        found.findings,
        found.dropped,
        found.blocking,
        facts.fail_on,
        limitations,
        # Each kind of limitation leaves a part of the change unseen.
        quality_degraded=bool(limitations),
    )


def _told(blocking: Sequence[ReviewFinding]) -> str:
    """How many block, whose they are, and the weightiest of them, in one line."""
    origins = Counter(finding.origin for finding in blocking)
    whose = ", ".join(f"{count} of {_who(origin)}" for origin, count in origins.items())
    first = blocking[0]
    place = f"{first.path}:{first.start_line}: " if first.start_line else f"{first.path}: " if first.path else ""
    count = "1 finding blocks" if len(blocking) == 1 else f"{len(blocking)} findings block"
    return one_line(f"{count} ({whose}); the first: {place}{first.message}", _LONGEST_LINE)


def _who(origin: str) -> str:
    return "the model" if origin == MODEL else f"`{origin}`"
