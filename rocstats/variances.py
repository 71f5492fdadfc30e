"""Variances of a mean over pairs, from the spread of its structural components (STATISTICS.md 2.4).

``s10`` and ``s01`` are the variances of the components over the m positives and n negatives.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["cohort_variance", "satterthwaite_df", "unbiased_variance", "wu_variance"]


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


def cohort_variance(drift: float, s10: float, s01: float, m: int, n: int) -> float:
    """Return the variance where labels are random too (4.6); `drift` is summed over positives."""
    squares = (m - 1) / m**2 * s10 + (n - 1) / n**2 * s01 + drift * drift * (1.0 / m + 1.0 / n)
    return (m + n) / (m + n - 1) * squares
