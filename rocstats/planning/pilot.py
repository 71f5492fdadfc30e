"""Pilots: the value and its variance at other sizes, from the influence of a pilot's subjects."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.engine.evaluation import summarise, to_measure_scale
from rocstats.engine.influence import sample_influence
from rocstats.engine.measures import Measure, Midpoint
from rocstats.engine.null_variance import NullVariance
from rocstats.errors import InvalidOptionError, keyword, named
from rocstats.estimates.estimators import estimate
from rocstats.estimates.results import Estimate
from rocstats.inference.comparison import Comparison
from rocstats.planning.components import Components
from rocstats.planning.expected_limits import area_limits, difference_at_null, wald_limits
from rocstats.planning.joint_wins import joint_win_sum
from rocstats.planning.targets import Drawn, Pair, limits_of_difference

__all__ = ["PilotTarget", "pilot_components", "pilot_target"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PilotTarget:
    """A measure of one marker of a pilot, or the difference of two markers'.

    Attributes
    ----------
    rows : the pilot's estimates, one or two
    fixed : value and components; None for a measure that depends on the class sizes (smAUC), where
        the pilot is weighted to those that are planned
    assumed : a value to plan for instead of the pilot's own
    """

    rows: tuple[Estimate, ...]
    fixed: tuple[float, Components] | None
    assumed: float | None

    @property
    def _measure(self) -> Measure:
        return self.rows[0].measure

    @property
    def chance(self) -> float | None:
        if len(self.rows) == 2:
            return 0.0
        return 0.5 if self._measure.is_auc else None

    @property
    def ratio(self) -> float:
        return self.rows[0].n_neg / self.rows[0].n_pos

    @property
    def reach(self) -> Pair:
        low, high = self.rows[0].bounds
        return (low, high) if len(self.rows) == 1 else (low - high, high - low)

    @property
    def nulls(self) -> Pair:
        return self.reach

    @property
    def areas(self) -> tuple[None, None]:
        return None, None

    @property
    def method(self) -> str:
        row, label = self.rows[0], self._measure.label
        what = f"{label} of {row.classifier}"
        if len(self.rows) == 2:
            what = f"{label} of {row.classifier} less that of {self.rows[1].classifier}"
        how = "unbiased variance components" if self._is_unbiased else "variance of the influence"
        return f"{what}, {how} of a pilot of {row.n_pos} positives and {row.n_neg} negatives"

    @property
    def _is_unbiased(self) -> bool:
        return self._measure.is_auc or (len(self.rows) == 1 and self._measure.is_pair_mean)

    def _found(self, m: int, n: int) -> tuple[float, Components]:
        if self.fixed is not None:
            return self.fixed
        return pilot_components(self.rows, replace(self._measure, class_weight=m / (m + n)))

    def effect(self, m: int, n: int) -> float:
        return self._found(m, n)[0] if self.assumed is None else self.assumed

    def std_error(self, m: int, n: int, *, null: float | None = None) -> float:
        if null is None or len(self.rows) == 1 or not self._measure.is_auc:
            return math.sqrt(self._found(m, n)[1].variance(m, n))
        return math.sqrt(float(self._at_null(m, n).variance_at(np.array([null]))[0]))

    def limits(self, m: int, n: int, level: float) -> Pair:
        effect, std_error = self.effect(m, n), self.std_error(m, n)
        if not self._measure.is_auc:
            return wald_limits(effect, std_error, level)
        if len(self.rows) == 1:
            return area_limits(effect, std_error, (m, n), level)
        return self._at_null(m, n).limits((1.0 - level) / 2.0)

    def _at_null(self, m: int, n: int) -> NullVariance:
        """The difference of the pilot's AUCs; the first one follows an effect that is assumed."""
        alone = [pilot_components((row,), self._measure)[1].variance(m, n) for row in self.rows]
        second = self.rows[1].value
        first = min(max(second + self.effect(m, n), 0.0), 1.0)
        variance = self._found(m, n)[1].variance(m, n)
        areas, variances = (first, second), (alone[0], alone[1])
        return difference_at_null(areas, variances, variance, ((m, n), (m, n)))

    def at(self, effect: float) -> PilotTarget:
        return replace(self, assumed=effect)

    def second_sizes(self, m: int, n: int) -> None:
        return None

    def draw(self, m: int, n: int, level: float, rng: np.random.Generator) -> Drawn:
        if self.assumed is not None:
            raise InvalidOptionError(
                "A pilot's subjects show the pilot's own value, not another; leave "
                f"{keyword('effect')} out to simulate."
            )
        sample = _redraw(self.rows, m, n, rng)
        if len(self.rows) == 2:
            return limits_of_difference(sample, level, self._measure)
        (drawn,) = estimate(sample, measures=[self._measure]).rows
        return drawn.value, drawn.confidence_interval(confidence_level=level)


