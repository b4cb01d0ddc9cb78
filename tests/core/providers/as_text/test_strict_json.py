"""JSON in the middle of a text: what is read, what is refused, and where."""

from __future__ import annotations

import pytest

from orefactor.core.providers.as_text.strict_json import NotJson, decode, decode_all


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [
        (' {"a": [1, -2.5, true, null]} rest', {"a": [1, -2.5, True, None]}, 29),
        ('"a\nb"', "a\nb", 5),
        ("[" * 60 + "]" * 60 + "]", None, 120),
    ],
    ids=["text behind it", "a line end in a string", "nested"],
)
def test_read(text: str, value: object, end: int) -> None:
    read, at = decode(text)
    assert at == end
    assert value is None or read == value


@pytest.mark.parametrize(
    ("text", "at"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param(" {", 2, id="cut"),
        pytest.param('{"a" 1}', 5, id="no colon"),
        pytest.param("[NaN, 1]", 8, id="what only Python reads"),
        pytest.param("[1e999]", 7, id="infinity"),
        pytest.param("9" * 5000, 5000, id="a number that Python doesn't write"),
        pytest.param("[" * 70 + "]" * 70, 140, id="nested too deeply"),
        pytest.param("[" * 200_000, 200_000, id="nested too deeply for Python"),
    ],
)
def test_refused(text: str, at: int) -> None:
    with pytest.raises(NotJson) as caught:
        decode(text)
    assert caught.value.at == at


def test_several_values() -> None:
    assert decode_all(' 1, 2; {"a": [3]} ') == [1, 2, {"a": [3]}]


def test_several_values_and_more() -> None:
    with pytest.raises(NotJson):
        decode_all("1 x")
