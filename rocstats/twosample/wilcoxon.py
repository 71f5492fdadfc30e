"""Wilcoxon-Mann-Whitney: the AUC, and sums of scores over x in general."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.results import Alternative
from rocstats.twosample.byte_sums import TABLED, add_up, long_sums, sum_table
from rocstats.twosample.judging import Answers, Order, ratio, tail, towards
from rocstats.twosample.moments import rank_variance
from rocstats.twosample.pooled_values import Labelled, Pool

__all__ = ["area_of", "counted_pvalue", "judge_area", "prepare_area", "prepare_sum"]


def area_of(data: Labelled) -> Floats:
    """Return P(x > y) + P(x = y)/2, from midranks."""
    m, n = data.n_pos, data.n_neg
    return np.asarray((data.total(data.pool.midranks) - 0.5 * m * (m + 1)) / (m * n))


def judge_area(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Test by the normal approximation, with the variance of tied ranks."""
    pairs = data.n_pos * data.n_neg
    area = area_of(data)
    deviation = np.sqrt(rank_variance(data.pool.midranks, data.n_pos, data.n_neg))
    away = (area - 0.5) * pairs
    step = 0.5 if continuity else 0.0
    if alternative == "two-sided":
        away = np.sign(away) * np.maximum(np.abs(away) - step, 0.0)
    else:
        away = away + (step if alternative == "less" else -step)
    statistic = ratio(np.where(deviation > 0.0, away, 0.0), deviation)
    df = np.full(area.shape, np.inf)
    return Answers(
        estimate=area,
        null_value=np.full(area.shape, 0.5),
        std_error=np.broadcast_to(deviation / pairs, area.shape),
        statistic=statistic,
        df=df,
        pvalue=np.where(deviation > 0.0, tail(statistic, df, alternative), 1.0),
    )


def counted_pvalue(pos: Floats, neg: Floats) -> float:
    """Return the two-sided p-value of `judge_area`, from the counts at each of K rising scores."""
    m, n, both = pos.sum(), neg.sum(), pos + neg
    rank = np.cumsum(both) - 0.5 * both - 0.5 * (m + n)  # midranks less their mean
    away = abs(math.fsum((pos * rank).tolist()))
    squares = math.fsum((both * rank * rank).tolist())
    deviation = math.sqrt(m * n / ((m + n) * (m + n - 1.0)) * squares)
    if not deviation:
        return 1.0
    statistic = np.asarray(max(away - 0.5, 0.0) / deviation)
    return float(tail(statistic, np.asarray(math.inf), "two-sided"))


def prepare_area(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order relabelings by the distance of the AUC from 1/2."""
    return prepare_sum((pool.midranks - 0.5 * (m + n + 1)) / (m * n), alternative)


def prepare_sum(scores: Floats, alternative: Alternative) -> Order:
    """Order relabelings by the sum over x of (1, N) scores."""
    if scores.size > TABLED:
        extreme = partial(_extreme_total, scores=scores[0], alternative=alternative)
        return Order(extreme, by_bytes=True)
    return Order(partial(_extreme_sum, table=sum_table(scores[0]), alternative=alternative))


def _extreme_sum(data: Labelled, *, table: Floats, alternative: Alternative) -> Floats:
    (parts,) = add_up(data.packed, table)
    return towards(parts.sum(axis=1), alternative)


def _extreme_total(data: Labelled, *, scores: Floats, alternative: Alternative) -> Floats:
    return towards(long_sums(data.packed, scores), alternative)
