"""Calibration, Brier score and decision curves: R, scikit-learn, brute force, laws."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn.calibration import calibration_curve as sklearn_curve
from sklearn.metrics import brier_score_loss
from statsmodels.nonparametric.smoothers_lowess import lowess

import rocstats as rs
from rocstats.probabilities.logistic import fit_intercept, fit_line

mpl.use("Agg")

ROUNDING = 1e-12  # a few hundred additions of doubles
FROM_R = 1e-9  # digits that two fits by different steps share; R's numbers have 15
MC_ERRORS = 4.0  # Monte-Carlo standard errors: one false alarm in 16 000

# Sixty subjects: overconfident probabilities of two digits.
Y = [
    *(1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1),
    *(0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    *(1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1),
]
P = [
    *(0.42, 0.87, 0.84, 0.22, 0.29, 0.22, 0.64, 0.38, 0.70, 0.03, 0.90, 0.36, 0.68, 0.35, 0.26),
    *(0.59, 0.73, 0.32, 0.34, 0.68, 0.13, 0.05, 0.57, 0.18, 0.03, 0.15, 0.23, 0.08, 0.05, 0.42),
    *(0.75, 0.31, 0.16, 0.56, 0.69, 0.29, 0.63, 0.79, 0.32, 0.15, 0.55, 0.50, 0.81, 0.07, 0.18),
    *(0.14, 0.04, 0.45, 0.62, 0.16, 0.87, 0.73, 0.66, 0.57, 0.77, 0.07, 0.65, 0.65, 0.03, 0.55),
]
# R 4.2.2 on them. ctl <- glm.control(epsilon = 1e-14):
R = {
    # a <- glm(y ~ offset(qlogis(p)), binomial, control = ctl): coef, se, confint.default
    "intercept": (0.246430290507851, 0.309435470806722, -0.360052087812519, 0.85291266882822),
    # b <- glm(y ~ qlogis(p), binomial, control = ctl), its second coefficient
    "slope": (0.258455025366696, 0.183473420847313, -0.101146271614399, 0.61805632234779),
    # -2 * sum(ifelse(y == 1, log(p), log(1 - p))) - deviance(b), on chi-square(2)
    "joint": (13.8572361107688, 0.000979353345738654),
    "brier": (0.270941666666667, 0.035031195161116),  # mean((p - y)^2), sd((p - y)^2) / sqrt(60)
    # sum((y - p) * (1 - 2 * p)) / sqrt(sum((1 - 2 * p)^2 * p * (1 - p))), 2 * pnorm(-abs(z))
    "spiegelhalter": (4.0637425150977, 4.82920970337693e-05),
    # t.test(y - p): estimate, stderr, conf.int, p.value
    "large": (0.0428333333333333, 0.0675361763976207, -0.0923062434920597, 0.177972910158726),
    # e <- abs(p - approx(lowess(p, y, iter = 0), xout = p, ties = mean)$y), as in rms::val.prob:
    # mean(e), quantile(e, .5), quantile(e, .9), max(e)
    "errors": (0.159952253704389, 0.167892634588829, 0.244952219832982, 0.387300654341144),
    # prop.test(5, 17, correct = FALSE)$conf.int: those with p <= 0.2
    "wilson": (0.132799896102952, 0.531331100665398),
    # v <- ifelse(y == 1, p >= t, -(p >= t) * t / (1 - t)); mean(v), sd(v) / sqrt(60)
    "net_benefit": {
        0.1: (0.368518518518519, 0.0696493107043977),
        0.3: (0.235714285714286, 0.0762931864193383),
        0.6: (0.0, 0.0920574617898323),
    },
    # The same with prevalence 0.1: .1 * tpr - .9 * fpr * t / (1 - t), variances by var() / n
    "with_prevalence": {
        0.1: (0.0080357142857143, 0.00919641148294039),
        0.3: (-0.117857142857143, 0.0356264921945771),
        0.6: (-0.294642857142857, 0.10542242850417),
    },
}


def simulated(n: int, seed: int = 1, digits: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Calibrated probabilities, tied where they have few digits."""
    rng = np.random.default_rng(seed)
    p = np.clip(np.round(rng.beta(2, 3, n), digits), 0.01, 0.99)
    return (rng.random(n) < p).astype(int), p


def close(found: float, expected: float, tolerance: float = FROM_R) -> bool:
    return found == pytest.approx(expected, abs=tolerance)


# Intercept and slope.


