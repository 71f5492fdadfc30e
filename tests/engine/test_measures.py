"""Measures as values: options, refusals, and a user's own."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.engine.kernels import RAMP, STEP, Kernel

Y = [1, 1, 1, 0, 0, 0]
S = [1.0, 0.9, 0.5, 0.6, 0.2, 0.0]
ROUNDING = 1e-13


def sample(y: list[int] = Y, s: list[float] = S) -> rs.ScoredSample:
    return rs.ScoredSample.from_arrays(y, s)


def test_bounds_divide_sauc_and_its_standard_error() -> None:
    raw, scaled = rs.sauc(Y, 10 * np.array(S)), rs.sauc(Y, 10 * np.array(S), bounds=(0, 10))
    assert scaled.value == pytest.approx(raw.value / 10, rel=ROUNDING)
    assert scaled.std_error == pytest.approx(raw.std_error / 10, rel=ROUNDING)
    assert (raw.bounds, scaled.bounds) == ((0.0, math.inf), (0.0, 1.0))
    with pytest.warns(rs.SmallSampleWarning, match="rests on few subjects"):
        assert raw.confidence_interval().method == "log_t"
    assert scaled.confidence_interval().method == "logit_t"
    with pytest.raises(rs.InvalidOptionError, match="score units"):
        raw.confidence_interval(method="logit")
    with pytest.raises(rs.InvalidOptionError, match=r"on \[0, 1\]"):
        raw.confidence_interval(method="kl")


def test_range_bounds_have_no_standard_error() -> None:
    estimate = rs.sauc(Y, [10 * s for s in S], bounds="range")
    assert estimate.value == pytest.approx(rs.sauc(Y, S).value, rel=ROUNDING)
    with pytest.warns(rs.DegenerateVarianceWarning, match="no standard error"):
        assert math.isnan(estimate.std_error)
    with pytest.warns(rs.DegenerateVarianceWarning, match="no logit_t interval"):
        assert math.isnan(estimate.confidence_interval().low)


@pytest.mark.parametrize("make", [rs.sauc, rs.smauc])
def test_score_bounds_are_checked(make: object) -> None:
    with pytest.raises(rs.ScoreRangeError, match=r"within \[0, 1\], got some from 0 to 2"):
        make([0, 1], [0.0, 2.0], bounds=(0, 1))  # type: ignore[operator]
    with pytest.raises(rs.ScoreRangeError, match=r"within \[0, 1\], got some from 0 to 2"):
        make([0, 1], [0, 2], bounds=(0, 1), higher_is_positive=False)  # type: ignore[operator]
    for bounds in [(1, 0), (0, np.inf), (0, np.nan), (0,), "all", 3]:
        with pytest.raises(rs.InvalidOptionError, match="bounds must be"):
            make(Y, S, bounds=bounds)  # type: ignore[operator]
    with pytest.raises(rs.ScoreRangeError, match="all are equal"):
        make([0, 1], [2, 2], bounds="range")  # type: ignore[operator]


def test_smauc_refuses_scores_outside_the_unit_interval() -> None:
    with pytest.raises(rs.ScoreRangeError, match=r"give their true limits as bounds="):
        rs.smauc([0, 1], [-1.5, 2.0])


@pytest.mark.parametrize("midpoint", [0, -0.1, 1.5, "mean", None, True, math.nan])
def test_midpoint_refusals(midpoint: object) -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"midpoint must be a number in \(0, 1\]"):
        rs.smauc(Y, S, midpoint=midpoint)  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [0.0, 1.0, 2, "equal", True])
def test_class_weight_refusals(weight: object) -> None:
    with pytest.raises(rs.InvalidOptionError, match="class_weight must be"):
        rs.smauc(Y, S, class_weight=weight)  # type: ignore[arg-type]


def test_midpoint_above_one_warns_by_name() -> None:
    y, s = [1, 1, 0, 0, 0, 0, 0, 0], [1, 0, 1, 1, 1, 0, 1, 0]
    with pytest.warns(rs.MidOutOfRangeWarning, match="1.25, above 1"):
        estimate = rs.smauc(y, s, midpoint="paper")
    assert estimate.value == pytest.approx(11 / 15, rel=ROUNDING)
    assert estimate.details["midpoint"] == 1.25
    assert rs.auc(y, s).value == pytest.approx(5 / 12, rel=ROUNDING)


def test_zero_normaliser_is_nan() -> None:
    with pytest.warns(rs.RocstatsWarning) as caught:
        estimate = rs.smauc([1, 0, 0, 0], [0, 1, 1, 1], midpoint="paper")
    assert math.isnan(estimate.value)
    assert {w.category for w in caught} == {
        rs.MidOutOfRangeWarning,
        rs.DegenerateVarianceWarning,
    }
    assert "nan" in repr(estimate)


def test_smauc_details() -> None:
    details = rs.smauc(Y, S, class_weight="balanced").details
    assert details["midpoint"] == 0.5
    assert details["chance"] == pytest.approx(0.5, abs=ROUNDING)
    assert details["class_weight"] == "balanced"


def test_uninformative_scores_reach_the_chance_level() -> None:
    # STATISTICS.md 11.6: Beta(1, 9) scores at 5% prevalence, smAUC(.5) = .68, balanced .50.
    rng = np.random.default_rng(3)
    y = np.arange(400_000) < 20_000
    s = rng.beta(1, 9, size=y.size)
    plain, balanced = rs.smauc(y, s), rs.smauc(y, s, class_weight="balanced")
    assert plain.value == pytest.approx(plain.details["chance"], abs=0.01)
    assert plain.value == pytest.approx(0.68, abs=0.01)
    assert balanced.value == pytest.approx(0.5, abs=0.01)


def test_a_users_own_measure_works_everywhere() -> None:
    kernel = rs.pairwise_kernel("squared ramp", lambda a, b: np.maximum(a - b, 0.0) ** 2)
    own = rs.Measure(name="sq", label="squared margin", kernel=kernel)
    table = rs.estimate(sample(), measures=["auc", own])
    row = table.row("score", "sq")
    pairs = np.maximum(np.subtract.outer(S[:3], S[3:]), 0.0) ** 2
    assert row.value == pytest.approx(pairs.mean(), rel=ROUNDING)
    v10, v01 = pairs.mean(axis=1), pairs.mean(axis=0)
    variance = v10.var(ddof=1) / 3 + v01.var(ddof=1) / 3
    assert row.variance() == pytest.approx(variance, rel=ROUNDING)
    assert row.influence.values[0] == pytest.approx(np.append(v10, v01) - pairs.mean(), abs=1e-15)
    assert table.covariance[1, 1] == pytest.approx(variance, rel=ROUNDING)
    interaction = pairs - v10[:, None] - v01 + pairs.mean()
    unbiased = variance - (interaction**2).sum() / 4 / 9
    assert row.variance(method="unbiased") == pytest.approx(unbiased, rel=ROUNDING)
    assert row.confidence_interval().low < row.value < row.confidence_interval().high
    assert "squared margin" in repr(row)


def test_a_users_own_membership() -> None:
    # A soft membership that ignores the score is a mixture of both classes' ranks.
    flat = rs.Membership(name="flat", theta=lambda s, c: (0.8 + 0 * s, 0.1 + 0 * s))
    own = rs.Measure(name="mix", label="mixed AUC", kernel=rs.STEP, membership=flat)
    row = rs.estimate(sample(), measures=own).rows[0]
    up, right = np.repeat([0.8, 0.1], 3), np.repeat([0.2, 0.9], 3)
    wins = np.sign(np.subtract.outer(S, S)) / 2 + 0.5
    expected = (up[:, None] * right * wins).sum() / (up.sum() * right.sum())
    assert row.value == pytest.approx(expected, rel=ROUNDING)
    assert row.std_error > 0.0


def test_unknown_measures_get_a_hint() -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"got 'sacu'. Did you mean 'sauc'"):
        rs.estimate(sample(), measures="sacu")
    with pytest.raises(rs.InvalidOptionError, match="measures is empty"):
        rs.estimate(sample(), measures=[])


def test_extreme_scales() -> None:
    # The value scales with the scores, so do the standard error and the interval (3.2).
    plain = rs.sauc(Y, S)
    for scale in (1e-300, 1e300):
        scaled = rs.sauc(Y, scale * np.array(S))
        assert scaled.value == pytest.approx(scale * plain.value, rel=ROUNDING)
        assert scaled.std_error == pytest.approx(scale * plain.std_error, rel=ROUNDING)


# ------------------------------------------------------------------ a kernel's sums are of pairs


def capped(limit: float, **options: Any) -> rs.Measure:
    """The AUC's sums, cut off: no sums over pairs any more, and so it was taken until now."""
    kernel = Kernel(
        name="capped",
        below=lambda blocks, mass: np.minimum(STEP.below(blocks, mass), limit),
        above=lambda blocks, mass: np.minimum(STEP.above(blocks, mass), limit),
        square_sum=STEP.square_sum,
        **options,
    )
    return rs.Measure(name="capped", label="capped AUC", kernel=kernel)


