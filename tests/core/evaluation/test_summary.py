"""The figures of arms, and what differs between two of them."""

from __future__ import annotations

import pytest
from attempts import failed_attempt, made_attempt

from orefactor.core.evaluation.summary import compare, summarize


def test_the_figures_of_an_arm() -> None:
    found = [made_attempt("a"), made_attempt("b", passed=False, rounds=8, beyond=4), failed_attempt("c", "one")]
    [arm] = summarize(found)
    assert (arm.arm, arm.attempts) == ("one", 3)
    names = ["landed", "passed", "first edit well formed", "rounds", "lines beyond need", "cost, USD"]
    assert [arm.figures[name].value for name in names] == pytest.approx([2 / 3, 1 / 3, 2 / 3, 16 / 3, 2, 0.01])
    assert [arm.figures[name].count for name in names] == [3, 3, 3, 3, 2, 2]
    assert arm.figures["landed"].hits == 2
    assert arm.refused == {"not found": 1, "several places": 1}
    assert arm.reasons == {"delivered": 2, "limit:max_iterations": 1}


def test_an_arm_without_a_figure() -> None:
    [arm] = summarize([made_attempt(cost=None, first_edit=None)])
    assert (arm.figures["cost, USD"].value, arm.figures["first edit well formed"].value) == (None, None)
    assert summarize([]) == ()


def test_a_difference_that_is_more_than_noise() -> None:
    tasks = [f"task{number}" for number in range(10)]
    first = [failed_attempt(task, "one") for task in tasks]
    second = [made_attempt(task, "two", rounds=9) for task in tasks]
    told = {each.figure: each for each in compare(first, second)}
    landed = told["landed"]
    assert (landed.first, landed.second, landed.better, landed.worse, landed.pairs) == (0, 1, 10, 0, 10)
    assert landed.p == pytest.approx(2 / 1024) and landed.is_more_than_noise
    assert told["rounds"].is_more_than_noise
    assert not told["seconds"].is_more_than_noise
    assert "lines beyond need" not in told  # nothing to pair


def test_only_tasks_of_both_count_and_repeats_as_their_mean() -> None:
    first = [made_attempt("a", rounds=2), made_attempt("a", rounds=4, repeat=2), made_attempt("x", rounds=100)]
    second = [made_attempt("a", "two", rounds=5), made_attempt("y", "two", rounds=100)]
    rounds = next(each for each in compare(first, second) if each.figure == "rounds")
    assert (rounds.first, rounds.second, rounds.pairs, rounds.p) == (3, 5, 1, 1.0)
    assert compare(first, []) == ()
