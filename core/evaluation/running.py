"""Runs a suite over its arms: what is missing only, side by side, within a ceiling of money."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from orefactor import __version__

from ..errors import ExitCode, RunStopped, UserError
from .attempting import Attempting, attempt
from .measuring import unstarted
from .results import Results
from .task import Arm, Attempt, Suite, Task

_TURN = 0.2
"""Seconds after which a signal is noticed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run.

    Attributes:
        repeats: of each task in each arm.
        jobs: attempts at once.
        max_cost: USD of all attempts together, those that were done before included; None for no ceiling.
    """

    suite: Suite
    arms: Sequence[Arm]
    repeats: int = 1
    jobs: int = 1
    max_cost: float | None = None
    user_settings: bool = True

    def pairs(self) -> list[tuple[Task, Arm, int]]:
        """Every attempt: a task in all arms before the next task, so that what is stopped early can be compared."""
        return [
            (task, arm, repeat)
            for repeat in range(1, self.repeats + 1)
            for task in self.suite.tasks
            for arm in self.arms
        ]


def evaluate(
    wanted: Wanted, results: Results, done: Callable[[Attempt, int, int], None] = lambda _attempt, _number, _all: None
) -> tuple[Attempt, ...]:
    """Run what is missing, and give all attempts, those that were done before included.

    Args:
        done: told of each attempt that has ended, with its number and how many there are.

    Raises:
        UserError: the folder holds another evaluation, an arm can't begin with its first task, or the money is used up.
    """
    results.begin(wanted.suite, wanted.arms, __version__)
    known = {(each.task, each.arm, each.repeat): each for each in results.read()}
    missing = [pair for pair in wanted.pairs() if (pair[0].name, pair[1].name, pair[2]) not in known]
    spent = _Spent(wanted.max_cost, known.values())
    total, number = len(missing) + len(known), len(known)
    stopping = threading.Event()
    working = {each.arm for each in known.values()}

    def run_one(task: Task, arm: Arm, repeat: int) -> Attempt:
        left = spent.reserve()
        common = Attempting(results.runs, wanted.user_settings, left, stopping.is_set)
        try:
            found = attempt(task, arm, repeat, common)
        except (UserError, RunStopped) as error:
            if error.exit_code is ExitCode.USAGE or arm.name not in working:
                raise  # the arm itself is wrong, such as without a key
            found = unstarted(task.name, arm.name, repeat, error)
        working.add(arm.name)
        spent.add(found)
        return found

    with ThreadPoolExecutor(wanted.jobs) as pool:
        try:
            running: set[Future[Attempt]] = set()
            for pair in missing:
                while len(running) >= wanted.jobs:
                    running, number = _collect(running, results, done, number, total)
                running.add(pool.submit(run_one, *pair))
            while running:
                running, number = _collect(running, results, done, number, total)
        except BaseException:
            stopping.set()
            pool.shutdown(cancel_futures=True)
            raise
    return results.read()


def _collect(
    running: set[Future[Attempt]],
    results: Results,
    done: Callable[[Attempt, int, int], None],
    number: int,
    total: int,
) -> tuple[set[Future[Attempt]], int]:
    ended, left = wait(running, _TURN, FIRST_COMPLETED)
    for future in ended:
        found = future.result()
        if found.status == "cancelled":
            continue  # it is run again when the evaluation goes on
        results.add(found)
        number += 1
        done(found, number, total)
    return left, number


class _Spent:
    """What all attempts have cost; those that run side by side share what is left."""

    def __init__(self, most: float | None, known: Iterable[Attempt]) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._spent = sum((each.cost or 0.0 for each in known), 0.0)

    def reserve(self) -> float | None:
        """What an attempt may cost.

        Raises:
            UserError: nothing is left.
        """
        if self._most is None:
            return None
        with self._lock:
            left = self._most - self._spent
        if left <= 0:
            raise UserError(
                f"the attempts have cost {self._spent:.4f} USD, and no more than {self._most:g} are allowed",
                hint="give it more with `--max-cost USD`; what was done is kept",
            )
        return left

    def add(self, attempt: Attempt) -> None:
        with self._lock:
            self._spent += attempt.cost or 0.0
