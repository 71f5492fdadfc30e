"""Scores that are probabilities: are they right, and is acting on them worth it?"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from rocstats.analysis.area_facts import is_probability
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import RATE, pick
from rocstats.data.sample import ScoredSample
from rocstats.errors import SmallSampleWarning
from rocstats.estimates.results import TestResult
from rocstats.probabilities.brier import brier_score
from rocstats.probabilities.net_benefit import TREAT_ALL, TREAT_NONE, decision_curve
from rocstats.probabilities.recalibration import calibration
from rocstats.probabilities.reliability import calibration_curve

__all__ = ["calibration_facts", "decision_facts", "tested"]

_SMOOTH_POINTS = 200
_SHOWN = (0.05, 0.1, 0.2, 0.3, 0.5)  # threshold probabilities of the table of interventions
_STEPS, _FEWEST = (0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001), 20


def calibration_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any] | None:
    """Return calibration, Brier score and their curve where the scores can be probabilities."""
    if not is_probability(sample, row, plan):
        return None
    marker, level = sample.markers[row], plan.confidence_level
    found = calibration(sample, marker=marker)
    groups = calibration_curve(sample, marker=marker, confidence_level=level)
    brier, scaled = (brier_score(sample, marker=marker, scaled=s) for s in (False, True))
    prob, share = groups.smooth
    where = np.unique(np.linspace(0, prob.size - 1, _SMOOTH_POINTS).astype(np.intp))
    scores = sample.scores[row]
    return {
        "intercept": tested(found.intercept, level),
        "slope": tested(found.slope, level),
        "line_intercept": tested(found.line_intercept, level),
        "in_the_large": tested(found.in_the_large, level),
        "brier": _quantity(brier, level),
        "scaled_brier": _quantity(scaled, level),
        "indices": groups.error_indices(),
        "curve": {"predicted": prob[where].tolist(), "observed": share[where].tolist()},
        "groups": {
            "predicted": groups.predicted.tolist(),
            "observed": groups.observed.tolist(),
            "low": groups.conf_low.tolist(),
            "high": groups.conf_high.tolist(),
            "n": groups.n.tolist(),
        },
        "histogram": _unit_histogram(scores[sample.positive], scores[~sample.positive]),
    }


def _unit_histogram(pos: Any, neg: Any) -> dict[str, Any]:
    edges = np.linspace(0.0, 1.0, 21)
    counts = [np.histogram(part, edges)[0].tolist() for part in (pos, neg)]
    return {"edges": edges.tolist(), "pos": counts[0], "neg": counts[1]}


def tested(test: TestResult, level: float) -> dict[str, Any]:
    """Return a test as a row: estimate, limits, p and what it was tested against."""
    names = ("estimate", "conf_low", "conf_high", "p_value", "null_value")
    return pick(test.statement(confidence_level=level).row, names)


def _quantity(found: Any, level: float) -> dict[str, Any]:
    return pick(found.statement(confidence_level=level).row, RATE)


def decision_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any] | None:
    """Return the decision curve of a marker whose scores can be probabilities."""
    if not is_probability(sample, row, plan):
        return None
    marker = sample.markers[row]
    if marker in (TREAT_ALL, TREAT_NONE):
        return None
    curve = decision_curve(
        sample,
        markers=marker,
        thresholds=_steps(plan.decision_range),
        confidence_level=plan.confidence_level,
    )
    model, every = curve.curve(marker), curve.curve(TREAT_ALL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # the page has its own words for it
        saved = curve.interventions_avoided(marker)
    return {
        "threshold": curve.threshold.tolist(),
        "model": model.value.tolist(),
        "low": model.conf_low.tolist(),
        "high": model.conf_high.tolist(),
        "all": every.value.tolist(),
        "none": [0.0] * curve.threshold.size,
        "avoided": [
            {
                "threshold": row["threshold"],
                "estimate": row["interventions_avoided"],
                **pick(row, ("conf_low", "conf_high")),
            }
            for row in saved.rows()
            if row["threshold"] in _SHOWN
        ],
        "useful": [list(found) for found in curve.useful_ranges(marker)],
        "supported": [list(found) for found in curve.useful_ranges(marker, supported=True)],
        "few_missed": [list(found) for found in curve.few_missed(marker)],
    }


def _steps(window: tuple[float, float]) -> Any:
    """Return threshold probabilities from end to end, in the longest of these steps but few."""
    low, high = window
    step = next((s for s in _STEPS if (high - low) / s >= _FEWEST), _STEPS[-1])
    inner = np.arange(math.ceil(low / step), math.floor(high / step) + 1) / round(1.0 / step)
    return [low, *(cut for cut in inner.tolist() if low < cut < high), high]
