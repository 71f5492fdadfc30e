"""Areas where nothing ties, in whole numbers: the counts of wins are all there is to sum."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import SLAB, slabs
from rocstats.engine.windows import Window

__all__ = ["area", "area_influence", "exact_spread"]

Found = tuple[float, float, float]  # value, spread of influence over the positives and negatives
Exact = int | Fraction


class _Sums(NamedTuple):
    """Of some subjects in the order of their scores: positives, negatives, and over their pairs.

    ``wins`` is the number of pairs that the positive wins; ``pos_squares`` sums the squares of the
    negatives below each positive, ``neg_squares`` those of the positives above each negative.
    """

    m: int
    n: int
    wins: int
    pos_squares: int
    neg_squares: int


def area(label: Bools, window: Window | None) -> Found:
    """Return the area, all of it or within a window, and the spread of influence."""
    if window is None:
        sums = _sum_wins(label)
        m, n, wins = sums.m, sums.n, sums.wins
        spread_pos = exact_spread(wins, sums.pos_squares, m) / n
        return wins / (m * n), spread_pos, exact_spread(wins, sums.neg_squares, n) / m
    level, slope = window.scale
    if window.axis == "fpr":
        value, spread_pos, spread_neg = _partial_area(label, window)
    else:
        value, spread_neg, spread_pos = _partial_area(~label[::-1], window)
    return window.held(level + slope * value), slope * spread_pos, slope * spread_neg


def _sum_wins(label: Bools) -> _Sums:
    """Sum wins and squares over subjects in the order of their scores.

    The k-th positive (from 0) at place p passes ``b = p - k`` negatives. The square of the
    positives below a negative, summed over the negatives, is the sum of ``(2 k + 1)(n - b)``: so
    three sums over the positives give everything exactly.
    """
    m = int(np.count_nonzero(label))
    n = label.size - m
    wins = squares = ranked = seen = 0
    step = min(SLAB, 2**62 // max(n, 1) ** 2 + 1)  # sums of squares within a piece fit an integer
    ranks = np.arange(min(step, label.size))
    for s in slabs(label.size, step):
        (passed,) = label[s].nonzero()
        rank = ranks[: passed.size]
        passed -= rank
        passed += s.start - seen
        here = int(passed.sum())
        wins += here
        squares += int(passed @ passed)  # of integers, which no BLAS thread wakes for
        ranked += 2 * int(rank @ passed) + (2 * seen + 1) * here
        seen += passed.size
    return _Sums(m, n, wins, squares, 2 * m * wins - ranked)


def _partial_area(label: Bools, window: Window) -> Found:
    """Return the area over a range of the shares of the negatives.

    Places before the window opens and after it closes count alike, as at its corner; a negative in
    which it opens or closes is one of them. Between, the wins are those of the subjects there.
    """
    m = int(np.count_nonzero(label))
    n = label.size - m
    opens, closes = (Fraction(count) for count in window.passed(n))
    find = _finder(label)
    start, stop = find(math.ceil(opens)) + 1, find(math.floor(closes) + 1)
    inside = _sum_wins(label[start:stop])
    before = int(np.count_nonzero(label[:start]))
    after = m - before - inside.m
    part, width = math.ceil(opens) - opens, closes - opens  # part of a negative, the whole width
    ahead_open, ahead_close = Fraction(m - before), Fraction(after)
    if part == 0:  # the curve may be upright here: take the middle
        ahead_open -= Fraction(find(math.ceil(opens) + 1) - start, 2)
    if closes == math.floor(closes):
        ahead_close += Fraction(stop - find(math.floor(closes)) - 1, 2)
    total = part * inside.m + inside.wins + width * after
    squares = part**2 * inside.m + 2 * part * inside.wins + inside.pos_squares + width**2 * after
    n_before = math.ceil(opens)
    n_after = n - n_before - inside.n
    ahead = ahead_open * n_before + inside.wins + after * inside.n + ahead_close * n_after
    ahead_squares = (
        ahead_open**2 * n_before
        + (inside.neg_squares + 2 * after * inside.wins + after**2 * inside.n)
        + ahead_close**2 * n_after
    )
    value = float(total / (m * n))
    return value, exact_spread(total, squares, m) / n, exact_spread(ahead, ahead_squares, n) / m


def _finder(label: Bools) -> Callable[[int], int]:
    """Return what finds the place of the k-th negative: -1 for k = 0, the end for n + 1."""
    pieces = slabs(label.size)
    counts = np.cumsum([p.stop - p.start - np.count_nonzero(label[p]) for p in pieces])

    def find(k: int) -> int:
        if k == 0:
            return -1
        piece = int(np.searchsorted(counts, k))
        if piece == len(pieces):
            return label.size
        here = pieces[piece]
        left = int(counts[piece]) - k  # negatives after it in its piece
        return int(here.start + np.flatnonzero(~label[here])[-1 - left])

    return find


def exact_spread(total: Exact, squares: Exact, size: int) -> float:
    """Return the standard deviation of `size` numbers with this exact sum and sum of squares."""
    if size < 2:
        return math.nan
    return math.sqrt((size * squares - total * total) / (size * (size - 1)))


def area_influence(label: Bools) -> tuple[float, Floats]:
    """Return the whole area and the influence of every subject, in the order of their scores."""
    size = label.size
    m = int(np.count_nonzero(label))
    n, total, seen = size - m, 0.0, 0.0
    influence = np.empty(size)
    places = np.arange(min(SLAB, size), dtype=np.float64)
    for s in slabs(size):
        member = label[s].astype(np.float64)
        upto = np.cumsum(member)  # positives up to here
        upto += seen
        seen = float(upto[-1])
        passed = places[: member.size] - upto
        passed += s.start + 1.0  # negatives below a positive
        passed *= member
        total += float(passed.sum())
        passed /= n
        upto -= m
        upto /= -m  # positives above a negative: counts divide to the same bits everywhere
        upto *= 1.0 - member
        np.add(passed, upto, out=influence[s])
    value = total / (m * n)
    influence -= value
    return value, influence
