"""Membership x kernel: AUC, sAUC and smAUC as rows of one engine.

Every measure here is

    T = sum_ij up_i right_j k(s_i, s_j) / (sum up . sum right),

where ``up`` and ``right`` are a subject's vertical and horizontal membership on the ROC plane and
``k`` is a kernel. Two sums at every score s, ``below = sum_j right_j k(s, s_j)`` and ``above =
sum_i up_i k(s_i, s)``, give the value and every subject's influence (STATISTICS.md 0.6, 4.5); over
sorted scores each sum is one pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rocstats.blocks import SLAB, Blocks, Floats, slabs
from rocstats.errors import InvalidOptionError, ScoreRangeError, did_you_mean
from rocstats.kernels import RAMP, STEP, Kernel

__all__ = [
    "AUC",
    "HARD",
    "MEASURES",
    "SAUC",
    "SMAUC",
    "Evaluation",
    "Measure",
    "Membership",
    "Midpoint",
    "Summary",
    "evaluate",
    "find_measure",
    "is_on_unit_scale",
    "ordered_influence",
    "scored_auc",
    "smooth_auc",
    "smooth_steps",
    "spread",
    "summarise",
    "to_measure_scale",
]

Theta = Floats | float
Bounds = tuple[float, float]
ClassWeight = Literal["balanced"] | float | None
_LARGEST_SUM = 1e307  # larger sums of scores can leave the doubles


@dataclass(frozen=True, slots=True, kw_only=True)
class Midpoint:
    """A midpoint estimated from the scores, whose influence enters every standard error.

    It is ``(n * sum of positives + weight * sum of negatives) / (2 m n)`` for m positives and n
    negatives; ``weight(m, n)`` is m for the middle of the class means.
    """

    name: str
    weight: Callable[[int, int], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """The vertical membership of a positive and of a negative with a given score.

    ``theta(score, midpoint)`` works element by element and returns the pair, each an array like
    `score`; the horizontal membership is one minus it. Scores arrive on [0, 1] where the measure
    has bounds, and in pieces.
    """

    name: str
    theta: Callable[[Floats, float], tuple[Theta, Theta]]
    midpoint: float | Midpoint | None = None


HARD = Membership(name="hard", theta=lambda score, midpoint: (1.0, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A membership, a kernel, and what a reader must know of their mean.

    Attributes
    ----------
    name, label : identifier and printed name
    kernel, membership : the two switches
    score_bounds : the scores are taken from these bounds to [0, 1] and refused outside;
        ``"range"`` takes the sample's own range and therefore has no standard error; None leaves
        the scores as they are
    class_weight : None, ``"balanced"`` or the prevalence to which the classes are weighted
    chance : the value for scores that carry no information, where it is one number
    details : what this measure alone knows of the blocks (scores on its scale)
    references : DOIs of its definition

    Examples
    --------
    A measure of one's own needs a kernel; here the squared margin by which a positive wins:

    >>> import numpy as np, rocstats as rs
    >>> kernel = rs.pairwise_kernel("squared", lambda a, b: np.maximum(a - b, 0.0) ** 2)
    >>> squared = rs.Measure(name="sq", label="squared margin", kernel=kernel)
    >>> sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], [0.9, 0.5, 0.4, 0.1])
    >>> round(rs.estimate(sample, measures=[squared]).rows[0].value, 4)
    0.265
    """

    name: str
    label: str
    kernel: Kernel
    membership: Membership = HARD
    score_bounds: Bounds | Literal["range"] | None = None
    class_weight: ClassWeight = None
    chance: float | None = None
    details: Callable[[Measure, Blocks], dict[str, Any]] = lambda measure, blocks: {}
    references: tuple[str, ...] = ()

    @property
    def is_hard(self) -> bool:
        """Whether it is a plain mean of the kernel over pairs of a positive and a negative."""
        return self.membership is HARD

    @property
    def has_fixed_midpoint(self) -> bool:
        """Whether the membership turns at a midpoint that is not estimated from the scores."""
        return isinstance(self.membership.midpoint, float)

    @property
    def is_auc(self) -> bool:
        """Whether what is derived for the AUC alone applies."""
        return self.is_hard and self.kernel is STEP


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """A measure on one marker.

    ``pos`` and ``neg`` hold, by block, the influence of a positive and of a negative: DeLong's
    structural components less the value (0.6), so they average to zero over their class.
    """

    value: float
    pos: Floats
    neg: Floats
    midpoint: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A measure on one marker: its value and the spread of influence within each class."""

    value: float
    spread_pos: float
    spread_neg: float
    midpoint: float | None = None


def evaluate(measure: Measure, blocks: Blocks) -> Evaluation:
    """Return the value of `measure` and its influence by block; scores are on its scale already."""
    plane = _Plane(measure, blocks)
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
    return Evaluation(value=value, pos=pos, neg=neg, midpoint=plane.midpoint)


def summarise(measure: Measure, blocks: Blocks) -> Summary:
    """Return what `evaluate` gives, reduced to the spread of influence within the classes."""
    if measure.is_auc and blocks.last is None:
        return _untied_auc(blocks)
    found, (m, n) = evaluate(measure, blocks), blocks.sizes
    return Summary(
        value=found.value,
        spread_pos=spread(found.pos, blocks.sum_pos, m),
        spread_neg=spread(found.neg, blocks.sum_neg, n),
        midpoint=found.midpoint,
    )


def _untied_auc(blocks: Blocks) -> Summary:
    """The AUC where nothing ties, in whole numbers.

    The k-th positive (from 0) at place p passes ``b = p - k`` negatives. A negative passes the
    positives above it, and the square of those below, summed over the negatives, is the sum of
    ``(2 k + 1)(n - b)``: so three sums over the positives give the value and both spreads exactly.
    """
    m, n = blocks.sizes
    total = squares = ranked = seen = 0
    step = min(SLAB, 2**62 // n**2 + 1)  # sums of squares within a piece fit an integer
    ranks = np.arange(min(step, m + n))
    for s in slabs(m + n, step):
        passed = np.flatnonzero(blocks.label[s])
        rank = ranks[: passed.size]
        passed -= rank
        passed += s.start - seen
        here = int(passed.sum())
        total += here
        squares += int(np.einsum("i,i->", passed, passed))
        ranked += 2 * int(np.einsum("i,i->", rank, passed)) + (2 * seen + 1) * here
        seen += passed.size
    under = m * n - total  # positives below a negative, over all pairs; then the sum of squares
    under_squares = n * m * m - ranked
    return Summary(
        value=total / (m * n),
        spread_pos=_exact_spread(total, squares, m) / n,
        spread_neg=_exact_spread(under, under_squares, n) / m,
    )


def _exact_spread(total: int, squares: int, size: int) -> float:
    """Return the standard deviation of `size` whole numbers with this sum and sum of squares."""
    return (
        math.sqrt((size * squares - total * total) / (size * (size - 1))) if size > 1 else math.nan
    )


def ordered_influence(measure: Measure, blocks: Blocks) -> tuple[float, Floats]:
    """Return the value of `measure` and the influence of every subject, by increasing score."""
    if measure.is_auc and blocks.last is None:
        return _untied_auc_influence(blocks)
    found = evaluate(measure, blocks)
    return found.value, blocks.by_place(found.pos, found.neg)


def _untied_auc_influence(blocks: Blocks) -> tuple[float, Floats]:
    (m, n), value = blocks.sizes, _untied_auc(blocks).value
    influence, seen = np.empty(m + n), 0.0
    places = np.arange(min(SLAB, m + n), dtype=np.float64)
    for s in slabs(m + n):
        label = blocks.label[s]
        upto = np.cumsum(label, dtype=np.float64)  # positives up to here
        upto += seen
        seen = float(upto[-1])
        passed = places[: label.size] - upto
        passed += s.start + 1.0  # negatives below a positive
        passed /= n
        upto /= -m
        upto += 1.0
        np.subtract(np.where(label, passed, upto), value, out=influence[s])
    return value, influence


def smooth_steps(measure: Measure, blocks: Blocks) -> tuple[float, Floats, Floats]:
    """Return the midpoint and every block's vertical and horizontal step, by increasing score."""
    plane = _Plane(measure, blocks)
    up, right = plane.masses(plane.midpoint)
    return math.nan if plane.midpoint is None else plane.midpoint, up, right


