"""The cross-check: the same numbers by R's pROC, live where R is there, else a script for it."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.comparison_facts import MOST_MARKERS
from rocstats.analysis.plan import StudyPlan
from rocstats.data.sample import ScoredSample
from rocstats.errors import RBridgeError, RocstatsError
from rocstats.estimates.estimators import estimate
from rocstats.estimates.results import Estimates
from rocstats.inference.comparison import Comparison, compare
from rocstats.rbridge.script_text import r_script

__all__ = ["areas_for_r", "cross_check_facts", "differences_for_r"]

_MOST_SUBJECTS = 200_000


def cross_check_facts(cohort: Cohort, plan: StudyPlan, version: str) -> dict[str, Any]:
    """Return R's numbers beside ours, or why they are not there; and the script, if one can be."""
    answer: dict[str, Any] = {"status": "unavailable", "versions": None, "rows": []}
    script, why_no_script = _script(cohort, plan, version)
    answer |= {"script": script, "script_why": why_no_script, "why": None}
    if script is not None:
        answer["status"] = "script"
    if plan.r == "no":
        return answer | {"why": "R was not asked for."}
    reason = _out_of_reach(cohort.sample)
    if reason is not None:
        return answer | {"why": reason}
    try:
        rows, versions = _ask_r(cohort.sample, plan)
    except RBridgeError as error:
        if plan.r == "yes":
            raise
        return answer | {"why": str(error)}
    return answer | {"status": "live", "rows": rows, "versions": versions}


def _out_of_reach(sample: ScoredSample) -> str | None:
    """Return why pROC cannot answer for this sample, or None."""
    if sample.cluster is not None:
        return "pROC takes rows as independent, and these are clustered."
    if not np.isfinite(sample.scores).all():
        return "pROC takes finite scores only."
    if len(sample.markers) > MOST_MARKERS or sample.positive.size > _MOST_SUBJECTS:
        return "The study is too large to ask R while the report is made; the script can be run."
    if min(sample.n_pos, sample.n_neg) < 2:
        return "pROC needs two subjects of each class for a variance."
    return None


def _ask_r(sample: ScoredSample, plan: StudyPlan) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    from rocstats import rbridge

    level = plan.confidence_level
    rbridge.require(["pROC"])
    rows: list[dict[str, Any]] = []

    def add(quantity: str, of: tuple[str, ...], ours: float, theirs: float) -> None:
        rows.append(
            {
                "quantity": quantity,
                "of": list(of),
                "ours": ours,
                "r": theirs,
                "difference": ours - theirs,
            }
        )

    for mine in estimate(sample, measures="auc").rows:
        name = mine.classifier
        wald = mine.confidence_interval(confidence_level=level, method="wald", clip=True)
        theirs = rbridge.ci_auc(sample, marker=name, confidence_level=level)
        add("AUC", (name,), mine.value, rbridge.auc(sample, marker=name))
        variance = rbridge.var(sample, marker=name)
        add("standard error", (name,), mine.std_error, math.sqrt(variance))
        add("lower limit, Wald", (name,), wald.low, theirs.low)
        add("upper limit, Wald", (name,), wald.high, theirs.high)
    if len(sample.markers) > 1 and plan.scores != "fitted":
        tests = compare(sample).pairwise(reference="normal", adjust="none").tests
        for pair, test in zip(combinations(sample.markers, 2), tests, strict=True):
            answer = rbridge.roc_test(sample, markers=pair)
            add("difference", pair, test.estimate, answer.estimate)
            add("z", pair, test.statistic, answer.statistic)
            add("p", pair, test.pvalue, answer.pvalue)
    versions = {name: str(value) for name, value in rbridge.versions().items()}
    return rows, versions


def _script(cohort: Cohort, plan: StudyPlan, version: str) -> tuple[str | None, str | None]:
    """Return the R script that repeats the analysis, or why there is none."""
    sample, file = cohort.sample, cohort.source.file
    if file is None:
        return None, "A script reads a CSV or TSV file, and the data did not come from one."
    if sample.cluster is not None:
        return None, "pROC takes rows as independent, and these are clustered."
    if cohort.indeterminate.any():
        return None, "The file holds indeterminate results, which R would not read as such."
    try:
        several = len(sample.markers) > 1 and plan.scores != "fitted"
        return (
            r_script(
                sample,
                file,
                outcome=cohort.outcome,
                areas=areas_for_r(estimate(sample, measures="auc"), plan.confidence_level),
                differences=differences_for_r(compare(sample), plan.confidence_level)
                if several
                else [],
                confidence_level=plan.confidence_level,
                version=version,
            ),
            None,
        )
    except RocstatsError as error:
        return None, str(error)


def areas_for_r(estimates: Estimates, level: float) -> list[list[float]]:
    """Return for each marker AUC, standard error, Wald limits (clipped) and logit limits."""
    rows = []
    for row in estimates.rows:
        wald = row.confidence_interval(confidence_level=level, method="wald", clip=True)
        logit = row.confidence_interval(confidence_level=level, method="logit")
        limits = [wald.low, wald.high, logit.low, logit.high]
        rows.append([row.value, row.std_error, *limits])
    return rows


def differences_for_r(result: Comparison, level: float) -> list[list[float]]:
    """Return for each pair of markers difference, covariance, z, p and limits."""
    covariance = result.covariance
    tests = result.pairwise(reference="normal", adjust="none").tests
    rows = []
    for (i, j), test in zip(combinations(range(len(result.rows)), 2), tests, strict=True):
        limits = test.confidence_interval(confidence_level=level)
        judged = [test.statistic, test.pvalue, limits.low, limits.high]
        rows.append([test.estimate, float(covariance[i, j]), *judged])
    return rows
