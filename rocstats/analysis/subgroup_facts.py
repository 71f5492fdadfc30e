"""Subgroups: the areas at every level of a column, and whether they differ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.level_order import in_natural_order
from rocstats.analysis.participant_facts import MISSING, level_text
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.tidy import AREA, pick
from rocstats.arrays import Bools
from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError
from rocstats.estimates.estimators import auc
from rocstats.inference.levels import judge_levels

__all__ = ["subgroup_facts"]

_MOST_LEVELS = 20


def subgroup_facts(cohort: Cohort, plan: StudyPlan) -> list[dict[str, Any]]:
    """Return the AUC of every marker at every level of every subgroup column."""
    return [_by_level(cohort, name, values, plan) for name, values in cohort.groups.items()]


def _levels(name: str, values: NDArray[Any]) -> list[tuple[str, Bools]]:
    """Return the levels in order, and who is at each; a missing level is shown as one."""
    texts = np.array([level_text(value) for value in values.tolist()], dtype=object)
    levels = in_natural_order(set(texts.tolist()), last=MISSING)
    if len(levels) > _MOST_LEVELS:
        raise InvalidOptionError(
            f"The subgroup column {name} has {len(levels)} levels, more than {_MOST_LEVELS}; "
            "make groups of it first."
        )
    return [(level, np.asarray(texts == level, dtype=np.bool_)) for level in levels]


def _by_level(cohort: Cohort, name: str, values: NDArray[Any], plan: StudyPlan) -> dict[str, Any]:
    sample = cohort.sample
    rows = []
    compared: list[ScoredSample] = []
    for level, here in _levels(name, values):
        n_pos = int(np.count_nonzero(sample.positive & here))
        n_neg = int(np.count_nonzero(~sample.positive & here))
        row: dict[str, Any] = {"label": level, "n_pos": n_pos, "n_neg": n_neg, "estimates": []}
        if min(n_pos, n_neg) == 0:
            rows.append(row | {"note": "one class only"})
            continue
        part = sample.subset(here)
        if min(n_pos, n_neg) > 1 and level != MISSING:  # who is not known is no group
            compared.append(part)
        for marker in sample.markers:
            found = auc(part, marker=marker).statement(confidence_level=plan.confidence_level)
            row["estimates"].append({"marker": marker} | pick(found.row, AREA))
        rows.append(row | {"note": None})
    return {
        "name": name,
        "levels": rows,
        "interaction": [_interaction(compared, marker) for marker in sample.markers],
        "compared": len(compared),
    }


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
