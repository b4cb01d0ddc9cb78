"""What a review found, as it was printed, and what the model made of the tools that it was offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..pages import Line
from ..review_view import review_spans
from .layout import field, title

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun


def review_part(run: ReportedRun, width: int) -> Iterator[Line]:
    """The tools and the findings of a run that is a review."""
    from orefactor.core.outputs.published_review import tools_told

    for name, text in tools_told(run.trace):
        yield from field(name, text, width)
    yield from title("Review")
    yield from review_spans(run.trace, run.source, width)
