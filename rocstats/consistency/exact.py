"""Exact counts over all ranked lists of given class sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from rocstats.consistency.histograms import Counts, joint_rows, pair_histogram
from rocstats.consistency.list_criteria import Criterion, Ranked, find_criterion
from rocstats.consistency.pair_counts import PairCounts, count_rows
from rocstats.errors import InvalidOptionError, check_count

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
    given : Fraction
        Value of the other measure.
    mean, variance : Fraction
        Of the measure over these lists.
    n_lists : int
        How many lists have the value.

    See Also
    --------
    means_given : The mean of a measure for every value of another.
    """

    given: Fraction
    mean: Fraction
    variance: Fraction
    n_lists: int


def means_given(
    measure: str | Criterion, given: str | Criterion, *, n_pos: int, n_neg: int
) -> tuple[MeanGiven, ...]:
    """Return the mean of a measure over all ranked lists, for every value of another.

    Parameters
    ----------
    measure : str or Criterion
        ``auc``, ``accuracy`` or ``f1``, or made by `accuracy_at`, `f1_at`, `profit_at` or
        `lift_at`: what counts pairs, or positives in the first positions.
    given : str or Criterion
        The measure whose value is known.
    n_pos : int
        Number of positives.
    n_neg : int
        Number of negatives.

    Returns
    -------
    tuple of MeanGiven
        One for each value of `given`, from the lowest: exact fractions, and how many lists have it.

    See Also
    --------
    compare_measures : Compare two measures over pairs of lists.
    profit_at : The profit of approaching the first part of a list.

    Notes
    -----
    Lists are counted as in `compare_measures`, by Gaussian binomial coefficients; none is
    enumerated. What follows for profit given AUC and given accuracy is in
    docs/evidence/measures.md.

    References
    ----------
    Huang & Ling (2005), doi:10.1109/TKDE.2005.50, section V.

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.means_given("auc", "accuracy", n_pos=2, n_neg=2)
    >>> [(str(row.given), str(row.mean), row.n_lists) for row in found]
    [('0', '0', 1), ('1/2', '1/2', 4), ('1', '1', 1)]
    """
    pos, neg = check_count("n_pos", n_pos), check_count("n_neg", n_neg)
    wanted = _ranked(find_criterion("measure", measure), pos, neg)
    known = _ranked(find_criterion("given", given), pos, neg)
    sums = _sums(pos, neg, wanted.depth, known.depth)
    rows = []
    for statistic, (lists, total, squares) in enumerate(zip(*sums, strict=True)):
        if lists:
            mean = Fraction(int(total), int(lists))
            rows.append(
                MeanGiven(
                    given=known.value(statistic),
                    mean=wanted.offset + wanted.slope * mean,
                    variance=wanted.slope**2 * (Fraction(int(squares), int(lists)) - mean**2),
                    n_lists=int(lists),
                )
            )
    return tuple(rows)


def _sums(
    n_pos: int, n_neg: int, wanted: int | None, known: int | None
) -> tuple[Counts, Counts, Counts]:
    """Return lists, and the sums of a statistic and of its squares, by another statistic.

    A statistic is given by its depth, or by None for the number of pairs (see `joint_rows`).
    """
    turned = wanted is None and known is not None  # rows go by a depth
    first, second = (wanted, known) if turned else (known, wanted)
    size = (n_pos * n_neg if known is None else min(known, n_pos)) + 1
    sums = [np.zeros(size, dtype=object) for _ in range(3)]
    for row in joint_rows(n_pos, n_neg, first, second):
        place: Any = row.value if turned else slice(row.start, row.start + row.counts.size)
        values: Any = row.start + np.arange(row.counts.size).astype(object) if turned else row.value
        for power, part in enumerate(sums):
            weighed = row.counts * values**power if power else row.counts
            part[place] += weighed.sum() if turned else weighed
    return sums[0], sums[1], sums[2]
