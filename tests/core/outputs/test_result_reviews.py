"""What outputs tell of the reviews of the main job's result, whatever strangers send."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from ci_traces import HOSTILE, make_trace, reported
from review_traces import OF_RUFF, SECRET_WORDS, SUGGESTED, finding

from orefactor.core.outputs.annotations import annotation_lines
from orefactor.core.outputs.problems import problems
from orefactor.core.outputs.published_review import result_reviews, result_words
from orefactor.core.outputs.pull_request import LONGEST_BODY, request_body
from orefactor.core.outputs.report.page import report_page
from orefactor.core.outputs.step_summary import LONGEST, step_summary
from orefactor.core.redact import Redactor
from orefactor.core.trace_model import Trace

WARNING = finding(severity="warning", message="The name says little.", rule="naming")


def one(**changed: Any) -> dict[str, Any]:
    """A review of a result."""
    made: dict[str, Any] = {
        "run_id": "20301130T101500-aaaaaa", "round": 3, "model": "second", "commit": "c" * 40, "tree": "e" * 40,
        "outcome": "reviewed", "reason": "reviewed", "message": "fine", "verdict": "comment", "summary": "Well done.",
        "findings": (WARNING,), "usage": {"prompt_tokens": 700, "completion_tokens": 7, "requests": 1}, "cost_usd": 0.5,
    }  # fmt: skip
    return {**made, **changed}


BLOCKED = one(reason="blocking:model", findings=(SUGGESTED, OF_RUFF, WARNING), blocking_findings=(SUGGESTED, OF_RUFF))
LIMITED = one(
    outcome="not_reviewed", reason="deliberation_limit:max_rounds", message="the limit max_rounds was reached",
    summary=SECRET_WORDS, verdict="approve", findings=(finding(message=SECRET_WORDS), OF_RUFF),
    blocking_findings=(finding(message=SECRET_WORDS),),
)  # fmt: skip


def told(*reviews: dict[str, Any], **changed: Any) -> Trace:
    return make_trace(reviews=reviews, **changed)


def everything(trace: Trace) -> str:
    """All outputs as one text."""
    run = reported(trace)
    return "\n".join(
        [
            report_page(run, Redactor({})),
            step_summary(run),
            annotation_lines(trace),
            request_body(trace, (), "c" * 40, "topic"),
        ]
    )


@pytest.mark.parametrize(
    ("review", "line"),
    [
        pytest.param(one(), "commented, 1 warning", id="passes"),
        pytest.param(BLOCKED, "commented, 2 errors, 1 warning, 2 blocking", id="blocks"),
        pytest.param(LIMITED, "not reviewed: the limit max_rounds was reached", id="limit"),
        pytest.param(
            one(outcome="inconclusive", message="", reason="check:x"), "inconclusive: check:x", id="no message"
        ),
    ],
)
def test_each_in_a_line(review: dict[str, Any], line: str) -> None:
    (part,) = result_reviews(told(review))
    assert result_words(part) == line


def test_a_run_without_reviews_says_nothing_of_them() -> None:
    assert result_reviews(make_trace()) == ()
    assert "review" not in everything(make_trace()).lower().partition("<style")[0]


def test_what_is_left_stands_in_the_report_and_the_request() -> None:
    trace = told(BLOCKED, one(round=5))
    page = ElementTree.fromstring(report_page(reported(trace), Redactor({})))
    (section,) = page.iterfind(".//section[@id='review']")
    text = " ".join("".join(section.itertext()).split())
    assert "Review of the result" in text and "The name says little." in text and "Well done." in text
    # What went back was mended; only that it was there is told.
    assert "round 3✗ commented, 2 errors, 1 warning, 2 blocking" in text.replace("round 3 ", "round 3")
    assert "by identity" not in text
    assert "#review" in {element.attrib.get("href") for element in page.iter("a")}
    assert "of these tokens 1,414 for 2 reviews of the result" in "".join(page.itertext())
    body = request_body(trace, (), "c" * 40, "topic")
    last = "- commented, 1 warning by `second`, after 1 that went back"
    assert f"### Review\n\n{last}\n- warning: `src/shapes.py:6-7` (naming)" in body
    summary = step_summary(reported(trace))
    assert (
        "- after round 3: commented, 2 errors, 1 warning, 2 blocking (`second`, run `20301130T101500-aaaaaa`)"
        in summary
    )
    assert "| `src/shapes.py:6-7` | warning | `naming` | model | The name says little. |" in summary
    assert problems(trace) == ()


def test_what_blocks_at_the_end_stands_against_the_change() -> None:
    trace = told(BLOCKED, status="gate", reason="review:blocking:model", exit_code=3)
    first, second = problems(trace)
    assert (first.rule, first.path, first.line, first.weight) == ("review/bug", "src/shapes.py", 6, "error")
    assert (second.rule, second.is_new) == ("review/E101", True)
    assert first.mark != second.mark
    assert "title=review/bug" in annotation_lines(trace)
    assert "| `src/shapes.py:6` | `review/bug` |" in step_summary(reported(trace))
    outside = told(one(blocking_findings=(finding("../x", 3, 3),)))
    assert [(problem.path, problem.line) for problem in problems(outside)] == [("", 0)]


def test_where_a_limit_was_reached_nothing_of_the_model_is_told() -> None:
    said = everything(told(LIMITED))
    assert SECRET_WORDS not in said
    assert "not reviewed: the limit max_rounds was reached" in said and "E101" in said


def test_what_strangers_send_stays_text_and_fits() -> None:
    nasty = finding(HOSTILE, 1, 2, message=HOSTILE * 60, rule=HOSTILE, origin=HOSTILE)
    many = one(
        model=HOSTILE, run_id=HOSTILE, summary=HOSTILE * 500, message=HOSTILE, findings=(nasty,) * 400,
        blocking_findings=(nasty,) * 400, limitations=(HOSTILE,) * 200,
    )  # fmt: skip
    trace = told(*[many] * 30, message=HOSTILE)
    page = report_page(reported(trace), Redactor({}))
    ElementTree.fromstring(page)
    assert "<script>alert" not in page and "100 more findings left out" in page
    assert len(step_summary(reported(trace)).encode("utf-8", "backslashreplace")) < LONGEST
    body = request_body(trace, (), "c" * 40, "topic")
    assert len(body) <= LONGEST_BODY and "<script>" not in body and " @all" not in body
    assert not any(line.startswith(("::error::x", "##[")) for line in annotation_lines(trace).splitlines())
