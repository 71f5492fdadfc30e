"""Alerts: what a careful reader would stumble over, found in the facts themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan

__all__ = ["alert_facts"]

Alert: TypeAlias = tuple[str, str, dict[str, Any]]  # level, kind and its numbers

_ENDS = ("min", "max")
_FEW = 10  # subjects of a class below which little can be said
_FEW_WITHIN = 5  # negatives in the range of the partial AUC
_MANY_MISSING = 0.05
_MANY_TIES = 0.1  # share of pairs that tie
_MANY_MARKERS = 10
_IN_SAMPLE = (
    1e-3  # of a half-width: so near to 0 and 1 are two fitted numbers in one of 10^6 studies
)
_FAR = 2.0  # odds of disease in the sample over those of intended use, or the other way round


def alert_facts(
    cohort: Cohort, facts: dict[str, Any], plan: StudyPlan, warnings: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the alerts in order of weight: those that change how a number is read come first."""
    found = [
        {"level": level, "kind": kind, "marker": None, **numbers}
        for level, kind, numbers in (
            *_cohort_alerts(cohort, facts, plan),
            *(() if cohort.calls else _study_alerts(cohort, facts, plan)),
        )
    ]
    if cohort.calls:
        return sorted(found, key=lambda alert: alert["level"] != "warning")
    for row, marker in enumerate(facts["markers"]):
        found += [
            {"level": level, "kind": kind, "marker": marker["name"], "row": row, **numbers}
            for level, kind, numbers in _marker_alerts(marker, plan)
        ]
    found += [{"level": "note", "kind": "note", "marker": None, "text": text} for text in warnings]
    return sorted(found, key=lambda alert: alert["level"] != "warning")


def _cohort_alerts(cohort: Cohort, facts: dict[str, Any], plan: StudyPlan) -> Iterator[Alert]:
    """Yield what is so whatever the tests are."""
    data, sample = facts["data"], cohort.sample
    if min(sample.n_pos, sample.n_neg) < _FEW:
        yield "warning", "few_subjects", {"n_pos": sample.n_pos, "n_neg": sample.n_neg}
    dropped = facts["flow"]["start"] - facts["flow"]["analysed"]
    if dropped > _MANY_MISSING * facts["flow"]["start"]:
        share = dropped / facts["flow"]["start"]
        tried = {row["analysis"] for row in facts["sensitivity_analyses"]}
        unknown = int(np.count_nonzero(~cohort.known))
        bounds = {"bounded": "missing_worst" in tried, "n_unknown": unknown}
        yield "warning", "missing", {"n": dropped, "share": share} | bounds
    if plan.scores == "fitted":
        yield "warning", "fitted_scores", {}
    if plan.scores == "cross-validated":
        yield "warning", "cross_validated", {}
    if sample.subject is not None and not sample.is_clustered:
        repeats = int(sample.subject.size - len(set(sample.subject.tolist())))
        if repeats:
            yield "warning", "repeated_subjects", {"n": repeats}
    if sample.is_clustered:
        yield "note", "clustered", {"n_clusters": len(sample.cluster_ids)}
    if data["design"] is not None:
        yield "note", "designed", data["design"]
    if facts["left_out"]:
        yield "note", "counted", {"left_out": facts["left_out"]}
    repeated = _repeated_rows(cohort)
    if repeated:
        yield "note", "duplicates", {"n": repeated}
    own = data["prevalence"] / (1.0 - data["prevalence"])
    for share in plan.prevalence:
        ratio = own / (share / (1.0 - share))
        if not 1.0 / _FAR <= ratio <= _FAR:
            yield (
                "note",
                "prevalence_far",
                {"sample": data["prevalence"], "stated": float(share)},
            )
    for group in facts["subgroups"]:
        small = [level["label"] for level in group["levels"] if _is_small(level)]
        if small:
            yield (
                "note",
                "small_subgroup",
                {"subgroup": group["name"], "levels": small, "fewer_than": _FEW},
            )


