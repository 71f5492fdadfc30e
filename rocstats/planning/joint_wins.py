"""Joint wins: how many pairs of a positive and a negative two scores order alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rocstats.arrays import Bools, Floats

__all__ = ["joint_win_sum"]


def joint_win_sum(first: Floats, second: Floats, positive: Bools) -> float:
    """Return the sum over pairs of the product of two scores' kernels (1, 1/2 at ties, or 0).

    The kernel is the mean of ``a > b`` and ``a >= b``, so the sum is that of four counts of
    dominated pairs, each found in O(N log(N)**2).
    """
    codes = [np.unique(score, return_inverse=True)[1] for score in (first, second)]
    total = 0
    for strict in (False, True):
        order = np.lexsort((positive != strict, codes[0]))  # at a tie, who comes first
        for strict_second in (False, True):
            total += _count_dominated(codes[1][order], positive[order], strict_second)
    return 0.25 * total


def _count_dominated(code: NDArray[np.intp], positive: Bools, strict: bool) -> int:
    """Count the pairs of a negative before a positive whose code is not larger (or is smaller).

    Bottom-up merging: blocks of twice the width are sorted by code at every level, and negatives
    of their left half are counted before each positive of their right half.
    """
    place = np.arange(code.size)
    last = positive != strict
    total, width = 0, 1
    while width < code.size:
        block = place // (2 * width)
        left = (place // width) % 2 == 0
        order = np.lexsort((last, code, block))
        seen = np.cumsum((left & ~positive)[order])
        asking = (~left & positive)[order]
        before = np.concatenate([[0], np.cumsum(left & ~positive)])[block * 2 * width]
        total += int((seen - before[order])[asking].sum())
        width *= 2
    return total
