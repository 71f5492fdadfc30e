"""Assembly: every number of a report, worked out once and gathered as plain built-in values."""

from __future__ import annotations

import platform
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

from rocstats.analysis.alert_facts import alert_facts
from rocstats.analysis.area_facts import area_facts, check_bounds, curve_facts, is_probability
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.comparison_facts import comparison_facts
from rocstats.analysis.cross_check_facts import cross_check_facts
from rocstats.analysis.cutpoint_facts import (
    cutpoint_facts,
    fixed_rate_facts,
    predictive_facts,
    why_none,
)
from rocstats.analysis.design_facts import check_design, is_designed
from rocstats.analysis.distribution_facts import distribution_facts, quality_facts
from rocstats.analysis.explorer_facts import explorer_facts, explorer_prevalences
from rocstats.analysis.forecast_facts import calibration_facts, decision_facts
from rocstats.analysis.grouping import LEVELS, resampled_in_levels
from rocstats.analysis.indeterminate_facts import indeterminate_facts
from rocstats.analysis.left_out import LeftOut
from rocstats.analysis.options import STUDY_TEXTS
from rocstats.analysis.paired_test_facts import net_benefit_facts, paired_test_facts
from rocstats.analysis.participant_facts import baseline_facts, data_facts, flow_facts
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.precision_facts import POWER, precision_facts
from rocstats.analysis.qualitative_facts import check_qualitative, qualitative_facts
from rocstats.analysis.ranking import by_area, in_full, ranked
from rocstats.analysis.rating_facts import (
    every_threshold_facts,
    interval_ratio_facts,
    precision_recall_facts,
)
from rocstats.analysis.robustness_facts import robustness_facts
from rocstats.analysis.subgroup_facts import subgroup_facts
from rocstats.analysis.tidy import pick
from rocstats.analysis.vocabulary import study_words
from rocstats.errors import (
    DegenerateVarianceWarning,
    IncompletePairsWarning,
    RepeatedSubjectWarning,
    RocstatsWarning,
    SmallSampleWarning,
)
from rocstats.tables import plain

__all__ = ["gather_facts"]

_SCHEMA = "rocstats-report/1"
Stage = Callable[[str], object]

# What a marker has only where it is shown in full.
_IN_FULL = (
    *("every_threshold", "interval_ratios", "precision_recall", "predictive_curve", "explorer"),
    *("calibration", "decision"),
)
# What these warn of stands in the facts: counts, missing limits, alerts of their own.
_SEEN = (
    SmallSampleWarning,
    DegenerateVarianceWarning,
    IncompletePairsWarning,
    RepeatedSubjectWarning,
)


def gather_facts(
    cohort: Cohort, plan: StudyPlan, *, call: str | None = None, stage: Stage = lambda name: None
) -> dict[str, Any]:
    """Return the facts of a study: a tree of built-in values that JSON can hold.

    Parameters
    ----------
    cohort : the rows
    plan : what is wanted
    call : the command or call that asked for it
    stage : told the name of each stage of the work before it begins
    """
    plan.check_markers(cohort.sample.markers)
    check_bounds(cohort.sample, plan)
    check_design(cohort)
    if cohort.calls:
        check_qualitative(cohort, plan)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", RocstatsWarning)
        cohort = replace(cohort, sample=cohort.sample.sorted_once())
        facts = _numbers(cohort, plan, stage)
    said = list(dict.fromkeys(str(w.message) for w in caught if not issubclass(w.category, _SEEN)))
    facts["alerts"] = alert_facts(cohort, facts, plan, said)
    facts["reproducibility"] = _reproducibility(plan, call)
    tree: dict[str, Any] = _only_used_methods(plain(facts, infinity="Infinity"))
    return tree


def _numbers(cohort: Cohort, plan: StudyPlan, stage: Stage) -> dict[str, Any]:
    from rocstats import __version__

    given = cohort
    cohort = cohort if cohort.calls else ranked(cohort)
    if cohort is not given:
        cohort = replace(cohort, sample=cohort.sample.sorted_once())
    sample = cohort.sample
    full = in_full(sample.markers, plan)
    stage("participants")
    facts: dict[str, Any] = {
        "schema": _SCHEMA,
        "study": {name: plan.study.get(name) for name in STUDY_TEXTS},
        "kind": "qualitative" if cohort.calls else "scored",
        "words": study_words(cohort, plan),
        "data": data_facts(given, plan),
        "settings": plan.settings()
        | {"power": POWER, "levels": LEVELS if resampled_in_levels(sample) else None},
        "flow": flow_facts(cohort, plan),
        "baseline": baseline_facts(cohort),
        "explorer": explorer_prevalences(sample, plan),
    }
    left_out = LeftOut()
    facts["left_out"] = left_out.words
    if cohort.calls:
        unasked: dict[str, Any] = {
            "status": "unavailable",
            "versions": None,
            "rows": [],
            "script": None,
        }
        why = {"script_why": None, "why": "Results in words have no area for R to check."}
        return facts | qualitative_facts(cohort, plan, stage) | {"r": unasked | why}
    facts["markers"] = [
        _marker(cohort, row, facts["explorer"], plan, stage, left_out, full=name in full)
        for row, name in enumerate(sample.markers)
    ]
    stage("subgroups")
    apart = sample.strata is None  # a part of a sample may lack all but one unit of a stratum
    facts["subgroups"] = subgroup_facts(cohort, facts["markers"], plan) if apart else []
    facts["ranking"] = by_area([m["estimates"]["auc"]["estimate"] for m in facts["markers"]])
    stage("comparisons")
    facts["comparisons"] = comparison_facts(given.sample, plan, order=sample.markers)
    tests = [] if is_designed(sample) else _fixed_tests(facts["markers"])
    facts["paired_tests"] = left_out.unless(
        "paired tests at thresholds", lambda: paired_test_facts(sample, tests, plan), None
    )
    stage("sensitivity analyses")
    facts["sensitivity_analyses"] = robustness_facts(cohort, plan, left_out)
    facts["precision"] = precision_facts(facts["markers"], facts["comparisons"], plan)
    stage("cross-check with R")
    facts["r"] = cross_check_facts(given, plan, __version__)
    return facts


