"""What a two-sample statistic is, and the answers it gives for a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.results import Alternative
from rocstats.twosample.pooled_values import Labelled, Pool

__all__ = ["Answers", "Extremes", "Judge", "Order", "Statistic", "ratio", "tail", "towards"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """Asymptotic tests of a batch, (B,) each.

    Attributes
    ----------
    estimate, null_value, std_error : the effect, its value under the null and its deviation
    statistic, df, pvalue : the test; ``df`` is inf for a normal reference
    """

    estimate: Floats
    null_value: Floats
    std_error: Floats
    statistic: Floats
    df: Floats
    pvalue: Floats


Judge = Callable[[Labelled, Alternative, bool], Answers]
Extremes = Callable[[Labelled], Floats]
Prepare = Callable[[Pool, int, int, Alternative], "Order"]


@dataclass(frozen=True, slots=True)
class Order:
    """What relabelings are ordered by, more being more extreme, and below what they are equal.

    Attributes
    ----------
    extreme : the statistic of labelled rows
    rounding : the distance below which two are equal
    by_bytes : whether it reads packed labels, so that many rows of a large pool cost little memory
    """

    extreme: Extremes
    rounding: float = 1e-12
    by_bytes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """A two-sample statistic.

    Attributes
    ----------
    name, label : the word in calls, and the words in answers
    effect : what is estimated
    judge : asymptotic tests of a batch
    prepare : from a pool of one row, how its relabelings are ordered
    reference : the asymptotic null distribution in words
    hypothesis : the null hypothesis of the asymptotic test in words
    has_own_error : whether it divides by a standard error of its own, so that the reference holds
        in samples of any size
    is_rank : whether the order of the values is all it reads, so that infinite values may be
    is_ordered : whether it needs them sorted
    """

    name: str
    label: str
    effect: str
    judge: Judge
    prepare: Prepare
    reference: str
    hypothesis: str = "equal distributions"
    has_own_error: bool = False
    is_rank: bool = False
    is_ordered: bool = True


def towards(values: Floats, alternative: Alternative) -> Floats:
    """Return values so that more is more extreme under the alternative."""
    if alternative == "two-sided":
        return np.abs(values)
    return values if alternative == "greater" else -values


def ratio(difference: Floats, deviation: Floats) -> Floats:
    """Return the ratio; 0 where nothing differs, signed infinity where only nothing varies."""
    difference, deviation = np.broadcast_arrays(difference, deviation)
    whole = np.where(difference == 0.0, 0.0, np.copysign(np.inf, difference))
    np.divide(difference, deviation, out=whole, where=deviation != 0.0)
    return whole


def tail(statistic: Floats, df: Floats, alternative: Alternative) -> Floats:
    """Return p-values of t statistics; normal where df is inf or, for want of variance, nan."""
    from scipy.special import ndtr, stdtr

    away = -towards(statistic, alternative)
    exact = np.isfinite(df) & np.isfinite(away)
    below = np.where(exact, stdtr(np.where(exact, df, 1.0), away), ndtr(away))
    return np.minimum((2.0 if alternative == "two-sided" else 1.0) * below, 1.0)