def test_the_intercept_of_the_line_is_that_of_rms_val_prob() -> None:
    """R 4.2.2, rms 6.5-0: val.prob(p, y, pl = FALSE), which stops at a deviance within 2.5e-4."""
    y = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1]
    found = rs.calibration(y, [0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    by_lrm = 1e-8  # of an estimate near 1: what that stop leaves
    assert close(found.line_intercept.estimate, 0.2902567039314, by_lrm)
    assert close(found.slope.estimate, 1.5745305277137, by_lrm)
    assert close(found.joint.statistic, 0.5106408527580, by_lrm)
    assert close(found.joint.pvalue, 0.7746682340509, by_lrm)
    assert close(found.spiegelhalter.statistic, -0.5229763603685, by_lrm)
    # summary(glm(y ~ qlogis(p), binomial, control = glm.control(epsilon = 1e-15)))
    assert close(found.line_intercept.estimate, 0.290256705181, 1e-11)
    assert close(found.line_intercept.std_error, 0.878007568009, 1e-8)
    assert close(found.line_intercept.pvalue, 0.7409574847283, 1e-8)
    assert abs(found.line_intercept.estimate - found.intercept.estimate) > 0.1
    stated = found.to_dict()["line_intercept"]
    assert stated["estimate"] == found.line_intercept.estimate
    assert "has the intercept 0.2903" in str(found)


def test_calibration_is_that_of_r() -> None:
    found = rs.calibration(Y, P)
    for test, name in ((found.intercept, "intercept"), (found.slope, "slope")):
        limits = test.confidence_interval()
        mine = test.estimate, test.std_error, limits.low, limits.high
        assert mine == pytest.approx(R[name], abs=FROM_R)
        assert test.pvalue == pytest.approx(2 * stats.norm.sf(abs(test.statistic)), rel=FROM_R)
    assert close(found.slope.statistic, (R["slope"][0] - 1.0) / R["slope"][1])
    assert (found.joint.statistic, found.joint.pvalue) == pytest.approx(R["joint"], abs=FROM_R)
    assert close(found.spiegelhalter.statistic, R["spiegelhalter"][0])
    assert close(found.spiegelhalter.pvalue, R["spiegelhalter"][1])
    limits = found.in_the_large.confidence_interval()
    large = found.in_the_large.estimate, found.in_the_large.std_error, limits.low, limits.high
    assert large == pytest.approx(R["large"], abs=FROM_R)


def test_calibration_is_a_result() -> None:
    found = rs.calibration(Y, P)
    assert found.to_frame()["contrast"].tolist() == [
        "observed - predicted",
        "intercept",
        "slope",
        "Brier score - expected",
    ]
    row = found.to_dict()
    assert (row["n_pos"], row["n_neg"], row["classifier"]) == (28, 32, "score")
    assert row["joint"]["df"] == 2.0
    assert "chi-square(2) = 13.857" in repr(found)
    assert "slope" in found._repr_html_()


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0, 300.0])
def test_fits_solve_their_equations_however_extreme(scale: float) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=300)
    positive = rng.random(300) < 1 / (1 + np.exp(-x))
    line, flat = fit_line(scale * x, positive), fit_intercept(scale * x, positive)
    model = sm.GLM(positive, sm.add_constant(x), family=sm.families.Binomial()).fit(tol=1e-14)
    assert line.coefficients[1] * scale == pytest.approx(model.params[1], rel=FROM_R)
    assert math.sqrt(line.covariance[1, 1]) * scale == pytest.approx(model.bse[1], rel=1e-6)
    with np.errstate(over="ignore"):
        mean = 1 / (1 + np.exp(-flat.coefficients[0] - scale * x))
    assert mean.sum() == pytest.approx(positive.sum(), abs=1e-9)


@pytest.mark.parametrize("slope", [1.0, 5.0, 30.0])
def test_a_line_through_logits_whose_exponential_overflows(slope: float) -> None:
    rng = np.random.default_rng(3)
    x = 0.3 * rng.normal(size=1000)
    positive = rng.random(1000) < 1 / (1 + np.exp(-slope * x))
    x[:3], positive[:3] = -740.0, False
    a, b = fit_line(x, positive).coefficients
    with np.errstate(over="ignore"):
        left = positive - 1 / (1 + np.exp(-a - b * x))
    assert np.abs([left.sum(), left @ x]).max() < 1e-9


def test_calibration_by_clusters_is_the_sandwich() -> None:
    y, p = simulated(240)
    cluster = np.arange(240) % 40
    found = rs.calibration(rs.ScoredSample.from_arrays(y, p, cluster=cluster))
    x = np.log(p / (1 - p))
    grouped = {"cov_type": "cluster", "cov_kwds": {"groups": cluster, "use_correction": False}}
    line = sm.GLM(y, sm.add_constant(x), family=sm.families.Binomial()).fit(tol=1e-14, **grouped)
    flat = sm.GLM(y, np.ones(240), family=sm.families.Binomial(), offset=x)
    factor = math.sqrt(40 / 39)
    assert found.slope.std_error == pytest.approx(factor * line.bse[1], rel=1e-6)
    assert found.intercept.std_error == pytest.approx(
        factor * flat.fit(tol=1e-14, **grouped).bse[0], rel=1e-6
    )
    assert found.slope.df == found.intercept.df == found.in_the_large.df == 39
    shift = line.params - [0.0, 1.0]
    square = shift @ np.linalg.solve(line.cov_params() * 40 / 39, shift) * 38 / (2 * 39)
    assert found.joint.statistic == pytest.approx(square, rel=1e-6)
    assert found.joint.pvalue == pytest.approx(stats.f.sf(square, 2, 38), rel=1e-6)
    sums = np.bincount(cluster, (y - p) * (1 - 2 * p))
    z = sums.sum() / math.sqrt((sums**2).sum())
    assert found.spiegelhalter.statistic == pytest.approx(z, abs=ROUNDING)


