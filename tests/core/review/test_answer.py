"""What of a review's answer counts for the change."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from orefactor.core.redact import Redactor
from orefactor.core.review.answer import (
    LONGEST_MESSAGE,
    MOST_FINDINGS,
    AcceptedAnswer,
    ReviewAnswer,
    accepted,
    read_answer,
)
from orefactor.core.review.change import touches
from orefactor.core.review.finding import ReviewFinding, SuggestedEdit
from orefactor.core.review.reviewed_change import ReviewedChange
from orefactor.sandbox.base import Base

KEY = "sk-" + "a1" * 20
ODD = "d/caf\udce9\n.py"
CONTENTS = {
    "x.py": b"a = 1\nb = 2\nc = aaa\n" + f"k = '{KEY}'\n".encode() + b"# end\n" * 16,
    "d/y.py": "\ufeffone\r\ntwo\r\nzwei\u00e9\r\n".encode(),
    "bin": b"\0\xff",
    "latin.txt": b"caf\xe9\n",
    ODD: b"odd\n",
}
CHANGE = ReviewedChange(
    "the index", "0" * 40, "1" * 40, Base("the index", "2" * 40, "3" * 40, None),
    tuple(sorted([*CONTENTS, "gone.py", "moved.py"])),
    {"x.py": ((1, 6), (12, 15)), "d/y.py": ((1, 3),), "bin": ((1, 1),), "latin.txt": ((1, 1),), ODD: ((1, 1),)},
    {"x.py": 20, "d/y.py": 3, "bin": 1, "latin.txt": 1, ODD: 1, "moved.py": 9}, b"", 9, False,
)  # fmt: skip
FOUND = {"rule": "bug", "severity": "error", "path": "x.py", "start_line": 2, "message": "It breaks."}
KEPT = ReviewFinding("bug", "model", "error", "x.py", 2, 2, "It breaks.", None, 1.0)


def answer(*findings: dict[str, Any], **fields: Any) -> ReviewAnswer:
    return read_answer(json.dumps({"verdict": "comment", **fields, "findings": findings}))


def judged(*findings: dict[str, Any], **fields: Any) -> AcceptedAnswer:
    return accepted(answer(*findings, **fields), CHANGE, touches, CONTENTS.get, Redactor({}).text)


def test_a_finding_in_our_form() -> None:
    edit = {"old_string": "b = 2\n", "new_string": "b = 3\n"}
    told = judged({**FOUND, "end_line": 3, "suggestion": edit, "confidence": 0.25}, summary=" Look.\r\n ")
    assert told == AcceptedAnswer(
        "comment",
        "Look.",
        (
            ReviewFinding(
                "bug", "model", "error", "x.py", 2, 3, "It breaks.", SuggestedEdit("b = 2\n", "b = 3\n"), 0.25
            ),
        ),
    )
    assert judged() == AcceptedAnswer("comment")
    (bare,) = judged({**FOUND, "confidence": -0.0}).findings
    assert str(bare.confidence) == "0.0"


@pytest.mark.parametrize(
    "place",
    [
        pytest.param({"start_line": 0}, id="line-0"),
        pytest.param({"start_line": -1, "end_line": 2}, id="below-0"),
        pytest.param({"start_line": 21}, id="after-the-end"),
        pytest.param({"start_line": 14, "end_line": 21}, id="ends-after-the-end"),
        pytest.param({"start_line": 10**30}, id="far-after-the-end"),
        pytest.param({"start_line": 7, "end_line": 11}, id="between-hunks"),
        pytest.param({"start_line": 3, "end_line": 2}, id="backwards"),
        pytest.param({"path": "z.py"}, id="another-file"),
        pytest.param({"path": ""}, id="no-file"),
        pytest.param({"path": "."}, id="the-top"),
        pytest.param({"path": "/x.py"}, id="absolute"),
        pytest.param({"path": "//x.py"}, id="absolute-twice"),
        pytest.param({"path": "../x.py"}, id="outside"),
        pytest.param({"path": "d/../x.py"}, id="climbing-and-back"),
        pytest.param({"path": "d"}, id="a-folder"),
        pytest.param({"path": "y.py"}, id="only-the-name"),
        pytest.param({"path": "b/x.py"}, id="as-diffs-write-it"),
        pytest.param({"path": "X.py"}, id="another-case"),
        pytest.param({"path": "x.py\0"}, id="a-control-character"),
        pytest.param({"path": "gone.py", "start_line": 1}, id="deleted"),
        pytest.param({"path": "moved.py", "start_line": 1}, id="only-moved"),
    ],
)
def test_outside_of_the_change(place: dict[str, Any]) -> None:
    assert judged({**FOUND, **place}, FOUND) == AcceptedAnswer("comment", "", (KEPT,), 1)


@pytest.mark.parametrize(
    ("place", "path", "lines"),
    [
        pytest.param({"start_line": 1}, "x.py", (1, 1), id="the-first-line"),
        pytest.param({"start_line": 1, "end_line": 20}, "x.py", (1, 20), id="the-whole-file"),
        pytest.param({"start_line": 6, "end_line": 11}, "x.py", (6, 11), id="begins-in-a-hunk"),
        pytest.param({"start_line": 7, "end_line": 12}, "x.py", (7, 12), id="ends-in-a-hunk"),
        pytest.param({"path": "./x.py"}, "x.py", (2, 2), id="dot"),
        pytest.param({"path": "d//./y.py"}, "d/y.py", (2, 2), id="dots-and-slashes"),
        pytest.param({"path": ODD, "start_line": 1}, ODD, (1, 1), id="odd-letters"),
        pytest.param({"path": "d/caf\\udce9\\u{a}.py", "start_line": 1}, ODD, (1, 1), id="odd-letters-as-told"),
    ],
)
def test_inside_of_the_change(place: dict[str, Any], path: str, lines: tuple[int, int]) -> None:
    answered = ReviewAnswer.model_validate({"verdict": "approve", "findings": [{**FOUND, **place}]})
    told = accepted(answered, CHANGE, touches, CONTENTS.get, Redactor({}).text)
    assert [(each.path, each.start_line, each.end_line) for each in told.findings] == [(path, *lines)]
    assert told.dropped == 0


@pytest.mark.parametrize(
    ("path", "old", "new", "stays"),
    [
        pytest.param("x.py", "b = 2", "b = 3", True, id="exact"),
        pytest.param("x.py", "c = aaa\n", "", True, id="deletes"),
        pytest.param("x.py", "", "b", False, id="empty"),
        pytest.param("x.py", "b = 2", "b = 2", False, id="changes-nothing"),
        pytest.param("x.py", "b = 2\r\n", "b = 2\n", False, id="changes-the-line-end-only"),
        pytest.param("x.py", "b=2", "b = 3", False, id="not-there"),
        pytest.param("x.py", "# end", "# End", False, id="many-times"),
        pytest.param("x.py", "aa", "b", False, id="overlapping"),
        pytest.param("d/y.py", "one\ntwo", "one\n2", True, id="other-line-ends"),
        pytest.param("d/y.py", "one\r\ntwo", "one\r\n2", True, id="the-files-line-ends"),
        pytest.param("d/y.py", "zwei\u00e9", "zwei", True, id="non-ascii"),
        pytest.param("d/y.py", "\ufeffone", "one", False, id="the-byte-order-mark"),
        pytest.param("bin", "\0", "", False, id="binary"),
        pytest.param("latin.txt", "caf", "tea", False, id="no-utf-8"),
        pytest.param("x.py", "b = 2", "b = '\0'", False, id="makes-it-binary"),
        pytest.param("x.py", "b = 2", "b = '\ud800'", False, id="no-text"),
        pytest.param("x.py", f"'{KEY}'", "KEY", False, id="shows-a-secret"),
        pytest.param("x.py", "b = 2", f"b = '{KEY}'", False, id="writes-a-secret"),
        pytest.param("x.py", "b = 2", "b = '[REDACTED:openai-key]'", False, id="writes-a-mark"),
        pytest.param("x.py", "b = 2", "b" * 10_001, False, id="too-long"),
    ],
)
def test_suggestions(path: str, old: str, new: str, stays: bool) -> None:
    edit = {"old_string": old, "new_string": new}
    (finding,) = judged({**FOUND, "path": path, "start_line": 1, "suggestion": edit}).findings
    wanted = SuggestedEdit(old.replace("\r\n", "\n"), new.replace("\r\n", "\n"))
    assert finding.suggestion == (wanted if stays else None)


def test_a_suggestion_for_a_file_that_cannot_be_read_goes() -> None:
    found = answer({**FOUND, "suggestion": {"old_string": "b = 2", "new_string": "b"}})
    assert accepted(found, CHANGE, touches, lambda _path: None, str).findings == (KEPT,)


def test_a_suggestion_that_is_no_text_goes_whoever_redacts() -> None:
    found = answer({**FOUND, "suggestion": {"old_string": "b = 2", "new_string": "\ud800"}})
    assert accepted(found, CHANGE, touches, CONTENTS.get, str).findings == (KEPT,)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        pytest.param("a\n\tb", "a\n\tb", id="lines"),
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line-ends"),
        pytest.param("\x1b[2J\x07\u202e\u2028\x9b", "\\x1b[2J\\x07\\u202e\\u2028\\x9b", id="what-drives-a-terminal"),
        pytest.param("half \ud800", "half \\ud800", id="half-of-a-pair"),
        pytest.param(f"uses {KEY}!", "uses [REDACTED:openai-key]!", id="a-secret"),
        pytest.param(" \n", "bug", id="nothing"),
        pytest.param("m" * 2000, "m" * 2000, id="as-long-as-may-be"),
        pytest.param("m" * 2001, "m" * 1999 + "\u2026", id="too-long"),
        pytest.param("\x00" * 501, "\\x00" * 499 + "\\x0\u2026", id="too-long-when-it-is-spelled-out"),
        pytest.param("m" * 1989 + f" {KEY}", "m" * 1989 + " [REDACTED\u2026", id="a-secret-at-the-end"),
    ],
)
def test_texts_can_be_shown(message: str, shown: str) -> None:
    told = judged({**FOUND, "message": message}, summary=message)
    assert told.findings[0].message == shown
    assert told.summary == ("" if shown == "bug" else shown)
    assert len(shown) <= LONGEST_MESSAGE


def test_rules_are_one_line() -> None:
    rules = [{**FOUND, "rule": rule} for rule in ("a\n\x1bb", "", "r" * 500, KEY)]
    assert {each.rule for each in judged(*rules).findings} == {
        "a \\x1bb", "review", "r" * 99 + "\u2026", "[REDACTED:openai-key]",
    }  # fmt: skip


def test_what_is_the_same_is_one_and_was_not_dropped() -> None:
    bad = {"old_string": "nowhere", "new_string": "x"}
    same = [FOUND, FOUND, {**FOUND, "path": "./x.py", "end_line": 2, "confidence": 1}, {**FOUND, "suggestion": bad}]
    assert judged(*same) == AcceptedAnswer("comment", "", (KEPT,))
    assert len(judged(*same, {**FOUND, "confidence": 0.9}).findings) == 2


def test_the_weightiest_come_first_in_any_order() -> None:
    order: list[dict[str, Any]] = [
        {}, {"message": "It fails."}, {"rule": "late"}, {"start_line": 3}, {"severity": "warning", "path": "d/y.py"},
        {"severity": "warning"}, {"severity": "note", "path": "d/y.py"}, {"severity": "note"},
    ]  # fmt: skip
    wanted = judged(*({**FOUND, **fields} for fields in order)).findings
    for seed in range(20):
        mixed = random.Random(seed).sample(order, len(order))
        assert judged(*({**FOUND, **fields} for fields in mixed)).findings == wanted
    keys = [(each.severity, each.path, each.start_line, each.rule, each.message) for each in wanted]
    full: list[dict[str, Any]] = [{**FOUND, **fields} for fields in order]
    assert keys == [tuple(each[key] for key in ("severity", "path", "start_line", "rule", "message")) for each in full]


def test_many_findings_are_bounded_and_take_little_time() -> None:
    edit = {"old_string": "# end\n# end", "new_string": "#"}
    many = [
        {**FOUND, "message": f"{number:05}", "severity": "note" if number % 2 else "error", "suggestion": edit}
        for number in range(2600)
    ]
    started = time.process_time()
    told = judged({**FOUND, "path": "z.py"}, *many, *many[:50])
    assert time.process_time() - started < 2
    assert [each.message for each in told.findings] == [f"{number:05}" for number in range(0, 2 * MOST_FINDINGS, 2)]
    assert told.dropped == 1 + 2600 - MOST_FINDINGS


def test_files_are_read_once_and_only_for_suggestions() -> None:
    asked: list[str] = []

    def content(path: str) -> bytes | None:
        asked.append(path)
        return CONTENTS.get(path)

    edits = [{**FOUND, "suggestion": {"old_string": old, "new_string": "x"}} for old in ("a = 1", "b = 2", "no")]
    accepted(answer(*edits, {**FOUND, "path": "d/y.py"}), CHANGE, touches, content, str)
    assert asked == ["x.py"]
