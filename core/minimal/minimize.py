"""Drops hunks whose removal keeps everything green: delta debugging, bounded and repeatable.

The algorithm is ddmin (Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), looking for the
smallest part that still passes in place of the smallest that still fails. It leaves out everything, then halves, then
quarters, then ever smaller parts, so that it takes few trials where much can go, and ends where no single hunk can.
Of its two steps only "reduce to complement" is made; the other saves no trial where most of a change is needed.

Two hunks that only together could go may both stay, as with any method that isn't exponential.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Budget:
    """What the search may cost.

    Attributes:
        max_trials: runs of the checks.
        max_seconds: wall time after which no further one is begun; one that runs is not cut off.
        clock: gives seconds.
    """

    max_trials: int = 40
    max_seconds: float = 600.0
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class Minimized(Generic[T]):
    """What is left.

    Attributes:
        kept: in the order that they came in.
        trials: how often the checks ran.
        is_minimal: whether no single one of the droppable hunks could go; False where the budget ran out before.
    """

    kept: tuple[T, ...]
    trials: int
    is_minimal: bool


def minimize(
    hunks: Sequence[T],
    stages: Sequence[Collection[T]],
    passes: Callable[[tuple[T, ...]], bool],
    budget: Budget = Budget(),
) -> Minimized[T]:
    """Find a smaller choice of hunks that passes.

    Args:
        hunks: all of the change; these have passed already and are not tried again.
        stages: which of them may go: those of the first collection are tried first, then those of the next together
            with what is left of the earlier ones. What stands in none of them is never dropped.
        passes: whether a choice of the hunks, in their order, passes all checks. What is returned has passed.
            It is asked at most once for each choice, and never for none.
    """
    search = _Search(tuple(hunks), passes, budget)
    droppable: set[T] = set()
    try:
        for stage in stages:
            droppable.update(stage)
            search.drop(droppable)
    except _BudgetSpent:
        return Minimized(search.kept, search.trials, is_minimal=False)
    return Minimized(search.kept, search.trials, is_minimal=True)


class _BudgetSpent(Exception):
    """The next trial would be one too many."""


class _Search(Generic[T]):
    """The smallest choice so far, and what has been tried."""

    def __init__(self, hunks: tuple[T, ...], passes: Callable[[tuple[T, ...]], bool], budget: Budget) -> None:
        self.kept = hunks
        self.trials = 0
        self._passes = passes
        self._budget = budget
        self._end = budget.clock() + budget.max_seconds
        self._failed: set[frozenset[T]] = set()

    def drop(self, droppable: Collection[T]) -> None:
        """Drop what can go of these, until no single one can.

        Raises:
            _BudgetSpent: before that.
        """
        parts = 1
        while loose := [hunk for hunk in self.kept if hunk in droppable]:
            parts = min(parts, len(loose))
            if any(self._can_go(part) for part in _parts(loose, parts)):
                parts = max(parts - 1, min(2, len(loose)))
            elif parts == len(loose):
                return
            else:
                parts *= 2

    def _can_go(self, part: Sequence[T]) -> bool:
        gone = frozenset(part)
        choice = tuple(hunk for hunk in self.kept if hunk not in gone)
        if not choice or frozenset(choice) in self._failed:
            return False
        if self.trials >= self._budget.max_trials or self._budget.clock() >= self._end:
            raise _BudgetSpent
        self.trials += 1
        if self._passes(choice):
            self.kept = choice
            return True
        self._failed.add(frozenset(choice))
        return False


def _parts(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """The items in so many parts, as even as can be, in order."""
    bounds = [len(items) * number // count for number in range(count + 1)]
    return [items[start:stop] for start, stop in pairwise(bounds)]
