"""Corners of the upper convex hull of points with whole coordinates, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Ints

__all__ = ["Corner", "curve_corners", "upper_hull"]

_SHRINK = 0.9  # while a pass leaves fewer of the points than this, another one pays
_INT64 = 2**63

Corner = tuple[int, int]


def curve_corners(fp: Ints, tp: Ints) -> NDArray[np.intp]:
    """Return the vertices of the hull of one curve, by position.

    A point on or below the line between its neighbours is no vertex, and all such points may go at
    once. A few passes leave little more than the hull, which a walk with a stack then finds. All
    products are of whole numbers: 64 bits where they fit, else Python's.
    """
    x: NDArray[Any] = fp
    y: NDArray[Any] = tp
    if int(fp[-1]) * int(tp[-1]) >= _INT64:
        x, y = fp.astype(object), tp.astype(object)
    keep, before = np.arange(fp.size), math.inf
    while keep.size < _SHRINK * before:
        before = keep.size
        right, up = x[1:] - x[:-1], y[1:] - y[:-1]
        bends = np.ones(keep.size, dtype=np.bool_)
        bends[1:-1] = up[:-1] * right[1:] > up[1:] * right[:-1]
        (left,) = bends.nonzero()  # by position: faster than by a mask
        x, y, keep = x[left], y[left], keep[left]
    corners = list(zip(x.tolist(), y.tolist(), strict=True))
    chosen: NDArray[np.intp] = keep[upper_hull(corners)]
    return chosen


def upper_hull(corners: Sequence[Corner]) -> list[int]:
    """Return which of the points, in increasing order, are vertices of their upper hull."""
    stack: list[int] = []
    for i, (x, y) in enumerate(corners):
        while len(stack) > 1:
            (x1, y1), (x2, y2) = corners[stack[-2]], corners[stack[-1]]
            if (y2 - y1) * (x - x2) > (y - y2) * (x2 - x1):
                break
            stack.pop()
        stack.append(i)
    return stack
