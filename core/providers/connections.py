"""The connections of one client, so that requests which other threads wait for can be broken off.

A blocked read in one thread is not ended by closing the client in another, but by shutting the connection down.
"""

from __future__ import annotations

import socket
import threading
import weakref
from contextlib import suppress
from typing import Any

_OPENED = ("connect_tcp.complete", "start_tls.complete")
"""The ends of what the transport's tracing calls the steps that give a stream."""


class Connections:
    """The sockets that a client has opened and that are still in use."""

    def __init__(self) -> None:
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()

    def watch(self, request: Any) -> None:  # noqa: ANN401 - httpx's or httpx2's
        """A hook of the transport for requests."""
        request.extensions = {**request.extensions, "trace": self._trace}

    def _trace(self, step: str, facts: Any) -> None:  # noqa: ANN401 - depends on the step
        if not step.endswith(_OPENED):
            return
        opened = facts["return_value"].get_extra_info("socket")
        if isinstance(opened, socket.socket):
            with self._lock:
                self._sockets.add(opened)

    def shut(self) -> None:
        """Break off whatever is waited for."""
        with self._lock:
            opened = list(self._sockets)
        for connection in opened:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
