"""What happens in a run whose task is split. Part of the one stream of `events`; each shard has a stream of its own."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Status
from .messages import Usage


@dataclass(frozen=True, slots=True)
class ShardsPlanned:
    """The task is split: `shards` files, so many `jobs` at once; `others` of the scope's files are in no shard."""

    shards: int
    jobs: int
    others: int


@dataclass(frozen=True, slots=True)
class ShardEnded:
    """A shard, which is a run of its own, came to its end.

    Attributes:
        number: from 1, in the order of merging.
        paths: that it might change.
        run_id: empty where it could not begin.
        tree: of its result; None where it came to none.
        rounds: model calls.
        cost_usd: None where a price isn't known.
    """

    number: int
    paths: tuple[str, ...]
    run_id: str
    status: Status
    reason: str
    exit_code: int
    message: str
    files_changed: tuple[str, ...]
    tree: str | None
    rounds: int
    usage: Usage
    cost_usd: float | None
    duration_ms: int
