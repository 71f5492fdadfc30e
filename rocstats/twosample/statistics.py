"""Statistics of two samples as values in a table, each working on a batch of samples at once.

A statistic is read off a pool and its labels (`rocstats.twosample.pool`), so one function serves
many samples and many relabelings of one sample alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rocstats.blocks import Floats
from rocstats.results import Alternative
from rocstats.twosample.moments import Moments, ramp_moments, ramp_rows, rank_variance
from rocstats.twosample.pool import Labelled, Pool

__all__ = ["STATISTICS", "Answers", "Statistic", "ramp_means"]

_STILL = 1e-14  # a group whose deviation is less than this of the pool's reach does not vary


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
Prepare = Callable[[Pool, int, int, Alternative], Extremes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """A two-sample statistic.

    Attributes
    ----------
    name, label : the word in calls, and the words in answers
    effect : what is estimated
    judge : asymptotic tests of a batch
    prepare : from a pool of one row, what its relabelings are ordered by; more is more extreme
    reference : the asymptotic null distribution in words
    hypothesis : the null hypothesis of the asymptotic test in words
    has_own_error : whether it divides by a standard error of its own, so that the reference holds
        in samples of any size
    is_rank : whether the order of the values is all it reads, so that infinite values may be
    is_ordered : whether it needs them sorted
    rounding : relabelings closer than this are equally extreme
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
    rounding: float = 1e-12


