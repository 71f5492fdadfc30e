"""All ranked lists of given class sizes, counted by two statistics at once, in whole numbers.

A statistic of a ranked list is the number of pairs of a positive above a negative, or the number of
positives among the first `depth` positions. Nothing is enumerated: with t positives among the first
k of n = m + l positions, the lists with u pairs are counted by the coefficient of q**u in

    q**(t (l - k + t)) [k, t] [n - k, m - t],

where [a, b] is the Gaussian binomial coefficient: the pairs within the first k, within the rest,
and those between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "Row", "joint_rows", "pair_histogram"]

Counts = NDArray[Any]  # of Python integers


class Row(NamedTuple):
    """Lists with one value of the second statistic, by the first.

    Attributes
    ----------
    value : of the second statistic
    start : the first statistic of the first count
    counts : of lists, the first statistic growing by one
    """

    value: int
    start: int
    counts: Counts


def joint_rows(n_pos: int, n_neg: int, first: int | None, second: int | None) -> Iterator[Row]:
    """Yield the joint histogram of two statistics, the second growing from row to row.

    A statistic is given by its depth, or by None for the number of pairs; the second may be the
    number of pairs only where the first is, too.
    """
    if first == second:
        counts = pair_histogram(n_pos, n_neg) if first is None else _tops(n_pos, n_neg, first)
        for value, count in enumerate(counts):
            if count:
                yield Row(value, value, _whole([count]))
    elif first is None:
        assert second is not None
        yield from _pairs_by_top(n_pos, n_neg, second)
    else:
        assert second is not None
        yield from _top_by_top(n_pos, n_neg, first, second)


def pair_histogram(n_pos: int, n_neg: int) -> Counts:
    """Return how many lists have 0, 1, ... pairs of a positive above a negative."""
    return _gaussian(n_pos + n_neg, n_pos)


def _pairs_by_top(n_pos: int, n_neg: int, depth: int) -> Iterator[Row]:
    rest = n_pos + n_neg - depth
    top = max(0, depth - n_neg)
    # One of the two coefficients is 1 here, and each row follows from the one before.
    counts = _gaussian(rest, n_pos) if top == 0 else _gaussian(depth, top)
    while True:
        yield Row(top, top * (n_neg - depth + top), counts)
        if top == min(depth, n_pos):
            return
        counts = _times(_times(counts, depth - top), n_pos - top)
        counts = _over(_over(counts, top + 1), rest - n_pos + top + 1)
        top += 1


def _top_by_top(n_pos: int, n_neg: int, first: int, second: int) -> Iterator[Row]:
    """Count by the positives in three parts: before, between and after the two depths."""
    short, long = sorted((first, second))
    sizes = (short, long - short, n_pos + n_neg - long)
    for value in range(min(second, n_pos) + 1):
        counts = []
        for other in range(min(first, n_pos) + 1):
            low, high = (other, value) if first < second else (value, other)
            parts = (low, high - low, n_pos - high)
            ways = [comb(n, k) if k >= 0 else 0 for n, k in zip(sizes, parts, strict=True)]
            counts.append(ways[0] * ways[1] * ways[2])
        if any(counts):
            yield Row(value, 0, _whole(counts))


def _tops(n_pos: int, n_neg: int, depth: int) -> Counts:
    rest = n_pos + n_neg - depth
    return _whole([comb(depth, t) * comb(rest, n_pos - t) for t in range(min(depth, n_pos) + 1)])


def _gaussian(n: int, k: int) -> Counts:
    """Return the coefficients of the Gaussian binomial coefficient [n, k]."""
    counts = _whole([1])
    for i in range(1, k + 1):
        counts = _over(_times(counts, n - k + i), i)
    return counts


def _times(counts: Counts, power: int) -> Counts:
    """Multiply by 1 - q**power."""
    product = np.zeros(counts.size + power, dtype=object)
    product[: counts.size] += counts
    product[power:] -= counts
    return product


def _over(counts: Counts, power: int) -> Counts:
    """Divide by 1 - q**power, which leaves no remainder here: sums in steps of `power`."""
    padded = np.zeros(-(-counts.size // power) * power, dtype=object)
    padded[: counts.size] = counts
    sums = np.add.accumulate(padded.reshape(-1, power), axis=0).ravel()
    return sums[: counts.size - power]


def _whole(counts: list[int]) -> Counts:
    return np.array(counts, dtype=object)
