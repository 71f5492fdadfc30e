"""Kolmogorov-Smirnov: the largest distance of two distribution functions."""

from __future__ import annotations

from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.results import Alternative
from rocstats.twosample.judging import Answers, Order, towards
from rocstats.twosample.pooled_values import Labelled, Pool

__all__ = ["judge_step", "prepare_step"]


def _largest_step(data: Labelled, alternative: Alternative) -> Floats:
    """Return the largest distance of the distribution functions, of y over x where x is larger."""
    m, n, runs = data.n_pos, data.n_neg, data.pool.runs
    seen, place = data.upto, np.arange(1.0, data.pool.size + 1.0)
    if runs is not None:
        last = np.broadcast_to(runs[1], seen.shape)
        seen, place = np.take_along_axis(seen, last, axis=1), runs[1] + 1.0
    distance = (place - seen) / n - seen / m
    return np.asarray(np.maximum(towards(distance, alternative).max(axis=1), 0.0))


def prepare_step(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order relabelings by the distance."""
    return Order(partial(_largest_step, alternative=alternative))


def judge_step(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Test by Kolmogorov's limiting distribution; one-sided, by its exponential form."""
    from scipy.special import kolmogorov

    distance = _largest_step(data, alternative)
    scaled = distance * np.sqrt(data.n_pos * data.n_neg / data.pool.size)
    two_sided = alternative == "two-sided"
    nothing = np.full(distance.shape, np.nan)
    return Answers(
        estimate=distance,
        null_value=np.zeros(distance.shape),
        std_error=nothing,
        statistic=distance,
        df=nothing,
        pvalue=kolmogorov(scaled) if two_sided else np.exp(-2.0 * scaled**2),
    )
