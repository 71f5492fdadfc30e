"""Score swaps: what exchanging two classifiers' scores in subjects does to their difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import SLAB, slabs, sort_into_blocks
from rocstats.data.sample import ScoredSample
from rocstats.engine.compiled import add_swaps, draw_bytes, place
from rocstats.engine.evaluation import is_whole_area, ordered_influence, to_measure_scale
from rocstats.engine.influence import Influence
from rocstats.engine.measures import Measure

__all__ = [
    "ROUNDING",
    "Exchange",
    "SignedSum",
    "Statistic",
    "common_scale",
    "draw_coins",
    "draw_swaps",
    "ratio",
]

_BATCH = 2**15  # coins drawn at a time
ROUNDING = 1e-12  # differences this close, beside their terms, are equal
Bits = NDArray[np.uint8]
Coins = NDArray[np.uint8]  # bits, eight to a byte, from the highest
Statistic = Callable[[Coins], Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exchange:
    """Two classifiers' scores on one scale, to be swapped within subjects or clusters."""

    scores: Floats
    positive: Bools
    cluster: NDArray[np.intp] | None
    measure: Measure

    @property
    def n_units(self) -> int:
        return self.positive.size if self.cluster is None else int(self.cluster.max()) + 1

    def weights(self) -> Floats:
        """Return what each unit adds to the difference, with the sign of its exchange (6.4)."""
        pooled, m = np.tile(self.positive, 2), 2 * int(np.count_nonzero(self.positive))
        n = pooled.size - m
        if is_whole_area(self.measure):
            passed = self._passed_quickly(pooled, m, n)
        else:
            blocks = sort_into_blocks(self.scores.ravel(), pooled, ordered=True)
            kernel, passed = self.measure.kernel, np.empty(pooled.size)
            passed[blocks.order] = blocks.by_place(
                kernel.below(blocks, blocks.n_neg), kernel.above(blocks, blocks.n_pos)
            )
        first, second = passed.reshape(2, -1)
        weights = (first - second) / (0.5 * m * n)  # m and n of the pooled sample: twice too many
        if self.cluster is not None:
            weights = np.bincount(self.cluster, weights).astype(np.float64)
        return weights

    def _passed_quickly(self, pooled: Bools, m: int, n: int) -> Floats:
        """Return how many of the other class each passes, by the kernel or by counting ranks."""
        passed = np.empty(pooled.size)
        sums = place(self.scores.ravel(), pooled, passed)
        if sums is None:
            _count_passed(self.scores.ravel(), pooled, passed)
            return passed
        passed += sums.wins / (2 * m * n)  # shares of the others
        passed *= np.where(pooled, 2.0 * n, 2.0 * m)
        np.rint(passed, out=passed)  # halves are whole now: what was rounded is mended
        passed *= 0.5
        return passed

    def _influence(self, scores: Floats) -> tuple[float, Floats]:
        """Return the measure and the influence of every subject."""
        values = np.empty(scores.size)
        sums = place(scores, self.positive, values) if is_whole_area(self.measure) else None
        if sums is not None:
            return sums.wins / (2 * sums.m * sums.n), values
        blocks = sort_into_blocks(scores, self.positive, ordered=True)
        estimate, values[blocks.order] = ordered_influence(self.measure, blocks)
        return estimate, values

    def judge(self, swapped: Bits | None = None) -> tuple[float, float, float]:
        """Return difference, its standard error, and the size of its terms, after an exchange."""
        scores = self.scores
        if swapped is not None:
            places = swapped if self.cluster is None else swapped[self.cluster]
            scores = np.where(places, scores[::-1], scores)
        first, values = self._influence(scores[0])
        second, others = self._influence(scores[1])
        values -= others
        size, difference = float(abs(first) + abs(second)), float(first - second)
        variance = self._variance(values)
        error = math.nan if math.isnan(variance) else math.sqrt(max(variance, 0.0))
        return (
            0.0 if abs(difference) <= ROUNDING * size else difference,
            0.0 if error <= ROUNDING * size else error,
            size,
        )

    def _variance(self, values: Floats) -> float:
        influence = Influence(
            estimate=np.zeros(1),
            values=values[np.newaxis],
            stratum=self.positive.astype(np.intp),
            rows=(("difference", self.measure.name),),
            cluster=self.cluster,
        )
        if influence.units().min() < 2:
            return math.nan
        return float(influence.covariance()[0, 0])

    def differences(self, coins: Coins) -> Floats:
        return np.array([self.judge(units)[0] for units in self._swaps(coins)])

    def studentized(self, coins: Coins) -> Floats:
        return np.array([ratio(*self.judge(units)[:2]) for units in self._swaps(coins)])

    def _swaps(self, coins: Coins) -> Bits:
        return np.unpackbits(coins, axis=1, count=self.n_units)


