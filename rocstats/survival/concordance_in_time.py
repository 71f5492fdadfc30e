"""Concordance with every subject's influence: Harrell's C and Uno's."""

from __future__ import annotations

import numpy as np

from rocstats.arrays import Floats
from rocstats.survival.censoring import Censoring
from rocstats.survival.concordant_pairs import TimeOrder, pair_sums

__all__ = ["concordance_of", "default_horizon"]

_LEAST_LEFT, _LEAST_AT_RISK = 0.1, 10  # uncensored share, and subjects, at the default horizon


def concordance_of(
    time: TimeOrder,
    score: Floats,
    weight: Floats,
    *,
    estimated: Censoring | None = None,
) -> tuple[float, Floats]:
    """Return the share of concordant pairs, and every subject's influence on it.

    `weight` has that of every pair by its first subject. With `estimated` it is 1 / G^2 of that
    curve, whose own influence is added: 2 sum_i r_i I_k(T_i), r_i the row sums of psi - C.
    """
    sums = pair_sums(time, score, weight)
    total = float((weight * sums.pairs).sum())
    if not total > 0.0:
        return np.nan, np.full(score.size, np.nan)
    value = float((weight * sums.won).sum()) / total
    rows = weight * (sums.won - value * sums.pairs) / total
    influence = score.size * (rows + (sums.won_later - value * sums.pairs_later) / total)
    if estimated is not None:
        influence += estimated.influence(2.0 * rows)
    return value, influence


def default_horizon(time: Floats, censoring: Censoring) -> float:
    """Return the largest time with G of at least 0.1 and ten subjects at risk.

    With fewer than ten subjects in all, or where G is below from the first time on, the largest
    time that meets the other condition.
    """
    ordered = np.sort(time)
    ends = [
        curve.time[curve.before[1:] < _LEAST_LEFT].min(initial=np.inf)
        for _, curve in censoring.parts
    ]
    known = ordered[ordered < min(ends)]
    crowded = ordered[: max(ordered.size - _LEAST_AT_RISK + 1, 0)]
    for some in (known[: crowded.size], known, crowded):
        if some.size:
            return float(some[-1])
    return float(ordered[-1])
