"""Precision reached: the width of what was found, and what difference the study could have found.

Never the power at the observed effect, which says what the p-value says already.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.analysis.plan import StudyPlan

__all__ = ["POWER", "precision_facts"]

POWER = 0.8


def precision_facts(
    markers: Sequence[dict[str, Any]], comparisons: dict[str, Any] | None, plan: StudyPlan
) -> list[dict[str, Any]]:
    """Return half-widths of the AUC intervals, and detectable differences."""
    rows = [
        {
            "kind": "area",
            "marker": marker["name"],
            "versus": None,
            "half_width": _half(marker["estimates"]["auc"]),
            "detectable": None,
        }
        for marker in markers
    ]
    pairs = [] if comparisons is None else comparisons.get("pairwise", [])
    rows += [
        {
            "kind": "difference",
            "marker": pair["first"],
            "versus": pair["second"],
            "half_width": _half(pair),
            "detectable": _detectable(pair["std_error"], pair["df"], plan.confidence_level),
        }
        for pair in pairs
    ]
    return rows


def _detectable(std_error: float, df: float, level: float) -> float:
    """Return the difference that the t test of this standard error finds with the power."""
    from scipy.special import stdtrit

    if not std_error > 0.0:
        return math.nan
    return float(std_error * (stdtrit(df, 0.5 + level / 2.0) + stdtrit(df, POWER)))


def _half(row: dict[str, Any]) -> float:
    return float((row["conf_high"] - row["conf_low"]) / 2.0)
