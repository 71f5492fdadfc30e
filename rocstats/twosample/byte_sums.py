"""Byte sums: labels read eight at a time, from tables of what each of 256 bytes adds.

A relabeling of N values is N/8 bytes, so a statistic costs N/8 look-ups, with nothing to unpack.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats

__all__ = ["add_up", "ramp_tables", "sum_table"]

Bytes = NDArray[np.uint8]

_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
_PREFIX = np.cumsum(_BITS, axis=1, dtype=np.float64)  # (256, 8) ones up to each bit


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


def _by_byte(values: Floats) -> Floats:
    whole = np.zeros(-(-values.size // 8) * 8)
    whole[: values.size] = values
    return whole.reshape(-1, 8)
