"""Variance at the null: areas near 0 or 1, judged where a hypothesis puts them (STATISTICS.md 6.8).

DeLong's variance is taken where the sample fell. An area near 1 owes it to a few lost pairs, and
with few of them it is often far too small. Here it is taken where the hypothesis puts the areas, by
Hanley & McNeil's formula times the sample's own scale; as losses grow it becomes DeLong's exactly.
All is of arrays: the last axis counts areas, those before it samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.root_finding import find_zero
from rocstats.engine.variances import newcombe_variance

__all__ = [
    "NullVariance",
    "area_scale",
    "losses",
    "normal_score",
    "null_correlation",
    "score_share",
]

_PRIOR = 3.0  # losses that the formula's own scale is worth
_PRIOR_CORRELATION = 0.05  # losses that no correlation is worth
_FULL, _NONE = 10.0, 20.0  # losses up to which the variance is all at the null, and none of it
_STEPS = np.linspace(0.0, 1.0, 257)


def losses(area: Any, m: Any, n: Any) -> Any:
    """Return how many subjects of the smaller class an area has lost, or won where that is less."""
    return np.minimum(area, 1.0 - area) * np.minimum(m, n)


def area_scale(area: Any, variance: Any, m: Any, n: Any, prior: float = _PRIOR) -> Any:
    """Return the variance of an area beside Newcombe's formula, drawn to 1 where losses are few.

    What is above 1 is not drawn: only a variance that is too small does harm. Where nothing varies
    there is nothing to be learnt, and the scale is 1. `prior` is how many losses that 1 is worth.
    """
    formula = newcombe_variance(area, m, n)
    lost = losses(area, m, n)
    known = (formula > 0.0) & (variance > 0.0)
    ratio = np.where(known, variance, 1.0) / np.where(known, formula, 1.0)
    return np.where(ratio > 1.0, ratio, (lost * ratio + prior) / (lost + prior))


def score_share(lost: Any) -> Any:
    """Return how much of a variance is taken at the null: all with few losses, none with many."""
    return np.clip((_NONE - lost) / (_NONE - _FULL), 0.0, 1.0)


def null_correlation(correlation: Floats, lost: Floats) -> Floats:
    """Return the correlation of areas, drawn to 0 where they have lost next to nothing."""
    weight = np.sqrt(lost / (lost + _PRIOR_CORRELATION))
    drawn = np.nan_to_num(correlation) * weight[..., :, None] * weight[..., None, :]
    return np.where(np.eye(lost.shape[-1], dtype=np.bool_), 1.0, drawn)


@dataclass(frozen=True, kw_only=True, eq=False)
class NullVariance:
    """A contrast of areas beside any value it may have.

    Attributes
    ----------
    weights : array of shape (k,)
        The contrast.
    areas : array of shape (..., k)
        The areas.
    variances : array of shape (..., k)
        DeLong's variances of the areas.
    correlation : array of shape (..., k, k)
        DeLong's correlation of the areas; nan beside one without variance.
    variance : array of shape (...)
        DeLong's variance of the contrast.
    sizes : array of shape (..., k, 2)
        Independent positives and negatives of every area.
    stiffness : array of shape (..., k)
        How far each area gives way to the hypothesis, beside the others: 1/m + 1/n, of the sizes
        alone. Estimated variances will not do: the test would choose its own null.
    df, tailed : array of shape (...)
        Degrees of freedom of DeLong's variance of the contrast, by its terms; and as few as the
        tails of the influence leave it, where the variance is made by few subjects.
    """

    weights: Floats
    areas: Floats
    variances: Floats
    correlation: Floats
    variance: Floats
    sizes: Floats
    stiffness: Floats
    df: Floats
    tailed: Floats

    name = "score"

    @cached_property
    def estimate(self) -> Floats:
        """The contrast."""
        found: Floats = self.areas @ self.weights
        return found

    @cached_property
    def lost(self) -> Floats:
        """Losses of every area."""
        found: Floats = losses(self.areas, self.sizes[..., 0], self.sizes[..., 1])
        return found

    @cached_property
    def share(self) -> Floats:
        """How much of the variance is taken at the null."""
        few = self.lost[..., self.weights != 0.0].min(axis=-1)
        found: Floats = np.where(self.variance > 0.0, score_share(few), 1.0)
        return found

    @cached_property
    def _scale(self) -> Floats:
        found: Floats = area_scale(
            self.areas, self.variances, self.sizes[..., 0], self.sizes[..., 1]
        )
        return found

    @cached_property
    def _related(self) -> Floats:
        return null_correlation(self.correlation, self.lost)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest value the contrast can have."""
        return float(np.minimum(self.weights, 0.0).sum()), float(
            np.maximum(self.weights, 0.0).sum()
        )

    def areas_at(self, null: Floats) -> Floats:
        """Return the areas nearest to those found, of (..., nulls, k), at which the contrast is it.

        Nearest in squares over the stiffness, within [0, 1]: each area gives way by the same
        multiple of its weight times its stiffness until it meets a bound. That multiple is found
        where the contrast, falling in straight lines between the bounds' multiples, is the null.
        """
        give = self.weights * self.stiffness
        moving = give != 0.0
        divisor = np.where(moving, give, 1.0)
        ends = [np.where(moving, (self.areas - end) / divisor, 0.0) for end in (0.0, 1.0)]
        knots: Floats = np.sort(np.concatenate(ends, axis=-1), axis=-1)
        there = np.clip(
            self.areas[..., None, :] - knots[..., :, None] * give[..., None, :], 0.0, 1.0
        )
        value = there @ self.weights  # of (..., knots), falling
        right = (value[..., None, :] >= null[..., :, None]).sum(axis=-1)
        right = np.clip(right, 1, knots.shape[-1] - 1)
        x0, x1 = [np.take_along_axis(knots, right - k, axis=-1) for k in (1, 0)]
        y0, y1 = [np.take_along_axis(value, right - k, axis=-1) for k in (1, 0)]
        part = (y0 - null) / np.where(y0 > y1, y0 - y1, 1.0)
        multiple = x0 + np.clip(part, 0.0, 1.0) * (x1 - x0)
        return np.clip(
            self.areas[..., None, :] - multiple[..., None] * give[..., None, :], 0.0, 1.0
        )

    def _spread_at(self, areas: Floats) -> Floats:
        m, n = self.sizes[..., None, :, 0], self.sizes[..., None, :, 1]
        formula = newcombe_variance(areas, m, n)
        found: Floats = np.sqrt(np.maximum(self._scale[..., None, :] * formula, 0.0))
        return found

    def covariance_at(self, areas: Floats) -> Floats:
        """Return the covariance of the areas, of (..., k, k), where they are such."""
        spread = self._spread_at(areas[..., None, :])[..., 0, :]
        return spread[..., :, None] * self._related * spread[..., None, :]

    def variance_at(self, null: Floats) -> Floats:
        """Return the variance of the contrast, of (..., nulls), where its value is the null."""
        spread = self._spread_at(self.areas_at(null)) * self.weights
        square = ((spread @ self._related) * spread).sum(axis=-1)
        least = self.variance[..., None]
        found: Floats = least + self.share[..., None] * (np.maximum(square, least) - least)
        return found

    def compare(self, null: Floats) -> tuple[Floats, Floats]:
        """Return distances of the contrast from the nulls in standard errors there, and their df.

        Only the sample's own part of the variance is as uncertain as the tails of the influence
        make it; what the null adds is known.
        """
        distance, variance = self.estimate[..., None] - null, self.variance_at(null)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(distance == 0.0, 0.0, distance / np.sqrt(variance))
            own = np.where(variance > 0.0, self.variance[..., None] / variance, 1.0)
            tailed = np.minimum(self.tailed[..., None] / own**2, self.df[..., None])
            share = self.share[..., None]
            df = 1.0 / ((1.0 - share) / self.df[..., None] + share / tailed)
        return statistic, df

    def monotone(self, null: Floats | float, *, steps: Floats = _STEPS) -> tuple[Floats, Floats]:
        """Return statistic and df of (...): those of a value farther off, where less unlikely.

        So what is rejected is rejected with all that lies beyond it. `steps` are shares of the way
        to the bound, from 0 on.
        """
        null = np.broadcast_to(np.asarray(null, dtype=np.float64), self.estimate.shape)
        edge = np.where(null < self.estimate, *self.bounds)
        line = self.compare(null[..., None] + (edge - null)[..., None] * steps)
        least = np.abs(normal_score(*line)).argmin(axis=-1)[..., None]
        statistic, df = (np.take_along_axis(part, least, axis=-1)[..., 0] for part in line)
        return statistic, df

    def judge(self, null: float) -> tuple[float, float]:
        """Return statistic and degrees of freedom of one sample at a null value."""
        statistic, df = self.monotone(null)
        return float(statistic), float(df)

    def limits(self, tail: float) -> tuple[float, float]:
        """Return the least and the largest value of one sample's contrast that is not rejected."""
        low, high = (self._limit(edge, tail) for edge in self.bounds)
        return low, high

    def _limit(self, edge: float, tail: float) -> float:
        from scipy.special import ndtri

        centre, quantile = float(self.estimate), -float(ndtri(tail))
        if centre == edge:
            return edge
        grid = edge + (centre - edge) * _STEPS

        def excess(null: Any) -> Any:
            return np.abs(normal_score(*self.compare(np.atleast_1d(null)))) - quantile

        first = int(np.argmax(excess(grid) <= 0.0))  # at the centre it is 0
        if first == 0:
            return edge
        outer, inner = float(grid[first - 1]), float(grid[first])
        return find_zero(lambda null: float(excess(null)[0]), outer, inner, xtol=1e-14)


def normal_score(statistic: Floats, df: Floats) -> Floats:
    """Return the normal deviates that are as unlikely as t statistics."""
    from scipy.special import ndtr, ndtri, stdtr

    size, endless = -np.abs(statistic), np.isinf(df)
    tail = np.where(endless, ndtr(size), stdtr(np.where(endless, 1.0, df), size))
    found: Floats = np.copysign(-ndtri(tail), statistic)
    return found
