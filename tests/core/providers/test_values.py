"""Single values of any depth and form; those that servers really send are in `test_shapes`."""

from __future__ import annotations

import math
from typing import Any

import pytest

from orefactor.core.providers.values import arguments_text, can_be_sent, error_text, one_line


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def test_arguments_that_are_too_deep_to_be_written_are_no_json() -> None:
    assert arguments_text({"a": nested(100_000)}) == "…"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1, "é"]}, {"a": [1, "é"]}),
        ({"a": math.nan, "b": -math.inf}, {"a": None, "b": None}),
        ("a\ud83d", "a?"),
        (nested(100_000), None),
    ],
    ids=["plain", "no-numbers", "half-a-pair", "too-deep"],
)
def test_what_can_be_sent_back(value: Any, expected: Any) -> None:
    assert can_be_sent(value) == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "m"}}, "m"),
        ({"error": "m"}, "m"),
        ({"message": "m"}, "m"),
        ({"detail": [{"loc": ["body"], "msg": "m"}]}, '[{"loc": ["body"], "msg": "m"}]'),
        ({"error": {"error": "m"}}, "m"),
        ({"error": {"msg": "m"}}, "m"),
        ({"error": {"message": "m", "metadata": {"raw": "r"}}}, "m: r"),
        ({"error": {"message": "m", "metadata": {"raw": 7}}}, "m"),
        ({"error": 7}, ""),
        ({}, ""),
    ],
)
def test_what_an_error_says(body: dict[str, Any], said: str) -> None:
    assert error_text(body) == said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n b\tc", "a b c"), ("\x1b[2Ja\x9bb\u202ec", "[2Ja b c"), ("a\ud83d", "a\\ud83d"),
        ("x" * 9_000_000, "x" * 299 + "…"),
    ],
    ids=["white-space", "controls", "half-a-pair", "long"],
)  # fmt: skip
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line
