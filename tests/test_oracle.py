"""Every number of the engine against its definition, in exact rational arithmetic.

The oracle knows nothing of sorting, blocks or cumulative sums: it loops over pairs. A double is a
fraction, so ``Fraction(score)`` loses nothing and the oracle makes no rounding error at all.
Section and equation numbers are those of STATISTICS.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.data import blocks as blocks_module
from rocstats.data.blocks import SLAB, _pack, _unpack, sort_into_blocks

# Warnings have tests of their own; here degenerate samples are wanted for their numbers.
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")

RELATIVE = 1e-12  # some hundred roundings of 1.1e-16 each, with room to spare
ABSOLUTE = 1e-14  # what cancellation leaves of terms on [0, 1]: a few dozen ulps of 1
OFFSET_RELATIVE = 1e-13  # the gap sums promise N ulps at any offset (3.4); N is 80 here

SEEDS = range(210)
SMOOTH = list(product((0.5, 0.25, 1.0, "paper", "class_mean"), (None, "balanced", 0.3)))

# ----------------------------------------------------------------------------------- the oracle


@dataclass(frozen=True)
class Dual:
    """``value + slope * e`` with ``e**2 = 0``: a number that carries its exact derivative."""

    value: Fraction
    slope: Fraction = Fraction(0)

    @staticmethod
    def of(number: Any) -> Dual:
        return number if isinstance(number, Dual) else Dual(Fraction(number))

    def __add__(self, other: Any) -> Dual:
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other: Any) -> Dual:
        other = Dual.of(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def __truediv__(self, other: Any) -> Dual:
        other = Dual.of(other)
        value = self.value / other.value
        return Dual(value, (self.slope - value * other.slope) / other.value)

    __radd__, __rmul__ = __add__, __mul__


DIFFERENTIAL = Dual(Fraction(1), Fraction(1))  # a weight of 1 that is about to grow


@dataclass(frozen=True)
class Row:
    """One measure of one classifier: its value and, by subject, structural component - value."""

    value: Any
    influence: list[Any]
    drift: Any = Fraction(0)


def step(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)


def ramp(a: Fraction, b: Fraction) -> Fraction:
    return max(a - b, Fraction(0))


def mean(values: Any) -> Any:
    values = list(values)
    return sum(values) / len(values)


def variance(values: Sequence[Fraction]) -> Fraction:
    centre = mean(values)
    return sum((v - centre) ** 2 for v in values) / (len(values) - 1)


def square_root(number: Fraction) -> Fraction:
    """Exact for the square of a fraction, else good to 40 places."""
    scale = 10**40
    return Fraction(
        math.isqrt(number.numerator * number.denominator * scale**2), number.denominator * scale
    )


def split(values: Sequence[Any], positive: Sequence[bool]) -> tuple[list[Any], list[Any]]:
    both = list(zip(values, positive, strict=True))
    return [v for v, p in both if p], [v for v, p in both if not p]


def pair_row(kernel: Callable[..., Any], scores: Sequence[Any], positive: Sequence[bool]) -> Row:
    """A mean over pairs, with the pair means of every subject (2.2, 3.1)."""
    pos, neg = split(scores, positive)
    value = mean(kernel(y, x) for y in pos for x in neg)
    component = [
        mean(kernel(s, x) for x in neg) if p else mean(kernel(y, s) for y in pos)
        for s, p in zip(scores, positive, strict=True)
    ]
    return Row(value, [v - value for v in component])


def plane_area(
    kernel: Callable[..., Any], scores: Sequence[Any], up: Sequence[Any], right: Sequence[Any]
) -> Any:
    """``sum_ij up_i right_j k(s_i, s_j) / (sum up . sum right)``; nan where that is 0 / 0."""
    if sum(up) == 0 or sum(right) == 0:
        return math.nan
    won = sum(
        u * sum(r * kernel(s, t) for t, r in zip(scores, right, strict=True) if s >= t)
        for s, u in zip(scores, up, strict=True)
    )
    return won / (sum(up) * sum(right))


def by_weights(
    area: Callable[[Sequence[Any]], Any], positive: Sequence[bool]
) -> tuple[list[Any], list[Any]]:
    """D_i = dT/dw_i at unit weights, and the class-centred influence made of it (0.6)."""
    size = len(positive)
    d = [area([DIFFERENTIAL if i == k else 1 for i in range(size)]).slope for k in range(size)]
    d_pos, d_neg = split(d, positive)
    centred = [
        len(d_pos) * (d_i - mean(d_pos)) if p else len(d_neg) * (d_i - mean(d_neg))
        for d_i, p in zip(d, positive, strict=True)
    ]
    return d, centred


def weights_of(positive: Sequence[bool], rule: Any) -> tuple[Fraction, Fraction]:
    """Class weights w+ and w- (4.4)."""
    if rule is None:
        return Fraction(1), Fraction(1)
    share = Fraction(1, 2) if rule == "balanced" else Fraction(rule)
    m = sum(positive)
    return share / m, (1 - share) / (len(positive) - m)


def appropriateness(score: Fraction, midpoint: Fraction) -> Fraction:
    return score if score >= midpoint else 1 - score


def smooth_steps(
    scores: Sequence[Any], positive: Sequence[bool], midpoint: Fraction, rule: Any
) -> tuple[list[Fraction], list[Fraction]]:
    """Every subject's step up and to the right: w Theta and w (1 - Theta) (4.1)."""
    w_pos, w_neg = weights_of(positive, rule)
    g = [appropriateness(s, midpoint) for s in scores]
    theta = [g_i if p else 1 - g_i for g_i, p in zip(g, positive, strict=True)]
    weight = [w_pos if p else w_neg for p in positive]
    return (
        [w * t for w, t in zip(weight, theta, strict=True)],
        [w * (1 - t) for w, t in zip(weight, theta, strict=True)],
    )