def test_sums_that_are_not_of_the_same_pairs_are_refused() -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, 0], [60, 20])
    s = rng.normal(size=80) + y
    for limit in (12.0, 30.0):
        with pytest.raises(rs.InvalidOptionError, match="'capped' are not those of the same pairs"):
            rs.estimate(y, s, measures=capped(limit))
        with pytest.raises(rs.InvalidOptionError, match=r"averages to .*, not to 0"):
            rs.compare(y, {"a": s, "b": -s}, measure=capped(limit))
    harmless = rs.estimate(y, s, measures=["auc", capped(1e9)])
    assert harmless.rows[1].std_error == harmless.rows[0].std_error


def test_derivatives_of_another_value_say_so_and_are_centred() -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, 0], [60, 20])
    s = rng.normal(size=80) + y
    own = capped(12.0, sums_pairs=False)
    assert not own.is_pair_mean
    row = rs.estimate(y, s, measures=own).rows[0]
    phi = row.influence.values[0]
    assert phi[:60].mean() == pytest.approx(0.0, abs=ROUNDING)
    assert phi[60:].mean() == pytest.approx(0.0, abs=ROUNDING)
    variance = phi[:60].var(ddof=1) / 60 + phi[60:].var(ddof=1) / 20
    assert row.variance() == pytest.approx(variance, rel=ROUNDING)


