"""How many numbers before each are smaller, and their weight, 16 ways at a time.

A permutation is taken apart by four binary digits at a time, the highest first. Numbers whose
higher digits agree stand together, as they came; what is before them with a smaller digit is
counted by runs of 16: from a table of all runs before, and one by one within a run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs

__all__ = ["smaller_before"]

Places = NDArray[np.intp]

_BITS = 4
_RUN = 2**_BITS
_AT_ONCE = 2**13  # numbers compared at a time
_NEAR = 2**16  # numbers at most that are near the processor, with all that is made of them


def smaller_before(places: Places, weight: Floats) -> tuple[Floats, Floats]:
    """Return for each of a permutation of 0 to N - 1 those before it that are smaller.

    Their number, and the sum of their weights.
    """
    n = places.size
    number = np.append(places, np.arange(n, -(-n // _RUN) * _RUN))  # what comes last passes nobody
    held = np.append(weight, np.zeros(number.size - n))
    count, passed = _count(number, held)
    return count[:n], passed[:n]


def _count(number: Places, held: Floats) -> tuple[Floats, Floats]:
    """Count in whole runs: by the first digit, and then the numbers of each digit by themselves."""
    size = number.size
    width = max(int(size - 1).bit_length(), _BITS)
    if size <= _NEAR:
        return _count_near(number, held, width)
    shift = width - _BITS
    digit = number >> shift
    count, passed = _by_digit(digit, held, runs=size)
    order = np.argsort(digit.astype(np.int8), kind="stable")
    for k, s in enumerate(slabs(size, 1 << shift)):
        mine = order[s]
        parts = _count(number[mine] - (k << shift), held[mine])
        count[mine] += parts[0]
        passed[mine] += parts[1]
    return count, passed


def _count_near(number: Places, held: Floats, width: int) -> tuple[Floats, Floats]:
    """Count by all digits, one after the other."""
    count, passed = np.zeros((2, number.size))
    for shift in range(-(-width // _BITS) * _BITS - _BITS, -1, -_BITS):
        order = number >> (shift + _BITS) << width
        order |= np.arange(number.size)
        order.sort()
        order &= (1 << width) - 1
        digit = (number[order] >> shift) & (_RUN - 1)
        parts = _by_digit(digit, held[order], runs=1 << shift)
        count[order] += parts[0]
        passed[order] += parts[1]
    return count, passed


def _by_digit(digit: Places, held: Floats, *, runs: int) -> tuple[Floats, Floats]:
    """Count those with a smaller digit before, in groups of so many runs."""
    count, passed = _within_runs(digit, held)
    if runs > 1:
        cell = np.arange(digit.size) >> _BITS << _BITS
        cell += digit
        for found, weights in ((count, None), (passed, held)):
            held_by = np.bincount(cell, weights, minlength=digit.size).reshape(-1, _RUN)
            table = np.cumsum(held_by, axis=1, dtype=np.float64) - held_by  # of smaller digits
            before = np.cumsum(table, axis=0)
            before -= table
            if runs < len(table):
                before -= before[np.arange(len(table)) // runs * runs]
            found += before.reshape(-1)[cell]
    return count, passed


def _within_runs(digit: Places, held: Floats) -> tuple[Floats, Floats]:
    """Count those with a smaller digit before in the same run."""
    count, passed = np.empty((2, digit.size))
    for s in slabs(digit.size, _AT_ONCE):
        d = digit[s].reshape(-1, _RUN).T.astype(np.int8)
        w = held[s].reshape(-1, _RUN).T.copy()
        c, p = np.zeros(d.shape, dtype=np.int8), np.zeros(d.shape)
        for lag in range(1, _RUN):
            smaller = d[:-lag] < d[lag:]
            c[lag:] += smaller
            p[lag:] += w[:-lag] * smaller
        count[s], passed[s] = c.T.reshape(-1), p.T.reshape(-1)
    return count, passed