def midpoint_of(scores: Sequence[Any], positive: Sequence[bool], rule: Any) -> Fraction:
    pos, neg = split(scores, positive)
    if rule == "paper":
        return sum(scores) / (2 * len(pos))
    return (mean(pos) + mean(neg)) / 2 if rule == "class_mean" else Fraction(rule)


def smooth_row(scores: Sequence[Any], positive: Sequence[bool], rule: Any, weight: Any) -> Row:
    """smAUC (4.1), its influence by differentiation (0.6) and that of the midpoint (4.7)."""
    midpoint = midpoint_of(scores, positive, rule)

    def area_at(centre: Fraction) -> Any:
        return plane_area(step, scores, *smooth_steps(scores, positive, centre, weight))

    value = area_at(midpoint)
    if isinstance(value, float):
        return Row(value, [math.nan] * len(scores), math.nan)
    up, right = smooth_steps(scores, positive, midpoint, weight)

    def area_of(subject_weight: Sequence[Any]) -> Any:
        return plane_area(
            step,
            scores,
            [w * u for w, u in zip(subject_weight, up, strict=True)],
            [w * r for w, r in zip(subject_weight, right, strict=True)],
        )

    d, influence = by_weights(area_of, positive)
    drift = sum(split(d, positive)[0])
    if rule not in ("paper", "class_mean"):
        return Row(value, influence, drift)

    pos, neg = split(scores, positive)
    ratio = Fraction(len(neg), len(pos)) if rule == "paper" else 1
    h = 2 * square_root(variance(pos) / (4 * len(pos)) + ratio**2 * variance(neg) / (4 * len(neg)))
    slope = (area_at(midpoint + h) - area_at(midpoint - h)) / (2 * h) if h else 0
    moved = [
        (s - mean(pos)) / 2 if p else ratio * (s - mean(neg)) / 2
        for s, p in zip(scores, positive, strict=True)
    ]
    return Row(value, [i + slope * c for i, c in zip(influence, moved, strict=True)], drift)


