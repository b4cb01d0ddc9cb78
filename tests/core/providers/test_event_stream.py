"""Server-sent events, cut anywhere."""

from __future__ import annotations

import pytest

from orefactor.core.providers.event_stream import event_data, looks_like_events


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"", []),
        (b"data: a\n\n", [b"a"]),
        (b"data:a\n\ndata: b\n\n", [b"a", b"b"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b": waiting\n\n\n\nevent: x\nid: 1\ndata: a\n\n", [b"a"]),
        (b"data: a\n\ndata: b", [b"a", b"b"]),
        (b"data: a\n", [b"a"]),
        ("data: a\u2028b\x0cc\n\n".encode(), ["a\u2028b\x0cc".encode()]),
        (b"data:\n\n", [b""]),
    ],
)
@pytest.mark.parametrize("width", [1, 2, 3, 1000])
def test_events(body: bytes, events: list[bytes], width: int) -> None:
    pieces = [body[start : start + width] for start in range(0, len(body), width)]
    assert list(event_data(pieces)) == events


def test_a_line_without_an_end_costs_no_more_than_its_length() -> None:
    pieces = [b"data: "] + [b"x" * 1000] * 20_000
    assert list(event_data(pieces)) == [b"x" * 20_000_000]


@pytest.mark.parametrize(
    ("body", "expected"),
    [(b"\n\ndata: a", True), (b": hi", True), (b"event: x\ndata: a", True), (b'{"data": 1}', False), (b"", False)],
)
def test_what_looks_like_events(body: bytes, expected: bool) -> None:
    assert looks_like_events(body) is expected
