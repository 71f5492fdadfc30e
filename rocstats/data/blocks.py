"""One marker's sample, sorted and gathered at ties: all that any measure reads of the data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data import installed_kernel

__all__ = ["Blocks", "order_of_keys", "slabs", "sort_into_blocks"]

SLAB = 2**14  # elements worked on at a time: a few such arrays stay in a core's cache
_MAGNITUDE = 2**63 - 1  # all bits of a double but its sign
_KEY_ROOM = 2**62  # magnitudes below this leave one bit for the sign and one for the label


def slabs(size: int, step: int | None = None) -> list[slice]:
    """Return slices that cut `size` elements into cache-sized pieces, or pieces of `step`."""
    step = step or SLAB
    return [slice(i, min(i + step, size)) for i in range(0, size, step)]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blocks:
    """Distinct scores in increasing order with the number of positives and negatives at each.

    Attributes
    ----------
    label : (N,) the true class, in the order of the scores
    last : (K,) the last position of every block in that order, or None where no score is tied
    order : (N,) the subjects in the order of the scores, or None where only sums are wanted
    weight : (N,) what each counts in that order, or None where every subject counts as one
    is_binned : whether a block is a bin of neighbouring scores, of which one is told
    score : (K,) the scores, strictly increasing
    n_pos, n_neg : (K,) counts, or sums of weights, as floats so that products cannot overflow
    """

    label: Bools
    last: NDArray[np.intp] | None
    decode: Callable[[], Floats]
    order: NDArray[np.intp] | None = None
    weight: Floats | None = None
    is_binned: bool = False

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Number of positives and of negatives, whatever their weights."""
        n_pos = int(np.count_nonzero(self.label))
        return n_pos, self.label.size - n_pos

    @property
    def n_blocks(self) -> int:
        """Number of distinct scores."""
        return self.label.size if self.last is None else self.last.size

    @cached_property
    def totals(self) -> tuple[float, float]:
        """What the positives and the negatives count: their numbers, or sums of weights."""
        if self.weight is None:
            return self.sizes
        return tuple(float(w.sum()) for w in self.by_class)  # type: ignore[return-value]

    @cached_property
    def by_class(self) -> tuple[Floats, Floats]:
        """Weights of the positives and of the negatives, each 0 in the places of the others."""
        weight = np.zeros(self.label.size) if self.weight is None else self.weight
        return np.where(self.label, weight, 0.0), np.where(self.label, 0.0, weight)

    @cached_property
    def score(self) -> Floats:
        return self.decode()  # on first use: ranks need no scores

    @cached_property
    def _tied(self) -> tuple[Floats, Floats]:
        """Counts of positives and negatives by block, where scores tie or have weights."""
        if self.weight is not None:
            pos, neg = (self.by_block(part) for part in self.by_class)
            return pos, neg
        if self.last is None:
            raise AttributeError("nothing ties: a count is a label")
        first = np.append(0, self.last[:-1] + 1)
        n_pos = np.add.reduceat(self.label.view(np.int8), first, dtype=np.int64)
        n_all = np.diff(self.last, prepend=-1)
        return n_pos.astype(np.float64), (n_all - n_pos).astype(np.float64)

    @property
    def n_pos(self) -> Floats:
        """Positives in every block, as a new array."""
        return self.label.astype(np.float64) if self._is_plain else self._tied[0].copy()

    @property
    def n_neg(self) -> Floats:
        """Negatives in every block, as a new array."""
        return (~self.label).astype(np.float64) if self._is_plain else self._tied[1].copy()

    def scratch(self) -> Floats:
        """Return an array by block, of any content."""
        return np.empty(self.n_blocks)

    def on_scale(self, start: float, width: float) -> Blocks:
        """Return the blocks with ``(score - start) / width`` for scores."""
        return replace(self, decode=lambda: (self.score - start) / width)

    @property
    def _is_plain(self) -> bool:
        """Whether a count is a label."""
        return self.last is None and self.weight is None

    def levels(self) -> NDArray[np.intp]:
        """Return the number of every subject's block, from 0, where the order is known."""
        level = np.empty(self.label.size, dtype=np.intp)
        if self.last is None:
            level[self.order] = np.arange(level.size)
        else:
            level[self.order] = np.repeat(np.arange(self.last.size), np.diff(self.last, prepend=-1))
        return level

    def by_place(self, pos: Floats, neg: Floats) -> Floats:
        """Return values by block, of a positive and of a negative, for every subject by score."""
        if self.last is not None:
            size = np.diff(self.last, prepend=-1)
            pos, neg = np.repeat(pos, size), np.repeat(neg, size)
        return np.where(self.label, pos, neg)

    def by_block(self, values: Floats) -> Floats:
        """Return the sums over every block of values for every subject by score."""
        if self.last is None:
            return values
        return np.add.reduceat(values, np.append(0, self.last[:-1] + 1))

    def apart(self) -> Blocks:
        """Return every subject as a block of its own that counts as one, equal scores or not."""
        if self.last is None:
            return self if self.weight is None else replace(self, weight=None)
        size = np.diff(self.last, prepend=-1)
        return replace(self, last=None, weight=None, decode=lambda: np.repeat(self.score, size))

    def counts(self, part: slice) -> tuple[Floats, Floats]:
        """Positives and negatives in some of the blocks, to be read only."""
        if not self._is_plain:
            return self._tied[0][part], self._tied[1][part]
        n_pos = self.label[part].astype(np.float64)
        return n_pos, 1.0 - n_pos

    def sum_pos(self, *values: Floats) -> float:
        """Sum over the positives of the product of values by block."""
        return self._sum(0, values)

    def sum_neg(self, *values: Floats) -> float:
        """Sum over the negatives of the product of values by block."""
        return self._sum(1, values)

    def _sum(self, which: int, values: tuple[Floats, ...]) -> float:
        # Piece by piece: exact for counts, without large temporaries, and no BLAS threads to wake.
        terms = ",".join("i" * (len(values) + 1)) + "->"
        total = []
        for s in slabs(values[0].size):
            if not self._is_plain:
                count = self._tied[which][s]
            else:
                count = (self.label[s] if which == 0 else ~self.label[s]).astype(np.float64)
            total.append(float(np.einsum(terms, count, *(v[s] for v in values))))
        return math.fsum(total)


