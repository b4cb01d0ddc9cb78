"""Text in columns of a terminal: wide characters, characters without a width, long words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.outputs.graph_text import width
from orefactor.core.outputs.text_columns import fitting, wrapped


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("", 10, [""]),
        ("a b", 10, ["a b"]),
        ("one two three", 7, ["one two", "three"]),
        ("a  b", 10, ["a b"]),
        ("abcdefgh ij", 4, ["abcd", "efgh", "ij"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("a\x1bb", 10, [r"a\x1bb"]),
        ("漢字", 1, ["漢", "字"]),
    ],
)
def test_wrapped(text: str, columns: int, lines: list[str]) -> None:
    assert wrapped(text, columns) == lines


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字漢", 5, "漢字…"), ("漢字", 3, "漢…"), ("a\nb", 9, r"a\nb")],
)
def test_fitting(text: str, columns: int, shown: str) -> None:
    assert fitting(text, columns) == shown


@given(st.text(max_size=200), st.integers(2, 30))
def test_lines_are_never_wider(text: str, columns: int) -> None:
    assert all(width(line) <= columns for line in wrapped(text, columns))
    assert width(fitting(text, columns)) <= columns or columns < 3
