"""Sensitivity analyses: the AUC again, with one decision of the analysis taken otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.design_facts import is_designed
from rocstats.analysis.distribution_facts import outlying
from rocstats.analysis.grouping import with_levels
from rocstats.analysis.left_out import LeftOut
from rocstats.analysis.marker_variants import beyond_all, refilled
from rocstats.analysis.plan import StudyPlan
from rocstats.arrays import Bools
from rocstats.data.sample import ScoredSample
from rocstats.estimates.estimators import auc, estimate
from rocstats.estimates.results import ConfidenceInterval, Estimate
from rocstats.resampling.bootstrapping import Bootstrap, bootstrap

__all__ = ["robustness_facts"]


def robustness_facts(cohort: Cohort, plan: StudyPlan, left_out: LeftOut) -> list[dict[str, Any]]:
    """Return one row for every marker and decision, with the difference from the main analysis."""
    sample, level = cohort.sample, plan.confidence_level
    rows = []
    for row, main in enumerate(estimate(sample, measures="auc").rows):
        streams = plan.resampling("witness", row)
        resampled = left_out.unless(
            "the bootstrap", partial(_resampled, sample, row, streams, level), None
        )
        wald = main.confidence_interval(confidence_level=level, method="wald", clip=True)
        if resampled is not None:
            rows.append(_row(main, main, resampled, "bootstrap"))
        rows.append(_row(main, main, wald, "wald"))
        if is_designed(sample):  # rows that come back have no weight of their own
            continue
        others: list[tuple[str, Estimate]] = left_out.unless(
            "analyses with rows or values taken otherwise", partial(_listed, cohort, row), []
        )
        for analysis, other in others:
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


def _resampled(
    sample: ScoredSample, row: int, streams: Bootstrap, level: float
) -> ConfidenceInterval | None:
    drawn = bootstrap(auc(with_levels(sample, row)), resampling=streams)
    return drawn.confidence_interval(confidence_level=level)


def _listed(cohort: Cohort, row: int) -> list[tuple[str, Estimate]]:
    return list(_alternatives(cohort, row))


def _alternatives(cohort: Cohort, row: int) -> Iterator[tuple[str, Estimate]]:
    """Yield the AUC of one marker where rows or values are taken otherwise, if that matters."""
    sample, known = cohort.sample, cohort.known
    there, unclear = cohort.available(row), cohort.indeterminate[row] & known
    scores = cohort.scores[row]
    if np.count_nonzero(there) > sample.positive.size:
        yield "available", auc(refilled(cohort, row, scores, there))
    lacking = known & np.isnan(scores)
    if lacking.any():
        for analysis, hopeful in (("missing_worst", False), ("missing_best", True)):
            filled = np.where(lacking, beyond_all(cohort, row, cohort.positive == hopeful), scores)
            yield analysis, auc(refilled(cohort, row, filled, known))
    if unclear.any():
        everyone = np.ones(known.size, dtype=np.bool_)
        for analysis, called in (
            ("indeterminate_positive", everyone),
            ("indeterminate_negative", ~everyone),
        ):
            filled = np.where(unclear, beyond_all(cohort, row, called), scores)
            yield analysis, auc(refilled(cohort, row, filled, there | unclear))
    far = _outliers(sample, row)
    if far.any():
        yield "outliers", auc(sample.subset(~far), marker=sample.markers[row])
    if sample.cluster is not None:
        apart = replace(sample, cluster=None, cluster_ids=(), subject=None)
        yield "independent", auc(apart, marker=sample.markers[row])


def _outliers(sample: ScoredSample, row: int) -> Bools:
    far = np.zeros(sample.positive.size, dtype=np.bool_)
    for members in (sample.positive, ~sample.positive):
        far[members] = outlying(sample.scores[row, members])
    return far
