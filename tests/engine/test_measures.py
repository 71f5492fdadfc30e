"""Measures as values: options, refusals, and a user's own."""

import math

import numpy as np
import pytest

import rocstats as rs

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
