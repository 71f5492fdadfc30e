"""Partial areas of resamples, from draw counts: the strip of the ROC plane within a window."""

from __future__ import annotations

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.engine.windows import Window
from rocstats.resampling.urn import Index

__all__ = ["Strip"]


class Strip:
    """The area over a range of one rate, walking the window's own class from score to score.

    At each score of that class the curve runs over its subjects drawn, as far as they lie within
    the window, at the height of the other class still ahead; where both tie it slants.
    """

    def __init__(self, pos: Index, neg: Index, window: Window) -> None:
        self.window = window
        self.upwards = window.axis == "fpr"
        own, other = (neg, pos) if self.upwards else (pos, neg)
        self.order, self.others = np.argsort(own, kind="stable"), np.argsort(other, kind="stable")
        level, self.first = np.unique(own[self.order], return_index=True)
        self.below = np.searchsorted(other[self.others], level, "left")
        self.upto = np.searchsorted(other[self.others], level, "right")
        self.is_tied = bool((self.below != self.upto).any())

    def values(self, pos: Ints, neg: Ints) -> Floats:
        """Return the (b,) scaled areas."""
        own, other = (neg, pos) if self.upwards else (pos, neg)
        seen = np.zeros((other.shape[0], other.shape[1] + 1), dtype=np.int64)
        np.cumsum(other.take(self.others, axis=1), axis=1, out=seen[:, 1:])
        run = own.take(self.order, axis=1)
        if self.first.size < self.order.size:
            run = np.add.reduceat(run, self.first, axis=1)
        below = seen.take(self.below, axis=1)
        upto = seen.take(self.upto, axis=1) if self.is_tied else below
        if self.upwards:
            at_start, at_end = seen[:, -1:] - below, seen[:, -1:] - upto
        else:
            run, at_start, at_end = run[:, ::-1], upto[:, ::-1], below[:, ::-1]
        stop = np.cumsum(run, axis=1)
        sizes = stop[:, -1]
        opens, closes = np.array([self.window.passed(n) for n in sizes.tolist()]).T[..., None]
        end = np.clip(stop, opens, closes)
        start = np.clip(stop - run, opens, closes)
        height = at_start.astype(np.float64)
        if self.is_tied:
            middle = 0.5 * (start + end) - (stop - run)
            height -= (at_start - at_end) * (middle / np.maximum(run, 1))
        area = np.einsum("bi,bi->b", end - start, height) / (sizes * seen[:, -1])
        level, slope = self.window.scale
        return np.asarray(np.clip(level + slope * area, *self.window.bounds))
