"""Areas and curves of one marker: AUC, sAUC, smAUC, partial AUC; ROC with its band, sROC, smROC."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.analysis.counted_scores import seen_scores
from rocstats.analysis.design_facts import is_designed
from rocstats.analysis.grouping import with_levels
from rocstats.analysis.left_out import LeftOut
from rocstats.analysis.option_kinds import BOUNDS_FORM
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.ranking import MANY
from rocstats.analysis.tidy import AREA, pick
from rocstats.arrays import Floats
from rocstats.curves.bands import roc_band
from rocstats.curves.midpoints import midpoint_curve
from rocstats.curves.roc import roc_curve
from rocstats.curves.smroc import smroc_curve
from rocstats.curves.sroc import SrocCurve, sroc_curve
from rocstats.data.sample import ScoredSample
from rocstats.data.scan.count_blocks import needs_rows
from rocstats.engine.catalogue import partial_area, scored_auc, smooth_auc
from rocstats.errors import ScoreRangeError, named
from rocstats.estimates.estimators import estimate
from rocstats.estimates.results import Estimate

__all__ = [
    "area_facts",
    "check_bounds",
    "curve_facts",
    "evenly",
    "is_probability",
    "thin_path",
]

_MOST_POINTS = 1000  # of a drawn curve: a step along it is then below one pixel
_OF_MANY_POINTS = 200  # of one of many markers, whose page is to stay light
_FEW_POINTS = 60  # of one that is drawn grey behind them
_SROC_POINTS = 129
_MOST_ROWS = 2**22  # of a table, whose rows a scored curve would bring into memory
_PART = 4096  # scores of a class by which its margins are chosen
_BEGUN, _DONE = 0.98, 0.01  # shares of the AUC that are left where a scored curve begins and ends
_EARLY, _NEARLY = 0.05, 0.9  # parts of its margins that are a small one, and next to all
_TINY = 1e-300


def check_bounds(sample: ScoredSample, plan: StudyPlan) -> None:
    """Refuse limits of a marker that its scores lie beyond."""
    for row, marker in enumerate(sample.markers):
        scores = seen_scores(sample, row)
        scores = scores[np.isfinite(scores)]
        low, high = plan.bounds.get(marker, (-math.inf, math.inf))
        if scores.size and not low <= scores.min() <= scores.max() <= high:
            raise ScoreRangeError(
                f"The scores of {marker} reach from {scores.min():g} to {scores.max():g}, beyond "
                f"its limits {low:g} and {high:g}; give their true limits as {named(BOUNDS_FORM)}."
            )


def is_probability(sample: ScoredSample, row: int, plan: StudyPlan) -> bool:
    """Whether the scores are said to be probabilities of the positive class, and can be.

    Their values alone never say so: many a measured share lies on [0, 1].
    """
    return (
        _are_called_probabilities(sample.markers[row], plan)
        and _on_unit(seen_scores(sample, row))
        and not sample.is_flipped(row)
        and sample.blocks(row).score.size > 2
    )


def _are_called_probabilities(marker: str, plan: StudyPlan) -> bool:
    """Whether the plan says so: by limits 0 and 1, else by where scores without a unit are from."""
    bounds = plan.bounds.get(marker)
    if bounds is not None:
        return tuple(bounds) == (0.0, 1.0)
    return plan.scores != "measured" and marker not in plan.units


def _has_unit_scale(sample: ScoredSample, row: int, plan: StudyPlan) -> bool:
    """Whether there are limits that place the scores on [0, 1], given or those of a probability."""
    marker = sample.markers[row]
    called = _are_called_probabilities(marker, plan) and _on_unit(seen_scores(sample, row))
    return marker in plan.bounds or called


def _area(found: Estimate, level: float) -> dict[str, Any]:
    """Return one estimate with its interval."""
    return pick(found.statement(confidence_level=level).row, AREA) | found.details


def area_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any]:
    """Return every area of one marker, and why one is not there."""
    marker, level = sample.markers[row], plan.confidence_level
    one = sample.only(row)
    bounds = plan.bounds.get(marker)
    finite = bool(np.isfinite(seen_scores(sample, row)).all())
    unit = _has_unit_scale(sample, row, plan)
    measures: list[Any] = ["auc", *_partials(plan)]
    measures += [scored_auc(bounds=bounds)] if finite else []
    measures += [smooth_auc(bounds=bounds)] if finite and unit else []
    rows = {found.measure.name: found for found in estimate(one, measures=measures).rows}
    auc = rows["auc"]
    wald = auc.confidence_interval(confidence_level=level, method="wald", clip=True)
    raw, standardized = (_area(rows[m.name], level) for m in _partials(plan))
    apart = (
        "not said to be probabilities" if _on_unit(seen_scores(sample, row)) else "not on [0, 1]"
    )
    why = None if finite and unit else f"the scores are {apart}"
    return {
        "estimates": {
            "auc": _area(auc, level) | {"wald_low": wald.low, "wald_high": wald.high},
            "sauc": _area(rows["sauc"], level) | {"unit_scale": unit} if finite else None,
            "smauc": _area(rows["smauc"], level) if "smauc" in rows else None,
            "pauc": {
                "fpr_low": plan.fpr_range[0],
                "fpr_high": plan.fpr_range[1],
                "raw": raw,
                "standardized": standardized,
            },
        },
        "smauc_why": why if finite else "some scores are infinite",
    }


def _partials(plan: StudyPlan) -> tuple[Any, Any]:
    return (
        partial_area(fpr=plan.fpr_range),
        partial_area(fpr=plan.fpr_range, standardized=True),
    )


def _on_unit(scores: Floats) -> bool:
    return bool(scores.min() >= 0.0 and scores.max() <= 1.0)


def curve_facts(
    sample: ScoredSample, row: int, plan: StudyPlan, left_out: LeftOut, *, full: bool = True
) -> dict[str, Any]:
    """Return the curves of one marker, thinned to what an eye can see.

    Not in full, and of a sample with weights or strata, the ROC curve only.
    """
    marker = sample.markers[row]
    bounds = plan.bounds.get(marker)
    curve = roc_curve(sample, marker=marker)
    most = _MOST_POINTS if len(sample.markers) <= MANY else _OF_MANY_POINTS
    fpr, tpr = thin_path(curve.fpr, curve.tpr, most=most if full else _FEW_POINTS)
    if not full or is_designed(sample):
        roc = {"fpr": fpr.tolist(), "tpr": tpr.tolist()}
        return {"curve": roc} | dict.fromkeys(("band", "sroc", "smroc", "smauc_along"))
    finite = bool(np.isfinite(seen_scores(sample, row)).all())
    scored = smooth = along = None
    if finite:
        scored = left_out.unless("the scored curve", lambda: _scored(sample, row, plan), None)
    if finite and _has_unit_scale(sample, row, plan):
        path = smroc_curve(sample, marker=marker, bounds=bounds)
        if np.isfinite(path.fpr).all() and np.isfinite(path.tpr).all():
            across, up = thin_path(path.fpr, path.tpr)
            smooth = {"fpr": across.tolist(), "tpr": up.tolist()}
            along = left_out.unless(
                "the smAUC along its midpoint", lambda: _along_midpoints(sample, row, plan), None
            )
    return {
        "curve": {"fpr": fpr.tolist(), "tpr": tpr.tolist()},
        "band": left_out.unless("bands of curves", lambda: _band(sample, row, plan), None),
        "sroc": scored,
        "smroc": smooth,
        "smauc_along": along,
    }


def _scored(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any] | None:
    """Return the scored curve, which takes the score of every subject."""
    if not sample.keeps_rows and sample.n_pos + sample.n_neg > _MOST_ROWS:
        raise needs_rows()
    marker = sample.markers[row]
    steps = sroc_curve(sample, marker=marker, bounds=plan.bounds.get(marker))
    tau, logarithmic = _margins(steps)
    return {
        "tau": tau.tolist(),
        "theta": np.asarray(steps.at(tau)).tolist(),
        "log_scale": logarithmic,
        "whole": bool(tau[-1] == max(steps.margin[-1], 0.0)),
    }


def _along_midpoints(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any] | None:
    """Return the smAUC along its midpoint, with its band; None where there is no band."""
    marker = sample.markers[row]
    found = midpoint_curve(
        sample,
        marker=marker,
        bounds=plan.bounds.get(marker),
        confidence_level=plan.confidence_level,
        rng=plan.resampling("midpoints", row).rng,
    )
    if math.isnan(found.critical_value):
        return None
    return {
        "midpoint": found.midpoint.tolist(),
        "smauc": found.smauc.tolist(),
        "low": found.low.tolist(),
        "high": found.high.tolist(),
        "chance": found.chance.tolist(),
        "critical_value": found.critical_value,
        "n_draws": found.n_draws,
    }


def _margins(curve: SrocCurve) -> tuple[Floats, bool]:
    """Return margins from 0 to where next to nothing is left, and whether they fit a log scale.

    They do where half of the area is lost within a small part of the way. Where pairs are very
    many, a part of them tells as much.
    """
    top = float(curve.margin[-1])
    if not top > 0.0:
        return np.zeros(1), False
    if not curve.complete:
        curve = replace(curve, pos=_thinned(curve.pos), neg=_thinned(curve.neg))
    tried = np.geomspace(1e-6 * top, top, 4 * _SROC_POINTS)
    left = np.asarray(curve.at(tried)) / max(float(curve.at(0.0)), _TINY)
    low, half, end = (float(tried[left > share][-1:].sum()) for share in (_BEGUN, 0.5, _DONE))
    if not 0.0 < end < _NEARLY * top:
        end = top
    if low > 0.0 and half < _EARLY * end:
        return np.append(0.0, np.geomspace(low, end, _SROC_POINTS - 1)), True
    return np.linspace(0.0, end, _SROC_POINTS), False


def _thinned(scores: Floats) -> Floats:
    """Return some of the sorted scores, evenly by rank."""
    return scores[:: -(-scores.size // _PART)]


def _band(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any] | None:
    band = roc_band(
        with_levels(sample, row),
        method="fixed-width" if sample.is_clustered else "envelope",
        confidence_level=plan.confidence_level,
        resampling=plan.resampling("band", row),
    )
    if math.isnan(float(band.low[0])):
        return None
    return {
        "method": band.method,
        "kind": band.kind,
        "fpr": band.fpr.tolist(),
        "low": band.low.tolist(),
        "high": band.high.tolist(),
    }


def thin_path(x: Floats, y: Floats, *, most: int = _MOST_POINTS) -> tuple[Floats, Floats]:
    """Return a rising path with at most so many vertices, both ends among them.

    Vertices within a straight piece go first; of the others those next to equal steps of x + y
    stay, so that no point of the path is further than one such step from what is drawn.
    """
    dx, dy = np.diff(x), np.diff(y)
    bends = np.append(True, dx[:-1] * dy[1:] != dy[:-1] * dx[1:])
    keep = np.append(bends, True) if x.size > 2 else np.ones(x.size, dtype=np.bool_)
    x, y = x[keep], y[keep]
    if x.size <= most:
        return x, y
    chosen = evenly(x + y, most)
    return x[chosen], y[chosen]


def evenly(along: Floats, most: int) -> NDArray[np.intp]:
    """Return the places of at most `most` numbers of a rising list, one after each equal step."""
    wanted = np.linspace(along[0], along[-1], most)
    return np.unique(np.searchsorted(along, wanted).clip(0, along.size - 1))
