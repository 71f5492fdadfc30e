"""Clopper and Pearson's limits of very many proportions of one size."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.polynomial import chebyshev

from rocstats.arrays import Floats, Ints

__all__ = ["clopper_pearson"]

_FEW = 4096  # counts, and those near an end, whose limits are worked out one by one
_END = 64
_DEGREE = 14


def clopper_pearson(count: Ints, size: int, level: float) -> tuple[Floats, Floats]:
    """Return exact limits of a proportion; 0 and 1 where nothing or everything was counted.

    Very many of them are read off polynomials: the angle of a limit is a smooth function of the
    angle of the proportion, and between an end and twice as far from it a polynomial through 15
    limits is as exact as the limits themselves.
    """
    there = np.flatnonzero(np.bincount(count, minlength=size + 1))
    limits = np.empty((2, size + 1))
    near = there if there.size <= _FEW else there[(there < _END) | (size - there < _END)]
    limits[:, near] = _one_by_one(near.astype(np.float64), size, level)
    if there.size > _FEW:
        for first, last in pairwise(_knots(size)):
            inside = there[(there >= first) & (there <= last)]
            limits[:, inside] = _smooth(inside, (first, last), size, level)
    low, high = limits[:, count]
    return low, high


def _one_by_one(count: Floats, size: int, level: float) -> Floats:
    from scipy.special import betaincinv

    tail, rest = (1.0 - level) / 2.0, size - count
    low, high = np.zeros(count.size), np.ones(count.size)
    some, few = count > 0, rest > 0
    low[some] = betaincinv(count[some], rest[some] + 1, tail)
    high[few] = betaincinv(count[few] + 1, rest[few], 1.0 - tail)
    return np.stack([low, high])


def _knots(size: int) -> list[int]:
    """Return counts that double from one end to the middle, and the same from the other."""
    half = [_END]
    while half[-1] < size // 2:
        half.append(min(2 * half[-1], size // 2))
    return [*half, *(size - count for count in reversed(half[:-1]))]


def _smooth(count: Ints, ends: tuple[int, int], size: int, level: float) -> Floats:
    low, high = _angle(np.array(ends) / size).tolist()
    centre, reach = 0.5 * (low + high), 0.5 * (high - low)
    nodes = chebyshev.chebpts1(_DEGREE + 1)
    known = _one_by_one(size * np.sin(centre + reach * nodes) ** 2, size, level)
    fitted = chebyshev.chebfit(nodes, _angle(known).T, _DEGREE)
    place = (_angle(count / size) - centre) / reach
    return np.asarray(np.sin(chebyshev.chebval(place, fitted)) ** 2)


def _angle(share: Floats) -> Floats:
    return np.asarray(np.arcsin(np.sqrt(share)))
