"""Intervals and paired tests, held against known values and against what must hold for any numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.evaluation.statistics import mcnemar, mean_interval, paired_difference, share_interval


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # Wilson's interval without continuity correction, as in Newcombe, Statistics in Medicine 17 (1998), table I.
        pytest.param(81, 263, 0.2553, 0.3662, id="newcombe-81-of-263"),
        pytest.param(15, 148, 0.0624, 0.1605, id="newcombe-15-of-148"),
        pytest.param(0, 20, 0.0000, 0.1611, id="newcombe-none"),
        pytest.param(1, 29, 0.0061, 0.1718, id="newcombe-1-of-29"),
        pytest.param(0, 0, 0.0, 1.0, id="nothing"),
    ],
)
def test_shares(hits: int, total: int, low: float, high: float) -> None:
    assert share_interval(hits, total) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_a_share_lies_in_its_interval(counts: tuple[int, int]) -> None:
    hits, total = counts
    low, high = share_interval(hits, total)
    assert 0 <= low <= high <= 1
    if total:
        assert low - 1e-12 <= hits / total <= high + 1e-12


def test_means() -> None:
    values = [1.0, 2.0, 2.0, 3.0, 4.0, 9.0]
    low, high = mean_interval(values)
    assert 1.0 < low < 3.5 < high < 9.0
    assert mean_interval(values) == (low, high)
    assert mean_interval([7.0]) == (7.0, 7.0)
    assert all(math.isnan(end) for end in mean_interval([]))


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        pytest.param(0, 0, 1.0, id="none-differs"),
        pytest.param(1, 9, 22 / 1024, id="one-against-nine"),
        pytest.param(5, 5, 1.0, id="even"),
        pytest.param(0, 6, 2 / 64, id="all-one-way"),
        pytest.param(0, 3000, 0.0, id="thousands"),
    ],
)
def test_outcomes_that_differ(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p)
    assert mcnemar(second, first) == pytest.approx(p)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        pytest.param([], 1.0, id="no-pair"),
        pytest.param([0.0, 0.0], 1.0, id="no-difference"),
        pytest.param([1.0] * 8, 2 / 256, id="all-one-way"),
        pytest.param([1.0, -1.0], 1.0, id="even"),
        pytest.param([3.0, 1.0, 1.0], 2 / 8, id="exact"),
    ],
)
def test_numbers_that_differ(differences: list[float], p: float) -> None:
    assert paired_difference(differences) == pytest.approx(p)


def test_many_numbers_are_sampled_with_a_fixed_seed() -> None:
    noise = [(-1.0) ** place * (place % 7 + 1) for place in range(60)]
    assert paired_difference(noise) == paired_difference(noise) > 0.2
    assert paired_difference([abs(each) for each in noise]) < 0.01
