"""The statistics of the scoreboard: intervals of medians, the Mann-Whitney test, and the Vargha-Delaney effect size."""

import itertools
import math
import random
from collections.abc import Sequence
from statistics import median

# Up to so many ways to deal the values into two groups, all are tried.
EXACT_LIMIT = 20_000
RESAMPLES = 2_000


def interval(values: Sequence[float], level: float = 0.95, seed: int = 1) -> tuple[float, float]:
    """A percentile bootstrap interval of the median; the same values give the same interval."""
    if not values:
        raise ValueError("no values")
    chance = random.Random(seed)
    medians = sorted(median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    tail = (1 - level) / 2
    return medians[math.floor(tail * RESAMPLES)], medians[math.ceil((1 - tail) * RESAMPLES) - 1]


def wins(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The Mann-Whitney U of ours: pairs that we win, ties as halves."""
    return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in ours for b in theirs)


def a12(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Vargha and Delaney's A12: the chance that one of ours is larger than one of theirs."""
    return wins(ours, theirs) / (len(ours) * len(theirs))


def mann_whitney(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Two-sided p: by all ways to deal the values into the groups if they are few, else by the normal approximation."""
    n, m = len(ours), len(theirs)
    if n == 0 or m == 0:
        raise ValueError("no values")
    off = abs(wins(ours, theirs) - n * m / 2)
    pool = [*ours, *theirs]
    if math.comb(n + m, n) <= EXACT_LIMIT:
        ranks = mid_ranks(pool)
        middle = n * (n + m + 1) / 2
        deals = list(itertools.combinations(ranks, n))
        return sum(abs(sum(deal) - middle) >= off - 1e-9 for deal in deals) / len(deals)
    ties = sum(count**3 - count for count in (pool.count(value) for value in set(pool)))
    size = n + m
    variance = n * m / 12 * (size + 1 - ties / (size * (size - 1)))
    if variance <= 0:
        return 1.0
    return min(1.0, math.erfc(max(0.0, off - 0.5) / math.sqrt(2 * variance)))


def mid_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, equal ones sharing the middle of theirs."""
    order = sorted(values)
    first = {value: index for index, value in reversed(list(enumerate(order)))}
    return [first[value] + (order.count(value) + 1) / 2 for value in values]