def _marker(
    cohort: Cohort,
    row: int,
    prevalences: dict[str, Any],
    plan: StudyPlan,
    stage: Stage,
    left_out: LeftOut,
    *,
    full: bool,
) -> dict[str, Any]:
    """Return the facts of one marker; without curves and moving numbers unless it is in full."""
    sample = cohort.sample
    unless = left_out.unless
    simple = not is_designed(sample)  # else what takes no weights is left out, and said to be
    name = sample.markers[row]
    stage(f"{name}: areas and curves")
    found = {
        "name": name,
        "label": plan.labels.get(name, name),
        "unit": plan.units.get(name),
        "higher_is_positive": sample.higher_is_positive[row],
        "in_full": full,
        "probability": is_probability(sample, row, plan),
        "quality": quality_facts(cohort, row),
        "distribution": distribution_facts(cohort, row, plan),
        **area_facts(sample, row, plan),
        **curve_facts(sample, row, plan, left_out, full=full),
    }
    stage(f"{name}: cutpoints")
    none: list[dict[str, Any]] = []
    cutpoints = unless("thresholds", lambda: cutpoint_facts(sample, row, plan), none)
    for cut in cutpoints:
        cut["indeterminate"] = (
            indeterminate_facts(cohort, row, cut["threshold"], plan) if simple else None
        )
        acted = found["probability"] and full and simple
        cut["net_benefit"] = (
            unless(
                "net benefit at thresholds",
                partial(net_benefit_facts, sample, row, cut["threshold"], plan),
                None,
            )
            if acted
            else None
        )
    found |= {
        "cutpoints": cutpoints,
        "cutpoints_why": why_none(sample, row),
        "fixed_rates": unless(
            "rates at a fixed rate", lambda: fixed_rate_facts(sample, row, plan), none
        )
        if simple
        else [],
    }
    if not full:
        return found | dict.fromkeys(_IN_FULL)
    found |= {
        "every_threshold": unless(
            "the table of every threshold", lambda: every_threshold_facts(sample, row, plan), None
        ),
        "interval_ratios": unless(
            "ratios of single results", lambda: interval_ratio_facts(sample, row, plan), None
        ),
        "predictive_curve": unless(
            "predictive values", lambda: predictive_facts(sample, row, cutpoints, plan), None
        ),
    }
    if not simple:
        return dict.fromkeys(_IN_FULL) | found
    return found | {
        "precision_recall": unless(
            "precision and recall", lambda: precision_recall_facts(sample, row, plan), None
        ),
        "explorer": unless(
            "the threshold explorer",
            lambda: explorer_facts(sample, row, cutpoints, prevalences, plan),
            None,
        ),
        "calibration": unless("calibration", lambda: calibration_facts(sample, row, plan), None),
        "decision": unless("decision curves", lambda: decision_facts(sample, row, plan), None),
    }


def _fixed_tests(markers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first prespecified threshold of every marker that has one."""
    fixed = (
        (marker["name"], [cut for cut in marker["cutpoints"] if cut["kind"] == "prespecified"])
        for marker in markers
    )
    kept = ("threshold", "threshold_text", "sign")
    return [{"marker": name} | pick(cuts[0], kept) for name, cuts in fixed if cuts]


def _reproducibility(plan: StudyPlan, call: str | None) -> dict[str, Any]:
    libraries = ("numpy", "scipy", "statsmodels", "pandas", "jinja2")
    from rocstats import __version__

    return {
        "versions": {
            "rocstats": __version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            **{name: version(name) for name in libraries},
        },
        "platform": f"{platform.system()} {platform.machine()}",
        "call": call,
        "seed": plan.seed,
        "n_resamples": plan.n_resamples,
    }


def _only_used_methods(tree: Any) -> Any:
    """Return the facts without the methods of intervals that have no limits."""
    if isinstance(tree, list):
        return [_only_used_methods(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    found = {key: _only_used_methods(item) for key, item in tree.items()}
    if found.get("conf_low") is None and found.get("conf_high") is None:
        found |= dict.fromkeys(found.keys() & {"conf_method"})
    return found
