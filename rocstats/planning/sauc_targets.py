"""The sAUC of normal scores as a target of planning: of one marker, or the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.estimates.estimators import sauc as estimate_sauc
from rocstats.planning.components import Components
from rocstats.planning.expected_limits import wald_limits
from rocstats.planning.normal_sauc import mean_difference_for, ramp_mean, sauc_components
from rocstats.planning.targets import Drawn, Pair, limits_of_difference

__all__ = ["NormalMarker", "OneSauc", "PairedSaucs"]

_EDGE = 1e-9  # how close to 0 an sAUC is searched for, in SDs of a difference of scores


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalMarker:
    """A marker with normal scores in both classes."""

    mean_difference: float
    sd_pos: float
    sd_neg: float

    @property
    def spread(self) -> float:
        """SD of the difference of a positive's and a negative's score."""
        return math.hypot(self.sd_pos, self.sd_neg)

    @property
    def sauc(self) -> float:
        """The sAUC of the marker."""
        return self.spread * ramp_mean(self.mean_difference / self.spread)

    @property
    def words(self) -> str:
        """What is assumed of its scores."""
        return (
            f"mean difference {self.mean_difference:.4g}, SD {self.sd_pos:g} in positives and "
            f"{self.sd_neg:g} in negatives"
        )

    def with_sauc(self, value: float) -> NormalMarker:
        """Return the marker of another sAUC: its means move, its SDs stay."""
        return replace(self, mean_difference=mean_difference_for(value, self.spread))

    def covariance(self, other: NormalMarker, correlation: Pair = (1.0, 1.0)) -> Components:
        """Return the covariance components of the two sAUCs."""
        return sauc_components(
            (self.mean_difference, other.mean_difference),
            (self.sd_pos, other.sd_pos),
            (self.sd_neg, other.sd_neg),
            correlation,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSauc:
    """One sAUC; the test takes its standard error where the null value holds, at these SDs."""

    marker: NormalMarker

    ratio = 1.0
    nulls = (0.0, math.inf)

    @property
    def chance(self) -> float:
        return replace(self.marker, mean_difference=0.0).sauc

    @property
    def reach(self) -> Pair:
        return _EDGE * self.marker.spread, math.inf

    @property
    def areas(self) -> tuple[None, None]:
        return None, None

    @property
    def method(self) -> str:
        return f"one sAUC, exact variance of normal scores with {self.marker.words}"

    def effect(self, m: int, n: int) -> float:
        return self.marker.sauc

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        marker = self.marker if null is None else self.marker.with_sauc(null)
        return math.sqrt(marker.covariance(marker).variance(m, n))

    def limits(self, m: int, n: int, level: float) -> Pair:
        return wald_limits(self.effect(m, n), self.std_error(m, n), level)

    def at(self, effect: float) -> OneSauc:
        return replace(self, marker=self.marker.with_sauc(effect))

    def second_sizes(self, m: int, n: int) -> None:
        return None

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        scores = _draw((self.marker,), (0.0, 0.0), m, n, rng)
        drawn = estimate_sauc(np.arange(m + n) < m, scores[0])
        return drawn.value, drawn.confidence_interval(confidence_level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSaucs:
    """The difference of two sAUCs on the same subjects.

    The test estimates its standard error from the data, so it is that of the assumed sAUCs under
    every hypothesis.
    """

    markers: tuple[NormalMarker, NormalMarker]
    correlation: Pair

    chance = 0.0
    ratio = 1.0
    nulls = (-math.inf, math.inf)

    @property
    def reach(self) -> Pair:
        first, second = self.markers
        return _EDGE * first.spread - second.sauc, math.inf

    @property
    def areas(self) -> tuple[None, None]:
        return None, None

    @property
    def method(self) -> str:
        first, second = self.markers
        return (
            f"sAUC {first.sauc:.4g} less {second.sauc:.4g} on the same subjects, exact variance of "
            f"normal scores with {first.words}, and {second.words}; correlation of the scores "
            f"{self.correlation[0]:g} in positives and {self.correlation[1]:g} in negatives"
        )

    def effect(self, m: int, n: int) -> float:
        return self.markers[0].sauc - self.markers[1].sauc

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        first, second = self.markers
        alone = sum(marker.covariance(marker).variance(m, n) for marker in self.markers)
        shared = first.covariance(second, self.correlation).variance(m, n)
        return math.sqrt(max(alone - 2.0 * shared, 0.0))

    def limits(self, m: int, n: int, level: float) -> Pair:
        return wald_limits(self.effect(m, n), self.std_error(m, n), level)

    def at(self, effect: float) -> PairedSaucs:
        first, second = self.markers
        return replace(self, markers=(first.with_sauc(second.sauc + effect), second))

    def second_sizes(self, m: int, n: int) -> None:
        return None

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        first, second = _draw(self.markers, self.correlation, m, n, rng)
        sample = ScoredSample.from_arrays(np.arange(m + n) < m, {"first": first, "second": second})
        return limits_of_difference(sample, level, "sauc")


def _draw(
    markers: tuple[NormalMarker, ...],
    correlation: Pair,
    m: int,
    n: int,
    rng: np.random.Generator,
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Draw normal scores, a row a marker, positives first; negatives have mean 0."""
    scores = rng.standard_normal((len(markers), m + n))
    if len(markers) > 1:
        r = np.repeat(correlation, (m, n))
        scores[1] = r * scores[0] + np.sqrt(1.0 - r * r) * scores[1]
    for row, marker in zip(scores, markers, strict=True):
        row *= np.repeat((marker.sd_pos, marker.sd_neg), (m, n))
        row[:m] += marker.mean_difference
    return scores
