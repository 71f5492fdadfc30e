"""Measures without a formula over ranked lists: every list is measured, one after the other."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.consistency.list_criteria import Criterion
from rocstats.consistency.pair_counts import PairCounts
from rocstats.consistency.simulation import measure_lists
from rocstats.errors import InvalidOptionError, ScoreRangeError, aside, named

__all__ = ["MOST_LISTS", "check_order_alone", "count_every_list"]

MOST_LISTS = 20_000  # more ranked lists than this are drawn, not counted
_TRIED = 200  # lists on which a measure is tried with other scores in the same order


def count_every_list(
    f: Criterion, g: Criterion, n_pos: int, n_neg: int, tolerance: float
) -> PairCounts:
    """Count the pairs of all ranked lists by what two criteria say of each list."""
    labels = _labels(n_pos, n_neg)
    scores = np.broadcast_to(_scores(n_pos + n_neg), labels.shape)
    ranks = [_ranks(measure_lists(measure, labels, scores, 2), tolerance) for measure in (f, g)]
    kinds, times = np.unique(np.stack(ranks, axis=1), axis=0, return_counts=True)
    (first, second), times = kinds.T, times.astype(np.int64)
    agree = disagree = f_only = g_only = 0
    for i in range(len(times) - 1):  # kinds are sorted by the first rank, then by the second
        later = times[i + 1 :]
        tied, ahead, level = (
            first[i + 1 :] == first[i],
            second[i + 1 :] > second[i],
            second[i + 1 :] == second[i],
        )
        weight = int(times[i])
        agree += weight * int(later[~tied & ahead].sum())
        f_only += weight * int(later[~tied & level].sum())
        disagree += weight * int(later[~tied & ~ahead & ~level].sum())
        g_only += weight * int(later[tied].sum())
    return PairCounts(
        agree=agree,
        disagree=disagree,
        f_only=f_only,
        g_only=g_only,
        neither=int((times * (times - 1) // 2).sum()),
    )


def check_order_alone(measure: Criterion, n_pos: int, n_neg: int) -> None:
    """Refuse a measure that other scores in the same order change."""
    size = n_pos + n_neg
    if comb(size, n_pos) <= MOST_LISTS:
        labels = _labels(n_pos, n_neg)
        labels = labels[np.linspace(0, len(labels) - 1, min(len(labels), _TRIED)).astype(np.intp)]
    else:
        base = np.tile(np.repeat([1, 0], [n_pos, n_neg]), (_TRIED, 1))
        labels = np.random.default_rng(0).permuted(base, axis=1)
    even = _scores(size)
    try:
        plain, *others = (
            measure_lists(measure, labels, np.broadcast_to(s, labels.shape), 2)
            for s in (even, even**3, np.sqrt(even))
        )
    except ScoreRangeError:  # who minds the range of the scores looks at them
        plain, others = np.zeros(1), [np.ones(1)]
    if not all(np.allclose(plain, other, rtol=1e-9, atol=1e-12) for other in others):
        raise InvalidOptionError(
            f"{measure.label} is no function of a ranked list alone: other scores in the same "
            f"order change its value; draw scored lists with {named('lists')}"
            + aside(f", such as rs.random_lists(n_pos={n_pos}, n_neg={n_neg})")
            + "."
        )


def _labels(n_pos: int, n_neg: int) -> Ints:
    """Return every ranked list as a row, best position first."""
    places = np.array(list(combinations(range(n_pos + n_neg), n_pos)), dtype=np.intp)
    labels = np.zeros((len(places), n_pos + n_neg), dtype=np.int64)
    np.put_along_axis(labels, places, 1, axis=1)
    return labels


def _scores(size: int) -> Floats:
    """Return scores within (0, 1), evenly spaced, from the best position down."""
    return np.arange(size, 0, -1) / (size + 1.0)


def _ranks(values: Floats, tolerance: float) -> Ints:
    """Return whole numbers in the order of the values, the same where neighbours are tied."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    with np.errstate(invalid="ignore"):
        up = np.diff(ordered) > tolerance
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.append(0, np.cumsum(up))
    return ranks