def _count_passed(ranks: Floats, positive: Bools, passed: Floats) -> None:
    """Fill in how many of the other class each passes, ties counting half, by mid-ranks."""
    cell = np.empty(ranks.size, dtype=np.int32 if ranks.size < 2**30 else np.int64)
    np.multiply(ranks, 2.0, out=cell, casting="unsafe")
    negative = ~positive
    for mine, theirs in ((positive, negative), (negative, positive)):
        others = np.bincount(cell[theirs], minlength=ranks.size).astype(cell.dtype)
        halves = np.cumsum(others, dtype=cell.dtype)  # twice those below, and those that tie
        halves *= 2
        halves -= others
        if mine is negative:
            np.subtract(2 * np.count_nonzero(theirs), halves, out=halves)
        del others
        passed[mine] = halves[cell[mine]]
    passed *= 0.5


class SignedSum:
    """The sum of the weights, those of exchanged units with the other sign.

    Units go four at a time: `table` has the sum of every exchange of each four.
    """

    def __init__(self, weights: Floats) -> None:
        fours = np.zeros((-(-weights.size // 8) * 2, 4))
        fours.ravel()[: weights.size] = weights
        self.table = np.zeros((len(fours), 16))
        for k, unit in enumerate(fours.T[:, :, np.newaxis]):  # the first is the highest bit
            known = self.table.reshape(len(fours), 2**k, -1)  # by what comes before
            middle = known.shape[2] // 2
            np.subtract(known[:, :, 0], unit, out=known[:, :, middle])
            known[:, :, 0] += unit

    def __call__(self, coins: Coins) -> Floats:
        found = add_swaps(coins, self.table)
        return self._by_numpy(coins) if found is None else found

    def _by_numpy(self, coins: Coins) -> Floats:
        four = np.arange(0, len(self.table), 2)[:, np.newaxis]
        total = np.empty(len(coins))
        for s in slabs(len(coins), max(2, SLAB // len(self.table))):
            terms = np.empty((len(self.table), s.stop - s.start))
            terms[::2] = self.table[four, (coins[s] >> 4).T]
            terms[1::2] = self.table[four + 1, (coins[s] & 15).T]
            np.add.reduce(terms, axis=0, out=total[s])  # line after line, as the kernel adds
        return total


def draw_coins(rng: np.random.Generator, b: int, n_units: int) -> Coins:
    """Return (b, units) fair coins, eight to a byte."""
    lines, width = max(1, _BATCH // n_units), -(-n_units // 8)
    coins = draw_bytes(rng, b, lines, width)
    if coins is not None:
        return coins
    parts = slabs(b, lines)
    drawn = [rng.integers(0, 256, (s.stop - s.start, width), dtype=np.uint8) for s in parts]
    return np.concatenate(drawn)


def draw_swaps(rng: np.random.Generator, b: int, n_units: int) -> Bits:
    """Return (b, units) fair coins."""
    coins = rng.integers(0, 256, size=(b, -(-n_units // 8)), dtype=np.uint8)
    return np.unpackbits(coins, axis=1, count=n_units)


def common_scale(sample: ScoredSample, marker: int, measure: Measure) -> Floats:
    """Return mid-ranks where only the order counts, else scores on the scale of the measure."""
    blocks = sample.blocks(marker, ordered=True)
    last = np.arange(blocks.label.size) if blocks.last is None else blocks.last
    size = np.diff(last, prepend=-1)
    if measure.is_hard and not measure.kernel.uses_scores:
        level = last - 0.5 * (size - 1)
    else:
        level = to_measure_scale(measure, blocks, flipped=sample.is_flipped(marker)).score
    scores = np.empty(blocks.label.size)
    scores[blocks.order] = np.repeat(level, size)
    return scores


def ratio(estimate: float, std_error: float) -> float:
    """Return the statistic; without a standard error 0 or infinite."""
    if std_error == 0.0:
        return math.copysign(math.inf, estimate) if estimate else 0.0
    return estimate / std_error
