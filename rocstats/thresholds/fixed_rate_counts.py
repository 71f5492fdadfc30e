"""Heights of the ROC curve at a fixed width, in whole numbers, and how far they may be off."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.estimates.proportion_limits import proportion_limits

__all__ = ["facing", "heights", "neighbours", "order_limits"]


def facing(tp: Ints, fp: Ints, *, upright: bool) -> tuple[Ints, Ints]:
    """Return height and width of paths; turned about the other diagonal unless upright."""
    tp, fp = np.atleast_2d(tp, fp)
    if upright:
        return tp, fp
    return (fp[:, -1:] - fp)[:, ::-1], (tp[:, -1:] - tp)[:, ::-1]


def heights(high: Ints, wide: Ints, rate: Fraction) -> Floats:
    """Return the height, as a share, of each path where its width is a given share.

    Linear between vertices, and the upper end of a vertical piece. The place is found in whole
    numbers.
    """
    exact = [n * rate for n in wide[:, -1].tolist()]
    whole = np.array([n // 1 for n in exact], dtype=np.int64)[:, np.newaxis]
    here = np.count_nonzero(wide <= whole, axis=1) - 1
    return _between(high, wide, here, np.array([float(n) for n in exact]))


def neighbours(high: Ints, wide: Ints, rate: Fraction) -> tuple[int, int | None, bool]:
    """Return the highest vertex of one path that is no wider than a share, and the next wider one.

    There is none where a vertex has the very width. Last, whether the height at that width is of
    no vertex, but of the line between two.
    """
    width = int(wide[0, -1]) * rate
    here = int(np.count_nonzero(wide[0] <= width // 1)) - 1
    if int(wide[0, here]) == width:
        return here, None, False
    there = int(np.count_nonzero(wide[0] <= wide[0, here + 1])) - 1
    return here, there, bool(high[0, here] != high[0, here + 1])


def _between(high: Ints, wide: Ints, here: NDArray[np.intp], width: Floats) -> Floats:
    """Return the heights at widths between the vertex `here` and the next."""
    row, there = np.arange(here.size), np.minimum(here + 1, wide.shape[1] - 1)
    step = wide[row, there] - wide[row, here]
    share = np.divide(width - wide[row, here], step, out=np.zeros(here.size), where=step > 0)
    found: Floats = high[row, here] + share * (high[row, there] - high[row, here])
    return found / high[:, -1]


def order_limits(high: Ints, wide: Ints, rate: Fraction, level: float) -> tuple[float, float]:
    """Return limits of the height of one path by order statistics and square-and-add."""
    from scipy.special import bdtr

    m, n, share = int(high[0, -1]), int(wide[0, -1]), float(rate)
    value = float(heights(high, wide, rate)[0])
    reach = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        k = _binomial_quantile(tail, n, share)
        below, upto = float(bdtr(k - 1, n, share)) if k else 0.0, float(bdtr(k, n, share))
        before = np.array([max(int(np.searchsorted(wide[0], k)) - 1, 0)])
        bottom = float(_between(high, wide, before, np.array([float(k)]))[0])
        top = float(heights(high, wide, Fraction(k, n))[0])
        within = min(max((tail - below) / (upto - below), 0.0), 1.0)
        reach.append(bottom + within * (top - bottom))
    ends = proportion_limits(np.array([value * m]), m, level=level, method="wilson")
    down = math.hypot(value - ends[0][0], max(value - reach[0], 0.0))
    up = math.hypot(ends[1][0] - value, max(reach[1] - value, 0.0))
    return max(value - down, 0.0), min(value + up, 1.0)


def _binomial_quantile(tail: float, n: int, share: float) -> int:
    """Return the least count whose cumulative probability reaches `tail`."""
    from scipy.special import bdtr, ndtri

    guess = n * share + float(ndtri(tail)) * math.sqrt(n * share * (1.0 - share))
    k = min(max(int(guess), 0), n)
    while k > 0 and bdtr(k - 1, n, share) >= tail:
        k -= 1
    while k < n and bdtr(k, n, share) < tail:
        k += 1
    return k
