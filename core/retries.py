"""When a failed model call is asked again, and after how long: exponential with jitter, as the server wishes.

The jitter is the "equal" one of Brooker, Exponential Backoff And Jitter (AWS Architecture Blog, 2015): half of the wait
is fixed, so that a crowded server gets a rest in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .errors import ProviderFailed


@dataclass(frozen=True, slots=True)
class Backoff:
    """How patiently a kind of failure is met.

    Attributes:
        attempts: how often the call is made at most.
        first: seconds before the second attempt; they double from then on.
        longest: seconds of a wait at most, where the server asks for none.
    """

    attempts: int
    first: float
    longest: float


_CROWDED = Backoff(attempts=6, first=1.0, longest=60.0)
_BROKEN = Backoff(attempts=4, first=0.5, longest=8.0)


def backoff(error: ProviderFailed) -> Backoff:
    """A crowded server frees itself in time; a broken one is given a few chances."""
    return _CROWDED if error.kind == "rate_limited" else _BROKEN


def pause(error: ProviderFailed, attempt: int, jitter: Callable[[], float]) -> float | None:
    """Seconds to wait before the next attempt; None where asking again wouldn't help.

    Args:
        attempt: which one has failed, from 1.
        jitter: gives a number from 0 to 1.
    """
    manner = backoff(error)
    if not error.retry or attempt >= manner.attempts:
        return None
    wait = min(manner.first * 2.0 ** (attempt - 1), manner.longest)
    # Never sooner than the server wishes; a little later, so that many clients don't come back at once.
    asked = 0.0 if error.retry_after is None else error.retry_after + manner.first * jitter() / 10
    return max(wait * (1 + jitter()) / 2, asked)