def test_certain_probabilities_leave_the_rest() -> None:
    with pytest.warns(rs.NoCalibrationFitWarning, match="2 of 62 probabilities that are exactly"):
        found = rs.calibration([*Y, 0, 1], [*P, 0.0, 1.0])
    assert math.isnan(found.intercept.estimate)
    assert math.isnan(found.slope.pvalue)
    assert math.isnan(found.joint.pvalue)
    assert math.isfinite(found.in_the_large.pvalue)
    assert math.isfinite(found.spiegelhalter.pvalue)
    assert "nan" in repr(found)
    assert rs.brier_score([*Y, 0, 1], [*P, 0.0, 1.0]).value < R["brier"][0]


@pytest.mark.parametrize(
    "p",
    [
        [0.9, 0.8, 0.7, 0.4, 0.3],  # parted
        [0.9, 0.8, 0.4, 0.4, 0.3],  # parted but for a tie
        [0.1, 0.2, 0.3, 0.4, 0.5],  # parted the wrong way round
        [0.4, 0.4, 0.4, 0.4, 0.4],  # all equal
    ],
)
def test_separation_is_named(p: list[float]) -> None:
    with pytest.warns(rs.NoCalibrationFitWarning, match="there is no calibration slope"):
        found = rs.calibration([1, 1, 1, 0, 0], p)
    assert math.isnan(found.slope.estimate)
    assert math.isfinite(found.intercept.estimate)


def test_intercept_of_a_constant_is_the_shift_of_its_logit() -> None:
    with (
        pytest.warns(rs.NoCalibrationFitWarning, match="all its probabilities are equal"),
        pytest.warns(rs.DegenerateVarianceWarning, match="Spiegelhalter's test is nan"),
    ):
        found = rs.calibration([1, 1, 1, 0], [0.5] * 4)
    assert close(found.intercept.estimate, math.log(3), ROUNDING)
    assert found.in_the_large.estimate == 0.25


@pytest.mark.parametrize("function", [rs.calibration, rs.calibration_curve, rs.brier_score])
def test_scores_that_are_no_probabilities_are_refused(function: Any) -> None:
    with pytest.raises(rs.ScoreRangeError, match=r"within \[0, 1\], but crp goes from -1 to 3"):
        function([1, 0, 1], {"crp": [3.0, -1.0, 0.5]})
    with pytest.raises(rs.ScoreRangeError, match="from 0 to inf"):
        function([1, 0], [math.inf, 0.0])
    two = rs.ScoredSample.from_arrays(Y, {"a": P, "b": P})
    with pytest.raises(rs.InvalidOptionError, match="name one with marker="):
        function(two)
    assert function(two, marker="b").to_dict() == function(Y, {"b": P}).to_dict()


def test_probabilities_of_the_negative_class_are_turned() -> None:
    turned = rs.ScoredSample.from_arrays(Y, 1 - np.array(P), higher_is_positive=False)
    assert close(rs.calibration(turned).slope.estimate, R["slope"][0])
    assert close(rs.brier_score(turned).value, R["brier"][0], ROUNDING)
    there, back = rs.decision_curve(turned, thresholds=[0.33]), rs.decision_curve(Y, P)
    assert close(there.net_benefit[0, 0], back.net_benefit[0, 32], ROUNDING)


# The Brier score.


def test_brier_score_is_rs_and_scikit_learns() -> None:
    found = rs.brier_score(Y, P)
    assert (found.value, found.std_error) == pytest.approx(R["brier"], abs=ROUNDING)
    assert close(found.value, brier_score_loss(Y, P), ROUNDING)
    limits = found.confidence_interval(method="wald")
    assert close(limits.high - found.value, stats.norm.ppf(0.975) * found.std_error, ROUNDING)
    assert found.confidence_interval().method == "logit_t"


@pytest.mark.parametrize("n_bins", [1, 4, 10, None])
@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_decomposition_adds_up(n_bins: int | None, strategy: Any) -> None:
    y, p = simulated(500, digits=4)
    found = rs.brier_score(y, p, n_bins=n_bins, strategy=strategy)
    part = found.details
    whole = part["reliability"] - part["resolution"] + part["uncertainty"] + part["within_bins"]
    assert close(whole, found.value, ROUNDING)
    assert close(part["uncertainty"], y.mean() * (1 - y.mean()), ROUNDING)
    assert close(part["skill"], 1 - found.value / part["uncertainty"], ROUNDING)
    if n_bins is None:
        assert close(part["within_bins"], 0.0, ROUNDING)
    else:
        assert part["within_bins"] != 0.0


