"""SARIF of a run: valid by the format's own schema, with places, levels, and marks that stay when lines move."""

from __future__ import annotations

from typing import Any

import pytest
from ci_traces import HOSTILE, LIMITED, REFUSED, make_check, make_finding, make_trace
from sarif_schema import told_run

from orefactor.core.outputs.sarif import MOST_RESULTS, sarif_log
from orefactor.core.trace_model import Trace


def told(trace: Trace) -> dict[str, Any]:
    """The log's one run; the log is valid."""
    return told_run(sarif_log(trace))


def place(result: dict[str, Any]) -> list[tuple[str, int]]:
    places = [location["physicalLocation"] for location in result["locations"]]
    assert all(found["artifactLocation"]["uriBaseId"] == "%SRCROOT%" for found in places)
    return [(found["artifactLocation"]["uri"], found.get("region", {}).get("startLine", 0)) for found in places]


def test_a_refused_change() -> None:
    run = told(REFUSED)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]
    assert [
        (result["ruleId"], result["level"], result["baselineState"], place(result), result["message"]["text"])
        for result in run["results"]
    ] == [
        ("contract/docstrings", "error", "new", [("src/shapes.py", 2)], "in area: `import os` was added"),
        ("guard/tests", "error", "new", [("tests/test_x.py", 7)], "a test is gone (and 1 more)"),
        ("guard/size", "error", "new", [("src/shapes.py", 0), ("tests/test_x.py", 0)], "900 lines changed"),
        ("ruff/F401", "error", "new", [("src/shapes.py", 2)], "`os` is unused"),
        ("pytest/failed", "warning", "new", [("tests/test_x.py", 0)], "tests/test_x.py::test_a failed"),
        ("ruff/F401", "note", "unchanged", [("src/shapes.py", 9)], "`re` is unused"),
    ]
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 3)
    assert (invocation["startTimeUtc"], invocation["endTimeUtc"]) == ("2030-11-30T09:15:00Z", "2030-11-30T09:15:01Z")
    assert [
        (said["descriptor"]["id"], said["level"], said["message"]["text"])
        for said in invocation["toolExecutionNotifications"]
    ] == [
        ("contract:docstrings", "error", REFUSED.message),
        ("check:pytest", "note", "tests/test_x.py::test_b failed, and passed when it was run again alone"),
        ("check:mypy", "warning", "mypy is not installed"),
    ]


def test_a_limit_is_a_notification() -> None:
    run = told(LIMITED)
    (invocation,) = run["invocations"]
    assert (run["results"], invocation["executionSuccessful"]) == ([], False)
    (said,) = invocation["toolExecutionNotifications"]
    assert (said["descriptor"]["id"], said["level"]) == ("limit:max_cost", "error")


def test_a_change_that_passes_says_nothing() -> None:
    run = told(make_trace(checks=(make_check().model_dump(),)))
    assert run["results"] == run["invocations"][0]["toolExecutionNotifications"] == []
    assert run["automationDetails"]["id"].startswith("git-orefactor/")


def test_marks_tell_findings_apart_and_stay() -> None:
    marks = [result["partialFingerprints"]["orefactor/v1"] for result in told(REFUSED)["results"]]
    assert len(set(marks)) == len(marks)
    moved = REFUSED.contract.model_copy(update={"detail": REFUSED.contract.detail.replace(":2 ", ":52 ")})
    again = told(REFUSED.model_copy(update={"contract": moved}))["results"]
    assert place(again[0]) == [("src/shapes.py", 52)]
    assert [result["partialFingerprints"]["orefactor/v1"] for result in again] == marks
    (bare,) = told(make_trace(checks=(make_check("ruff", "failed", make_finding(mark="")).model_dump(),)))["results"]
    assert "partialFingerprints" not in bare


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/a b.py", "src/a%20b.py"),
        ("C:x.py", "C%3Ax.py"),
        ("é#1?.py", "%C3%A9%231%3F.py"),
        ("\ud800.py", "%5Cud800.py"),
        ("/etc/passwd", ""),
        ("../x.py", ""),
        ("a/../../x.py", ""),
        (".", ""),
        ("", ""),
    ],
)
def test_a_place_is_within_the_repository(path: str, uri: str) -> None:
    finding = make_finding().model_copy(update={"path": path})
    check = make_check("own", "failed").model_copy(update={"findings": (finding,), "findings_new": 1})
    (result,) = told(make_trace().model_copy(update={"checks": (check,)}))["results"]
    assert place(result) == ([(uri, 2)] if uri else [("src/shapes.py", 0)])


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (make_check("own", "failed", detail="it crashed"), ("check:own", "error", "it crashed")),
        (make_check("own", "failed", required=False), ("check:own", "warning", "failed")),
        (make_check("own", "not_run", required=False), ("check:own", "note", "not run")),
        (make_check("own", "failed", make_finding(".", 0, "", text="bad")), ("own", "error", "bad")),
        (make_check("own", "failed", make_finding("a.B", 0, "a.B::c", text="failed")),
         ("own/failed", "error", "a.B::c failed")),
        (make_check("own", "passed", findings_old=3), ("check:own", "note", "3 more findings are not listed")),
    ],
    ids=["crashed", "not required", "not run", "no file", "another runner's test", "unlisted"],
)  # fmt: skip
def test_what_has_no_place_is_said_all_the_same(check: Any, said: tuple[str, str, str]) -> None:
    run = told(make_trace(files_changed=(), checks=(check.model_dump(),)))
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (notification["descriptor"]["id"], notification["level"], notification["message"]["text"]) == said
    assert run["results"] == []


def test_what_is_older_than_the_change_is_not_put_at_its_files() -> None:
    old = make_finding(".", 0, "", text="bad", is_new=False)
    run = told(make_trace(checks=(make_check("own", "passed", old).model_dump(),)))
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (run["results"], notification["level"], notification["message"]["text"]) == ([], "note", "bad")


def test_strangers_text_stays_short_and_valid() -> None:
    finding = make_finding().model_copy(update={"rule": HOSTILE, "text": HOSTILE * 200, "path": HOSTILE})
    findings = (make_finding(),) * MOST_RESULTS + (finding,) * 10
    check = make_check("ruff", "failed").model_copy(update={"findings": findings[10:], "findings_new": MOST_RESULTS})
    hostile = REFUSED.model_copy(update={"checks": (check,), "message": HOSTILE, "reason": HOSTILE, "started": HOSTILE})
    run = told(hostile)
    (invocation,) = run["invocations"]
    last = invocation["toolExecutionNotifications"][-1]["message"]["text"]
    assert (last, "startTimeUtc" in invocation) == ("3 more results are not listed", False)
    assert len(run["results"]) == MOST_RESULTS
    text = run["results"][-1]["message"]["text"]
    assert len(text) <= 1000 and all(ord(sign) >= 32 and sign != "\u202e" for sign in text)
