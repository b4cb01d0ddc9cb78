"""The order of findings, and which of them block."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from orefactor.core.review.finding import FailOn, ReviewFinding, Severity, SuggestedEdit
from orefactor.core.review.weight import blocks, ranked

FIRST = ReviewFinding("bug", "model", "error", "x.py", 2, 4, "It breaks.", None, 0.5)


@pytest.mark.parametrize(
    "heavier",
    [
        pytest.param((replace(FIRST, path="y.py"), replace(FIRST, severity="warning")), id="severity-before-path"),
        pytest.param((replace(FIRST, start_line=3), replace(FIRST, path="y.py")), id="path-before-line"),
        pytest.param((replace(FIRST, start_line=9), replace(FIRST, start_line=10)), id="lines-are-numbers"),
        pytest.param((replace(FIRST, rule="z"), replace(FIRST, start_line=3)), id="line-before-rule"),
        pytest.param((replace(FIRST, message="z"), replace(FIRST, rule="z")), id="rule-before-message"),
        pytest.param((replace(FIRST, end_line=9), replace(FIRST, message="z")), id="message-before-end"),
        pytest.param((FIRST, replace(FIRST, origin="ruff")), id="origin"),
        pytest.param((replace(FIRST, confidence=None), FIRST), id="confidence"),
        pytest.param((FIRST, replace(FIRST, suggestion=SuggestedEdit("a", "b"))), id="suggestion"),
    ],
)
def test_the_order_depends_on_the_findings_alone(heavier: tuple[ReviewFinding, ReviewFinding]) -> None:
    for order in itertools.permutations([*heavier, *heavier], 3):
        assert ranked(order) == heavier


@pytest.mark.parametrize(
    ("fail_on", "blocking"), [("error", ["error"]), ("warning", ["error", "warning"]), ("never", [])]
)
def test_blocking(fail_on: FailOn, blocking: list[Severity]) -> None:
    severities: list[Severity] = ["error", "warning", "note"]
    assert [each for each in severities if blocks(replace(FIRST, severity=each), fail_on)] == blocking
