"""What the attempts of an evaluation say: the figures of each arm with their intervals, and what differs between two.

Two arms are compared task by task: only tasks that both have tried count, repeats of a task as their mean. So a
difference between tasks is no difference between arms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from .statistics import Interval, mcnemar, mean_interval, paired_difference, share_interval
from .task import Attempt

SIGNIFICANT = 0.05

Read = Callable[[Attempt], "float | None"]
SHARES: Mapping[str, Callable[[Attempt], bool | None]] = {
    "landed": lambda each: each.landed,
    "passed": lambda each: bool(each.passed),
    "first edit well formed": lambda each: each.first_edit,
}
"""Yes or no; None leaves an attempt out."""
MEANS: Mapping[str, Read] = {
    "rounds": lambda each: float(each.rounds),
    "edits": lambda each: float(each.edits),
    "edits refused": lambda each: float(sum(each.refused.values())),
    "tokens in": lambda each: float(each.prompt_tokens),
    "tokens cached": lambda each: float(each.cached_tokens),
    "tokens out": lambda each: float(each.completion_tokens),
    "cost, USD": lambda each: each.cost,
    "seconds": lambda each: each.seconds,
    "lines beyond need": lambda each: None if each.beyond is None else float(each.beyond),
    "out of scope": lambda each: float(each.out_of_scope),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of an arm: its value with the interval around it, and of how many attempts it is."""

    value: float | None
    interval: Interval
    count: int
    hits: int | None = None


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """One arm. `refused`: edits by why they were refused; `reasons`: how its attempts ended."""

    arm: str
    attempts: int
    figures: Mapping[str, Figure]
    refused: Mapping[str, int]
    reasons: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of two arms, over the tasks that both have tried.

    Attributes:
        p: how likely chance alone gives a difference as large, two-sided.
        better, worse: of a share, tasks that only the second arm, or only the first, has got.
    """

    figure: str
    first: float
    second: float
    pairs: int
    p: float
    better: int = 0
    worse: int = 0

    @property
    def is_more_than_noise(self) -> bool:
        """Whether chance alone hardly gives it."""
        return self.p < SIGNIFICANT


def summarize(attempts: Iterable[Attempt]) -> tuple[ArmSummary, ...]:
    """Each arm's figures, in the order in which arms first come."""
    by_arm: dict[str, list[Attempt]] = {}
    for each in attempts:
        by_arm.setdefault(each.arm, []).append(each)
    return tuple(_summary(arm, found) for arm, found in by_arm.items())


def _summary(arm: str, attempts: Sequence[Attempt]) -> ArmSummary:
    figures = {name: _share(attempts, read) for name, read in SHARES.items()}
    figures |= {name: _mean(attempts, read) for name, read in MEANS.items()}
    refused: Counter[str] = Counter()
    for each in attempts:
        refused.update(each.refused)
    reasons = Counter(each.reason for each in attempts)
    return ArmSummary(arm, len(attempts), figures, dict(refused.most_common()), dict(reasons.most_common()))


def _share(attempts: Sequence[Attempt], read: Callable[[Attempt], bool | None]) -> Figure:
    told = [value for each in attempts if (value := read(each)) is not None]
    hits = sum(told)
    return Figure(hits / len(told) if told else None, share_interval(hits, len(told)), len(told), hits)


def _mean(attempts: Sequence[Attempt], read: Read) -> Figure:
    told = [value for each in attempts if (value := read(each)) is not None]
    return Figure(fmean(told) if told else None, mean_interval(told), len(told))


def compare(first: Sequence[Attempt], second: Sequence[Attempt]) -> tuple[Difference, ...]:
    """What differs between two arms' attempts, task by task."""
    found = [_shares_differ(name, read, first, second) for name, read in SHARES.items()]
    found += [_means_differ(name, read, first, second) for name, read in MEANS.items()]
    return tuple(each for each in found if each is not None)


def _shares_differ(
    name: str, read: Callable[[Attempt], bool | None], first: Sequence[Attempt], second: Sequence[Attempt]
) -> Difference | None:
    pairs = _paired(lambda each: None if (value := read(each)) is None else float(value), first, second)
    if not pairs:
        return None
    # With repeats, whichever way most of them went is the task's outcome.
    better = sum(a < 0.5 <= b for a, b in pairs)
    worse = sum(b < 0.5 <= a for a, b in pairs)
    means = fmean(a for a, _ in pairs), fmean(b for _, b in pairs)
    return Difference(name, *means, len(pairs), mcnemar(worse, better), better, worse)


def _means_differ(name: str, read: Read, first: Sequence[Attempt], second: Sequence[Attempt]) -> Difference | None:
    pairs = _paired(read, first, second)
    if not pairs:
        return None
    means = fmean(a for a, _ in pairs), fmean(b for _, b in pairs)
    return Difference(name, *means, len(pairs), paired_difference([b - a for a, b in pairs]))


def _paired(read: Read, first: Sequence[Attempt], second: Sequence[Attempt]) -> list[tuple[float, float]]:
    one, other = _by_task(read, first), _by_task(read, second)
    return [(one[task], other[task]) for task in one if task in other]


def _by_task(read: Read, attempts: Sequence[Attempt]) -> dict[str, float]:
    told: dict[str, list[float]] = {}
    for each in attempts:
        value = read(each)
        if value is not None:
            told.setdefault(each.task, []).append(value)
    return {task: fmean(values) for task, values in told.items()}
