"""Variances of a mean over pairs, from the spread of its structural components (STATISTICS.md 2.4).

``s10`` and ``s01`` are the variances of the components over the m positives and n negatives; and
what a variance over clusters says of how many independent subjects there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.engine.t_quantiles import stdtrit

__all__ = [
    "cohort_variance",
    "effective_size",
    "influence_df",
    "newcombe_variance",
    "satterthwaite_df",
    "tailed_df",
    "unbiased_variance",
    "wu_variance",
]

_LEAST = 1e-9  # of an effect: below it clusters are alike, and rounding decides


def satterthwaite_df(terms: Iterable[float], units: Iterable[float]) -> float:
    """Return the degrees of freedom of a variance that is a sum of independent terms (7.2).

    Each term rests on so many independent units. Nan where the terms are all zero, or not known.
    """
    values = [float(term) for term in terms]
    total = sum(values)
    if not total > 0.0:
        return math.nan
    below = 0.0
    for value, size in zip(values, units, strict=True):
        below += (value / total) ** 2 / (float(size) - 1.0)
    return 1.0 / below


def tailed_df(values: Floats) -> Floats:
    """Return the degrees of freedom of the variance of values along the last axis (6.8).

    The variance of n values varies as their kurtosis k has it: as chi-square with

        2 n / (k - (n - 3) / (n - 1))

    degrees of freedom, n - 1 for normal values. Where few subjects make all the variance there are
    far less; more than n - 1 are not granted, and values that do not vary have that many.
    """
    n = values.shape[-1]
    centred = values - np.add.reduce(values, axis=-1, keepdims=True) / n
    largest = np.maximum.reduce(np.abs(centred), axis=-1, keepdims=True)
    centred /= np.where(largest > 0.0, largest, 1.0)  # squares stay within the doubles
    squares = centred * centred
    second = np.add.reduce(squares, axis=-1) / n
    fourth = np.add.reduce(squares * squares, axis=-1) / n
    varies = second > 0.0
    kurtosis = np.where(varies, fourth / np.where(varies, second, 1.0) ** 2, 3.0)
    found: Floats = np.minimum(2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0)), n - 1.0)
    return found


def influence_df(values: Floats, stratum: NDArray[np.intp]) -> float:
    """Return the degrees of freedom of a variance as the tails of the influence have them.

    Inf where a stratum has fewer than three subjects, which do not show a tail; nan where nothing
    varies.
    """
    parts = [values[stratum == k] for k in np.unique(stratum)]
    if min(part.size for part in parts) < 3:
        return math.inf
    largest = max((float(np.abs(part).max()) for part in parts), default=0.0)
    parts = [part / (largest if largest > 0.0 else 1.0) for part in parts]  # within the doubles
    terms = [float(part.var(ddof=1)) / part.size for part in parts]
    return satterthwaite_df(terms, [float(tailed_df(part)) + 1.0 for part in parts])


def wu_variance(s10: float, s01: float, m: int, n: int) -> float:
    """Return Wu, Flach & Ferri's (2007) Theorem 6, mended: the interaction is left out."""
    return (s10 * (n - 1) + s01 * (m - 1)) / (m * n)


def unbiased_variance(
    value: float, square_sum: float, s10: float, s01: float, m: int, n: int
) -> float:
    """Return DeLong's variance less the interaction mean square / (m n): unbiased, maybe negative.

    Equal to ``U**2`` less the mean of ``h_ij h_kl`` over ``i != k, j != l`` (Bamber; Gallas).
    """
    interaction = square_sum - m * n * value * value - n * (m - 1) * s10 - m * (n - 1) * s01
    mean_square = max(interaction, 0.0) / ((m - 1) * (n - 1))
    return s10 / m + s01 / n - mean_square / (m * n)


def newcombe_variance(auc: Any, m: Any, n: Any) -> Any:
    """Return Hanley & McNeil's variance at AUCs, with Newcombe's (2006) mean size (7.3)."""
    star = 0.5 * (m + n) - 1.0
    shape = 1.0 + star * (1.0 - auc) / (2.0 - auc) + star * auc / (1.0 + auc)
    return auc * (1.0 - auc) * shape / (m * n)


def cohort_variance(drift: float, s10: float, s01: float, m: int, n: int) -> float:
    """Return the variance where labels are random too (4.6); `drift` is summed over positives."""
    squares = (m - 1) / m**2 * s10 + (n - 1) / n**2 * s01 + drift * drift * (1.0 / m + 1.0 / n)
    return (m + n) / (m + n - 1) * squares


def effective_size(
    own: Floats, square: Floats, size: Floats, units: Floats, level: float
) -> Floats:
    """Return how many independent subjects are worth as much as `size` in `units` clusters.

    The variance of a sum of influence, `own` for independent subjects, is `square` over clusters
    times c / (c - 1). It is equal to that over k independent subjects, times k / (k - 1), where

        k = 1 + (1 - 1 / c) size own / square,

    at most `size`. A variance of few clusters is itself uncertain, so that k is taken times the
    squared ratio of the t quantiles with k - 1 and c - 1 degrees of freedom, at most 1 (after Korn
    & Graubard 1998). Where nothing varies a cluster counts as one subject.
    """
    units = np.maximum(units, 1.0)
    with np.errstate(invalid="ignore"):
        found = 1.0 + (1.0 - 1.0 / units) * size * own / np.maximum(square, _LEAST * own)
    found = np.minimum(found, size)
    few, many = (stdtrit(np.maximum(k - 1.0, 1.0), (1.0 + level) / 2.0) for k in (units, found))
    found *= np.minimum(many / few, 1.0) ** 2
    return np.where(own > 0.0, np.maximum(found, 1.0), np.minimum(units, size))
