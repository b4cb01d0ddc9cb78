"""SARIF of a review: valid, a result for each finding, a fix to the character, nothing of the model's at a limit."""

from __future__ import annotations

from typing import Any

import pytest
from ci_traces import HOSTILE, make_check
from review_traces import (
    CLEAN,
    FILES,
    INCONCLUSIVE,
    LIMITED,
    OF_RUFF,
    SECRET_WORDS,
    SHAPES,
    SUGGESTED,
    finding,
    review_trace,
    source,
)
from sarif_schema import told_run

from orefactor.core.json_text import json_text
from orefactor.core.outputs.sarif import MOST_RESULTS, sarif_log
from orefactor.core.outputs.source_files import Source, no_source
from orefactor.core.trace_model import Trace


def told(trace: Trace, read: Source = source) -> dict[str, Any]:
    return told_run(sarif_log(trace, read))


def notifications(run: dict[str, Any]) -> list[tuple[str, str, str]]:
    (invocation,) = run["invocations"]
    said = invocation["toolExecutionNotifications"]
    return [(one["descriptor"]["id"], one["level"], one["message"]["text"]) for one in said]


def test_a_result_for_each_finding() -> None:
    run = told(review_trace())
    regions = [result["locations"][0]["physicalLocation"].get("region") for result in run["results"]]
    assert [
        (result["ruleId"], result["level"], result["baselineState"], result["properties"]) for result in run["results"]
    ] == [
        ("model/bug", "error", "new", {"origin": "model", "blocking": True, "confidence": 0.9}),
        ("ruff/E101", "error", "new", {"origin": "ruff", "blocking": True}),
        ("model/naming", "warning", "new", {"origin": "model", "blocking": False, "confidence": 0.4}),
    ]
    assert regions == [{"startLine": 6, "endLine": 7}, {"startLine": 8}, {"startLine": 1}]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert [rule["shortDescription"]["text"] for rule in rules] == [
        *("The model found `bug`.", "The model found `naming`.", "The check `ruff` found `E101`.")
    ]
    assert notifications(run) == [("model/scope", "note", "The change has no test.")]
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    assert invocation["exitCodeDescription"] == "blocking:model"
    assert run["automationDetails"]["id"].startswith("git-orefactor-review/")


def test_the_suggestion_is_a_fix_where_the_file_is_known() -> None:
    run = told(review_trace())
    assert ["fixes" in result for result in run["results"]] == [True, False, False]
    assert run["columnKind"] == "unicodeCodePoints"
    ((change,),) = [fix["artifactChanges"] for fix in run["results"][0]["fixes"]]
    assert change["artifactLocation"]["uri"] == "src/shapes.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 6, "startColumn": 2, "endLine": 6, "endColumn": 15},
            "insertedContent": {"text": "if a is None:"},
        }
    ]
    assert not any("fixes" in result for result in told(review_trace(), no_source)["results"])


@pytest.mark.parametrize("trace", [LIMITED, LIMITED.model_copy(update={"message": "", "reason": "x"})])
def test_a_limit_is_a_notification_and_hides_what_the_model_said(trace: Trace) -> None:
    run = told(trace)
    assert SECRET_WORDS not in json_text(run)
    assert notifications(run) == [
        ("deliberation_limit:max_rounds", "error",
         "the limit max_rounds was reached after 3 rounds: nothing of the model's is told")
    ]  # fmt: skip
    assert [result["ruleId"] for result in run["results"]] == ["ruff/E101"]
    assert run["invocations"][0]["executionSuccessful"] is False


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (CLEAN, []),
        (review_trace({"outcome": "not_reviewed", "reason": "interrupted", "findings": ()}, message="no key",
                      reason="provider:no_key"), [("provider:no_key", "error", "no key")]),
        (INCONCLUSIVE, [("check:mypy", "error", "the requested check `mypy` could not run"),
                        ("limitation", "warning", "the check `mypy` could not run: it is not installed"),
                        ("limitation", "warning", "the file `big.bin` was left out")]),
        (review_trace({"findings": (), "limitations": ("cut",), "quality_degraded": True},
                      checks=(make_check("own", "not_run", required=False).model_dump(),)),
         [("limitation", "error", "cut"), ("check:own", "note", "not run")]),
        (review_trace({"findings": [finding("/etc/passwd")]}), [("model/bug", "error", SUGGESTED["message"])]),
    ],
    ids=["clean", "no key", "inconclusive", "degraded", "outside"],
)  # fmt: skip
def test_what_has_no_place_is_a_notification(trace: Trace, said: list[tuple[str, str, str]]) -> None:
    assert notifications(told(trace)) == said


def _marks(trace: Trace, read: Source = source) -> list[str]:
    return [result["partialFingerprints"]["orefactor/v1"] for result in told(trace, read)["results"]]


def test_marks_stay_when_lines_move_and_tell_findings_apart() -> None:
    findings = [SUGGESTED, OF_RUFF, finding(start=2, end=2), SUGGESTED]
    marks = _marks(review_trace({"findings": findings}))
    assert len(set(marks)) == 4
    moved = [{**found, "start_line": found["start_line"] + 3, "end_line": found["end_line"] + 3} for found in findings]
    files = {**FILES, "src/shapes.py": b"import os\n\n\n" + SHAPES}
    assert _marks(review_trace({"findings": moved}), files.get) == marks
    # The model finds other words for the same; without the file only words are left.
    other = [{**found, "message": "said otherwise"} for found in findings]
    again = _marks(review_trace({"findings": other}))
    assert [one == two for one, two in zip(marks, again, strict=True)] == [True, False, True, True]
    assert _marks(review_trace({"findings": other}), no_source)[0] != _marks(review_trace(), no_source)[0]
    numbered = [finding(message=f"line {number} is bad") for number in (3, 9)]
    first, second = _marks(review_trace({"findings": numbered}), no_source)
    assert first.partition(":")[0] == second.partition(":")[0] and first != second


def test_strangers_text_stays_short_and_valid() -> None:
    evil = finding(HOSTILE, message=HOSTILE * 200, rule=HOSTILE.replace("\ud800", ""), origin="x" * 900)
    evil = {
        **evil,
        "path": HOSTILE.replace("\ud800", ""),
        "message": "",
        "suggestion": {"old_string": "x", "new_string": ""},
    }
    trace = review_trace({"findings": [*[OF_RUFF] * MOST_RESULTS, evil], "limitations": ["\x1b" * 5000] * 200})
    run = told(trace)
    assert len(run["results"]) == MOST_RESULTS and len(notifications(run)) == 101
    assert notifications(run)[-1] == ("results", "note", "1 more results are not listed")
    (alone,) = told(review_trace({"findings": [evil]}))["results"]
    assert alone["message"]["text"] == "error" and "\x1b" not in json_text(alone)
