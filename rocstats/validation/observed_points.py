"""Observed in use: thresholds, cutpoints, fixed rates, calibration and net benefit."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

import rocstats as rs
from rocstats.validation.settings import RATES, Markers, Numbers

__all__ = ["POINTS"]

ONCE = rs.Bootstrap(n_resamples=20, rng=1)  # only what is not resampled is compared


def _thresholds(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"threshold": rs.operating_points(sample, marker=markers[0]).threshold.tolist()}


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


_CRITERIA = (
    *("product", "equality", "minimum", "kappa", "chi_square", "dor"),
    *(f"predictive_{how}" for how in ("sum", "product", "equality", "minimum", "closest")),
)


def _cutpoint_criteria(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found: Numbers = {}
    for name in _CRITERIA:
        try:
            best = rs.optimal_cutpoint(sample, marker=markers[0], criterion=name, resampling=ONCE)
        except rs.InvalidSampleError:  # all scores are equal: no table has both rows
            continue
        found[name] = float(best.criterion_value[0])
    return found


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
    limits = [rate.confidence_interval(method="percentile") for rate in found]
    return {"low": [f.low for f in limits], "high": [f.high for f in limits]}


def _interventions(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.decision_curve(sample, markers=[markers[0]], thresholds=[0.1, 0.3, 0.5])
    return {"value": curve.to_dict()["interventions_avoided"][markers[0]]}


def _calibration(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.calibration(sample, marker=markers[0])
    return {
        "intercept": [found.intercept.estimate, found.intercept.std_error],
        "slope": [found.slope.estimate, found.slope.std_error],
        "line_intercept": [found.line_intercept.estimate, found.line_intercept.std_error],
    }


def _brier(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.decision_curve(sample, markers=[markers[0]], thresholds=[0.1, 0.3, 0.5])
    return {
        "brier": rs.brier_score(sample, marker=markers[0]).value,
        "net_benefit": curve.curve(markers[0]).value.tolist(),
    }


def _net_benefit_limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    cuts = [0.05, 0.1, 0.3, 0.5]
    curve = rs.decision_curve(sample, markers=[markers[0]], thresholds=cuts)
    found: Numbers = {}
    with warnings.catch_warnings():  # few missed events of few subjects are what is looked at
        warnings.simplefilter("ignore", rs.SmallSampleWarning)
        for name in ("all", "none"):
            limits = curve.difference(markers[0], f"treat {name}")
            found[f"{name}_low"] = limits.conf_low.tolist()
            found[f"{name}_high"] = limits.conf_high.tolist()
    return found


def _net_benefit_pairs(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.decision_curve(sample, markers=list(markers), thresholds=[0.1, 0.3, 0.5])
    limits = curve.difference(*markers)
    return {"low": limits.conf_low.tolist(), "high": limits.conf_high.tolist()}


POINTS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "thresholds": _thresholds,
    "points": _points,
    "point-intervals": _point_intervals,
    "cutpoints": _cutpoints,
    "cutpoint-criteria": _cutpoint_criteria,
    "interventions": _interventions,
    "fixed-rates": _fixed_rates,
    "fixed-rate-bootstrap": _fixed_rate_bootstrap,
    "calibration": _calibration,
    "brier": _brier,
    "net-benefit-limits": _net_benefit_limits,
    "net-benefit-pairs": _net_benefit_pairs,
}