def test_murphys_terms_by_hand() -> None:
    # Forecasts 0.2 (1 of 4 came) and 0.8 (3 of 4): reliability 2 * 4 * 0.05**2 / 8, and so on.
    y, p = [1, 0, 0, 0, 1, 1, 1, 0], [0.2] * 4 + [0.8] * 4
    part = rs.brier_score(y, p, n_bins=None).details
    assert close(part["reliability"], 0.0025, ROUNDING)
    assert close(part["resolution"], 0.0625, ROUNDING)
    assert part["uncertainty"] == 0.25


def test_scaled_score() -> None:
    y, p = simulated(80)
    found = rs.brier_score(y, p, scaled=True)
    assert close(found.value, rs.brier_score(y, p).details["skill"], ROUNDING)
    assert close(rs.brier_score(y, np.full(80, y.mean()), scaled=True).value, 0.0, ROUNDING)
    step, slopes = 1e-5, []
    for i in range(80):
        moved = []
        for sign in (1, -1):
            weight = np.full(80, 1.0 - sign * step)
            weight[i] += 80 * sign * step
            mean = np.average(y, weights=weight)
            moved.append(1 - np.average((p - y) ** 2, weights=weight) / (mean * (1 - mean)))
        slopes.append((moved[0] - moved[1]) / (2 * step))
    np.testing.assert_allclose(found.influence.values[0], slopes, rtol=0.0, atol=1e-6)
    assert found.std_error == pytest.approx(np.std(slopes, ddof=1) / math.sqrt(80), rel=1e-6)


def test_perfect_and_flat_forecasts() -> None:
    perfect = rs.brier_score([1, 1, 0, 0, 0], [1, 1, 0, 0, 0])
    limits = perfect.confidence_interval()
    assert perfect.value == 0.0
    assert (limits.low, limits.high) == pytest.approx((0.0, 1 - 0.025 ** (1 / 5)), abs=ROUNDING)
    scaled = rs.brier_score([1, 1, 0, 0, 0], [1, 1, 0, 0, 0], scaled=True)
    with pytest.warns(rs.DegenerateVarianceWarning, match="no wald_t interval"):
        assert math.isnan(scaled.confidence_interval().low)  # and not [1, 1]
    flat = rs.brier_score([1, 1, 0, 0], [0.5] * 4)
    with pytest.warns(rs.DegenerateVarianceWarning, match="same influence"):
        assert (flat.value, flat.std_error) == (0.25, 0.0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_bins": 0}, "n_bins must be a positive whole number, got 0"),
        ({"n_bins": 2.5}, "n_bins must be a positive whole number"),
        ({"n_bins": True}, "n_bins must be a positive whole number"),
        ({"strategy": "kmeans"}, "strategy must be one of 'quantile', 'uniform'"),
    ],
)
@pytest.mark.parametrize("function", [rs.brier_score, rs.calibration_curve])
def test_bins_are_checked(function: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        function(Y, P, **options)


def test_other_refusals() -> None:
    with pytest.raises(rs.InvalidOptionError, match="n_bins must be"):
        rs.calibration_curve(Y, P, n_bins=None)  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="scaled must be True or False"):
        rs.brier_score(Y, P, scaled="yes")  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="confidence_level must lie"):
        rs.calibration_curve(Y, P, confidence_level=95)
    with pytest.raises(rs.InvalidSampleError, match="y_score is missing"):
        rs.calibration(Y)


@pytest.mark.slow
def test_brier_standard_error_and_interval_by_simulation() -> None:
    rng, replicates, n = np.random.default_rng(4), 1000, 60
    truth = 2 * 3 / (5 * 6)  # E p (1 - p) of calibrated Beta(2, 3)
    found, covered = [], 0
    for _ in range(replicates):
        p = rng.beta(2, 3, n)
        row = rs.brier_score(rng.random(n) < p, p).to_dict()
        found.append((row["estimate"], row["std_error"]))
        covered += row["conf_low"] <= truth <= row["conf_high"]
    value, std_error = np.array(found).T
    ratio = math.sqrt((std_error**2).mean()) / value.std()
    assert abs(ratio - 1.0) < MC_ERRORS / math.sqrt(2 * replicates)
    error = MC_ERRORS * math.sqrt(0.05 * 0.95 / replicates)
    assert abs(covered / replicates - 0.95) < error + 0.01


# The calibration curve.


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("n_bins", [1, 5, 10, 40])
def test_bins_are_those_of_scikit_learn(strategy: Any, n_bins: int) -> None:
    y, p = simulated(300)
    observed, predicted = sklearn_curve(y, p, n_bins=n_bins, strategy=strategy)
    curve = rs.calibration_curve(y, p, n_bins=n_bins, strategy=strategy)
    np.testing.assert_allclose(curve.observed, observed, rtol=0.0, atol=ROUNDING)
    np.testing.assert_allclose(curve.predicted, predicted, rtol=0.0, atol=ROUNDING)
    assert curve.n.sum() == 300
    assert curve.n_pos.sum() == y.sum()


def test_wilson_intervals_are_rs() -> None:
    curve = rs.calibration_curve(Y, P, n_bins=5, strategy="uniform")
    assert (curve.n_pos[0], curve.n[0]) == (5, 17)
    assert (curve.conf_low[0], curve.conf_high[0]) == pytest.approx(R["wilson"], abs=FROM_R)
    narrow = rs.calibration_curve(Y, P, n_bins=5, strategy="uniform", confidence_level=0.5)
    assert (narrow.conf_high - narrow.conf_low < curve.conf_high - curve.conf_low).all()


