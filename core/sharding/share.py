"""What the shards of a run have together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from ..checks.host import CheckHost
from ..clock import Clock
from ..context.served import ContextServers
from ..limits import Ledger, Limits
from ..trace import RunFolder
from .pacing import Pacing
from .shard_ledger import ShardLedger


@dataclass(frozen=True, slots=True)
class Share:
    """What the shards of one run have together.

    Attributes:
        folder: the whole's, which holds theirs.
        ledger: what all may use.
        host: the checks at the whole's tree; theirs are like it.
        base_host: those at the base, made when first asked for.
        contexts: build what each is shown first.
    """

    folder: RunFolder
    ledger: Ledger
    pacing: Pacing
    host: CheckHost
    base_host: Callable[[], CheckHost]
    contexts: ContextServers
    given_back: threading.Condition = field(default_factory=threading.Condition)

    def new_ledger(self, limits: Limits, clock: Clock, cancelled: Callable[[], bool]) -> Ledger:
        """The ledger of one session, which draws on all shards' own."""
        return ShardLedger(limits, clock, self.ledger, self.given_back, cancelled)
