"""Targets: the value a study is to estimate, its standard error at any size, and how to draw it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.engine.null_variance import NullVariance
from rocstats.errors import InvalidOptionError
from rocstats.estimates.estimators import auc as estimate_auc
from rocstats.estimates.results import ConfidenceInterval, Estimate
from rocstats.inference.comparison import compare
from rocstats.planning.components import MODELS, normal_components
from rocstats.planning.expected_limits import area_limits, difference_at_null
from rocstats.planning.solving import find_root

__all__ = ["Drawn", "IndependentAreas", "OneArea", "PairedAreas", "Target", "limits_of_difference"]

Pair = tuple[float, float]
Drawn = tuple[float, ConfidenceInterval]  # an estimate and its limits
_EDGE = 1e-9  # how close to 0 and 1 an area is searched for


class Target(Protocol):
    """What a study is to estimate: an area or another measure, or a difference of two.

    ``chance`` is the null value where none is named, or None; ``ratio`` the negatives for every
    positive where none is named; ``nulls`` the limits of null values, ``reach`` those of the
    assumed value; ``areas`` what is assumed of one area or two.
    """

    @property
    def chance(self) -> float | None: ...
    @property
    def ratio(self) -> float: ...
    @property
    def nulls(self) -> Pair: ...
    @property
    def reach(self) -> Pair: ...
    @property
    def areas(self) -> tuple[float | None, float | None]: ...
    @property
    def method(self) -> str: ...

    def effect(self, m: int, n: int) -> float:
        """Return the assumed value."""
        ...

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        """Return the standard error at these sizes, at the assumed value or where `null` holds."""
        ...

    def limits(self, m: int, n: int, level: float) -> Pair:
        """Return the limits at these sizes where the estimate is the assumed value."""
        ...

    def at(self, effect: float) -> Target:
        """Return the same with another assumed value."""
        ...

    def second_sizes(self, m: int, n: int) -> tuple[int, int] | None:
        """Return the sizes of a second group, where there is one."""
        ...

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        """Draw a study and estimate the value as rocstats does, with limits at a level."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OneArea:
    """One area; the test takes its standard error where the null value holds."""

    auc: float
    model: str
    sd_ratio: float

    chance = 0.5
    ratio = 1.0
    nulls = (0.0, 1.0)

    @property
    def reach(self) -> Pair:
        return _EDGE, 1.0 - _EDGE

    @property
    def areas(self) -> tuple[float, None]:
        return self.auc, None

    @property
    def method(self) -> str:
        return f"one AUC, {_model_words(self.model, (self.sd_ratio,))}"

    def effect(self, m: int, n: int) -> float:
        return self.auc

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        area = self.auc if null is None else null
        return math.sqrt(MODELS[self.model](area, self.sd_ratio).variance(m, n))

    def limits(self, m: int, n: int, level: float) -> Pair:
        return area_limits(self.auc, self.std_error(m, n), (m, n), level)

    def at(self, effect: float) -> OneArea:
        return replace(self, auc=effect)

    def second_sizes(self, m: int, n: int) -> None:
        return None

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        scores = _draw_scores((self.auc,), (self.sd_ratio,), (0.0, 0.0), m, n, rng)
        drawn = estimate_auc(_labels(m, n), scores[0])
        return drawn.value, drawn.confidence_interval(confidence_level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedAreas:
    """The difference of two areas on the same subjects.

    The test takes its standard error where a hypothesis puts the areas, as far as losses are few;
    swapping the areas changes the sign of the difference and nothing else.
    """

    auc: Pair
    model: str
    sd_ratio: Pair
    correlation: Pair | None
    auc_correlation: float | None

    chance = 0.0
    ratio = 1.0
    nulls = (-1.0, 1.0)

    @property
    def reach(self) -> Pair:
        return _EDGE - self.auc[1], 1.0 - _EDGE - self.auc[1]

    @property
    def areas(self) -> Pair:
        return self.auc

    @property
    def method(self) -> str:
        if self.correlation is None:
            how = f"correlation of the AUCs {self.auc_correlation:g}"
        else:
            pos, neg = self.correlation
            how = f"correlation of the scores {pos:g} in positives and {neg:g} in negatives"
        return f"two AUCs on the same subjects, {_model_words(self.model, self.sd_ratio)}, {how}"

    def effect(self, m: int, n: int) -> float:
        return self.auc[0] - self.auc[1]

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        return _error_of(self._at_null(m, n), null)

    def limits(self, m: int, n: int, level: float) -> Pair:
        return self._at_null(m, n).limits((1.0 - level) / 2.0)

    def _at_null(self, m: int, n: int) -> NullVariance:
        first, second = self._variances(m, n)
        if self.correlation is None:
            covariance = (self.auc_correlation or 0.0) * math.sqrt(first * second)
        else:
            covariance = self._covariance(m, n, self.correlation)
        variance = max(first + second - 2.0 * covariance, 0.0)
        return difference_at_null(self.auc, (first, second), variance, ((m, n), (m, n)))

    def _variances(self, m: int, n: int) -> Pair:
        of = MODELS[self.model]
        first, second = (
            of(a, q).variance(m, n) for a, q in zip(self.auc, self.sd_ratio, strict=True)
        )
        return first, second

    def _covariance(self, m: int, n: int, correlation: Pair) -> float:
        return normal_components(self.auc, self.sd_ratio, correlation).variance(m, n)

    def _score_correlation(self, m: int, n: int) -> Pair:
        """The correlation of normal scores, alike in both classes, that the AUCs' implies."""
        if self.correlation is not None:
            return self.correlation
        wanted = self.auc_correlation or 0.0
        of = MODELS["normal"]
        scale = math.sqrt(
            math.prod(of(a, q).variance(m, n) for a, q in zip(self.auc, self.sd_ratio, strict=True))
        )

        def excess(r: float) -> float:
            return self._covariance(m, n, (r, r)) / scale - wanted

        found = find_root(excess, -1.0, 1.0)
        if found is None:
            raise InvalidOptionError(
                f"No correlation of normal scores gives AUCs a correlation of {wanted:g}; they "
                "cannot be drawn."
            )
        return found, found

    def at(self, effect: float) -> PairedAreas:
        return replace(self, auc=(self.auc[1] + effect, self.auc[1]))

    def second_sizes(self, m: int, n: int) -> None:
        return None

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        scores = _draw_scores(self.auc, self.sd_ratio, self._score_correlation(m, n), m, n, rng)
        sample = ScoredSample.from_arrays(_labels(m, n), {"first": scores[0], "second": scores[1]})
        return limits_of_difference(sample, level, "auc")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentAreas:
    """The difference of two areas on different subjects; the standard error as in `PairedAreas`."""

    auc: Pair
    model: str
    sd_ratio: Pair
    group_ratio: float

    chance = 0.0
    ratio = 1.0
    nulls = (-1.0, 1.0)

    @property
    def reach(self) -> Pair:
        return _EDGE - self.auc[1], 1.0 - _EDGE - self.auc[1]

    @property
    def areas(self) -> Pair:
        return self.auc

    @property
    def method(self) -> str:
        return f"two AUCs on different subjects, {_model_words(self.model, self.sd_ratio)}"

    def effect(self, m: int, n: int) -> float:
        return self.auc[0] - self.auc[1]

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        return _error_of(self._at_null(m, n), null)

    def limits(self, m: int, n: int, level: float) -> Pair:
        return self._at_null(m, n).limits((1.0 - level) / 2.0)

    def _at_null(self, m: int, n: int) -> NullVariance:
        of, sizes = MODELS[self.model], ((m, n), self.second_sizes(m, n))
        groups = zip(self.auc, self.sd_ratio, sizes, strict=True)
        first, second = (of(a, q).variance(*size) for a, q, size in groups)
        return difference_at_null(self.auc, (first, second), first + second, sizes)

    def at(self, effect: float) -> IndependentAreas:
        return replace(self, auc=(self.auc[1] + effect, self.auc[1]))

    def second_sizes(self, m: int, n: int) -> tuple[int, int]:
        return _at_least(self.group_ratio * m), _at_least(self.group_ratio * n)

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        from rocstats.inference.independent import compare_independent

        drawn: list[Estimate] = []
        for area, q, size in zip(
            self.auc, self.sd_ratio, ((m, n), self.second_sizes(m, n)), strict=True
        ):
            scores = _draw_scores((area,), (q,), (0.0, 0.0), *size, rng)
            drawn.append(estimate_auc(_labels(*size), scores[0]))
        test = compare_independent(*drawn)
        return test.estimate, test.confidence_interval(confidence_level=level)


def _error_of(difference: NullVariance, null: float | None) -> float:
    if null is None:
        return math.sqrt(float(difference.variance))
    return math.sqrt(float(difference.variance_at(np.array([null]))[0]))


def limits_of_difference(sample: ScoredSample, level: float, measure: object) -> Drawn:
    """Compare the two markers of a sample as rocstats does."""
    result = compare(sample, measure=measure)  # type: ignore[arg-type]
    (test,) = result.pairwise(adjust="none").tests
    return test.estimate, test.confidence_interval(confidence_level=level)


def _at_least(size: float) -> int:
    """Return the whole number not below `size`, rounding error aside."""
    return max(math.ceil(size * (1.0 - 1e-12)), 1)


def _labels(m: int, n: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.arange(m + n) < m


def _draw_scores(
    auc: tuple[float, ...],
    sd_ratio: tuple[float, ...],
    correlation: Pair,
    m: int,
    n: int,
    rng: np.random.Generator,
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Draw normal scores, a row an area, positives first; negatives are standard normal."""
    from scipy.special import ndtri

    scores = rng.standard_normal((len(auc), m + n))
    for part, r in ((slice(0, m), correlation[0]), (slice(m, None), correlation[1])):
        for row in range(1, len(auc)):
            scores[row, part] *= math.sqrt(1.0 - r * r)
            scores[row, part] += r * scores[0, part]
    for row, (a, q) in enumerate(zip(auc, sd_ratio, strict=True)):
        scores[row, :m] *= q
        scores[row, :m] += float(ndtri(a)) * math.hypot(1.0, q)
    return scores


def _model_words(model: str, sd_ratio: tuple[float, ...]) -> str:
    words = {
        "normal": "exact variance of normal scores",
        "hanley-mcneil": "Hanley and McNeil's variance",
        "obuchowski": "Obuchowski and McClish's variance",
    }[model]
    if set(sd_ratio) == {1.0}:
        return words
    return f"{words} with SD ratio {' and '.join(f'{q:g}' for q in dict.fromkeys(sd_ratio))}"
