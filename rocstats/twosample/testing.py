"""The two-sample test: one statistic, one null distribution, one answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.columns import named_columns
from rocstats.data.sample import NanPolicy, ScoredSample, refuse_design
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    check_option,
    keyword,
    warn_user,
)
from rocstats.estimates.estimators import auc, sauc
from rocstats.estimates.results import Alternative, Estimate
from rocstats.resampling.chunks import check_kind, check_scale
from rocstats.resampling.permutation import DEFAULT, Permutation
from rocstats.tables import counted
from rocstats.twosample.answer import TwoSampleResult
from rocstats.twosample.judging import Order, Statistic
from rocstats.twosample.pooled_values import Labelled, pool_batch
from rocstats.twosample.rank_sums import exact_rank_pvalue, is_feasible
from rocstats.twosample.relabeling import MOST, every_relabeling, random_relabelings
from rocstats.twosample.statistics import STATISTICS

__all__ = ["two_sample_test"]

Method = Literal["auto", "exact", "permutation", "asymptotic"]

_MANY = 50  # values in each group from which the normal approximation of ranks is trusted
_VAST = 200_000  # values beyond which the normal approximation of sAUC may be taken, where none
_WEIGHT = 0.01  # has more than this share of the variance; random relabelings confirm it there
_EFFECTS: Mapping[str, Callable[[ScoredSample], Estimate]] = {"auc": auc, "sauc": sauc}


def two_sample_test(
    x: Any,
    y: Any = None,
    statistic: str = "sauc",
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    continuity: bool = True,
    resampling: Permutation = DEFAULT,
    nan_policy: NanPolicy = "raise",
    marker: str | None = None,
) -> TwoSampleResult:
    """Test whether two samples come from one distribution.

    Parameters
    ----------
    x : array-like or ScoredSample
        Values of one group; "greater" means that they tend to be larger. Or a sample alone: its
        positives are x.
    y : array-like, optional
        Values of the other group.
    statistic : str, default "sauc"
        "sauc", "auc" (Wilcoxon-Mann-Whitney), "brunner-munzel", "welch", "t" (pooled) or "ks"
        (Kolmogorov-Smirnov).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equal distributions, about x.
    method : {"auto", "exact", "permutation", "asymptotic"}, default "auto"
        The null distribution. "exact" takes all relabelings; "permutation" takes random ones, with
        p = (1 + number as extreme) / (n_resamples + 1); "asymptotic" takes a normal or t
        distribution. "auto" is exact where that is feasible, and else permutation; "t", "welch" and
        "brunner-munzel" have a t distribution of their own and take it unless their standard error
        is 0, "auc" takes the normal one where exact is not feasible and each group has 50 values,
        and "sauc" where there are more than 200,000 values and none has much weight; the answer
        says which was taken.
    continuity : bool, default True
        The half step of the normal approximation of "auc"; nothing else reads it.
    resampling : Permutation, default Permutation()
        Number of permutations, randomness, workers.
    nan_policy : {"raise", "omit"}, default "raise"
        "raise" refuses missing values; "omit" leaves them out and counts them.
    marker : str, optional
        Of a sample with several markers, the one to test.

    Returns
    -------
    TwoSampleResult
        The estimate, the statistic and its p-value.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    sauc : Estimate the scored AUC.
    power_study : Simulate the size and power of two-sample tests.

    Notes
    -----
    sAUC is the mean of (x_i - y_j)_+. Its mean over all relabelings is half the Gini mean
    difference of the pool, so sAUC over that difference (`relative`) is 1/2 under the null. The
    one-sided statistics are Z+ (of sAUC) and Z- (of its mirror image), standardized by exact
    permutation moments; two-sided it is M = max(Z+, Z-) (STATISTICS.md 5.3). It is a t-type test:
    strong for normal and scale alternatives, weak in heavy tails, never uniformly better than
    Wilcoxon's. Its asymptotic form takes Z+ and Z- as jointly normal with their exact correlation;
    "auto" trusts that of more than 200,000 values where no squared deviation from the mean is more
    than 1% of mn/N^2 times their sum, so not in heavy tails or beside a tiny group.

    "auc" is P(x > y) + P(x = y)/2. Exact p-values come from the shift algorithm with ties
    (Streitberg & Roehmel 1986); two-sided, relabelings as far from 1/2 count. Other statistics are
    enumerated where there are at most 20000 relabelings. "welch" and "brunner-munzel" with method
    "permutation" compare studentized statistics. Where the groups do not overlap the standard error
    of "brunner-munzel" is 0 and its statistic infinite, for three values a group as for a thousand:
    "auto" then takes relabelings; "asymptotic" has the limit p = 0, and a warning (scipy 1.17: nan
    with its t, 0 with its normal distribution). "ks" calls it "greater" where x is larger, which
    `ks.test` in R calls "less".

    R equivalent: ``wilcox.test(x, y)``, ``t.test(x, y)``, ``ks.test(x, y)``; exact p-values with
    ties: ``coin::wilcox_test``, ``exactRankTests::wilcox.exact``; ``brunnermunzel`` (which is of
    y over x).

    References
    ----------
    Wu, Flach & Ferri (2007), doi:10.1007/978-3-540-74958-5_44. Brunner & Munzel (2000).

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.two_sample_test([3.1, 4.0, 5.2, 6.6], [1.0, 2.5, 3.0, 4.4, 2.2])
    sAUC of x against y: 2.1900 (95% CI 0.8246 to 5.8162), 1.0056 under the null
    statistic 2.0348, p = 0.0635 (two-sided)
    sAUC test, the larger of Z+ and Z-, all 126 relabelings
    null hypothesis: equal distributions; 4 values of x, 5 of y
    """
    check_option("statistic", statistic, STATISTICS)
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    check_option("method", method, ("auto", "exact", "permutation", "asymptotic"))
    check_option("continuity", continuity, (True, False))
    check_option("nan_policy", nan_policy, ("raise", "omit"))
    check_kind("resampling", resampling, Permutation)
    chosen = STATISTICS[statistic]
    first, second, dropped = _two_samples(x, y, marker, nan_policy)
    _check_values(chosen, first, second)
    data = pool_batch(first[np.newaxis], second[np.newaxis])
    way = _choose(chosen, data, method)
    found = chosen.judge(data, alternative, continuity and way == "asymptotic")
    null = _NULLS[way](chosen, data, alternative, resampling)
    pvalue = float(found.pvalue[0]) if null.pvalue is None else null.pvalue
    result = TwoSampleResult(
        measure=chosen.effect,
        method=_describe(chosen, alternative, way, null, continuity=continuity),
        hypothesis=chosen.hypothesis if way == "asymptotic" else "equal distributions",
        alternative=alternative,
        estimate=float(found.estimate[0]),
        null_value=float(found.null_value[0]),
        std_error=float(found.std_error[0]),
        statistic=float(found.statistic[0]),
        df=float(found.df[0]),
        pvalue=pvalue,
        n_pos=first.size,
        n_neg=second.size,
        exact=way == "exact",
        n_resamples=null.drawn,
        dropped=dropped,
        effect=_effect(chosen, first, second),
    )
    _warn(chosen, way, result, chosen_for_them=method == "auto")
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Null:
    """A p-value, or None for the asymptotic one; how it was found; relabelings drawn."""

    pvalue: float | None
    words: str
    drawn: int = 0


def _exact(
    chosen: Statistic, data: Labelled, alternative: Alternative, resampling: Permutation
) -> _Null:
    m, n = data.n_pos, data.n_neg
    if chosen.name == "auc":
        ranks = np.broadcast_to(data.pool.midranks, data.label.shape)[0]
        pvalue = exact_rank_pvalue(ranks, data.label[0], alternative)
        return _Null(pvalue=pvalue, words="exact distribution of the rank sum")
    order = chosen.prepare(data.pool, m, n, alternative)
    values = every_relabeling(order.extreme, data.pool, m, n)
    count = _as_extreme(values, data, order)
    return _Null(pvalue=count / values.size, words=f"all {values.size} relabelings")


def _permutation(
    chosen: Statistic, data: Labelled, alternative: Alternative, resampling: Permutation
) -> _Null:
    m, n = data.n_pos, data.n_neg
    order = chosen.prepare(data.pool, m, n, alternative)
    values = random_relabelings(order, data.pool, m, n, resampling)
    count = _as_extreme(values, data, order)
    return _Null(
        pvalue=(1.0 + count) / (1.0 + values.size),
        words=f"{values.size} random relabelings",
        drawn=values.size,
    )


def _asymptotic(
    chosen: Statistic, data: Labelled, alternative: Alternative, resampling: Permutation
) -> _Null:
    return _Null(pvalue=None, words=chosen.reference)


_NULLS: Mapping[str, Callable[[Statistic, Labelled, Alternative, Permutation], _Null]] = {
    "exact": _exact,
    "permutation": _permutation,
    "asymptotic": _asymptotic,
}


def _as_extreme(values: Floats, data: Labelled, order: Order) -> float:
    """Count what is not less than the observed up to rounding; nan where that is nan."""
    observed = float(order.extreme(data)[0])
    if math.isnan(observed):
        return math.nan
    return float(np.count_nonzero(~(values < observed - order.rounding)))


def _choose(chosen: Statistic, data: Labelled, method: Method) -> str:
    """Return the null distribution to take, or refuse one that cannot be had."""
    if method in ("permutation", "asymptotic"):
        return method
    if method == "auto" and chosen.has_own_error and not _is_infinite(chosen, data):
        return "asymptotic"
    m, n = data.n_pos, data.n_neg
    if chosen.name == "auc":
        ranks = np.broadcast_to(data.pool.midranks, data.label.shape)[0]
        feasible = is_feasible(ranks, m)
    else:
        few, size = min(m, n), m + n
        feasible = size <= MOST and few <= 64 and math.comb(size, few) <= MOST
    if feasible:
        return "exact"
    if method == "exact":
        raise InvalidOptionError(
            f"All relabelings of {m} and {n} values are too many for the exact {chosen.label} "
            f"test; use {keyword('method', 'permutation')}."
        )
    if chosen.name == "auc":
        return "asymptotic" if min(m, n) >= _MANY else "permutation"
    return "asymptotic" if chosen.name == "sauc" and _is_vast(data) else "permutation"


def _is_vast(data: Labelled) -> bool:
    """Whether values are so many, and so alike in weight, that their sums are normal."""
    if data.pool.size <= _VAST:
        return False
    square = data.pool.centred[0] ** 2
    between = data.n_pos * data.n_neg / data.pool.size**2
    return bool(square.max() <= _WEIGHT * between * square.sum())


def _is_infinite(chosen: Statistic, data: Labelled) -> bool:
    """Whether a difference stands over a standard error of 0, which no t distribution can judge."""
    return bool(np.isinf(chosen.judge(data, "two-sided", False).statistic[0]))


def _two_samples(
    x: Any, y: Any, marker: str | None, nan_policy: NanPolicy
) -> tuple[Floats, Floats, int]:
    """Return the values of x and of y, and how many were missing."""
    if isinstance(x, ScoredSample):
        if y is not None:
            raise InvalidOptionError("y cannot be given with a ScoredSample, which has both.")
        refuse_design(x)
        if x.cluster is not None:
            raise InvalidSampleError(
                "The sample has clusters, and a two-sample test takes every value as independent; "
                "use rs.auc, whose standard error knows clusters."
            )
        values = x.oriented(x.marker(marker))
        return values[x.positive], values[~x.positive], x.dropped.n
    if marker is not None:
        raise InvalidOptionError("marker can be given with a ScoredSample only.")
    if y is None:
        raise InvalidSampleError("y is missing: give x and y, or a ScoredSample.")
    kept, missing = [], []
    for name, given in (("x", x), ("y", y)):
        values = named_columns([(name, given)])[name]
        known = ~np.isnan(values)
        missing.append(values.size - int(np.count_nonzero(known)))
        if missing[-1] and nan_policy == "raise":
            raise InvalidSampleError(
                f"{name} has {counted(missing[-1], 'missing value')}; complete the data or pass "
                f"{keyword('nan_policy', 'omit')} to leave them out."
            )
        kept.append(values[known])
        if not kept[-1].size:
            raise InvalidSampleError(f"{name} has no values; both groups need some.")
    return kept[0], kept[1], sum(missing)


def _check_values(chosen: Statistic, *samples: Floats) -> None:
    if chosen.is_rank:
        return
    if not all(np.isfinite(values).all() for values in samples):
        raise InvalidSampleError(
            f"There are infinite values, which the {chosen.label} test cannot take; "
            f"use {keyword('statistic', 'auc')}."
        )
    low = min(float(values.min()) for values in samples)
    high = max(float(values.max()) for values in samples)
    check_scale(high - low)


def _effect(chosen: Statistic, x: Floats, y: Floats) -> Estimate | None:
    if chosen.name not in _EFFECTS:
        return None
    label = np.repeat([1, 0], [x.size, y.size])
    sample = ScoredSample.from_arrays(label, np.concatenate([x, y]))
    return _EFFECTS[chosen.name](sample)


def _describe(
    chosen: Statistic, alternative: Alternative, way: str, null: _Null, *, continuity: bool
) -> str:
    which = {"two-sided": "the larger of Z+ and Z-", "greater": "Z+", "less": "Z-"}[alternative]
    parts = [f"{chosen.label} test", *([which] if chosen.name == "sauc" else []), null.words]
    if chosen.name == "auc" and way == "asymptotic":
        parts.append(f"{'with' if continuity else 'without'} continuity correction")
    return ", ".join(parts)


def _warn(chosen: Statistic, way: str, result: TwoSampleResult, *, chosen_for_them: bool) -> None:
    if math.isnan(result.pvalue):
        warn_user(
            f"The {chosen.label} test needs two values in each group, so the answer is nan.",
            SmallSampleWarning,
        )
    elif math.isinf(result.statistic) and way == "asymptotic":
        warn_user(
            f"The standard error is 0, so the {chosen.label} statistic is infinite; "
            f"use {keyword('method', 'permutation')}.",
            DegenerateVarianceWarning,
        )
    elif math.isinf(result.statistic) and chosen.has_own_error and chosen_for_them:
        by = "all" if result.exact else "random"
        warn_user(
            f"The standard error is 0, so the {chosen.label} statistic is infinite; the p-value is "
            f"that of {by} relabelings.",
            DegenerateVarianceWarning,
        )
    elif result.statistic == 0.0 and result.std_error == 0.0:
        warn_user("All values are equal, so p is 1.", DegenerateVarianceWarning)
    elif chosen.name == "sauc" and way == "asymptotic" and not chosen_for_them:
        warn_user(
            "The normal approximation of the sAUC test is liberal in small samples (size .040 to "
            f".074 at 50 to 60 values); use {keyword('method', 'permutation')}.",
            SmallSampleWarning,
        )