def spread(influence: Floats, total: Callable[..., float], size: int) -> float:
    """Return the standard deviation of centred values by block over a class, summed by `total`.

    The divisor is ``size - 1``; nan where `size` is 1.
    """
    if size < 2:
        return math.nan
    squares, scale = total(influence, influence), 1.0
    if not 1e-200 < squares < 1e200:  # squares may have left the doubles: scale, then square
        scale = total(np.abs(influence)) / size or 1.0
        influence = influence / scale
        squares = total(influence, influence)
    return scale * math.sqrt(squares / (size - 1))


class _Plane:
    """A measure laid over one marker's blocks, whose scores are on [0, 1] where it has bounds."""

    def __init__(self, measure: Measure, blocks: Blocks) -> None:
        self.measure, self.blocks = measure, blocks
        self.m, self.n = blocks.sizes
        share = 0.5 if measure.class_weight == "balanced" else measure.class_weight
        self.w_pos, self.w_neg = (
            (1.0, 1.0) if share is None else (share / self.m, (1.0 - share) / self.n)
        )
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
        value = _mean_product(up, rise, below, run)
        above = kernel.above(blocks, up)
        hard = self.measure.is_hard
        for s in slabs(up.size):
            won, lost = below[s], above[s]
            won /= run
            won -= value
            lost /= rise
            lost -= value
            if not hard:
                won *= 1.0 / rise
                lost *= 1.0 / run
                won -= lost
                theta_pos, theta_neg = self.theta(s, self.midpoint)
                pos, neg = theta_pos * won, theta_neg * won
                np.multiply(pos + lost, self.m * self.w_pos, out=won)
                np.multiply(neg + lost, self.n * self.w_neg, out=lost)
        if hard:  # centred already
            return value, below, above, 0.0
        drift = blocks.sum_pos(below) / self.m
        below -= drift
        above -= blocks.sum_neg(above) / self.n
        return value, below, above, drift

    def theta(self, part: slice, midpoint: float | None) -> tuple[Theta, Theta]:
        centre = math.nan if midpoint is None else midpoint
        return self.measure.membership.theta(self.blocks.score[part], centre)

    def masses(self, midpoint: float | None) -> tuple[Floats, Floats]:
        """Vertical and horizontal mass of every block."""
        if self.measure.is_hard:
            return self.blocks.n_pos, self.blocks.n_neg
        up, right = np.empty_like(self.blocks.score), np.empty_like(self.blocks.score)
        for s in slabs(up.size):
            theta_pos, theta_neg = self.theta(s, midpoint)
            n_pos, n_neg = self.blocks.counts(s)
            pos, neg = self.w_pos * n_pos, self.w_neg * n_neg
            up_pos, up_neg = pos * theta_pos, neg * theta_neg
            np.add(up_pos, up_neg, out=up[s])
            pos -= up_pos
            neg -= up_neg
            np.add(pos, neg, out=right[s])
        return up, right

    def area(self, up: Floats, right: Floats) -> float:
        """Value for given masses; `right` is overwritten."""
        rise, run = float(up.sum()), float(right.sum())
        if rise == 0.0 or run == 0.0:
            return math.nan
        return _mean_product(up, rise, self.measure.kernel.below(self.blocks, right), run)

    def chance(self) -> float:
        """Value where the score says nothing of the label (4.4)."""
        mass_pos, mass_neg = self.m * self.w_pos, self.n * self.w_neg
        share = mass_pos / (mass_pos + mass_neg)
        up, right = np.empty_like(self.blocks.score), np.empty_like(self.blocks.score)
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
        self.mean_pos, self.mean_neg = sum_pos / self.m, sum_neg / self.n
        total = self.n * sum_pos + rule.weight(self.m, self.n) * sum_neg
        return total / (2.0 * self.m * self.n)

    def midpoint_influence(self, rule: Midpoint, part: slice) -> tuple[Floats, Floats]:
        """Influence of a positive and of a negative on the estimated midpoint."""
        score = self.blocks.score[part]
        ratio = rule.weight(self.m, self.n) / self.m
        return 0.5 * (score - self.mean_pos), 0.5 * ratio * (score - self.mean_neg)

    def midpoint_slope(self, rule: Midpoint) -> float:
        """How the value moves with the midpoint: a secant over 2 SE each way (4.7)."""
        pos, neg = self.midpoint_influence(rule, slice(None))
        step = 2.0 * math.hypot(
            spread(pos, self.blocks.sum_pos, self.m) / math.sqrt(self.m),
            spread(neg, self.blocks.sum_neg, self.n) / math.sqrt(self.n),
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


def is_on_unit_scale(measure: Measure, blocks: Blocks, *, flipped: bool) -> bool:
    """Whether the value is confined to [0, 1] (`blocks` as sorted, before any rescaling)."""
    if not measure.kernel.uses_scores or measure.score_bounds is not None:
        return True
    return _inside(blocks, (-1.0, 0.0) if flipped else (0.0, 1.0))


def _inside(blocks: Blocks, bounds: Bounds) -> bool:
    return bool(bounds[0] <= blocks.score[0] and blocks.score[-1] <= bounds[1])


def to_measure_scale(measure: Measure, blocks: Blocks, *, flipped: bool) -> Blocks:
    """Return the blocks with scores on the scale of the measure, or refuse those it cannot take."""
    bounds = measure.score_bounds
    if bounds is None and measure.is_hard and not measure.kernel.uses_scores:
        return blocks
    low, high = float(blocks.score[0]), float(blocks.score[-1])
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ScoreRangeError(
            f"{measure.label} needs finite scores, but some are infinite; "
            "only the AUC and the ROC curve, which use ranks alone, take them."
        )
    if max(-low, high) > _LARGEST_SUM / blocks.label.size:
        raise ScoreRangeError(
            f"{measure.label} sums scores, and scores of {max(-low, high):g} are too large for "
            "that; divide them by a constant first."
        )
    if bounds == "range":
        if low == high:
            raise ScoreRangeError(
                f'{measure.label} with bounds="range" needs scores that differ; all are equal.'
            )
        bounds = low, high
    elif bounds is not None:
        given, seen = bounds, (0.0 - high, 0.0 - low) if flipped else (low, high)
        bounds = (-bounds[1], -bounds[0]) if flipped else bounds
        if not _inside(blocks, bounds):
            raise ScoreRangeError(
                f"{measure.label} needs scores within [{given[0]:g}, {given[1]:g}], got some from "
                f"{seen[0]:g} to {seen[1]:g}; give their true limits as bounds=(low, high)."
            )
    if bounds is None or bounds == (0.0, 1.0):
        return blocks
    start, width = bounds[0], bounds[1] - bounds[0]
    return replace(blocks, decode=lambda: (blocks.score - start) / width)


# ------------------------------------------------------------------------ the measures that ship

AUC = Measure(
    name="auc",
    label="AUC",
    kernel=STEP,
    chance=0.5,
    references=("10.2307/2531595",),
)

MIDPOINTS: Mapping[str, Midpoint] = {
    "paper": Midpoint(name="paper", weight=lambda m, n: n),
    "class_mean": Midpoint(name="class_mean", weight=lambda m, n: m),
}


def _margins(measure: Measure, blocks: Blocks) -> dict[str, Any]:
    """R+ and R- (ties count half), the relative sAUC and the mean difference (3.2, 3.3, 3.7)."""
    score, (m, n) = blocks.score, blocks.sizes
    ahead = behind = r_plus = r_minus = seen_pos = seen_neg = 0.0
    for s in slabs(score.size):
        (pos, neg), z = blocks.counts(s), score[s]
        upto_pos, upto_neg = np.cumsum(pos) + seen_pos, np.cumsum(neg) + seen_neg
        seen_pos, seen_neg = upto_pos[-1], upto_neg[-1]
        r_plus += _dot(z, pos / m * ((upto_neg - 0.5 * neg) / n))
        r_minus += _dot(z, neg / n * ((m - upto_pos + 0.5 * pos) / m))
        gap = np.diff(score[s.start : s.stop + 1])
        upto_pos, upto_neg = upto_pos[: gap.size] / m, upto_neg[: gap.size] / n
        ahead += _dot(gap, upto_neg * (1.0 - upto_pos))
        behind += _dot(gap, upto_pos * (1.0 - upto_neg))
    total = ahead + behind
    return {
        "r_plus": r_plus,
        "r_minus": r_minus,
        "rsauc": ahead / total if total > 0.0 else math.nan,
        "mean_difference": ahead - behind,
    }


def scored_auc(*, bounds: Bounds | Literal["range"] | None = None) -> Measure:
    """Return the scored AUC (Wu & Flach 2005) for scores within `bounds`, or as they are."""
    return Measure(
        name="sauc",
        label="sAUC",
        kernel=RAMP,
        score_bounds=_check_bounds(bounds),
        details=_margins,
        references=("10.1007/978-3-540-74958-5_44",),
    )


def _appropriateness(score: Floats, midpoint: float) -> tuple[Theta, Theta]:
    high = np.where(score >= midpoint, score, 1.0 - score)
    return high, 1.0 - high


def _setting(measure: Measure, blocks: Blocks) -> dict[str, Any]:
    """The midpoint, the chance level and how the value moves with prevalence (4.3, 4.4, 4.6)."""
    plane = _Plane(measure, blocks)
    return {
        "midpoint": plane.midpoint,
        "chance": plane.chance(),
        "class_weight": measure.class_weight,
        "prevalence_sensitivity": plane.components()[3],
    }


def smooth_auc(
    *,
    midpoint: float | str = 0.5,
    class_weight: ClassWeight = None,
    bounds: Bounds | Literal["range"] | None = None,
) -> Measure:
    """Return the smooth AUC (Klement et al. 2011) around a midpoint: a number or a rule's name."""
    if isinstance(midpoint, str) and midpoint in MIDPOINTS:
        rule: float | Midpoint = MIDPOINTS[midpoint]
    elif isinstance(midpoint, (int, float)) and midpoint is not True and 0.0 < midpoint <= 1.0:
        rule = float(midpoint)
    else:
        raise InvalidOptionError(
            f'midpoint must be a number in (0, 1], "paper" or "class_mean", got {midpoint!r}.'
        )
    if not (
        class_weight is None
        or class_weight == "balanced"
        or (isinstance(class_weight, float) and 0.0 < class_weight < 1.0)
    ):
        raise InvalidOptionError(
            'class_weight must be None, "balanced" or a prevalence strictly between 0 and 1, '
            f"got {class_weight!r}."
        )
    return Measure(
        name="smauc",
        label="smAUC",
        kernel=STEP,
        membership=Membership(name="soft", theta=_appropriateness, midpoint=rule),
        score_bounds=_check_bounds(bounds) or (0.0, 1.0),
        class_weight=class_weight,
        details=_setting,
        references=("10.1007/978-3-642-23783-6_13",),
    )


def _check_bounds(bounds: object) -> Bounds | Literal["range"] | None:
    if bounds is None or bounds == "range":
        return bounds
    try:
        low, high = (float(b) for b in bounds)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        low = high = math.nan
    if not (low < high and math.isfinite(high - low)):
        raise InvalidOptionError(
            f'bounds must be None, "range" or two finite numbers low < high, got {bounds!r}.'
        )
    return low, high


SAUC = scored_auc()
SMAUC = smooth_auc()
MEASURES: Mapping[str, Measure] = {m.name: m for m in (AUC, SAUC, SMAUC)}


def find_measure(measure: str | Measure) -> Measure:
    """Return the measure of that name, or the measure itself."""
    if isinstance(measure, Measure):
        return measure
    if measure in MEASURES:
        return MEASURES[measure]
    raise InvalidOptionError(
        f"measure must be one of {', '.join(map(repr, MEASURES))} or a Measure, got {measure!r}."
        f"{did_you_mean(measure, MEASURES)}"
    )
