"""Variances and intervals against their definitions, written out here without rocstats."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import rocstats as rs

EXACT = 1e-12  # a few hundred roundings of sums of at most some hundred terms
FAR_TAIL = 1e-9  # a t quantile of 1e3, exponentiated, magnifies roundings of df and SE
ROOT = 1e-12  # the solver stops at 1e-15; the equations are evaluated to about 1e-13

UNIT_METHODS = ("logit", "logit_t", "probit", "arcsine", "kl", "newcombe")
METHODS = (*UNIT_METHODS, "score", "score_t", "wald", "wald_t", "log", "log_t", "hanley-mcneil")
SOLVED = ("kl", "newcombe", "score", "score_t")  # for their equations see below, and 7.8
LEVELS = (0.5, 0.8, 0.95, 0.999, 0.999999)

NORMAL_READINGS, ABNORMAL_READINGS = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)  # Hanley & McNeil 1982


def _data(pos, neg):
    return np.repeat([1, 0], [len(pos), len(neg)]), np.concatenate([pos, neg]).astype(float)


def _draw(seed, m, n, *, ties=False):
    rng = np.random.default_rng(seed)
    pos, neg = rng.beta(4, 2, m), rng.beta(2, 3, n)
    return (np.round(8 * pos) / 8, np.round(8 * neg) / 8) if ties else (pos, neg)


SMALL = [(2, 2, False), (2, 2, True), (3, 7, False), (8, 5, True), (2, 60, False), (60, 2, True)]


# --------------------------------------------------------- definitions, by pairs and by weights


def _win(pos, neg):
    return (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)


def _margin(pos, neg):
    return np.maximum(pos[:, None] - neg, 0.0)


class PairMean:
    """Components, variances and degrees of freedom of a mean over pairs (2.2, 2.4, 7.2)."""

    def __init__(self, kernel, pos, neg):
        h = kernel(pos, neg)
        m, n = h.shape
        self.value = h.mean()
        s10, s01 = h.mean(axis=1).var(ddof=1), h.mean(axis=0).var(ddof=1)
        self.delong = s10 / m + s01 / n
        self.wu = (s10 * (n - 1) + s01 * (m - 1)) / (m * n)
        # Products over pairs that share nobody: the mean square less those is the variance.
        apart = h.sum() ** 2 - (h.sum(axis=1) ** 2).sum() - (h.sum(axis=0) ** 2).sum()
        self.unbiased = self.value**2 - (apart + (h**2).sum()) / (m * (m - 1) * n * (n - 1))
        parts = (s10 / m) ** 2 / (m - 1) + (s01 / n) ** 2 / (n - 1)
        self.df = self.delong**2 / parts if parts > 0 else math.nan


def _smooth_area(pos, neg, midpoint, weight):
    """The double sum (4.1); an analytic function of `weight`, which may be complex."""
    score, positive = np.concatenate([pos, neg]), np.repeat([True, False], [len(pos), len(neg)])
    fit = np.where(score >= midpoint, score, 1 - score)
    theta = np.where(positive, fit, 1 - fit)
    beats = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    up, right = weight * theta, weight * (1 - theta)
    return up @ beats @ right / (up.sum() * right.sum())


class Smooth:
    """smAUC, its influence by differentiating (4.1) in every weight, and the secant (4.6, 4.7)."""

    def __init__(self, pos, neg, midpoint=0.5, class_weight=None):
        m, n = len(pos), len(neg)
        share = 0.5 if class_weight == "balanced" else class_weight
        w_pos, w_neg = (1.0, 1.0) if share is None else (share / m, (1 - share) / n)
        base = np.repeat([w_pos, w_neg], [m, n])
        ratio = {"paper": n / m, "class_mean": 1.0}.get(midpoint)
        c = midpoint if ratio is None else (pos.mean() + ratio * neg.mean()) / 2
        self.value = _smooth_area(pos, neg, c, base)
        step = 1e-30j  # the complex step loses no digits
        bump = base * (1 + step * np.eye(m + n))
        slope = np.array([_smooth_area(pos, neg, c, w).imag / 1e-30 for w in bump])
        self.sensitivity = slope[:m].sum()
        self.cohort = (m + n) / (m + n - 1) * (slope**2).sum()
        inf_pos, inf_neg = m * slope[:m], n * slope[m:]
        if ratio is not None:
            h = 2 * math.sqrt(pos.var(ddof=1) / (4 * m) + ratio**2 * neg.var(ddof=1) / (4 * n))
            ahead, back = (_smooth_area(pos, neg, c + d, base) for d in (h, -h))
            secant = (ahead - back) / (2 * h)
            inf_pos = inf_pos + secant * pos / 2
            inf_neg = inf_neg + secant * ratio * neg / 2
        self.delong = inf_pos.var(ddof=1) / m + inf_neg.var(ddof=1) / n
        mass = m * w_pos / (m * w_pos + n * w_neg)
        score = np.concatenate([pos, neg])
        fit = np.where(score >= c, score, 1 - score)
        theta = mass * fit + (1 - mass) * (1 - fit)
        beats = (score[:, None] > score) + 0.5 * (score[:, None] == score)
        self.chance = theta @ beats @ (1 - theta) / (theta.sum() * (1 - theta).sum())
        self.midpoint = c


# ------------------------------------------------------------------------------------ variances


@pytest.mark.parametrize(("m", "n", "ties"), SMALL)
@pytest.mark.parametrize(("estimator", "kernel"), [(rs.auc, _win), (rs.sauc, _margin)])
@pytest.mark.filterwarnings("ignore::rocstats.DegenerateVarianceWarning")
def test_variances_of_pair_means_follow_their_definitions(estimator, kernel, m, n, ties):
    for seed in range(20):
        pos, neg = _draw(seed, m, n, ties=ties)
        truth, e = PairMean(kernel, pos, neg), estimator(*_data(pos, neg))
        assert e.value == pytest.approx(truth.value, rel=EXACT)
        for method in ("delong", "wu", "unbiased"):
            expected = getattr(truth, method)
            assert e.variance(method=method) == pytest.approx(expected, abs=EXACT), method


@pytest.mark.parametrize("class_weight", [None, "balanced", 0.2])
@pytest.mark.parametrize("midpoint", [0.5, 0.3, 1.0, "paper", "class_mean"])
@pytest.mark.parametrize(("m", "n", "ties"), SMALL)
@pytest.mark.filterwarnings("ignore::rocstats.MidOutOfRangeWarning")
@pytest.mark.filterwarnings("ignore::rocstats.DegenerateVarianceWarning")
def test_smauc_influence_is_the_derivative_in_the_weights(m, n, ties, midpoint, class_weight):
    for seed in range(5):
        pos, neg = _draw(seed, m, n, ties=ties)
        if np.ptp(pos) == 0.0 == np.ptp(neg):
            continue  # no step for the secant; see test_no_spread_no_secant
        truth = Smooth(pos, neg, midpoint, class_weight)
        e = rs.smauc(*_data(pos, neg), midpoint=midpoint, class_weight=class_weight)
        assert e.value == pytest.approx(truth.value, rel=EXACT)
        assert e.variance() == pytest.approx(truth.delong, abs=EXACT)
        assert e.details["midpoint"] == pytest.approx(truth.midpoint, rel=EXACT)
        assert e.details["chance"] == pytest.approx(truth.chance, abs=EXACT)
        assert e.details["prevalence_sensitivity"] == pytest.approx(truth.sensitivity, abs=EXACT)
        if class_weight is None and not isinstance(midpoint, str):
            assert e.variance(method="cohort") == pytest.approx(truth.cohort, abs=EXACT)


def test_the_secant_matters_and_leaves_a_fixed_midpoint_alone():
    pos, neg = _draw(3, 30, 90)
    y, s = _data(pos, neg)
    moving = rs.smauc(y, s, midpoint="class_mean")
    still = rs.smauc(y, s, midpoint=moving.details["midpoint"])
    assert moving.value == still.value
    assert abs(moving.std_error / still.std_error - 1) > 1e-3


def test_no_spread_no_secant():
    e = rs.smauc(*_data([0.75] * 3, [0.25] * 5), midpoint="paper")
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert e.std_error == 0.0


def test_cohort_variance_exceeds_the_stratified_by_the_sensitivity():
    m, n = 400, 3600
    e = rs.smauc(*_data(*_draw(1, m, n)))
    excess = e.details["prevalence_sensitivity"] ** 2 * (m + n) / (m * n)
    # Both differ from the definition's by divisors only: one part in m.
    assert e.variance(method="cohort") == pytest.approx(e.variance() + excess, rel=2 / m)


def test_cohort_variance_is_refused_where_it_is_not_derived():
    y, s = _data([0.9, 0.6, 0.3], [0.7, 0.4, 0.1])
    for e in (
        rs.auc(y, s),
        rs.smauc(y, s, midpoint="class_mean"),
        rs.smauc(y, s, class_weight="balanced"),
    ):
        with pytest.raises(rs.InvalidOptionError, match="cohort"):
            e.variance(method="cohort")
    with pytest.raises(rs.InvalidOptionError, match="pairs"):
        rs.smauc(y, s).variance(method="unbiased")


def test_unbiased_variance_below_zero_is_reported_with_a_warning():
    # AUC and sAUC rise in one score and fall in the other and stay above zero; this does not.
    def near(a, b):
        return (np.abs(a - b) < 1).astype(float)

    measure = rs.Measure(name="near", label="near", kernel=rs.pairwise_kernel("near", near))
    pos, neg = np.array([0.0, 3.0, 9.0]), np.array([0.0, 3.0])
    truth = PairMean(lambda y, x: near(y[:, None], x), pos, neg)
    (e,) = rs.estimate(*_data(pos, neg), measures=measure).rows
    assert truth.unbiased < 0.0 < truth.delong
    assert e.std_error**2 == pytest.approx(truth.delong, rel=EXACT)
    with pytest.warns(rs.DegenerateVarianceWarning, match="delong"):
        assert e.variance(method="unbiased") == pytest.approx(truth.unbiased, rel=EXACT)


# ------------------------------------------------------------------------------ interval formulas


def _expected(method, t, se, df, m, n, level):
    tail = (1 - level) / 2
    q = stats.t.isf(tail, df) if method.endswith("_t") else stats.norm.isf(tail)
    if method in ("wald", "wald_t"):
        return t - q * se, t + q * se
    if method in ("log", "log_t"):
        return t * math.exp(-q * se / t), t * math.exp(q * se / t)
    if method == "hanley-mcneil":
        q1, q2 = t / (2 - t), 2 * t**2 / (1 + t)
        v = (t * (1 - t) + (m - 1) * (q1 - t**2) + (n - 1) * (q2 - t**2)) / (m * n)
        return t - q * math.sqrt(v), t + q * math.sqrt(v)
    if method == "arcsine":
        reach = q * se / (2 * math.sqrt(t * (1 - t)))
        angles = np.clip([math.asin(math.sqrt(t)) + d for d in (-reach, reach)], 0, math.pi / 2)
        return tuple(np.sin(angles) ** 2)
    scale = stats.norm if method == "probit" else stats.logistic
    x = scale.ppf(t)
    reach = q * se / scale.pdf(x)
    return scale.cdf(x - reach), scale.cdf(x + reach)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("m", "n"), [(3, 4), (12, 12), (4, 200), (200, 4)])
def test_closed_forms(m, n, level):
    pos, neg = np.linspace(0.3, 0.9, m), np.linspace(0.0, 0.7, n)
    for estimator, kernel in ((rs.auc, _win), (rs.sauc, _margin)):
        truth, e = PairMean(kernel, pos, neg), estimator(*_data(pos, neg))
        for method in METHODS:
            if method in SOLVED or (method == "hanley-mcneil" and kernel is _margin):
                continue
            ci = e.confidence_interval(confidence_level=level, method=method)
            expected = _expected(
                method, truth.value, math.sqrt(truth.delong), truth.df, m, n, level
            )
            assert (ci.low, ci.high) == pytest.approx(expected, rel=FAR_TAIL, abs=EXACT), method
            assert (ci.method, ci.confidence_level) == (method, level)


def _newcombe_excess(t, a, m, n, z):
    star = (m + n) / 2 - 1
    v = t * (1 - t) * (1 + star * (1 - t) / (2 - t) + star * t / (1 + t)) / (m * n)
    return (a - t) ** 2 - z**2 * v


def _kl_excess(t, p, k, alpha):
    if not 0 < t < 1:
        return math.inf
    loss = p * math.log(p / t) if p > 0 else 0.0
    gain = (1 - p) * math.log((1 - p) / (1 - t)) if p < 1 else 0.0
    return k * (loss + gain) - math.log(2 / alpha)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("wins", [0, 1, 9, 50, 99, 100])
@pytest.mark.parametrize(("m", "n"), [(100, 2), (100, 100), (100, 5000)])
def test_newcombe_and_kl_limits_solve_their_equations(m, n, wins, level):
    pos = np.repeat([2.0, 0.0], [wins, m - wins])
    e = rs.auc(*_data(pos, np.ones(n)))
    z, alpha = stats.norm.isf((1 - level) / 2), 1 - level
    for method, excess in (
        ("newcombe", lambda t: _newcombe_excess(t, e.value, m, n, z)),
        ("kl", lambda t: _kl_excess(t, e.value, min(m, n), alpha)),
    ):
        ci = e.confidence_interval(confidence_level=level, method=method)
        for limit, edge in ((ci.low, 0.0), (ci.high, 1.0)):
            if e.value == edge:
                assert limit == edge
                continue
            inner = limit + math.copysign(ROOT, e.value - limit)
            assert excess(inner) < 0.0, (method, edge)
            if abs(limit - edge) > ROOT:
                outer = limit + math.copysign(ROOT, edge - limit)
                assert excess(outer) > 0.0, (method, edge)


def test_hanley_and_mcneil_1982_published_example():
    readings = np.arange(1, 6)
    neg, pos = (np.repeat(readings, k) for k in (NORMAL_READINGS, ABNORMAL_READINGS))
    e = rs.auc(*_data(pos, neg))
    ci = e.confidence_interval(method="hanley-mcneil")
    std_error = (ci.high - ci.low) / (2 * stats.norm.isf(0.025))
    assert (round(e.value, 3), round(std_error, 3)) == (0.893, 0.032)


# --------------------------------------------------------------- what every interval promises


def _named_estimates():
    y, s = _data(*_draw(5, 15, 9))
    wide = _data(*_draw(6, 3, 300))
    return {
        "auc": rs.auc(y, s),
        "auc of two and two": rs.auc(*_data([3, 1], [2, 0])),
        "auc unbalanced": rs.auc(*wide),
        "sauc": rs.sauc(y, s),
        "sauc in score units": rs.sauc(y, 40 * s - 7),
        "sauc rescaled": rs.sauc(y, 40 * s - 7, bounds=(-7, 33)),
        "sauc flipped": rs.sauc(y, -s, higher_is_positive=False),
        "smauc": rs.smauc(y, s),
        "smauc class_mean": rs.smauc(*wide, midpoint="class_mean"),
        "smauc flipped": rs.smauc(y, 1 - s, higher_is_positive=False),
    }


@pytest.mark.parametrize("name", list(_named_estimates()))
def test_limits_hold_the_estimate_and_widen_with_the_level(name):
    e = _named_estimates()[name]
    for method in ("auto", *METHODS):
        try:
            limits = [
                e.confidence_interval(confidence_level=level, method=method) for level in LEVELS
            ]
        except rs.InvalidOptionError:
            continue  # not offered for this measure; see test_refusals
        lows, highs = np.array([(ci.low, ci.high) for ci in limits]).T
        assert (np.diff(lows) <= 0).all(), method
        assert (np.diff(highs) >= 0).all(), method
        assert (lows < e.value).all(), method
        assert (highs > e.value).all(), method
        if limits[0].method in (*UNIT_METHODS, "score", "score_t"):
            assert lows.min() >= 0.0, method
            assert highs.max() <= 1.0, method
        if limits[0].method in ("log", "log_t"):
            assert lows.min() >= 0.0, method


def test_clipping_cuts_to_the_range_of_the_value():
    unit = rs.auc(*_data([3, 4, 1], [2, 0])).confidence_interval(method="wald", clip=True)
    assert unit.high == 1.0
    raw = rs.sauc(*_data([30, 40, 10], [20, 0])).confidence_interval(method="wald", clip=True)
    assert raw.low == 0.0
    assert raw.high > 1.0


def test_refusals():
    y, s = _data(*_draw(5, 6, 9))
    for method in ("newcombe", "hanley-mcneil", "score", "score_t"):
        with pytest.raises(rs.InvalidOptionError, match="AUC only"):
            rs.sauc(y, s).confidence_interval(method=method)
    for method in ("logit", "logit_t", "probit", "arcsine", "kl"):
        with pytest.raises(rs.InvalidOptionError, match=method):
            rs.sauc(y, 40 * s).confidence_interval(method=method)
    with pytest.raises(rs.InvalidOptionError, match="kl"):
        rs.smauc(y, s).confidence_interval(method="kl")
    for level in (0.0, 1.0, math.nan, 95):
        with pytest.raises(rs.InvalidOptionError, match="confidence_level"):
            rs.auc(y, s).confidence_interval(confidence_level=level)


# ------------------------------------------------------------------------------- units and signs


def test_score_units_scale_and_shift_as_they_should():
    pos, neg = _draw(8, 9, 12)
    y, s = _data(pos, neg)
    plain, scaled = rs.sauc(y, s), rs.sauc(y, 1024 * s - 512)
    assert scaled.value == pytest.approx(1024 * plain.value, rel=EXACT)
    assert scaled.std_error == pytest.approx(1024 * plain.std_error, rel=EXACT)
    back = rs.sauc(y, 1024 * s - 512, bounds=(-512, 512))
    limits = (back.confidence_interval(), plain.confidence_interval())
    assert limits[0].method == limits[1].method == "logit_t"
    assert limits[0].low == pytest.approx(limits[1].low, rel=EXACT)
    assert limits[0].high == pytest.approx(limits[1].high, rel=EXACT)


@pytest.mark.parametrize("estimator", [rs.auc, rs.sauc, rs.smauc])
def test_a_flipped_marker_is_one_less_the_score(estimator):
    y, s = _data(*_draw(9, 7, 11, ties=True))
    up, down = estimator(y, s), estimator(y, 1 - s, higher_is_positive=False)
    assert down.value == pytest.approx(up.value, rel=EXACT)
    assert down.std_error == pytest.approx(up.std_error, rel=EXACT)
    assert down.confidence_interval().low == pytest.approx(up.confidence_interval().low, rel=EXACT)


@pytest.mark.parametrize("scale", [1e300, 1e150, 1e-150, 1e-300])
def test_extreme_units_leave_relative_answers_alone(scale):
    y, s = _data(*_draw(10, 6, 8))
    assert rs.auc(y, s * scale).variance() == pytest.approx(rs.auc(y, s).variance(), rel=EXACT)
    plain, extreme = rs.sauc(y, s), rs.sauc(y, s * scale)
    assert extreme.value / scale == pytest.approx(plain.value, rel=EXACT)
    assert extreme.std_error / scale == pytest.approx(plain.std_error, rel=EXACT)
    plain_ci, extreme_ci = (e.confidence_interval(method="log_t") for e in (plain, extreme))
    assert extreme_ci.low / scale == pytest.approx(plain_ci.low, rel=EXACT)
    assert extreme_ci.high / scale == pytest.approx(plain_ci.high, rel=EXACT)


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([1e300, 2.0, 0.5], [1.0, 1.5, 0.0]),
        ([1e160, 2e160], [1.0, 1.5, 0.0]),
        # Every margin is tiny, and a huge negative is above them all.
        ([0.0, 1e-300], [0.75, 1e300, 0.25, -2e-300, -1e-300]),
    ],
)
def test_one_huge_score_still_has_a_standard_error(pos, neg):
    # Components are means over the other class; divide by the largest before squaring.
    h = _margin(np.array(pos), np.array(neg)) / max(pos)
    m, n = h.shape
    expected = math.sqrt(h.mean(axis=1).var(ddof=1) / m + h.mean(axis=0).var(ddof=1) / n)
    assert rs.sauc(*_data(pos, neg)).std_error / max(pos) == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize("scale", [1e200, 1e-300])
def test_correlation_does_not_depend_on_the_unit(scale):
    y, s = _data(*_draw(10, 6, 8))
    plain, extreme = (rs.estimate(y, k * s, measures=("auc", "sauc")) for k in (1.0, scale))
    assert extreme.correlation == pytest.approx(plain.correlation, rel=EXACT)


# ---------------------------------------------------------------------- degenerate rules (0.4, 9)


@pytest.mark.parametrize("estimator", [rs.auc, rs.sauc, rs.smauc])
@pytest.mark.parametrize(("pos", "neg"), [([0.5], [0.25, 0.75]), ([0.5, 0.25], [0.25])])
def test_one_subject_in_a_class_gives_an_estimate_and_nothing_more(estimator, pos, neg):
    e = estimator(*_data(pos, neg))
    assert 0.0 <= e.value <= 1.0
    with pytest.warns(rs.SmallSampleWarning):
        assert math.isnan(e.std_error)
    for method in ("delong", "cohort") if estimator is rs.smauc else ("delong", "wu", "unbiased"):
        with pytest.warns(rs.SmallSampleWarning):
            assert math.isnan(e.variance(method=method))
    with pytest.warns(rs.SmallSampleWarning):
        ci = e.confidence_interval()
    assert math.isnan(ci.low)
    assert math.isnan(ci.high)


def test_covariance_with_one_subject_in_a_class_is_nan_with_a_warning():
    found = rs.estimate(*_data([0.5], [0.25, 0.75]))
    with pytest.warns(rs.SmallSampleWarning):
        covariance = found.covariance
    assert np.isnan(covariance).all()


def test_all_scores_tied():
    y, s = _data([0.375] * 4, [0.375] * 7)
    values = {rs.auc: 0.5, rs.sauc: 0.0, rs.smauc: 0.5}
    for estimator, value in values.items():
        e = estimator(y, s)
        assert e.value == value
        with pytest.warns(rs.DegenerateVarianceWarning):
            assert e.std_error == 0.0
    assert math.isnan(rs.sauc(y, s).details["rsauc"])
    assert rs.auc(y, s).confidence_interval().method == "score"
    with pytest.warns(rs.DegenerateVarianceWarning):
        rs.smauc(y, s).confidence_interval()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("m", "n"), [(2, 2), (10, 10), (3, 500)])
def test_at_the_edge_the_limit_is_the_exact_bound(m, n, level):
    bound = ((1 - level) / 2) ** (1 / min(m, n))
    y, s = _data([1.0] * m, [0.0] * n)
    for estimator in (rs.auc, rs.sauc, rs.smauc):
        best, worst = estimator(y, s), estimator(1 - y, s)
        assert best.value == 1.0
        for method in ("logit", "logit_t", "probit", "arcsine", "kl"):
            if method == "kl" and estimator is rs.smauc:
                continue
            ci = best.confidence_interval(confidence_level=level, method=method)
            assert (ci.low, ci.high) == (pytest.approx(bound, abs=ROOT), 1.0)
            if worst.value == 0.0:
                ci = worst.confidence_interval(confidence_level=level, method=method)
                assert (ci.low, ci.high) == (0.0, pytest.approx(1 - bound, abs=ROOT))
    found = rs.auc(y, s).confidence_interval(confidence_level=level)
    newcombe = rs.auc(y, s).confidence_interval(confidence_level=level, method="newcombe")
    assert found.method == "score"
    assert newcombe.method == "newcombe"
    assert tuple(found) == tuple(newcombe)
    assert newcombe.low < 1.0 == newcombe.high
    for method in ("wald", "hanley-mcneil"):
        with pytest.warns(rs.DegenerateVarianceWarning):
            ci = rs.auc(y, s).confidence_interval(confidence_level=level, method=method)
        assert (ci.low, ci.high) == (1.0, 1.0)


def test_worked_numbers():
    ten = rs.auc(*_data([1.0] * 10, [0.0] * 10)).confidence_interval(method="logit")
    assert ten.low == pytest.approx(0.6915, abs=5e-5)
    y, s = _data([1.0, 0.7, 0.6], [0.5, 0.4, 0.0])
    assert rs.smauc(y, s).variance() == pytest.approx(0.014007950464619643, rel=EXACT)
    y, s = _data([1.0, 0.9, 0.5], [0.6, 0.2, 0.0])
    assert rs.auc(y, s).variance() == pytest.approx(2 / 81, rel=EXACT)
    assert rs.auc(y, s).variance(method="unbiased") == pytest.approx(1 / 81, rel=EXACT)


def test_sauc_of_zero():
    on_unit = rs.sauc(*_data([0.1, 0.2], [0.3, 0.4, 0.5]))
    ci = on_unit.confidence_interval()
    assert (ci.low, ci.high) == (0.0, pytest.approx(1 - 0.025**0.5, abs=ROOT))
    in_score_units = rs.sauc(*_data([1, 2], [3, 4, 5]))
    with pytest.warns(rs.DegenerateVarianceWarning):
        ci = in_score_units.confidence_interval()
    assert ci.method == "log_t"
    assert math.isnan(ci.low)
    assert math.isnan(ci.high)


def test_data_dependent_bounds_have_no_standard_error():
    for estimator in (rs.sauc, rs.smauc):
        e = estimator(*_data([3.0, 9.0], [1.0, 5.0]), bounds="range")
        with pytest.warns(rs.DegenerateVarianceWarning):
            assert math.isnan(e.std_error)
        with pytest.warns(rs.DegenerateVarianceWarning):
            assert math.isnan(e.confidence_interval().low)


# --------------------------------------------------------------------- the default method (7.7)


@pytest.mark.parametrize(
    ("won", "of", "method"),
    [
        *((won, 30, "score") for won in (0, 2, 15, 28, 30)),
        *((won, 60, "score") for won in (0, 19, 41, 60)),
        *((won, 60, "logit") for won in (20, 30, 40)),
        *((won, 10, "score") for won in (2, 5, 8)),
    ],
)
def test_auto_takes_the_variance_at_the_limits_below_twenty_losses(won, of, method):
    """``min(A, 1 - A) * min(m, n) < 20``; here that product is ``min(won, of - won)``."""
    e = rs.auc(*_data(np.repeat([2.0, 0.0], [won, of - won]), np.ones(of)))
    assert e.value == won / of
    assert e.confidence_interval().method == method


def test_auto_for_the_other_measures():
    y, s = _data(*_draw(11, 6, 9))
    assert rs.sauc(y, s).confidence_interval().method == "logit_t"
    assert rs.smauc(y, s).confidence_interval().method == "score_t"
    assert rs.sauc(y, s + 5).confidence_interval().method == "log_t"
    assert rs.sauc(y, s + 5, bounds=(5, 6)).confidence_interval().method == "logit_t"
    assert rs.sauc(y, 1 - s, higher_is_positive=False).confidence_interval().method == "logit_t"
    assert rs.sauc(y, -s, higher_is_positive=False).confidence_interval().method == "log_t"


# --------------------------------------------------------------------------------- clusters


def _copied(pos, neg, copies):
    y, s = _data(pos, neg)
    cluster = np.repeat(np.arange(y.size), copies)
    return rs.ScoredSample.from_arrays(np.repeat(y, copies), np.repeat(s, copies), cluster=cluster)


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
def test_copies_of_subjects_are_worth_one_each(shift):
    """The interval is that of the subjects themselves, with t for normal quantiles."""
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(shift, 1.0, 15), rng.normal(size=15)
    once, copies = rs.auc(*_data(pos, neg)), rs.auc(_copied(pos, neg, 6))
    truth = PairMean(_win, pos, neg)
    z = stats.t.isf(0.025, truth.df)
    named, newcombe = (copies.confidence_interval(method=m) for m in ("logit_t", "newcombe"))
    alone = once.confidence_interval(method="logit_t")
    assert (named.low, named.high) == pytest.approx((alone.low, alone.high), abs=1e-10)
    for limit in (newcombe.low, newcombe.high):
        excess = _newcombe_excess(limit, once.value, 15, 15, z)
        assert limit == 1.0 or abs(excess) < 1e-10
    found, by_t = copies.confidence_interval(), once.confidence_interval(method="score_t")
    assert found.method == "score"
    assert (found.low, found.high) == pytest.approx((by_t.low, by_t.high), abs=1e-10)


@pytest.mark.parametrize(("area", "method"), [(0.6, "logit_t"), (0.95, "score")])
def test_the_recommended_interval_counts_losses_of_clusters(area, method):
    """Six copies of sixty have the losses of sixty."""
    won = round(60 * area)
    pos, neg = np.repeat([2.0, 0.0], [won, 60 - won]), np.ones(60)
    found = rs.auc(_copied(pos, neg, 6)).confidence_interval()
    assert found.method == method


def test_clusters_of_one_change_no_interval():
    pos, neg = _draw(5, 20, 30)
    for method in METHODS:
        for estimator in (rs.auc, rs.sauc):
            if estimator is rs.sauc and method in ("hanley-mcneil", *SOLVED[1:]):
                continue
            plain, told = estimator(*_data(pos, neg)), estimator(_copied(pos, neg, 1))
            limits = [e.confidence_interval(method=method) for e in (plain, told)]
            assert limits[0].low == pytest.approx(limits[1].low, abs=EXACT)
            assert limits[0].high == pytest.approx(limits[1].high, abs=EXACT)


def test_bounds_for_certain_count_clusters():
    """Hoeffding's bound holds for disjoint clusters only, whatever they are worth."""
    pos, neg = _draw(6, 12, 12)
    once, copies = rs.auc(*_data(pos, neg)), rs.auc(_copied(pos, neg, 4))
    for found, expected in zip(
        *((c.low, c.high) for c in (e.confidence_interval(method="kl") for e in (copies, once))),
        strict=True,
    ):
        assert found == pytest.approx(expected, abs=EXACT)
    perfect = rs.auc(_copied(pos + 9.0, neg, 4))
    assert perfect.confidence_interval(method="logit").low == pytest.approx(0.025 ** (1 / 12))
    assert perfect.confidence_interval() == (rs.auc(*_data(pos + 9.0, neg)).confidence_interval())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "area", "least", "widest"),
    [("half", 0.6, 0.925, 0.3), ("any", 0.95, 0.925, 0.13), ("one", 0.95, 0.925, 0.13)],
)
def test_intervals_with_clusters_cover_and_are_no_wider_than_need_be(kind, area, least, widest):
    """docs/evidence/clusters.md: normal quantiles covered .91, counts of clusters .30 in width."""
    found = _clusters_study().coverage(kind, 12, 16, 0.0, area, 400)["auto"]
    assert found[0] >= least
    assert found[1] <= widest


def _clusters_study():
    path = Path(__file__).parents[2] / "docs" / "evidence" / "clusters.py"
    spec = importlib.util.spec_from_file_location("clusters_study", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("m", [3, 7, 8, 11, 20, 45, 60])
def test_clusters_whose_parts_cancel_have_no_variance(m: int) -> None:
    """Alike within every pair, the AUC is 1/2 in every draw of pairs; the rest is rounding."""
    rng = np.random.default_rng(m)
    for score in rng.integers(0, 30, (10, m)).astype(float):
        pair = np.tile(np.arange(m), 2)
        found = rs.auc(np.repeat([1, 0], m), np.tile(score, 2), cluster=pair)
        low, high = found.confidence_interval()
        assert (found.value, found.std_error) == (0.5, 0.0)
        assert min(0.5 - low, high - 0.5) > 0.25 / math.sqrt(m)
