"""Keys: doubles as integers of the same order, so that scores are counted without rounding."""

from __future__ import annotations

import numpy as np

from rocstats.arrays import Floats, Ints

__all__ = ["from_keys", "to_keys"]

_MAGNITUDE = np.int64(2**63 - 1)  # all bits of a double but its sign


def to_keys(scores: Floats) -> Ints:
    """Return integers that are equal where scores are, and grow as they do; no NaN may be there.

    The bits of a double grow with its magnitude; those of negative ones are turned round. A zero
    has no sign here.

    Examples
    --------
    >>> to_keys(np.array([-1.0, -0.0, 0.0, 1e-320])).tolist()
    [-4607182418800017409, 0, 0, 2024]
    """
    bits = (np.asarray(scores, dtype=np.float64) + 0.0).view(np.int64)
    bits ^= (bits >> 63) & _MAGNITUDE
    return bits


def from_keys(keys: Ints) -> Floats:
    """Return the doubles that have these keys.

    No score has the key -1, which would be that of -0.0: it stands for the largest one below zero.

    Examples
    --------
    >>> from_keys(np.array([-2, -1, 0])).tolist()
    [-5e-324, -5e-324, 0.0]
    """
    keys = np.asarray(keys, dtype=np.int64)
    keys = keys - (keys == -1)
    bits = keys ^ ((keys >> 63) & _MAGNITUDE)
    return bits.view(np.float64)
