"""A model's answer to a review: any text gives findings within the change in text that can be shown, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fuzz.mutations import KEY, as_json, is_unicode, mutated_json, mutated_text, odd_values, repeated_text
from fuzz.profiles import fuzzed, in_time
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.redact import Redactor, has_mark
from orefactor.core.review.answer import LONGEST_MESSAGE, MOST_FINDINGS, AcceptedAnswer, accepted, read_answer
from orefactor.core.review.answer_object import Unreadable, only_object
from orefactor.core.review.change import touches
from orefactor.core.review.reviewed_change import ReviewedChange
from orefactor.sandbox.base import Base

ODD = "d/caf\udce9\n.py"
CONTENTS = {"x.py": b"a = 1\nb = 2\nc = aaa\n" + b"# end\n" * 17, "d/y.py": b"\xff\xfe", ODD: b"odd\r\nodd\r\n"}
CHANGE = ReviewedChange(
    "the index", "0" * 40, "1" * 40, Base("the index", "2" * 40, "3" * 40, None), tuple(sorted([*CONTENTS, "gone.py"])),
    {"x.py": ((1, 6), (12, 15)), "d/y.py": ((1, 3),), ODD: ((1, 1),)}, {"x.py": 20, "d/y.py": 3, ODD: 2}, b"", 9, False,
)  # fmt: skip
FOUND: dict[str, Any] = {
    "rule": "bug",
    "severity": "error",
    "path": "x.py",
    "start_line": 2,
    "end_line": 3,
    "message": f"It breaks {KEY}.",
    "suggestion": {"old_string": "b = 2\n", "new_string": "b = 3\n"},
    "confidence": 0.5,
}
ANSWERS: list[dict[str, Any]] = [
    {"verdict": "request_changes", "summary": "No.", "findings": [FOUND, {**FOUND, "path": "./d//y.py"}]},
    {"verdict": "comment", "findings": [{**FOUND, "path": ODD, "start_line": 1, "suggestion": None}] * 3},
    {"verdict": "approve", "summary": "Well done.", "findings": []},
]
WORDS = [f"Here it is:\n```json\n{json.dumps(answer)}\n```\n" for answer in ANSWERS] + [
    json.dumps(ANSWERS[0], indent=1)
]
TOKENS = [
    "```",
    "{",
    '{"',
    '[{"',
    "}",
    '"findings": [',
    '"severity": "fatal"',
    "9" * 400,
    "1e999",
    "NaN",
    "null",
    "{x}",
]
REDACTOR = Redactor({})
texts = mutated_text(WORDS, TOKENS) | mutated_json(ANSWERS).map(lambda value: as_json(value).decode())


def taken(text: str) -> AcceptedAnswer | None:
    """What of an answer counts; None where it is none."""
    try:
        return accepted(read_answer(text), CHANGE, touches, CONTENTS.get, REDACTOR.text)
    except Unreadable as error:
        assert len(str(error)) < 400 and str(error).isprintable()
        return None


@fuzzed()
@given(texts | odd_values.map(lambda value: as_json(value).decode()))
def test_any_answer(text: str) -> None:
    answer = taken(text)
    if answer is None:
        return
    assert len(answer.findings) <= MOST_FINDINGS and answer.dropped >= 0
    assert len(answer.summary) <= LONGEST_MESSAGE and KEY not in repr(answer)
    for finding in answer.findings:
        assert touches(CHANGE, finding.path, finding.start_line, finding.end_line)
        assert finding.rule and finding.message and len(finding.message) <= LONGEST_MESSAGE
        assert is_unicode(finding.rule + finding.message + answer.summary)
        assert all(letter.isprintable() or letter in "\n\t" for letter in finding.rule + finding.message)
        assert finding.confidence is not None and 0 <= finding.confidence <= 1
        if finding.suggestion is not None:
            assert CONTENTS[finding.path].replace(b"\r", b"").count(finding.suggestion.old_string.encode()) == 1
            assert not has_mark(finding.suggestion.new_string) and is_unicode(finding.suggestion.new_string)


@fuzzed()
@given(
    st.sampled_from(ANSWERS),
    mutated_text(["Words before: ", "```json\n", ""]),
    st.sampled_from(["\n```", " Done.", ""]),
)
def test_words_around_an_answer_change_nothing(answer: dict[str, Any], before: str, behind: str) -> None:
    bare = json.dumps(answer)
    try:
        found = only_object(before + bare + behind)
    except Unreadable:
        # The words hold what begins like an object of their own.
        assert "{" in before or "[" in before
    else:
        assert found == answer or "{" in before


@fuzzed()
@given(texts)
def test_an_answer_that_is_accepted_is_accepted_again(text: str) -> None:
    first = taken(text)
    if first is not None:
        told = [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "path": finding.path,
                "start_line": finding.start_line,
                "end_line": finding.end_line,
                "message": finding.message,
                "confidence": finding.confidence,
                "suggestion": finding.suggestion
                and {"old_string": finding.suggestion.old_string, "new_string": finding.suggestion.new_string},
            }
            for finding in first.findings
        ]
        again = taken(json.dumps({"verdict": first.verdict, "summary": first.summary, "findings": told}))
        assert again is not None and again.findings == first.findings


@pytest.mark.untraced
@fuzzed(cost=3)
@given(repeated_text([*WORDS, *TOKENS]))
def test_long_answers_take_linear_time(text: str) -> None:
    with in_time(len(text)):
        taken(text)
