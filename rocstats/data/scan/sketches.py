"""A sketch: counts of both classes by score, or by bins of neighbouring scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.scan.score_keys import from_keys

__all__ = ["BUDGET", "Sketch", "count_keys", "merge_sketches", "run_sums", "sum_products"]

_INFINITE = 0x7FF0000000000000  # the key of infinity
BUDGET = 2**21  # distinct scores of a marker that are counted one by one


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sketch:
    """Positives and negatives in bins of scores, sorted.

    Attributes
    ----------
    bins : (K,) keys of the scores, without their last `shift` bits; strictly increasing
    n_pos, n_neg : (K,) how many of each class
    shift : 0 where a bin is one score, and all is exact
    """

    bins: Ints
    n_pos: Ints
    n_neg: Ints
    shift: int = 0

    @property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return int(self.n_pos.sum()), int(self.n_neg.sum())

    def least(self) -> Floats:
        """Return the least score of every bin: the only one where bins are scores."""
        return from_keys(np.maximum(self.bins << self.shift, -_INFINITE - 1))

    def largest(self) -> Floats:
        """Return the largest score of every bin."""
        return from_keys(np.minimum((self.bins << self.shift) + ((1 << self.shift) - 1), _INFINITE))

    def some(self, part: slice) -> Sketch:
        """Return some of the bins."""
        return replace(self, bins=self.bins[part], n_pos=self.n_pos[part], n_neg=self.n_neg[part])

    def coarser(self, shift: int) -> Sketch:
        """Return the sketch with bins of at least so many neighbouring keys."""
        if shift <= self.shift:
            return self
        bins = self.bins >> (shift - self.shift)
        found, first = _starts(bins)
        n_pos, n_neg = (run_sums(counts, first) for counts in (self.n_pos, self.n_neg))
        return Sketch(bins=found, n_pos=n_pos, n_neg=n_neg, shift=shift)

    def within(self, budget: int) -> Sketch:
        """Return the sketch, coarsened as little as brings it to so many bins."""
        apart, low, high = self.bins[1:] ^ self.bins[:-1], 0, 63 - self.shift
        while low < high:  # neighbours are in one bin where all bits that they differ in are gone
            middle = (low + high) // 2
            fits = np.count_nonzero(apart >> middle) < budget
            low, high = (low, middle) if fits else (middle + 1, high)
        return self.coarser(self.shift + low)

    def find(self, keys: Ints) -> NDArray[np.intp]:
        """Return the bin of every key; -1 where it is in none."""
        bins = keys >> self.shift
        place = np.minimum(np.searchsorted(self.bins, bins), self.bins.size - 1)
        return np.where(self.bins[place] == bins, place, -1)

    def auc_bounds(self) -> tuple[float, float]:
        """Return the least and the largest AUC that the counts allow; equal where bins are scores.

        Pairs within a bin are undecided. Integers to the last division.
        """
        m, n = self.sizes
        below = np.cumsum(self.n_neg) - self.n_neg
        wins, alike = sum_products(self.n_pos, below), sum_products(self.n_pos, self.n_neg)
        if not self.shift:
            value = (2 * wins + alike) / (2 * m * n)
            return value, value
        return wins / (m * n), (wins + alike) / (m * n)


def sum_products(a: Ints, b: Ints) -> int:
    """Return the sum of products of counts, exactly: int64 holds those of a slab, Python's all."""
    largest = max(int(a.max(initial=0)) * int(b.max(initial=0)), 1)
    step = min(2**62 // largest, a.size)
    if step < 2**10 and step < a.size:  # products near the end of int64, one by one
        return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
    pieces = (slice(i, i + step) for i in range(0, a.size, max(step, 1)))
    return sum(int((a[s] * b[s]).sum()) for s in pieces)


def count_keys(keys: Ints, positive: Bools, count: Ints | None = None, *, shift: int = 0) -> Sketch:
    """Return the sketch of keys in any order, exact where `shift` is 0.

    `count` is how often each row counts.
    """
    keys = keys >> shift if shift else keys
    if count is None and keys.size:
        # One sort of keys that carry the label in their last bit, where that bit is free.
        low, high = int(keys.min()), int(keys.max())
        if high - low < 2**62:
            tagged = ((keys - low) << 1) | positive
            tagged.sort()
            label = tagged & 1
            tagged >>= 1
            bins, first = _starts(tagged)
            ends = np.append(first[1:], tagged.size)
            n_pos = run_sums(label, first)
            return Sketch(bins=bins + low, n_pos=n_pos, n_neg=ends - first - n_pos, shift=shift)
    order = np.argsort(keys, kind="stable")
    bins, first = _starts(keys[order])
    count = np.ones(keys.size, dtype=np.int64) if count is None else count
    if not keys.size:
        return Sketch(bins=bins, n_pos=bins.copy(), n_neg=bins.copy(), shift=shift)
    n_pos = run_sums(np.where(positive, count, 0)[order], first)
    n_neg = run_sums(np.where(positive, 0, count)[order], first)
    return Sketch(bins=bins, n_pos=n_pos, n_neg=n_neg, shift=shift)


def run_sums(counts: NDArray[Any], first: NDArray[np.intp]) -> Ints:
    """Return the sums of whole numbers from each place to the next; `first` begins with 0."""
    if not counts.size:
        return np.zeros(0, dtype=np.int64)
    upto = np.cumsum(counts, dtype=np.int64)
    ends: Ints = upto[np.append(first[1:], counts.size) - 1]
    ends[1:] -= ends[:-1].copy()
    found: Ints = ends
    return found


def _starts(ranked: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values of a sorted array, and where each begins."""
    if not ranked.size:
        return ranked, np.zeros(0, dtype=np.int64)
    first = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    return ranked[first], first


def merge_sketches(sketches: Iterable[Sketch]) -> Sketch:
    """Return the counts of several together, in the bins of the coarsest; the order is no matter.

    Examples
    --------
    >>> from rocstats.data.scan.score_keys import to_keys
    >>> one = count_keys(to_keys(np.array([1.0, 2.0])), np.array([True, False]))
    >>> merge_sketches([one, one]).n_pos.tolist()
    [2, 0]
    """
    given = list(sketches)
    shift = max(sketch.shift for sketch in given)
    parts = [sketch.coarser(shift) for sketch in given]
    bins = np.concatenate([part.bins for part in parts])
    order = np.argsort(bins, kind="stable")
    found, first = _starts(bins[order])
    if not found.size:
        return parts[0]
    n_pos, n_neg = (
        run_sums(np.concatenate([getattr(part, name) for part in parts])[order], first)
        for name in ("n_pos", "n_neg")
    )
    return Sketch(bins=found, n_pos=n_pos, n_neg=n_neg, shift=shift)
