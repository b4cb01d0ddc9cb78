"""JSON that may be shown as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orefactor.core.json_text import json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, None, True]}, '{"a": [1, null, true]}'),
        ("häuser 日本 🙂", '"häuser 日本 🙂"'),
        ("\x1b[31m\n\t", r'"\u001b[31m\n\t"'),
        ("\x7f\x9b", r'"\u007f\u009b"'),
        ("\u202e\u2066\u200b\ufeff\u2028\u00ad", r'"\u202e\u2066\u200b\ufeff\u2028\u00ad"'),
        ("\ud800x", r'"\ud800x"'),
        ("\U000e0041", r'"\udb40\udc41"'),
        ({"\x9b": "k"}, r'{"\u009b": "k"}'),
        (Path("/x"), '"/x"'),
    ],
)
def test_what_drives_a_terminal_is_escaped(value: Any, text: str) -> None:
    assert json_text(value) == text
    if not isinstance(value, Path):
        assert json.loads(text) == value


def test_indented() -> None:
    assert json_text({"a": 1}, indent=1) == '{\n "a": 1\n}'
