"""The one JSON object in a model's reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.review.answer_object import LONGEST, Unreadable, only_object

ONE = '{"verdict": "approve"}'
READ = {"verdict": "approve"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ONE, READ, id="alone"),
        pytest.param(f"\ufeff\n  {ONE}\n", READ, id="white-space-and-a-mark"),
        pytest.param(f"```json\n{ONE}\n```", READ, id="fenced"),
        pytest.param(f"~~~\n{ONE}\n~~~\n", READ, id="another-fence"),
        pytest.param(f"I looked.\n\n```json\n{ONE}\n```\nThat is all.", READ, id="words-around-a-fence"),
        pytest.param(f"Here it is: {ONE} Done {{x}}.", READ, id="words-around"),
        pytest.param(f"`{{name}}`, `f'{{x}}'` and `[0]`: {ONE}", READ, id="braces-that-are-code"),
        pytest.param('{"a": "```json\\n{\\"b\\": 1}\\n```"}', {"a": '```json\n{"b": 1}\n```'}, id="quoted-inside"),
        pytest.param("{\r\n\t}", {}, id="empty-object"),
        pytest.param('{"a": "\\ud800"}', {"a": "\ud800"}, id="half-of-a-pair"),
        pytest.param(f'{{"a": {"9" * 100_000}, "b": -{"9" * 30}}}', {"a": 10**20 - 1, "b": 1 - 10**19},
                     id="numbers-without-end"),
        pytest.param('{"a": 1e999}', {"a": float("inf")}, id="a-number-past-all-floats"),
    ],
)  # fmt: skip
def test_one_object(text: str, expected: dict[str, Any]) -> None:
    assert only_object(text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "it is empty", id="nothing"),
        pytest.param(" \n", "it is empty", id="white-space"),
        pytest.param("Looks good to me.", "there is no JSON object in it", id="words"),
        pytest.param("f{x}", "there is no JSON object in it", id="a-brace-in-words"),
        pytest.param('"{\\"verdict\\": \\"approve\\"}"', "there is no JSON object in it", id="quoted"),
        pytest.param("null", "there is no JSON object in it", id="null"),
        pytest.param(f"[{ONE}]", "it is a list and not one JSON object", id="a-list-of-one"),
        pytest.param(f"[{ONE}, {ONE}]", "it is a list and not one JSON object", id="a-list"),
        pytest.param(f"{ONE}\n{ONE}", "there is more than one JSON object in it", id="the-same-twice"),
        pytest.param(f"First {ONE}, then\n```json\n{ONE}\n```", "there is more than one JSON object in it",
                     id="a-draft-and-an-answer"),
        pytest.param(f"{ONE} for {{}}", "there is more than one JSON object in it", id="an-empty-one-besides"),
        pytest.param(f'{ONE} and {{"verd', "there is more than one JSON object in it", id="and-a-part-of-another"),
        pytest.param('{"findings": [{"verdict": "approve"}], "verd', "its JSON object is cut or broken: "
                     "Unterminated string starting at (line 1, column 40)", id="cut-after-a-whole-one-inside"),
        pytest.param(f'{{"draft": {ONE}, }} ', "its JSON object is cut or broken: "
                     "Expecting property name enclosed in double quotes (line 1, column 35)", id="broken"),
        pytest.param('{"a": "x\ny"}', "its JSON object is cut or broken: "
                     "Invalid control character at (line 1, column 9)", id="a-line-break-in-a-text"),
        pytest.param('{"a": 1, "a": 1}', "an object in it names a key twice", id="a-key-twice"),
        pytest.param('{"a": [{"b": 1, "b": 2}]}', "an object in it names a key twice", id="a-key-twice-inside"),
        pytest.param('{"a": NaN}', "it holds NaN, which is no JSON", id="not-a-number"),
        pytest.param('{"a": -Infinity}', "it holds -Infinity, which is no JSON", id="infinity"),
        pytest.param('{"a": ' + "[" * 200_000, "its JSON object is nested too deeply", id="deep-lists"),
        pytest.param('{"a":' * 90_000, "its JSON object is nested too deeply", id="deep-objects"),
        pytest.param(ONE + " " * 10_000_000, "it has 10,000,022 characters, more than 500,000", id="ten-megabytes"),
    ],
)  # fmt: skip
def test_what_is_no_single_object(text: str, why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        only_object(text)
    assert str(raised.value) == why


@pytest.mark.parametrize(
    "piece",
    ["{ ", '{"', "[ {", '[{"', "{\n" + " " * 100, "\\{", "```json\n", '{"a":1}', "[[{}],", '{"a":{"b":'],
)
def test_long_replies_take_linear_time(piece: str) -> None:
    # Quadratic time would be minutes here.
    text = piece * (LONGEST // len(piece))
    with pytest.raises(Unreadable):
        only_object(text)


@given(st.dictionaries(st.text(max_size=9), st.lists(st.text(max_size=9) | st.none(), max_size=3), max_size=3))
def test_any_object_is_found_among_words(value: dict[str, Any]) -> None:
    assert only_object(f"So: {json.dumps(value)}\nDone.") == value


@given(st.text('{}[]":,\\ \na1'))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = only_object(text)
    except Unreadable as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(found, dict)
