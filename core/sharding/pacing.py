"""One rest for all shards when a server says that it is crowded, so that they don't hammer it one after the other.

A single session gives a crowded server up after a few attempts. With many sessions that says little: while one waits,
others are served. So a server that has lately replied to any of them is asked again, for as long as the run has time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from ..clock import Clock

ALIVE = 60.0
"""Seconds since the last reply within which a server counts as working."""
SPREAD = 0.25
"""Seconds over which sessions come back after a rest, so that they don't all come at once."""
_LONGEST_GUESS = 1.0
"""Seconds of a rest for all where the server didn't say how long it needs."""


@dataclass(slots=True)
class Pacing:
    """When which server may be asked again; any thread may use it."""

    clock: Clock
    _rests: dict[str, float] = field(default_factory=dict[str, float])
    _replies: dict[str, float] = field(default_factory=dict[str, float])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, server: str, wait: float, asked: float | None) -> None:
        """Let everybody rest.

        Args:
            wait: seconds that the session itself waits.
            asked: seconds that the server wishes; None where it said nothing.
        """
        seconds = min(wait, _LONGEST_GUESS) if asked is None else asked
        with self._lock:
            self._rests[server] = max(self._rests.get(server, 0.0), self.clock.monotonic() + seconds)

    def heard(self, server: str) -> None:
        """Note a reply."""
        with self._lock:
            self._replies[server] = self.clock.monotonic()

    def is_alive(self, server: str) -> bool:
        """Whether it has lately replied to somebody."""
        last = self._replies.get(server)
        return last is not None and self.clock.monotonic() - last < ALIVE

    def seconds_left(self, server: str) -> float:
        """How long nobody should ask it."""
        return max(0.0, self._rests.get(server, 0.0) - self.clock.monotonic())

    def rest(self, server: str, wait: Callable[[float], None], jitter: Callable[[], float]) -> None:
        """Wait until it may be asked.

        Args:
            wait: lets some seconds pass; raises where there is no use in waiting.
            jitter: gives a number from 0 to 1.
        """
        while (left := self.seconds_left(server)) > 0:
            wait(left + SPREAD * jitter())
