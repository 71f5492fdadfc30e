"""Precision reached: the width of what was found, and what the study could have found or shown.

Never the power at the observed effect, which says what the p-value says already.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.analysis.plan import StudyPlan

__all__ = ["POWER", "precision_facts"]

POWER = 0.8
_STEPS = 1000  # quantiles over which the spread of a standard error is averaged


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
    power = {(test["first"], test["second"]): _margin_power(test) for test in margins}
    rows += [
        {
            "kind": "difference",
            "marker": pair["first"],
            "versus": pair["second"],
            "half_width": _half(pair),
            "detectable": _detectable(pair["std_error"], pair["df"], plan.confidence_level),
            "margin_power": power.get((pair["first"], pair["second"])),
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


def _margin_power(test: dict[str, Any]) -> float | None:
    """Return the power of a margin's test, at this standard error, if the AUCs are equal.

    Superiority by a margin has none: equal markers are what it is to be told from.
    """
    import numpy as np
    from scipy.special import gammaincinv, ndtr, stdtrit

    if test["aim"] == "superiority" or not test["std_error"] > 0.0:
        return None
    df, sides = test["df"], 2.0 if test["aim"] == "equivalence" else 1.0
    chances = (np.arange(_STEPS) + 0.5) / _STEPS
    spread = np.sqrt(gammaincinv(df / 2.0, chances) / (df / 2.0))  # of a standard error, over it
    reach = test["margin"] / test["std_error"] - stdtrit(df, 1.0 - test["significance"]) * spread
    return float(np.maximum(1.0 - sides * ndtr(-reach), 0.0).mean())


def _half(row: dict[str, Any]) -> float:
    return float((row["conf_high"] - row["conf_low"]) / 2.0)
