"""What is kept of a stream."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.sandbox.capture import Capture


@pytest.mark.parametrize(
    ("limit", "pieces", "expected", "truncated"),
    [
        (4, [], b"", False),
        (4, [b"ab", b"cd"], b"abcd", False),
        (4, [b"abcde"], b"ab\n[... 1 bytes left out ...]\nde", True),
        (4, [b"a"] * 50 + [b"yz"], b"aa\n[... 48 bytes left out ...]\nyz", True),
        (0, [b"abc"], b"a\n[... 1 bytes left out ...]\nc", True),
    ],
)
def test_both_ends_are_kept(limit: int, pieces: list[bytes], expected: bytes, truncated: bool) -> None:
    capture = Capture(limit)
    for piece in pieces:
        capture.add(piece)
    assert (capture.value(), capture.truncated) == (expected, truncated)


@given(st.lists(st.binary(max_size=30)), st.integers(2, 40).map(lambda half: 2 * half))
def test_how_it_is_cut_into_pieces_does_not_matter(pieces: list[bytes], limit: int) -> None:
    capture, at_once = Capture(limit), Capture(limit)
    for piece in pieces:
        capture.add(piece)
    at_once.add(b"".join(pieces))
    assert capture.value() == at_once.value()
    assert capture.total == sum(map(len, pieces))
