"""The few statistics that an evaluation needs: intervals, and paired tests that say whether a difference is noise.

Exact or with a fixed seed, so that the same results always give the same words. Sources: E. B. Wilson, Probable
inference, JASA 22 (1927); Q. McNemar, Psychometrika 12 (1947), in its exact form; R. A. Fisher's randomisation test of
paired differences, The Design of Experiments (1935), section 21.
"""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist, fmean

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
_RESAMPLED = 2000
_EXACT = 12
"""Pairs up to which every assignment of signs is tried."""
_SEED = 0

Interval = tuple[float, float]


def share_interval(hits: int, total: int) -> Interval:
    """The Wilson interval of a share, between 0 and 1; the whole range where there is nothing."""
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, _Z * _Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _Z / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(values: Sequence[float]) -> Interval:
    """The percentile bootstrap interval of a mean; the value itself where there is one, NaN where there is none."""
    if len(values) < 2:
        only = values[0] if values else math.nan
        return only, only
    chance = random.Random(_SEED)  # noqa: S311 - the same results give the same words
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(_RESAMPLED))
    cut = int(_RESAMPLED * (1 - CONFIDENCE) / 2)
    return means[cut], means[-cut - 1]


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value of paired yes-or-no outcomes, from the pairs that differ."""
    total, less = only_first + only_second, min(only_first, only_second)
    if total == 0:
        return 1.0
    tail = sum(math.comb(total, count) for count in range(less + 1))
    # As whole numbers: a power of two of thousands of pairs is no float.
    return min(1.0, float(Fraction(2 * tail, 2**total)))


def paired_difference(differences: Sequence[float]) -> float:
    """The two-sided p-value of paired numbers' differences, under random signs; exact for few pairs."""
    told = [difference for difference in differences if difference != 0]
    if not told:
        return 1.0
    seen = abs(math.fsum(told)) - 1e-12
    if len(told) <= _EXACT:
        every = itertools.product((1, -1), repeat=len(told))
        extreme = sum(abs(math.fsum(map(operator.mul, signs, told))) >= seen for signs in every)
        return extreme / (1 << len(told))
    chance = random.Random(_SEED)  # noqa: S311 - as above
    extreme = sum(abs(math.fsum(d if chance.random() < 0.5 else -d for d in told)) >= seen for _ in range(_RESAMPLED))
    return (extreme + 1) / (_RESAMPLED + 1)
