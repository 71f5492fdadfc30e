"""Precision-recall curve, average precision and Gini: scikit-learn, exact fractions, laws."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from scipy import integrate, stats
from sklearn import metrics

import rocstats as rs
from rocstats.estimates.average_precisions import perfect_bound
from rocstats.plots.curve_plots import thin_steps

mpl.use("Agg")

ROUNDING = 1e-12  # a few hundred additions of doubles
DIFFERENCE = 2e-6  # truncation of a central difference with a step of 1e-4
STEP = 1e-4
MC_ERRORS = 4.0  # Monte-Carlo standard errors: one false alarm in 16 000


def rounded_sample(n: int = 300, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return y, np.round(rng.normal(size=n) + 0.9 * y, 1)


def exact_average_precision(y: np.ndarray, s: np.ndarray) -> Fraction:
    """Mean over the positives of the share of positives at or above each."""
    at = [
        Fraction(int(((s >= t) & (y == 1)).sum()), int((s >= t).sum())) for t in s[y == 1].tolist()
    ]
    return sum(at, Fraction(0)) / len(at)


def test_average_precision_is_the_exact_fraction(named_sample: Any) -> None:
    y, s = named_sample
    exact = float(exact_average_precision(y, s))
    curve = rs.precision_recall_curve(y, s)
    assert curve.average_precision() == pytest.approx(exact, abs=ROUNDING)
    assert rs.average_precision(y, s).value == pytest.approx(exact, abs=ROUNDING)


def test_curve_and_average_are_those_of_scikit_learn() -> None:
    y, s = rounded_sample()
    precision, recall, threshold = metrics.precision_recall_curve(y, s)
    curve = rs.precision_recall_curve(y, s)
    np.testing.assert_array_equal(curve.precision, precision[:-1][::-1])
    np.testing.assert_array_equal(curve.recall, recall[:-1][::-1])
    np.testing.assert_array_equal(curve.threshold, threshold[::-1])
    average = metrics.average_precision_score(y, s)
    assert curve.average_precision() == pytest.approx(average, abs=ROUNDING)
    assert rs.average_precision(y, s).value == pytest.approx(average, abs=ROUNDING)


def test_average_is_the_area_under_at() -> None:
    y, s = rounded_sample(n=40)
    curve = rs.precision_recall_curve(y, s)
    middles = (np.arange(curve.n_pos) + 0.5) / curve.n_pos  # recall is constant between them
    area = curve.at(recall=middles).precision.mean()
    assert area == pytest.approx(curve.average_precision(), abs=ROUNDING)


def test_at() -> None:
    curve = rs.precision_recall_curve([1, 0, 1, 0, 1], [5, 4, 3, 3, 1])
    point = curve.at(recall=0.5)
    assert (point.recall, point.precision, point.threshold) == (2 / 3, 0.5, 3.0)
    assert curve.at(recall=[0.0, 1.0]).precision.tolist() == [1.0, 0.6]
    assert curve.at(threshold=3.5).precision == 0.5
    none = curve.at(threshold=6.0)
    assert (none.recall, math.isnan(none.precision)) == (0.0, True)
    low = rs.precision_recall_curve([1, 0, 1], [1, 2, 3], higher_is_positive=False)
    assert low.threshold.tolist() == [1.0, 2.0, 3.0]
    assert low.at(threshold=2.5).to_dict() == {"recall": 0.5, "precision": 0.5, "threshold": 2.5}
    assert curve.at(recall=[0.0, 1.0]).to_frame().shape == (2, 3)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ({}, "Give one of recall and threshold"),
        ({"recall": 0.5, "threshold": 1.0}, "Give one of"),
        ({"recall": 1.5}, r"within \[0, 1\]"),
        ({"recall": "half"}, "recall must be a number"),
        ({"threshold": math.nan}, "threshold must be a number"),
    ],
)
def test_at_refusals(where: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        rs.precision_recall_curve([1, 0], [2, 1]).at(**where)


def test_interpolated_area_is_davis_and_goadrichs_integral() -> None:
    y, s = rounded_sample(n=60)
    curve = rs.precision_recall_curve(y, s)
    tp, fp = np.append(0, curve.tp), np.append(0, curve.fp)
    area = 0.0
    for i in np.flatnonzero(np.diff(tp)):
        slope = (fp[i + 1] - fp[i]) / (tp[i + 1] - tp[i])

        def precision(x: float, i: int = i, slope: float = slope) -> float:
            return x / (x + fp[i] + slope * (x - tp[i])) if x > 0.0 else 1.0 / (1.0 + slope)

        area += integrate.quad(precision, tp[i], tp[i + 1])[0]
    assert curve.interpolated_area() == pytest.approx(area / curve.n_pos, abs=1e-10)


def test_the_interpolated_area_stands_beside_the_average_precision() -> None:
    y, s = rounded_sample(n=60)
    curve = rs.precision_recall_curve(y, s)
    found = rs.average_precision(y, s)
    assert found.details["interpolated_area"] == curve.interpolated_area()
    assert found.to_dict()["interpolated_area"] == curve.interpolated_area()
    assert f"{curve.interpolated_area():.4f}" in str(curve)


def test_a_worked_interpolation() -> None:
    """Two points, (5, 5) and (10, 30) of 20 positives: Davis & Goadrich's own, section 4.

    Between them a positive brings 5 negatives: precision 6/16, 7/22, 8/28, 9/34 on the way, and the
    integral of x / (6 x - 20), which is x / 6 + 20 / 36 log(6 x - 20), from 5 to 10.
    """
    s = np.repeat([3, 2, 1], [10, 30, 80])
    y = np.concatenate([np.repeat([1, 0], k) for k in ((5, 5), (5, 25), (10, 70))])
    curve = rs.precision_recall_curve(y, s)
    first = 5 / 2
    second = 5 / 6 + 20 / 36 * math.log(40 / 10)
    third = 10 / 8 + 40 / 64 * math.log(120 / 40)  # a positive brings 7: x / (8 x - 40)
    assert curve.interpolated_area() == pytest.approx((first + second + third) / 20, abs=ROUNDING)


def test_laws(samples: dict[str, Any]) -> None:
    perfect = rs.precision_recall_curve(*samples["perfect"])
    assert perfect.average_precision() == perfect.interpolated_area() == 1.0
    constant = rs.precision_recall_curve(*samples["constant"])
    assert constant.average_precision() == constant.prevalence == 0.6
    assert constant.interpolated_area() == pytest.approx(0.6, abs=ROUNDING)
    y, s = rounded_sample()
    rising = rs.average_precision(y, np.exp(s))
    assert rising.value == rs.average_precision(y, s).value
    assert rising.std_error == rs.average_precision(y, s).std_error
    flipped = rs.average_precision(y, -s, higher_is_positive=False)
    assert flipped.value == rs.average_precision(y, s).value


@pytest.mark.parametrize("sampling", ["stratified", "cohort"])
def test_influence_is_the_derivative_with_respect_to_a_subjects_weight(sampling: str) -> None:
    y, s = rounded_sample(n=60)
    phi = rs.average_precision(y, s, sampling=sampling).influence.values[0]  # type: ignore[arg-type]

    def weighted(i: int, step: float) -> float:
        peers = y == y[i] if sampling == "stratified" else np.ones(y.size, dtype=bool)
        weight = np.ones(y.size)
        weight[peers] -= step
        weight[i] += step * peers.sum()
        return float(metrics.average_precision_score(y, s, sample_weight=weight))

    slope = [(weighted(i, STEP) - weighted(i, -STEP)) / (2 * STEP) for i in range(y.size)]
    np.testing.assert_allclose(phi, slope, rtol=0.0, atol=y.size * DIFFERENCE)
    assert np.abs(phi).max() > 0.1


def test_standard_error_is_that_of_the_stratified_bootstrap() -> None:
    y, s = rounded_sample(n=400, seed=3)
    rng = np.random.default_rng(5)
    pos, neg = s[y == 1], s[y == 0]
    truth, resamples = np.repeat([1, 0], [pos.size, neg.size]), 1500
    found = [
        rs.precision_recall_curve(
            truth, np.concatenate([rng.choice(pos, pos.size), rng.choice(neg, neg.size)])
        ).average_precision()
        for _ in range(resamples)
    ]
    ratio = rs.average_precision(y, s).std_error / np.std(found)
    assert abs(ratio - 1.0) < MC_ERRORS / math.sqrt(2 * resamples) + 0.01  # 1 / n, with n = 120


def test_clusters_of_copies_say_no_more_than_one_of_each() -> None:
    y, s = rounded_sample(n=80)
    once = rs.average_precision(y, s)
    sample = rs.ScoredSample.from_arrays(
        np.tile(y, 3), np.tile(s, 3), cluster=np.tile(np.arange(80), 3)
    )
    copies = rs.average_precision(sample)
    assert copies.value == pytest.approx(once.value, abs=ROUNDING)
    assert copies.std_error == pytest.approx(once.std_error, rel=1e-9)


def test_interval_is_on_the_logit_scale() -> None:
    found = rs.average_precision(*rounded_sample())
    limits = found.confidence_interval(method="logit", confidence_level=0.9)
    reach = stats.norm.ppf(0.95) * found.std_error / (found.value * (1.0 - found.value))
    centre = math.log(found.value / (1.0 - found.value))
    assert limits.low == pytest.approx(1 / (1 + math.exp(reach - centre)), abs=ROUNDING)
    assert limits.high == pytest.approx(1 / (1 + math.exp(-reach - centre)), abs=ROUNDING)
    wider = found.confidence_interval(confidence_level=0.9)
    assert wider.method == "logit_t"
    assert wider.high - wider.low > limits.high - limits.low
    row = found.to_dict()
    assert row.pop("subjects")["n_dropped"] == 0
    assert list(row)[:4] == ["classifier", "measure", "estimate", "std_error"]
    assert row["prevalence"] == pytest.approx(found.n_pos / 300, abs=ROUNDING)
    assert found.to_frame().shape == (1, len(row))
    assert "AP of score" in repr(found)
    assert "<table>" in found._repr_html_()


def test_perfect_ranking_has_an_honest_lower_limit(samples: dict[str, Any]) -> None:
    found = rs.average_precision(*samples["perfect"])
    limits = found.confidence_interval()
    assert (limits.method, limits.high) == ("exact", 1.0)
    assert 0.1 < limits.low < 0.9
    with pytest.warns(rs.DegenerateVarianceWarning, match="standard error 0"):
        assert found.std_error == 0.0
    # Two populations in which perfect samples still have probability 0.025.
    m, n, tail = 12, 40, 0.025
    low = perfect_bound(m, n, n / m, tail)[0]
    missed = 1.0 - tail ** (1 / m)  # so many positives below all negatives
    odds = n / m
    assert low < (1 - missed) + missed * (1 - missed / 2) / (1 - missed / 2 + odds)
    passed = odds * (1.0 - tail ** (1 / n))  # so many negatives above all positives
    assert low < 1.0 - passed * math.log((1.0 + passed) / passed)
    assert perfect_bound(1000, 1000, 1.0, tail)[0] > 0.97


def test_degenerate_samples(samples: dict[str, Any]) -> None:
    constant = rs.average_precision(*samples["constant"])
    with pytest.warns(rs.DegenerateVarianceWarning, match="no logit_t interval"):
        assert math.isnan(constant.confidence_interval().low)
    single = rs.average_precision(*samples["one_positive"])
    with pytest.warns(rs.SmallSampleWarning, match="1 positive and 3 negatives"):
        assert math.isnan(single.std_error)
    with pytest.warns(rs.SmallSampleWarning, match="no logit_t interval"):
        assert math.isnan(single.confidence_interval().high)
    assert single.to_dict()["conf_low"] is None
    assert math.isnan(single.to_frame()["conf_low"][0])


def test_refusals() -> None:
    with pytest.raises(rs.InvalidOptionError, match="sampling must be one of 'stratified'"):
        rs.average_precision([1, 0], [2, 1], sampling="case-control")  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="method must be one of"):
        rs.average_precision([1, 0, 1], [2, 1, 0]).confidence_interval(method="newcombe")
    with pytest.raises(rs.SingleClassError, match="one class only"):
        rs.precision_recall_curve([1, 1], [2, 1])
    with pytest.raises(rs.InvalidSampleError, match="missing values"):
        rs.average_precision([1, 0, 1], [2, 1, math.nan])
    two = rs.ScoredSample.from_arrays([1, 0], {"a": [1, 2], "b": [2, 1]})
    with pytest.raises(rs.InvalidOptionError, match="name one with marker="):
        rs.precision_recall_curve(two)
    assert rs.precision_recall_curve(two, marker="b").average_precision() == 1.0


def test_curve_is_a_result() -> None:
    curve = rs.precision_recall_curve(*rounded_sample())
    assert set(curve.to_dict()) - {"classifier", "subjects"} == set(curve.to_frame().columns)
    assert "AP 0." in repr(curve)
    axes = curve.plot()
    assert curve.plot(ax=axes) is axes
    grey = [line for line in axes.lines if line.get_gid() == "chance"]
    assert [line.get_ydata()[0] for line in grey] == [curve.prevalence]
    drawn = axes.lines[1].get_xydata()
    area = (np.diff(drawn[:, 0]) * drawn[1:, 1]).sum()
    assert area == pytest.approx(curve.average_precision(), abs=ROUNDING)
    assert len({line.get_color() for line in axes.lines}) == 3


def test_a_million_points_are_thinned_for_the_eye() -> None:
    rng = np.random.default_rng(1)
    n = 10**6
    y = rng.random(n) < 0.1
    curve = rs.precision_recall_curve(y, rng.normal(size=n) + y)
    x, height = curve.recall, curve.precision
    keep = thin_steps(x, height)
    assert keep.size < 50_000
    redrawn = np.interp(np.arange(n), keep, height[keep])
    assert np.abs(redrawn - height).max() <= 1 / 1024
    assert rs.average_precision(y, rng.normal(size=n)).value == pytest.approx(0.1, abs=0.01)


# Coverage of the interval over binormal scores: the truth is an integral.


def true_average_precision(shift: float, scale: float, prevalence: float) -> float:
    def integrand(x: float) -> float:
        pos, neg = stats.norm.sf(x, shift, scale), stats.norm.sf(x)
        share = prevalence * pos / (prevalence * pos + (1 - prevalence) * neg)
        return float(share * stats.norm.pdf(x, shift, scale))

    return float(integrate.quad(integrand, shift - 9 * scale, shift + 9 * scale, limit=400)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shift", "scale", "m", "n"),
    [(0.5, 1.0, 30, 150), (1.2, 1.0, 20, 20), (1.2, 2.0, 15, 60), (3.0, 1.0, 15, 60)],
)
def test_interval_covers(shift: float, scale: float, m: int, n: int) -> None:
    rng, replicates = np.random.default_rng(7), 400
    truth = true_average_precision(shift, scale, m / (m + n))
    y = np.repeat([1, 0], [m, n])
    covered, ratio = 0, []
    for _ in range(replicates):
        s = rng.normal(size=m + n) * np.where(y == 1, scale, 1.0) + shift * y
        found = rs.average_precision(y, s)
        row = found.to_dict()
        covered += row["conf_low"] <= truth <= row["conf_high"]
        ratio.append((found.value, row["std_error"]))
    value, std_error = np.array(ratio).T
    # 1000 replicates in 30 cells: .92 to .99, lowest where AP is biased upwards.
    error = MC_ERRORS * math.sqrt(0.05 * 0.95 / replicates)
    assert 0.92 - error <= covered / replicates <= 0.99 + error
    # There: root mean square of the standard error over the scatter .90 to 1.08.
    spread = math.sqrt((std_error**2).mean()) / value.std()
    assert 0.90 * (1 - MC_ERRORS / math.sqrt(2 * replicates)) < spread < 1.3


# The Gini coefficient.


def test_gini_is_the_auc_on_another_scale() -> None:
    y, s = rounded_sample()
    area, found = rs.auc(y, s), rs.gini(y, s)
    assert found.value == 2 * area.value - 1
    assert found.value == pytest.approx(stats.somersd(y, s).statistic, abs=ROUNDING)
    assert found.std_error == 2 * area.std_error
    for method in ("auto", "wald", "newcombe"):
        ours = found.confidence_interval(method=method, confidence_level=0.9)
        theirs = area.confidence_interval(method=method, confidence_level=0.9)
        assert (ours.low, ours.high) == (2 * theirs.low - 1, 2 * theirs.high - 1)
        assert ours.method == theirs.method
    row = found.to_dict()
    assert (row["measure"], row["estimate"]) == ("gini", found.value)
    assert found.to_frame().loc[0, "conf_low"] == found.confidence_interval().low
    assert found.influence.covariance()[0, 0] == pytest.approx(found.std_error**2, rel=1e-9)
    assert found.influence.estimate[0] == pytest.approx(found.value, abs=ROUNDING)
    assert repr(found).startswith("Gini of score: 0.")
    assert "gini" in found._repr_html_()


def test_gini_is_antisymmetric() -> None:
    y, s = rounded_sample()
    there, back = rs.gini(y, s), rs.gini(y, -s)
    assert back.value == pytest.approx(-there.value, abs=ROUNDING)
    limits, mirrored = there.confidence_interval(), back.confidence_interval()
    assert mirrored.low == pytest.approx(-limits.high, abs=ROUNDING)
    assert rs.gini([1, 1, 0, 0], [4, 3, 2, 1]).value == 1.0
    assert rs.gini([1, 1, 0, 0], [1, 1, 1, 1]).value == 0.0