def test_soft_memberships_rest_on_the_same_sums() -> None:
    soft = rs.smooth_auc().membership
    own = rs.Measure(name="own", label="own", kernel=capped(2.0).kernel, membership=soft)
    with pytest.raises(rs.InvalidOptionError, match="not those of the same pairs"):
        rs.estimate(sample(), measures=own)


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12])
def test_rounding_is_no_breach(offset: float) -> None:
    """A signed kernel, whose mean may be nothing beside its terms."""
    rng = np.random.default_rng(5)
    y, s = np.tile([1, 0], 200), offset + rng.normal(size=400)
    kernel = rs.pairwise_kernel("gap", lambda a, b: a - b)
    own = rs.Measure(name="gap", label="difference", kernel=kernel)
    s[y == 0] += s[y == 1].mean() - s[y == 0].mean()
    assert rs.estimate(y, s, measures=own).rows[0].std_error == pytest.approx(
        math.sqrt(s[y == 1].var(ddof=1) / 200 + s[y == 0].var(ddof=1) / 200), rel=1e-6
    )


# ------------------------------------------------------------ a membership that sees the subjects


def by_subjects(up: Any, right: Any, kernel: Kernel = STEP) -> rs.Measure:
    """A mean over pairs of subjects that count `up` and `right`, in the order of the sample."""
    up, right = np.asarray(up, dtype=float), np.asarray(right, dtype=float)
    membership = rs.Membership(
        name="own", of_subjects=lambda blocks, _: (up[blocks.order], right[blocks.order])
    )
    return rs.Measure(
        name="own", label="own", kernel=kernel, membership=membership, value_bounds=(0.0, 1.0)
    )


def written_out(
    y: np.ndarray, s: np.ndarray, up: np.ndarray, right: np.ndarray, kernel: str
) -> tuple[float, np.ndarray]:
    """Value and influence by a complex step in how often each subject counts (4.5)."""
    gap = np.subtract.outer(s, s)
    k = np.sign(gap) / 2 + 0.5 if kernel == "step" else np.maximum(gap, 0.0)

    def value(times: np.ndarray) -> complex:
        u, r = up * times, right * times
        return (u[:, None] * r * k).sum() / (u.sum() * r.sum())

    step = 1e-30
    slope = np.array([value(1 + 1j * step * (np.arange(y.size) == i)).imag for i in range(y.size)])
    phi = slope / step * np.where(y == 1, (y == 1).sum(), (y == 0).sum())
    for label in (0, 1):
        phi[y == label] -= phi[y == label].mean()
    return value(np.ones(y.size)).real, phi