def sort_into_blocks(
    scores: Floats, positive: Bools, *, ordered: bool = False, weights: Floats | None = None
) -> Blocks:
    """Sort one marker and gather its ties.

    Ties are exact equality of doubles (``-0.0 == 0.0``); nothing is rounded. With `ordered` the
    place of every subject is kept, and all else is the same to the bit, but for the order within
    ties. Either way one sort of integers is enough: keys that carry the label, or the subject's
    number, in their last bits sort several times as fast as an argsort. With `weights` the order is
    kept, too: they belong to subjects. Without an order the compiled kernel sorts, if it is there.
    """
    ordered = ordered or weights is not None
    found = None if ordered else _sort_by_kernel(scores, positive)
    if found is not None:
        return found
    packed = _pack(scores)
    if packed is None or ordered:
        order, untied = (np.argsort(scores), False) if packed is None else order_of_keys(packed[0])
        last = None if untied else _block_ends(scores[order])
        first = order if last is None else order[last]
        return Blocks(
            label=positive[order],
            last=last,
            decode=lambda: scores[first] + 0.0,  # no -0.0
            order=order if ordered else None,
            weight=None if weights is None else weights[order],
        )
    keys, base = packed
    keys <<= 1
    keys |= positive
    keys.sort()
    label = np.empty(keys.size, dtype=np.bool_)
    for s in slabs(keys.size):
        np.equal(keys[s] & 1, 1, out=label[s])
    keys >>= 1
    last = _block_ends(keys)
    seen = keys if last is None else keys[last]
    return Blocks(label=label, last=last, decode=lambda: _unpack(seen, base))


