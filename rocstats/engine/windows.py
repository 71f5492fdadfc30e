"""Windows: a range of one axis of the ROC plane, and the box that it spans with the curve.

Walking the tie blocks, a window opens and closes where a given share of one class, its own, has
been passed: the negatives from below for a range of the false positive rate, the positives from
above for one of the true positive rate. There the curve says how many of the other class are still
ahead. The partial area, and every subject's influence on it, are those of the AUC with both counts
clipped to that box (docs/evidence/partial_auc.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks

__all__ = ["Box", "Corner", "Window", "rests_on"]

Axis = Literal["fpr", "tpr"]
_FEWEST = 2.0  # subjects that a spread rests on at least
_ROUNDING = 8 * np.finfo(np.float64).eps  # a bound this near to a whole number of subjects is one


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A range of the false or of the true positive rate, and how the area over it is scaled."""

    axis: Axis
    low: float
    high: float
    standardized: bool = False

    def __str__(self) -> str:
        return f"{self.axis} {self.low:g} to {self.high:g}"

    @property
    def width(self) -> float:
        """The largest raw area."""
        return self.high - self.low

    @property
    def chance(self) -> float:
        """The raw area of a curve on the diagonal."""
        middle = 0.5 * (self.low + self.high)
        return self.width * (middle if self.axis == "fpr" else 1.0 - middle)

    @property
    def scale(self) -> tuple[float, float]:
        """Level and slope of the scaled area in the raw one (McClish 1989)."""
        if not self.standardized:
            return 0.0, 1.0
        slope = 0.5 / (self.width - self.chance)
        return 0.5 - slope * self.chance, slope

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest scaled area."""
        return self.scale[0], 1.0 if self.standardized else self.width

    def held(self, area: float) -> float:
        """Return a scaled area within its bounds, which rounding can leave by an ulp or two."""
        low, high = self.bounds
        return area if math.isnan(area) else min(max(area, low), high)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.width == 1.0

    @property
    def shares(self) -> tuple[float, float]:
        """Share of the negatives and of the positives on which the spread of influence rests."""
        return (self.width, 1.0) if self.axis == "fpr" else (1.0, self.width)

    def sides(self, pos: float, neg: float) -> tuple[float, float]:
        """Of two numbers, that of the class whose share the range is of, and the other."""
        return (neg, pos) if self.axis == "fpr" else (pos, neg)

    def passed(self, size: float) -> tuple[float, float]:
        """How many of its own class, of this size, are passed where it opens and closes."""
        low, high = _near_whole(self.low * size), _near_whole(self.high * size)
        return (size - high, size - low) if self.axis == "fpr" else (low, high)

    def box(self, blocks: Blocks) -> Box:
        """Return where the window opens and closes on the curve."""
        step = 1 if self.axis == "fpr" else -1
        n_pos, n_neg = (count[::step] for count in blocks.counts(slice(None)))
        own, other = (n_neg, n_pos) if self.axis == "fpr" else (n_pos, n_neg)
        size = self.sides(*blocks.totals)[0]
        upto = np.cumsum(own, out=blocks.scratch())
        upto[-1] = size  # where weights are summed in another order, an ulp may lie between
        opens, closes = (_corner(upto, own, other, at) for at in self.passed(size))
        return Box(opens=opens, closes=closes, size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """A point of the curve, on a walk along the blocks.

    Attributes
    ----------
    passed : subjects of the window's own class passed so far
    ahead : subjects of the other class still ahead; the middle where the curve is upright
    block, part : the block of the walk it lies in, and how much of that block is passed
    """

    passed: float
    ahead: float
    block: int
    part: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """The corners of a window, and the size of its own class."""

    opens: Corner
    closes: Corner
    size: float

    def cut(self) -> list[tuple[int, float]]:
        """Blocks that a corner cuts, and how far their mean moves from the middle when clipped."""
        opens, closes = self.opens, self.closes
        found = []
        for block in {c.block for c in (opens, closes) if 0.0 < c.part < 1.0}:
            start = opens.part if block == opens.block else 0.0
            stop = closes.part if block == closes.block else 1.0
            found.append((block, stop - 0.5 * (stop * stop - start * start) - 0.5))
        return found

    def own_range(self) -> tuple[float, float, float]:
        """Limits of the count passed, and what is taken off so that its mean is the area."""
        return self.opens.passed, self.closes.passed, self.opens.passed

    def other_range(self) -> tuple[float, float, float]:
        """Limits of the count ahead, and what is taken off so that its mean is the area."""
        before, after = self.opens.passed / self.size, 1.0 - self.closes.passed / self.size
        outside = before * self.opens.ahead + after * self.closes.ahead
        return self.closes.ahead, self.opens.ahead, outside


def rests_on(size: float, share: float) -> float:
    """Return how many subjects, of so many, a share of them is: all, or two at least."""
    return size if share == 1.0 else max(size * share, _FEWEST)


def _near_whole(count: float) -> float:
    whole = round(count)
    return float(whole) if abs(count - whole) <= _ROUNDING * whole else count


def _corner(upto: Floats, own: Floats, other: Floats, passed: float) -> Corner:
    block = int(np.searchsorted(upto, passed, "left"))
    if upto[block] == passed:
        last = int(np.searchsorted(upto, passed, "right")) - 1
        upright = float(other[block + 1 : last + 1].sum())
        return Corner(
            passed=passed,
            ahead=float(other[block + 1 :].sum()) - 0.5 * upright,
            block=block,
            part=1.0,
        )
    part = 1.0 - float((upto[block] - passed) / own[block])
    ahead = float(other[block + 1 :].sum()) + (1.0 - part) * float(other[block])
    return Corner(passed=passed, ahead=ahead, block=block, part=part)
