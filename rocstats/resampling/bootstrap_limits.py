"""Bootstrap limits: confidence intervals as functions of the replicates (STATISTICS.md 7.6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.influence import Influence
from rocstats.engine.t_quantiles import stdtrit
from rocstats.engine.variances import satterthwaite_df

__all__ = [
    "bca",
    "normal",
    "own_std_error",
    "percentile",
    "studentized",
    "t_reach",
]

Limits = tuple[float, float]
NO_LIMITS = math.nan, math.nan


def percentile(replicates: Floats, tail: float) -> Limits:
    """Return the quantiles at `tail` and one minus it."""
    return _quantiles(replicates, tail, 1.0 - tail)


def normal(estimate: float, std_error: float, tail: float) -> Limits:
    """Return the estimate plus or minus a normal quantile times its standard error."""
    from scipy.special import ndtri

    reach = -float(ndtri(tail)) * std_error
    return estimate - reach, estimate + reach


def bca(
    replicates: Floats,
    estimate: float,
    near: float,
    pull: float,
    tail: float,
    reach: float | None = None,
) -> Limits:
    """Return quantiles corrected for the bias z0 and the acceleration `pull`.

    Replicates within `near` of the estimate equal it, and count half in z0. `reach` takes the place
    of the normal quantile of the tail: beyond it there is nothing but the farthest replicates.
    """
    from scipy.special import ndtr, ndtri

    ties = np.abs(replicates - estimate) <= near
    below = np.count_nonzero((replicates < estimate) & ~ties) + 0.5 * np.count_nonzero(ties)
    shift = float(ndtri(below / replicates.size))
    if not math.isfinite(shift) or math.isnan(pull):
        return NO_LIMITS
    places = []
    far = -float(ndtri(tail)) if reach is None else reach
    for z in (-far, far):
        slack = 1.0 - pull * (shift + z)
        if slack > 0.0:
            places.append(float(ndtr(shift + (shift + z) / slack)))
        elif reach is None:
            return NO_LIMITS
        else:
            places.append(1.0 if shift + z > 0.0 else 0.0)
    return _quantiles(replicates, *places)


def t_reach(influence: Influence, row: int, tail: float) -> float:
    """Return how far limits reach that allow for few subjects, in bootstrap standard errors.

    The quantile of t on Satterthwaite's degrees of freedom, times the standard error beside that of
    infinitely many resamples, which have the divisor n where it has n - 1 (Hesterberg 2015). With
    sampling strata the degrees of freedom are units less strata, and resamples need no divisor.
    """
    if influence.design is not None:
        return -float(stdtrit(influence.most_df(), tail))
    single = influence.select([row])
    terms = np.maximum(single.covariance_terms()[:-1, 0, 0], 0.0)
    units = np.asarray(single.support()[0], dtype=np.float64)
    df = satterthwaite_df(terms, units)
    if math.isnan(df):
        return math.nan
    drawn = float((terms * (units - 1.0) / units).sum())
    return -float(stdtrit(df, tail)) * math.sqrt(float(terms.sum()) / drawn)


def studentized(
    estimate: float, std_error: float, shifts: Floats, errors: Floats, near: float, tail: float
) -> Limits:
    """Return limits by the quantiles of ``shifts / errors``, each resample's own error.

    A resample without an error of its own is infinitely far out, unless it equals the estimate.
    """
    shifts = np.where(np.abs(shifts) <= near, 0.0, shifts)
    ratio = np.where(shifts == 0.0, 0.0, np.copysign(math.inf, shifts))
    np.divide(shifts, errors, out=ratio, where=~(errors <= near))
    ratio = ratio[~np.isnan(ratio)]
    if ratio.size < 2 or not std_error > 0.0:
        return NO_LIMITS
    low, high = _quantiles(ratio, tail, 1.0 - tail)
    return estimate - high * std_error, estimate - low * std_error


def _quantiles(values: Floats, low: float, high: float) -> Limits:
    # Between two infinite values there is nothing to interpolate.
    method: Any = "linear" if np.isfinite(values).all() else "inverted_cdf"
    unit = np.frexp(np.abs(values).max())[1]  # a power of two: differences stay doubles
    found = np.ldexp(np.quantile(np.ldexp(values, -unit), (low, high), method=method), unit)
    return float(found[0]), float(found[1])


def own_std_error(influence: Influence, row: int) -> float:
    """Return the standard error of a row by structural components."""
    variance = float(influence.select([row]).covariance()[0, 0])
    return math.nan if math.isnan(variance) else math.sqrt(max(variance, 0.0))
