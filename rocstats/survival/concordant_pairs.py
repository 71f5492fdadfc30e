"""Comparable pairs of subjects and how many are concordant, in O(n log n)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats

__all__ = ["PairSums", "pair_sums"]

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSums:
    """Sums over comparable pairs (i, j), i the one known to have its event first.

    Attributes
    ----------
    won, pairs : (N,) concordant pairs (ties half) and all pairs of every subject as the first
    won_later, pairs_later : (N,) the same as the second, each pair by the weight of its first
    """

    won: Floats
    pairs: Floats
    won_later: Floats
    pairs_later: Floats


def pair_sums(time: Floats, event: Bools, score: Floats, weight: Floats) -> PairSums:
    """Return every subject's sums over comparable pairs.

    A pair is comparable where i has the event and j is there longer, or is censored at the same
    time. Concordant is the pair whose first has the higher score. `weight` is zero for subjects
    that are no first ones.
    """
    code = _ranks(time, event)
    size = int(code.max()) + 1
    count = np.bincount(code, minlength=size)
    pairs = (code.size - np.cumsum(count))[code].astype(np.float64)
    by_code: Floats = np.bincount(code, weight, minlength=size).astype(np.float64)
    pairs_later = (np.cumsum(by_code) - by_code)[code]
    forward = np.lexsort((code, score))
    won, won_later = _wins(code[forward], weight[forward], size)
    result = np.empty((2, code.size))
    result[:, forward] = won, won_later
    ranked = score[forward]
    if (ranked[1:] == ranked[:-1]).any():  # once more with ties the other way: the mean is half
        backward = np.lexsort((-code, score))
        again = np.empty_like(result)
        again[:, backward] = _wins(code[backward], weight[backward], size)
        result = 0.5 * (result + again)
    first = weight > 0.0
    return PairSums(
        won=np.where(first, result[0], 0.0),
        pairs=np.where(first, pairs, 0.0),
        won_later=result[1],
        pairs_later=pairs_later,
    )


def _ranks(time: Floats, event: Bools) -> Codes:
    """Return codes that grow with time, events before the censorings of their time."""
    order = np.lexsort((~event, time))
    new = np.empty(order.size, dtype=np.bool_)
    new[0] = False
    new[1:] = (time[order][1:] != time[order][:-1]) | (event[order][1:] != event[order][:-1])
    code = np.empty(order.size, dtype=np.intp)
    code[order] = np.cumsum(new)
    return code


def _wins(code: Codes, weight: Floats, size: int) -> tuple[Floats, Floats]:
    """Return, for subjects in the order of their scores, what each has won, first and second.

    As first: those of a larger code before it in the order; as second: the weight of those of a
    smaller code after it. The codes are taken apart bit by bit from the highest, as in a merge sort
    read backwards: subjects whose codes agree so far stand together, in the order of their scores,
    and those with a next bit of 0 meet those with 1. Equal codes never meet.
    """
    n = code.size
    starts_of = np.append(np.searchsorted(np.sort(code), np.arange(size)), n)
    who = np.arange(n)
    won, later = np.zeros(n), np.zeros(n)
    for bit in range(int(size - 1).bit_length() - 1, -1, -1):
        group = code >> (bit + 1)
        start = starts_of[np.minimum(group << (bit + 1), size)]
        middle = starts_of[np.minimum((group << (bit + 1)) + (1 << bit), size)]
        end = starts_of[np.minimum((group + 1) << (bit + 1), size)]
        second = (code >> bit & 1).astype(np.bool_)
        seconds = np.append(0, np.cumsum(second))
        held = np.append(0.0, np.cumsum(np.where(second, 0.0, weight)))
        place = np.arange(n)
        before = seconds[:-1] - seconds[start]  # seconds of the group before each place
        won[who] += np.where(second, 0, before)
        later[who] += np.where(second, held[end] - held[:-1], 0.0)
        target = np.where(second, middle + before, place - before)
        moved = np.empty_like(code)
        moved[target] = code
        code = moved
        moved = np.empty_like(who)
        moved[target] = who
        who = moved
        shifted = np.empty_like(weight)
        shifted[target] = weight
        weight = shifted
    return won, later
