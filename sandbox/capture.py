"""What is kept of a stream that may be endless: its beginning, its end, and a count of what lies between."""

from __future__ import annotations


class Capture:
    """Keeps the first and the last half of a limit.

    Attributes:
        total: bytes that were added.
    """

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the stream's next bytes."""
        self.total += len(piece)
        room = self._half - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:]
        if len(self._tail) > 4 * self._half:  # not at each piece: moving the end is what costs
            del self._tail[: -self._half]

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return self.total > 2 * self._half

    def value(self) -> bytes:
        """What was kept, with a line of its own in place of what was left out."""
        if not self.truncated:
            return bytes(self._head + self._tail)
        left_out = self.total - 2 * self._half
        return bytes(self._head) + b"\n[... %d bytes left out ...]\n" % left_out + bytes(self._tail[-self._half :])
