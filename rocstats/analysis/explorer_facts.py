"""The explorer's numbers: every threshold and prevalence it can show, worked out beforehand.

Shares are whole tenths of a percent, so that a page can show them without working anything out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.analysis.area_facts import evenly
from rocstats.analysis.cutpoint_facts import threshold_text
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.shares import tenths
from rocstats.arrays import Floats
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import ScoredSample
from rocstats.thresholds.chosen_thresholds import operating_points
from rocstats.thresholds.frequencies import frequencies

__all__ = ["explorer_facts", "explorer_prevalences"]

_RATES, _VALUES = ("sensitivity", "specificity"), ("ppv", "npv")
_USUAL = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_MOST, _LEAST = 120, 24  # thresholds a marker
_ALL = 400  # thresholds of all markers together, where each has more than the least

Shown = list[list[int | None]]


def explorer_prevalences(sample: ScoredSample, plan: StudyPlan) -> dict[str, Any]:
    """Return the prevalences that can be chosen, the sample's own among them."""
    own = sample.n_pos / (sample.n_pos + sample.n_neg)
    shares = sorted({*_USUAL, own, *(float(p) for p in plan.prevalence)})
    people = [frequencies(share, 1.0, 1.0) for share in shares]
    return {
        "prevalences": shares,
        "shown": [f"{100.0 * s:.1f}%" if s == own else f"{100.0 * s:.10g}%" for s in shares],
        "of": [row["of"] for row in people],
        "ill": [row["ill"] for row in people],
        "own": shares.index(own),
        "start": shares.index(float(plan.prevalence[0])) if plan.prevalence else shares.index(own),
    }


def explorer_facts(
    sample: ScoredSample,
    row: int,
    cutpoints: Sequence[dict[str, Any]],
    prevalences: dict[str, Any],
    plan: StudyPlan,
) -> dict[str, Any] | None:
    """Return the points of one marker; the rows of each list go with its thresholds."""
    curve = roc_curve(sample, marker=sample.markers[row])
    most = max(_LEAST, min(_MOST, _ALL // len(sample.markers)))
    thresholds = _chosen(curve, [cut["threshold"] for cut in cutpoints], most)
    if not thresholds.size:
        return None
    own = prevalences["own"]
    stated = [share for i, share in enumerate(prevalences["prevalences"]) if i != own]
    points = operating_points(
        sample,
        marker=sample.markers[row],
        thresholds=thresholds,
        prevalence=stated,
        confidence_level=plan.confidence_level,
    )
    suffixes = [
        (share, "" if i == own else f"_at_{share!r}")
        for i, share in enumerate(prevalences["prevalences"])
    ]
    asked = [*_RATES, *(f"{value}{suffix}" for _, suffix in suffixes for value in _VALUES)]
    found = points.with_limits(asked)
    shown = {name: _permille(*columns) for name, columns in found.items()}
    rates = [found[rate][0] for rate in _RATES]
    start = cutpoints[0]["threshold"] if cutpoints else thresholds[thresholds.size // 2]
    told = {cut["threshold"]: cut["threshold_text"] for cut in cutpoints}
    return {
        "value": thresholds.tolist(),
        "threshold": [told.get(cut) or threshold_text(curve, cut) for cut in thresholds.tolist()],
        "sign": "\u2265" if points.higher_is_positive else "\u2264",
        "x": (points.fp / points.n_neg).tolist(),
        "y": (points.tp / points.n_pos).tolist(),
        "start": int(np.flatnonzero(thresholds == start)[0]),
        "tp": points.tp.tolist(),
        "fp": points.fp.tolist(),
        "fn": points.fn.tolist(),
        "tn": points.tn.tolist(),
        "shown": {rate: shown[rate] for rate in _RATES},
        "predictive": [
            _predictive([shown[f"{value}{suffix}"] for value in _VALUES], share, rates)
            for share, suffix in suffixes
        ],
    }


def _chosen(curve: RocCurve, cutpoints: Sequence[float], most: int) -> Floats:
    """Return the thresholds that are shown: all, or some evenly along the curve."""
    usable = np.flatnonzero(np.isfinite(curve.threshold))
    if usable.size > most:
        usable = usable[evenly((curve.fpr + curve.tpr)[usable], most)]
    return np.unique(np.append(curve.threshold[usable], [c for c in cutpoints if math.isfinite(c)]))


def _permille(value: Floats, low: Floats, high: Floats) -> Shown:
    rows = zip(value.tolist(), low.tolist(), high.tolist(), strict=True)
    return [[tenths(x) for x in row] for row in rows]


def _predictive(values: Sequence[Shown], share: float, rates: Sequence[Floats]) -> Shown:
    """Return PPV and NPV with limits, and whole true and false positives, at every threshold."""
    counts = [frequencies(share, *rate) for rate in zip(*(r.tolist() for r in rates), strict=True)]
    return [[*p, *n, c["tp"], c["fp"]] for p, n, c in zip(*values, counts, strict=True)]
