"""The cross-check: the same numbers by R's pROC, live where R is there, else a script for it."""

from __future__ import annotations

import math
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.comparison_facts import MOST_MARKERS
from rocstats.analysis.design_facts import is_designed
from rocstats.analysis.plan import StudyPlan
from rocstats.data.sample import ScoredSample
from rocstats.errors import RBridgeError, RocstatsError, RUnavailableError
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
        rows, versions = _ask_r(cohort, plan, script)
    except RBridgeError as error:
        if plan.r == "yes":
            raise
        return answer | {"why": str(error)}
    return answer | {"status": "live", "rows": rows, "versions": versions}


def _out_of_reach(sample: ScoredSample) -> str | None:
    """Return why pROC cannot answer for this sample, or None."""
    if not sample.keeps_rows:
        return "R is asked of rows in memory, and these were counted."
    if is_designed(sample):
        return "pROC takes rows alike, and these have weights or strata."
    if sample.cluster is not None:
        return "pROC takes rows as independent, and these are clustered."
    if not np.isfinite(sample.scores).all():
        return "pROC takes finite scores only."
    if len(sample.markers) > MOST_MARKERS or sample.positive.size > _MOST_SUBJECTS:
        return "The study is too large to ask R while the report is made."
    if min(sample.n_pos, sample.n_neg) < 2:
        return "pROC needs two subjects of each class for a variance."
    return None


# What of a marker and of a pair of markers is shown: its name here, and in the script.
_OF_A_MARKER = {
    "AUC": "AUC",
    "standard error": "standard error",
    "lower limit, Wald": "Wald low",
    "upper limit, Wald": "Wald high",
}
_OF_A_PAIR = {"difference": "difference", "z": "z", "p": "p"}


def _ask_r(
    cohort: Cohort, plan: StudyPlan, script: str | None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return our numbers beside R's: by rpy2, or where that is not there by the page's script."""
    place = cohort.source.place
    try:
        theirs, versions = _through_rpy2(cohort.sample, plan)
    except RUnavailableError:
        if script is None or place is None or shutil.which("Rscript") is None:
            raise
        theirs, versions = _by_script(cohort.sample, plan, script, place)
    ours = _our_numbers(cohort.sample, plan)
    rows = [
        {
            "quantity": quantity,
            "of": list(of),
            "ours": mine,
            "r": theirs[quantity, of],
            "difference": mine - theirs[quantity, of],
        }
        for (quantity, of), mine in ours.items()
    ]
    return rows, versions


_Numbers = dict[tuple[str, tuple[str, ...]], float]


def _pairs(sample: ScoredSample, plan: StudyPlan) -> list[tuple[str, str]]:
    return list(combinations(sample.markers, 2)) if plan.scores != "fitted" else []


def _our_numbers(sample: ScoredSample, plan: StudyPlan) -> _Numbers:
    level, found = plan.confidence_level, _Numbers()
    for mine in estimate(sample, measures="auc").rows:
        wald = mine.confidence_interval(confidence_level=level, method="wald", clip=True)
        values = (mine.value, mine.std_error, wald.low, wald.high)
        found |= {
            (name, (mine.classifier,)): value
            for name, value in zip(_OF_A_MARKER, values, strict=True)
        }
    pairs = _pairs(sample, plan)
    if pairs:
        tests = compare(sample).pairwise(reference="normal", adjust="none").tests
        for pair, test in zip(pairs, tests, strict=True):
            judged = (test.estimate, test.statistic, test.pvalue)
            found |= {(name, pair): value for name, value in zip(_OF_A_PAIR, judged, strict=True)}
    return found


def _through_rpy2(sample: ScoredSample, plan: StudyPlan) -> tuple[_Numbers, dict[str, str]]:
    from rocstats import rbridge

    level = plan.confidence_level
    rbridge.require(["pROC"])
    found: _Numbers = {}
    for name in sample.markers:
        limits = rbridge.ci_auc(sample, marker=name, confidence_level=level)
        error = math.sqrt(rbridge.var(sample, marker=name))
        values = (rbridge.auc(sample, marker=name), error, limits.low, limits.high)
        found |= {(what, (name,)): v for what, v in zip(_OF_A_MARKER, values, strict=True)}
    for pair in _pairs(sample, plan):
        answer = rbridge.roc_test(sample, markers=pair)
        judged = (answer.estimate, answer.statistic, answer.pvalue)
        found |= {(what, pair): v for what, v in zip(_OF_A_PAIR, judged, strict=True)}
    return found, {name: str(value) for name, value in rbridge.versions().items()}


def _by_script(
    sample: ScoredSample, plan: StudyPlan, script: str, place: Path
) -> tuple[_Numbers, dict[str, str]]:
    """Return what the page's own script says; its numbers come in a fixed order."""
    from rocstats.rbridge.script_run import AREA_NUMBERS, PAIR_NUMBERS, run_script

    numbers, versions = run_script(script, place)
    pairs = _pairs(sample, plan)
    asked = [
        *(((name,), _OF_A_MARKER, AREA_NUMBERS) for name in sample.markers),
        *((pair, _OF_A_PAIR, PAIR_NUMBERS) for pair in pairs),
    ]
    if len(numbers) != sum(len(names) for _, _, names in asked):
        raise RBridgeError("R answered another number of rows than it was asked for.")
    found: _Numbers = {}
    at = 0
    for of, wanted, names in asked:
        given = dict(zip(names, numbers[at : at + len(names)], strict=True))
        at += len(names)
        found |= {(what, of): given[word] for what, word in wanted.items()}
    return found, versions


def _script(cohort: Cohort, plan: StudyPlan, version: str) -> tuple[str | None, str | None]:
    """Return the R script that repeats the analysis, or why there is none."""
    sample, file = cohort.sample, cohort.source.file
    if file is None and cohort.source.repairs:
        return None, "The file was repaired on its way in, and R would read it as it stands."
    if file is None:
        return None, "A script reads a CSV or TSV file, and the data did not come from one."
    if not sample.keeps_rows:
        return None, "A script reads all rows into memory, and these were counted."
    if is_designed(sample):
        return None, "pROC takes rows alike, and these have weights or strata."
    if sample.cluster is not None:
        return None, "pROC takes rows as independent, and these are clustered."
    if cohort.indeterminate.any():
        return None, "The file holds indeterminate results, which R would not read as such."
    if len(sample.markers) > MOST_MARKERS:
        return None, "Of so many markers it is long; rocstats r-script writes it."
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
    """Return for each pair of markers difference, covariance, z, p and limits.

    Of many markers the first is compared with each other one, not every pair.
    """
    covariance, size = result.covariance, len(result.rows)
    tests = result.pairwise(reference="normal", adjust="none").tests
    pairs = list(combinations(range(size), 2))
    if size > MOST_MARKERS:
        pairs = pairs[: size - 1]
    rows = []
    for (i, j), test in zip(pairs, tests, strict=False):
        limits = test.confidence_interval(confidence_level=level)
        judged = [test.statistic, test.pvalue, limits.low, limits.high]
        rows.append([test.estimate, float(covariance[i, j]), *judged])
    return rows
