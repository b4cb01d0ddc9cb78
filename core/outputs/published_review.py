"""A review as its outputs tell it: what of it may be published, in which order, and the words that all of them use.

Where a limit of the deliberation was reached, nothing that the model wrote is told: neither its summary and verdict nor
its findings nor the words of its rounds. That rule lives here alone. A pure reading of the trace, which may be a
stranger's, so that an output doesn't rely on the gate having left such text out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from ..review.finding import MODEL
from ..trace_model import ResultReviewPart, ReviewPart, RoundPart, Trace
from ..trace_review import ReviewFindingPart

R = TypeVar("R", bound=ReviewPart)

LIMIT = "deliberation_limit"
WITHHELD = "what the model said is left out, since a limit of the review was reached"
OUTCOMES = {"reviewed": "reviewed", "not_reviewed": "not reviewed", "inconclusive": "inconclusive"}
VERDICTS = {"approve": "approved", "comment": "commented", "request_changes": "changes requested"}
_MOST_NAMES = 50
_UNREACHED = "interrupted"
"""The reason of a review whose gate never decided."""


def published(trace: Trace) -> ReviewPart | None:
    """The review without what may not be told; None where the run is none."""
    if trace.review is None:
        return None
    return without_withheld(_with_reason(trace, trace.review))


def result_reviews(trace: Trace) -> tuple[ResultReviewPart, ...]:
    """The reviews of the main job's result without what may not be told, in order; the last one is about what came."""
    return tuple(map(without_withheld, trace.reviews))


def without_withheld(review: R) -> R:
    """The same without what the model wrote, where a limit of the deliberation was reached."""
    if not limit_of(review):
        return review
    findings, blocking = (
        tuple(finding for finding in found if finding.origin != MODEL)
        for found in (review.findings, review.blocking_findings)
    )
    kept = {"verdict": None, "summary": "", "findings": findings, "blocking_findings": blocking}
    return review.model_copy(update=kept)


def is_withheld(trace: Trace) -> bool:
    """Whether what the model said may not be told."""
    return trace.review is not None and bool(limit_of(_with_reason(trace, trace.review)))


def _with_reason(trace: Trace, review: ReviewPart) -> ReviewPart:
    """The review with the run's reason where its own gate never came to one."""
    is_open = review.reason == _UNREACHED and trace.reason
    return review.model_copy(update={"reason": trace.reason}) if is_open else review


def limit_of(review: ReviewPart) -> str:
    """The limit of the deliberation that was reached; empty where none was."""
    kind, _, limit = review.reason.partition(":")
    return review.limit or (limit or kind if kind == LIMIT else "")


def blocking_places(review: ReviewPart) -> frozenset[int]:
    """The places in `findings` of those that block."""
    left = Counter(review.blocking_findings)
    places: set[int] = set()
    for place, finding in enumerate(review.findings):
        if left[finding] > 0:
            left[finding] -= 1
            places.add(place)
    return frozenset(places)


def counted(number: int, noun: str) -> str:
    """A number with its noun, such as `2 errors`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def counts_words(review: ReviewPart) -> str:
    """How many of which weight, such as `2 errors, 1 warning, 1 dropped`."""
    numbers = Counter(finding.severity for finding in review.findings)
    told = [counted(numbers[kind], kind) for kind in ("error", "warning", "note") if numbers[kind]]
    told += [f"{review.dropped:,} dropped"] if review.dropped else []
    return ", ".join(told if review.findings else ["no findings", *told])


def verdict_words(review: ReviewPart) -> str:
    """The model's verdict in words."""
    return VERDICTS[review.verdict] if review.verdict else "no verdict"


def result_words(review: ResultReviewPart) -> str:
    """What a review of a result came to, in a line."""
    if review.outcome != "reviewed":
        return f"{OUTCOMES[review.outcome]}: {review.message or review.reason}"
    blocking = len(review.blocking_findings)
    return f"{verdict_words(review)}, {counts_words(review)}" + (f", {blocking} blocking" if blocking else "")


def change_words(review: ReviewPart) -> str:
    """What was reviewed, with its size."""
    size = f"{counted(len(review.paths), 'file')}, {counted(review.changed_lines, 'changed line')}"
    return f"{review.source or 'a change'}, {size}"


def place_words(finding: ReviewFindingPart) -> str:
    """Where it is: `path:line`, `path:start-end`, or less where less is known."""
    if not finding.path or not finding.start_line:
        return finding.path
    several = f"-{finding.end_line}" if finding.end_line > finding.start_line else ""
    return f"{finding.path}:{finding.start_line}{several}"


def decided_words(trace: Trace, review: ReviewPart) -> str:
    """What decided, in words without the exit code.

    Args:
        review: as `published` gives it.
    """
    if limit := limit_of(review):
        return f"the limit {limit} of the deliberation was reached, so that nothing of the model's counts"
    kind, _, name = review.reason.partition(":")
    match kind:
        case "blocking":
            return _blocking_words(review.blocking_findings, review.fail_on)
        case "reviewed":
            return f"nothing blocks with fail-on {review.fail_on}"
        case "check" if not trace.message:
            return f"the check `{name}`"
        case _:
            return trace.message or review.reason


def decided_line(trace: Trace, review: ReviewPart) -> str:
    """What decided, with the reason for programs where it says more, and the exit code."""
    reason = f" ({review.reason})" if review.reason != review.outcome else ""
    return f"{decided_words(trace, review)}{reason}, exit {trace.exit_code}"


def _blocking_words(blocking: Sequence[ReviewFindingPart], fail_on: str) -> str:
    """How many block, by who found them."""
    origins = Counter("the model" if finding.origin == MODEL else f"`{finding.origin}`" for finding in blocking)
    named = ", ".join(f"{number} of {origin}" for origin, number in origins.most_common(5))
    whole = counted(len(blocking), "blocking finding")
    if len(origins) > 1:
        return f"{whole} with fail-on {fail_on}: {named}"
    return f"{whole}{''.join(f' of {origin}' for origin in origins)} with fail-on {fail_on}"


def is_answer(entry: RoundPart) -> bool:
    """Whether a round's words are an answer in its form."""
    return entry.text.lstrip().startswith("{") and not entry.calls


def round_words(entry: RoundPart, trace: Trace) -> str:
    """A round's words: of an answer in its form what it comes to, as the form is for programs."""
    if is_withheld(trace):
        return ""
    if not is_answer(entry):
        return entry.text
    title, body = trace.summary.title, trace.summary.body
    if trace.review is not None:
        title, body = verdict_words(trace.review), trace.review.summary
    return f"{title}\n\n{body}".strip() if title else entry.text


def tools_told(trace: Trace) -> list[tuple[str, str]]:
    """Which tools were offered, and what the model made of that, as names with words."""
    if not trace.offered:
        return [("tools", "none were offered")]
    told = [("offered", _names(trace.offered)), ("requested", _names(trace.requested))]
    undecided = f"{trace.undecided}, so that nothing counts as declined" if trace.undecided else ""
    return [*told, ("undecided", undecided) if undecided else ("declined", _names(trace.not_requested))]


def _names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + rest if names else "none"