def _sort_by_kernel(scores: Floats, positive: Bools) -> Blocks | None:
    """Return the same blocks by the kernel; None where it cannot tell the scores apart."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    ranked, label = np.empty(scores.size), np.empty(scores.size, dtype=np.bool_)
    given = np.ascontiguousarray(scores), np.ascontiguousarray(positive)
    if not kernel.sort(*given, ranked, label):
        return None
    last = _block_ends(ranked)
    score = ranked if last is None else ranked[last]
    return Blocks(label=label, last=last, decode=lambda: score)


def _block_ends(ranked: NDArray[Any]) -> NDArray[np.intp] | None:
    """Return the last place of every run of equals, or None where there is none."""
    new = ranked[1:] != ranked[:-1]
    return None if new.all() else np.append(np.flatnonzero(new), ranked.size - 1)


def _pack(scores: Floats) -> tuple[Ints, int] | None:
    """Return integers in the order of the scores, within 2**62, and the base that decodes them.

    The bit pattern of a double, read as an integer, grows with its magnitude. Taking off the
    pattern just below the smallest non-zero magnitude closes the empty gap around zero; when the
    rest fits, the sign is applied. Distinct doubles stay distinct and in order. Returns None where
    the magnitudes span too many powers of two.
    """
    bits = scores.view(np.int64)
    pieces = slabs(bits.size)
    # Zero less one wraps round to the largest unsigned integer, and so never is the smallest.
    one = np.uint64(1)
    base = min(int(((bits[s] & _MAGNITUDE).view(np.uint64) - one).min()) for s in pieces)
    base = base if base < _MAGNITUDE else 0  # 0 where every score is zero
    keys = np.empty_like(bits)
    for s in pieces:
        key = np.bitwise_and(bits[s], _MAGNITUDE, out=keys[s])
        key -= base
        if int(key.max()) >= _KEY_ROOM:
            return None
        np.maximum(key, 0, out=key)
        sign = bits[s] >> 63
        key ^= sign
        key -= sign
    return keys, base


def _unpack(keys: Ints, base: int) -> Floats:
    """Undo `_pack`."""
    bits = np.empty_like(keys)
    for s in slabs(keys.size):
        sign = keys[s] >> 63
        bit = np.bitwise_xor(keys[s], sign, out=bits[s])
        bit -= sign
        bit += base * (bit > 0)
        bit |= sign << 63
    return bits.view(np.float64)


def order_of_keys(keys: Ints) -> tuple[NDArray[np.intp], bool]:
    """Return the order that sorts the keys, and whether it is known already that none tie.

    As much of each key as there is room for is sorted together with the subject's number; what had
    to be cut off may leave neighbours out of order that look alike, and a stable sort of these,
    linear on what is almost sorted, mends them.
    """
    low, high = int(keys.min()), int(keys.max())
    if high - low >= 2**63:
        return np.argsort(keys, kind="stable"), False
    width = int(keys.size).bit_length()
    cut = max((high - low).bit_length() + width - 63, 0)
    tagged = np.empty_like(keys)
    for s in slabs(keys.size):
        tag = np.subtract(keys[s], low, out=tagged[s])
        tag >>= cut
        tag <<= width
        tag |= np.arange(s.start, s.stop)
    tagged.sort()
    alike = np.zeros(keys.size, dtype=np.bool_)
    for s in (slice(max(p.start - 1, 0), p.stop) for p in slabs(keys.size)):
        same = (tagged[s][1:] ^ tagged[s][:-1]) >> width == 0
        alike[s][1:] |= same
        alike[s][:-1] |= same
    tagged &= 2**width - 1
    if not (cut and alike.any()):
        return tagged, not alike.any()
    order = tagged[alike]
    seen = keys[order]
    if (seen[1:] < seen[:-1]).any():
        mended = np.argsort(seen, kind="stable")
        tagged[alike] = order[mended]
        seen = seen[mended]
    return tagged, bool((seen[1:] != seen[:-1]).all())
