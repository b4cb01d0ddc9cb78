"""Lets only so many requests at once go to one server: what runs on one's own machine often serves one at a time.

A further one would not be faster there, and would use up its time in the queue. The count holds for the whole process,
whoever made the provider.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

_lock = threading.Lock()
_places: dict[tuple[str, int], threading.Semaphore] = {}


@contextmanager
def turn(base_url: str, concurrency: int | None, deadline: float | None) -> Generator[bool]:
    """Wait for a free place and hold it.

    Args:
        base_url: the server.
        concurrency: requests that it serves at the same time; None where it doesn't matter.
        deadline: until when to wait, on the monotonic clock.

    Yields:
        Whether there was a place in time.
    """
    if concurrency is None:
        yield True
        return
    with _lock:
        places = _places.setdefault((base_url.rstrip("/").lower(), concurrency), threading.Semaphore(concurrency))
    has_place = places.acquire(timeout=None if deadline is None else max(deadline - time.monotonic(), 0))
    try:
        yield has_place
    finally:
        if has_place:
            places.release()