def _study_alerts(cohort: Cohort, facts: dict[str, Any], plan: StudyPlan) -> Iterator[Alert]:
    """Yield what is so of markers that have a scale."""
    sample = cohort.sample
    kinds = {cut["kind"] for marker in facts["markers"] for cut in marker["cutpoints"]}
    if "prespecified" not in kinds:
        yield "note", "no_prespecified", {}
    elif "exploratory" in kinds:
        yield "note", "exploratory_cutpoint", {}
    window = facts["markers"][0]["estimates"]["pauc"]["raw"]
    if window["n_within"] < _FEW_WITHIN and not math.isnan(window["conf_low"]):
        yield "note", "small_window", {"n": window["n_within"]}
    far = {
        marker["name"]: marker["quality"]["outliers_pos"] + marker["quality"]["outliers_neg"]
        for marker in facts["markers"]
    }
    if any(far.values()):
        names = [name for name, count in far.items() if count]
        yield "note", "outliers", {"n": sum(far.values()), "markers": names}
    if plan.margin is not None and len(sample.markers) < 2:
        yield "warning", "lone_marker", {"aim": plan.aim, "margin": float(plan.margin)}
    tests = (facts["comparisons"] or {}).get("margins", ())
    if tests and plan.versus is None and plan.aim != "equivalence":
        pair = {"new": tests[0]["first"], "standard": tests[0]["second"]}
        yield "warning", "no_reference", {"aim": plan.aim, "n": len(tests)} | pair
    found = facts["comparisons"] or {}
    pairs = found.get("pairwise", ())
    if pairs and len(pairs) < found["pairs"] and not found["asked"]:
        counts = {"n": len(sample.markers), "compared": len(pairs), "pairs": found["pairs"]}
        yield "warning", "assumed_reference", {"reference": found["versus"]} | counts
    still = [pair for pair in pairs if pair["std_error"] == 0.0]
    alike = sum(pair["estimate"] == 0.0 for pair in still)
    if alike:
        yield "note", "no_difference", {"n": alike}
    if len(still) > alike:
        yield "warning", "difference_by_formula", {"n": len(still) - alike}
    if len(sample.markers) > _MANY_MARKERS:
        yield "note", "many_markers", {"n": len(sample.markers)}


def _is_small(level: dict[str, Any]) -> bool:
    return bool(min(level["n_pos"], level["n_neg"]) < _FEW)


def _repeated_rows(cohort: Cohort) -> int:
    """Return how many analysed rows equal an earlier one in every marker and the outcome."""
    sample = cohort.sample
    if len(sample.markers) < 2 or sample.is_clustered or not sample.keeps_rows:
        return 0  # one marker may well repeat
    distinct = [sample.blocks(row).score.size for row in range(len(sample.markers))]
    if max(distinct) < sample.positive.size / 2:
        return 0  # and so may several with few values
    rows = np.vstack([sample.scores + 0.0, sample.positive.astype(np.float64)]).T
    unlike = np.unique(np.ascontiguousarray(rows).view([("", rows.dtype)] * rows.shape[1]))
    return int(rows.shape[0] - unlike.size)


def _is_in_sample(calibration: dict[str, Any] | None) -> bool:
    """Whether intercept and slope are 0 and 1 to more digits than new data can have by chance."""
    if calibration is None:
        return False
    for row in (calibration["intercept"], calibration["slope"]):
        half = (row["conf_high"] - row["conf_low"]) / 2.0
        if not abs(row["estimate"] - row["null_value"]) < _IN_SAMPLE * half:
            return False
    return True


def _is_no_probability(marker: dict[str, Any], plan: StudyPlan) -> bool:
    """Whether a marker with many values is said to be a probability, and cannot be one."""
    named = {*plan.units, *plan.bounds}
    meant = plan.scores == "probability" and marker["name"] not in named
    return meant and not marker["probability"] and marker["quality"]["n_distinct"] > 2


def _marker_alerts(marker: dict[str, Any], plan: StudyPlan) -> Iterator[Alert]:
    area, quality = marker["estimates"]["auc"], marker["quality"]
    value = area["estimate"]
    if quality["n_distinct"] == 1:
        yield "warning", "constant", {}
    elif value < 0.5:
        yield (
            "warning",
            "below_chance",
            {"estimate": value, "higher": marker["higher_is_positive"]},
        )
    elif value == 1.0:
        yield "warning", "perfect", {"conf_low": area["conf_low"]}
    if value not in (0.0, 1.0) and not area["std_error"] > 0.0 and not math.isnan(value):
        yield "warning", "no_variance", {}
    if plan.scores != "fitted" and _is_in_sample(marker["calibration"]):
        found = marker["calibration"]
        fitted = {name: found[name]["estimate"] for name in ("intercept", "slope")}
        yield "warning", "in_sample", fitted
    if quality["tied_share"] > _MANY_TIES:
        yield "note", "ties", {"share": quality["tied_share"], "n_distinct": quality["n_distinct"]}
    if _is_no_probability(marker, plan):
        spread = [marker["distribution"][group][end] for group in ("pos", "neg") for end in _ENDS]
        yield "warning", "no_probability", {"low": min(spread), "high": max(spread)}
    if quality["zeros"]:
        yield "warning", "zeros", quality["zeros"]
    if not marker["higher_is_positive"]:
        yield "note", "low_is_positive", {}
    fixed = [cut for cut in marker["cutpoints"] if cut["kind"] == "prespecified"]
    if any(cut["tp"] + cut["fp"] == 0 or cut["tn"] + cut["fn"] == 0 for cut in fixed):
        yield "warning", "beyond_values", {}
