"""What is said of the reviews of a result: while they go on, and when the run has ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ci_traces import make_trace

from orefactor.cli.progress.board import Board
from orefactor.cli.progress.lines import Lines, Told
from orefactor.cli.progress.sections import Sections, github_section
from orefactor.cli.progress.totals import Totals
from orefactor.cli.result_review_words import last_review_words
from orefactor.core import events
from orefactor.core.messages import Usage
from orefactor.core.review.finding import ReviewFinding

ID = "20300101T000000-abcdef"
FOUND = ReviewFinding("bug", "model", "error", "x.py", 2, 3, "No\n\x1b[2J.")
BEGUN = events.ResultReviewBegun("second\x1b")
BLOCKED = events.ResultReviewed(
    ID, 2, "m", "c" * 40, "t" * 40, "reviewed", "blocking:model", "1 finding blocks", "request_changes", "Look.",
    (FOUND,), 0, (FOUND,), "error", (), Usage(1000, 0, 10, 1), 0.5,
)  # fmt: skip
PASSED = replace(BLOCKED, reason="reviewed", verdict="approve", findings=(), blocking=(), cost_usd=None)
UNDONE = replace(PASSED, outcome="not_reviewed", verdict=None, message="the limit max_rounds was reached")
NOWHERE = replace(FOUND, path="", start_line=0)
MANY = replace(BLOCKED, blocking=(FOUND, NOWHERE, FOUND, FOUND, FOUND, FOUND))
PLACED = r"      x.py:2: No \x1b[2J."


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        pytest.param(BEGUN, Told(r"reviewing the result with second\x1b"), id="begun"),
        pytest.param(events.ResultReviewBegun(""), Told("reviewing the result"), id="without a model"),
        pytest.param(PASSED, Told("  ✓ review: approved, no findings"), id="passed"),
        pytest.param(UNDONE, Told("  ✗ review: not reviewed: the limit max_rounds was reached", True), id="undone"),
        pytest.param(
            BLOCKED, Told("  ✗ review: changes requested, 1 error, 1 blocking", True, (PLACED,)), id="blocked"
        ),
        pytest.param(
            MANY,
            Told(
                "  ✗ review: changes requested, 1 error, 6 blocking",
                True,
                (PLACED, r"      No \x1b[2J.", PLACED, f"      … 3 more line(s): `git orefactor show {ID}`"),
            ),
            id="blocked by many",
        ),
    ],
)
def test_lines(event: events.Event, expected: Told) -> None:
    assert Lines().told(event) == expected


def test_what_a_review_uses_is_summed_and_its_rounds_are_not() -> None:
    totals = Totals()
    totals.listen(BLOCKED)
    assert (totals.rounds, totals.words()) == (0, ["1.0k tokens", "$0.5000"])
    totals.listen(PASSED)
    assert (totals.usage.requests, totals.cost) == (2, None)


def test_the_live_view_says_that_it_is_reviewed() -> None:
    board = Board(0.0, 0.0)
    board.listen(BEGUN, 1.0)
    assert "reviewing the result" in board.rows(2.0, 80)[0].text


def test_it_stands_outside_of_sections() -> None:
    written: list[str] = []
    sections = Sections(github_section, written.append)
    sections.listen(events.ChecksStarted(("ruff",)))
    sections.listen(BEGUN)
    assert written == ["::group::checks", "::endgroup::"]


def review(**changed: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "commit": "c" * 40,
        "tree": "t" * 40,
        "outcome": "reviewed",
        "verdict": "approve",
        "usage": {},
    }
    return {**made, **changed}


@pytest.mark.parametrize(
    ("reviews", "words"),
    [
        pytest.param((), "", id="none"),
        pytest.param((review(),), "approved, no findings", id="one"),
        pytest.param((review(verdict="comment"), review()), "approved, no findings, after 1 that went back", id="two"),
    ],
)
def test_the_last_word(reviews: tuple[dict[str, Any], ...], words: str) -> None:
    assert last_review_words(make_trace(reviews=reviews)) == words
