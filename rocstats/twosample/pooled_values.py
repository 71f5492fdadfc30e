"""Pools: batches of two samples put together and sorted, and the labels that tell them apart.

What rests on the values alone is worked out once, whatever number of labellings it is read with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats

__all__ = ["Labelled", "Pool", "pool_batch"]

Places = NDArray[np.intp]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Pool:
    """Rows of pooled values.

    Attributes
    ----------
    values : (B, N) floats, each row in increasing order where anything asks for order
    """

    values: Floats

    @property
    def size(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def centred(self) -> Floats:
        """Values less their row's mean; no offset survives it."""
        low = self.values.min(axis=1, keepdims=True)
        raised = self.values - low
        return np.asarray(raised - raised.mean(axis=1, keepdims=True))

    @cached_property
    def gaps(self) -> Floats:
        """(B, N - 1) steps from each value to the next."""
        return np.diff(self.values, axis=1)

    @cached_property
    def runs(self) -> tuple[Places, Places] | None:
        """(B, N) first and last place of the run of equals that each place is in; None untied."""
        same = self.values[:, 1:] == self.values[:, :-1]
        if not same.any():
            return None
        place = np.arange(self.size)
        first = np.broadcast_to(place, self.values.shape).copy()
        first[:, 1:][same] = 0
        last = np.broadcast_to(place, self.values.shape).copy()
        last[:, :-1][same] = self.size
        backward = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        return np.maximum.accumulate(first, axis=1), backward

    @cached_property
    def midranks(self) -> Floats:
        """(B, N), or (1, N) untied: ranks from 1, averaged over ties."""
        if self.runs is None:
            return np.arange(1.0, self.size + 1.0)[np.newaxis]
        first, last = self.runs
        return np.asarray(0.5 * (first + last) + 1.0, dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Labelled:
    """A pool read with labels: either has one row, or they have as many.

    Attributes
    ----------
    pool : the values
    marks : (B, N) whether a value is of x, or the same packed in (B, N/8) bytes, lowest bit first
    n_pos, n_neg : number of values of x and of y in every row
    """

    pool: Pool
    marks: Bools | Bytes
    n_pos: int
    n_neg: int

    @cached_property
    def label(self) -> Bools:
        """(B, N) whether a value is of x."""
        if self.marks.dtype == np.bool_:
            return self.marks.view(np.bool_)
        marks, size = self.marks.view(np.uint8), self.pool.size
        return np.unpackbits(marks, axis=1, count=size, bitorder="little").view(np.bool_)

    @cached_property
    def packed(self) -> Bytes:
        """(B, N/8) the labels in bytes."""
        if self.marks.dtype == np.uint8:
            return self.marks.view(np.uint8)
        return np.packbits(self.marks, axis=1, bitorder="little")

    @cached_property
    def one(self) -> Floats:
        """(B, N) 1.0 for a value of x, 0.0 for one of y."""
        return self.label.astype(np.float64)

    @cached_property
    def upto(self) -> Floats:
        """(B, N) number of x up to each place."""
        return np.cumsum(self.one, axis=1)

    @cached_property
    def below(self) -> Floats:
        """(B, N) number of x below each place's value, those equal to it counted half."""
        runs = self.pool.runs
        if runs is None:
            return self.upto - 0.5 * self.one
        first, last = (np.broadcast_to(place, self.label.shape) for place in runs)
        before = np.take_along_axis(self.upto - self.one, first, axis=1)
        return 0.5 * (before + np.take_along_axis(self.upto, last, axis=1))

    def total(self, values: Floats) -> Floats:
        """(B,) sum over x of values, (B, N) or (1, N)."""
        if values.shape[0] == 1:
            return np.asarray(np.einsum("bn,n->b", self.one, values[0]))
        return np.asarray(np.einsum("bn,bn->b", self.one, values))


def pool_batch(x: Floats, y: Floats, *, ordered: bool = True) -> Labelled:
    """Put (B, m) values of x and (B, n) of y together, by default sorted along the rows."""
    m, n = x.shape[1], y.shape[1]
    values = np.concatenate([x, y], axis=1)
    label = np.broadcast_to(np.arange(m + n) < m, values.shape)
    if ordered:
        order = np.argsort(values, axis=1)
        values, label = np.take_along_axis(values, order, axis=1), order < m
    return Labelled(pool=Pool(values=values), marks=label, n_pos=m, n_neg=n)
