"""Exact counts over all ranked lists of given class sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

import numpy as np

from rocstats.consistency.histograms import joint_rows, pair_histogram
from rocstats.consistency.list_criteria import Criterion, Ranked, find_criterion
from rocstats.consistency.pair_counts import PairCounts, count_rows
from rocstats.errors import InvalidOptionError

__all__ = ["MeanGiven", "count_lists", "means_given"]


def count_lists(f: Criterion, g: Criterion, n_pos: int, n_neg: int) -> PairCounts:
    """Count the pairs of all ranked lists by two criteria."""
    first, second = (_ranked(measure, n_pos, n_neg).depth for measure in (f, g))
    if first == second:
        return _alike(n_pos, n_neg, first)
    if second is None:  # rows go by a depth
        swapped = count_lists(g, f, n_pos, n_neg)
        return replace(swapped, f_only=swapped.g_only, g_only=swapped.f_only)
    size = (n_pos * n_neg if first is None else min(first, n_pos)) + 1
    return count_rows(joint_rows(n_pos, n_neg, first, second), size)


def _alike(n_pos: int, n_neg: int, depth: int | None) -> PairCounts:
    """Count pairs by two measures that grow with the same statistic: they never differ."""
    if depth is None:
        counts = pair_histogram(n_pos, n_neg)
    else:
        rows = joint_rows(n_pos, n_neg, depth, depth)
        counts = np.concatenate([row.counts for row in rows])
    lists = comb(n_pos + n_neg, n_pos)
    ties = (int(counts @ counts) - lists) // 2
    return PairCounts(
        agree=lists * (lists - 1) // 2 - ties, disagree=0, f_only=0, g_only=0, neither=ties
    )


def _ranked(measure: Criterion, n_pos: int, n_neg: int) -> Ranked:
    if measure.ranked is None:
        raise InvalidOptionError(
            f"{measure.label} has no formula over ranked lists; take one that counts pairs or the "
            "positives in the first positions, such as auc, accuracy or profit_at."
        )
    return measure.ranked(n_pos, n_neg)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanGiven:
    """The mean of a measure over the ranked lists with one value of another.

    Attributes
    ----------
    given : value of the other measure
    mean, variance : of the measure over these lists
    n_lists : how many lists have the value
    """

    given: Fraction
    mean: Fraction
    variance: Fraction
    n_lists: int


def means_given(
    measure: str | Criterion, given: str | Criterion, *, n_pos: int, n_neg: int
) -> tuple[MeanGiven, ...]:
    """Return the mean of a measure over all ranked lists, for every value of another.

    Examples
    --------
    >>> found = means_given("auc", "accuracy", n_pos=2, n_neg=2)
    >>> [(str(row.given), str(row.mean), row.n_lists) for row in found]
    [('0', '0', 1), ('1/2', '1/2', 4), ('1', '1', 1)]
    """
    wanted = _ranked(find_criterion("measure", measure), n_pos, n_neg)
    known = _ranked(find_criterion("given", given), n_pos, n_neg)
    turned = wanted.depth is None and known.depth is not None  # rows go by a depth
    first, second = (wanted, known) if turned else (known, wanted)
    sums: dict[int, tuple[Fraction, Fraction, int]] = {}
    for row in joint_rows(n_pos, n_neg, first.depth, second.depth):
        for step, count in enumerate(row.counts):
            column = row.start + step
            key, other = (row.value, column) if turned else (column, row.value)
            value = wanted.value(other)
            total, squares, lists = sums.get(key, (Fraction(0), Fraction(0), 0))
            sums[key] = (total + count * value, squares + count * value**2, lists + count)
    return tuple(
        MeanGiven(
            given=known.value(key),
            mean=total / lists,
            variance=squares / lists - (total / lists) ** 2,
            n_lists=int(lists),
        )
        for key, (total, squares, lists) in sorted(sums.items())
        if lists
    )
