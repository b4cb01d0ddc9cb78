"""JSON that may be shown as it is: what drives a terminal or can't be seen is escaped."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.json_text import json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"é": "漢"}, '{"é": "漢"}'),
        ("a\x1b\x7f\x9b", '"a\\u001b\\u007f\\u009b"'),
        ("\u202e\u200b\ufeff", '"\\u202e\\u200b\\ufeff"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("\ud83d", '"\\ud83d"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        (b"x", "\"b'x'\""),
    ],
)
def test_what_is_escaped(value: Any, text: str) -> None:
    assert json_text(value) == text


def test_indented() -> None:
    assert json_text({"a": 1}, indent=1) == '{\n "a": 1\n}'


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_it_reads_as_the_same_value(value: Any) -> None:
    assert json.loads(json_text(value)) == value
