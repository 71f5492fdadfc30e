"""Observed, continued: hulls, mixtures, averages, bands, partial areas and smooth curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["CURVES"]

CURVES_DRAWN = rs.Bootstrap(n_resamples=5_000, rng=20261118)
DRAWN_AT = [0.05, 0.1, 0.2, 0.3, 0.5]
PREVALENCES = {"rare": 0.02, "common": 0.3}


def _hull(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    hull = rs.roc_hull(sample)
    conditions = ((0.5, 1, 1), (0.2, 1, 5), (0.9, 3, 1))
    return {
        "fpr": hull.fpr.tolist(),
        "tpr": hull.tpr.tolist(),
        "area": hull.area(),
        "cost": [
            hull.best(prevalence=p, cost_fp=fp, cost_fn=fn).expected_cost
            for p, fp, fn in conditions
        ],
        "height": [float(hull.mix(fpr=rate).tpr) for rate in (0.05, 0.2, 0.5)],
    }


def _mixing(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    scores = sample.oriented(sample.marker(markers[0]))
    pos, neg = np.sort(scores[sample.positive]), scores[~sample.positive]

    def at(share: float) -> tuple[float, float]:
        cut = pos[math.ceil(share * pos.size) - 1]
        return float(np.mean(neg >= cut)), float(np.mean(pos >= cut))

    def called(point: tuple[float, float]) -> float:
        return 1000.0 * (0.7 * point[0] + 0.3 * point[1])

    a, b = at(0.8), at(0.1)
    wanted = math.floor(0.6 * called(a) + 0.4 * called(b))
    one = rs.mix_classifiers(a, b, called=wanted, size=1000, prevalence=0.3)
    two = rs.mix_classifiers(a, b, tpr=math.floor(100.0 * (0.3 * a[1] + 0.7 * b[1])) / 100.0)
    names = ("share", "fpr", "tpr", "fp", "tp")
    return {
        "called": [one.to_dict()[name] for name in names],
        "rate": [two.to_dict()[name] for name in names[:3]],
    }


def _averaging(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return averages over three folds; limits are compared within [0, 1]."""
    place = np.where(sample.positive, np.cumsum(sample.positive), np.cumsum(~sample.positive))
    row = sample.marker(markers[0])
    rates = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0]
    upward = np.sort(sample.oriented(row))
    cuts = [upward[math.ceil(upward.size * q) - 1] for q in (0.9, 0.7, 0.5, 0.3, 0.1)]
    thresholds = [-cut if sample.is_flipped(row) else cut for cut in cuts]
    grids: dict[Any, list[float]] = {"vertical": rates, "threshold": thresholds}
    mean = {
        method: rs.average_curves(sample, folds=place % 3, marker=markers[0], method=method, at=at)
        for method, at in grids.items()
    }
    found: Numbers = {}
    for name, method, rate in (
        ("vertical", "vertical", "tpr"),
        ("fpr", "threshold", "fpr"),
        ("tpr", "threshold", "tpr"),
    ):
        curve = mean[method]
        low, high = getattr(curve, f"{rate}_low"), getattr(curve, f"{rate}_high")
        found[f"{name}_mean"] = getattr(curve, rate).tolist()
        found[f"{name}_std_error"] = getattr(curve, f"{rate}_std_error").tolist()
        found[f"{name}_low"] = np.maximum(low, 0.0).tolist()
        found[f"{name}_high"] = np.minimum(high, 1.0).tolist()
    return found


def _bands(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    rates = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]
    designs: dict[str, dict[str, Any]] = {
        "ks": {"method": "kolmogorov-smirnov"},
        "exact": {"method": "binomial"},
        "score": {"method": "binomial", "proportion": "wilson"},
    }
    found: Numbers = {}
    for name, options in designs.items():
        band = rs.roc_band(sample, marker=markers[0], fpr=rates, **options)
        found |= {f"{name}_low": band.low.tolist(), f"{name}_high": band.high.tolist()}
    return found


def _bands_drawn(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the bootstrap's limits, and the mean limits of the envelope, which are far out."""
    options: dict[str, Any] = {"marker": markers[0], "resampling": CURVES_DRAWN}
    whole = rs.roc_band(sample, method="envelope", **options)
    point = rs.roc_band(sample, method="bootstrap", fpr=DRAWN_AT, **options)
    return {
        "envelope": [float(whole.low.mean()), float(whole.high.mean())],
        "bootstrap_low": point.low.tolist(),
        "bootstrap_high": point.high.tolist(),
    }


def _bands_fixed(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    band = rs.roc_band(
        sample, marker=markers[0], method="fixed-width", fpr=DRAWN_AT, resampling=CURVES_DRAWN
    )
    return {"low": band.low.tolist(), "high": band.high.tolist()}


def _partial_variance(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    windows: tuple[dict[str, Any], ...] = (
        {"fpr": (0.0, 0.137)},
        {"fpr": (0.113, 0.419)},
        {"tpr": (0.611, 0.893)},
    )
    found = [rs.partial_auc(sample, marker=markers[0], **window) for window in windows]
    scaled = rs.partial_auc(sample, marker=markers[0], standardized=True, **windows[0])
    return {
        "value": [f.value for f in found],
        "variance": [f.variance() for f in found],
        "standardized": scaled.std_error,
    }


def _binormal_likelihood(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    fit = rs.binormal_fit(sample, marker=markers[0])
    limits = fit.confidence_interval()
    return {
        "a": fit.a,
        "b": fit.b,
        "std_error_a": math.sqrt(fit.covariance[0, 0]),
        "std_error_b": math.sqrt(fit.covariance[1, 1]),
        "covariance": float(fit.covariance[0, 1]),
        "log_likelihood": fit.log_likelihood,
        "area": fit.area(),
        "std_error": fit.std_error,
        "limits": [limits.low, limits.high],
        "height": fit.curve([0.1, 0.5]).tolist(),
    }


def _kernel(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return both rates at vertices whose thresholds are known: extreme scores of each class."""
    row = sample.marker(markers[0])
    curve = rs.kernel_curve(sample, marker=markers[0])
    scores, positive = sample.oriented(row), sample.positive
    ends = [
        end for part in (scores[positive], scores[~positive]) for end in (part.min(), part.max())
    ]
    threshold = -curve.threshold if sample.is_flipped(row) else curve.threshold
    where = [int(np.flatnonzero(threshold == cut)[0]) for cut in np.unique(ends)]
    return {
        "bandwidth": list(curve.bandwidth),
        "fpr": curve.fpr[where].tolist(),
        "tpr": curve.tpr[where].tolist(),
    }


def _kernel_area(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"area": rs.kernel_curve(sample, marker=markers[0]).area()}


def _predictive(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    median = float(np.median(sample.scores[sample.marker(markers[0])]))
    points = rs.operating_points(
        sample, marker=markers[0], thresholds=median, prevalence=list(PREVALENCES.values())
    )
    found: Numbers = {}
    for name, prevalence in PREVALENCES.items():
        for value in ("ppv", "npv"):
            measure = f"{value}_at_{prevalence!r}"
            low, high = points.limits(measure)
            found[f"{value}_{name}"] = [
                float(points.values(measure)[0]),
                float(low[0]),
                float(high[0]),
            ]
    return found


CURVES: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "hull": _hull,
    "mixing": _mixing,
    "averaging": _averaging,
    "bands": _bands,
    "bands-drawn": _bands_drawn,
    "bands-fixed": _bands_fixed,
    "partial-variance": _partial_variance,
    "binormal-likelihood": _binormal_likelihood,
    "kernel": _kernel,
    "kernel-area": _kernel_area,
    "predictive": _predictive,
}