def _towards(values: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.abs(values)
    return values if alternative == "greater" else -values


def _ratio(difference: Floats, deviation: Floats) -> Floats:
    """Return the ratio; 0 where nothing differs, signed infinity where only nothing varies."""
    difference, deviation = np.broadcast_arrays(difference, deviation)
    whole = np.where(difference == 0.0, 0.0, np.copysign(np.inf, difference))
    np.divide(difference, deviation, out=whole, where=deviation > 0.0)
    return whole


def _tail(statistic: Floats, df: Floats, alternative: Alternative) -> Floats:
    """Return p-values of t statistics; normal where df is inf or, for want of variance, nan."""
    from scipy.special import ndtr, stdtr

    away = -_towards(statistic, alternative)
    exact = np.isfinite(df) & np.isfinite(away)
    below = np.where(exact, stdtr(np.where(exact, df, 1.0), away), ndtr(away))
    return np.minimum((2.0 if alternative == "two-sided" else 1.0) * below, 1.0)


# ------------------------------------------------------------- Wilcoxon-Mann-Whitney, or the AUC


def _area(data: Labelled) -> Floats:
    m, n = data.n_pos, data.n_neg
    return np.asarray((data.total(data.pool.midranks) - 0.5 * m * (m + 1)) / (m * n))


def _judge_area(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    pairs = data.n_pos * data.n_neg
    area = _area(data)
    deviation = np.sqrt(rank_variance(data.pool.midranks, data.n_pos, data.n_neg))
    away = (area - 0.5) * pairs
    step = 0.5 if continuity else 0.0
    if alternative == "two-sided":
        away = np.sign(away) * np.maximum(np.abs(away) - step, 0.0)
    else:
        away = away + (step if alternative == "less" else -step)
    statistic = _ratio(np.where(deviation > 0.0, away, 0.0), deviation)
    df = np.full(area.shape, np.inf)
    return Answers(
        estimate=area,
        null_value=np.full(area.shape, 0.5),
        std_error=np.broadcast_to(deviation / pairs, area.shape),
        statistic=statistic,
        df=df,
        pvalue=np.where(deviation > 0.0, _tail(statistic, df, alternative), 1.0),
    )


def _prepare_area(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    return partial(_extreme_area, alternative=alternative)


def _extreme_area(data: Labelled, *, alternative: Alternative) -> Floats:
    return _towards(_area(data) - 0.5, alternative)


# ------------------------------------------------------------------------------------------ sAUC


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


def _judge_ramp(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
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
    z_ahead = _ratio(ahead - moments.mean, np.sqrt(moments.ahead))
    z_behind = _ratio(behind - moments.mean, np.sqrt(moments.behind))
    larger = np.maximum(z_ahead, z_behind)
    chosen = {"greater": z_ahead, "less": z_behind, "two-sided": larger}[alternative]
    return np.where(moments.ahead > 0.0, chosen, 0.0)


def _prepare_ramp(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    moments = ramp_moments(pool, m, n)
    spread = np.sqrt([moments.ahead, moments.behind])[:, 0]
    if not spread.all():
        return partial(_extreme_sum, scores=np.zeros((1, pool.size)), alternative=alternative)
    return partial(
        _extreme_ramp,
        values=pool.centred[0],
        leads=ramp_rows(pool)[0],
        mean=float(moments.mean[0]),
        spread=(float(spread[0]), float(spread[1])),
        alternative=alternative,
    )


def _extreme_ramp(
    data: Labelled,
    *,
    values: Floats,
    leads: Floats,
    mean: float,
    spread: tuple[float, float],
    alternative: Alternative,
) -> Floats:
    """Standardize S and R in O(m) a relabeling, with nothing to sort.

    With r_a the sum of (z_a - z_b)_+ over the whole pool, mn S is the sum of r over x less the sum
    of differences within x, which is that of (2i - m - 1) x_(i); and S - R is the mean difference.
    """
    m, pairs = data.n_pos, data.n_pos * data.n_neg
    chosen = values.take(data.places)
    within = np.einsum("bm,m->b", chosen, np.arange(1.0 - m, m, 2.0))
    ahead = (leads.take(data.places).sum(axis=1) - within) / pairs - mean
    z_ahead = ahead / spread[0]
    if alternative == "greater":
        return z_ahead
    z_behind = (ahead - chosen.sum(axis=1) * (data.pool.size / pairs)) / spread[1]
    return z_behind if alternative == "less" else np.maximum(z_ahead, z_behind)


# -------------------------------------------------------------------------- differences over errors


def _judge_difference(
    difference: Floats, terms: tuple[Floats, Floats], df: Floats, alternative: Alternative
) -> Answers:
    variance = terms[0] + terms[1]
    statistic = _ratio(difference, np.sqrt(variance))
    return Answers(
        estimate=difference,
        null_value=np.zeros(difference.shape),
        std_error=np.sqrt(variance),
        statistic=statistic,
        df=df,
        pvalue=_tail(statistic, df, alternative),
    )


def _satterthwaite(first: Floats, second: Floats, m: int, n: int) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((first + second) ** 2 / (first**2 / (m - 1.0) + second**2 / (n - 1.0)))


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


def _judge_pooled(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    m, n = data.n_pos, data.n_neg
    mean_x, square_x, mean_y, square_y = _mean_and_square(data)
    df = m + n - 2.0
    within = (square_x + square_y) / df if df > 0.0 else np.full(mean_x.shape, np.nan)
    whole = np.full(mean_x.shape, df)
    return _judge_difference(mean_x - mean_y, (within / m, within / n), whole, alternative)


def _prepare_mean(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    """Order by the standardized mean difference, which the pooled t follows everywhere."""
    scores = _ratio(pool.centred, np.sqrt(rank_variance(pool.centred, m, n)))
    return partial(_extreme_sum, scores=scores, alternative=alternative)


def _extreme_sum(data: Labelled, *, scores: Floats, alternative: Alternative) -> Floats:
    return _towards(data.total(scores), alternative)


def _judge_welch(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    m, n = data.n_pos, data.n_neg
    mean_x, square_x, mean_y, square_y = _mean_and_square(data)
    terms = _over(square_x, m), _over(square_y, n)
    return _judge_difference(mean_x - mean_y, terms, _satterthwaite(*terms, m, n), alternative)


def _judge_placements(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
    """Judge the AUC by its DeLong standard error: the test of Brunner and Munzel."""
    m, n = data.n_pos, data.n_neg
    area = _area(data)
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


def _prepare_welch(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    return partial(_extreme_ratio, judge=_judge_welch, alternative=alternative)


def _prepare_placements(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    return partial(_extreme_ratio, judge=_judge_placements, alternative=alternative)


def _extreme_ratio(data: Labelled, *, judge: Judge, alternative: Alternative) -> Floats:
    return _towards(judge(data, alternative, False).statistic, alternative)


# ----------------------------------------------------------------------------- Kolmogorov-Smirnov


def _largest_step(data: Labelled, alternative: Alternative) -> Floats:
    """Return the largest distance of the distribution functions, of y over x where x is larger."""
    m, n, runs = data.n_pos, data.n_neg, data.pool.runs
    seen, place = data.upto, np.arange(1.0, data.pool.size + 1.0)
    if runs is not None:
        last = np.broadcast_to(runs[1], seen.shape)
        seen, place = np.take_along_axis(seen, last, axis=1), runs[1] + 1.0
    distance = (place - seen) / n - seen / m
    return np.asarray(np.maximum(_towards(distance, alternative).max(axis=1), 0.0))


def _prepare_step(pool: Pool, m: int, n: int, alternative: Alternative) -> Extremes:
    return partial(_largest_step, alternative=alternative)


def _judge_step(data: Labelled, alternative: Alternative, continuity: bool) -> Answers:
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


STATISTICS: Mapping[str, Statistic] = {
    statistic.name: statistic
    for statistic in (
        Statistic(
            name="auc",
            label="Wilcoxon-Mann-Whitney",
            effect="AUC",
            judge=_judge_area,
            prepare=_prepare_area,
            reference="normal approximation with tied ranks",
            is_rank=True,
        ),
        Statistic(
            name="sauc",
            label="sAUC",
            effect="sAUC",
            judge=_judge_ramp,
            prepare=_prepare_ramp,
            reference="normal approximation with exact permutation moments",
            rounding=1e-9,
        ),
        Statistic(
            name="brunner-munzel",
            label="Brunner-Munzel",
            effect="AUC",
            judge=_judge_placements,
            prepare=_prepare_placements,
            reference="t distribution, with Satterthwaite degrees of freedom",
            hypothesis="AUC 1/2",
            is_rank=True,
            rounding=1e-9,
            has_own_error=True,
        ),
        Statistic(
            name="welch",
            label="Welch",
            effect="mean difference",
            judge=_judge_welch,
            prepare=_prepare_welch,
            reference="t distribution, with Satterthwaite degrees of freedom",
            hypothesis="equal means",
            is_ordered=False,
            rounding=1e-9,
            has_own_error=True,
        ),
        Statistic(
            name="t",
            label="pooled t",
            effect="mean difference",
            judge=_judge_pooled,
            prepare=_prepare_mean,
            reference="t distribution",
            hypothesis="equal means, with equal variances",
            is_ordered=False,
            rounding=1e-9,
            has_own_error=True,
        ),
        Statistic(
            name="ks",
            label="Kolmogorov-Smirnov",
            effect="largest distance of the distribution functions",
            judge=_judge_step,
            prepare=_prepare_step,
            reference="Kolmogorov distribution",
            is_rank=True,
        ),
    )
}
