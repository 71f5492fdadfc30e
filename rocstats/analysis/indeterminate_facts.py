"""Indeterminate results at a threshold: reported twice, counted as positive and as negative."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.marker_variants import beyond_all, refilled
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import RATE, pick
from rocstats.thresholds.chosen_thresholds import operating_points

__all__ = ["indeterminate_facts"]


def indeterminate_facts(
    cohort: Cohort, row: int, threshold: float, plan: StudyPlan
) -> list[dict[str, Any]]:
    """Return the table of a threshold with indeterminate results called one way and the other."""
    unclear = cohort.indeterminate[row] & cohort.known
    if not unclear.any():
        return []
    found = []
    for call in ("positive", "negative"):
        called = np.full(unclear.size, call == "positive")
        scores = np.where(unclear, beyond_all(cohort, row, called), cohort.scores[row])
        points = operating_points(
            refilled(cohort, row, scores, cohort.available(row) | unclear),
            thresholds=[threshold],
            confidence_level=plan.confidence_level,
        )
        rates = {each["measure"]: each for each in points.table()}
        found.append(
            {"counted_as": call}
            | {cell: int(getattr(points, cell)[0]) for cell in ("tp", "fp", "fn", "tn")}
            | {rate: pick(rates[rate], RATE) for rate in ("sensitivity", "specificity")}
        )
    return found
