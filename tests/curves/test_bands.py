"""Bands of the ROC curve: definitions written out, enumeration, pROC, and coverage."""

from __future__ import annotations

import itertools
import math
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from conftest import load_study
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs
from rocstats.curves.bands import envelope
from rocstats.curves.exact_limits import clopper_pearson
from rocstats.curves.random_paths import (
    Walk,
    displacements,
    resampled_heights,
    spacing_heights,
)
from rocstats.curves.rectangles import shifted_band, wilson

mpl.use("Agg")

METHODS = ("envelope", "fixed-width", "kolmogorov-smirnov", "bootstrap", "binomial")
SIMULTANEOUS = METHODS[:3]
ROUNDING = 1e-12  # a few hundred additions of doubles
MC_ERRORS = 4.0
GRID = np.arange(101) / 100.0


def wave(n: int, digits: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    i = np.arange(1, n + 1)
    y = (i * 7 % 5 < 2).astype(int)
    a = np.sin(i) + 0.6 * y
    return y, a if digits is None else a.round(digits)


labels_and_scores = st.lists(
    st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=25
).filter(lambda rows: len({label for label, _ in rows}) == 2)


# -------------------------------------------------------------------------------------- many paths


@given(labels_and_scores)
def test_heights_are_points_of_the_curve(rows: list[tuple[bool, int]]) -> None:
    curve = rs.roc_curve([r[0] for r in rows], [r[1] for r in rows])
    walk = Walk(curve.fp, curve.tp)
    x = np.arange(curve.n_neg + 1) / curve.n_neg
    y = np.arange(curve.n_pos + 1) / curve.n_pos
    found = walk.heights(np.stack([x, x, x]), np.stack([y, y * y, 0.0 * y]), GRID)
    np.testing.assert_allclose(found[0], curve.at(fpr=GRID).tpr, atol=ROUNDING)
    assert (found[2] == 0.0).all()
    squared = Walk(curve.fp, curve.tp).heights(x[np.newaxis], (y * y)[np.newaxis], GRID)
    np.testing.assert_allclose(found[1], squared[0], atol=ROUNDING)


@pytest.mark.parametrize("scores", [[6, 4, 2, 5, 3, 1], [3, 2, 2, 2, 1, 1], [1, 1, 1, 1, 1, 1]])
def test_resamples_have_the_law_of_all_resamples(scores: list[int]) -> None:
    """Three positives and three negatives: all 729 resamples, each with its own curve."""
    pos, neg = scores[:3], scores[3:]
    y, grid, size = [1, 1, 1, 0, 0, 0], np.array([0.0, 0.2, 1 / 3, 0.5, 0.8]), 20_000
    exact = np.array(
        [
            rs.roc_curve(y, [*p, *q]).at(fpr=grid).tpr
            for p in itertools.product(pos, repeat=3)
            for q in itertools.product(neg, repeat=3)
        ]
    )
    sample = rs.ScoredSample.from_arrays(y, scores)
    drawn = resampled_heights(sample, 0, grid, n_resamples=size, rng=1)
    for column, truth in zip(drawn.T, exact.T, strict=True):
        for value in np.unique(truth.round(9)):
            share = np.mean(np.abs(truth - value) < 1e-6)
            seen = np.mean(np.abs(column - value) < 1e-6)
            assert abs(seen - share) <= MC_ERRORS * math.sqrt(share * (1.0 - share) / size)


def test_clusters_are_drawn_whole() -> None:
    # Two clusters, each with both classes: a resample is one of four.
    y, s = [1, 0, 1, 0], [4, 3, 2, 1]
    sample = rs.ScoredSample.from_arrays(y, s, cluster=[0, 0, 1, 1])
    drawn = resampled_heights(sample, 0, np.array([0.0]), n_resamples=2000, rng=1)[:, 0]
    # Cluster 0 or 1 alone is perfect; both have tpr 1/2 at fpr 0.
    assert set(drawn.tolist()) == {0.5, 1.0}
    assert abs(np.mean(drawn == 0.5) - 0.5) < MC_ERRORS * math.sqrt(0.25 / 2000)
    # Clusters of one class: resamples that lack the other are left out.
    sample = rs.ScoredSample.from_arrays(y, s, cluster=[0, 1, 0, 1])
    drawn = resampled_heights(sample, 0, np.array([0.0]), n_resamples=2000, rng=1)
    assert abs(len(drawn) / 2000 - 0.5) < MC_ERRORS * math.sqrt(0.25 / 2000)


def test_spacings_have_their_exact_law() -> None:
    """P(lowest curve <= t at x): a binomial number of negatives, then a beta distribution."""
    y, s = wave(60)
    curve = rs.roc_curve(y, s)
    size, x = 20_000, 0.2
    drawn = spacing_heights(curve, np.array([x]), n_resamples=size, rng=1)[:, :, 0]
    neg = np.sort(s[y == 0])[::-1]
    above = np.array([(s[y == 1] > score).sum() for score in neg])  # positives above each negative
    i = np.arange(curve.n_neg + 1)
    weight = stats.binom.pmf(i, curve.n_neg, x)
    m = curve.n_pos
    for t in (0.2, 0.4, 0.6):
        lowest = [1.0] + [stats.beta.cdf(t, a, m + 1 - a) if a else 1.0 for a in above]
        ahead = np.append(above, m)
        highest = [stats.beta.cdf(t, a + 1, m - a) if a < m else 0.0 for a in ahead]
        for column, law in ((0, lowest), (2, highest)):
            share = float(weight @ np.array(law))
            seen = float((drawn[:, column] <= t).mean())
            assert abs(seen - share) <= MC_ERRORS * math.sqrt(share * (1.0 - share) / size)


@given(labels_and_scores)
def test_lowest_central_and_highest_keep_their_order(rows: list[tuple[bool, int]]) -> None:
    curve = rs.roc_curve([r[0] for r in rows], [r[1] for r in rows])
    drawn = spacing_heights(curve, GRID, n_resamples=20, rng=3)
    assert (np.diff(drawn, axis=1) >= -ROUNDING).all()
    assert (np.diff(drawn, axis=2) >= -ROUNDING).all()
    assert drawn.min() >= 0.0
    assert drawn.max() <= 1.0
    assert (drawn[:, 1, 0] == 0.0).all()
    assert (drawn[:, 1, -1] == 1.0).all()


# ---------------------------------------------------------------------------------- envelope


def test_envelope_by_definition() -> None:
    rng = np.random.default_rng(5)
    central = rng.normal(size=(200, 1)) + 0.5 * rng.normal(size=(200, 7))
    lowest, highest = central - rng.random((200, 7)), central + rng.random((200, 7))
    for level in (0.5, 0.9, 0.95, 0.99):
        best = None
        for k in range(1, 101):
            low, high = np.sort(lowest, axis=0)[k - 1], np.sort(highest, axis=0)[-k]
            if ((low <= central) & (central <= high)).all(axis=1).mean() >= level - ROUNDING:
                best = low, high
        assert best is not None
        found = envelope(lowest, central, highest, level)
        np.testing.assert_array_equal(found, best)


def test_band_of_a_perfect_sample_is_honest() -> None:
    m, n = 10, 12
    y = [1] * m + [0] * n
    band = rs.roc_band(y, np.arange(m + n)[::-1], resampling=rs.Bootstrap(rng=1))
    assert (band.high == 1.0).all()
    inner = (band.fpr > 0.0) & (band.fpr < 1.0)
    assert (band.high - band.low)[inner].min() > 0.05
    # A true curve that gives a perfect sample one time in ten is not excluded.
    shift = 2.9
    rng = np.random.default_rng(1)
    drawn = rng.normal(shift, 1.0, (4000, m)).min(axis=1) > rng.normal(size=(4000, n)).max(axis=1)
    assert drawn.mean() > 0.1
    assert band.contains(stats.norm.cdf(shift + stats.norm.ppf(band.fpr)))


# ------------------------------------------------------------------------- rectangles, fixed width


def brute_sweep(boxes: Any, x: float) -> tuple[float, float]:
    """Least and largest limits of rectangles that hold a rate, by going through all of them."""
    inside = (boxes.fpr_low <= x) & (x <= boxes.fpr_high)
    return float(boxes.tpr_low[inside].min()), float(boxes.tpr_high[inside].max())


@pytest.mark.parametrize("method", ["kolmogorov-smirnov", "binomial"])
@pytest.mark.parametrize("proportion", ["clopper-pearson", "wilson"])
def test_band_is_what_rectangles_sweep(method: Any, proportion: Any) -> None:
    y, s = wave(60)
    grid = np.array([0.013, 0.111, 0.237, 0.402, 0.618, 0.803, 0.951])  # not where sides lie
    band = rs.roc_band(y, s, method=method, fpr=grid, proportion=proportion)
    boxes = band.rectangles
    assert boxes is not None
    for x, low, high in zip(grid, band.low, band.high, strict=True):
        least, largest = brute_sweep(boxes, x)
        assert (low, high) == pytest.approx((least, largest), abs=ROUNDING)
    assert boxes.to_frame().shape == (band.curve.threshold.size, 7)
    assert boxes.to_dict()["threshold"] == [None, *band.curve.threshold[1:].tolist()]  # infinite
    assert "thresholds" in repr(boxes)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_proportions_against_scipy(level: float) -> None:
    size = 13
    count = np.arange(size + 1)
    for function, name in ((clopper_pearson, "exact"), (wilson, "wilson")):
        low, high = function(count, size, level)
        for k in count:
            theirs = stats.binomtest(int(k), size).proportion_ci(level, method=name)
            assert (low[k], high[k]) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_kolmogorov_rectangles_hold_all_thresholds_at_once() -> None:
    """Uniform scores in both classes: the true rates at threshold t are 1 - t."""
    rng, m, n, size, level = np.random.default_rng(7), 20, 30, 10_000, 0.9
    y = np.repeat([1, 0], [m, n])
    band = rs.roc_band(y, rng.random(m + n), method="kolmogorov-smirnov", confidence_level=level)
    boxes = band.rectangles
    assert boxes is not None
    held = np.ones(size, dtype=bool)
    for count, reach in ((m, boxes.tpr_high[0]), (n, boxes.fpr_high[0])):
        truth, seen = np.sort(rng.random((size, count)), axis=1), np.arange(count + 1) / count
        far = np.maximum(np.abs(truth - seen[1:]), np.abs(truth - seen[:-1])).max(axis=1)
        held &= far <= reach
    assert abs(held.mean() - level) < MC_ERRORS * math.sqrt(level * (1.0 - level) / size)


def test_fixed_width_band_holds_its_share_of_resamples() -> None:
    y, s = wave(200, 1)
    sample = rs.ScoredSample.from_arrays(y, s)
    band = rs.roc_band(
        sample, method="fixed-width", resampling=rs.Bootstrap(n_resamples=1000, rng=4)
    )
    curve, slope = band.curve, math.sqrt(band.curve.n_neg / band.curve.n_pos)
    far = displacements(sample, 0, curve, n_resamples=1000, rng=4)
    grid = np.linspace(0.0, 1.0, 2001)
    drawn = resampled_heights(sample, 0, grid, n_resamples=1000, rng=4)  # the same resamples

    def share(right: float) -> float:
        low, high = shifted_band(curve, (right, right * slope), grid)
        return float(((low <= drawn + 1e-9) & (drawn <= high + 1e-9)).all(axis=1).mean())

    reach = float(np.quantile(far, 0.95, method="higher"))
    np.testing.assert_allclose(
        band.low, shifted_band(curve, (reach, reach * slope), band.fpr)[0], atol=ROUNDING
    )
    # Displacements are measured along 1024 lines; between them a curve may lie a little farther.
    assert share(reach * 1.02) >= 0.95
    assert share(reach * 0.95) < 0.95


def test_fixed_width_of_a_perfect_sample() -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match="same curve"):
        band = rs.roc_band([1, 1, 1, 0, 0], [5, 4, 3, 2, 1], method="fixed-width")
    assert np.isnan(band.low).all()


