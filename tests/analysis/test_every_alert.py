"""Every alert at its limit: just there, and just not."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rocstats.analysis.alert_facts import (
    _cohort_alerts,
    _marker_alerts,
    _repeated_rows,
    _study_alerts,
)


def marker(**changed: Any) -> dict[str, Any]:
    area = {"estimate": 0.8, "std_error": 0.05, "conf_low": 0.7, **changed.pop("area", {})}
    quality = {"n_distinct": 9, "tied_share": 0.05, "zeros": None, **changed.pop("quality", {})}
    base = {"name": "m", "higher_is_positive": True, "calibration": None, "cutpoints": []}
    return {**base, "estimates": {"auc": area}, "quality": quality} | changed


def cut(kind: str = "prespecified", **counts: int) -> dict[str, Any]:
    return {"kind": kind, "tp": 3, "fp": 3, "tn": 3, "fn": 3} | counts


def calibrated(intercept: float, slope: float) -> dict[str, Any]:
    return {
        "intercept": {"estimate": intercept, "conf_low": -1.0, "conf_high": 1.0, "null_value": 0.0},
        "slope": {"estimate": slope, "conf_low": 0.5, "conf_high": 1.5, "null_value": 1.0},
    }


OF_MARKER: dict[str, tuple[dict[str, Any], list[str]]] = {
    "usual": ({}, []),
    "exactly chance": ({"area": {"estimate": 0.5}}, []),
    "below chance": ({"area": {"estimate": 0.4999}}, ["below_chance"]),
    "constant": (
        {"area": {"estimate": 0.5, "std_error": 0.0}, "quality": {"n_distinct": 1}},
        ["constant", "no_variance"],
    ),
    "two values": ({"quality": {"n_distinct": 2}}, []),
    "perfect": ({"area": {"estimate": 1.0, "std_error": 0.0}}, ["perfect"]),
    "nearly perfect": ({"area": {"estimate": 0.9999}}, []),
    "all wrong": ({"area": {"estimate": 0.0, "std_error": 0.0}}, ["below_chance"]),
    "no variance": ({"area": {"std_error": 0.0}}, ["no_variance"]),
    "unknown variance": ({"area": {"std_error": math.nan}}, ["no_variance"]),
    "no area": ({"area": {"estimate": math.nan, "std_error": math.nan}}, []),
    "a tenth ties": ({"quality": {"tied_share": 0.1}}, []),
    "more than a tenth ties": ({"quality": {"tied_share": 0.1001}}, ["ties"]),
    "zeros": ({"quality": {"zeros": {"n": 3}}}, ["zeros"]),
    "low": ({"higher_is_positive": False}, ["low_is_positive"]),
    "calls all": ({"cutpoints": [cut(tn=0, fn=0)]}, ["beyond_values"]),
    "calls none": ({"cutpoints": [cut(), cut(tp=0, fp=0)]}, ["beyond_values"]),
    "calls one": ({"cutpoints": [cut(tp=0, fp=1), cut(tn=1, fn=0)]}, []),
    "an exploratory one calls all": ({"cutpoints": [cut("exploratory", tn=0, fn=0)]}, []),
    "fitted here": ({"calibration": calibrated(1e-4, 1.0 - 1e-4)}, ["in_sample"]),
    "intercept too far": ({"calibration": calibrated(1.0e-3, 1.0)}, []),
    "slope too far": ({"calibration": calibrated(0.0, 1.0 - 0.51e-3)}, []),
    "just within": ({"calibration": calibrated(0.99e-3, 1.0 + 0.49e-3)}, ["in_sample"]),
}


@pytest.mark.parametrize("name", OF_MARKER)
def test_alerts_of_a_marker(name: str) -> None:
    changed, expected = OF_MARKER[name]
    plan: Any = SimpleNamespace(scores="measured", units={}, bounds={})
    found = list(_marker_alerts(marker(**dict(changed)), plan))
    assert [kind for _, kind, _ in found] == expected
    notes = {"ties", "low_is_positive"}
    assert all((level == "note") == (kind in notes) for level, kind, _ in found)
    fitted: Any = SimpleNamespace(scores="fitted", units={}, bounds={})
    again = [kind for _, kind, _ in _marker_alerts(marker(**dict(changed)), fitted)]
    assert again == [kind for kind in expected if kind != "in_sample"]


def test_alerts_of_a_marker_have_their_numbers() -> None:
    plan: Any = SimpleNamespace(scores="measured", units={}, bounds={})
    low = marker(area={"estimate": 0.3}, quality={"tied_share": 0.2})
    assert [numbers for _, _, numbers in _marker_alerts(low, plan)] == [
        {"estimate": 0.3, "higher": True},
        {"share": 0.2, "n_distinct": 9},
    ]
    fitted = marker(calibration=calibrated(1e-5, 1.0))
    ((_, _, numbers),) = _marker_alerts(fitted, plan)
    assert numbers == {"intercept": 1e-5, "slope": 1.0}
    ((_, _, numbers),) = _marker_alerts(marker(area={"estimate": 1.0, "std_error": 0.0}), plan)
    assert numbers == {"conf_low": 0.7}


def cohort_of(**changed: Any) -> Any:
    sample = {
        "n_pos": 30,
        "n_neg": 60,
        "subject": None,
        "is_clustered": False,
        "cluster_ids": (),
        "markers": ("m",),
        "keeps_rows": True,
    } | changed
    return SimpleNamespace(
        sample=SimpleNamespace(**sample), known=np.array([True] * 98 + [False] * 2), calls=False
    )


def facts_of(**changed: Any) -> dict[str, Any]:
    return {
        "data": {"design": None, "prevalence": 1.0 / 3.0, **changed.pop("data", {})},
        "flow": {"start": 100, "analysed": 100, **changed.pop("flow", {})},
        "sensitivity_analyses": [],
        "left_out": [],
        "subgroups": [],
        "comparisons": None,
        "markers": [
            marker(
                quality={"outliers_pos": 0, "outliers_neg": 0},
                estimates={"auc": {}, "pauc": {"raw": {"n_within": 5, "conf_low": 0.1}}},
                cutpoints=[cut()],
            )
        ],
    } | changed


def plan_of(**changed: Any) -> Any:
    usual = {
        "scores": "measured",
        "prevalence": (),
        "margin": None,
        "aim": "non-inferiority",
        "versus": None,
    }
    return SimpleNamespace(**usual | changed)


OF_COHORT: dict[str, tuple[Any, dict[str, Any], Any, list[str]]] = {
    "usual": (cohort_of(), facts_of(), plan_of(), []),
    "a twentieth missing": (cohort_of(), facts_of(flow={"analysed": 95}), plan_of(), []),
    "more missing": (cohort_of(), facts_of(flow={"analysed": 94}), plan_of(), ["missing"]),
    "fitted": (cohort_of(), facts_of(), plan_of(scores="fitted"), ["fitted_scores"]),
    "cross-validated": (
        *(cohort_of(), facts_of(), plan_of(scores="cross-validated"), ["cross_validated"]),
    ),
    "subjects once": (cohort_of(subject=np.arange(5)), facts_of(), plan_of(), []),
    "subjects twice": (
        *(cohort_of(subject=np.array([1, 1, 2, 2, 2])), facts_of(), plan_of()),
        ["repeated_subjects"],
    ),
    "subjects in clusters": (
        cohort_of(subject=np.array([1, 1]), is_clustered=True, cluster_ids=(1, 2, 3)),
        *(facts_of(), plan_of(), ["clustered"]),
    ),
    "designed": (cohort_of(), facts_of(data={"design": {"a": 1}}), plan_of(), ["designed"]),
    "counted": (cohort_of(), facts_of(left_out=["a"]), plan_of(), ["counted"]),
    "nearly twice the odds": (cohort_of(), facts_of(), plan_of(prevalence=(0.201, 0.499)), []),
    "far": (cohort_of(), facts_of(), plan_of(prevalence=(0.199,)), ["prevalence_far"]),
    "far above": (cohort_of(), facts_of(), plan_of(prevalence=(0.501,)), ["prevalence_far"]),
    "levels of ten": (
        cohort_of(),
        facts_of(subgroups=[{"name": "g", "levels": [{"label": "a", "n_pos": 10, "n_neg": 10}]}]),
        *(plan_of(), []),
    ),
    "a level of nine": (
        cohort_of(),
        facts_of(subgroups=[{"name": "g", "levels": [{"label": "a", "n_pos": 10, "n_neg": 9}]}]),
        *(plan_of(), ["small_subgroup"]),
    ),
}


@pytest.mark.parametrize("name", OF_COHORT)
def test_alerts_of_a_cohort(name: str) -> None:
    cohort, facts, plan, expected = OF_COHORT[name]
    found = list(_cohort_alerts(cohort, facts, plan))
    assert [kind for _, kind, _ in found] == expected
    warned = {"missing", "fitted_scores", "cross_validated", "repeated_subjects"}
    assert all((level == "warning") == (kind in warned) for level, kind, _ in found)


def test_alerts_of_a_cohort_have_their_numbers() -> None:
    tried = [{"analysis": "missing_worst"}]
    facts = facts_of(flow={"analysed": 90}, sensitivity_analyses=tried)
    ((_, _, numbers),) = _cohort_alerts(cohort_of(), facts, plan_of())
    assert numbers == {"n": 10, "share": 0.1, "bounded": True, "n_unknown": 2}
    repeated = cohort_of(subject=np.array([1, 1, 2, 2, 2]))
    ((_, _, numbers),) = _cohort_alerts(repeated, facts_of(), plan_of())
    assert numbers == {"n": 3}
    clustered = cohort_of(is_clustered=True, cluster_ids=(1, 2, 3))
    ((_, _, numbers),) = _cohort_alerts(clustered, facts_of(), plan_of())
    assert numbers == {"n_clusters": 3}


def study_kinds(facts: dict[str, Any], plan: Any = None, n: int = 2) -> list[str]:
    cohort = cohort_of(markers=("m",) * n)
    return [kind for _, kind, _ in _study_alerts(cohort, facts, plan or plan_of())]


def window(n: int, low: float = 0.1) -> dict[str, Any]:
    facts = facts_of()
    facts["markers"][0]["estimates"]["pauc"]["raw"] = {"n_within": n, "conf_low": low}
    return facts


def test_alerts_of_a_study() -> None:
    assert study_kinds(facts_of()) == []
    facts = facts_of()
    facts["markers"][0]["cutpoints"] = [cut("exploratory")]
    assert study_kinds(facts) == ["no_prespecified"]
    facts["markers"][0]["cutpoints"] += [cut()]
    assert study_kinds(facts) == ["exploratory_cutpoint"]
    assert study_kinds(window(4)) == ["small_window"]
    assert study_kinds(window(5)) == study_kinds(window(4, math.nan)) == []
    facts = facts_of()
    facts["markers"][0]["quality"] |= {"outliers_pos": 1, "outliers_neg": 2}
    ((_, kind, numbers),) = _study_alerts(cohort_of(), facts, plan_of())
    assert (kind, numbers) == ("outliers", {"n": 3, "markers": ["m"]})
    assert study_kinds(facts_of(), plan_of(margin=0.1), 1) == ["lone_marker"]
    assert study_kinds(facts_of(), plan_of(margin=0.1), 2) == []
    assert study_kinds(facts_of(), n=10) == []
    assert study_kinds(facts_of(), n=11) == ["many_markers"]


def compared(**changed: Any) -> dict[str, Any]:
    pair = {"std_error": 0.1, "estimate": 0.2}
    usual = {"pairs": 1, "asked": False, "versus": "a", "pairwise": [pair], "margins": ()}
    return facts_of(comparisons=usual | changed)


def test_alerts_of_comparisons() -> None:
    margins = [{"first": "a", "second": "b"}, {"first": "a", "second": "c"}]
    assert study_kinds(compared()) == []
    assert study_kinds(compared(pairs=2)) == ["assumed_reference"]
    assert study_kinds(compared(pairs=2, asked=True)) == []
    assert study_kinds(compared(margins=margins), plan_of(margin=0.1)) == ["no_reference"]
    assert study_kinds(compared(margins=margins), plan_of(margin=0.1, versus="b")) == []
    assert study_kinds(compared(margins=margins), plan_of(margin=0.1, aim="equivalence")) == []
    same, moved = {"std_error": 0.0, "estimate": 0.0}, {"std_error": 0.0, "estimate": 0.1}
    one = compared(pairwise=[same, moved, moved], pairs=3)
    found = {kind: numbers for _, kind, numbers in _study_alerts(cohort_of(), one, plan_of())}
    assert found == {"no_difference": {"n": 1}, "difference_by_formula": {"n": 2}}
    assert study_kinds(compared(pairwise=[same])) == ["no_difference"]
    assert study_kinds(compared(pairwise=[moved])) == ["difference_by_formula"]


def test_rows_that_repeat_are_counted_where_scores_are_many() -> None:
    def repeated(scores: Any, positive: Any, **changed: Any) -> int:
        rows = np.array(scores, dtype=float)
        sample = {
            "markers": ("a", "b")[: len(rows)],
            "is_clustered": False,
            "keeps_rows": True,
            "scores": rows,
            "positive": np.array(positive, dtype=bool),
            "blocks": lambda row: SimpleNamespace(score=np.unique(rows[row])),
        }
        cohort: Any = SimpleNamespace(sample=SimpleNamespace(**sample | changed))
        return _repeated_rows(cohort)

    scores = [[1, 1, 2, 3, 0.0, -0.0], [5, 5, 5, 5, 5, 5]]
    assert repeated(scores, [1, 1, 0, 0, 1, 1]) == 2
    assert repeated(scores, [1, 0, 0, 0, 1, 0]) == 0
    assert repeated(scores[:1], [1, 1, 0, 0, 1, 1]) == 0
    assert repeated(scores, [1, 1, 0, 0, 1, 1], is_clustered=True) == 0
    assert repeated(scores, [1, 1, 0, 0, 1, 1], keeps_rows=False) == 0
    few = [[1, 1, 2, 2, 3, 3], [5] * 6]  # half as many values as rows are just enough
    assert repeated(few, [1, 1, 0, 0, 1, 1]) == 3
    assert repeated([[1, 1, 2, 2, 1, 1], [5] * 6], [1, 1, 0, 0, 1, 1]) == 0
