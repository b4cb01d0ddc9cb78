"""The parts of a run whose task was split: those that failed first, with why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..pages import Line, Span
from ..wording import plain, seconds
from .layout import field, title

if TYPE_CHECKING:
    from orefactor.core.trace_model import ShardPart, Trace

_MOST = 200
"""Shards that are listed; the trace has all."""


def shard_lines(trace: Trace, width: int) -> Iterator[Line]:
    """Each shard with its outcome and its run's id."""
    failed = [shard for shard in trace.shards if shard.status != "completed"]
    passed = [shard for shard in trace.shards if shard.status == "completed"]
    yield from title(f"Shards: {len(passed)} passed, {len(failed)} left out")
    for shard in failed[:_MOST]:
        yield (Span(f"  ✗ {_name(shard)}", "head"),)
        yield from field("", f"{shard.reason}: {shard.message}", width)
    for shard in passed[: _MOST - len(failed[:_MOST])]:
        did = "changed" if shard.files_changed else "no change needed"
        yield (Span(f"  ✓ {_name(shard)}"), Span(f"  {did}", "faint"))
    if len(trace.shards) > _MOST:
        yield (Span(f"  … and {len(trace.shards) - _MOST} more", "faint"),)


def _name(shard: ShardPart) -> str:
    run = f", {shard.run_id}" if shard.run_id else ""
    return plain(f"{', '.join(shard.paths)}  {shard.rounds} round(s), {seconds(shard.duration_ms)}{run}")