def test_a_bin_is_a_share_and_counts_clusters_as_one_does() -> None:
    """The subjects of a bin are the positives of another study, called positive if they are ill."""
    rng = np.random.default_rng(5)
    cluster = rng.integers(0, 12, size=90)
    p = np.repeat([0.2, 0.7], 45)
    y = rng.random(90) < 0.5 * p + 0.5 * rng.random(12)[cluster]
    curve = rs.calibration_curve(rs.ScoredSample.from_arrays(y, p, cluster=cluster), n_bins=2)
    for k, (here, other) in enumerate([(p < 0.5, p > 0.5), (p > 0.5, p < 0.5)]):
        assert other.sum() == curve.n[1 - k]
        share = rs.ScoredSample.from_arrays(here, y.astype(float), cluster=cluster)
        low, high = rs.operating_points(share, thresholds=[1.0]).limits("sensitivity")
        assert (curve.conf_low[k], curve.conf_high[k]) == pytest.approx((low[0], high[0]))


def test_copies_in_clusters_do_not_narrow_the_intervals() -> None:
    y, p = simulated(200)
    once = rs.calibration_curve(y, p, n_bins=4)
    copies = rs.ScoredSample.from_arrays(
        np.repeat(y, 5), np.repeat(p, 5), cluster=np.repeat(np.arange(200), 5)
    )
    clustered = rs.calibration_curve(copies, n_bins=4)
    np.testing.assert_allclose(clustered.conf_low, once.conf_low, rtol=0.0, atol=ROUNDING)
    np.testing.assert_allclose(clustered.conf_high, once.conf_high, rtol=0.0, atol=ROUNDING)
    apart = rs.calibration_curve(np.repeat(y, 5), np.repeat(p, 5), n_bins=4)
    assert (apart.conf_low > clustered.conf_low + 0.02).all()
    # A bin without positives: a cluster counts as one subject.
    none = rs.ScoredSample.from_arrays(
        [0, 0, 0, 0, 1, 1], [0.1] * 4 + [0.9] * 2, cluster=[1, 1, 2, 2, 3, 4]
    )
    bins = rs.calibration_curve(none, n_bins=2, strategy="uniform")
    z = stats.norm.ppf(0.975) ** 2
    assert close(bins.conf_high[0], z / (2 + z), ROUNDING)


def test_smooth_curve_and_its_distances_are_rs() -> None:
    curve = rs.calibration_curve(Y, P)
    assert tuple(curve.error_indices().values()) == pytest.approx(R["errors"], abs=FROM_R)
    assert list(curve.error_indices()) == ["ici", "e50", "e90", "emax"]
    prob, share = curve.smooth
    assert prob.tolist() == sorted(set(P))
    direct = lowess(Y, P, it=0, delta=0.01 * (max(P) - min(P)))  # statsmodels
    np.testing.assert_allclose(np.interp(prob, *direct.T), share, rtol=0.0, atol=1e-9)


def test_smooth_curve_of_many_is_fitted_every_hundredth_of_the_range() -> None:
    y, p = simulated(1000, digits=9)  # most neighbours are closer than that: lines join them
    prob, share = rs.calibration_curve(y, p).smooth
    joined, each = (lowess(y, p, it=0, delta=step * np.ptp(p)) for step in (0.01, 0.0))
    np.testing.assert_allclose(np.interp(prob, *joined.T), share, rtol=0.0, atol=1e-9)
    assert np.abs(np.interp(prob, *each.T) - share).max() > 1e-6


def test_smooth_curve_where_most_tie() -> None:
    # R 4.2.2: lowess(p, y, iter = 0)$y; statsmodels fails where two thirds have one value.
    p = [0.1] * 7 + [0.2, 0.5, 0.9]
    prob, share = rs.calibration_curve([0, 1, 0, 0, 0, 0, 0, 1, 0, 1], p).smooth
    assert prob.tolist() == [0.1, 0.2, 0.5, 0.9]
    assert share == pytest.approx([1 / 7, 1.0, 0.0, 0.960155611885205], abs=FROM_R)
    prob, share = rs.calibration_curve([1, 0, 0, 1, 0], [0.3] * 5).smooth
    assert (prob.tolist(), share.tolist()) == ([0.3], [0.4])
    prob, share = rs.calibration_curve([1, 0], [0.7, 0.2]).smooth
    assert share == pytest.approx([0.0, 1.0], abs=ROUNDING)


def test_expected_error_by_hand() -> None:
    curve = rs.calibration_curve([0, 1, 1, 1], [0.2, 0.4, 0.8, 1.0], n_bins=2)
    assert curve.expected_error == pytest.approx((0.2 + 0.1) / 2, abs=ROUNDING)


