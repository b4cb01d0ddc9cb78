"""The part of `trace.json` that only runs have whose task was split."""

from __future__ import annotations

from .trace_rounds import Count, Part, UsagePart


class ShardPart(Part):
    """A part of the task, which was a run of its own; its folder is kept below the whole's."""

    number: Count
    """From 1, in the order of merging."""
    paths: tuple[str, ...]
    run_id: str
    """Empty where it could not begin."""
    status: str
    reason: str
    exit_code: Count
    message: str
    files_changed: tuple[str, ...] = ()
    tree: str | None = None
    rounds: Count = 0
    usage: UsagePart = UsagePart()
    cost_usd: float | None = None
    duration_ms: Count = 0