@pytest.mark.parametrize("decimals", [1, 8])
@pytest.mark.parametrize("kernel", [STEP, RAMP])
@pytest.mark.parametrize("seed", range(6))
def test_weights_by_subject_give_the_weighted_mean_over_pairs(
    seed: int, kernel: Kernel, decimals: int
) -> None:
    rng = np.random.default_rng([17, seed])
    y = rng.permutation(np.repeat([1, 0], [14, 19]))
    scores = {name: np.round(rng.random(33) + 0.3 * y, decimals) for name in "ab"}
    weight = rng.exponential(size=33)
    told = rng.random(33)  # a probability of being positive
    for up, right in ((weight * y, weight * (1 - y)), (weight * told, weight * (1 - told))):
        own = by_subjects(up, right, kernel)
        found = rs.estimate(y, scores, measures=own)
        exact = [written_out(y, s, up, right, kernel.name) for s in scores.values()]
        for row, (value, phi) in zip(found.rows, exact, strict=True):
            assert row.value == pytest.approx(value, rel=ROUNDING)
            np.testing.assert_allclose(row.influence.values[0], phi, rtol=1e-11, atol=ROUNDING)
            variance = phi[y == 1].var(ddof=1) / 14 + phi[y == 0].var(ddof=1) / 19
            assert row.variance() == pytest.approx(variance, rel=1e-11)
        joint = np.stack([phi for _, phi in exact])
        covariance = sum(np.cov(joint[:, y == k]) / (y == k).sum() for k in (0, 1))
        compared = rs.compare(y, scores, measure=own)
        np.testing.assert_allclose(compared.covariance, covariance, rtol=1e-11, atol=1e-16)


def test_equal_weights_are_no_weights() -> None:
    y = np.array(Y)
    own = rs.estimate(Y, S, measures=by_subjects(3.0 * y, 3.0 * (1 - y))).rows[0]
    plain = rs.auc(Y, S)
    assert own.value == pytest.approx(plain.value, rel=ROUNDING)
    assert own.std_error == pytest.approx(plain.std_error, rel=ROUNDING)


@pytest.mark.parametrize("midpoint", [0.5, "paper", "class_mean"])
@pytest.mark.parametrize("class_weight", [None, "balanced", 0.3])
def test_a_membership_may_ask_the_subjects_for_what_the_score_tells(
    midpoint: Any, class_weight: Any
) -> None:
    rng = np.random.default_rng(3)
    y, s = np.tile([1, 0, 0], 12), np.round(rng.random(36), 1)
    plain = rs.smooth_auc(midpoint=midpoint, class_weight=class_weight)

    def of_subjects(blocks: Any, centre: float) -> tuple[np.ndarray, np.ndarray]:
        theta = plain.membership.theta(blocks.score, centre)
        up = blocks.by_place(*theta)
        return up, 1.0 - up

    asked = replace(plain, name="own", membership=replace(
        plain.membership, of_subjects=of_subjects))  # fmt: skip
    first, second = rs.estimate(y, s, measures=[plain, asked]).rows
    assert second.value == pytest.approx(first.value, rel=ROUNDING)
    np.testing.assert_allclose(
        second.influence.values, first.influence.values, rtol=1e-11, atol=ROUNDING
    )
    assert second.std_error == pytest.approx(first.std_error, rel=1e-12)


def test_subjects_drawn_anew_are_not_taken_for_others() -> None:
    y = np.array(Y)
    own = by_subjects(1.0 * y, 1.0 * (1 - y))
    with pytest.raises(rs.InvalidOptionError, match="not known who is who"):
        rs.bootstrap(rs.estimate(Y, S, measures=own))


@pytest.mark.parametrize("name", ["partial_auc", "pauc", "partial"])
def test_a_partial_area_by_name_is_told_how_to_ask(name: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"is rs\.partial_area\(fpr=\(0, 0\.1\)\)\.$"):
        rs.estimate(rs.datasets.load_fawcett(), measures=[name])
