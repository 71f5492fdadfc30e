"""Batches: asymptotic tests of many pairs of samples in one call, for simulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.errors import InvalidSampleError, check_option, named
from rocstats.estimates.results import Alternative
from rocstats.resampling.chunks import check_scale
from rocstats.twosample.judging import Answers
from rocstats.twosample.pooled_values import pool_batch
from rocstats.twosample.statistics import STATISTICS

__all__ = ["batch_answers", "batch_pvalues", "batch_statistics"]

_SLAB = 2**15  # values worked on at a time: a few such arrays stay in a core's cache


def batch_pvalues(
    test: str,
    x: Any,
    y: Any,
    *,
    alternative: Alternative = "two-sided",
    continuity: bool = True,
) -> Floats:
    """Return the (B,) asymptotic p-values of row k of `x` against row k of `y`.

    Parameters
    ----------
    test : "auc" (Wilcoxon-Mann-Whitney), "sauc", "brunner-munzel", "welch", "t" (pooled) or "ks"
    x, y : (B, m) and (B, n) arrays of finite numbers; "greater" means that x tends to be larger
    continuity : the half step of the normal approximation of "auc"; no other test reads it

    Notes
    -----
    "auc" estimates P(x > y) + P(x = y)/2 and has R's normal approximation with tied ranks. "sauc"
    is the mean of (x - y)_+ (greater), of (y - x)_+ (less), or the larger of the two standardized
    (two-sided), whose p-value is that of the larger of two normals with the exact permutation
    correlation; it is somewhat liberal in small samples (STATISTICS.md 5.3). Where nothing varies
    and nothing differs p is 1; where nothing varies within the groups and they differ, tests with
    a standard error of their own (t, Welch, Brunner-Munzel) have p = 0, the limit.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.twosample.sample_batches import batch_pvalues
    >>> x, y = np.array([[3.0, 4.0, 5.0], [1.0, 2.0, 6.0]]), np.array([[0.0, 1.0], [3.0, 4.0]])
    >>> batch_pvalues("t", x, y).round(4)
    array([0.0246, 0.8193])
    """
    return batch_answers(test, x, y, alternative=alternative, continuity=continuity).pvalue


def batch_statistics(
    test: str,
    x: Any,
    y: Any,
    *,
    alternative: Alternative = "two-sided",
    continuity: bool = True,
) -> Floats:
    """Return the (B,) statistics whose p-values `batch_pvalues` returns.

    Positive where x is larger, they are z ("auc"), Z+, Z- or the larger of the two ("sauc"), t,
    or a distance ("ks").
    """
    return batch_answers(test, x, y, alternative=alternative, continuity=continuity).statistic


def batch_answers(
    test: str,
    x: Any,
    y: Any,
    *,
    alternative: Alternative = "two-sided",
    continuity: bool = True,
) -> Answers:
    """Return estimates, statistics and p-values of a batch."""
    check_option("test", test, STATISTICS)
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    check_option("continuity", continuity, (True, False))
    statistic = STATISTICS[test]
    first, second = (_rows(name, given) for name, given in (("x", x), ("y", y)))
    if first.shape[0] != second.shape[0]:
        raise InvalidSampleError(
            f"x has {first.shape[0]} rows and y has {second.shape[0]}; they must be as many."
        )
    for name, rows in (("x", first), ("y", second)):
        allowed = ~np.isnan(rows) if statistic.is_rank else np.isfinite(rows)
        if not allowed.all():
            raise InvalidSampleError(f"{name} holds values that are not finite numbers.")
    if not statistic.is_rank:
        check_scale(
            max(float(first.max()), float(second.max()))
            - min(float(first.min()), float(second.min()))
        )
    size = first.shape[1] + second.shape[1]
    parts = []
    for s in slabs(first.shape[0], max(1, _SLAB // size)):
        data = pool_batch(first[s], second[s], ordered=statistic.is_ordered)
        parts.append(statistic.judge(data, alternative, continuity))
    return Answers(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in Answers.__dataclass_fields__
        }
    )


def _rows(name: str, given: Any) -> Floats:
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or not rows.size:
        raise InvalidSampleError(
            f"{named(name)} must be an array of numbers with one row for each sample, "
            f"got shape {rows.shape}."
        )
    return rows
