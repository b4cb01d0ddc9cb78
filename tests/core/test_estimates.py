"""How many tokens a request is expected to have."""

from __future__ import annotations

import pytest

from orefactor.core.estimates import Estimator, estimate_tokens


def test_estimates_are_rather_high() -> None:
    assert (estimate_tokens(0), estimate_tokens(330), estimate_tokens(333)) == (1, 101, 101)
    assert Estimator().prompt_tokens(330) == 101


@pytest.mark.parametrize(
    ("characters", "reported", "expected"),
    [
        pytest.param(1000, 250, 501, id="fewer-than-thought"),
        pytest.param(1000, 800, 1601, id="more-than-thought"),
        pytest.param(1000, 1, 251, id="no-measure-too-few"),
        pytest.param(1000, 90_000, 4001, id="no-measure-too-many"),
        pytest.param(1000, 0, 607, id="nothing-reported"),
        pytest.param(0, 10, 607, id="nothing-sent"),
    ],
)
def test_a_report_corrects_the_next_estimate(characters: int, reported: int, expected: int) -> None:
    estimator = Estimator()
    estimator.learn(characters, reported)
    assert estimator.prompt_tokens(2000) == expected


def test_the_last_report_counts() -> None:
    estimator = Estimator()
    estimator.learn(1000, 800)
    estimator.learn(1000, 500)
    assert estimator.prompt_tokens(1000) == 501
