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
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.engine.compiled import null_statistics
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
_BEYOND = 1.0 + 1e-6  # more than the digits that a quantile may lack
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
    return np.minimum(np.maximum((_NONE - lost) / (_NONE - _FULL), 0.0), 1.0)


def null_correlation(correlation: Floats, lost: Floats) -> Floats:
    """Return the correlation of areas, drawn to 0 where they have lost next to nothing."""
    weight = np.sqrt(lost / (lost + _PRIOR_CORRELATION))
    known = np.where(np.isnan(correlation), 0.0, correlation)
    drawn: Floats = known * weight[..., :, None] * weight[..., None, :]
    place = np.arange(lost.shape[-1])
    drawn[..., place, place] = 1.0
    return drawn


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

    def on(self, *, df: Floats, tailed: Floats) -> NullVariance:
        """Return the same on other degrees of freedom, with all that was worked out already."""
        found = object.__new__(NullVariance)
        found.__dict__.update(self.__dict__, df=df, tailed=tailed)
        return found

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
        if self.areas.ndim == 1:  # a few numbers, which arrays would take longer for
            return np.array(self._share_of_one())
        few = np.minimum.reduce(self.lost[..., self.weights != 0.0], axis=-1)
        found: Floats = np.where(self.variance > 0.0, score_share(few), 1.0)
        return found

    def _share_of_one(self) -> float:
        """Return the share of one sample."""
        if not self.variance > 0.0:
            return 1.0
        rows = zip(self.areas.tolist(), self.sizes.tolist(), self.weights.tolist(), strict=True)
        few = min(min(area, 1.0 - area) * min(sizes) for area, sizes, weight in rows if weight)
        return float(min(max((_NONE - few) / (_NONE - _FULL), 0.0), 1.0))

    @cached_property
    def _scale(self) -> Floats:
        found: Floats = area_scale(
            self.areas, self.variances, self.sizes[..., 0], self.sizes[..., 1]
        )
        return found

    @cached_property
    def _related(self) -> Floats:
        return null_correlation(self.correlation, self.lost)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest value the contrast can have."""
        weights = self.weights.tolist()
        return sum(w for w in weights if w < 0.0), sum(w for w in weights if w > 0.0)

    @cached_property
    def _path(self) -> tuple[Floats, Floats, Floats]:
        """How far each area gives way, the multiples at which one meets a bound, and the contrast.

        Of (..., k), (..., knots) and (..., knots); between knots the contrast falls evenly.
        """
        give = self.weights * self.stiffness
        moving = give != 0.0
        divisor = np.where(moving, give, 1.0)
        ends = [np.where(moving, (self.areas - end) / divisor, 0.0) for end in (0.0, 1.0)]
        knots: Floats = np.concatenate(ends, axis=-1)
        knots.sort(axis=-1)
        there = _within(self.areas[..., None, :] - knots[..., :, None] * give[..., None, :])
        return give, knots, there @ self.weights

    def areas_at(self, null: Floats) -> Floats:
        """Return the areas nearest to those found, of (..., nulls, k), at which the contrast is it.

        Nearest in squares over the stiffness, within [0, 1]: each area gives way by the same
        multiple of its weight times its stiffness until it meets a bound. That multiple is found
        where the contrast, falling in straight lines between the bounds' multiples, is the null.
        """
        give, knots, value = self._path
        start, fall = value[..., :-1], value[..., :-1] - value[..., 1:]
        ahead = start[..., None, :] - null[..., :, None]  # of (..., nulls, knots - 1)
        falls = fall[..., None, :] > 0.0
        share = ahead / np.where(falls, fall[..., None, :], 1.0)
        part = _within(np.where(falls, share, ahead >= 0.0))
        steps = knots[..., 1:] - knots[..., :-1]
        multiple = knots[..., :1, None] + part @ steps[..., None]
        return _within(self.areas[..., None, :] - multiple * give[..., None, :])

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
        square = np.add.reduce((spread @ self._related) * spread, axis=-1)
        least = self.variance[..., None]
        found: Floats = least + self.share[..., None] * (np.maximum(square, least) - least)
        return found

    def compare(self, null: Floats) -> tuple[Floats, Floats]:
        """Return distances of the contrast from the nulls in standard errors there, and their df.

        Only the sample's own part of the variance is as uncertain as the tails of the influence
        make it; what the null adds is known.
        """
        found = self._compare_one(null) if self.areas.ndim == 1 else None
        if found is not None:
            return found[0], found[1]
        distance, variance = self.estimate[..., None] - null, self.variance_at(null)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(distance == 0.0, 0.0, distance / np.sqrt(variance))
            own = np.where(variance > 0.0, self.variance[..., None] / variance, 1.0)
            tailed = np.minimum(self.tailed[..., None] / own**2, self.df[..., None])
            share = self.share[..., None]
            df = 1.0 / ((1.0 - share) / self.df[..., None] + share / tailed)
        return statistic, df

    def _compare_one(self, null: Floats) -> Floats | None:
        """Return the same of one sample by the kernel, if there is one."""
        own = self.estimate, self.variance, self.share, self.df, self.tailed
        numbers = np.array([*map(float, own), _PRIOR, _PRIOR_CORRELATION])
        return null_statistics(null, self._arrays, numbers)

    @cached_property
    def _arrays(self) -> tuple[Floats, ...]:
        areas = self.areas, self.variances, self.sizes, self.weights, self.stiffness
        every = (*areas, self.correlation)
        return tuple(np.ascontiguousarray(array, dtype=np.float64) for array in every)

    def monotone(self, null: Floats | float, *, steps: Floats = _STEPS) -> tuple[Floats, Floats]:
        """Return statistic and df of (...): those of a value farther off, where less unlikely.

        So what is rejected is rejected with all that lies beyond it. `steps` are shares of the way
        to the bound, from 0 on.
        """
        null = null + 0.0 * self.estimate
        if self.areas.ndim == 1 and null.ndim == 0:
            end = self.bounds[0 if null < self.estimate else 1]
            line = self.compare(null + (end - null) * steps)
            first = _least_unlikely(*line)
            return line[0][first], line[1][first]
        edge = np.where(null < self.estimate, *self.bounds)
        line = self.compare(null[..., None] + (edge - null)[..., None] * steps)
        least = _least_unlikely(*line)
        if least.ndim == 0:
            return line[0][least], line[1][least]
        statistic, df = (np.take_along_axis(p, least[..., None], axis=-1)[..., 0] for p in line)
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


def _within(areas: Floats) -> Floats:
    found: Floats = np.minimum(np.maximum(areas, 0.0), 1.0)
    return found


def _least_unlikely(statistic: Floats, df: Floats) -> NDArray[np.intp]:
    """Return which t statistic along the last axis is least unlikely, the first of such.

    The first one sets a bound: what is beyond it even on the fewest degrees of freedom is not
    looked at, for distributions of t cost more than all else.
    """
    from scipy.special import stdtr, stdtrit

    size, most = np.abs(statistic), 1e10
    if size.ndim == 1:  # the same without a quantile, where the first is alone
        next_size, few_df = np.minimum.reduce(size[1:]), np.minimum.reduce(df)
        tail = stdtr(min(df[0], most), -size[0])
        if stdtr(min(few_df, most), -next_size / _BEYOND) < tail:
            return np.zeros((), dtype=np.intp)
    tail = stdtr(np.minimum(df[..., :1], most), -size[..., :1])
    few = np.minimum(np.minimum.reduce(df, axis=-1, keepdims=True), most)
    bound = -stdtrit(few, tail) * _BEYOND
    near = ~((size > bound) & (stdtr(few, -bound) < tail))  # no quantile is taken on trust
    if not near[..., 1:].any():
        return np.zeros(size.shape[:-1], dtype=np.intp)
    found = np.full(size.shape, np.inf)
    found[near] = np.abs(normal_score(statistic[near], df[near]))
    return np.asarray(found.argmin(axis=-1))


def normal_score(statistic: Floats, df: Floats) -> Floats:
    """Return the normal deviates that are as unlikely as t statistics."""
    from scipy.special import ndtr, ndtri, stdtr

    size, endless = -np.abs(statistic), np.isinf(df)
    tail = np.where(endless, ndtr(size), stdtr(np.where(endless, 1.0, df), size))
    found: Floats = np.copysign(-ndtri(tail), statistic)
    return found
