"""Differences of lists of lines: right, ordered, and never slow."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.code.line_diff import hunks

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(LINES, LINES)
def test_what_lies_between_is_equal(old: list[str], new: list[str]) -> None:
    i = j = 0
    for hunk in hunks(old, new):
        assert hunk.size > 0
        assert old[i : hunk.old.start] == new[j : hunk.new.start]
        i, j = hunk.old.stop, hunk.new.stop
    assert old[i:] == new[j:]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param("abc", "abc", [], id="equal"),
        pytest.param("", "ab", [(0, 0, 0, 2)], id="all-new"),
        pytest.param("abc", "aXc", [(1, 2, 1, 2)], id="replaced"),
        pytest.param("abcde", "abXcdYe", [(2, 2, 2, 3), (4, 4, 5, 6)], id="two-insertions"),
        pytest.param("axbxcx", "xbxcxd", [(0, 1, 0, 0), (6, 6, 5, 6)], id="repeated-lines"),
    ],
)
def test_hunks(old: str, new: str, found: list[tuple[int, int, int, int]]) -> None:
    assert [(h.old.start, h.old.stop, h.new.start, h.new.stop) for h in hunks(old, new)] == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(["a"] * 50_000, ["a", "b"] * 25_000, id="repeated"),
        pytest.param([str(n) for n in range(50_000)], [str(n) for n in reversed(range(50_000))], id="reversed"),
        pytest.param([str(n % 7) for n in range(50_000)], [str(n % 5) for n in range(50_000)], id="periods"),
    ],
)
def test_large_lists_stay_quick(old: list[str], new: list[str]) -> None:
    start = time.process_time()
    assert hunks(old, new)
    assert time.process_time() - start < 5
