"""What is said of a task that is split, and of each shard: a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orefactor.core import events

from .fact import Fact
from .wording import plain, seconds, shortened

_LONG = 160
_MOST = 20
"""Files that are named."""


def shard_line(event: events.ShardsPlanned | events.ShardEnded) -> str:
    """The line of an event."""
    if isinstance(event, events.ShardsPlanned):
        others = f"; {event.others} other file(s) are in none" if event.others else ""
        return f"split into {event.shards} shards, {event.jobs} at once{others}"
    paths = ", ".join(map(plain, event.paths))
    took = f"{event.rounds} round(s), {seconds(event.duration_ms)}"
    if event.status == "completed":
        return f"  ✓ {paths}: {'changed' if event.files_changed else 'no change needed'}, {took}"
    return f"  ✗ {paths}: left out, {shortened(event.message, _LONG)} ({took})"


def left_out_facts(names: Sequence[str]) -> Iterator[Fact]:
    """The files of shards that failed, where there are any."""
    if names:
        more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
        each = tuple(shortened(path, _LONG) for path in names)
        yield Fact("left out", ", ".join(each[:_MOST]) + more, each)
