"""Expected limits: the default interval, and the test's standard error, at planned sizes.

What is planned is the interval and the test that rocstats will take: where losses are few, those
with the variance at the null (STATISTICS.md 6.8).
"""

from __future__ import annotations

import math

import numpy as np

from rocstats.engine.null_variance import NullVariance
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval

__all__ = ["area_limits", "difference_at_null", "wald_limits"]

Pair = tuple[float, float]


def area_limits(value: float, std_error: float, sizes: Pair, level: float) -> Pair:
    """Return the default limits of one AUC where the estimate is the assumed value."""
    m, n = sizes
    situation = Situation(
        value=value,
        std_error=std_error,
        df=math.inf,
        n_pos=m,
        n_neg=n,
        label="AUC",
        bounds=(0.0, 1.0),
        pair_mean=True,
        is_auc=True,
    )
    low, high, _ = interval(situation, level, "auto")
    return low, high


def difference_at_null(
    areas: Pair, variances: Pair, variance: float, sizes: tuple[Pair, Pair]
) -> NullVariance:
    """Return the difference of two AUCs of the assumed values and variances at any null."""
    beside = math.sqrt(variances[0] * variances[1])
    r = (sum(variances) - variance) / (2.0 * beside) if beside > 0.0 else 0.0
    counts = np.array(sizes, dtype=np.float64)
    return NullVariance(
        weights=np.array([1.0, -1.0]),
        areas=np.array(areas),
        variances=np.array(variances),
        correlation=np.array([[1.0, r], [r, 1.0]]),
        variance=np.array(variance),
        sizes=counts,
        stiffness=(1.0 / counts).sum(axis=-1),
        df=np.array(math.inf),
        tailed=np.array(math.inf),
    )


def wald_limits(value: float, std_error: float, level: float) -> Pair:
    """Return symmetric limits with normal quantiles."""
    from scipy.special import ndtri

    reach = -float(ndtri((1.0 - level) / 2.0)) * std_error
    return value - reach, value + reach
