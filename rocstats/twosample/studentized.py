"""Differences over a standard error of their own: t, Welch, Brunner and Munzel."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.results import Alternative
from rocstats.twosample.judging import Answers, Judge, Order, ratio, tail, towards
from rocstats.twosample.pooled_values import Labelled, Pool
from rocstats.twosample.wilcoxon import area_of, prepare_sum

__all__ = [
    "judge_placements",
    "judge_pooled",
    "judge_welch",
    "prepare_mean",
    "prepare_placements",
    "prepare_welch",
]

_NEAR = 1e-9  # ratios closer than this are equal
_STILL = 1e-14  # a group whose deviation is less than this of the pool's reach does not vary


def _judge_difference(
    difference: Floats, terms: tuple[Floats, Floats], df: Floats, alternative: Alternative
) -> Answers:
    variance = terms[0] + terms[1]
    statistic = ratio(difference, np.sqrt(variance))
    return Answers(
        estimate=difference,
        null_value=np.zeros(difference.shape),
        std_error=np.sqrt(variance),
        statistic=statistic,
        df=df,
        pvalue=tail(statistic, df, alternative),
    )


def _satterthwaite(first: Floats, second: Floats, m: int, n: int) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share, rest = first / (first + second), second / (first + second)
        return np.asarray(1.0 / (share**2 / (m - 1.0) + rest**2 / (n - 1.0)))


def _mean_and_square(data: Labelled) -> tuple[Floats, Floats, Floats, Floats]:
    """Return means and sums of squares about them, of x and of y, both of the centred values."""
    values = data.pool.centred
    other = 1.0 - data.one
    peak = np.abs(values).max(axis=1)
    found: list[Floats] = []
    for label, size in ((data.one, data.n_pos), (other, data.n_neg)):
        mean = np.einsum("bn,bn->b", label, np.broadcast_to(values, label.shape)) / size
        away = values - mean[:, np.newaxis]
        square = np.einsum("bn,bn,bn->b", label, away, away)
        found += [mean, np.where(square > size * (_STILL * peak) ** 2, square, 0.0)]
    return found[0], found[1], found[2], found[3]


def judge_pooled(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Test the mean difference by Student's t, with one variance for both groups."""
    m, n = data.n_pos, data.n_neg
    mean_x, square_x, mean_y, square_y = _mean_and_square(data)
    df = m + n - 2.0
    within = (square_x + square_y) / df if df > 0.0 else np.full(mean_x.shape, np.nan)
    whole = np.full(mean_x.shape, df)
    return _judge_difference(mean_x - mean_y, (within / m, within / n), whole, alternative)


def prepare_mean(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order by the mean difference over the range, which the pooled t follows everywhere."""
    reach = float(np.ptp(pool.values)) or 1.0
    return prepare_sum(pool.centred * ((m + n) / (m * n * reach)), alternative)


def judge_welch(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Test the mean difference by Welch's t, with a variance for each group."""
    m, n = data.n_pos, data.n_neg
    mean_x, square_x, mean_y, square_y = _mean_and_square(data)
    terms = _over(square_x, m), _over(square_y, n)
    return _judge_difference(mean_x - mean_y, terms, _satterthwaite(*terms, m, n), alternative)


def judge_placements(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Judge the AUC by its DeLong standard error: the test of Brunner and Munzel."""
    m, n = data.n_pos, data.n_neg
    area = area_of(data)
    above = (data.pool.midranks - 0.5 - data.below) / n - area[:, np.newaxis]
    under = 1.0 - data.below / m - area[:, np.newaxis]
    terms = (
        _over(np.einsum("bn,bn,bn->b", data.one, above, above), m),
        _over(np.einsum("bn,bn,bn->b", 1.0 - data.one, under, under), n),
    )
    found = _judge_difference(area - 0.5, terms, _satterthwaite(*terms, m, n), alternative)
    return replace(found, estimate=area, null_value=np.full(area.shape, 0.5))


def _over(square: Floats, size: int) -> Floats:
    """Return the variance of a mean from the sum of squares about it; nan of one value."""
    return square / (size * (size - 1.0)) if size > 1 else np.full(square.shape, np.nan)


def prepare_welch(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order relabelings by Welch's t."""
    return Order(partial(_extreme_ratio, judge=judge_welch, alternative=alternative), _NEAR)


def prepare_placements(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order relabelings by the statistic of Brunner and Munzel."""
    return Order(partial(_extreme_ratio, judge=judge_placements, alternative=alternative), _NEAR)


def _extreme_ratio(data: Labelled, *, judge: Judge, alternative: Alternative) -> Floats:
    return towards(judge(data, alternative, False).statistic, alternative)