def test_calibration_curve_is_a_result() -> None:
    curve = rs.calibration_curve(Y, P)
    beside = {"classifier", "conf_level", "subjects"}
    assert set(curve.to_frame().columns) == set(curve.to_dict()) - beside
    assert "95% Wilson intervals" in repr(curve)
    assert "<table>" in curve._repr_html_()
    axes = curve.plot()
    assert rs.calibration_curve(Y, np.sqrt(P)).plot(axes) is axes
    curves = [line for line in axes.lines if line.get_gid() != "chance"]
    assert len({(line.get_color(), line.get_linestyle()) for line in curves}) == 2
    assert len(axes.containers) == 2
    with pytest.raises(ValueError, match="read-only"):
        curve.observed[0] = 0.0


# Decision curves.


def test_net_benefit_is_rs() -> None:
    curve = rs.decision_curve(Y, P, thresholds=list(R["net_benefit"]))
    found = curve.curve("score")
    for value, std_error, (right, right_error) in zip(
        found.value, found.std_error, R["net_benefit"].values(), strict=True
    ):
        assert (value, std_error) == pytest.approx((right, right_error), abs=ROUNDING)
    given = rs.decision_curve(Y, P, thresholds=list(R["with_prevalence"]), prevalence=0.1)
    found = given.curve("score")
    for value, std_error, (right, right_error) in zip(
        found.value, found.std_error, R["with_prevalence"].values(), strict=True
    ):
        assert (value, std_error) == pytest.approx((right, right_error), abs=ROUNDING)
    assert (curve.prevalence, given.prevalence) == (28 / 60, 0.1)


def test_interventions_avoided_by_counting() -> None:
    """Untreated subjects of 100, less the missed events at the odds of the threshold."""
    y, p = np.array(Y), np.array(P)
    cuts = [0.05, 0.1, 0.3, 0.6]
    curve = rs.decision_curve(Y, P, thresholds=cuts)
    found = curve.interventions_avoided("score")
    for value, cut in zip(found.value, cuts, strict=True):
        well, missed = (np.sum((p < cut) & (y == label)) for label in (0, 1))
        expected = 100 * (well - missed * (1 - cut) / cut) / 60
        assert value == pytest.approx(expected, abs=1e-11)
    # R's dcurves 0.5: (net_benefit - net_benefit of "all") / (threshold / (1 - threshold)) * 100
    gain = curve.difference("score")
    odds = np.array(cuts) / (1.0 - np.array(cuts))
    np.testing.assert_allclose(found.value, gain.value / odds * 100, rtol=1e-12)
    np.testing.assert_allclose(found.conf_low, gain.conf_low / odds * 100, rtol=1e-12)
    np.testing.assert_allclose(found.conf_high, gain.conf_high / odds * 100, rtol=1e-12)
    assert found.to_frame()["interventions_avoided"].tolist() == found.value.tolist()
    assert curve.to_dict()["interventions_avoided"]["score"] == found.value.tolist()
    np.testing.assert_array_equal(curve.interventions_avoided("treat all").value, 0.0)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_interventions_avoided_do_not_depend_on_standardising(prevalence: float | None) -> None:
    options: dict[str, Any] = {"thresholds": [0.0, 0.2, 0.4], "prevalence": prevalence}
    plain, scaled = (rs.decision_curve(Y, P, standardized=s, **options) for s in (False, True))
    own, other = (c.interventions_avoided("score").value for c in (plain, scaled))
    np.testing.assert_allclose(own[1:], other[1:], rtol=1e-12)
    assert math.isnan(own[0])
    assert plain.to_dict()["interventions_avoided"]["score"][0] is None
    told = scaled.to_dict()["interventions_avoided"]["score"][1:]
    np.testing.assert_allclose(own[1:], told, rtol=1e-12)
    with pytest.raises(rs.InvalidOptionError, match="no strategy 'skore'"):
        plain.interventions_avoided("skore")


