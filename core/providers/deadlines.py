"""Ends a reply when its time is over: the transport's own limit begins anew with each piece that arrives.

A blocked read in one thread is not ended by closing the file in another, but by shutting the connection down.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

_GRACE = 0.05
"""Seconds past the deadline, so that whoever reads on sees that it is past."""


@contextmanager
def ended_at(deadline: float | None, response: Any) -> Generator[None]:  # noqa: ANN401 - httpx's or httpx2's
    """While the block lasts, shut the response's connection down at the deadline, on the monotonic clock."""
    stream = response.extensions.get("network_stream")
    connection = None if stream is None else stream.get_extra_info("socket")
    if deadline is None or connection is None:
        yield
        return
    timer = threading.Timer(max(deadline - time.monotonic(), 0) + _GRACE, _shut, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
