"""Comparable pairs of subjects and how many are concordant, in O(n log n)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import sort_into_blocks
from rocstats.survival.smaller_before import smaller_before

__all__ = ["PairSums", "TimeOrder", "pair_sums"]

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimeOrder:
    """Subjects by time, events before the censorings of their time.

    Attributes
    ----------
    order : (N,) the subjects in that order
    code : (N,) for each place of it a number that grows with time, equal where subjects tie
    """

    order: Codes
    code: Codes

    @classmethod
    def of(cls, time: Floats, event: Bools) -> TimeOrder:
        by_event = np.argsort(~event, kind="stable")
        order = by_event[_stable_order(time[by_event])]
        ranked, had = time[order], event[order]
        new = (ranked[1:] != ranked[:-1]) | (had[1:] != had[:-1])
        return cls(order=order, code=np.append(0, np.cumsum(new)))

    def to_subjects(self, values: Floats) -> Floats:
        """Return what is in the order of time as the subjects came."""
        found = np.empty(values.size)
        found[self.order] = values
        return found


def pair_sums(time: TimeOrder, score: Floats, weight: Floats) -> PairSums:
    """Return every subject's sums over comparable pairs.

    A pair is comparable where i has the event and j is there longer, or is censored at the same
    time. Concordant is the pair whose first has the higher score. `weight` is zero for subjects
    that are no first ones.
    """
    code, held = time.code, weight[time.order]
    count = np.bincount(code)
    by_code: Floats = np.bincount(code, held).astype(np.float64)
    scores = score[time.order]
    forward = _stable_order(scores)
    result = _wins(forward, code, held)
    ranked = scores[forward]
    if (ranked[1:] == ranked[:-1]).any():  # once more with ties the other way: the mean is half
        backward = code.size - 1 - _stable_order(scores[::-1])
        result = 0.5 * (result + _wins(backward, code, held))
    first = held > 0.0
    return PairSums(
        won=time.to_subjects(np.where(first, result[0], 0.0)),
        pairs=time.to_subjects(np.where(first, (code.size - np.cumsum(count))[code], 0.0)),
        won_later=time.to_subjects(result[1]),
        pairs_later=time.to_subjects((np.cumsum(by_code) - by_code)[code]),
    )


def _stable_order(values: Floats) -> Codes:
    """Return the order of the values, those that tie as they come."""
    found = sort_into_blocks(values, np.zeros(values.size, dtype=np.bool_), ordered=True)
    if found.last is None:
        return np.asarray(found.order)
    return np.argsort(values, kind="stable")


def _wins(ranked: Codes, code: Codes, weight: Floats) -> Floats:
    """Return, for places by time that are ranked by score, what each has won, first and second.

    As first: those of a larger code ranked before it; as second: the weight of those of a smaller
    code ranked after it. Where codes tie, later in rank is taken as later in time: such pairs
    then are neither.
    """
    place = ranked
    if code[-1] + 1 < code.size:
        place = np.empty_like(ranked)
        place[np.argsort(code[ranked], kind="stable")] = np.arange(code.size)
    held = weight[ranked]
    count, passed = smaller_before(place, held)
    ahead = np.empty(code.size)
    ahead[place] = held
    ahead = np.cumsum(ahead) - ahead
    found = np.empty((2, code.size))
    found[0, ranked] = np.arange(code.size) - count
    found[1, ranked] = ahead[place] - passed
    return found
