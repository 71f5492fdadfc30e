"""Observed areas: every measure with its variance and intervals, and the curves above them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.observed_tests import three_classes
from rocstats.validation.settings import LEVELS, Markers, Numbers

__all__ = ["AREAS"]

RESAMPLES = 100_000
WINDOWS: dict[str, dict[str, Any]] = {
    "fpr_0_10": {"fpr": (0.0, 0.1)},
    "fpr_0_20": {"fpr": (0.0, 0.2)},
    "fpr_10_35": {"fpr": (0.1, 0.35)},
    "tpr_80_100": {"tpr": (0.8, 1.0)},
    "tpr_50_90": {"tpr": (0.5, 0.9)},
}


def _auc(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    estimate = rs.auc(sample, marker=markers[0])
    return {"auc": estimate.value, "variance": estimate.variance()}


def _interval(method: str, *, clip: bool = False) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.auc(sample, marker=markers[0])
        found = [
            estimate.confidence_interval(confidence_level=level, method=method, clip=clip)
            for level in LEVELS
        ]
        return {"low": [f.low for f in found], "high": [f.high for f in found]}

    return limits


def _forms(*methods: str) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.auc(sample, marker=markers[0])
        return {m.replace("-", "_"): _limits(estimate, m) for m in methods}

    return limits


def _limits(estimate: rs.Estimate, method: str = "auto") -> list[float]:
    with warnings.catch_warnings():  # few subjects are warned of, and compared all the same
        warnings.simplefilter("ignore", rs.SmallSampleWarning)
        found = estimate.confidence_interval(method=method)
    return [found.low, found.high]


def _scored_intervals(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {
        "sauc": _limits(rs.sauc(sample, marker=markers[0])),
        "smauc": _limits(rs.smauc(sample, marker=markers[0]), "logit_t"),
    }


def _curve(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.roc_curve(sample, marker=markers[0])
    return {
        "specificity": ((curve.n_neg - curve.fp) / curve.n_neg).tolist(),
        "sensitivity": curve.tpr.tolist(),
        "area": curve.area(),
    }


def _influence(estimate: rs.Estimate) -> Numbers:
    """Return value, variance and structural components, positives and negatives apart."""
    influence = estimate.influence
    components = influence.values[0] + estimate.value
    positive = estimate.sample.positive
    return {
        "value": estimate.value,
        "variance": estimate.variance(),
        "v10": components[positive].tolist(),
        "v01": components[~positive].tolist(),
    }


def _sauc(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    estimate = rs.sauc(sample, marker=markers[0])
    names = ("r_plus", "r_minus", "rsauc", "mean_difference")
    return _influence(estimate) | {name: estimate.details[name] for name in names}


def _smauc(**options: Any) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def numbers(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.smauc(sample, marker=markers[0], **options)
        return _influence(estimate) | {name: estimate.details[name] for name in ("chance",)}

    return numbers


def _midpoint_curve(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.midpoint_curve(sample, marker=markers[0], midpoints=[0.2, 0.5, 0.8])
    return {
        "value": found.smauc.tolist(),
        "variance": (found.std_error**2).tolist(),
        "chance": found.chance.tolist(),
    }


def _midpoint_band(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    grid = [k / 10 for k in range(1, 10)]
    found = rs.midpoint_curve(sample, marker=markers[0], midpoints=grid, n_draws=100_000)
    return {"critical": found.critical_value}


def _variances(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = {}
    for measure in (rs.auc, rs.sauc):
        estimate = measure(sample, marker=markers[0])
        for method in ("wu", "unbiased"):
            found[f"{measure.__name__}_{method}"] = estimate.variance(method=method)
    return found


def _auto_interval(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"limits": _limits(rs.auc(sample, marker=markers[0]))}


def _raw_interval(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"limits": _limits(rs.sauc(sample, marker=markers[0]))}


def _bootstrap(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the bootstrap's limits in units of DeLong's standard error."""
    estimate, result = _bootstrapped(sample, markers)
    limits = result.confidence_interval(method="percentile")
    unit = estimate.std_error
    return {
        "low": (limits.low - estimate.value) / unit,
        "high": (limits.high - estimate.value) / unit,
    }


def _bootstrap_spread(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the bootstrap's standard error in units of DeLong's."""
    estimate, result = _bootstrapped(sample, markers)
    return {"spread": float(result.std_error[0]) / estimate.std_error}


def _bootstrapped(
    sample: rs.ScoredSample, markers: Markers
) -> tuple[rs.Estimate, rs.BootstrapResult]:
    estimate = rs.auc(sample, marker=markers[0])
    resampling = rs.Bootstrap(n_resamples=RESAMPLES, rng=20261116)
    return estimate, rs.bootstrap(estimate, resampling=resampling)


def _bootstrap_limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return what a bootstrap says of given replicates."""
    estimate = rs.auc(sample, marker=markers[0])
    drawn = rs.bootstrap(estimate, resampling=rs.Bootstrap(n_resamples=2, rng=1))
    given = estimate.value + np.sin(np.arange(1.0, 401.0)) / 20.0
    result = replace(drawn, replicates=given[:, np.newaxis])
    limits = {m: result.confidence_interval(method=m) for m in ("percentile", "normal")}
    return {"std_error": float(result.std_error[0])} | {
        method: [found.low, found.high] for method, found in limits.items()
    }


def _partial(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {
        f"{name}_{kind}": rs.partial_auc(
            sample, marker=markers[0], standardized=kind == "standardized", **window
        ).value
        for name, window in WINDOWS.items()
        for kind in ("raw", "standardized")
    }


def _binormal(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    fit = rs.binormal_fit(sample, marker=markers[0], method="least-squares")
    return {"area": fit.area()}


def _multiclass(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    scores = sample.scores[sample.marker(markers[0])]
    return {"value": rs.multiclass_auc(three_classes(sample), scores, labels=[0, 1, 2]).value}


def _average_precision(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"value": rs.average_precision(sample, marker=markers[0]).value}


def _interpolated_precision(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"value": rs.precision_recall_curve(sample, marker=markers[0]).interpolated_area()}


def _det(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.det_curve(sample, marker=markers[0])
    return {
        "fpr": curve.fpr.tolist(),
        "fnr": curve.fnr.tolist(),
        "equal_error_rate": curve.equal_error_rate(),
    }


AREAS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "auc": _auc,
    "interval-wald": _interval("wald", clip=True),
    "interval-logit": _interval("logit"),
    "interval-forms": _forms("wald_t", "logit_t", "probit", "arcsine", "hanley-mcneil"),
    "interval-solved": _forms("newcombe", "kl"),
    "interval-scored": _scored_intervals,
    "interval-auto": _auto_interval,
    "interval-score": _forms("score", "score_t"),
    "interval-raw": _raw_interval,
    "sauc": _sauc,
    "smauc": _smauc(),
    "smauc-balanced": _smauc(class_weight="balanced"),
    "smauc-class-mean": _smauc(midpoint="class_mean"),
    "midpoint-curve": _midpoint_curve,
    "midpoint-band": _midpoint_band,
    "variances": _variances,
    "bootstrap": _bootstrap,
    "bootstrap-spread": _bootstrap_spread,
    "curve": _curve,
    "bootstrap-limits": _bootstrap_limits,
    "partial": _partial,
    "binormal": _binormal,
    "multiclass": _multiclass,
    "average-precision": _average_precision,
    "interpolated-precision": _interpolated_precision,
    "det": _det,
}
