"""Comparisons of the markers: differences, omnibus test and margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rocstats.analysis.area_facts import is_probability
from rocstats.analysis.plan import StudyPlan
from rocstats.data.sample import ScoredSample
from rocstats.engine.measures import Measure
from rocstats.estimates.results import TestResult
from rocstats.inference.comparison import Comparison, compare

__all__ = ["MOST_MARKERS", "comparison_facts"]

MOST_MARKERS = 12  # whose pairs are all compared, tabled and asked of R
# Of a difference without any variance: its p of 0 would be no result of a test.
_UNTESTED = dict.fromkeys(("statistic", "df", "p_value", "p_adjusted"), math.nan)


def comparison_facts(
    sample: ScoredSample, plan: StudyPlan, *, order: Sequence[str] = ()
) -> dict[str, Any] | None:
    """Return how the markers differ, or why that is not answered.

    Which marker is the first of a pair is as they were given, not as their areas are; only the
    correlations stand in another ``order``, where that is that of the page.
    """
    if len(sample.markers) < 2:
        return None
    if plan.scores == "fitted":
        return {"refused": "fitted"}
    pairs = len(sample.markers) * (len(sample.markers) - 1) // 2
    versus = plan.versus
    if versus is None and len(sample.markers) > MOST_MARKERS:
        versus = sample.markers[0]
    found = _by_measure(sample, "auc", versus, plan)
    shared = all(is_probability(sample, row, plan) for row in range(len(sample.markers)))
    others = [_by_measure(sample, m, versus, plan) for m in ("sauc", "smauc")] if shared else []
    places = [sample.markers.index(name) for name in order or sample.markers]
    if len(places) > MOST_MARKERS:  # more of them than a page can table
        places = []
    found["correlation"] = [[found["correlation"][i][j] for j in places] for i in places]
    return found | {
        "refused": None,
        "asked": plan.versus is not None,
        "pairs": pairs,
        "others": others,
    }


def _by_measure(
    sample: ScoredSample, measure: str | Measure, versus: str | None, plan: StudyPlan
) -> dict[str, Any]:
    result = compare(sample, measure=measure)
    contrasts = result.pairwise(
        adjust=plan.adjust, versus=versus, confidence_level=plan.confidence_level
    )
    names = result.classifiers
    if versus is None:
        pairs = list(combinations(names, 2))
    else:
        pairs = [(name, versus) for name in names if name != versus]
    keep = ("estimate", "std_error", "statistic", "df", "p_value", "p_adjusted")
    size = 1.0 - plan.confidence_level
    rows = [
        {"first": first, "second": second}
        | {name: row[name] for name in (*keep, "conf_low", "conf_high", "method")}
        | (_UNTESTED if math.isinf(row["statistic"]) else {})
        | _delong(test, size)
        for (first, second), row, test in zip(
            pairs, contrasts.statement().tidy, contrasts.tests, strict=True
        )
    ]
    return {
        "measure": result.rows[0].measure.name,
        "label": result.rows[0].measure.label,
        "versus": versus,
        "adjust": plan.adjust,
        "method": " or ".join(dict.fromkeys(test.method for test in contrasts.tests)),
        "pairwise": rows,
        "omnibus": _omnibus(result, size) if len(names) > 2 else None,
        "correlation": result.correlation.tolist(),
        "margins": _margins(result, pairs, plan) if measure == "auc" else [],
    }


def _delong(test: TestResult, size: float) -> dict[str, Any]:
    """Return DeLong's own test where another was taken, and whether it answers otherwise."""
    other = test.wald
    limits = other.confidence_interval(1.0 - size)
    taken = test.pivot is not None and not math.isnan(other.pvalue)
    low, high = (limits.low, limits.high) if taken else (math.nan, math.nan)
    return {
        "p_delong": other.pvalue if taken else math.nan,
        "delong_low": low,
        "delong_high": high,
        "disagrees": bool(test.dissent(size)),
    }


def _omnibus(result: Comparison, size: float) -> dict[str, Any] | None:
    """Return the test that all are equal; None where no difference varies, or one has no test."""
    found = result.omnibus()
    test = {**found.statement().row, "disagrees": bool(found.dissent(size))}
    return test if test["df"] > 0.0 and not math.isinf(test["statistic"]) else None


def _margins(
    result: Comparison, pairs: list[tuple[str, str]], plan: StudyPlan
) -> list[dict[str, Any]]:
    if plan.margin is None:
        return []
    judge = {
        "non-inferiority": result.noninferiority,
        "superiority": result.superiority,
        "equivalence": result.equivalence,
    }[plan.aim]
    found = []
    for new, standard in pairs:
        test = judge(plan.margin, new=new, standard=standard)
        level = {"conf_level": 1.0 - 2.0 * test.significance}
        why = {"disagrees": bool(test.dissent), "few_losses": test.lacks_losses}
        found.append({"first": new, "second": standard, **test.statement().row, **level, **why})
    return found
