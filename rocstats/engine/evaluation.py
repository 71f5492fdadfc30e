"""The engine: value and influence of any measure, by cumulative sums over sorted scores.

Two sums at every score s, ``below = sum_j right_j k(s, s_j)`` and ``above = sum_i up_i k(s_i, s)``,
give the value of a measure and every subject's influence (STATISTICS.md 0.6, 4.5); over sorted
scores each sum is one pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import Blocks, slabs, sort_into_blocks
from rocstats.data.sample import ScoredSample
from rocstats.engine import compiled, untied
from rocstats.engine.kernels import STEP
from rocstats.engine.measures import Bounds, Measure, Midpoint, Theta, appropriateness
from rocstats.errors import InvalidOptionError, ScoreRangeError, keyword

__all__ = [
    "Evaluation",
    "Plane",
    "Summary",
    "evaluate",
    "is_whole_area",
    "mass_weights",
    "ordered_influence",
    "spread",
    "summarise",
    "summarise_unsorted",
    "summary_of",
    "to_measure_scale",
    "value_of",
]

_LARGEST_SUM = 1e307  # larger sums of scores can leave the doubles
_SPREADS = 1e-16  # a variance of less is rounding, or of one subject: numpy tells which
_HALF_THE_DIGITS = 2.0**-26  # sums of 10**8 terms lose no more by rounding; sums of others differ


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """A measure on one marker.

    ``pos`` and ``neg`` hold, by block, the influence of a positive and of a negative: DeLong's
    structural components less the value (0.6), so they average to zero over their class. The
    blocks are `places`: every subject apart where the measure looks at subjects, or they have
    weights, which their influence then contains.
    """

    value: float
    pos: Floats
    neg: Floats
    places: Blocks
    midpoint: float | None = None


class Summary(NamedTuple):
    """A measure on one marker: its value and the spread of influence within each class."""

    value: float
    spread_pos: float
    spread_neg: float
    midpoint: float | None = None


def evaluate(measure: Measure, blocks: Blocks) -> Evaluation:
    """Return the value of `measure` and its influence by block; scores are on its scale already."""
    plane = Plane(measure, blocks)
    rule = measure.membership.midpoint
    slope = plane.midpoint_slope(rule) if isinstance(rule, Midpoint) else 0.0
    value, pos, neg, _ = plane.components()
    if isinstance(rule, Midpoint):
        for s in slabs(pos.size):
            moved_pos, moved_neg = plane.midpoint_influence(rule, s)
            pos[s] += slope * moved_pos
            neg[s] += slope * moved_neg
    if measure.score_bounds == "range":  # a sample's range is not asymptotically linear (3.6)
        pos, neg = pos * math.nan, neg * math.nan
    return Evaluation(value=value, pos=pos, neg=neg, places=plane.places, midpoint=plane.midpoint)


def summarise(measure: Measure, blocks: Blocks) -> Summary:
    """Return what `evaluate` gives, reduced to the spread of influence within the classes."""
    if measure.is_area and blocks.last is None and blocks.weight is None:
        value, spread_pos, spread_neg = untied.area(blocks.label, measure.kernel.window)
        return Summary(value=value, spread_pos=spread_pos, spread_neg=spread_neg)
    quick = _soft_area(measure, blocks)
    if quick is not None:
        return quick
    return summary_of(evaluate(measure, blocks), blocks)


def summary_of(found: Evaluation, blocks: Blocks) -> Summary:
    """Return an evaluation, reduced to the spread of influence within the classes."""
    m, n = blocks.sizes
    return Summary(
        value=found.value,
        spread_pos=spread(found.pos, found.places.sum_pos, m),
        spread_neg=spread(found.neg, found.places.sum_neg, n),
        midpoint=found.midpoint,
    )


def _soft_area(measure: Measure, blocks: Blocks) -> Summary | None:
    """Return the summary of an area of soft memberships, by the kernel."""
    soft = measure.kernel is STEP and measure.membership.theta is appropriateness
    plain = blocks.weight is None and measure.score_bounds != "range"
    if not (soft and plain and compiled.is_there()) or measure.looks_at_subjects:
        return None
    plane, rule = Plane(measure, blocks), measure.membership.midpoint
    moved = (0.0, 0.0, 0.0, 0.0)
    if isinstance(rule, Midpoint):
        moved = plane.midpoint_line(rule, plane.midpoint_slope(rule))
    centre = math.nan if plane.midpoint is None else plane.midpoint
    found = compiled.soft_area(blocks, centre, (plane.w_pos, plane.w_neg), moved)
    if found is None or not min(found[1:]) >= _SPREADS * sum(blocks.sizes):
        return None
    value, *squares = found
    return Summary(
        value=value,
        spread_pos=math.sqrt(squares[0] / (plane.m - 1)),
        spread_neg=math.sqrt(squares[1] / (plane.n - 1)),
        midpoint=plane.midpoint,
    )


def summarise_unsorted(
    measures: Sequence[Measure], sample: ScoredSample, marker: int, influence: Floats | None = None
) -> Summary | None:
    """Return the summary of a marker without sorting it, and fill in every subject's influence.

    The compiled kernel does it where subjects are plain and all measures are the AUC itself; None
    where it cannot, or where a sort is kept. A table may know it of its workers.
    """
    for measure in measures:
        if not is_whole_area(measure):
            return None
    told = sample.area_of(marker)
    if told is not None:
        return Summary(*told)
    if not sample.is_plain:
        return None
    scores = sample.unsorted(marker)
    return None if scores is None else _area_unsorted(scores, sample.positive, influence)


def is_whole_area(measure: Measure) -> bool:
    """Return whether it is the AUC itself."""
    return measure.kernel is STEP and measure.score_bounds is None and measure.is_hard


def mass_weights(measure: Measure, total_pos: float, total_neg: float) -> tuple[float, float]:
    """Return what a positive and a negative count on the ROC plane."""
    share = 0.5 if measure.class_weight == "balanced" else measure.class_weight
    return (1.0, 1.0) if share is None else (share / total_pos, (1.0 - share) / total_neg)


def _area_unsorted(scores: Floats, positive: Bools, influence: Floats | None) -> Summary | None:
    sums = compiled.place(scores, positive, influence)
    if sums is None:
        return None
    m, n, wins, pos_squares, neg_squares = sums
    return Summary(
        value=wins / (2 * m * n),
        spread_pos=untied.exact_spread(wins, pos_squares, m) / (2 * n),
        spread_neg=untied.exact_spread(wins, neg_squares, n) / (2 * m),
    )


def value_of(measure: Measure, scores: Floats, positive: Bools) -> float:
    """Return the value of `measure` alone, of high scores that speak for the positives."""
    blocks = sort_into_blocks(scores, positive, ordered=measure.looks_at_subjects)
    return summarise(measure, to_measure_scale(measure, blocks, flipped=False)).value


def ordered_influence(measure: Measure, blocks: Blocks) -> tuple[float, Floats]:
    """Return the value of `measure` and the influence of every subject, by increasing score."""
    if measure.is_auc and blocks.last is None and blocks.weight is None:
        return untied.area_influence(blocks.label)
    found = evaluate(measure, blocks)
    return found.value, found.places.by_place(found.pos, found.neg)


def spread(influence: Floats, total: Callable[..., float], size: int) -> float:
    """Return the standard deviation of centred values by block over a class, summed by `total`.

    The divisor is ``size - 1``; nan where `size` is 1.
    """
    if size < 2:
        return math.nan
    squares, scale = total(influence, influence), 1.0
    if not 1e-200 < squares < 1e200:  # squares may have left the doubles: scale, then square
        scale = total(np.abs(influence)) / size or 1.0
        most = scale * size  # only in blocks without a subject of the class is there more
        influence = np.clip(influence, -most, most) / scale
        squares = total(influence, influence)
    return scale * math.sqrt(squares / (size - 1))


class Plane:
    """A measure laid over one marker's blocks, whose scores are on [0, 1] where it has bounds."""

    def __init__(self, measure: Measure, blocks: Blocks) -> None:
        if measure.looks_at_subjects and blocks.order is None:
            raise InvalidOptionError(
                f"{measure.label} looks at every subject, and here it is not known who is who; "
                "take its analytic standard error and tests."
            )
        self.measure, self.blocks = measure, blocks
        self.by_subject = measure.looks_at_subjects or blocks.weight is not None
        self.places = blocks.apart() if self.by_subject else blocks
        self.m, self.n = blocks.sizes
        self.total_pos, self.total_neg = blocks.totals
        self.w_pos, self.w_neg = mass_weights(measure, self.total_pos, self.total_neg)
        rule = measure.membership.midpoint
        self.midpoint = self.estimate(rule) if isinstance(rule, Midpoint) else rule

    def components(self) -> tuple[float, Floats, Floats, float]:
        """Value, class-centred influence by block, and the sum of influence over the positives."""
        blocks, kernel = self.blocks, self.measure.kernel
        up, right = self.masses(self.midpoint)
        rise, run = float(up.sum()), float(right.sum())
        if rise == 0.0 or run == 0.0:
            undefined = np.full(up.size, math.nan)
            return math.nan, undefined, undefined, math.nan
        # The sums, and then the influences, take the places of the masses.
        below = kernel.below(blocks, right)
        value = self._within_bounds(_mean_product(up, rise, below, run))
        above = kernel.above(blocks, up)
        hard, apart = self.measure.is_hard, self.by_subject
        for s in slabs(up.size):
            won, lost = below[s], above[s]
            won /= run
            won -= value
            lost /= rise
            lost -= value
            if not (hard or apart):
                won *= 1.0 / rise
                lost *= 1.0 / run
                won -= lost
                theta_pos, theta_neg = self.theta(s, self.midpoint)
                pos, neg = theta_pos * won, theta_neg * won
                np.multiply(pos + lost, self.m * self.w_pos, out=won)
                np.multiply(neg + lost, self.n * self.w_neg, out=lost)
        if apart:
            below, above = self._of_subjects(below / rise, above / run)
        lean = self.places.sum_neg(above) / self.n
        if self.measure.is_pair_mean:  # centred already
            self._check_sums(value, above, lean)
            return value, below, above, 0.0
        drift = self.places.sum_pos(below) / self.m
        if kernel.sums_pairs:
            self._check_sums(value, above, drift + lean)
        below -= drift
        above -= lean
        return value, below, above, drift

    def _within_bounds(self, value: float) -> float:
        window = self.measure.kernel.window
        return value if window is None or not self.measure.is_hard else window.held(value)

    def _of_subjects(self, won: Floats, lost: Floats) -> tuple[Floats, Floats]:
        """Influence of every subject by score, as a positive and as a negative."""
        up, right = self.shares(self.midpoint)
        found = up * self.blocks.by_place(won, won) + right * self.blocks.by_place(lost, lost)
        return self.m * found, self.n * found

    def _check_sums(self, value: float, above: Floats, lean: float) -> None:
        """Refuse a kernel whose influence does not average to zero: a wrong standard error."""
        if not abs(lean) > _HALF_THE_DIGITS * abs(value):
            return
        size = abs(value) + self.places.sum_neg(np.abs(above)) / self.n
        if abs(lean) > _HALF_THE_DIGITS * size:
            raise InvalidOptionError(
                f"The sums below and above of the kernel {self.measure.kernel.name!r} are not "
                f"those of the same pairs: the influence on {self.measure.label} averages to "
                f"{lean:.3g}, not to 0; mend them, or say sums_pairs=False if they are derivatives "
                "of another value."
            )

    def theta(self, part: slice, midpoint: float | None) -> tuple[Theta, Theta]:
        return self._theta(self.blocks, midpoint, part)

    def _theta(
        self, blocks: Blocks, midpoint: float | None, part: slice = slice(None)
    ) -> tuple[Theta, Theta]:
        centre = math.nan if midpoint is None else midpoint
        return self.measure.membership.theta(blocks.score[part], centre)

    def shares(self, midpoint: float | None) -> tuple[Floats, Floats]:
        """Vertical and horizontal mass of every subject: its membership times its weight."""
        of_subjects, centre = self.measure.membership.of_subjects, midpoint
        if self.measure.is_hard:
            pos, neg = self.blocks.by_class
            return self.w_pos * pos, self.w_neg * neg
        if of_subjects is not None:
            up, right = of_subjects(self.blocks, math.nan if centre is None else centre)
        else:
            theta = np.broadcast_arrays(self.places.score, *self._theta(self.places, centre))[1:]
            up = np.where(self.places.label, *theta)
            right = 1.0 - up
        weight = np.where(self.blocks.label, self.w_pos, self.w_neg)
        if self.blocks.weight is not None:
            weight *= self.blocks.weight
        return weight * up, weight * right

    def masses(self, midpoint: float | None) -> tuple[Floats, Floats]:
        """Vertical and horizontal mass of every block, as new arrays."""
        if self.measure.is_hard:
            return self.blocks.n_pos, self.blocks.n_neg
        if self.by_subject:
            up, right = self.shares(midpoint)
            return self.blocks.by_block(up), self.blocks.by_block(right)
        up, right = self.blocks.scratch(), self.blocks.scratch()
        for s in slabs(up.size):
            theta_pos, theta_neg = self.theta(s, midpoint)
            pos, neg = self.blocks.counts(s)
            if self.measure.class_weight is not None:
                pos, neg = self.w_pos * pos, self.w_neg * neg
            up_pos, up_neg = pos * theta_pos, neg * theta_neg
            np.add(up_pos, up_neg, out=up[s])
            np.subtract(pos, up_pos, out=up_pos)
            np.subtract(neg, up_neg, out=up_neg)
            np.add(up_pos, up_neg, out=right[s])
        return up, right

    def area(self, up: Floats, right: Floats) -> float:
        """Value for given masses; `right` is overwritten."""
        rise, run = float(up.sum()), float(right.sum())
        if rise == 0.0 or run == 0.0:
            return math.nan
        return _mean_product(up, rise, self.measure.kernel.below(self.blocks, right), run)

    def chance(self) -> float:
        """Value where the score says nothing of the label (4.4); nan where it is not known."""
        if self.measure.looks_at_subjects:
            return math.nan
        mass_pos, mass_neg = self.total_pos * self.w_pos, self.total_neg * self.w_neg
        share = mass_pos / (mass_pos + mass_neg)
        up, right = self.blocks.scratch(), self.blocks.scratch()
        for s in slabs(up.size):
            theta_pos, theta_neg = self.theta(s, self.midpoint)
            theta = share * theta_pos + (1.0 - share) * theta_neg
            count = sum(self.blocks.counts(s))
            np.multiply(count, theta, out=up[s])
            np.multiply(count, 1.0 - theta, out=right[s])
        return self.area(up, right)

    def estimate(self, rule: Midpoint) -> float:
        # One division, so that a midpoint that is a score exactly is that score in doubles too.
        sum_pos = self.blocks.sum_pos(self.blocks.score)
        sum_neg = self.blocks.sum_neg(self.blocks.score)
        m, n = self.total_pos, self.total_neg
        self.mean_pos, self.mean_neg = sum_pos / m, sum_neg / n
        total = n * sum_pos + rule.weight(m, n) * sum_neg
        return total / (2.0 * m * n)

    def midpoint_line(self, rule: Midpoint, slope: float) -> tuple[float, float, float, float]:
        """Factor and mean score, of the positives and of the negatives: what moves a midpoint."""
        neg = 0.5 * rule.weight(self.total_pos, self.total_neg) / self.total_pos
        return slope * 0.5, self.mean_pos, slope * neg, self.mean_neg

    def midpoint_influence(self, rule: Midpoint, part: slice) -> tuple[Floats, Floats]:
        """Influence of a positive and of a negative on the estimated midpoint."""
        score = self.places.score[part]
        pos, mean_pos, neg, mean_neg = self.midpoint_line(rule, 1.0)
        moved = pos * (score - mean_pos), neg * (score - mean_neg)
        if self.blocks.weight is None:
            return moved
        weight = self.blocks.weight[part]
        scale = self.m / self.total_pos, self.n / self.total_neg
        return moved[0] * (scale[0] * weight), moved[1] * (scale[1] * weight)

    def midpoint_slope(self, rule: Midpoint) -> float:
        """How the value moves with the midpoint: a secant over 2 SE each way (4.7)."""
        pos, neg = self.places.scratch(), self.places.scratch()
        for s in slabs(pos.size):
            pos[s], neg[s] = self.midpoint_influence(rule, s)
        step = 2.0 * math.hypot(
            spread(pos, self.places.sum_pos, self.m) / math.sqrt(self.m),
            spread(neg, self.places.sum_neg, self.n) / math.sqrt(self.n),
        )
        del pos, neg
        if step == 0.0 or self.midpoint is None:
            return 0.0
        ahead = self.area(*self.masses(self.midpoint + step))
        back = self.area(*self.masses(self.midpoint - step))
        return (ahead - back) / (2.0 * step)