def smooth_chance(scores: Sequence[Any], positive: Sequence[bool], rule: Any, weight: Any) -> Any:
    """(4.4)"""
    w_pos, w_neg = weights_of(positive, weight)
    m, n = sum(positive), len(positive) - sum(positive)
    share = m * w_pos / (m * w_pos + n * w_neg)
    midpoint = midpoint_of(scores, positive, rule)
    g = [appropriateness(s, midpoint) for s in scores]
    theta = [share * g_i + (1 - share) * (1 - g_i) for g_i in g]
    return plane_area(step, scores, theta, [1 - t for t in theta])


def covariance(rows: Sequence[Row], positive: Sequence[bool]) -> list[list[Any]]:
    """(0.5)"""

    def entry(a: Row, b: Row) -> Any:
        product_pos, product_neg = split(
            [u * v for u, v in zip(a.influence, b.influence, strict=True)], positive
        )
        return sum(sum(p) / (len(p) * (len(p) - 1)) for p in (product_pos, product_neg))

    return [[entry(a, b) for b in rows] for a in rows]


def unbiased_variance(
    kernel: Callable[..., Any], scores: Sequence[Any], positive: Sequence[bool]
) -> Any:
    """U^2 less the mean of h_ij h_kl over i != k, j != l (2.4)."""
    pos, neg = split(scores, positive)
    h = [[kernel(y, x) for x in neg] for y in pos]
    apart = [
        h[i][j] * h[k][g]
        for (i, k), (j, g) in product(
            permutations(range(len(pos)), 2), permutations(range(len(neg)), 2)
        )
    ]
    return mean(mean(row) for row in h) ** 2 - mean(apart)


# ------------------------------------------------------------------------- samples and agreement


@dataclass(frozen=True)
class Drawn:
    """A small sample with two classifiers, as doubles and as fractions."""

    y_true: np.ndarray
    y_score: dict[str, np.ndarray]

    @property
    def positive(self) -> list[bool]:
        return [bool(y) for y in self.y_true]

    @property
    def exact(self) -> dict[str, list[Fraction]]:
        return {name: exactly(scores) for name, scores in self.y_score.items()}


def exactly(scores: np.ndarray) -> list[Fraction]:
    return [Fraction(s) for s in scores.tolist()]


