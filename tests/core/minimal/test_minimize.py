"""Delta debugging over hunks: what stays has passed, and nothing more could go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orefactor.core.minimal.minimize import Budget, Minimized, minimize

PLENTY = Budget(max_trials=100_000)
ALL = tuple("abcdefgh")
Choice = tuple[str, ...]


def frees(choice: Choice) -> bool:
    """Without `c` only where `d` has gone too."""
    return "c" in choice or "d" not in choice


def needs(*needed: str) -> Callable[[Choice], bool]:
    """Passes where all of these are there."""
    return lambda choice: set(needed) <= set(choice)


@pytest.mark.parametrize(
    ("stages", "passes", "kept"),
    [
        pytest.param([], needs(), ALL, id="nothing may go"),
        pytest.param([()], needs(), ALL, id="an empty stage"),
        pytest.param([ALL[2:]], needs(), ("a", "b"), id="all that may go goes"),
        pytest.param([ALL[2:]], needs("e"), ("a", "b", "e"), id="one is needed"),
        pytest.param([ALL[2:]], needs("c", "h"), ("a", "b", "c", "h"), id="two far apart are needed"),
        pytest.param([ALL[2:]], needs(*ALL), ALL, id="all are needed"),
        pytest.param([("c", "x")], needs(), tuple("abdefgh"), id="an unknown one"),
        pytest.param([("c", "d"), ("e", "f")], needs("c", "e"), tuple("abcegh"), id="two stages"),
        pytest.param(
            [("c",), ("d",)],
            frees,
            tuple("abefgh"),
            id="a later stage frees an earlier",
        ),
        pytest.param([ALL], needs(), ("h",), id="never none at all"),
    ],
)
def test_what_is_kept(stages: list[Choice], passes: Callable[[Choice], bool], kept: Choice) -> None:
    found = minimize(ALL, stages, passes, PLENTY)
    assert (found.kept, found.is_minimal) == (kept, True)


def test_one_hunk_that_nobody_asked_for_stays() -> None:
    assert minimize(("a",), [("a",)], needs(), PLENTY) == Minimized(("a",), 0, is_minimal=True)


def test_few_trials_where_everything_can_go() -> None:
    many = tuple(map(str, range(1000)))
    assert minimize(many, [many[1:]], lambda _: True) == Minimized(("0",), 1, is_minimal=True)


@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_the_trials_are_bounded(most: int) -> None:
    asked: list[Choice] = []

    def passes(choice: Choice) -> bool:
        asked.append(choice)
        return {"a", "e", "h"} <= set(choice)

    found = minimize(ALL, [ALL], passes, Budget(max_trials=most))
    assert (len(asked), found.trials, found.is_minimal) == (most, most, False)
    assert found.kept == ALL or found.kept in asked


def test_the_time_is_bounded() -> None:
    now = iter(range(100))
    found = minimize(ALL, [ALL], needs("a", "h"), Budget(100, 3.0, lambda: float(next(now))))
    assert (found.trials, found.is_minimal) == (2, False)


def test_what_the_checks_raise_comes_through() -> None:
    def passes(_: Choice) -> bool:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        minimize(ALL, [ALL], passes)


@settings(max_examples=200)
@given(st.data())
def test_what_is_kept_has_passed_and_is_minimal(data: st.DataObject) -> None:
    hunks = tuple(range(data.draw(st.integers(1, 9))))
    numbers = st.sampled_from(hunks)
    stages = data.draw(st.lists(st.sets(numbers), max_size=3))
    # A choice passes that holds some whole group; none of them has to be monotone in any way but that.
    groups = [*data.draw(st.lists(st.sets(numbers), max_size=3)), set(hunks)]
    forbidden = data.draw(st.lists(st.sets(numbers, min_size=1), max_size=3))
    asked: dict[tuple[int, ...], bool] = {hunks: True}

    def passes(choice: tuple[int, ...]) -> bool:
        assert choice
        assert choice not in asked
        asked[choice] = any(group <= set(choice) for group in groups) and set(choice) not in forbidden
        return asked[choice]

    found = minimize(hunks, stages, passes, PLENTY)
    assert found.is_minimal
    assert asked[found.kept]
    droppable = {hunk for stage in stages for hunk in stage}
    assert set(hunks) - droppable <= set(found.kept)
    for hunk in droppable & set(found.kept):
        without = tuple(other for other in found.kept if other != hunk)
        assert not without or not asked[without]
    again = minimize(hunks, stages, asked.__getitem__, PLENTY)
    assert again == found
