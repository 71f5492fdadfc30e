"""Score swaps: what exchanging two classifiers' scores in subjects does to their difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.sample import ScoredSample
from rocstats.engine.evaluation import ordered_influence, to_measure_scale
from rocstats.engine.influence import Influence
from rocstats.engine.measures import Measure

__all__ = ["ROUNDING", "Exchange", "SignedSum", "Statistic", "common_scale", "draw_swaps", "ratio"]

ROUNDING = 1e-12  # differences this close, beside their terms, are equal
Bits = NDArray[np.uint8]
Statistic = Callable[[Bits], Floats]


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
        blocks = sort_into_blocks(self.scores.ravel(), np.tile(self.positive, 2), ordered=True)
        kernel, (m, n) = self.measure.kernel, blocks.sizes
        passed = np.empty(self.scores.size)
        passed[blocks.order] = blocks.by_place(
            kernel.below(blocks, blocks.n_neg), kernel.above(blocks, blocks.n_pos)
        )
        first, second = passed.reshape(2, -1)
        weights = (first - second) / (0.5 * m * n)  # m and n of the pooled sample: twice too many
        if self.cluster is not None:
            weights = np.bincount(self.cluster, weights).astype(np.float64)
        return weights

    def judge(self, swapped: Bits | None = None) -> tuple[float, float, float]:
        """Return difference, its standard error, and the size of its terms, after an exchange."""
        scores = self.scores
        if swapped is not None:
            places = swapped if self.cluster is None else swapped[self.cluster]
            scores = np.where(places, scores[::-1], scores)
        values, estimate = np.empty_like(scores), np.empty(2)
        for i in (0, 1):
            blocks = sort_into_blocks(scores[i], self.positive, ordered=True)
            estimate[i], ordered = ordered_influence(self.measure, blocks)
            values[i, blocks.order] = ordered
        size = float(np.abs(estimate).sum())
        difference = float(estimate[0] - estimate[1])
        variance = self._variance(values[0] - values[1])
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

    def differences(self, swapped: Bits) -> Floats:
        return np.array([self.judge(units)[0] for units in swapped])

    def studentized(self, swapped: Bits) -> Floats:
        return np.array([ratio(*self.judge(units)[:2]) for units in swapped])


@dataclass(frozen=True, slots=True, eq=False)
class SignedSum:
    """The sum of the weights, those of exchanged units with the other sign."""

    weights: Floats

    def __call__(self, swapped: Bits) -> Floats:
        total: Floats = np.einsum("bi,i->b", swapped.astype(np.float64), -2.0 * self.weights)
        total += self.weights.sum()
        return total


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
