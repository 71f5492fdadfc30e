"""Quantiles of Student's t with the digits that R gives, whatever the version of scipy."""

from __future__ import annotations

from functools import cache

import numpy as np

from rocstats.arrays import Floats

__all__ = ["stdtrit"]

_SHORT = 1e-3  # of a quantile: a longer step is one of a tail that is too small for it


def stdtrit(df: float | Floats, p: float | Floats) -> Floats:
    """Return scipy's quantiles; before scipy 1.17 their eleventh digit is mended.

    Newer scipys are left alone, to the last bit.
    """
    from scipy.special import stdtrit as scipys

    df, p = np.asarray(df, dtype=np.float64), np.asarray(p, dtype=np.float64)
    quantile = np.asarray(scipys(df, p), dtype=np.float64)
    return _nearer(quantile, df, p) if _misses() else quantile


@cache
def _misses() -> bool:
    """Whether this scipy's quantile is not where its own distribution says."""
    from scipy.special import stdtr, stdtrit

    return abs(float(stdtr(120.77, float(stdtrit(120.77, 0.025)))) - 0.025) > 1e-14


def _nearer(quantile: Floats, df: Floats, p: Floats) -> Floats:
    """Return the quantiles after a step of Newton's, where there is one and it is short."""
    from scipy.special import gammaln, stdtr

    with np.errstate(all="ignore"):
        density = np.exp(gammaln((df + 1.0) / 2.0) - gammaln(df / 2.0)) / np.sqrt(np.pi * df)
        slope = density * (1.0 + quantile**2 / df) ** (-(df + 1.0) / 2.0)
        nearer = quantile - (stdtr(df, quantile) - p) / slope
    return np.where(np.abs(nearer - quantile) < _SHORT * np.abs(quantile), nearer, quantile)
