"""What thresholds do not tell: every threshold at once, single results, and rare conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocstats.analysis.area_facts import evenly, thin_path
from rocstats.analysis.cutpoint_facts import threshold_text
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.ranking import MANY
from rocstats.analysis.tidy import RATE, pick
from rocstats.curves.precision_average import average_precision
from rocstats.curves.precision_recall import precision_recall_curve
from rocstats.curves.roc import roc_curve
from rocstats.data.sample import ScoredSample
from rocstats.thresholds.chosen_thresholds import operating_points

__all__ = ["every_threshold_facts", "interval_ratio_facts", "precision_recall_facts"]

_MOST_ROWS = 1500  # thresholds of all markers in one page, which stays light
_FEWEST_RESULTS, _MOST_RESULTS = 3, 10  # distinct results of a rating
_RARE = 0.1  # share of positives below which a false alarm is the rule
_CALLED = {"n_pos": "tp", "n_neg": "fp"}
_ESTIMATES = ("ppv", "npv", "lr_pos", "lr_neg", "youden")


def every_threshold_facts(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any]:
    """Return the table of all thresholds of one marker as columns; of very many, some evenly."""
    marker = sample.markers[row]
    curve = roc_curve(sample, marker=marker)
    usable = np.flatnonzero(np.isfinite(curve.threshold))
    most = _MOST_ROWS // min(len(sample.markers), 2 * MANY)
    chosen = usable
    if usable.size > most:
        chosen = usable[evenly((curve.fpr + curve.tpr)[usable], most)]
    points = operating_points(
        sample,
        marker=marker,
        thresholds=curve.threshold[chosen],
        confidence_level=plan.confidence_level,
    )
    columns: dict[str, Any] = {"threshold": points.threshold.tolist()}
    columns |= {cell: count.tolist() for cell, count in points.subjects.items()}
    for rate in ("sensitivity", "specificity"):
        low, high = points.limits(rate)
        columns |= {
            rate: points.values(rate).tolist(),
            f"{rate}_conf_low": low.tolist(),
            f"{rate}_conf_high": high.tolist(),
        }
    columns |= {measure: points.values(measure).tolist() for measure in _ESTIMATES}
    return {"n_all": int(usable.size), "columns": columns}


def interval_ratio_facts(
    sample: ScoredSample, row: int, plan: StudyPlan
) -> list[dict[str, Any]] | None:
    """Return the likelihood ratio of every single result of a rating; None of a finer scale.

    That of a result is that of the test which is positive where this is the result.
    """
    score = sample.blocks(row).score
    if not _FEWEST_RESULTS <= score.size <= _MOST_RESULTS:
        return None
    values, curve = sample.scores[row], roc_curve(sample, marker=sample.markers[row])
    found = []
    for result in np.unique(values):
        alone = replace(
            sample.only(row),
            scores=(values == result).astype(np.float64)[None],
            higher_is_positive=(True,),
        )
        points = operating_points(alone, thresholds=[1.0], confidence_level=plan.confidence_level)
        rows = {each["measure"]: each for each in points.table()}
        found.append(
            {"result": float(result), "result_text": threshold_text(curve, float(result))}
            | {name: int(points.subjects[cell][0]) for name, cell in _CALLED.items()}
            | {"ratio": pick(rows["lr_pos"], RATE)}
        )
    return found


def precision_recall_facts(
    sample: ScoredSample, row: int, plan: StudyPlan
) -> dict[str, Any] | None:
    """Return the precision-recall curve where the condition is rare, with its average."""
    if sample.n_pos >= _RARE * (sample.n_pos + sample.n_neg):
        return None
    marker = sample.markers[row]
    curve = precision_recall_curve(sample, marker=marker)
    recall, falling = thin_path(curve.recall, 1.0 - curve.precision)
    average = average_precision(sample, marker=marker)
    stated = average.statement(confidence_level=plan.confidence_level)
    return {
        "recall": recall.tolist(),
        "precision": (1.0 - falling).tolist(),
        "average": pick(stated.row, RATE),
    }
