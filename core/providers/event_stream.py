"""Reads a stream of server-sent events: the data of each, in order.

The client's own reader hides whether the end mark came, and without that a stream that broke off looks like a
reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

END = b"[DONE]"
"""The data of the last event of a whole stream."""


def event_data(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each event; comments and other fields are left out.

    Args:
        pieces: the body as it arrives, cut anywhere.
    """
    data: list[bytes] = []
    for line in _lines(pieces):
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data:
        yield b"\n".join(data)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    # Only line feeds and carriage returns end a line here; JSON may hold the other separators as they are.
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in whole)
    if rest:
        yield rest