def _mean_product(up: Floats, rise: float, below: Floats, run: float) -> float:
    """Return ``sum(up * below) / (rise * run)``; for the AUC a quotient of exact counts."""
    total = _dot(up, below)
    return total / (rise * run) if math.isfinite(total) else _dot(up / rise, below / run)


def _dot(a: Floats, b: Floats) -> float:
    return math.fsum(float(np.einsum("i,i->", a[s], b[s])) for s in slabs(a.size))


def _inside(blocks: Blocks, bounds: Bounds) -> bool:
    return bool(bounds[0] <= blocks.score[0] and blocks.score[-1] <= bounds[1])


def to_measure_scale(measure: Measure, blocks: Blocks, *, flipped: bool) -> Blocks:
    """Return the blocks with scores on the scale of the measure, or refuse those it cannot take."""
    bounds = measure.score_bounds
    if bounds is None and measure.is_hard and not measure.kernel.uses_scores:
        return blocks
    if blocks.is_binned:
        raise ScoreRangeError(
            f"{measure.label} reads scores, which are counted in bins here, and is not known "
            f"within bounds; scan the table with a larger {keyword('budget')}."
        )
    low, high = float(blocks.score[0]), float(blocks.score[-1])
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ScoreRangeError(
            f"{measure.label} needs finite scores, but some are infinite; "
            "only the AUC and the ROC curve, which use ranks alone, take them."
        )
    if max(-low, high) > _LARGEST_SUM / sum(blocks.sizes):
        raise ScoreRangeError(
            f"{measure.label} sums scores, and scores of {max(-low, high):g} are too large for "
            "that; divide them by a constant first."
        )
    if bounds == "range":
        if low == high:
            raise ScoreRangeError(
                f"{measure.label} with {keyword('bounds', 'range')} needs scores that differ; all "
                "are equal."
            )
        bounds = low, high
    elif bounds is not None:
        given, seen = bounds, (0.0 - high, 0.0 - low) if flipped else (low, high)
        bounds = (-bounds[1], -bounds[0]) if flipped else bounds
        if not _inside(blocks, bounds):
            raise ScoreRangeError(
                f"{measure.label} needs scores within [{given[0]:g}, {given[1]:g}], got some from "
                f"{seen[0]:g} to {seen[1]:g}; give their true limits as "
                f"{keyword('bounds', ('low', 'high'))}."
            )
    if bounds is None or bounds == (0.0, 1.0):
        return blocks
    start, width = bounds[0], bounds[1] - bounds[0]
    return blocks.on_scale(start, width)
