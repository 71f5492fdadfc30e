"""Subgroups: areas, rates and calibration at every level of a column, and the gaps of areas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.forecast_facts import tested
from rocstats.analysis.level_order import in_natural_order
from rocstats.analysis.participant_facts import MISSING, level_text
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import AREA, RATE, pick
from rocstats.arrays import Bools
from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError
from rocstats.estimates.estimators import auc
from rocstats.inference.fair_groups import judge_groups
from rocstats.inference.levels import judge_levels
from rocstats.probabilities.recalibration import calibration
from rocstats.thresholds.chosen_thresholds import operating_points

__all__ = ["levels_of", "rates_of_level", "subgroup_facts"]

_MOST_LEVELS = 20
_GAP = ("contrast", "estimate", "std_error", "conf_low", "conf_high", "p_value")
_RATES = ("sensitivity", "specificity", "ppv", "npv")


def subgroup_facts(
    cohort: Cohort, markers: Sequence[dict[str, Any]], plan: StudyPlan
) -> list[dict[str, Any]]:
    """Return how every marker does at every level of every subgroup column.

    Rates are those at the prespecified thresholds of a marker, or else at the one that all data
    chose; calibration is of those that are probabilities.
    """
    return [
        _by_level(cohort, name, values, markers, plan) for name, values in cohort.groups.items()
    ]


def levels_of(name: str, values: NDArray[Any]) -> list[tuple[str, Bools]]:
    """Return the levels in order, and who is at each; a missing level is shown as one."""
    texts = np.array([level_text(value) for value in values.tolist()], dtype=object)
    levels = in_natural_order(set(texts.tolist()), last=MISSING)
    if len(levels) > _MOST_LEVELS:
        raise InvalidOptionError(
            f"The subgroup column {name} has {len(levels)} levels, more than {_MOST_LEVELS}; "
            "make groups of it first."
        )
    return [(level, np.asarray(texts == level, dtype=np.bool_)) for level in levels]


def _by_level(
    cohort: Cohort,
    name: str,
    values: NDArray[Any],
    markers: Sequence[dict[str, Any]],
    plan: StudyPlan,
) -> dict[str, Any]:
    sample = cohort.sample
    rows = []
    compared: list[ScoredSample] = []
    labels = np.full(sample.positive.size, "", dtype=object)
    for level, here in levels_of(name, values):
        n_pos = int(np.count_nonzero(sample.positive & here))
        n_neg = int(np.count_nonzero(~sample.positive & here))
        row: dict[str, Any] = {"label": level, "n_pos": n_pos, "n_neg": n_neg, "estimates": []}
        if min(n_pos, n_neg) == 0:
            rows.append(row | {"note": "one class only"})
            continue
        part = sample.subset(here)
        if min(n_pos, n_neg) > 1 and level != MISSING:  # who is not known is no group
            compared.append(part)
            labels[here] = level
        for marker in markers:
            found = auc(part, marker=marker["name"]).statement(
                confidence_level=plan.confidence_level
            )
            row["estimates"].append(
                {"marker": marker["name"]}
                | pick(found.row, AREA)
                | {"rates": rates_of_level(part, marker, plan)}
                | {"calibration": _calibration(part, marker, plan)}
            )
        rows.append(row | {"note": None})
    return {
        "name": name,
        "levels": rows,
        "interaction": [_interaction(compared, marker) for marker in sample.markers],
        "gaps": [_gaps(sample, labels, marker, plan) for marker in markers],
        "compared": len(compared),
    }


def rates_of_level(
    part: ScoredSample, marker: dict[str, Any], plan: StudyPlan
) -> list[dict[str, Any]] | None:
    """Return the rates of a level at the thresholds that matter; None where there is none."""
    cuts = [cut for cut in marker["cutpoints"] if cut["kind"] != "exploratory"]
    cuts = cuts or marker["cutpoints"][:1]
    if not cuts or not marker["in_full"]:
        return None
    points = operating_points(
        part,
        marker=marker["name"],
        thresholds=[cut["threshold"] for cut in cuts],
        confidence_level=plan.confidence_level,
    )
    found = []
    for i, cut in enumerate(cuts):
        rows = {row["measure"]: row for row in points.table(i)}
        found.append(
            pick(cut, ("kind", "threshold", "threshold_text", "sign"))
            | {cell: int(count[i]) for cell, count in points.subjects.items()}
            | {rate: pick(rows[rate], RATE) for rate in _RATES}
        )
    return found


def _calibration(
    part: ScoredSample, marker: dict[str, Any], plan: StudyPlan
) -> dict[str, Any] | None:
    """Return intercept and slope of a level, where the marker is a probability."""
    if not marker["calibration"]:
        return None
    found = calibration(part, marker=marker["name"])
    return {
        "intercept": tested(found.intercept, plan.confidence_level),
        "slope": tested(found.slope, plan.confidence_level),
        "in_the_large": tested(found.in_the_large, plan.confidence_level),
    }


def _gaps(
    sample: ScoredSample, labels: NDArray[Any], marker: dict[str, Any], plan: StudyPlan
) -> list[dict[str, Any]]:
    """Return the differences of AUC and xAUC between levels that have both classes twice.

    Those of sensitivity and specificity are at the first threshold that was fixed in advance.
    """
    plain = all(x is None for x in (sample.weights, sample.strata, sample.nuisance))
    here = np.asarray(labels != "", dtype=np.bool_)
    levels = len(set(labels[here].tolist()))
    if not plain or levels < 2:
        return []
    part = sample.subset(here)
    unit = np.arange(part.positive.size) if part.cluster is None else part.cluster
    for level in set(labels[here].tolist()):
        for mine in (part.positive, ~part.positive):
            if np.unique(unit[mine & (labels[here] == level)]).size < 2:
                return []
    fixed = [cut["threshold"] for cut in marker["cutpoints"] if cut["kind"] != "exploratory"]
    cut = fixed[0] if fixed else None
    found = judge_groups(
        part,
        labels[here],
        marker=marker["name"],
        threshold=cut,
        order=in_natural_order(set(labels[here].tolist()), last=MISSING),
    )
    rows = found.gaps(confidence_level=plan.confidence_level).statement().tidy
    return [pick(row, _GAP) for row in rows]


def _interaction(parts: list[ScoredSample], marker: str) -> dict[str, Any]:
    """Test whether a marker's AUC is the same at all levels, whose subjects are different."""
    empty = {"statistic": math.nan, "df": math.nan, "df_denominator": math.nan, "p_value": math.nan}
    if len(parts) < 2:
        return {"marker": marker, "method": "fewer than two levels", **empty}
    ids = [set(part.cluster_ids) for part in parts]
    if sum(map(len, ids)) > len(set().union(*ids)):
        return {"marker": marker, "method": "levels share clusters", **empty}
    found = judge_levels([auc(part, marker=marker) for part in parts])
    if found.df == 0.0:  # a p of 1 would be no result of a test
        return {"marker": marker, "method": "no level varies", **empty}
    return {"marker": marker, **found.statement().row}
