"""sAUC: the mean of (x - y)_+, of (y - x)_+, and the larger of the two."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.results import Alternative
from rocstats.twosample.byte_sums import TABLED, add_up, long_ramps, ramp_tables, sum_table
from rocstats.twosample.judging import Answers, Order, ratio
from rocstats.twosample.moments import Moments, ramp_moments, row_sums
from rocstats.twosample.pooled_values import Labelled, Pool

__all__ = ["judge_ramp", "prepare_ramp", "ramp_means"]

Finish = Callable[[Floats, Floats], Floats]


def ramp_means(data: Labelled) -> tuple[Floats, Floats]:
    """Return the means of (x - y)_+ and of (y - x)_+ over all pairs, of gaps (STATISTICS.md 3.4).

    With c of the first k values from x, gap k is counted by (k - c)(m - c) pairs ahead and by
    c(n - k + c) behind; every term is non-negative, so no offset of the values costs a digit.
    """
    m, n, gaps = data.n_pos, data.n_neg, data.pool.gaps
    seen = data.upto[:, :-1]
    rest = np.arange(1.0, data.pool.size) - seen
    terms = "bn,bn,n->b" if gaps.shape[0] == 1 else "bn,bn,bn->b"
    gap = gaps[0] if gaps.shape[0] == 1 else gaps
    ahead = np.einsum(terms, rest, m - seen, gap) / (m * n)
    behind = np.einsum(terms, seen, n - rest, gap) / (m * n)
    return ahead, behind


def judge_ramp(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Test by Z+, Z- or the larger of the two, taken as jointly normal (STATISTICS.md 5.3).

    For correlation rho, P(max > z) = Phi(-z) + 2 T(z, sqrt((1 - rho) / (1 + rho))), T Owen's.
    """
    from scipy.special import ndtr, owens_t

    moments = ramp_moments(data.pool, data.n_pos, data.n_neg)
    ahead, behind = ramp_means(data)
    z = _standardized(ahead, behind, moments, alternative)
    pvalue = ndtr(-z)
    if alternative == "two-sided":
        rho = moments.correlation
        with np.errstate(divide="ignore"):
            pvalue = pvalue + 2.0 * owens_t(z, np.sqrt((1.0 - rho) / (1.0 + rho)))
    return Answers(
        estimate=ahead,
        null_value=np.broadcast_to(moments.mean, ahead.shape),
        std_error=np.broadcast_to(np.sqrt(moments.ahead), ahead.shape),
        statistic=z,
        df=np.full(z.shape, np.inf),
        pvalue=np.where(moments.ahead > 0.0, np.minimum(pvalue, 1.0), 1.0),
    )


def _standardized(
    ahead: Floats, behind: Floats, moments: Moments, alternative: Alternative
) -> Floats:
    """Return Z+, Z- or the larger of the two (STATISTICS.md 5.3)."""
    z_ahead = ratio(ahead - moments.mean, np.sqrt(moments.ahead))
    z_behind = ratio(behind - moments.mean, np.sqrt(moments.behind))
    larger = np.maximum(z_ahead, z_behind)
    chosen = {"greater": z_ahead, "less": z_behind, "two-sided": larger}[alternative]
    return np.where(moments.ahead > 0.0, chosen, 0.0)


def prepare_ramp(pool: Pool, m: int, n: int, alternative: Alternative) -> Order:
    """Order relabelings by the larger of Z+ and Z-, or one-sided by S or R over the range."""
    moments = ramp_moments(pool, m, n)
    reach = float(np.ptp(pool.values))
    one_sided = alternative != "two-sided"
    spread = [reach if one_sided else math.sqrt(v[0]) for v in (moments.ahead, moments.behind)]
    finish = partial(
        _extreme_ramp,
        mean=float(moments.mean[0]),
        spread=(spread[0] or 1.0, spread[1] or 1.0),  # where nothing varies, all are 0
        alternative=alternative,
    )
    rounding = 1e-12 if one_sided else 1e-9  # STATISTICS.md 5.3
    if pool.size > TABLED:
        weights = row_sums(pool)[0] + (m + 1.0) * pool.centred[0]
        long = partial(_long_ramp, scores=pool.centred[0], weights=weights, finish=finish)
        return Order(long, rounding, by_bytes=True)
    tables, values = ramp_tables(pool.gaps[0], m), sum_table(pool.centred[0])
    return Order(partial(_tabled_ramp, tables=tables, values=values, finish=finish), rounding)


def _long_ramp(data: Labelled, *, scores: Floats, weights: Floats, finish: Finish) -> Floats:
    """Read S as what x is ahead of the pool less what it is ahead of x, R by the mean difference.

    With x sorted, the sum of (x_i - x_j)_+ over pairs within x is that of (2i - m - 1) x_i.
    """
    total, ranked = long_ramps(data.packed, scores, weights)
    pairs = data.n_pos * data.n_neg
    return finish(ranked / pairs, (ranked - data.pool.size * total) / pairs)


def _tabled_ramp(
    data: Labelled, *, tables: tuple[Floats, Floats, Floats], values: Floats, finish: Finish
) -> Floats:
    """Read S from tables of bytes, and R as S less the mean difference."""
    pairs = data.n_pos * data.n_neg
    before = np.zeros(data.packed.shape)
    np.cumsum(np.bitwise_count(data.packed[:, :-1]), axis=1, out=before[:, 1:])
    alone, once, value = add_up(data.packed, tables[0], tables[1], values)
    ahead = ((before * tables[2] - once) * before + alone).sum(axis=1) / pairs
    behind = ahead - value.sum(axis=1) * (data.pool.size / pairs)
    return finish(ahead, behind)


def _extreme_ramp(
    ahead: Floats,
    behind: Floats,
    *,
    mean: float,
    spread: tuple[float, float],
    alternative: Alternative,
) -> Floats:
    z_ahead: Floats = (ahead - mean) / spread[0]
    z_behind: Floats = (behind - mean) / spread[1]
    if alternative == "two-sided":
        return np.maximum(z_ahead, z_behind)
    return z_ahead if alternative == "greater" else z_behind
