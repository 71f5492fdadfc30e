"""Observed, continued: operating points, partial areas, smoothing, classes and probabilities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.observed_tests import groups_of, three_classes
from rocstats.validation.settings import ALTERNATIVES, RATES, Markers, Numbers

__all__ = ["BENCH"]

WINDOWS: dict[str, dict[str, Any]] = {
    "fpr_0_10": {"fpr": (0.0, 0.1)},
    "fpr_0_20": {"fpr": (0.0, 0.2)},
    "fpr_10_35": {"fpr": (0.1, 0.35)},
    "tpr_80_100": {"tpr": (0.8, 1.0)},
    "tpr_50_90": {"tpr": (0.5, 0.9)},
}
ONCE = rs.Bootstrap(n_resamples=20, rng=1)  # only what is not resampled is compared


def _partial(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {
        f"{name}_{kind}": rs.partial_auc(
            sample, marker=markers[0], standardized=kind == "standardized", **window
        ).value
        for name, window in WINDOWS.items()
        for kind in ("raw", "standardized")
    }


def _points(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    points = rs.operating_points(sample, marker=markers[0])
    names = ("sensitivity", "specificity", "accuracy", "ppv", "npv")
    return {name: getattr(points, name).tolist() for name in ("tp", "fp", "fn", "tn", *names)}


def _point_intervals(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the limits at the cutpoint of the pooled median, high or low as the marker is."""
    median = float(np.median(sample.scores[sample.marker(markers[0])]))
    found: Numbers = {}
    for method in ("wilson", "clopper-pearson"):
        points = rs.operating_points(sample, marker=markers[0], thresholds=median, interval=method)
        for rate in ("sensitivity", "specificity"):
            low, high = points.limits(rate)
            found[f"{rate}_{method.replace('-', '_')}"] = [float(low[0]), float(high[0])]
    for ratio in ("lr_pos", "lr_neg", "dor"):
        low, high = points.limits(ratio)
        found[ratio] = [float(points.values(ratio)[0]), float(low[0]), float(high[0])]
    return found


def _cutpoints(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return how good the best cutpoints are; where they are equally good pROC may miss some."""

    def best(criterion: str, cost: float = 1.0, prevalence: float = 0.5) -> tuple[float, float]:
        points = rs.optimal_cutpoint(
            sample,
            marker=markers[0],
            criterion=criterion,
            cost=cost,
            prevalence=prevalence,
            resampling=ONCE,
        ).points
        return float(points.sensitivity[0]), float(points.specificity[0])

    se, sp = best("closest")
    weighted = best("youden", cost=2.0, prevalence=0.2)
    return {
        "youden": sum(best("youden")),
        "weighted": weighted[0] + 0.8 / (2.0 * 0.2) * weighted[1],
        "closest": (1.0 - se) ** 2 + (1.0 - sp) ** 2,
    }


def _fixed_rates(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    se = rs.sensitivity_at(sample, marker=markers[0], specificity=list(RATES), resampling=ONCE)
    sp = rs.specificity_at(sample, marker=markers[0], sensitivity=list(RATES), resampling=ONCE)
    return {"sensitivity": se.value.tolist(), "specificity": sp.value.tolist()}


def _fixed_rate_bootstrap(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.sensitivity_at(
        sample,
        marker=markers[0],
        specificity=[0.8, 0.9],
        resampling=rs.Bootstrap(n_resamples=20_000, rng=20261116),
    )
    limits = found.confidence_intervals(method="percentile")
    return {"low": [f.low for f in limits], "high": [f.high for f in limits]}


def _binormal(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    fit = rs.binormal_fit(sample, marker=markers[0], method="least-squares")
    return {"area": fit.area()}


def _multiclass(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    scores = sample.scores[sample.marker(markers[0])]
    return {"value": rs.multiclass_auc(three_classes(sample), scores, labels=[0, 1, 2]).value}


def _average_precision(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"value": rs.average_precision(sample, marker=markers[0]).value}


def _calibration(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.calibration(sample, marker=markers[0])
    return {
        "intercept": [found.intercept.estimate, found.intercept.std_error],
        "slope": [found.slope.estimate, found.slope.std_error],
    }


def _brier(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.decision_curve(sample, markers=[markers[0]], thresholds=[0.1, 0.3, 0.5])
    return {
        "brier": rs.brier_score(sample, marker=markers[0]).value,
        "net_benefit": curve.curve(markers[0]).value.tolist(),
    }


def _rank_sum(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    return {
        f"{name}_{alternative.replace('-', '_')}": rs.two_sample_test(
            pos,
            neg,
            statistic="auc",
            method="asymptotic",
            alternative=alternative,
            continuity=name == "corrected",
        ).pvalue
        for name in ("corrected", "plain")
        for alternative in ALTERNATIVES
    }


def _rank_sum_exact(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    return {
        alternative.replace("-", "_"): rs.two_sample_test(
            pos, neg, statistic="auc", method="exact", alternative=alternative
        ).pvalue
        for alternative in ALTERNATIVES
    }


def _t_tests(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    tests = {
        name: rs.two_sample_test(pos, neg, statistic=name, method="asymptotic")
        for name in ("welch", "t")
    }
    return {name: [test.statistic, test.df, test.pvalue] for name, test in tests.items()}


def _planning(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    value = rs.auc(sample, marker=markers[0]).value
    found = rs.sample_size_auc(auc=value, power=0.9, model="obuchowski")
    return {"n_pos": float(found.n_pos)}


def _planning_power(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the power of the one-sided test at 0.025, which pROC calls two-sided at 0.05."""
    value = rs.auc(sample, marker=markers[0]).value
    found = rs.power_auc(
        auc=value,
        n_pos=40,
        n_neg=60,
        model="obuchowski",
        alternative="greater",
        significance=0.025,
    )
    return {"power": found.power}


BENCH: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "partial": _partial,
    "points": _points,
    "point-intervals": _point_intervals,
    "cutpoints": _cutpoints,
    "fixed-rates": _fixed_rates,
    "fixed-rate-bootstrap": _fixed_rate_bootstrap,
    "binormal": _binormal,
    "multiclass": _multiclass,
    "average-precision": _average_precision,
    "calibration": _calibration,
    "brier": _brier,
    "rank-sum": _rank_sum,
    "rank-sum-exact": _rank_sum_exact,
    "t-tests": _t_tests,
    "planning": _planning,
    "planning-power": _planning_power,
}
