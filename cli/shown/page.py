"""The pages of `show`: a run as a whole, or the parts that were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..pages import Line, Span
from .checks import check_lines
from .outcome import context_lines, file_lines, outcome_lines
from .review import review_part
from .rounds import call_lines, round_lines, rounds_lines
from .shards import shard_lines

if TYPE_CHECKING:
    from orefactor.core.reporting import ReportedRun


def whole_page(run: ReportedRun, width: int) -> Iterator[Line]:
    """Everything that fits a page; `width` in columns."""
    yield from outcome_lines(run, width)
    yield from context_lines(run.trace, width)
    yield from file_lines(run, width) if run.trace.review is None else review_part(run, width)
    yield from check_lines(run.trace, width, wholly=False)
    if run.trace.shards:
        yield from shard_lines(run.trace, width)
        return
    yield from rounds_lines(run.trace, width)


def part_page(run: ReportedRun, width: int, *, number: int | None, calls: bool, checks: bool) -> Iterator[Line]:
    """The parts that were asked for, under the run's id.

    Args:
        number: a round that the trace tells of, to be shown wholly.
    """
    yield (Span("run       ", "faint"), Span(run.trace.run_id))
    if number is not None:
        yield from round_lines(run, number, width)
    if calls:
        yield from call_lines(run, width)
    if checks:
        yield from check_lines(run.trace, width, wholly=True)
