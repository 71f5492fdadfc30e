"""Pairs of lists, counted by what two measures say of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.consistency.histograms import Row

__all__ = ["PairCounts", "count_rows", "count_signs", "count_values", "signs_of"]

Signs = NDArray[np.int8]
_ROOM = 2**22  # differences held at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Unordered pairs of different lists.

    Attributes
    ----------
    agree, disagree : both measures prefer the same list, or different ones: R and S
    f_only, g_only : one measure prefers a list where the other ties: P and Q
    neither : both tie: V
    """

    agree: int
    disagree: int
    f_only: int
    g_only: int
    neither: int

    @property
    def total(self) -> int:
        """All pairs: U."""
        return self.agree + self.disagree + self.f_only + self.g_only + self.neither


def count_rows(rows: Iterable[Row], size: int) -> PairCounts:
    """Count the pairs of a joint histogram.

    Parameters
    ----------
    rows : of the histogram, the measure g growing from row to row and f within a row
    size : number of values of f's statistic, from 0

    Notes
    -----
    A list agrees with those of all rows before it that are below it in f; the lists tied in f, in
    g and in both are binomial coefficients of the counts, and the rest of all pairs disagrees.
    """
    before = np.zeros(size, dtype=object)
    agree = seen = g_ties = both = 0
    for row in rows:
        places = slice(row.start, row.start + row.counts.size)
        if seen:
            below = np.append(np.zeros(1, dtype=object), np.add.accumulate(before[:-1]))
            agree += int(row.counts @ below[places])
        before[places] += row.counts
        lists = int(row.counts.sum())
        g_ties += lists * (lists - 1) // 2
        both += (int(row.counts @ row.counts) - lists) // 2
        seen += lists
    f_ties = (int(before @ before) - seen) // 2
    pairs = seen * (seen - 1) // 2
    return PairCounts(
        agree=agree,
        disagree=pairs - agree - f_ties - g_ties + both,
        f_only=g_ties - both,
        g_only=f_ties - both,
        neither=both,
    )


def signs_of(first: Floats, second: Floats, tolerance: float) -> Signs:
    """Return 1, -1 or, where values are within the tolerance or the same infinity, 0."""
    with np.errstate(invalid="ignore"):
        difference = first - second
    return np.where(np.abs(difference) > tolerance, np.sign(difference), 0.0).astype(np.int8)


def count_signs(f: Signs, g: Signs) -> PairCounts:
    """Count pairs by the signs of their differences in f and in g."""
    product = f * g
    f_ties, g_ties = f == 0, g == 0
    return PairCounts(
        agree=int(np.count_nonzero(product > 0)),
        disagree=int(np.count_nonzero(product < 0)),
        f_only=int(np.count_nonzero(~f_ties & g_ties)),
        g_only=int(np.count_nonzero(f_ties & ~g_ties)),
        neither=int(np.count_nonzero(f_ties & g_ties)),
    )


def count_values(f: Floats, g: Floats, tolerance: float) -> PairCounts:
    """Count the pairs within each row of (sets, lists) values of two measures."""
    one, other = np.triu_indices(f.shape[1], k=1)
    found, step = [], max(1, _ROOM // f.shape[0])
    for start in range(0, one.size, step):
        s = slice(start, start + step)
        signs = [signs_of(v[:, one[s]], v[:, other[s]], tolerance) for v in (f, g)]
        found.append(count_signs(*signs))
    return PairCounts(
        agree=sum(c.agree for c in found),
        disagree=sum(c.disagree for c in found),
        f_only=sum(c.f_only for c in found),
        g_only=sum(c.g_only for c in found),
        neither=sum(c.neither for c in found),
    )
