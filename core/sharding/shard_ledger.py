"""The ledger of one shard: its rounds are its own, tokens, money and time are all shards' together.

Each call is reserved at the whole's ledger, so that shards side by side can't pass a limit together. A shard that finds
everything reserved waits for the others' calls: most use a part of their worst case, and give the rest back. What a
review of a shard's result uses was drawn by the review's own ledger, so that `add` counts it here alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from ..clock import Clock
from ..errors import Cancelled, LimitReached
from ..limits import Ledger, Limits, Reservation
from ..messages import Usage
from ..providers.prices import Price

_TURN = 0.2
"""Seconds after which a shard that waits looks whether it has been cancelled."""


class ShardLedger(Ledger):
    """Counts what one shard has used, and draws on what all have."""

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        whole: Ledger,
        given_back: threading.Condition,
        cancelled: Callable[[], bool],
    ) -> None:
        """Begin.

        Args:
            whole: the ledger of all shards.
            given_back: of all shards; told when a reservation ends.
        """
        super().__init__(limits, clock)
        self._whole = whole
        self._given_back = given_back
        self._cancelled = cancelled

    @property
    def seconds_left(self) -> float:
        """Wall time that is left here and to all."""
        return min(super().seconds_left, self._whole.seconds_left)

    @property
    def tokens_left(self) -> int:
        """Tokens that are left here and to all, and not reserved."""
        return min(super().tokens_left, self._whole.tokens_left)

    @property
    def cost_left(self) -> float | None:
        """USD that are left here and to all, and not reserved; None where there is no ceiling."""
        left = [cost for cost in (super().cost_left, self._whole.cost_left) if cost is not None]
        return min(left, default=None)

    def reserve(self, prompt_tokens: int, price: Price | None = None) -> Reservation:
        """Reserve a call's worst case at the whole's ledger; wait where others may give something back.

        Raises:
            LimitReached: nothing is left here; or to all, and nobody has reserved anything.
            Cancelled: while it waited.
        """
        # One call at a time: its own limits need no reservation that lasts.
        own = super().reserve(prompt_tokens, price)
        super().release(own)
        while True:
            with self._given_back:
                got = self._try(prompt_tokens, price, own.max_tokens)
                if got is not None:
                    return replace(got, max_tokens=min(got.max_tokens, own.max_tokens))
                self._given_back.wait(_TURN)
            if self._cancelled():
                raise Cancelled

    def _try(self, prompt_tokens: int, price: Price | None, wanted: int) -> Reservation | None:
        """A reservation; None where there may be a better one later."""
        is_alone = not self._whole.has_reservations
        try:
            got = self._whole.reserve(prompt_tokens, price)
        except LimitReached:
            if is_alone or self.seconds_left <= 0:
                raise
            return None
        if is_alone or got.max_tokens >= wanted:
            return got
        self._whole.release(got)
        return None

    def release(self, reservation: Reservation) -> None:
        """Give a reservation back."""
        with self._given_back:
            self._whole.release(reservation)
            self._given_back.notify_all()

    def commit(self, reservation: Reservation, usage: Usage, cost: float | None) -> None:
        """Count what a call has used, here and at the whole's ledger.

        Raises:
            LimitReached: all together have used more than allowed.
        """
        try:
            super().add(usage, cost)
        finally:
            with self._given_back:
                self._given_back.notify_all()
                self._whole.commit(reservation, usage, cost)
