"""The spread of a mean over folds, fold by fold: what its interval rests on (STATISTICS.md 19)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.engine.variances import satterthwaite_df

__all__ = ["fold_spread"]

Codes = NDArray[np.intp]


def fold_spread(
    values: Floats, positive: Bools, fold: Codes, unit: Codes, repeats: int
) -> tuple[float, float]:
    """Return the standard error of one division into folds, and its degrees of freedom.

    `values` are every row's influence on the mean, shares included; `unit` the subject or patient
    of each row. Every fold has the variance of its own classes over its own units (Obuchowski
    1997), and repeats are averaged as if they said the same. Nan where a fold has one unit of a
    class.
    """
    within = np.bincount(2 * fold + positive)[2 * fold + positive]
    _, place = np.unique(fold * (unit.max() + 1) + unit, return_inverse=True)
    of = np.empty(int(place.max()) + 1, dtype=np.intp)
    of[place] = fold
    sums = [np.bincount(place, values / within * mine) for mine in (~positive, positive)]
    seen = [np.bincount(place, mine) > 0 for mine in (~positive, positive)]
    terms, units = [], []
    for total, here in zip(sums, seen, strict=True):
        size = np.bincount(of, here)
        if size.min() < 2:
            return math.nan, math.nan
        terms.append(np.bincount(of, total * total) * size / (size - 1.0))
        units.append(size)
    size = np.bincount(of)
    across = 2.0 * np.bincount(of, sums[0] * sums[1]) * size / (size - 1.0)
    # The shares of a repeat sum to 1 / repeats.
    variance = repeats * max(float(np.sum(terms) + across.sum()), 0.0)
    df = satterthwaite_df(np.concatenate(terms), np.concatenate(units)) / repeats
    return math.sqrt(variance), df
