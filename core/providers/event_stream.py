"""Reads a stream of server-sent events: the data of each, in order.

The client's own reader hides whether the end mark came, and without that a stream that broke off looks like a
reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

END = b"[DONE]"
"""The data of the last event of a whole stream."""

_STARTS = (b"data:", b"event:", b":")


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


def looks_like_events(body: bytes) -> bool:
    """Whether a body is a stream of events, whatever its type says; some proxies name it plain text."""
    return body[:1000].lstrip().startswith(_STARTS)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    # Only line feeds and carriage returns end a line here; JSON may hold the other separators as they are. An open
    # line is kept in pieces, so that one without an end costs no more than its length.
    rest: list[bytes] = []
    for piece in pieces:
        first, *others = piece.split(b"\n")
        rest.append(first)
        for other in others:
            yield b"".join(rest).removesuffix(b"\r")
            rest = [other]
    if last := b"".join(rest):
        yield last
