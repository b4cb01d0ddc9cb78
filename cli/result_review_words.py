"""Words for the reviews of the main job's result: as they happen, and of a run that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orefactor.core import events

from .wording import plain, shortened

if TYPE_CHECKING:
    from orefactor.core.trace_model import Trace

_LONGEST = 240


def result_review_line(event: events.ResultReviewBegun | events.ResultReviewed) -> str:
    """The event as one line."""
    if isinstance(event, events.ResultReviewBegun):
        return f"reviewing the result{f' with {plain(event.model)}' if event.model else ''}"
    from orefactor.core.outputs.published_review import result_words
    from orefactor.core.trace_building import result_review

    mark = "✗" if has_objected(event) else "✓"
    return f"  {mark} review: {shortened(result_words(result_review(event)), _LONGEST)}"


def has_objected(event: events.ResultReviewed) -> bool:
    """Whether the result may not pass as it is."""
    return event.outcome != "reviewed" or bool(event.blocking)


def objection_lines(event: events.ResultReviewed) -> list[str]:
    """What blocks, a line each."""
    return [
        f"{finding.path}{f':{finding.start_line}' if finding.start_line else ''}: {finding.message}".lstrip(": ")
        for finding in event.blocking
    ]


def last_review_words(trace: Trace) -> str:
    """What the last review came to, and how many there were; empty where there was none."""
    from orefactor.core.outputs.published_review import result_reviews, result_words

    *earlier, last = result_reviews(trace) or (None,)
    more = f", after {len(earlier)} that went back" if earlier else ""
    return shortened(result_words(last), _LONGEST) + more if last else ""
