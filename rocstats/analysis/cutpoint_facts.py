"""Cutpoints of one marker: prespecified first, then the one the data chose, with what it cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from rocstats.analysis.design_facts import is_designed
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import RATE, pick
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import ScoredSample
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.urn import make_urn
from rocstats.thresholds.chosen_thresholds import operating_points, places_at
from rocstats.thresholds.cutpoints import Cutpoint, optimal_cutpoint
from rocstats.thresholds.fixed_rate import sensitivity_at
from rocstats.thresholds.frequencies import frequencies
from rocstats.thresholds.points import OperatingPoints

__all__ = [
    "called_facts",
    "cutpoint_facts",
    "fixed_rate_facts",
    "predictive_facts",
    "threshold_text",
    "why_none",
]

_CURVE_STEPS = 49  # prevalences of the curve of predictive values
_LIMITS = ("estimate", "conf_low", "conf_high")


def threshold_text(curve: RocCurve, threshold: float) -> str:
    """Return the shortest decimal that calls the same subjects positive as the threshold does."""
    threshold += 0.0  # a zero has no sign
    here = int(places_at(curve, np.array(threshold)))
    for digits in range(3, 18):
        text = f"{threshold:.{digits}g}"
        if int(places_at(curve, np.array(float(text)))) == here:
            return text
    return repr(threshold)


def why_none(sample: ScoredSample, row: int) -> str | None:
    """Return why the data choose no threshold of a marker, or None where they do."""
    if is_designed(sample):
        return "a choice by the data takes no weights and no strata"
    if _fewest(sample) < 2:  # whatever the marker
        return "one class has a single subject or cluster"
    curve = roc_curve(sample, marker=sample.markers[row])
    gain = curve.tp * curve.n_neg - curve.fp * curve.n_pos
    best = gain[np.isfinite(curve.threshold)].max(initial=0)
    if best <= 0:
        return "no threshold does better than calling everyone positive, or no one"
    return None if best == gain.max() else "the best one is infinite"


def _fewest(sample: ScoredSample) -> int:
    """Return how many subjects or clusters the smaller class has."""
    if sample.keeps_rows:
        return make_urn(sample, []).fewest()
    return min(sample.clusters_by_class() or (sample.n_pos, sample.n_neg))


def cutpoint_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> list[dict[str, Any]]:
    """Return the prespecified cutpoints as given, and the exploratory one by the criterion.

    None is chosen where `why_none` has a reason; one that calls the same subjects positive as a
    prespecified one is not shown again, but said there.
    """
    marker = sample.markers[row]
    curve = roc_curve(sample, marker=marker)
    given = [float(cut) for cut in plan.prespecified.get(marker, ())]
    found = []
    if given:
        points = _points(sample, marker, given, plan)
        found = [
            _cutpoint(points, i, "prespecified", "fixed in advance", _as_given(cut))
            for i, cut in enumerate(given)
        ]
    if why_none(sample, row) is not None:
        return found
    chosen = optimal_cutpoint(
        sample,
        marker=marker,
        criterion=plan.criterion,
        resampling=plan.resampling("cutpoint", row),
        confidence_level=plan.confidence_level,
    )
    best = _representative(chosen)
    threshold = float(chosen.threshold[best])
    points, text = _points(sample, marker, [threshold], plan), threshold_text(curve, threshold)
    by = f"{chosen.criterion} in these data"
    exploratory = _cutpoint(points, 0, "exploratory", by, text)
    same = [cut for cut in found if all(cut[cell] == exploratory[cell] for cell in ("tp", "fp"))]
    if same:
        for cut in same:
            cut["also"] = pick(exploratory, ("criterion", "threshold", "threshold_text"))
        return found
    limits = chosen.confidence_interval(confidence_level=plan.confidence_level)
    steady = chosen.is_steady
    return [
        *found,
        exploratory
        | {
            "n_optima": int(chosen.threshold.size),
            "next_score": float(chosen.next_score[best]),
            "midpoint": float(chosen.midpoint[best]),
            "steady": steady,
            "conf_low": None if steady else limits.low,
            "conf_high": None if steady else limits.high,
            "conf_method": None if steady else limits.method,
            "corrected": None if steady else _corrected(chosen, best),
        },
    ]


def called_facts(
    sample: ScoredSample,
    row: int,
    threshold: float,
    plan: StudyPlan,
    *,
    kind: str,
    criterion: str,
    text: str,
) -> dict[str, Any]:
    """Return what a test calls that is positive where its result has a name, not a threshold."""
    points = _points(sample, sample.markers[row], [threshold], plan)
    return _cutpoint(points, 0, kind, criterion, text) | {"sign": "="}


def _representative(chosen: Cutpoint) -> int:
    """Return which of several optima is shown: that of highest specificity that is finite."""
    usable = np.flatnonzero(np.isfinite(chosen.threshold))
    return int(usable[0]) if usable.size else 0


def _points(
    sample: ScoredSample, marker: str, thresholds: Sequence[float], plan: StudyPlan
) -> OperatingPoints:
    return operating_points(
        sample,
        marker=marker,
        thresholds=list(thresholds),
        prevalence=list(plan.prevalence),
        confidence_level=plan.confidence_level,
    )


def _as_given(threshold: float) -> str:
    """Return a prespecified threshold with all its digits: it is not ours to round."""
    return repr(threshold + 0.0).removesuffix(".0")


def _cutpoint(
    points: OperatingPoints, i: int, kind: str, criterion: str, text: str
) -> dict[str, Any]:
    threshold = float(points.threshold[i])
    rows = {row["measure"]: row for row in points.table(i)}
    return {
        "kind": kind,
        "criterion": criterion,
        "threshold": threshold,
        "threshold_text": text,
        "sign": "\u2265" if points.higher_is_positive else "\u2264",
        **{cell: int(count[i]) for cell, count in points.subjects.items()},
        "n_optima": 1,
        "also": None,
        "next_score": None,
        "midpoint": None,
        "steady": False,
        "conf_low": None,
        "conf_high": None,
        "conf_method": None,
        "corrected": None,
        "measures": {
            measure: pick(row, ("label", *RATE))
            for measure, row in rows.items()
            if "_at_" not in measure
        },
        "at_prevalence": _predictions(points, rows),
    }


def _predictions(points: OperatingPoints, rows: dict[str, Any]) -> list[dict[str, Any]]:
    """Return predictive values and natural frequencies at the sample's and stated prevalences.

    A stated one that is the sample's is given once, as the sample's.
    """
    pos, neg = points.totals
    own = pos / (pos + neg)
    stated = [(share, f"_at_{share!r}") for share in points.prevalence if share != own]
    rates = rows["sensitivity"]["estimate"], rows["specificity"]["estimate"]
    return [
        {
            "prevalence": share,
            "own": suffix == "",
            **frequencies(share, *rates),
            **{value: pick(rows[f"{value}{suffix}"], _LIMITS) for value in ("ppv", "npv")},
        }
        for share, suffix in [(own, ""), *stated]
    ]


def _corrected(chosen: Cutpoint, i: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for rate, value, optimism in (
        ("sensitivity", chosen.corrected_sensitivity, chosen.optimism[0]),
        ("specificity", chosen.corrected_specificity, chosen.optimism[1]),
    ):
        low, high = chosen.corrected_limits(rate)  # type: ignore[arg-type]
        found[rate] = {
            "estimate": float(value[i]),
            "conf_low": float(low[i]),
            "conf_high": float(high[i]),
            "noise": optimism < 0.0,  # above the apparent rate
        }
    found["optimism_sensitivity"], found["optimism_specificity"] = chosen.optimism
    used = int(np.count_nonzero(~np.isnan(chosen.replicates[:, 0])))
    return found | {"n_resamples": used}


def fixed_rate_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> list[dict[str, Any]]:
    """Return the sensitivity at fixed specificities, whose thresholds are estimated."""
    if not len(plan.specificities):
        return []
    independent = not sample.is_clustered  # then limits come of order statistics, not resamples
    none = Bootstrap(n_resamples=2, rng=0)
    found = sensitivity_at(
        sample,
        marker=sample.markers[row],
        specificity=list(plan.specificities),
        resampling=none if independent else plan.resampling("fixed rate", row),
    )
    method: Literal["order", "percentile"] = "order" if independent else "percentile"
    limits = [rate.confidence_interval(plan.confidence_level, method=method) for rate in found]
    usable = found.attainable()
    return [
        {
            "rate": "sensitivity",
            "at": "specificity",
            "level": float(at),
            "estimate": float(value),
            "conf_low": interval.low,
            "conf_high": interval.high,
            "conf_method": interval.method,
            "interpolated": between,
            "usable": [_usable(found.curve, point) for point in usable if point["at"] == at],
        }
        for at, value, interval, between in zip(
            found.at, found.value, limits, found.interpolated, strict=True
        )
    ]


def _usable(curve: RocCurve, point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a threshold that can be used, and its rates; none where no one is called positive."""
    threshold = point["threshold"]
    finite = math.isfinite(threshold)
    return {
        "threshold": threshold if finite else None,
        "threshold_text": threshold_text(curve, threshold) if finite else None,
        "sign": "\u2265" if curve.higher_is_positive else "\u2264",
        **{name: point[name] for name in ("sensitivity", "specificity", "meets")},
    }


def predictive_facts(
    sample: ScoredSample, row: int, cutpoints: Sequence[dict[str, Any]], plan: StudyPlan
) -> dict[str, Any] | None:
    """Return PPV and NPV of the first cutpoint against the prevalence."""
    if not cutpoints:
        return None
    threshold = cutpoints[0]["threshold"]
    shares = [round(i / (_CURVE_STEPS + 1), 4) for i in range(1, _CURVE_STEPS + 1)]
    points = operating_points(
        sample,
        marker=sample.markers[row],
        thresholds=[threshold],
        prevalence=shares,
        confidence_level=plan.confidence_level,
    )
    rows = {found["measure"]: found for found in points.table()}
    answer: dict[str, Any] = {"threshold": threshold, "prevalence": shares}
    for value in ("ppv", "npv"):
        for end, name in (("", "estimate"), ("_low", "conf_low"), ("_high", "conf_high")):
            answer[f"{value}{end}"] = [rows[f"{value}_at_{share!r}"][name] for share in shares]
    return answer
