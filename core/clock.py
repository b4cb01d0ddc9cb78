"""Time comes from one injected clock, so that durations and dates in traces can be tested."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The date and time, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let that time pass."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The date and time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some start."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; a signal ends it."""
        time.sleep(seconds)