# ------------------------------------------------------------------------------------ bootstrap

# R 4.2.2, pROC 1.18.0, 2026, the waves of tests/curves/test_smoothing.py: set.seed(1); ci.se(r,
# specificities = c(.9, .7, .5, .3), boot.n = 20000), lower and upper limits. At .1 both are 1.
PROC = {
    (60, None): (
        [0.20833333333333334, 0.29166666666666669, 0.41666666666666669, 0.70833333333333337],
        [0.58333333333333337, 0.70833333333333337, 1.0, 1.0],
    ),
    (60, 1): (
        [0.19166666666666668, 0.29166666666666669, 0.41666666666666669, 0.70833333333333337],
        [0.59445833333333209, 0.70833333333333337, 1.0, 1.0],
    ),
    (200, None): (
        [0.27500000000000002, 0.37500000000000000, 0.56250000000000000, 0.91249999999999998],
        [0.48749999999999999, 0.61250000000000004, 0.86250000000000004, 1.0],
    ),
    (200, 1): (
        [0.26153846153846155, 0.37361111111111112, 0.55625000000000002, 0.91562500000000002],
        [0.47403846153846152, 0.61250000000000004, 0.85250000000000004, 1.0],
    ),
}


@pytest.mark.parametrize(("n", "digits"), PROC)
def test_bootstrap_limits_are_those_of_proc(n: int, digits: int | None) -> None:
    """Quantiles at 2.5% +- their Monte-Carlo error bracket pROC's limit."""
    sample = rs.ScoredSample.from_arrays(*wave(n, digits))
    fpr = np.array([0.1, 0.3, 0.5, 0.7])
    size = 20_000
    drawn = resampled_heights(sample, 0, fpr, n_resamples=size, rng=2)
    # Both sides have 20 000 resamples; the share below a limit has this error.
    slack = MC_ERRORS * math.sqrt(2.0 * 0.025 * 0.975 / size)
    for tail, theirs in zip((0.025, 0.975), PROC[n, digits], strict=True):
        around = np.quantile(drawn, [tail - slack, tail + slack], axis=0)
        assert (around[0] - 1e-9 <= theirs).all()
        assert (theirs <= around[1] + 1e-9).all()
    band = rs.roc_band(
        sample, method="bootstrap", fpr=fpr, resampling=rs.Bootstrap(n_resamples=size, rng=2)
    )
    inner = band.tpr < 1.0
    np.testing.assert_allclose(
        np.stack([band.low, band.high])[:, inner],
        np.quantile(drawn, [0.025, 0.975], axis=0)[:, inner],
        atol=ROUNDING,
    )


