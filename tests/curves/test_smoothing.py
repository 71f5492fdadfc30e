"""Binormal and kernel-smoothed ROC curves: printed numbers, brute force, pROC and laws."""

from __future__ import annotations

import math
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

import rocstats as rs
from rocstats.curves.binormal import hook_depth
from rocstats.curves.binormal_likelihood import gather_categories
from rocstats.curves.smoothing import nrd0

mpl.use("Agg")

SAME = 1e-9  # a few hundred operations of doubles; solutions of equations to about 1e-10
PRINTED = 5e-4  # three decimals
# BFGS stops where a numerical gradient of a likelihood of 1e2 cannot be told from 0.
BRUTE_FORCE = 2e-4
HESSIAN = 1e-4  # relative; central differences with a step of 1e-3
CLOSED_FORM = 1e-5  # what the docstring of `KernelCurve.area` promises
# pROC sums densities over a grid of 512 points, and its densities are themselves interpolated.
PROC_GRID = 1e-3
MC_ERRORS = 4.0


def wave(n: int, digits: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    i = np.arange(1, n + 1)
    y = (i * 7 % 5 < 2).astype(int)
    a = np.sin(i) + 0.6 * y
    return y, a if digits is None else a.round(digits)


def normal_sample(seed: int, m: int, n: int, a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = np.concatenate([rng.normal(a / b, 1.0 / b, m), rng.normal(size=n)])
    return np.repeat([1, 0], [m, n]), scores


# ------------------------------------------------------------------------------ maximum likelihood


def negative_log_likelihood(
    parameters: np.ndarray, neg: np.ndarray, pos: np.ndarray, *, gaps: bool = True
) -> float:
    """The definition, in a, b and the cuts, or log b, the first cut and log gaps."""
    a, b, cuts = parameters[0], parameters[1], parameters[2:]
    if gaps:
        b, cuts = math.exp(b), np.cumsum(np.append(cuts[0], np.exp(cuts[1:])))
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    total = 0.0
    for count, mean, sd in ((neg, 0.0, 1.0), (pos, a / b, 1.0 / b)):
        share = np.diff(stats.norm.cdf(edges, mean, sd))
        total -= float((count[count > 0] * np.log(np.maximum(share[count > 0], 1e-300))).sum())
    return total


def brute_force(neg: np.ndarray, pos: np.ndarray) -> tuple[np.ndarray, float]:
    """a, b and the cuts by a general optimiser, and the log-likelihood."""
    share = (np.cumsum(neg + pos)[:-1]) / (neg + pos).sum()
    cuts = stats.norm.ppf(share)
    start = np.concatenate([[1.0, 0.0, cuts[0]], np.log(np.diff(cuts))])
    found = optimize.minimize(
        negative_log_likelihood, start, (neg, pos), method="BFGS", options={"maxiter": 2000}
    )
    x = found.x
    cuts = np.cumsum(np.append(x[2], np.exp(x[3:])))
    return np.concatenate([[x[0], math.exp(x[1])], cuts]), -float(found.fun)


def numerical_covariance(parameters: np.ndarray, neg: np.ndarray, pos: np.ndarray) -> np.ndarray:
    """Inverse of the Hessian by central differences, for (a, b)."""
    size, step = parameters.size, 1e-3

    def f(*moves: tuple[int, float]) -> float:
        x = parameters.copy()
        for i, by in moves:
            x[i] += by
        return negative_log_likelihood(x, neg, pos, gaps=False)

    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            corners = [f((i, p * step), (j, q * step)) * p * q for p in (1, -1) for q in (1, -1)]
            hessian[i, j] = sum(corners) / (4.0 * step * step)
    return np.linalg.inv(hessian)[:2, :2]


TABLES = {
    "ct": ([33, 6, 6, 11, 2], [3, 2, 2, 11, 33]),
    "three": ([20, 5, 1], [1, 5, 20]),
    "empty cells": ([12, 0, 7, 3, 1, 0], [1, 2, 0, 3, 4, 9]),
    "wide": ([40, 30, 20, 10, 5], [5, 1, 3, 8, 20]),
    "inverted": ([2, 11, 6, 6, 33], [33, 11, 2, 2, 3]),
}


def ratings(name: str) -> tuple[np.ndarray, np.ndarray]:
    neg, pos = TABLES[name]
    level = np.arange(len(neg))
    scores = np.concatenate([np.repeat(level, pos), np.repeat(level, neg)])
    return np.repeat([1, 0], [sum(pos), sum(neg)]), scores


def test_ct_ratings_of_hanley_and_mcneil() -> None:
    fit = rs.binormal_fit(rs.datasets.load_ct_ratings())
    assert fit.a == pytest.approx(1.657, abs=PRINTED)
    assert fit.b == pytest.approx(0.713, abs=PRINTED)
    assert fit.area() == pytest.approx(0.911, abs=PRINTED)
    assert fit.neg.tolist() == TABLES["ct"][0]
    assert fit.pos.tolist() == TABLES["ct"][1]
    test = fit.goodness_of_fit()
    assert (test.df, round(test.statistic, 2), round(test.pvalue, 2)) == (2, 0.21, 0.90)


@pytest.mark.parametrize("name", TABLES)
def test_maximum_against_brute_force(name: str) -> None:
    fit = rs.binormal_fit(*ratings(name))
    neg, pos = fit.neg, fit.pos
    theirs, value = brute_force(neg, pos)
    ours = np.concatenate([[fit.a, fit.b], fit.cutpoints])
    np.testing.assert_allclose(ours, theirs, atol=BRUTE_FORCE)
    assert fit.log_likelihood >= value - SAME
    assert fit.log_likelihood == pytest.approx(
        -negative_log_likelihood(ours, neg, pos, gaps=False), abs=SAME
    )
    np.testing.assert_allclose(
        fit.covariance, numerical_covariance(ours, neg, pos), rtol=HESSIAN, atol=HESSIAN * 1e-2
    )


def test_truth_state_runs_lose_nothing() -> None:
    """A category for every score gives the same curve as one for every run."""
    y, s = normal_sample(2, 12, 12, 1.0, 0.9)
    fit = rs.binormal_fit(y, s)
    order = np.argsort(s)
    pos = y[order].astype(float)
    assert fit.pos.size < pos.size
    theirs, _ = brute_force(1.0 - pos, pos)
    assert (fit.a, fit.b) == pytest.approx(tuple(theirs[:2]), abs=5 * BRUTE_FORCE)


def test_runs_by_hand() -> None:
    # Scores 1 to 7: N N | P P P | both | P | N: the runs of Metz, and a tie of both classes.
    y, s = [0, 0, 1, 1, 1, 0, 1, 1, 0], [1, 2, 3, 3, 4, 5, 5, 6, 7]
    blocks = rs.ScoredSample.from_arrays(y, s).blocks(0)
    neg, pos = gather_categories(blocks, None)
    assert (neg.tolist(), pos.tolist()) == ([2, 0, 1, 0, 1], [0, 3, 1, 1, 0])


@pytest.mark.parametrize("k", [3, 10, 50])
def test_bounded_categories(k: int) -> None:
    y, s = normal_sample(4, 400, 600, 1.5, 0.8)
    whole, fit = rs.binormal_fit(y, s), rs.binormal_fit(y, s, n_categories=k)
    assert fit.pos.size <= k
    assert (fit.n_pos, fit.n_neg) == (400, 600)
    # Less is known of the curve, and it is the same curve.
    assert abs(fit.area() - whole.area()) < whole.std_error
    assert fit.std_error > 0.99 * whole.std_error


def test_area_by_the_delta_method_and_by_integration() -> None:
    fit = rs.binormal_fit(*ratings("wide"))
    x = np.linspace(-9.0, 9.0, 20001)
    area = np.trapezoid(stats.norm.cdf(fit.a + fit.b * x) * stats.norm.pdf(x), x)
    assert fit.area() == pytest.approx(area, abs=SAME)
    step = 1e-5
    slope = [
        (stats.norm.cdf(a / math.hypot(1, b)) - stats.norm.cdf(c / math.hypot(1, d))) / (2 * step)
        for a, b, c, d in (
            (fit.a + step, fit.b, fit.a - step, fit.b),
            (fit.a, fit.b + step, fit.a, fit.b - step),
        )
    ]
    assert fit.std_error == pytest.approx(math.sqrt(slope @ fit.covariance @ slope), rel=1e-6)
    limits = fit.confidence_interval(confidence_level=0.9)
    middle = stats.norm.ppf([limits.low, limits.high]).mean()
    assert middle == pytest.approx(stats.norm.ppf(fit.area()), abs=SAME)
    assert limits.method == "probit"
    assert 0.0 < limits.low < fit.area() < limits.high < 1.0


def test_only_the_order_counts() -> None:
    y, s = normal_sample(5, 30, 40, 1.2, 0.7)
    fit, same = rs.binormal_fit(y, s), rs.binormal_fit(y, np.exp(s))
    assert (fit.a, fit.b) == (same.a, same.b)
    low = rs.binormal_fit(y, -s, higher_is_positive=False)
    assert (fit.a, fit.b) == (low.a, low.b)


def test_classes_exchanged() -> None:
    """Mirrored at the other diagonal a curve has the line of the inverse function."""
    y, s = normal_sample(6, 30, 40, 1.2, 0.7)
    for method in ("ml", "least-squares"):
        fit = rs.binormal_fit(y, s, method=method)  # type: ignore[arg-type]
        mirror = rs.binormal_fit(1 - y, -s, method=method)  # type: ignore[arg-type]
        if method == "ml":
            assert (mirror.a, mirror.b) == pytest.approx((fit.a / fit.b, 1.0 / fit.b), rel=1e-6)
            assert mirror.std_error == pytest.approx(fit.std_error, rel=1e-5)
        else:  # a regression of y on x is not that of x on y
            assert abs(mirror.b - 1.0 / fit.b) > 1e-3


def test_points_of_the_curve() -> None:
    fit = rs.binormal_fit(*ratings("ct"))
    point = fit.at(fpr=0.1)
    assert point.tpr == pytest.approx(stats.norm.cdf(fit.a + fit.b * stats.norm.ppf(0.1)), abs=SAME)
    assert fit.at(tpr=point.tpr).fpr == pytest.approx(0.1, abs=SAME)
    assert fit.curve([0.0, 1.0]).tolist() == [0.0, 1.0]
    assert isinstance(fit.curve(0.2), float)
    for wrong in ({}, {"fpr": 0.1, "tpr": 0.1}):
        with pytest.raises(rs.InvalidOptionError, match="Give one of"):
            fit.at(**wrong)
    with pytest.raises(rs.InvalidOptionError, match=r"within \[0, 1\]"):
        fit.at(fpr=1.5)


def test_goodness_of_fit_by_hand() -> None:
    fit = rs.binormal_fit(*ratings("wide"))
    edges = np.concatenate([[-np.inf], fit.cutpoints, [np.inf]])
    expected = np.concatenate(
        [
            fit.n_neg * np.diff(stats.norm.cdf(edges)),
            fit.n_pos * np.diff(stats.norm.cdf(fit.b * edges - fit.a)),
        ]
    )
    found = np.concatenate([fit.neg, fit.pos])
    test = fit.goodness_of_fit()
    assert test.statistic == pytest.approx(((found - expected) ** 2 / expected).sum(), rel=SAME)
    assert test.pvalue == pytest.approx(stats.chi2.sf(test.statistic, 2), rel=SAME)
    assert "chi-square(2)" in repr(test)
    assert test.to_frame().shape == (1, 3)
    continuous = rs.binormal_fit(*normal_sample(7, 30, 30, 1.0, 1.0)).goodness_of_fit()
    assert math.isnan(continuous.pvalue)
    assert "no p-value" in repr(continuous)


@pytest.mark.parametrize(
    ("pos", "neg", "sentence"),
    [
        ([3, 4, 5], [0, 1, 2], "do not overlap"),
        ([0, 1, 2], [3, 4, 5], "do not overlap"),
        ([0, 1, 1], [0, 0, 1], "one point"),
        ([1, 1, 1], [1, 1], "not finite|one point"),
        ([2, 2, 1], [0, 0, 1], "not finite"),  # points on the edges only
        ([1] * 10, [0] * 9 + [2], "not finite"),
    ],
)
def test_no_maximum(pos: list[int], neg: list[int], sentence: str) -> None:
    y = [1] * len(pos) + [0] * len(neg)
    with pytest.raises(rs.InvalidSampleError, match=sentence):
        rs.binormal_fit(y, pos + neg)


def test_hooks_are_named() -> None:
    y, s = normal_sample(8, 200, 200, 0.4, 0.3)
    with pytest.warns(rs.DegenerateFitWarning, match="hook"):
        fit = rs.binormal_fit(y, s)
    grid = np.linspace(0.0, 1.0, 100001)
    dip = float((grid - fit.curve(grid)).max())
    assert hook_depth(fit.a, fit.b) == pytest.approx(dip, abs=1e-6)
    assert hook_depth(1.0, 1.0) == 0.0
    assert hook_depth(-fit.a, fit.b) > 0.01


def test_binormal_refusals() -> None:
    y, s = wave(60)
    with pytest.raises(rs.InvalidOptionError, match="method"):
        rs.binormal_fit(y, s, method="mle")  # type: ignore[arg-type]
    for k in (2, 2.5, True, "x"):
        with pytest.raises(rs.InvalidOptionError, match="n_categories"):
            rs.binormal_fit(y, s, n_categories=k)  # type: ignore[arg-type]
    clustered = rs.ScoredSample.from_arrays(y, s, cluster=np.arange(60) // 2)
    with pytest.raises(rs.InvalidOptionError, match="clusters"):
        rs.binormal_fit(clustered)
    assert rs.binormal_fit(clustered, method="least-squares").b > 0.0


def test_a_fit_is_a_result() -> None:
    fit = rs.binormal_fit(*ratings("ct"))
    frame = fit.to_frame(confidence_level=0.9)
    assert isinstance(frame, pd.DataFrame)
    assert frame["term"].tolist() == ["a", "b", "auc"]
    assert frame["estimate"].tolist() == [fit.a, fit.b, fit.area()]
    assert fit.to_dict()["terms"][2]["std_error"] == fit.std_error
    assert type(fit.to_dict()["cutpoints"][0]) is float
    axes = fit.plot()
    assert len(axes.collections) == 1  # the operating points
    assert fit.plot(ax=axes) is axes
    with pytest.raises(AttributeError):
        fit.a = 2.0  # type: ignore[misc]
    line = rs.binormal_fit(*wave(60), method="least-squares")
    assert math.isnan(line.std_error)
    assert "std_error" not in repr(line)
    for ask in (line.confidence_interval, line.goodness_of_fit):
        with pytest.raises(rs.InvalidOptionError, match='method="ml"'):
            ask()


@pytest.mark.slow
def test_standard_error_is_the_scatter() -> None:
    """Continuous scores, every truth-state run a category."""
    fits = [rs.binormal_fit(*normal_sample(s, 60, 60, 1.3, 0.9)) for s in range(300)]
    deviate = np.array([stats.norm.ppf(fit.area()) for fit in fits])
    error = np.array([fit.std_error for fit in fits]) / stats.norm.pdf(deviate)
    ratio = float(np.median(error)) / float(deviate.std(ddof=1))
    assert abs(ratio - 1.0) < 0.05 + MC_ERRORS / math.sqrt(2 * len(fits))
    truth = stats.norm.cdf(1.3 / math.hypot(1.0, 0.9))
    limits = [fit.confidence_interval() for fit in fits]
    cover = np.mean([low.low <= truth <= low.high for low in limits])
    assert cover > 0.95 - MC_ERRORS * math.sqrt(0.95 * 0.05 / len(fits))


# ----------------------------------------------------------------------------- pROC, least squares

# R 4.2.2, pROC 1.18.0, 2026: i <- 1:n; y <- as.integer((i*7) %% 5 < 2); a <- sin(i) + 0.6*y, or
# round(a, 1) of it; r <- roc(y, a, levels = 0:1, direction = "<"). By (n, digits): auc and
# coefficients of smooth(r, method = "binormal"), auc of smooth(r, method = "density"), bw.nrd0 of
# all scores, of positives and of negatives.
PROC: dict[tuple[int, int | None], dict[str, Any]] = {
    (60, None): {
        "binormal": (0.68250187132887119, 0.64992028501622567, -0.93511143893251969),
        "density": 0.68317444107454994,
        "nrd0": (0.30181726978580381, 0.34614448116668189, 0.31286445188560763),
    },
    (60, 1): {
        "binormal": (0.65888532377461206, 0.54419983146533712, -0.87563679134356465),
        "density": 0.6841318944181094,
        "nrd0": (0.30458202636008119, 0.34813785600623026, 0.31615051174030645),
    },
    (200, None): {
        "binormal": (0.69685926097028705, 0.69777534925161, -0.91268629881949936),
        "density": 0.70230546064089105,
        "nrd0": (0.23904296104933839, 0.2661106555777496, 0.24662894945759073),
    },
    (200, 1): {
        "binormal": (0.66216820741244331, 0.56826073008206424, -0.91910210762067646),
        "density": 0.70045521035666425,
        "nrd0": (0.23998418210189537, 0.26725344843841237, 0.24811768416387595),
    },
}


@pytest.mark.parametrize(("n", "digits"), PROC)
def test_least_squares_is_that_of_proc(n: int, digits: int | None) -> None:
    fit = rs.binormal_fit(*wave(n, digits), method="least-squares")
    area, intercept, slope = PROC[n, digits]["binormal"]
    assert fit.area() == pytest.approx(area, rel=SAME)
    assert (fit.a, fit.b) == pytest.approx((-intercept / slope, -1.0 / slope), rel=SAME)


@pytest.mark.parametrize(
    ("y", "s"),
    [
        ([1, 1, 0, 0], [4, 3, 2, 1]),  # no point with both rates between 0 and 1
        ([1, 0, 1, 0], [4, 3, 2, 1]),  # one
        ([1, 0, 0, 0, 1, 0], [5, 5, 4, 3, 1, 1]),  # (1/4, 1/2), (1/2, 1/2), (3/4, 1/2)
        ([0, 1, 1, 1, 0], [5, 4, 3, 2, 1]),  # (1/2, 1/3), (1/2, 2/3)
    ],
)
def test_no_line(y: list[int], s: list[int]) -> None:
    with pytest.raises(rs.InvalidSampleError, match="two sensitivities and two specificities"):
        rs.binormal_fit(y, s, method="least-squares")


@pytest.fixture(scope="module")
def asah() -> tuple[Any, Any]:
    """pROC's data, which are GPL and stay in R, and the bridge to it."""
    try:
        rs.rbridge.require(("pROC",))
    except rs.RUnavailableError as error:
        pytest.skip(str(error))
    frame = rs.rbridge.evaluate(
        "with(pROC::aSAH, list(y = as.integer(outcome == 'Poor'), s100b = s100b, ndka = ndka, "
        "wfns = as.numeric(as.character(wfns))))"
    )
    return rs.rbridge, frame


# pROC 1.18.0, aSAH, controls Good, cases Poor: printed by its own tests to four digits.
ASAH = {"ndka": 0.600569923699544, "s100b": 0.740012862077311, "wfns": 0.845365979318225}


@pytest.mark.parametrize("marker", ASAH)
def test_least_squares_on_asah(asah: tuple[Any, Any], marker: str) -> None:
    _, frame = asah
    fit = rs.binormal_fit(frame["y"], frame[marker], method="least-squares")
    assert fit.area() == pytest.approx(ASAH[marker], rel=SAME)


def test_best_point_of_the_smoothed_curve(asah: tuple[Any, Any]) -> None:
    """pROC's best Youden point of s100b, among the 512 points it keeps, lies on our curve."""
    fit = rs.binormal_fit(asah[1]["y"], asah[1]["s100b"], method="least-squares")
    specificity, sensitivity, youden = 0.750857175922901, 0.608610567514677, 1.35946774343758
    assert fit.curve(1.0 - specificity) == pytest.approx(sensitivity, rel=SAME)
    grid = np.arange(1, 10**5) / 10**5
    best = float((1.0 - grid + fit.curve(grid)).max())
    assert best >= youden - SAME
    assert best == pytest.approx(youden, abs=1e-5)  # between points 1/512 apart, at a flat top


def test_density_on_asah(asah: tuple[Any, Any]) -> None:
    curve = rs.kernel_curve(asah[1]["y"], asah[1]["s100b"], bandwidth="nrd0-pooled")
    assert curve.area() == pytest.approx(0.724355068395993, abs=PROC_GRID)  # R before 4.4


# ---------------------------------------------------------------------------------------- kernels


def closed_form(y: np.ndarray, s: np.ndarray, bandwidth: tuple[float, float]) -> float:
    difference = np.subtract.outer(s[y == 1], s[y == 0])
    return float(stats.norm.cdf(difference / math.hypot(*bandwidth)).mean())


def kernel_samples() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(9)
    y = np.arange(300) % 3 == 0
    return {
        "waves": wave(60),
        "ties": wave(200, 1),
        "two and three": (np.array([1, 1, 0, 0, 0]), np.array([3.0, 1.0, 2.0, 0.5, 0.0])),
        "heavy tails": (y.astype(int), rng.standard_cauchy(300) + y),
        "far apart": (y.astype(int), rng.normal(size=300) + 50.0 * y),
        "large": normal_sample(10, 4500, 500, 1.0, 0.8),
    }


@pytest.mark.parametrize("name", kernel_samples())
@pytest.mark.parametrize("bandwidth", ["nrd0", "nrd0-pooled", 0.3, (0.05, 0.6)])
def test_area_is_the_closed_form(name: str, bandwidth: Any) -> None:
    y, s = kernel_samples()[name]
    curve = rs.kernel_curve(y, s, bandwidth=bandwidth)
    assert curve.area() == pytest.approx(closed_form(y, s, curve.bandwidth), abs=CLOSED_FORM)
    for rates in (curve.fpr, curve.tpr):
        assert (rates[0], rates[-1]) == (0.0, 1.0)
        assert (np.diff(rates) >= 0.0).all()
    assert (np.diff(curve.threshold) < 0.0).all()


@pytest.mark.parametrize("name", ["waves", "ties", "large"])
def test_vertices_are_mixtures_of_normals(name: str) -> None:
    y, s = kernel_samples()[name]
    curve = rs.kernel_curve(y, s, bandwidth=(0.2, 0.3))
    for v in np.linspace(1, curve.fpr.size - 2, 25).astype(int):
        t = curve.threshold[v]
        tpr, fpr = (stats.norm.sf(t, s[y == label], h).mean() for label, h in ((1, 0.2), (0, 0.3)))
        # Gathering many scores costs up to 3e-6.
        assert (curve.tpr[v], curve.fpr[v]) == pytest.approx((tpr, fpr), abs=3e-6)
        assert curve.at(fpr=curve.fpr[v]).tpr == pytest.approx(curve.tpr[v], abs=SAME)


@pytest.mark.parametrize(("n", "digits"), PROC)
def test_bandwidths_and_density_are_those_of_proc(n: int, digits: int | None) -> None:
    y, s = wave(n, digits)
    pooled, pos, neg = PROC[n, digits]["nrd0"]
    assert rs.kernel_curve(y, s).bandwidth == pytest.approx((pos, neg), rel=SAME)
    curve = rs.kernel_curve(y, s, bandwidth="nrd0-pooled")
    assert curve.bandwidth == pytest.approx((pooled, pooled), rel=SAME)
    assert curve.area() == pytest.approx(PROC[n, digits]["density"], abs=PROC_GRID)


@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000])
@pytest.mark.parametrize("bandwidth", ["nrd0", "nrd0-pooled"])
def test_rule_does_not_depend_on_the_unit(scale: float, bandwidth: Any) -> None:
    y, s = wave(200, 1)
    plain, extreme = (rs.kernel_curve(y, k * s, bandwidth=bandwidth) for k in (1.0, scale))
    assert extreme.bandwidth == tuple(scale * h for h in plain.bandwidth)
    assert extreme.area() == pytest.approx(plain.area(), abs=SAME)


def test_scores_whose_differences_are_no_doubles_are_refused() -> None:
    with pytest.raises(rs.ScoreRangeError, match="too large"):
        rs.kernel_curve([1, 1, 0, 0], [1.7e308, 1.0, -1.7e308, 2.0])


def test_rule_without_an_interquartile_range() -> None:
    # R: bw.nrd0(c(0, 0, 0, 0, 1)) falls back on the standard deviation.
    assert nrd0(np.array([0.0, 0, 0, 0, 1])) == pytest.approx(0.9 * math.sqrt(0.2) * 5**-0.2)
    assert nrd0(np.array([2.0, 2.0])) == nrd0(np.array([1.0])) == 0.0


def test_bandwidth_from_nothing_to_everything() -> None:
    y, s = wave(60)
    assert rs.kernel_curve(y, s, bandwidth=1e-6).area() == pytest.approx(
        rs.auc(y, s).value, abs=CLOSED_FORM
    )
    assert rs.kernel_curve(y, s, bandwidth=1e6).area() == pytest.approx(0.5, abs=CLOSED_FORM)


def test_low_is_positive() -> None:
    y, s = wave(60)
    up, down = rs.kernel_curve(y, s), rs.kernel_curve(y, -s, higher_is_positive=False)
    np.testing.assert_array_equal(up.tpr, down.tpr)
    np.testing.assert_array_equal(up.threshold, -down.threshold)


def test_kernel_refusals() -> None:
    y = [1, 1, 0, 0]
    with pytest.raises(rs.ScoreRangeError, match="finite"):
        rs.kernel_curve(y, [np.inf, 1, 2, 3])
    with pytest.raises(rs.InvalidSampleError, match="differ"):
        rs.kernel_curve(y, [1, 1, 2, 3])
    with pytest.raises(rs.InvalidOptionError, match="bandwidth"):
        rs.kernel_curve(y, [1, 2, 3, 4], bandwidth="sj")  # type: ignore[arg-type]
    for wrong in (0.0, -1.0, math.nan, math.inf, True, (1.0, 2.0, 3.0), None):
        with pytest.raises(rs.InvalidOptionError, match="bandwidth must be"):
            rs.kernel_curve(y, [1, 2, 3, 4], bandwidth=wrong)  # type: ignore[arg-type]


def test_a_kernel_curve_is_a_result() -> None:
    curve = rs.kernel_curve(*wave(60))
    assert repr(curve) == repr(rs.kernel_curve(*wave(60)))
    assert list(curve.to_frame().columns) == ["threshold", "fpr", "tpr"]
    assert type(curve.to_dict()["fpr"][0]) is float
    axes = curve.plot()
    assert rs.roc_curve(*wave(60)).plot(ax=axes) is axes
    with pytest.raises(ValueError, match="read-only"):
        curve.fpr[0] = 1.0
