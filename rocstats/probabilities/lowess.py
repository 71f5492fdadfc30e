"""Lowess (Cleveland 1979) without robustness steps, exact where values tie."""

from __future__ import annotations

import math

import numpy as np

from rocstats.arrays import Floats, Ints

__all__ = ["local_shares"]

_SPAN, _STEP = 2.0 / 3.0, 0.01  # share of the sample that is near, and of the range between fits
_NEAR, _FAR = 0.001, 0.999  # weight is 1 up to here and 0 from here, in shares of the reach
_FLAT = 0.001  # no slope is fitted to neighbours closer together than this share of the range


def local_shares(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the distinct x in order, and the local mean of y there.

    Lines are fitted to the nearest two thirds of the sample about every hundredth of the range,
    and joined. R equivalent: ``lowess(x, y, iter = 0)``.
    """
    ranked = np.sort(x)
    place, code, size = np.unique(x, return_inverse=True, return_counts=True)
    mean = np.bincount(code, y) / size
    spread = float(place[-1] - place[0])
    near = max(2, int(_SPAN * x.size + 1e-7))
    between = ranked[:-near] + ranked[near:]  # twice the middle of the windows' outer neighbours
    at = _fitted_places(place, _STEP * spread)
    fit = []
    for i in at:
        centre = place[i]
        first = int(np.searchsorted(between, 2.0 * centre))
        reach = max(centre - ranked[first], ranked[first + near - 1] - centre)
        fit.append(_fit_line(place, size, mean, centre, reach, _FLAT * spread))
    return place, np.interp(place, place[at], fit)


def _fitted_places(place: Floats, step: float) -> list[int]:
    """Return where to fit: the last place within a step of the one before, or else the next."""
    at = [0]
    while at[-1] < place.size - 1:
        beyond = int(np.searchsorted(place, place[at[-1]] + step, side="right"))
        at.append(max(beyond - 1, at[-1] + 1))
    return at


def _fit_line(
    place: Floats, size: Ints, mean: Floats, centre: float, reach: float, flat: float
) -> float:
    """Return a line's value at the centre, fitted with tricube weights within the reach."""
    low, high = np.searchsorted(place, [centre - reach, centre + reach], side="left")
    part = slice(int(low), int(high) + 1)
    x, y = place[part], mean[part]
    share = np.abs(x - centre)
    far = share > _FAR * reach
    if reach > 0.0:
        share /= reach
    weight = 1.0 - share * share * share
    weight *= weight * weight
    weight[share <= _NEAR] = 1.0
    weight *= size[part]
    weight[far] = 0.0
    weight /= weight.sum()
    middle = float(np.einsum("i,i->", weight, x))
    x = x - middle
    spread = float(np.einsum("i,i,i->", weight, x, x))
    value = float(np.einsum("i,i->", weight, y))
    if math.sqrt(spread) > flat:
        value += (centre - middle) * float(np.einsum("i,i,i->", weight, x, y)) / spread
    return value