@cache
def drawn(seed: int) -> Drawn:
    """Dyadic scores on [0, 1], so that every tie is exact; every third sample has next to none."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 8, 2)
    levels = (4, 64, 2**20)[seed % 3]
    y_true = rng.permutation(np.repeat([1, 0], [m, n]))
    scores = rng.integers(0, levels, size=(2, m + n), endpoint=True) / levels
    return Drawn(y_true, {"a": scores[0], "b": scores[1]})


def settings_of(seed: int) -> list[tuple[Any, Any]]:
    """Three of the fifteen pairs of midpoint and class weight; each meets every kind of sample."""
    return [SMOOTH[(seed + shift) % 15] for shift in (0, 5, 10)]


@cache
def exact_rows(seed: int) -> list[Row]:
    sample = drawn(seed)
    return [
        row
        for scores in sample.exact.values()
        for row in [
            pair_row(step, scores, sample.positive),
            pair_row(ramp, scores, sample.positive),
            *(smooth_row(scores, sample.positive, c, w) for c, w in settings_of(seed)),
        ]
    ]


def estimates(seed: int) -> rs.Estimates:
    sample = drawn(seed)
    smooth = [
        rs.smooth_auc(midpoint=c, class_weight=w, name=f"smauc {i}")
        for i, (c, w) in enumerate(settings_of(seed))
    ]
    return rs.estimate(sample.y_true, sample.y_score, measures=["auc", "sauc", *smooth])


def assert_agrees(got: Any, exact: Any, *, rtol: float = RELATIVE, atol: float = ABSOLUTE) -> None:
    np.testing.assert_allclose(got, np.array(exact, dtype=float), rtol=rtol, atol=atol)


# -------------------------------------------------------------- the oracle agrees with itself


@pytest.mark.parametrize("kernel", [step, ramp])
@pytest.mark.parametrize("seed", SEEDS[:20])
def test_pair_means_are_the_generic_influence(seed, kernel):
    sample = drawn(seed)
    scores, positive = sample.exact["a"], sample.positive

    def area_of(weight):
        up = [w * p for w, p in zip(weight, positive, strict=True)]
        right = [w * (not p) for w, p in zip(weight, positive, strict=True)]
        return plane_area(kernel, scores, up, right)

    assert by_weights(area_of, positive)[1] == pair_row(kernel, scores, positive).influence


# ------------------------------------------------------------------------ values and influence


@pytest.mark.parametrize("seed", SEEDS)
def test_value_influence_and_joint_covariance(seed):
    found, exact = estimates(seed), exact_rows(seed)
    value = [row.value for row in exact]
    joint = covariance(exact, drawn(seed).positive)
    assert_agrees([row.value for row in found.rows], value)
    assert_agrees(found.influence.estimate, value)
    assert_agrees(found.influence.values, [row.influence for row in exact])
    assert_agrees(found.covariance, joint)
    assert_agrees([row.variance() for row in found.rows], [row[i] for i, row in enumerate(joint)])
    drift = [row.details.get("prevalence_sensitivity", 0.0) for row in found.rows]
    assert_agrees(drift, [row.drift for row in exact])


@pytest.mark.parametrize("seed", SEEDS[:30])
def test_nothing_changes_where_slabs_meet(seed, monkeypatch):
    monkeypatch.setattr(blocks_module, "SLAB", 3)
    test_value_influence_and_joint_covariance(seed)
    test_details(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_variances_of_a_mean_over_pairs(seed):
    sample, found = drawn(seed), estimates(seed)
    m, n = sum(sample.positive), len(sample.positive) - sum(sample.positive)
    for measure, kernel in (("auc", step), ("sauc", ramp)):
        row = pair_row(kernel, sample.exact["a"], sample.positive)
        s10, s01 = (variance(v) for v in split(row.influence, sample.positive))
        exact = {
            "delong": s10 / m + s01 / n,
            "wu": (s10 * (n - 1) + s01 * (m - 1)) / (m * n),
            "unbiased": unbiased_variance(kernel, sample.exact["a"], sample.positive),
        }
        estimate = found.row("a", measure)
        assert_agrees([estimate.variance(method=name) for name in exact], list(exact.values()))


@pytest.mark.parametrize("seed", SEEDS)
def test_cohort_variance(seed):
    """(4.6): the derivatives as they are, not centred within the classes."""
    sample = drawn(seed)
    row = smooth_row(sample.exact["a"], sample.positive, 0.5, None)
    m, n = sum(sample.positive), len(sample.positive) - sum(sample.positive)
    d = [
        i / m + row.drift / m if p else i / n - row.drift / n
        for i, p in zip(row.influence, sample.positive, strict=True)
    ]
    exact = Fraction(m + n, m + n - 1) * sum(d_i**2 for d_i in d)
    found = rs.smauc(sample.y_true, sample.y_score["a"])
    assert_agrees(found.variance(method="cohort"), exact)


@pytest.mark.parametrize("seed", SEEDS)
def test_details(seed):
    sample, found = drawn(seed), estimates(seed)
    scores, positive = sample.exact["a"], sample.positive
    pos, neg = split(scores, positive)
    ahead, behind = (mean(ramp(*p) for p in product(*c)) for c in ((pos, neg), (neg, pos)))
    details = found.row("a", "sauc").details
    assert_agrees(details["r_plus"], mean(y * step(y, x) for y in pos for x in neg))
    assert_agrees(details["r_minus"], mean(x * step(y, x) for y in pos for x in neg))
    assert_agrees(details["mean_difference"], mean(pos) - mean(neg))
    assert_agrees(details["rsauc"], ahead / (ahead + behind) if ahead + behind else math.nan)

    for estimate, (rule, weight) in zip(found.rows[2:5], settings_of(seed), strict=True):
        details = estimate.details
        assert_agrees(details["midpoint"], midpoint_of(scores, positive, rule))
        assert_agrees(details["chance"], smooth_chance(scores, positive, rule, weight))
        assert details["class_weight"] == weight


def test_a_score_at_the_estimated_midpoint_is_high():
    """sum(S) / (2 m) is 15/16 exactly, and so is a score: it must not fall below by rounding."""
    pos, neg = [0.25, 0.625, 0.5625], [0.9375, 0.75, 1.0, 0.9375, 0.5625]
    y_true, y_score = labelled(pos, neg)
    exact = smooth_row(exactly(np.array(y_score)), [bool(y) for y in y_true], "paper", None)
    assert_agrees(rs.smauc(y_true, y_score, midpoint="paper").value, exact.value)


def test_named_samples(named_sample):
    y_true, y_score = named_sample
    scores, positive = exactly(y_score), [bool(y) for y in y_true]
    exact = [pair_row(step, scores, positive), pair_row(ramp, scores, positive)]
    measures = ["auc", "sauc"]
    if named_sample.on_unit_scale:
        measures.append("smauc")
        exact.append(smooth_row(scores, positive, 0.5, None))
    found = rs.estimate(y_true, y_score, measures=measures)
    assert_agrees([row.value for row in found.rows], [row.value for row in exact])
    assert_agrees(found.influence.values, [row.influence for row in exact])
    if min(sum(positive), len(positive) - sum(positive)) > 1:
        assert_agrees(found.covariance, covariance(exact, positive))
    else:
        assert np.isnan(found.covariance).all()


# ------------------------------------------------------------------------------------- curves


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_and_smroc_curves(seed):
    sample = drawn(seed)
    scores, positive = sample.exact["a"], sample.positive
    rule, weight = SMOOTH[seed % 15]
    midpoint = midpoint_of(scores, positive, rule)
    hard = [Fraction(p) for p in positive], [Fraction(not p) for p in positive]
    soft = smooth_steps(scores, positive, midpoint, weight)
    curves = (
        (rs.roc_curve(sample.y_true, sample.y_score["a"]), *hard),
        (
            rs.smroc_curve(sample.y_true, sample.y_score["a"], midpoint=rule, class_weight=weight),
            *soft,
        ),
    )
    for curve, up, right in curves:
        assert curve.threshold.tolist() == [math.inf, *sorted(set(scores), reverse=True)]
        assert_agrees(curve.area(), plane_area(step, scores, up, right))
        for passed, steps in ((curve.tpr, up), (curve.fpr, right)):
            total = sum(steps)
            assert_agrees(
                passed,
                [
                    sum(u for s, u in zip(scores, steps, strict=True) if s >= t) / total
                    if total
                    else math.nan
                    for t in curve.threshold.tolist()
                ],
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_sroc_curve(seed):
    """theta(tau) at break points, between them and below zero (3.5); dyadic, so ties are exact."""
    sample = drawn(seed)
    pos, neg = split(sample.exact["a"], sample.positive)
    curve = rs.sroc_curve(sample.y_true, sample.y_score["a"])
    differences = [y - x for y, x in product(pos, neg)]
    assert curve.margin.tolist() == sorted({0, *(d for d in differences if d > 0)})
    assert_agrees(curve.area(), mean(ramp(y, x) for y in pos for x in neg))
    tau = [*differences, *(Fraction(k, 8) for k in range(-9, 10))]
    margin = np.array(tau, dtype=float)
    half = [mean(step(d, t) for d in differences) for t in tau]
    strict = [mean(Fraction(d > t) for d in differences) for t in tau]
    assert_agrees(curve.at(margin), half)
    assert_agrees(curve.at(margin, ties="strict"), strict)
    assert_agrees(curve.auc, [mean(Fraction(d > t) for d in differences) for t in curve.margin])


# ------------------------------------------------------------------------------- the two paths


@pytest.mark.parametrize("levels", [7, 2**50], ids=["tied", "untied"])
@pytest.mark.parametrize("size", [50, SLAB + 1, 3 * SLAB])
def test_sorted_and_indexed_paths_agree(size, levels):
    """`auc` sorts packed keys and keeps no subject; `influence` argsorts and keeps them all."""
    rng = np.random.default_rng(size)
    y_true = rng.integers(0, 2, size)
    y_score = rng.integers(0, levels, size) / levels
    assert (np.unique(y_score).size == size) == (levels > size)
    for estimator in (rs.auc, rs.sauc, rs.smauc):
        found = estimator(y_true, y_score)
        assert_agrees(found.influence.estimate, [found.value])
        assert_agrees(found.influence.covariance(), [[found.variance()]], atol=0.0)
        (row,) = rs.estimate(y_true, y_score, measures=found.measure).rows
        assert (row.value, row.variance()) == (found.value, found.variance())


def test_large_auc_is_a_quotient_of_exact_counts():
    rng = np.random.default_rng(1)
    y_true = rng.integers(0, 2, 4 * SLAB)
    for levels in (100, 2**50):
        y_score = rng.integers(0, levels, y_true.size) + y_true * (levels // 4)
        pos, neg = y_score[y_true == 1], np.sort(y_score[y_true == 0])
        below, upto = (int(np.searchsorted(neg, pos, side).sum()) for side in ("left", "right"))
        assert rs.auc(y_true, y_score).value == (below + upto) / (2 * pos.size * neg.size)


def test_large_sauc_is_the_integer_sum():
    rng = np.random.default_rng(2)
    y_true = rng.integers(0, 2, 4 * SLAB)
    y_score = rng.integers(0, 2**40, y_true.size) + y_true * 2**38
    pos, neg = y_score[y_true == 1], np.sort(y_score[y_true == 0])
    passed = np.searchsorted(neg, pos)
    prefix = [0]
    for x in neg.tolist():
        prefix.append(prefix[-1] + x)
    total = sum(y * k - prefix[k] for y, k in zip(pos.tolist(), passed.tolist(), strict=True))
    assert_agrees(rs.sauc(y_true, y_score).value, Fraction(total, pos.size * neg.size), atol=0.0)


# -------------------------------------------------------------------------- sort keys of doubles

SUBNORMAL = 5e-324
ULPS = np.array([0.5, np.nextafter(0.5, 1), np.nextafter(0.5, 0), np.nextafter(0.25, 0)])
NASTY: dict[str, list[float]] = {
    "one ulp apart": [*ULPS, *ULPS[::-1], *-ULPS],
    "signed zeros": [0.0, -0.0, 0.0, -0.0, 1.0, -1.0],
    "all zero": [0.0, -0.0, 0.0],
    "all equal": [0.3, 0.3, 0.3],
    "subnormals": [SUBNORMAL, -SUBNORMAL, 0.0, -0.0, 3 * SUBNORMAL, 2.2e-308, -2.2e-308],
    "zero and large": [0.0, -0.0, 1e300, -1e300, 2e300, np.nextafter(1e300, 0)],
    "mixed signs": [-1.5, 1.5, -0.1, 0.1, 0.0, -2.5, 2.5, -0.1],
    "infinities": [np.inf, -np.inf, 2.0, -2.0, np.inf],
    "infinities and small": [np.inf, -np.inf, 1e-300, 0.0, -1e-300],
    "wide": [1e-300, 1e300, -1e-300, -1e300, 1e-300],
    "widest": [SUBNORMAL, -SUBNORMAL, 1.7e308, -1.7e308, np.inf, 0.0],
    "just fits": [1.0, 2.0**511, 1.0, -1.0, -(2.0**511)],
    "one": [-7.25],
}


def assert_sorts(scores: np.ndarray, positive: np.ndarray) -> None:
    unique, inverse = np.unique(scores, return_inverse=True)
    n_pos = np.bincount(inverse, weights=positive)
    n_neg = np.bincount(inverse, weights=~positive)
    for ordered in (False, True):
        found = sort_into_blocks(scores, positive, ordered=ordered)
        np.testing.assert_array_equal(found.score, unique)
        np.testing.assert_array_equal(found.n_pos, n_pos)
        np.testing.assert_array_equal(found.n_neg, n_neg)
        assert found.sizes == (positive.sum(), (~positive).sum())
    np.testing.assert_array_equal(scores[found.order], np.sort(scores))
    np.testing.assert_array_equal(found.label, positive[found.order])


@pytest.mark.parametrize("name", NASTY)
def test_nasty_doubles_sort_and_tie_as_numpy_says(name):
    rng = np.random.default_rng(0)
    scores = np.array(NASTY[name])
    for _ in range(20):
        assert_sorts(rng.permutation(scores), rng.random(scores.size) < 0.5)


@pytest.mark.parametrize("name", NASTY)
def test_packed_keys_keep_order_ties_and_value(name):
    scores = np.array(NASTY[name])
    packed = _pack(scores)
    if name in ("infinities and small", "wide", "widest"):
        assert packed is None
        return
    keys, base = packed
    assert (np.abs(keys) < 2**62).all()  # room for a label in the last bit
    np.testing.assert_array_equal(np.sign(np.subtract.outer(keys, keys)), signs_of_pairs(scores))
    np.testing.assert_array_equal(_unpack(keys, base), scores)


def signs_of_pairs(scores: np.ndarray) -> np.ndarray:
    """Order of every pair, without the differences (which may underflow or be inf - inf)."""
    a, b = scores[:, np.newaxis], scores
    return (a > b).astype(int) - (a < b).astype(int)


@pytest.mark.parametrize("size", [SLAB - 1, SLAB, SLAB + 1, 3 * SLAB + 5])
@pytest.mark.parametrize("pool", ["normal", "rounded", "neighbours", "wide"])
def test_sorting_beyond_one_slab(size, pool):
    rng = np.random.default_rng(size)
    normal = rng.standard_normal(size)
    scores = {
        "normal": normal,
        "rounded": np.round(normal, 1),  # holds both zeros
        "neighbours": 1.0 + rng.integers(-50, 50, size) * np.spacing(0.5),
        "wide": normal * 10.0 ** rng.integers(-300, 300, size),
    }[pool]
    scores[-1] = 0.0  # in the last slab only, or nearly so
    positive = rng.random(size) < 0.3
    assert (_pack(scores) is None) == (pool == "wide")
    assert_sorts(scores, positive)


@pytest.mark.parametrize("name", ["infinities", "infinities and small", "widest"])
def test_auc_of_infinite_scores(name):
    scores = np.array(NASTY[name])
    positive = np.arange(scores.size) % 2 == 0
    order = np.unique(scores, return_inverse=True)[1]  # ranks: finite, same order, same ties
    exact = pair_row(step, exactly(order), positive.tolist())
    found = rs.auc(positive.astype(int), scores)
    assert_agrees(found.value, exact.value)
    assert_agrees(found.influence.values, [exact.influence])


# ---------------------------------------------------------------------------------- stability


@pytest.mark.parametrize("offset", [0.0, 1e8, 1e9, 1e12])
def test_sauc_bears_any_offset(offset):
    rng = np.random.default_rng(5)
    y_true = np.repeat([1, 0], 40)
    y_score = offset + rng.random(80) + 0.25 * y_true
    exact = pair_row(ramp, exactly(y_score), [bool(y) for y in y_true])
    found = rs.sauc(y_true, y_score)
    assert_agrees(found.value, exact.value, rtol=OFFSET_RELATIVE, atol=0.0)
    assert_agrees(found.influence.values, [exact.influence], atol=OFFSET_RELATIVE)
    assert_agrees(found.variance(), covariance([exact], [bool(y) for y in y_true])[0][0])
    pos, neg = split(exactly(y_score), [bool(y) for y in y_true])
    assert_agrees(found.details["mean_difference"], mean(pos) - mean(neg), atol=0.0)
    assert_agrees(found.details["rsauc"], exact.value / (2 * exact.value - mean(pos) + mean(neg)))


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-150, 1e150, 1e300])
def test_sauc_bears_any_scale(scale):
    rng = np.random.default_rng(6)
    y_true = np.repeat([1, 0], 40)
    y_score = scale * (rng.random(80) + 0.25 * y_true)
    positive = [bool(y) for y in y_true]
    exact = pair_row(ramp, exactly(y_score), positive)
    std_error = square_root(covariance([exact], positive)[0][0] / Fraction(scale) ** 2)
    found = rs.sauc(y_true, y_score)
    assert_agrees(found.value, exact.value, rtol=OFFSET_RELATIVE, atol=0.0)
    assert_agrees(found.influence.values, [exact.influence], atol=ABSOLUTE * scale)
    assert_agrees(found.std_error, std_error * Fraction(scale), atol=0.0)
    assert_agrees(found.details["rsauc"], rs.sauc(y_true, y_score / scale).details["rsauc"])


# -------------------------------------------------------------- printed examples, worked numbers

WU_FLACH_NEG = [0.89, 0.15, 0.13, 0.10]
PRINTED = {  # pos, neg, then as printed: R+, R-, sAUC
    "Wu & Flach 2005, M1": ([0.95, 0.86, 0.84], WU_FLACH_NEG, ".7417", ".1692", ".5725"),
    "Wu & Flach 2005, M2": ([0.95, 0.20, 0.16], WU_FLACH_NEG, ".4067", ".1692", ".2375"),
    "Wu et al. 2007, M1": ([1.0, 0.7, 0.6], [0.5, 0.4, 0.0], ".77", ".3", ".47"),
    "Wu et al. 2007, M2": ([1.0, 0.9, 0.5], [0.6, 0.2, 0.0], ".74", ".2", ".54"),
}


def labelled(pos: Sequence[float], neg: Sequence[float]) -> tuple[list[int], list[float]]:
    return [1] * len(pos) + [0] * len(neg), [*pos, *neg]


@pytest.mark.parametrize("name", PRINTED)
def test_printed_examples(name):
    pos, neg, *printed = PRINTED[name]
    found = rs.sauc(*labelled(pos, neg))
    ours = (found.details["r_plus"], found.details["r_minus"], found.value)
    for number, text in zip(ours, printed, strict=True):
        assert abs(number - float(text)) <= 0.5 * 10.0 ** -len(text[1:]) + ABSOLUTE


def test_worked_numbers_of_two_models():
    """STATISTICS.md 12, first two lines; sAUC is exactly 49/90 and 7/15."""
    second, first = labelled([1, 0.9, 0.5], [0.6, 0.2, 0]), labelled([1, 0.7, 0.6], [0.5, 0.4, 0])
    auc, sauc = rs.auc(*second), rs.sauc(*second)
    assert auc.value == 8 / 9
    assert_agrees(auc.variance(), Fraction(2, 81))
    assert_agrees(auc.variance(method="unbiased"), Fraction(1, 81))
    assert_agrees(sauc.value, Fraction(49, 90))
    assert_agrees([sauc.details["r_plus"], sauc.details["r_minus"]], [6.7 / 9, 0.2])
    assert rs.sroc_curve(*second).at(0.25) == 8 / 9
    assert_agrees(rs.smauc(*second).value, Fraction(8, 9))

    smooth = rs.smauc(*first)
    assert rs.auc(*first).value == 1.0
    assert_agrees(rs.sauc(*first).value, Fraction(7, 15))
    assert rs.sroc_curve(*first).at(0.25) == 6 / 9
    assert_agrees(smooth.value, 0.8348214285714286)
    assert_agrees(smooth.variance(), 0.014007950464619643)


def test_paper_midpoint_above_one():
    """STATISTICS.md E16 and 4.3: with Mid > 1 even 0/1 scores do not give the AUC, or nothing."""
    sample = labelled([1, 0], [1, 1, 1, 0, 1, 0])
    with pytest.warns(rs.MidOutOfRangeWarning):
        found = rs.smauc(*sample, midpoint="paper")
    assert found.details["midpoint"] == 1.25
    assert_agrees(found.value, Fraction(11, 15))
    assert_agrees(rs.auc(*sample).value, Fraction(5, 12))
    with pytest.warns(rs.DegenerateVarianceWarning, match="undefined"):
        assert math.isnan(rs.smauc(*labelled([0], [1, 1, 1]), midpoint="paper").value)