def test_bootstrap_corners_have_the_exact_bound() -> None:
    m = 20
    y = [1] * m + [0] * 30
    s = np.arange(50)[::-1]
    band = rs.roc_band(y, s, method="bootstrap", resampling=rs.Bootstrap(rng=1))
    exact = 0.025 ** (1.0 / m)
    assert band.low[:-1] == pytest.approx(exact)
    assert band.low[-1] == 1.0
    assert (band.high == 1.0).all()
    upside_down = rs.roc_band(y, -s, method="bootstrap", resampling=rs.Bootstrap(rng=1))
    assert upside_down.high[:-1] == pytest.approx(1.0 - exact)
    assert (upside_down.low[:-1] == 0.0).all()
    clustered = rs.ScoredSample.from_arrays(y, s, cluster=np.arange(50) // 2)
    wider = rs.roc_band(clustered, method="bootstrap", resampling=rs.Bootstrap(rng=1))
    assert wider.low[0] == pytest.approx(0.025 ** (2.0 / m))


# ---------------------------------------------------------------------------------------- contracts


@pytest.mark.parametrize("method", METHODS)
def test_a_band_is_a_result(method: Any) -> None:
    sample = rs.datasets.load_ct_ratings()
    band = rs.roc_band(
        sample,
        method=method,
        resampling=rs.Bootstrap(n_resamples=200, rng=1),
    )
    again = rs.roc_band(
        sample,
        method=method,
        resampling=rs.Bootstrap(n_resamples=200, rng=1),
    )
    np.testing.assert_array_equal(band.low, again.low)
    assert repr(band) == repr(again)
    assert band.kind == ("simultaneous" if method in SIMULTANEOUS else "pointwise")
    assert (band.low <= band.high).all()
    for limit in (band.low, band.high):
        assert (np.diff(limit) >= -ROUNDING).all()
        assert limit.min() >= 0.0
        assert limit.max() <= 1.0
    np.testing.assert_array_equal(band.fpr, GRID)
    np.testing.assert_array_equal(band.tpr, rs.roc_curve(sample).at(fpr=GRID).tpr)
    assert band.mean_width == pytest.approx((band.high - band.low).mean())
    frame = band.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["fpr", "tpr", "conf_low", "conf_high"]
    assert type(band.to_dict()["conf_low"][0]) is float
    axes = band.plot()
    assert band.plot(ax=axes) is axes
    assert len(axes.collections) == 2
    assert (band.rectangles is not None) == (method in ("kolmogorov-smirnov", "binomial"))
    with pytest.raises(AttributeError):
        band.kind = "x"  # type: ignore[misc]


@pytest.mark.parametrize("method", METHODS)
def test_only_the_order_counts(method: Any) -> None:
    y, s = wave(60, 1)
    options: dict[str, Any] = {
        "method": method,
        "resampling": rs.Bootstrap(n_resamples=200, rng=1),
    }
    band = rs.roc_band(y, s, **options)
    same = rs.roc_band(y, np.exp(s), **options)
    np.testing.assert_array_equal(band.low, same.low)
    np.testing.assert_array_equal(band.high, same.high)
    low = rs.roc_band(y, -s, higher_is_positive=False, **options)
    np.testing.assert_allclose(band.mean_width, low.mean_width, rtol=0.1)


@pytest.mark.parametrize("method", SIMULTANEOUS)
def test_higher_levels_are_wider(method: Any) -> None:
    y, s = wave(60)
    narrow, wide = (
        rs.roc_band(
            y,
            s,
            method=method,
            confidence_level=level,
            resampling=rs.Bootstrap(n_resamples=500, rng=1),
        )
        for level in (0.8, 0.99)
    )
    assert (narrow.low >= wide.low - ROUNDING).all()
    assert (narrow.high <= wide.high + ROUNDING).all()
    assert narrow.mean_width < wide.mean_width


@pytest.mark.parametrize("method", ["envelope", "kolmogorov-smirnov", "binomial"])
@pytest.mark.parametrize(
    ("y", "s"), [([1, 0], [2, 1]), ([1, 1, 0], [1, 1, 1]), ([1, 0, 0, 0], [3, 4, 2, 1])]
)
def test_tiny_samples_have_wide_bands(method: Any, y: list[int], s: list[int]) -> None:
    band = rs.roc_band(y, s, method=method, resampling=rs.Bootstrap(rng=1))
    assert np.isfinite(band.low).all()
    assert band.mean_width > 0.6


def test_contains() -> None:
    y, s = wave(200)
    band = rs.roc_band(y, s, resampling=rs.Bootstrap(rng=1))
    assert band.contains(band.curve)
    assert band.contains(rs.kernel_curve(y, s))
    assert band.contains(band.tpr.tolist())
    assert not band.contains(np.ones(101))
    assert not band.contains(1.0 - band.tpr)
    with pytest.raises(rs.InvalidOptionError, match="101 rates, but the curve has 2"):
        band.contains([0.1, 0.2])
    with pytest.raises(rs.InvalidOptionError, match="curve must be a number"):
        band.contains("x")


def test_refusals() -> None:
    y, s = wave(60)
    for options, sentence in (
        ({"method": "boot"}, "method must be one of"),
        ({"confidence_level": 1.0}, "confidence_level"),
        (
            {"resampling": rs.Bootstrap(n_resamples=50)},
            "n_resamples must be a whole number of at least 100",
        ),
        ({"resampling": 50}, "resampling must be"),
        ({"fpr": [0.5, 0.2]}, "increasing"),
        ({"fpr": []}, "increasing"),
        ({"fpr": [0.5, 1.2]}, r"within \[0, 1\]"),
        ({"fpr": "x"}, "must be a number"),
        ({"proportion": "wald"}, "proportion must be one of"),
    ):
        with pytest.raises(rs.InvalidOptionError, match=sentence):
            rs.roc_band(y, s, **options)  # type: ignore[arg-type]
    clustered = rs.ScoredSample.from_arrays(y, s, cluster=np.arange(60) // 2)
    for method in ("envelope", "kolmogorov-smirnov", "binomial"):
        with pytest.raises(rs.InvalidOptionError, match="clusters"):
            rs.roc_band(clustered, method=method)  # type: ignore[arg-type]
    for method in ("fixed-width", "bootstrap"):
        few = rs.Bootstrap(n_resamples=200)
        band = rs.roc_band(clustered, method=method, resampling=few)  # type: ignore[arg-type]
        assert band.mean_width > 0.0


# ----------------------------------------------------------------------------------------- coverage

REPLICATES = 100


@pytest.mark.slow
@pytest.mark.parametrize("job", [("AUC 0.85", 20, 20), ("ratings", 50, 50)])
def test_coverage(job: tuple[str, int, int]) -> None:
    """docs/evidence/bands.md at reduced size; seeds are fixed, so a failure is changed code."""
    study = load_study("bands")
    methods = ("envelope", "kolmogorov-smirnov", "binomial", "bootstrap", "percentile")
    cells = {c.method: c for c in study.simulate(*job, REPLICATES, methods, 400)}
    floor = 0.95 - MC_ERRORS * math.sqrt(0.95 * 0.05 / REPLICATES)
    for method in ("envelope", "kolmogorov-smirnov"):
        assert cells[method].whole >= floor
    assert cells["binomial"].point >= floor
    # What the page says of the others: pointwise limits, and ranks of plain resamples, do not hold
    # the whole curve; and the envelope is narrower than the rectangles.
    assert cells["bootstrap"].whole < 0.9
    assert cells["percentile"].whole < 0.9
    assert cells["envelope"].width < 0.85 * cells["kolmogorov-smirnov"].width


def test_true_curves_of_the_study() -> None:
    study = load_study("bands")
    for name, area in (("AUC 0.7", 0.7), ("AUC 0.95", 0.95), ("unequal", 0.85)):
        x = (np.arange(10**5) + 0.5) / 10**5
        assert study.MODELS[name].truth(x).mean() == pytest.approx(area, abs=1e-4)
    model = study.MODELS["ratings"]
    scores = model.draw(np.random.default_rng(1), 20_000, 20_000)
    curve = rs.roc_curve(np.repeat([1, 0], 20_000), scores)
    error = np.abs(curve.at(fpr=study.GRID).tpr - model.truth(study.GRID)).max()
    assert error < MC_ERRORS * math.sqrt(0.25 / 20_000) * 2


@pytest.mark.parametrize("fpr", [[0.0, 1.0], [0.0], [1.0], [0.05, 0.5]])
def test_envelope_is_that_of_the_whole_curve_at_any_rates(fpr: list[float]) -> None:
    y, s = wave(60)
    few = rs.Bootstrap(n_resamples=300, rng=1)
    band = rs.roc_band(y, s, fpr=fpr, resampling=few)
    whole = rs.roc_band(y, s, resampling=few)
    assert (band.low <= band.tpr).all()
    assert (band.tpr <= band.high).all()
    places = np.searchsorted(whole.fpr, np.array(fpr))
    assert band.high == pytest.approx(whole.high[places], abs=1e-12)  # the same random curves


@pytest.mark.parametrize("size", [5000, 20_011, 300_000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_limits_of_very_many_proportions_are_those_of_each(size: int, level: float) -> None:
    count = np.arange(size + 1)
    low, high = clopper_pearson(count, size, level)
    some = np.unique(np.linspace(0, size, 700).round().astype(int))
    wanted = clopper_pearson(some, size, level)  # so few are worked out one by one
    np.testing.assert_allclose(low[some], wanted[0], rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(1.0 - high[some], 1.0 - wanted[1], rtol=1e-11, atol=1e-15)
    assert (np.diff(low) > 0.0).all()
    assert (np.diff(high) > 0.0).all()