def pilot_components(rows: tuple[Estimate, ...], measure: Measure) -> tuple[float, Components]:
    """Return the value (or difference) and its components in a pilot (STATISTICS.md 8.5).

    Unbiased where the sum of squares over pairs is known: for a mean over pairs, and for the
    difference of two AUCs. Elsewhere the variances of the influence alone, never too small in
    expectation. A component below zero becomes zero.
    """
    sample = rows[0].sample
    m, n = sample.n_pos, sample.n_neg
    if len(rows) == 1:
        row = sample.marker(rows[0].classifier)
        flipped = sample.is_flipped(row)
        blocks = sample.blocks(row, ordered=measure.looks_at_subjects)
        blocks = to_measure_scale(measure, blocks, flipped=flipped)
        found = summarise(measure, blocks)
        value, s10, s01 = found.value, found.spread_pos**2, found.spread_neg**2
        squares = measure.kernel.square_sum(blocks) if measure.is_pair_mean else None
    else:
        markers = [sample.marker(r.classifier) for r in rows]
        joint = sample_influence(sample, [(marker, measure) for marker in markers])
        difference = joint.contrast([1.0, -1.0])
        value = float(difference.estimate[0])
        values = difference.values[0]
        s10, s01 = (
            float(np.einsum("i,i->", part, part)) / (part.size - 1)
            for part in (values[sample.positive], values[~sample.positive])
        )
        squares = None
        if measure.is_auc:
            one, two = markers
            squares = sum(measure.kernel.square_sum(sample.blocks(k)) for k in markers)
            squares -= 2.0 * joint_win_sum(
                sample.oriented(one), sample.oriented(two), sample.positive
            )
    if squares is None:
        return value, Components(xi10=s10, xi01=s01, sigma2=0.0)
    interaction = squares - m * n * value * value - n * (m - 1) * s10 - m * (n - 1) * s01
    sigma2 = max(interaction, 0.0) / ((m - 1) * (n - 1))
    return value, Components(
        xi10=max(s10 - sigma2 / n, 0.0), xi01=max(s01 - sigma2 / m, 0.0), sigma2=sigma2
    )


def _redraw(rows: tuple[Estimate, ...], m: int, n: int, rng: np.random.Generator) -> ScoredSample:
    """Draw m positives and n negatives of the pilot with replacement."""
    sample = rows[0].sample
    chosen = np.concatenate(
        [
            rng.choice(np.flatnonzero(sample.positive), m),
            rng.choice(np.flatnonzero(~sample.positive), n),
        ]
    )
    columns = {r.classifier: sample.scores[sample.marker(r.classifier), chosen] for r in rows}
    return ScoredSample.from_arrays(
        sample.positive[chosen],
        columns,
        higher_is_positive={
            r.classifier: not sample.is_flipped(sample.marker(r.classifier)) for r in rows
        },
    )


def pilot_target(pilot: Any, effect: float | None) -> PilotTarget:
    """Return the target of a pilot, or refuse one that cannot be planned from."""
    if isinstance(pilot, Comparison):
        rows = pilot.rows
        if len(rows) != 2 or rows[0].measure != rows[1].measure:
            raise InvalidOptionError(
                "A pilot comparison must be of two markers by one measure, got "
                f"{len(pilot.classifiers)} markers and {len(rows)} rows."
            )
    elif isinstance(pilot, Estimate):
        rows = (pilot,)
    else:
        raise InvalidOptionError(
            f"{named('pilot')} must be an Estimate (of rs.auc, rs.sauc, rs.partial_auc...) or a "
            f"Comparison (of rs.compare), got {type(pilot).__name__}."
        )
    first = rows[0]
    if min(first.n_pos, first.n_neg) < 2:
        raise InvalidOptionError("A pilot needs two positives and two negatives at least.")
    refuse_design(first.sample)
    if first.sample.cluster is not None:
        raise InvalidOptionError(
            "A pilot with clusters says nothing of subjects that are independent; plan from one "
            "subject of each cluster."
        )
    rule = first.measure.membership.midpoint
    if isinstance(rule, Midpoint) and rule.weight(2, 1) != 2.0:
        raise InvalidOptionError(
            "The midpoint of this smAUC depends on the class sizes; plan with "
            f"{keyword('midpoint', 'class_mean')} or a number."
        )
    if not all(row.scatter[0] > 0.0 for row in rows):
        raise InvalidOptionError("The pilot has no standard error, so nothing can be planned.")
    sized = not first.measure.is_hard and first.measure.class_weight is None
    fixed = None if sized else pilot_components(rows, first.measure)
    target = PilotTarget(rows=rows, fixed=fixed, assumed=effect)
    low, high = target.reach
    if effect is not None and not low <= effect <= high:
        raise InvalidOptionError(
            f"{named('effect')} must be a value that is possible here, from {low:g} to {high:g}, "
            f"got {effect!r}."
        )
    return target
