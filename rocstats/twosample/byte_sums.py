"""Byte sums: labels read eight at a time, from tables of what each of 256 bytes adds.

A relabeling of N values is N/8 bytes, so a statistic costs N/8 look-ups, with nothing to unpack.
Tables of a large pool would be larger than the pool, and leave the cache: there they are made for
a few bytes at a time, read for all relabelings at hand, and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs

__all__ = ["TABLED", "add_up", "long_ramps", "long_sums", "ramp_tables", "sum_table"]

Bytes = NDArray[np.uint8]

TABLED = 2**10  # values at most for which tables of all bytes are kept
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
_PREFIX = np.cumsum(_BITS, axis=1, dtype=np.float64)  # (256, 8) ones up to each bit
_MARKED = _BITS.T.astype(np.float64)  # (8, 256)
_RANKED = (_BITS * _PREFIX).T
# What 8 scores and 8 weights add to the two sums of `long_ramps`, one beside the other for a byte.
_RAMPS = np.stack(
    [np.concatenate([_MARKED, 0.0 * _MARKED]), np.concatenate([-_RANKED, 0.5 * _MARKED])], axis=2
).reshape(16, 512)
_WIDTH = 32  # bytes of a row whose tables are made at a time


def sum_table(scores: Floats) -> Floats:
    """Return (N/8, 256): the sum of the scores that each byte, at each place, marks."""
    return np.asarray(np.einsum("bj,vj->bv", _by_byte(scores), _BITS.astype(np.float64)))


def ramp_tables(gaps: Floats, m: int) -> tuple[Floats, Floats, Floats]:
    """Return what the bytes add to the sum of (x - y)_+ over all pairs.

    Gap k is counted by (k - c)(m - c) pairs, with c of the first k values from x: C before the
    byte and p within. The three tables are (N/8, 256), (N/8, 256) and (N/8,): the sums of
    g (k - p)(m - p), which stands alone, of g (k + m - 2p), taken -C times, and of g, C^2 times.
    """
    gap = _by_byte(np.append(gaps, 0.0))
    place = np.arange(1.0, gap.size + 1.0).reshape(gap.shape)

    def over_bits(weights: Floats, power: int) -> Floats:
        return np.asarray(np.einsum("bj,vj->bv", weights, _PREFIX**power))

    alone = over_bits(m * gap * place, 0) - over_bits(gap * (place + m), 1) + over_bits(gap, 2)
    once = over_bits(gap * (place + m), 0) - over_bits(2.0 * gap, 1)
    return alone, once, gap.sum(axis=1)


def add_up(packed: Bytes, *tables: Floats) -> list[Floats]:
    """Return the (B, N/8) entries of each table for (B, N/8) bytes."""
    places = packed + np.arange(0, 256 * packed.shape[1], 256)
    return [table.ravel().take(places) for table in tables]


def long_sums(packed: Bytes, scores: Floats) -> Floats:
    """Return the (B,) sums of the (N,) scores that (B, N/8) bytes mark."""
    total, score = np.zeros(packed.shape[0]), _by_byte(scores)
    for piece, marks in _columns(packed):
        table = score[piece] @ _MARKED
        places = marks + np.arange(0, table.size, 256)[:, np.newaxis]
        total += table.ravel().take(places, mode="clip").sum(axis=0)
    return total


def long_ramps(packed: Bytes, scores: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the (B,) sums of (N,) scores and of weights less twice the rank times the score.

    The rank is among what a row of (B, N/8) bytes marks, from 1: C before the byte and p within.
    """
    size = packed.shape[0]
    total, ranked, before = np.zeros((3, size))
    within = np.zeros((_WIDTH, size), dtype=np.uint8)  # marks of a piece before each byte: <= 248
    sums = np.empty((_WIDTH, size), dtype=np.complex128)  # of scores, and of what stands alone
    both = np.concatenate([_by_byte(scores), _by_byte(weights)], axis=1)
    step = np.arange(0, 256 * _WIDTH, 256, dtype=np.uint16)[:, np.newaxis]
    for piece, marks in _columns(packed):
        count, here = np.bitwise_count(marks), slice(0, marks.shape[0])
        for j in range(1, here.stop):
            np.add(within[j - 1], count[j - 1], out=within[j])
        table = (both[piece] @ _RAMPS).view(np.complex128).ravel()
        table.take((marks + step[here]).astype(np.intp), out=sums[here], mode="clip")
        whole = sums[here].sum(axis=0)
        total += whole.real
        ranked += whole.imag - before * whole.real
        ranked -= np.einsum("jb,jb->b", within[here].astype(np.float64), sums[here].real)
        before += within[here.stop - 1]
        before += count[-1]
    return total, 2.0 * ranked


def _columns(packed: Bytes) -> Iterator[tuple[slice, Bytes]]:
    """Yield a few columns at a time, each in one piece; whole lines of the cache are read."""
    for line in slabs(packed.shape[1], 8 * _WIDTH):
        near = np.ascontiguousarray(packed[:, line])
        for s in slabs(near.shape[1], _WIDTH):
            yield slice(line.start + s.start, line.start + s.stop), near[:, s].T.copy()


def _by_byte(values: Floats) -> Floats:
    whole = np.zeros(-(-values.size // 8) * 8)
    whole[: values.size] = values
    return whole.reshape(-1, 8)
