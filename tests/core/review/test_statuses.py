"""A review's result as two statuses of a commit: which state, and which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from review_traces import finding, make_review, review_trace

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.review.result import ReviewResult
from orefactor.core.review.reviewed_change import ReviewedChange
from orefactor.core.review.statuses import broken_statuses, review_statuses
from orefactor.sandbox.base import Base

COMMIT = "e" * 40
SAID = "MODEL SAID @everyone"
CHANGE = ReviewedChange(
    "main..topic", "c" * 40, "d" * 40, Base("main..topic", COMMIT, "f" * 40, COMMIT), (), {}, {}, b"", 0, True
)
NOTE = finding(severity="note", message=SAID)
OF_CHECK = finding(origin="ruff", message="ruff said", confidence=None)


def make_result(exit_code: int, review: dict[str, Any], **trace: Any) -> ReviewResult:
    """A result of these facts."""
    made = review_trace(make_review(**review), **{"exit_code": exit_code, **trace})
    return ReviewResult(ExitCode(exit_code), made.message, "", made, Path("trace.json"), CHANGE, {})


def stopped(reason: str, status: str, code: int, message: str = "", **review: Any) -> ReviewResult:
    """A review that was not finished."""
    facts = {"outcome": "not_reviewed", "reason": reason, "verdict": None, "blocking_findings": (), "findings": ()}
    return make_result(code, {**facts, **review}, status=status, reason=reason, message=message)


LIMIT = "deliberation_limit:max_rounds was reached, so that nothing of the model's counts"
CASES: dict[str, tuple[ReviewResult, tuple[str, str], tuple[str, str]]] = {
    "approved": (
        make_result(0, {"verdict": "approve", "reason": "reviewed", "findings": (), "blocking_findings": (),
                        "dropped": 0, "summary": SAID}),
        ("success", "approved: no findings"),
        ("success", "passed: nothing blocks with fail-on error; no findings"),
    ),
    "commented": (
        make_result(0, {"verdict": "comment", "reason": "reviewed", "findings": (NOTE,), "blocking_findings": ()}),
        ("success", "commented: 1 note, 1 dropped"),
        ("success", "passed: nothing blocks with fail-on error; 1 note, 1 dropped"),
    ),
    "changes requested, nothing blocks": (
        make_result(0, {"reason": "reviewed", "findings": (NOTE,), "blocking_findings": (), "fail_on": "never"}),
        ("failure", "changes requested: 1 note, 1 dropped"),
        ("success", "passed: nothing blocks with fail-on never; 1 note, 1 dropped"),
    ),
    "blocked": (
        make_result(1, {"summary": SAID}),
        ("failure", "changes requested: 2 errors, 1 warning, 1 note, 1 dropped"),
        ("failure", "blocking:model: 2 blocking findings with fail-on error: 1 of the model, 1 of `ruff`"),
    ),
    "a check blocks what the model approves": (
        make_result(1, {"verdict": "approve", "reason": "blocking:ruff", "findings": (OF_CHECK,), "dropped": 0,
                        "blocking_findings": (OF_CHECK,)}),
        ("success", "approved: 1 error"),
        ("failure", "blocking:ruff: 1 blocking finding of `ruff` with fail-on error"),
    ),
    "no change": (
        make_result(0, {"verdict": None, "reason": "no_change", "findings": (), "blocking_findings": ()}),
        ("success", "there is no change to review"),
        ("success", "passed: there is no change to review"),
    ),
    "unreadable": (
        make_result(1, {"outcome": "inconclusive", "verdict": None, "reason": "model:unreadable_answer",
                        "findings": (), "blocking_findings": (), "limitations": ("the answer is no JSON",)}),
        ("failure", "model review inconclusive: the answer is no JSON"),
        ("failure", "model:unreadable_answer: the answer is no JSON"),
    ),
    "inconclusive, and let pass": (
        make_result(0, {"outcome": "inconclusive", "reason": "check:mypy", "findings": (), "blocking_findings": (),
                        "limitations": ("mypy is not installed", "ruff broke")}),
        ("failure", "model review inconclusive: mypy is not installed; ruff broke"),
        ("success", "passed, though the review is inconclusive: check:mypy"),
    ),
    "inconclusive without a word": (
        make_result(6, {"outcome": "inconclusive", "reason": "check:mypy", "findings": (), "blocking_findings": ()}),
        ("failure", "model review inconclusive: check:mypy"),
        ("failure", "check:mypy: the check `mypy`"),
    ),
    "limit of the deliberation": (
        stopped("deliberation_limit:max_rounds", "limit", 1, SAID, summary=SAID, verdict="approve", findings=(NOTE,)),
        ("failure", f"not reviewed: {LIMIT}"),
        ("failure", LIMIT),
    ),
    "other limit": (
        stopped("limit:max_cost", "limit", 4, SAID),
        ("failure", "not reviewed: limit:max_cost was reached, so that nothing of the model's counts"),
        ("failure", "limit:max_cost was reached, so that nothing of the model's counts"),
    ),
    "provider": (
        stopped("provider:server_error", "error", 5, "deepseek failed (HTTP 500)"),
        ("error", "not reviewed: provider:server_error: deepseek failed (HTTP 500)"),
        ("error", "provider:server_error: deepseek failed (HTTP 500)"),
    ),
    "interrupted": (
        stopped("interrupted", "cancelled", 130),
        ("error", "not reviewed: interrupted"),
        ("error", "interrupted"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("result", "review", "gate"), CASES.values(), ids=CASES.keys())
def test_the_two_statuses(result: ReviewResult, review: tuple[str, str], gate: tuple[str, str]) -> None:
    first, second = review_statuses(result)
    assert (first.commit, first.context, second.commit, second.context) == (
        COMMIT, "orefactor/review", COMMIT, "orefactor/gate",
    )  # fmt: skip
    assert ((first.state, first.description), (second.state, second.description)) == (review, gate)
    assert SAID not in first.description + second.description
    assert (second.state == "success") == (result.exit_code == 0)


def test_a_server_s_words_are_short_and_inert() -> None:
    words = "x" * 120 + " @everyone \x1b[2J" * 50
    for status in review_statuses(stopped("provider:refused", "error", 5, words)):
        assert len(status.description) <= 140
        assert "@everyone" not in status.description and "\x1b" not in status.description


def test_a_review_that_could_not_begin() -> None:
    error = UserError("there is no key", hint="set it", exit_code=ExitCode.PROVIDER)
    assert [(each.commit, each.state, each.context, each.description) for each in broken_statuses(COMMIT, error)] == [
        (COMMIT, "error", "orefactor/review", "not reviewed: there is no key"),
        (COMMIT, "error", "orefactor/gate", "provider: there is no key"),
    ]
