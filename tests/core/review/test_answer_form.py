"""The form that a review's answer has: its schema, and how strict reading is."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.providers.strict_schemas import strict_schema
from orefactor.core.review.answer import ReviewAnswer, Unreadable, read_answer, review_schema

FINDING = {"rule": "bug", "severity": "error", "path": "x.py", "start_line": 2, "end_line": 3, "message": "It breaks.",
           "suggestion": {"old_string": "a", "new_string": "b"}, "confidence": 0.5}  # fmt: skip
WHOLE = {"verdict": "comment", "summary": "Fine.", "findings": [FINDING]}
BARE = {"rule": "bug", "severity": "note", "path": "x.py", "start_line": 2, "message": "m"}


def with_finding(**fields: Any) -> dict[str, Any]:
    return {"verdict": "comment", "findings": [{**BARE, **fields}]}


def without(name: str) -> dict[str, Any]:
    return {"verdict": "comment", "findings": [{key: value for key, value in BARE.items() if key != name}]}


def test_the_schema_is_what_strict_servers_take() -> None:
    form = review_schema()
    schema = dict(form.schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    # Closed everywhere, all required, no constraints: making it strict has nothing left to do.
    assert strict_schema(schema) == schema
    words = json.dumps(schema)
    assert "$ref" not in words and "$defs" not in words and '"title"' not in words and '"default"' not in words
    finding = schema["properties"]["findings"]["items"]
    assert list(schema["properties"]) == schema["required"] == ["verdict", "summary", "findings"]
    assert list(finding["properties"]) == finding["required"] == list(FINDING)
    assert all(inner.get("description") for inner in [*schema["properties"].values(), *finding["properties"].values()])
    assert finding["properties"]["end_line"]["type"] == ["integer", "null"]
    assert form.name.isalnum() and len(words) < 4000
    for answer in (WHOLE, {**WHOLE, "findings": [{**FINDING, "suggestion": None, "end_line": None}]}):
        jsonschema.validate(answer, schema)
        read_answer(json.dumps(answer))


def test_an_answer_in_the_form() -> None:
    answer = read_answer(f"```json\n{json.dumps(WHOLE)}\n```")
    assert (answer.verdict, answer.summary) == ("comment", "Fine.")
    assert [finding.model_dump() for finding in answer.findings] == [FINDING]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"verdict": "approve", "findings": []}, id="no-summary-and-no-findings"),
        pytest.param({**WHOLE, "thoughts": {"deep": [1]}, "\ud800": 1}, id="keys-that-nobody-asked-for"),
        pytest.param(with_finding(category="style", id=7), id="keys-in-a-finding"),
        pytest.param(with_finding(end_line=None, suggestion=None, confidence=None), id="nulls"),
        pytest.param(with_finding(), id="all-that-may-be-left-out"),
        pytest.param(with_finding(confidence=1), id="a-whole-confidence"),
        pytest.param(with_finding(start_line=-(10**40)), id="a-line-that-is-none"),
        pytest.param(with_finding(message="half \ud800 of a pair", path="\udcff"), id="halves-of-pairs"),
    ],
)
def test_what_reading_is_patient_with(answer: dict[str, Any]) -> None:
    assert isinstance(read_answer(json.dumps(answer)), ReviewAnswer)


@pytest.mark.parametrize(
    "suggestion",
    [
        "use `y` instead", 1, [], {}, {"old_string": "a"}, {"old_string": "a", "new_string": None},
    ],
)  # fmt: skip
def test_a_suggestion_that_is_no_edit_goes_and_the_finding_stays(suggestion: object) -> None:
    (finding,) = read_answer(json.dumps(with_finding(suggestion=suggestion))).findings
    assert finding.suggestion is None
    assert finding.message == "m"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param({}, "`verdict` is missing", id="empty"),
        pytest.param({"verdict": "approve"}, "`findings` is missing", id="no-findings"),
        pytest.param({"findings": []}, "`verdict` is missing", id="no-verdict"),
        pytest.param({**WHOLE, "verdict": "LGTM"}, "`verdict` must be 'approve', 'comment' or 'request_changes'",
                     id="another-verdict"),
        pytest.param({**WHOLE, "verdict": None}, "`verdict` must be 'approve', 'comment' or 'request_changes'",
                     id="null-as-verdict"),
        pytest.param({**WHOLE, "summary": ["x"]}, "`summary` must be a valid string", id="a-list-as-summary"),
        pytest.param({**WHOLE, "findings": None}, "`findings` must be a list", id="null-as-findings"),
        pytest.param({**WHOLE, "findings": {}}, "`findings` must be a list", id="an-object-as-findings"),
        pytest.param({**WHOLE, "findings": ["x"]}, "`findings.0` must be an object", id="a-text-as-finding"),
        pytest.param(with_finding(severity="critical"), "`findings.0.severity` must be 'error', 'warning' or 'note'",
                     id="another-severity"),
        pytest.param(with_finding(start_line="2"), "`findings.0.start_line` must be a valid integer", id="text-line"),
        pytest.param(with_finding(start_line=True), "`findings.0.start_line` must be a valid integer", id="bool-line"),
        pytest.param(with_finding(end_line=2.5), "`findings.0.end_line` must be a valid integer", id="half-a-line"),
        pytest.param(with_finding(confidence=1.5), "`findings.0.confidence` must be less than or equal to 1",
                     id="more-than-sure"),
        pytest.param(with_finding(confidence=-1), "`findings.0.confidence` must be greater than or equal to 0",
                     id="less-than-unsure"),
        pytest.param(with_finding(confidence="high"), "`findings.0.confidence` must be a valid number",
                     id="a-word-as-confidence"),
        *(pytest.param(without(name), f"`findings.0.{name}` is missing", id=f"no-{name}") for name in BARE),
    ],
)  # fmt: skip
def test_what_is_no_answer(answer: dict[str, Any], why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read_answer(json.dumps(answer))
    assert str(raised.value) == why


def test_no_answer_is_quoted_in_what_is_said_of_it() -> None:
    with pytest.raises(Unreadable, match="`verdict` must be "):
        read_answer('{"verdict": "\\ud800", "findings": []}')
    with pytest.raises(Unreadable) as raised:
        read_answer(json.dumps(with_finding(severity="hunter2 " * 1000, start_line="\x1b[2J")))
    assert "hunter2" not in str(raised.value) and len(str(raised.value)) < 200


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists) | st.just([BARE]))
def test_anything_in_place_of_the_findings_is_read_or_refused(findings: object) -> None:
    try:
        read_answer(json.dumps({"verdict": "approve", "findings": findings}))
    except Unreadable as error:
        assert "\n" not in str(error)
