"""The interval of a cutpoint: its laws, and by simulation how often it holds the best one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import load_study

import rocstats as rs
from rocstats.resampling.bootstrap_limits import percentile
from rocstats.thresholds.smoothed_cutpoints import (
    _GRID,
    _normal_scores,
    _quartile_range,
    _smooth,
    _spread,
    is_smooth,
)

study = load_study("cutpoints")

FEW = rs.Bootstrap(n_resamples=200, rng=1)
MC_ERRORS = 4.0


def made_up(m: int = 40, n: int = 50, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat([1, 0], [m, n])
    return y, np.random.default_rng(seed).normal(size=m + n) + 1.5 * y


def test_the_default_is_of_smoothed_resamples_and_holds_the_midpoint():
    found = rs.optimal_cutpoint(*made_up(), resampling=FEW)
    limits = found.confidence_interval(0.9)
    assert limits.method == "smoothed, re-optimised"
    low, high = np.quantile(found.smoothed, [0.05, 0.95])
    ends = min(low, found.midpoint[0]), max(high, found.midpoint[0])
    assert (limits.low, limits.high) == pytest.approx(ends, rel=1e-12)
    plain = found.confidence_interval(0.9, method="percentile")
    assert plain.method == "percentile, re-optimised"
    expected = np.quantile(found.replicates[:, 0], [0.05, 0.95])
    assert (plain.low, plain.high) == pytest.approx(tuple(expected), rel=1e-12)
    assert found.to_dict()["conf_method"] == "smoothed, re-optimised"


def test_normal_scores_are_of_the_mean_distribution():
    pos, neg = np.array([1, 1, 0, 2]), np.array([0, 2, 1, 1])  # from the highest score down
    share = 0.5 * (pos / 4 + neg / 4)
    above = np.array([share[:i].sum() + 0.5 * share[i] for i in range(4)])
    from scipy.stats import norm

    np.testing.assert_allclose(_normal_scores(pos, neg), norm.isf(above), rtol=1e-12)


def test_a_smoothed_class_is_its_kernel_density():
    from scipy.stats import norm

    scores, counts = np.array([1.0, 0.5, 0.0, -0.6, -1.2]), np.array([3, 5, 9, 4, 2])
    every = np.repeat(scores, counts)
    iqr = np.subtract(*np.quantile(every, [0.75, 0.25])) / 1.34
    h = 0.45 * min(every.std(ddof=1), iqr) * every.size**-0.2
    density = norm.pdf((_GRID[:, np.newaxis] - every) / h).mean(axis=1) / h
    found = _smooth(scores, counts)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(found, density * 0.02, atol=2e-4)


def test_a_class_is_smoothed_by_its_counts_however_many_they_are():
    rng = np.random.default_rng(1)
    scores = np.sort(rng.normal(size=40))[::-1]
    for counts in (rng.integers(0, 4, 40), np.eye(40, dtype=int)[3] * 5 + np.eye(40, dtype=int)[7]):
        every = np.repeat(scores, counts)
        iqr = np.subtract(*np.quantile(every, [0.75, 0.25]))
        assert _quartile_range(scores, counts) == pytest.approx(iqr, rel=1e-12, abs=1e-15)
        assert _spread(scores, counts) == pytest.approx(every.std(ddof=1), rel=1e-12)
    vast = _smooth(scores, rng.integers(10**9, 10**10, 40))  # subjects that no memory holds
    assert vast.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("turned", [False, True])
def test_no_monotone_transformation_matters(turned):
    y, s = made_up()
    sign = -1.0 if turned else 1.0
    first = rs.optimal_cutpoint(y, s, resampling=FEW)
    other = rs.optimal_cutpoint(
        y, sign * (2.0 * s + 3.0), higher_is_positive=not turned, resampling=FEW
    )
    expected = sign * (2.0 * first.smoothed + 3.0)
    np.testing.assert_allclose(other.smoothed, expected, rtol=1e-9)
    bent = rs.optimal_cutpoint(y, np.exp(s), resampling=FEW)
    places = np.searchsorted(np.sort(s), first.smoothed)
    others = np.searchsorted(np.sort(np.exp(s)), bent.smoothed)
    assert np.abs(places - others).max() <= 1  # a cutpoint at a score may be rounded past it


def test_grades_clusters_and_minimal_rates_keep_percentiles():
    y, s = made_up(120, 130)
    grades = rs.optimal_cutpoint(y, np.round(s), resampling=FEW)
    clustered = rs.ScoredSample.from_arrays(y, s, cluster=np.arange(250) // 2)
    for found in (
        grades,
        rs.optimal_cutpoint(clustered, resampling=FEW),
        rs.optimal_cutpoint(y, s, "specificity", min_sensitivity=0.8, resampling=FEW),
    ):
        assert found.smoothed.size == 0
        assert found.confidence_interval().method == "percentile, re-optimised"
        with pytest.raises(rs.InvalidOptionError, match="no smoothed resamples"):
            found.confidence_interval(method="smoothed")
    with pytest.raises(rs.InvalidOptionError, match="method"):
        grades.confidence_interval(method="bca")
    given = rs.optimal_cutpoint(y, s, threshold=0.5)
    assert math.isnan(given.confidence_interval(method="smoothed").low)
    assert is_smooth(rs.roc_curve(y, np.round(s, 2)))  # hundredths are not grades


def test_other_criteria_and_perfect_separation_have_an_interval():
    y, s = made_up()
    for criterion in ("closest", "accuracy", "mcc", "f1"):
        limits = rs.optimal_cutpoint(y, s, criterion, resampling=FEW).confidence_interval()
        assert s.min() <= limits.low < limits.high <= s.max()
    apart = rs.optimal_cutpoint(y, s + 20.0 * y, resampling=FEW).confidence_interval()
    assert apart.high - apart.low > 10.0  # anywhere between the classes, and somewhat beyond


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "auc", "size"),
    [("normal, SD 2 and 1", 0.97, (300, 30)), ("normal", 0.9, (30, 30)), ("t3", 0.97, (30, 300))],
)
def test_the_default_covers_the_best_cutpoint(family, auc, size):
    replicates = 100
    found = study.simulate(family, auc, size, replicates, 150)
    error = math.sqrt(0.95 * 0.05 / replicates)
    assert found.coverage["smoothed"] >= 0.95 - MC_ERRORS * error
    if auc == 0.97:
        assert found.coverage["percentile"] < 0.95 - 2.0 * error


@pytest.mark.parametrize("method", ["smoothed", "percentile"])
@pytest.mark.parametrize("power", [-1000, 1023])  # of the largest, differences are no doubles
def test_the_interval_has_the_unit_of_the_scores(method, power):
    y, scores = np.repeat([1, 0], 4), np.array([1.9, -1.9, 1.0, 1.8, -1.8, 1.1, -1.7, -1.0])
    plain, scaled = (
        rs.optimal_cutpoint(y, s, resampling=FEW).confidence_interval(0.9, method=method)
        for s in (scores, np.ldexp(scores, power))
    )
    assert (scaled.low, scaled.high) == (np.ldexp(plain.low, power), np.ldexp(plain.high, power))


def test_percentiles_lie_between_values_whose_difference_is_no_double():
    assert percentile(np.array([-1.0, 1.0]) * 2.0**1023, 0.25) == (-(2.0**1022), 2.0**1022)
