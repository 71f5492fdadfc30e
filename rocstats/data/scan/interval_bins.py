"""Bins of unequal width: counts that several sites can add up, and that hide single patients."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.data.scan.score_keys import from_keys, to_keys
from rocstats.data.scan.sketches import Sketch, merge_sketches, sum_products
from rocstats.errors import InvalidSampleError

__all__ = ["IntervalSketch", "add_sketches", "last_keys", "with_least_count"]

_ENDS = to_keys(np.array([-np.inf, np.inf]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntervalSketch(Sketch):
    """Positives and negatives in intervals of scores that do not overlap, sorted.

    Attributes
    ----------
    bins : (K,) key of the least score of each
    last : (K,) key of the largest; that of the least where the interval is one score
    shift : 1, as not every distinct score is counted
    """

    last: Ints
    shift: int = 1

    def least(self) -> Floats:
        """Return the least score of every interval."""
        return from_keys(self.bins)

    def largest(self) -> Floats:
        """Return the largest score of every interval."""
        return from_keys(self.last)

    def some(self, part: slice) -> Sketch:
        """Return some of the intervals."""
        return replace(
            self,
            bins=self.bins[part],
            last=self.last[part],
            n_pos=self.n_pos[part],
            n_neg=self.n_neg[part],
        )

    def coarser(self, shift: int) -> Sketch:
        """Return the sketch: what has no common width is not made coarser by it."""
        return self

    def within(self, budget: int) -> Sketch:
        """Return the sketch: its intervals are few already, and hide single patients."""
        return self

    def find(self, keys: Ints) -> NDArray[np.intp]:
        """Return the interval of every key; -1 where it is in none."""
        place = np.searchsorted(self.bins, keys, side="right") - 1
        return np.where((place >= 0) & (keys <= self.last[place]), place, -1)

    def auc_bounds(self) -> tuple[float, float]:
        """Return the least and the largest AUC; pairs of one score are ties, others undecided."""
        m, n = self.sizes
        wins = sum_products(self.n_pos, np.cumsum(self.n_neg) - self.n_neg)
        single = self.bins == self.last
        tied = sum_products(self.n_pos[single], self.n_neg[single])
        undecided = sum_products(self.n_pos[~single], self.n_neg[~single])
        low = 2 * wins + tied
        return low / (2 * m * n), (low + 2 * undecided) / (2 * m * n)


def last_keys(largest: Floats) -> Ints:
    """Return the keys of the largest scores of intervals; -0.0 ends one below zero."""
    return np.where((largest == 0.0) & np.signbit(largest), -2, to_keys(largest))


def add_sketches(sketches: Iterable[Sketch]) -> Sketch:
    """Return the counts of several together; the order is no matter.

    Intervals that overlap become one, so that every edge which stays is an edge of all.

    Examples
    --------
    >>> one = IntervalSketch(
    ...     bins=np.array([0, 5]), last=np.array([4, 9]), n_pos=np.array([1, 2]),
    ...     n_neg=np.array([3, 1]))
    >>> other = IntervalSketch(
    ...     bins=np.array([0, 7]), last=np.array([4, 8]), n_pos=np.array([1, 1]),
    ...     n_neg=np.array([0, 2]))
    >>> both = add_sketches([one, other])
    >>> both.bins.tolist(), both.last.tolist(), both.n_pos.tolist()
    ([0, 5], [4, 9], [2, 3])
    """
    given = list(sketches)
    if not any(isinstance(one, IntervalSketch) for one in given):
        return merge_sketches(given)
    first = np.concatenate([to_keys(one.least()) for one in given])
    last = np.concatenate([last_keys(one.largest()) for one in given])
    order = np.argsort(first, kind="stable")
    first, reach = first[order], np.maximum.accumulate(last[order])
    starts = np.flatnonzero(np.append(True, first[1:] > reach[:-1]))
    ends = np.append(starts[1:], first.size) - 1
    n_pos, n_neg = (
        np.add.reduceat(np.concatenate([getattr(one, name) for one in given])[order], starts)
        for name in ("n_pos", "n_neg")
    )
    return IntervalSketch(bins=first[starts], last=reach[ends], n_pos=n_pos, n_neg=n_neg)


def with_least_count(sketch: Sketch, least: int, cuts: Floats | None = None) -> Sketch:
    """Return intervals that hold at least so many positives and so many negatives each.

    Edges are taken in the order of how round they are in binary, each that leaves enough on both
    sides; so sites whose scores are spread alike choose the same ones. `cuts` are the only edges
    there may be, the first before the others. The outermost intervals are open, since the largest
    score of all is that of one patient.
    """
    m, n = sketch.sizes
    if min(m, n) < least:
        raise InvalidSampleError(
            f"There are {m} positives and {n} negatives, so no bin holds {least} of each class; "
            "ask for fewer."
        )
    below, above = last_keys(sketch.largest())[:-1], to_keys(sketch.least())[1:]
    edges, level = _round_edges(below, above)
    if cuts is not None:
        level = np.zeros(edges.size)
        wanted = to_keys(cuts)
        gap = np.searchsorted(below, wanted) - 1  # the last bin that ends below the cut
        here = (gap >= 0) & (wanted > below[np.maximum(gap, 0)]) if below.size else gap > 0
        for rank in np.flatnonzero(here)[::-1].tolist():
            if wanted[rank] <= above[gap[rank]]:
                edges[gap[rank]], level[gap[rank]] = wanted[rank], 1.0 / (1.0 + rank)
    found = np.array(sorted(_cuts(sketch, level, least)), dtype=np.intp)
    starts = np.append(0, found + 1)
    return IntervalSketch(
        bins=np.append(_ENDS[0], edges[found]),
        last=np.append(edges[found] - 1, _ENDS[1]),
        n_pos=np.add.reduceat(sketch.n_pos, starts),
        n_neg=np.add.reduceat(sketch.n_neg, starts),
    )


def _round_edges(below: Ints, above: Ints) -> tuple[Ints, Floats]:
    """Return the roundest key over each of `below` up to `above`, and how round it is."""
    differ = (below ^ above).view(np.uint64)
    for step in (1, 2, 4, 8, 16, 32):
        differ |= differ >> np.uint64(step)
    edges = (above.view(np.uint64) & ~(differ >> np.uint64(1))).view(np.int64)
    edges = np.where((below < 0) & (above >= 0), 0, edges)
    lowest = (edges & -edges).view(np.uint64).astype(np.float64)
    return edges, np.where(edges == 0, np.inf, lowest)


def _cuts(sketch: Sketch, level: Floats, least: int) -> list[int]:
    """Return after which bins to cut."""
    sums = [np.cumsum(counts) for counts in (sketch.n_pos, sketch.n_neg)]
    found: list[int] = []
    waiting = [(0, sketch.bins.size)]
    while waiting:
        start, stop = waiting.pop()
        before = [int(total[start - 1]) if start else 0 for total in sums]
        low = max(
            int(np.searchsorted(total, base + least))
            for total, base in zip(sums, before, strict=True)
        )
        high = min(
            int(np.searchsorted(total, int(total[stop - 1]) - least, side="right")) - 1
            for total in sums
        )
        if low > high:
            continue
        cut = low + int(np.argmax(level[low : high + 1]))
        if level[cut] > 0.0:
            found.append(cut)
            waiting += [(start, cut + 1), (cut + 1, stop)]
    return found
