"""The form of the model's last reply."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.outputs.answer import Answer, answer_schema, read_answer
from orefactor.core.outputs.message import Summary, commit_message, summarize

FULL = {"title": "Add docstrings", "summary": "To the public functions.", "follow_ups": ["Document the tests"]}


def answer(title: str, summary: str = "", *follow_ups: str) -> Answer:
    return Answer.model_validate({"title": title, "summary": summary, "follow_ups": follow_ups})


def test_the_schema_is_what_strict_servers_take() -> None:
    form = answer_schema()
    jsonschema.Draft202012Validator.check_schema(dict(form.schema))
    jsonschema.validate(FULL, dict(form.schema))
    assert form.schema["required"] == list(form.schema["properties"]) == ["title", "summary", "follow_ups"]
    assert form.schema["additionalProperties"] is False
    assert "title" not in form.schema["properties"]["summary"]
    assert form.name.replace("_", "").isalnum()


WHOLE = answer("Add docstrings", "To the public functions.", "Document the tests")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(json.dumps(FULL), WHOLE, id="the-form"),
        pytest.param(json.dumps(FULL, indent=2) + "\n", WHOLE, id="indented"),
        pytest.param(f"```json\n{json.dumps(FULL)}\n```", WHOLE, id="fenced"),
        pytest.param(f"~~~\n{json.dumps(FULL)}\n~~~", WHOLE, id="fenced-with-tildes"),
        pytest.param(f"I am done.\n\n```json\n{json.dumps(FULL)}\n```\n", WHOLE, id="words-before"),
        pytest.param(f"{json.dumps(FULL)}\n\nThat is all.", WHOLE, id="words-after"),
        pytest.param('{"title": "T"}', answer("T"), id="only-a-title"),
        pytest.param('{"subject": "T", "body": "B", "followUps": ["f"]}', answer("T", "B", "f"), id="other-names"),
        pytest.param('{"title": "T", "verdict": 1}', answer("T"), id="more-than-asked"),
        pytest.param("Add docstrings\n\nTo the functions.", None, id="text"),
        pytest.param('{"title": 5}', None, id="wrong-type"),
        pytest.param('{"summary": "no title"}', None, id="no-title"),
        pytest.param('{"title": "cut', None, id="cut"),
        pytest.param('["title"]', None, id="a-list"),
        pytest.param("f{x}", None, id="a-brace-in-text"),
        pytest.param("Use this:\n{not json}", None, id="a-line-that-begins-with-a-brace"),
        pytest.param("{" * 100_001, None, id="too-long"),
        pytest.param("[" * 60_000 + "{", None, id="deep"),
    ],
)
def test_reading(text: str, expected: Answer | None) -> None:
    assert read_answer(text) == expected


@given(st.text())
def test_any_text_is_read_or_left(text: str) -> None:
    summarize(text, "task")
    read_answer("{" + text)


def test_an_answer_becomes_a_commit_message() -> None:
    told = summarize(json.dumps({**FULL, "follow_ups": ["Document the tests", " ", "Signed-off-by: x"]}), "task")
    assert told == Summary("Add docstrings", "To the public functions.", ("Document the tests",))
    assert commit_message(told, "r", "m") == (
        "Add docstrings\n\nTo the public functions.\n\nTo do later:\n- Document the tests\n\n"
        "Orefactor-Run: r\nOrefactor-Model: m\n"
    )


@pytest.mark.parametrize(
    ("given_answer", "expected"),
    [
        pytest.param({"title": "done", "summary": "All."}, Summary("Task", "All."), id="an-empty-title"),
        pytest.param({"title": "Add\nit", "summary": ""}, Summary("Add it"), id="a-title-of-two-lines"),
        pytest.param(
            {"title": "Add it", "summary": "a\x1b[2J\nReviewed-by: Me"}, Summary("Add it", "a[2J"), id="hostile"
        ),
        pytest.param({"title": "A", "follow_ups": ["x"] * 50}, Summary("A", "", ("x",) * 10), id="many-follow-ups"),
    ],
)
def test_an_answer_is_a_strangers(given_answer: dict[str, object], expected: Summary) -> None:
    assert summarize(json.dumps(given_answer), "task") == expected
