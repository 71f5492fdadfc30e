"""Operating points and curves of weighted subjects, by their definitions; the bootstrap beside."""

from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs


def data(seed: int = 1, n: int = 160) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, np.round(rng.normal(size=n) + y, 1), rng.uniform(0.1, 4.0, n)


@pytest.mark.parametrize("at", [-0.5, 0.5, 1.2])
def test_a_rate_is_a_weighted_share_with_wilson_s_limits_of_what_it_is_worth(at: float) -> None:
    y, score, w = data()
    found = rs.operating_points(y, score, thresholds=[at], weights=w)
    for name, part, hit in (
        ("sensitivity", y, score >= at),
        ("specificity", ~y, score < at),
    ):
        x, v = hit[part], w[part]
        share = (v * x).sum() / v.sum()
        assert found.values(name)[0] == pytest.approx(share, abs=1e-13)
        n = v.size
        worth = (
            1 + (1 - 1 / n) * v.sum() ** 2 * share * (1 - share) / (v**2 * (x - share) ** 2).sum()
        )
        # Korn & Graubard's ratio of t quantiles, of n - 1 and worth - 1 degrees of freedom
        from scipy.stats import t

        worth *= min(t.ppf(0.975, worth - 1) / t.ppf(0.975, n - 1), 1.0) ** 2
        worth = min(worth, n)
        expected = proportion_confint(share * worth, worth, method="wilson")
        low, high = found.limits(name)
        assert (low[0], high[0]) == pytest.approx(expected, abs=1e-9)


def test_whole_weights_have_the_points_of_repeated_rows() -> None:
    y, score, _ = data(2)
    count = np.random.default_rng(3).integers(1, 4, y.size)
    rows = np.repeat(np.arange(y.size), count)
    for options in ({}, {"specificity": [0.8, 0.9]}, {"sensitivity": 0.75}, {"fpr": 0.1}):
        one = rs.operating_points(y, score, weights=count.astype(float), **options)
        other = rs.operating_points(y[rows], score[rows], **options)
        assert one.threshold.tolist() == other.threshold.tolist()
        assert one.tp.tolist() == other.tp.tolist()
        assert one.tn.tolist() == other.tn.tolist()
        np.testing.assert_allclose(one.values("mcc"), other.values("mcc"), atol=1e-12)
    curve, repeated = rs.roc_curve(y, score, weights=count), rs.roc_curve(y[rows], score[rows])
    assert curve.tpr.tolist() == repeated.tpr.tolist()
    assert curve.area() == repeated.area() == rs.auc(y, score, weights=count).value
    assert (curve.n_pos, curve.n_neg) == (y.sum(), (~y).sum())


def test_the_unit_of_weights_does_not_move_limits() -> None:
    y, score, w = data()
    one, other = (
        rs.operating_points(y, score, thresholds=[0.3], weights=k * w) for k in (1.0, 1024.0)
    )
    for name in ("sensitivity", "ppv", "youden", "dor", "f1", "mcc", "accuracy"):
        np.testing.assert_allclose(one.limits(name), other.limits(name), rtol=1e-12)


def test_clusters_and_weights_of_one_within_a_factor() -> None:
    """Clusters of one subject with nearly equal weights are independent subjects."""
    y, score, _ = data()
    nearly = np.where(np.arange(y.size) == 0, 1.0 + 1e-9, 1.0)
    weighted = rs.operating_points(y, score, thresholds=[0.3], weights=nearly)
    plain = rs.operating_points(y, score, thresholds=[0.3])
    for name in plain.measures:
        np.testing.assert_allclose(weighted.limits(name), plain.limits(name), atol=1e-6)


@pytest.mark.parametrize("measure", ["auc", "sauc", rs.partial_area(fpr=(0, 0.5))])
def test_the_bootstrap_takes_weights_along(measure: Any) -> None:
    y, score, w = data()
    row = rs.estimate(y, score, measures=measure, weights=w).rows[0]
    found = rs.bootstrap(row, resampling=rs.Bootstrap(n_resamples=400, rng=1))
    assert found.std_error[0] == pytest.approx(row.std_error, rel=0.12)
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 5, y.size)
    rows = np.repeat(np.arange(y.size), drawn)
    again = rs.estimate(y[rows], score[rows], measures=measure, weights=w[rows]).rows[0].value
    whole = rs.estimate(y, score, measures=measure, weights=w * drawn).rows[0].value
    assert again == pytest.approx(whole, abs=1e-12)
