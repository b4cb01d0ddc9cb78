"""JUnit XML of a run: a suite for each check, failures for what is new, and whatever strangers wrote is well-formed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from ci_traces import HOSTILE, LIMITED, REFUSED, make_check, make_finding, make_trace

from orefactor.core.checks.junit import parse_junit
from orefactor.core.outputs.junit import junit_xml
from orefactor.core.trace_model import Trace

Cases = list[tuple[str, str]]


def suites(trace: Trace) -> dict[str, ElementTree.Element]:
    """The suites by name, after their counts were found to be those of their cases."""
    top = ElementTree.fromstring(junit_xml(trace))
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    for element in (top, *top):
        assert int(element.get("tests", "")) == len(list(element.iter("testcase")))
        for count, kind in kinds.items():
            assert int(element.get(count, "")) == len(list(element.iter(kind))), (element.get("name"), count)
    return {str(suite.get("name")): suite for suite in top}


def cases(suite: ElementTree.Element) -> Cases:
    return [(str(case.get("name")), next((child.tag for child in case), "passed")) for case in suite]


def test_a_refused_change() -> None:
    found = suites(REFUSED)
    assert {name: cases(suite) for name, suite in found.items()} == {
        "gate": [
            ("outcome", "failure"),
            ("contract docstrings", "failure"),
            ("guard scope", "passed"),
            ("guard tests", "failure"),
            ("guard size", "failure"),
        ],
        "py_compile": [("py_compile", "passed")],
        "ruff": [("src/shapes.py:2 F401", "failure"), ("src/shapes.py:9 F401", "skipped")],
        "pytest": [("tests/test_x.py::test_a", "skipped")],
        "mypy": [("mypy", "error")],
    }
    assert (found["ruff"].get("time"), found["ruff"].get("timestamp")) == ("0.250", "2030-11-30T10:15:00+01:00")
    case = found["ruff"][0]
    assert (case.get("file"), case.get("line"), case.get("classname")) == ("src/shapes.py", "2", "orefactor.ruff")
    assert case[0].get("message") == case[0].text == "`os` is unused"


@pytest.mark.parametrize(
    ("trace", "outcome"),
    [(make_trace(started=""), "passed"), (LIMITED, "error"), (REFUSED, "failure")],
    ids=["delivered", "limit", "refused"],
)
def test_the_outcome_is_a_case(trace: Trace, outcome: str) -> None:
    assert cases(suites(trace)["gate"])[0] == ("outcome", outcome)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (make_check("own", "passed", make_finding("x.py", is_new=False)),
         [("own", "passed"), ("x.py:2 F401", "skipped")]),
        (make_check("own", "failed", detail="it\ncrashed"), [("own", "failure")]),
        (make_check("own", "failed", required=False), [("own", "skipped")]),
        (make_check("own", "not_run"), [("own", "skipped")]),
        (make_check("own", "not_installed", required=False), [("own", "skipped")]),
        (make_check("own", "passed", findings_old=3), [("own", "passed"), ("3 more findings", "skipped")]),
        (make_check("own", "failed", make_finding("x.py", 0), findings_new=3),
         [("x.py F401", "failure"), ("2 more findings", "failure")]),
        (make_check("own", "failed", make_finding(".", 0, "", text="bad")), [(".", "failure")]),
    ],
    ids=["old ones", "crashed", "not required", "not run", "not there", "unlisted", "many", "no file"],
)  # fmt: skip
def test_a_check(check: Any, expected: Cases) -> None:
    assert cases(suites(make_trace(checks=(check.model_dump(),)))["own"]) == expected


def test_strangers_text_stays_text() -> None:
    finding = make_finding().model_copy(update={"path": HOSTILE, "rule": HOSTILE, "text": HOSTILE})
    check = make_check("ruff", "failed", detail=HOSTILE * 500).model_copy(
        update={"name": HOSTILE, "findings": (finding,), "findings_new": 1}
    )
    lone = make_check("own", "failed", detail=HOSTILE * 500).model_copy(update={"started": HOSTILE})
    trace = REFUSED.model_copy(update={"checks": (check, lone), "message": HOSTILE, "started": HOSTILE})
    found = suites(trace)
    text = ElementTree.tostring(found["own"], encoding="unicode")
    assert "\u202e" not in text and len(text) < 5000
    assert {element.tag for suite in found.values() for element in suite.iter()} == {
        "testsuite", "testcase", "failure",
    }  # fmt: skip
    # The reader that takes other programs' reports takes ours.
    assert parse_junit(junit_xml(REFUSED).decode())["orefactor.ruff::src/shapes.py:2 F401"] == "failed"
