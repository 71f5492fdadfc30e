"""Rank sums: the exact null distribution of Wilcoxon's statistic, with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.estimates.results import Alternative

__all__ = ["exact_rank_pvalue", "is_feasible", "rank_sum_distribution"]

Scores = NDArray[np.int64]

_WORK = 5e8  # sums at most: about a second


def exact_rank_pvalue(midranks: Floats, label: Bools, alternative: Alternative) -> float:
    """Return the exact p-value of the rank sum of x, given midranks and labels, (N,) both.

    Two-sided it is the share of relabelings whose sum is as far from its mean as the observed one;
    without ties the distribution is symmetric and this is twice the smaller tail.
    """
    scores = _whole_scores(midranks)
    swapped = 2 * np.count_nonzero(label) > label.size  # deal to the smaller group
    chosen = ~label if swapped else label
    m = int(np.count_nonzero(chosen))
    chance = rank_sum_distribution(scores, m)
    # N times the deviation from the mean, in whole numbers.
    away = scores.size * np.arange(chance.size) - m * int(scores.sum())
    away = -away if swapped else away
    limit = away[int(scores[chosen].sum())]
    if alternative == "two-sided":
        extreme = np.abs(away) >= abs(limit)
    else:
        extreme = away >= limit if alternative == "greater" else away <= limit
    return min(float(chance[extreme].sum()), 1.0)


def rank_sum_distribution(scores: Scores, m: int) -> Floats:
    """Return the probability of every sum of m of the N scores, whole numbers from 0.

    The shift algorithm (Streitberg & Roehmel 1986) on probabilities: as the scores are dealt one
    by one, the next falls to x with probability (m - j) / (N - i), where j of i have before. All
    terms are positive, so tails are exact to rounding, and nothing overflows.
    """
    size = scores.size
    most = int(np.sort(scores)[size - m :].sum())
    chance = np.zeros((m + 1, most + 1))
    chance[0, 0] = 1.0
    taken = np.arange(m + 1.0)[:, np.newaxis]
    reached = 0
    for i, score in enumerate(np.sort(scores).tolist()):
        top = min(i, m - 1) + 1  # this many rows may take one more
        width = min(reached, most - score) + 1
        moved = chance[:top, :width] * ((m - taken[:top]) / (size - i))
        stay = (size - m - i + taken[: min(i, m) + 1]) / (size - i)
        chance[: min(i, m) + 1, : reached + 1] *= np.maximum(stay, 0.0)
        chance[1 : top + 1, score : score + width] += moved
        reached = min(reached + score, most)
    return np.asarray(chance[m])


def is_feasible(midranks: Floats, m: int) -> bool:
    """Return whether the exact distribution takes about a second at most."""
    scores = _whole_scores(midranks)
    few = min(m, scores.size - m)
    reach = float(np.sort(scores)[scores.size - few :].sum())
    return float(scores.size) * few * reach <= _WORK


def _whole_scores(midranks: Floats) -> Scores:
    """Return midranks as the smallest whole numbers from 0 in the same proportions."""
    doubled = np.rint(2.0 * midranks).astype(np.int64)
    doubled -= doubled.min()
    return doubled // max(int(np.gcd.reduce(doubled)), 1)