def test_net_benefit_laws() -> None:
    y, p = simulated(200)
    curve = rs.decision_curve(y, p, thresholds=[0.0, 1e-9, 0.25])
    whole, none = curve.curve("treat all"), curve.curve("treat none")
    assert whole.value[0] == y.mean()
    assert close(whole.value[1], y.mean(), 1e-8)
    assert close(whole.value[2], y.mean() - (1 - y.mean()) / 3, ROUNDING)
    assert none.value.tolist() == none.std_error.tolist() == [0.0, 0.0, 0.0]
    assert curve.net_benefit[0, 0] == y.mean()  # at threshold 0 a model treats all, too
    perfect = rs.decision_curve(y, y.astype(float), standardized=True)
    np.testing.assert_allclose(perfect.net_benefit[0], 1.0, rtol=0.0, atol=ROUNDING)
    # The sample's own prevalence changes nothing but the standard error.
    own = rs.decision_curve(y, p, prevalence=float(y.mean()))
    np.testing.assert_allclose(own.net_benefit, rs.decision_curve(y, p).net_benefit, atol=ROUNDING)
    assert own.curve("treat all").std_error.max() == 0.0


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_standardised_net_benefit(prevalence: float | None) -> None:
    y, p = simulated(90)
    t, share = 0.3, prevalence or y.mean()
    plain = rs.decision_curve(y, p, thresholds=t, prevalence=prevalence)
    found = rs.decision_curve(y, p, thresholds=t, prevalence=prevalence, standardized=True)
    np.testing.assert_allclose(found.net_benefit, plain.net_benefit / share, atol=ROUNDING)
    odds, called = t / (1 - t), p >= t
    if prevalence is None:  # a ratio of two means over the cohort
        values = np.where(y == 1, called - found.net_benefit[0, 0], -odds * called) / share
        variance = values.var(ddof=1) / 90
    else:
        weight = odds * (1 - share) / share
        variance = (
            called[y == 1].var(ddof=1) / (y == 1).sum()
            + weight**2 * called[y == 0].var(ddof=1) / (y == 0).sum()
        )
    assert found.curve("score").std_error[0] == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_difference_is_paired() -> None:
    y, p = simulated(300)
    noisy = np.clip(p + np.random.default_rng(3).normal(0, 0.05, 300), 0, 1)
    curve = rs.decision_curve(y, {"a": p, "b": noisy}, thresholds=[0.2, 0.4])
    found = curve.difference("a", "b", method="wald")
    for j, t in enumerate((0.2, 0.4)):
        weight = np.where(y == 1, 1.0, -t / (1 - t))
        values = weight * ((p >= t) * 1.0 - (noisy >= t))
        assert close(found.value[j], values.mean(), ROUNDING)
        assert close(found.std_error[j], values.std(ddof=1) / math.sqrt(300), ROUNDING)
        reach = stats.norm.ppf(0.975) * found.std_error[j]
        assert close(found.conf_high[j], found.value[j] + reach, ROUNDING)
    apart = np.hypot(curve.curve("a").std_error, curve.curve("b").std_error)
    assert (found.std_error < apart).all()
    assert found.strategy == "a - b"
    versus_all = curve.difference("a")
    assert versus_all.strategy == "a - treat all"
    np.testing.assert_allclose(
        versus_all.value, curve.net_benefit[0] - curve.net_benefit[2], atol=ROUNDING
    )


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_clusters_of_one_change_nothing(prevalence: float | None) -> None:
    y, p = simulated(100)
    alone = rs.decision_curve(y, {"a": p, "b": p**2}, prevalence=prevalence)
    sample = rs.ScoredSample.from_arrays(y, {"a": p, "b": p**2}, cluster=np.arange(100))
    clustered = rs.decision_curve(sample, prevalence=prevalence)
    np.testing.assert_allclose(clustered.covariance, alone.covariance, rtol=0.0, atol=ROUNDING)
    assert (clustered.df, alone.df) == (99.0, math.inf)
    wider = (
        clustered.curve("a", method="wald").conf_high - alone.curve("a", method="wald").conf_high
    )
    assert (wider[~np.isnan(wider)] > 0.0).all()


