"""Qualitative tests: results in words, what each test called, and no curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.cutpoint_facts import called_facts
from rocstats.analysis.indeterminate_facts import indeterminate_facts
from rocstats.analysis.paired_test_facts import paired_test_facts
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.subgroup_facts import levels_of, rates_of_level
from rocstats.analysis.tidy import pick
from rocstats.errors import InvalidOptionError, named

__all__ = ["check_qualitative", "qualitative_facts"]

_CALLED = 1.0  # results are 1 and 0
# What a plan cannot ask of results that have no threshold and no area.
_NOT_FOR_WORDS = ("prespecified", "margin", "bounds", "units")


def check_qualitative(cohort: Cohort, plan: StudyPlan) -> None:
    """Refuse what needs numbers where results are words."""
    asked = [name for name in _NOT_FOR_WORDS if getattr(plan, name)]
    asked += ["scores"] if plan.scores != "measured" else []
    asked += [] if all(cohort.sample.higher_is_positive) else ["higher_is_positive"]
    if asked:
        raise InvalidOptionError(
            f"{', '.join(map(named, asked))} cannot be given with {named('test_positive')}: "
            "results in words have no threshold, no scale and no area."
        )


def qualitative_facts(
    cohort: Cohort, plan: StudyPlan, stage: Callable[[str], object]
) -> dict[str, Any]:
    """Return what every test called, how tests differ, and rates by subgroup."""
    stage("results of the tests")
    markers = [_marker(cohort, row, plan) for row in range(len(cohort.sample.markers))]
    stage("tests compared")
    kept = ("threshold", "threshold_text", "sign")
    tests = [{"marker": m["name"]} | pick(m["cutpoints"][0], kept) for m in markers]
    return {
        "markers": markers,
        "paired_tests": paired_test_facts(cohort.sample, tests, plan),
        "subgroups": [
            _by_level(cohort, name, values, markers, plan) for name, values in cohort.groups.items()
        ],
        "ranking": list(range(len(markers))),
        "comparisons": None,
        "sensitivity_analyses": [],
        "precision": [],
        "explorer": None,
    }


def _marker(cohort: Cohort, row: int, plan: StudyPlan) -> dict[str, Any]:
    sample = cohort.sample
    name = sample.markers[row]
    positive, negative = cohort.calls[row]
    cut = called_facts(sample, row, _CALLED, plan, kind="result", criterion="", text=positive)
    cut["indeterminate"] = indeterminate_facts(cohort, row, _CALLED, plan)
    cut["net_benefit"] = None
    return {
        "name": name,
        "label": plan.labels.get(name, name),
        "unit": None,
        "in_full": True,
        "positive": positive,
        "negative": negative,
        "higher_is_positive": True,
        "calibration": None,
        "decision": None,
        "predictive_curve": None,
        "fixed_rates": [],
        "cutpoints": [cut],
    }


def _by_level(
    cohort: Cohort, name: str, values: Any, markers: list[dict[str, Any]], plan: StudyPlan
) -> dict[str, Any]:
    sample = cohort.sample
    rows = []
    for level, here in levels_of(name, values):
        n_pos = int(np.count_nonzero(sample.positive & here))
        n_neg = int(np.count_nonzero(~sample.positive & here))
        row: dict[str, Any] = {"label": level, "n_pos": n_pos, "n_neg": n_neg, "estimates": []}
        if min(n_pos, n_neg) == 0:
            rows.append(row | {"note": "one class only"})
            continue
        part = sample.subset(here)
        row["estimates"] = [
            {"marker": m["name"], "rates": rates_of_level(part, m, plan), "calibration": None}
            for m in markers
        ]
        rows.append(row | {"note": None})
    return {"name": name, "levels": rows, "interaction": [], "gaps": [], "compared": 0}
