"""Sensitivity analyses: the AUC again, with one decision of the analysis taken otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.distributions import outlying
from rocstats.analysis.grouping import with_levels
from rocstats.analysis.plan import StudyPlan
from rocstats.blocks import Bools, Floats
from rocstats.data import ScoredSample
from rocstats.estimators import auc, estimate
from rocstats.resampling.bootstrapping import bootstrap
from rocstats.results import ConfidenceInterval, Estimate

__all__ = ["robustness_facts"]


def robustness_facts(cohort: Cohort, plan: StudyPlan) -> list[dict[str, Any]]:
    """Return one row for every marker and decision, with the difference from the main analysis."""
    sample, level = cohort.sample, plan.confidence_level
    rows = []
    for row, main in enumerate(estimate(sample, measures="auc").rows):
        drawn = bootstrap(auc(with_levels(sample, row)), resampling=plan.resampling(3000 + row))
        resampled = drawn.confidence_interval(confidence_level=level)
        wald = main.confidence_interval(confidence_level=level, method="wald", clip=True)
        rows.append(_row(main, main, resampled, "bootstrap"))
        rows.append(_row(main, main, wald, "wald"))
        for analysis, other in _alternatives(cohort, row):
            limits = other.confidence_interval(confidence_level=level)
            rows.append(_row(main, other, limits, analysis))
    return rows


def _row(
    main: Estimate, other: Estimate, limits: ConfidenceInterval, analysis: str
) -> dict[str, Any]:
    return {
        "marker": main.classifier,
        "analysis": analysis,
        "n_pos": other.n_pos,
        "n_neg": other.n_neg,
        "estimate": other.value,
        "conf_low": limits.low,
        "conf_high": limits.high,
        "conf_method": limits.method,
        "difference": other.value - main.value,
    }


def _alternatives(cohort: Cohort, row: int) -> Iterator[tuple[str, Estimate]]:
    """Yield the AUC of one marker where rows or values are taken otherwise, if that matters."""
    sample, known = cohort.sample, cohort.known
    there, unclear = cohort.available(row), cohort.indeterminate[row] & known
    scores = cohort.scores[row]
    if np.count_nonzero(there) > sample.positive.size:
        yield "available", _again(cohort, row, scores, there)
    lacking = known & np.isnan(scores)
    if lacking.any():
        for analysis, hopeful in (("missing_worst", False), ("missing_best", True)):
            filled = np.where(lacking, _extreme(cohort, row, cohort.positive == hopeful), scores)
            yield analysis, _again(cohort, row, filled, known)
    if unclear.any():
        everyone = np.ones(known.size, dtype=np.bool_)
        for analysis, called in (
            ("indeterminate_positive", everyone),
            ("indeterminate_negative", ~everyone),
        ):
            filled = np.where(unclear, _extreme(cohort, row, called), scores)
            yield analysis, _again(cohort, row, filled, there | unclear)
    far = _outliers(sample, row)
    if far.any():
        yield "outliers", auc(sample.subset(~far), marker=sample.markers[row])
    if sample.cluster is not None:
        from dataclasses import replace

        apart = replace(sample, cluster=None, cluster_ids=(), subject=None)
        yield "independent", auc(apart, marker=sample.markers[row])


def _extreme(cohort: Cohort, row: int, high: Bools) -> Floats:
    """Return scores beyond all others: most positive where `high`, least positive elsewhere."""
    sign = 1.0 if cohort.sample.higher_is_positive[row] else -1.0
    return np.where(high, sign * math.inf, -sign * math.inf)


def _again(cohort: Cohort, row: int, scores: Floats, keep: Bools) -> Estimate:
    name = cohort.sample.markers[row]
    cluster = None if cohort.cluster_of is None else cohort.cluster_of[keep]
    again = ScoredSample.from_arrays(
        cohort.positive[keep],
        {name: scores[keep]},
        pos_label=True,
        cluster=cluster,
        higher_is_positive=cohort.sample.higher_is_positive[row],
    )
    return auc(again)


def _outliers(sample: ScoredSample, row: int) -> Bools:
    far = np.zeros(sample.positive.size, dtype=np.bool_)
    for members in (sample.positive, ~sample.positive):
        far[members] = outlying(sample.scores[row, members])
    return far