def test_no_uncertainty_is_shown_where_no_one_is_called() -> None:
    curve = rs.decision_curve([1, 0, 1, 0], [0.6, 0.5, 0.4, 0.2], thresholds=[0.3, 0.7])
    found = curve.curve("score", method="wald")
    assert found.value[1] == 0.0
    assert np.isnan(found.conf_low).tolist() == [False, True]
    assert np.isnan(found.std_error).tolist() == [False, True]
    with pytest.warns(rs.SmallSampleWarning, match="fewer than 3 events of 4 subjects"):
        assert np.isnan(curve.difference("score").std_error).tolist() == [False, False]
    with pytest.warns(rs.SmallSampleWarning, match="every standard error is nan"):
        few = rs.decision_curve([1, 0, 0], [0.6, 0.5, 0.4], prevalence=0.5)
    assert np.isnan(few.curve("score").std_error).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"thresholds": [0.5, 1.0]}, "thresholds must be probabilities from 0 up to below 1"),
        ({"thresholds": []}, "thresholds must be probabilities"),
        ({"thresholds": -0.1}, "thresholds must be probabilities"),
        ({"thresholds": "low"}, "thresholds must be a number"),
        ({"prevalence": 1}, "prevalence must lie strictly between 0 and 1, got 1"),
        ({"prevalence": "rare"}, "prevalence must lie"),
        ({"standardized": 1}, "standardized must be True or False"),
        ({"markers": ["c"]}, "no marker 'c'; it has a, b"),
        ({"markers": ["a", "a"]}, "different models"),
    ],
)
def test_decision_refusals(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        rs.decision_curve(Y, {"a": P, "b": P}, **options)


def test_more_decision_refusals() -> None:
    with pytest.raises(rs.ScoreRangeError, match="A decision curve needs probabilities"):
        rs.decision_curve([1, 0], [2.0, 0.5])
    with pytest.raises(rs.InvalidOptionError, match="cannot be called 'treat all'"):
        rs.decision_curve(Y, {"treat all": P})
    curve = rs.decision_curve(Y, {"a": P, "b": P}, markers="b")
    assert curve.strategies == ("b", "treat all", "treat none")
    with pytest.raises(rs.InvalidOptionError, match="no strategy 'treat'; there are b, treat all"):
        curve.curve("treat")


def test_decision_curve_is_a_result() -> None:
    curve = rs.decision_curve(Y, {"a": P, "b": np.sqrt(P)})
    frame = curve.to_frame()
    assert len(frame) == 4 * 99
    assert [*frame.columns, "subjects"] == list(curve.curve("a").to_dict())
    assert curve.curve("a").to_frame().shape == (99, 7)
    assert len(curve.to_dict()["curves"]) == 4
    assert "at 99 thresholds from 0.01 to 0.99" in repr(curve)
    assert repr(curve.curve("a")).startswith("Net benefit of a at 99 thresholds, largest 0.4")
    axes = curve.plot()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["a", "b", "treat all", "treat none"]
    assert len({line.get_color() for line in axes.lines}) == 4
    assert curve.plot(axes) is axes


def test_a_million_subjects() -> None:
    y, p = simulated(10**6, digits=9)
    found = rs.calibration(y, p)
    assert abs(found.slope.statistic) < MC_ERRORS
    assert rs.calibration_curve(y, p).error_indices()["ici"] < 0.01
    assert rs.brier_score(y, p).value == pytest.approx(0.2, abs=0.001)  # 2 * 3 / (5 * 6)
    worth = rs.decision_curve(y, p).difference("score")
    assert np.nanmin(worth.conf_low) > -0.001  # calibrated: never worse than treating all


@pytest.mark.parametrize("prevalence", [Fraction(1, 4), np.float32(0.25)])
def test_decision_curve_takes_any_real_prevalence(prevalence: Any) -> None:
    y, p = simulated(50)
    found = rs.decision_curve(y, p, prevalence=prevalence)
    expected = rs.decision_curve(y, p, prevalence=0.25)
    assert type(found.prevalence) is float
    np.testing.assert_array_equal(found.net_benefit, expected.net_benefit)
    np.testing.assert_array_equal(found.covariance, expected.covariance)


def test_decision_curve_takes_names_of_models_only() -> None:
    y, p = simulated(50)
    models = {"a": p, "b": p**2}
    found = rs.decision_curve(y, models, markers=np.array(["b"]))  # type: ignore[arg-type]
    assert found.strategies[0] == "b"
    for wrong in (3, True, {"a": 1}):
        with pytest.raises(rs.InvalidOptionError, match="a name or a list of names"):
            rs.decision_curve(y, models, markers=wrong)  # type: ignore[arg-type]


def test_14_04_useful_thresholds_are_intervals_and_not_a_first_and_a_last() -> None:
    """Issue 14, line 4: every run of thresholds at which a model is above both, by definition."""
    rng = np.random.default_rng(1)
    y = np.arange(120) % 3 == 0
    p = 1.0 / (1.0 + np.exp(-(3.0 * (y - 0.5) + 3.5 * rng.normal(size=120))))
    curve = rs.decision_curve(y, p)
    model, every, none = (curve.curve(s).value for s in curve.strategies)
    lows = [curve.difference("score", s).conf_low for s in ("treat all", "treat none")]
    for supported, good in (
        (False, (model > every) & (model > none)),
        (True, (lows[0] > 0.0) & (lows[1] > 0.0)),
    ):
        found = curve.useful_ranges("score", supported=supported)
        inside = np.zeros(curve.threshold.size, dtype=bool)
        for low, high in found:
            inside |= (low <= curve.threshold) & (curve.threshold <= high)
        np.testing.assert_array_equal(inside, good)
    assert len(curve.useful_ranges("score")) > 1  # losses lie between
    at, (low, high), _ = curve.useful_ranges("score")
    said = f"score: above treat all and treat none at {at[0]:g}, from {low:g} to {high:g} and from"
    assert said in repr(curve)
    assert curve.to_dict()["useful"]["score"]["above"][1] == [low, high]
    worse = rs.decision_curve([1, 0, 1, 0], [0.1, 0.9, 0.2, 0.8], thresholds=[0.3, 0.5])
    assert worse.useful_ranges("score") == ()
    assert "above treat all and treat none nowhere" in repr(worse)


def test_14_11_a_fit_does_not_claim_what_it_cannot_know() -> None:
    """Line 11 of issue 14: "+3e-09" as an intercept; the number itself stays as it is."""
    y = np.array(Y, dtype=bool)
    x = np.log(P) - np.log1p(-np.array(P))
    line = fit_line(x, y).coefficients
    fitted = 1.0 / (1.0 + np.exp(-(line[0] + 3e-9 + line[1] * x)))
    found = rs.calibration(y, fitted)
    assert 1e-9 < abs(found.intercept.estimate) < 1e-8
    assert found.to_frame()["estimate"][1] == found.intercept.estimate
    (line_shown,) = (row for row in repr(found).splitlines() if row.startswith("intercept"))
    assert line_shown.split()[1:3] == ["0.0000", "0.0000"]
    assert "e-" not in line_shown
    assert "e-05" in repr(rs.calibration(Y, P))  # a p-value keeps its digits
