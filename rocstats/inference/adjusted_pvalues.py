"""P-values adjusted for their number, by the names and formulas of statsmodels' ``multipletests``.

Written out here because the import of statsmodels takes longer than most comparisons; a test holds
them to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import check_option

__all__ = ["ADJUSTMENTS", "adjust_pvalues"]


def adjust_pvalues(pvalues: Sequence[float], adjust: str) -> tuple[float, ...]:
    """Return p-values adjusted for their number; nan stays nan and counts not."""
    check_option("adjust", adjust, ADJUSTMENTS)
    if adjust == "none" or len(pvalues) < 2:
        return tuple(pvalues)
    given = np.array(pvalues, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    with np.errstate(divide="ignore"):  # p = 1 in the logarithms of Sidak's methods
        given[order] = np.minimum(ADJUSTMENTS[adjust](given[order]), 1.0)
    return tuple(given.tolist())


def _left(p: Floats) -> Floats:
    """Return how many of the sorted p-values are no smaller: n to 1."""
    return np.arange(p.size, 0.0, -1.0)


def _rising(p: Floats) -> Floats:
    return np.asarray(np.maximum.accumulate(p))


def _falling(p: Floats) -> Floats:
    """Return the least of each and what comes after it."""
    return np.asarray(np.minimum.accumulate(p[::-1])[::-1])


def _sidak(p: Floats, times: Floats | float) -> Floats:
    return np.asarray(-np.expm1(times * np.log1p(-p)))


def _hommel(p: Floats) -> Floats:
    adjusted = p.copy()
    for m in range(p.size, 1, -1):
        least = float((m * p[-m:] / np.arange(1.0, m + 1.0)).min())
        adjusted[-m:] = np.maximum(adjusted[-m:], least)
        adjusted[:-m] = np.maximum(adjusted[:-m], np.minimum(m * p[:-m], least))
    return adjusted


def _false_discoveries(p: Floats, harmonic: float) -> Floats:
    return _falling(p / (np.arange(1, p.size + 1) / p.size / harmonic))


ADJUSTMENTS: Mapping[str, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "bonferroni": lambda p: p * p.size,
    "sidak": lambda p: _sidak(p, float(p.size)),
    "holm": lambda p: _rising(p * _left(p)),
    "holm-sidak": lambda p: _rising(_sidak(p, _left(p))),
    "simes-hochberg": lambda p: _falling(p * _left(p)),
    "hommel": _hommel,
    "fdr_bh": lambda p: _false_discoveries(p, 1.0),
    "fdr_by": lambda p: _false_discoveries(p, math.fsum(1.0 / np.arange(1, p.size + 1))),
}
