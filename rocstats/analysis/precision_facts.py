"""Precision reached: the width of what was found, and what the study could have found or shown.

Never the power at the observed effect, which says what the p-value says already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocstats.analysis.plan import StudyPlan
from rocstats.planning.t_power import detectable_effect, power_if_equal

__all__ = ["POWER", "precision_facts"]

POWER = 0.8


def precision_facts(
    markers: Sequence[dict[str, Any]], comparisons: dict[str, Any] | None, plan: StudyPlan
) -> list[dict[str, Any]]:
    """Return half-widths of the AUC intervals, detectable differences, and power for the margin."""
    rows = [
        {
            "kind": "area",
            "marker": marker["name"],
            "versus": None,
            "half_width": _half(marker["estimates"]["auc"]),
            "detectable": None,
            "margin_power": None,
        }
        for marker in markers
    ]
    pairs = [] if comparisons is None else comparisons.get("pairwise", [])
    margins = [] if comparisons is None else comparisons.get("margins", [])
    power = {
        (test["first"], test["second"]): power_if_equal(
            test["std_error"],
            test["df"],
            aim=test["aim"],
            margin=test["margin"],
            significance=test["significance"],
        )
        for test in margins
    }
    rows += [
        {
            "kind": "difference",
            "marker": pair["first"],
            "versus": pair["second"],
            "half_width": _half(pair),
            "detectable": detectable_effect(
                pair["std_error"],
                pair["df"],
                confidence_level=plan.confidence_level,
                power=POWER,
            ),
            "margin_power": power.get((pair["first"], pair["second"])),
        }
        for pair in pairs
    ]
    return rows


def _half(row: dict[str, Any]) -> float:
    return float((row["conf_high"] - row["conf_low"]) / 2.0)
