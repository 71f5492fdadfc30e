"""Choices: the best vertex of every resample, by scores of all vertices or drawn and found in C."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.engine.compiled import draw_best
from rocstats.thresholds.cutpoint_criteria import Floor, Rates

__all__ = ["Choice", "Drawing", "choose"]


class Choice(NamedTuple):
    """The best vertex of each resample, of equals the first.

    Attributes
    ----------
    best : its place
    after : the next place where more are called positive
    tp, fp : its counts
    score : how good it is; -inf where there is none
    """

    best: Ints
    after: Ints
    tp: Ints
    fp: Ints
    score: Floats


def choose(score: Floats, tp: Ints, fp: Ints) -> Choice:
    """Return the best vertices of (b, V) paths; of equals the first, which is the most specific."""
    best, row = score.argmax(axis=1), np.arange(len(score))
    called = tp + fp
    after = np.count_nonzero(called <= called[row, best][:, np.newaxis], axis=1)
    return Choice(best, after, tp[row, best], fp[row, best], score[row, best])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """What the compiled kernel needs to draw resamples and choose in each.

    Attributes
    ----------
    below : of each class, how many of its units, which come by rising score, lie below each vertex
    cells : of each class, the units of 65,536 tickets that are drawn from; None where every subject
        is a unit
    sizes : how many positives and negatives a resample has
    batch : how many resamples are drawn at a time
    rates, weight, floor : what is to be largest
    """

    below: tuple[NDArray[np.intp], NDArray[np.intp]]
    cells: tuple[NDArray[np.uint16], NDArray[np.uint16]] | None
    sizes: tuple[int, int]
    batch: int
    rates: Rates
    weight: Fraction
    floor: Floor

    def choose(self, rng: np.random.Generator, size: int) -> Choice | None:
        """Return the choices of so many resamples; None where there is no kernel."""
        worth = self.rates.tables(*self.sizes, float(self.weight))
        found = draw_best(
            rng,
            size,
            self.batch,
            self.below,
            self.cells,
            worth,
            self.rates.join,
            (self.floor.least(self.sizes[0]), self.floor.most(self.sizes[1])),
        )
        if found is None:
            return None
        best, after, tp, fp = found.T
        score = np.where(best < 0, -math.inf, self.rates.join(worth[0][tp], worth[1][fp]))
        return Choice(best, after, tp, fp, score)
