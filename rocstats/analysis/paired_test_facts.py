"""Tests at their prespecified thresholds, compared on the same patients: new against standard."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import pick
from rocstats.data.sample import ScoredSample
from rocstats.inference.binary.compared_tests import ComparedTests
from rocstats.inference.binary.comparing_tests import compare_tests
from rocstats.inference.contrasts import adjust_pvalues
from rocstats.probabilities.net_benefit import TREAT_ALL, TREAT_NONE, decision_curve

__all__ = ["net_benefit_facts", "paired_test_facts"]

_RATES = ("sensitivity", "specificity")
_VALUES = ("ppv", "npv")
_RATIOS = ("lr_pos", "lr_neg")
_DIFFERENCE = ("standard", "new", "estimate", "conf_low", "conf_high")
_TEST = ("statistic", "df", "p_value", "mid_p", "method")
_FEW = 25  # discordant pairs below which mid-p stands beside McNemar's p


def paired_test_facts(
    sample: ScoredSample, tests: Sequence[Mapping[str, Any]], plan: StudyPlan
) -> dict[str, Any] | None:
    """Return how tests differ at thresholds that were fixed in advance; None of fewer than two.

    Parameters
    ----------
    sample : the markers
    tests : marker, threshold and its text and sign of every test, one a marker
    plan : whose ``versus`` is the standard test; else the first is, or the last where a margin of
        areas already takes the earlier marker as the new one
    """
    names = [str(test["marker"]) for test in tests]
    if len(names) < 2 or plan.scores == "fitted":
        return None
    by_order = names[0] if plan.margin is None else names[-1]
    standard = next((name for name in names if name == plan.versus), by_order)
    ordered = [standard, *(name for name in names if name != standard)]
    found = compare_tests(
        sample,
        thresholds={test["marker"]: test["threshold"] for test in tests},
        tests=ordered,
        truth="comparator" if plan.comparator else "reference",
    )
    pairs = [_pair(found.pair(new, standard), new, standard, plan) for new in ordered[1:]]
    _adjust(pairs, plan)
    return {
        "standard": standard,
        "asked": plan.versus in names,
        "tests": [dict(test) for test in tests],
        "adjust": plan.adjust,
        "n_tests": len(pairs) * len(_RATES),
        "few": _FEW,
        "pairs": pairs,
    }


def _pair(found: ComparedTests, new: str, standard: str, plan: StudyPlan) -> dict[str, Any]:
    level = plan.confidence_level
    answer: dict[str, Any] = {"new": new, "standard": standard}
    for rate in _RATES:
        paired = getattr(found, rate)
        row = paired.statement(confidence_level=level).row
        (both, first), (second, neither) = paired.table
        answer[rate] = (
            pick(row, (*_DIFFERENCE, "ratio", "ratio_low", "ratio_high", *_TEST))
            | {"discordant": row["new_only"] + row["standard_only"]}
            | {"both": both, "standard_only": first, "new_only": second, "neither": neither}
            | {"clustered": paired.clusters is not None}
        )
    joint = found.joint()
    answer["joint"] = {"statistic": joint.statistic, "df": joint.df, "p_value": joint.pvalue}
    for value in _VALUES if not plan.comparator else ():
        row = getattr(found, value).statement(confidence_level=level).row
        answer[value] = pick(row, (*_DIFFERENCE, "ratio", "ratio_low", "ratio_high", *_TEST))
    for ratio in _RATIOS if not plan.comparator else ():
        row = getattr(found, ratio).statement(confidence_level=level).row
        answer[ratio] = pick(row, ("standard", "new", "ratio", "ratio_low", "ratio_high", *_TEST))
    return answer


def _adjust(pairs: Sequence[dict[str, Any]], plan: StudyPlan) -> None:
    """Add the p-values adjusted over both rates of all pairs."""
    rows = [pair[rate] for pair in pairs for rate in _RATES]
    adjusted = adjust_pvalues([row["p_value"] for row in rows], plan.adjust)
    for row, p in zip(rows, adjusted, strict=True):
        row["p_adjusted"] = float(p)


def net_benefit_facts(
    sample: ScoredSample, row: int, threshold: float, plan: StudyPlan
) -> dict[str, Any] | None:
    """Return the net benefit of a probability at its threshold; None where it can be no odds."""
    marker = sample.markers[row]
    if not 0.0 < threshold < 1.0 or marker in (TREAT_ALL, TREAT_NONE):
        return None
    curve = decision_curve(
        sample, markers=marker, thresholds=[threshold], confidence_level=plan.confidence_level
    )
    model, every = curve.curve(marker), curve.curve(TREAT_ALL)
    low, high = float(model.conf_low[0]), float(model.conf_high[0])
    return {
        "estimate": float(model.value[0]),
        "conf_low": None if math.isnan(low) else low,
        "conf_high": None if math.isnan(high) else high,
        "all": float(every.value[0]),
    }
