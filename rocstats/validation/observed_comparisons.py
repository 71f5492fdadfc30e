"""Observed comparisons: markers on one sample or two, two groups, and the size of a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.observed_tests import groups_of
from rocstats.validation.settings import ALTERNATIVES, MARGIN, Markers, Numbers

__all__ = ["COMPARISONS"]


def _wilcoxon(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    value = rs.auc(sample, marker=markers[0]).value
    return {"statistic": value * sample.n_pos * sample.n_neg}


def _compare(sample: rs.ScoredSample, markers: Markers, measure: Any = "auc") -> rs.Comparison:
    rows = [sample.marker(m) for m in markers]
    part = rs.ScoredSample.from_arrays(
        sample.positive.astype(int),
        {m: sample.scores[row] for m, row in zip(markers, rows, strict=True)},
        cluster=sample.cluster,
        higher_is_positive=[sample.higher_is_positive[row] for row in rows],
    )
    return rs.compare(part, measure=measure)


def _covariance(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"covariance": _compare(sample, markers).covariance.ravel().tolist()}


def _paired(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers)
    tests = {
        alternative: result.contrast(
            [1.0, -1.0], reference="normal", alternative=alternative
        ).tests[0]
        for alternative in ALTERNATIVES
    }
    both = tests["two-sided"]
    limits = both.confidence_interval()
    return {
        "statistic": both.statistic,
        "low": limits.low,
        "high": limits.high,
    } | _pvalues(tests)


def _pvalues(tests: Mapping[Any, rs.TestResult] | Mapping[Any, rs.PermutationResult]) -> Numbers:
    return {f"p_{name.replace('-', '_')}": test.pvalue for name, test in tests.items()}


def _halves(sample: rs.ScoredSample, markers: Markers) -> list[rs.Estimate]:
    """Return the first marker in every second subject of a class, the second in the others."""
    place = np.where(sample.positive, np.cumsum(sample.positive), np.cumsum(~sample.positive))
    odd = place % 2 == 1
    return [
        rs.auc(
            sample.positive[half].astype(int),
            sample.scores[sample.marker(marker)][half],
            higher_is_positive=sample.higher_is_positive[sample.marker(marker)],
        )
        for marker, half in zip(markers, (odd, ~odd), strict=True)
    ]


def _unpaired(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    first, second = _halves(sample, markers)
    tests = {
        alternative: rs.compare_independent(
            first, second, reference="proc", alternative=alternative
        )
        for alternative in ALTERNATIVES
    }
    both = tests["two-sided"]
    return {"statistic": both.statistic, "df": both.df} | _pvalues(tests)


def _paired_t(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    (test,) = _compare(sample, markers).pairwise(adjust="none", method="delong").tests
    limits = test.confidence_interval()
    return {
        "std_error": test.std_error,
        "df": test.df,
        "p_value": test.pvalue,
        "conf_low": limits.low,
        "conf_high": limits.high,
    }


def _omnibus(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    test = _compare(sample, markers).omnibus(reference="chi2")
    return {"statistic": test.statistic, "df": float(test.df), "p": test.pvalue}


def _multiplicity(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers)
    return {
        name: list(result.pairwise(adjust=method, reference="normal").adjusted)
        for name, method in (
            ("holm", "holm"),
            ("bonferroni", "bonferroni"),
            ("hommel", "hommel"),
            ("hochberg", "simes-hochberg"),
            ("bh", "fdr_bh"),
            ("by", "fdr_by"),
        )
    }


def _margins(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers)
    return {
        aim: getattr(result, aim)(MARGIN, reference="normal").pvalue
        for aim in ("noninferiority", "superiority", "equivalence")
    }


def _joint(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers, ["auc", "sauc", "smauc"])
    return {"covariance": result.covariance.ravel().tolist()}


def _unpaired_t(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return _tested(rs.compare_independent(*_halves(sample, markers), method="delong"))


def _tested(test: rs.TestResult) -> Numbers:
    limits = test.confidence_interval()
    return {
        "statistic": test.statistic,
        "df": test.df,
        "p_value": test.pvalue,
        "conf_low": limits.low,
        "conf_high": limits.high,
    }


def _omnibus_f(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return _tested_at_once(_compare(sample, markers).omnibus(reference="F", method="delong"))


def _tested_at_once(test: rs.OmnibusTest) -> Numbers:
    return {
        "statistic": test.statistic,
        "df": float(test.df),
        "df_denominator": float(test.df_denominator),
        "p_value": test.pvalue,
    }


def _at_null(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers)
    (test,) = result.pairwise(adjust="none", method="score").tests
    return _tested(test) | {
        aim: getattr(result, aim)(MARGIN).pvalue
        for aim in ("noninferiority", "superiority", "equivalence")
    }


def _unpaired_at_null(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return _tested(rs.compare_independent(*_halves(sample, markers)))


def _omnibus_at_null(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return _tested_at_once(_compare(sample, markers).omnibus(reference="F"))


def _clusters_scored(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers, ["auc", "sauc", "smauc"])
    return {"covariance": result.covariance.ravel().tolist()}


def _clusters(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"covariance": _compare(sample, markers, ["auc", "sauc"]).covariance.ravel().tolist()}


def _permutation(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    both = _compare(sample, markers)
    return _pvalues({a: rs.permutation_test(both, alternative=a) for a in ALTERNATIVES})


def _venkatraman(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    once = rs.Permutation(n_resamples=1, rng=1)  # the statistic alone is compared
    return {"statistic": rs.venkatraman_test(_compare(sample, markers), resampling=once).statistic}


def _rank_sum(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    return {
        f"{name}_{alternative.replace('-', '_')}": rs.two_sample_test(
            pos,
            neg,
            statistic="auc",
            method="asymptotic",
            alternative=alternative,
            continuity=name == "corrected",
        ).pvalue
        for name in ("corrected", "plain")
        for alternative in ALTERNATIVES
    }


def _rank_sum_exact(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    return {
        alternative.replace("-", "_"): rs.two_sample_test(
            pos, neg, statistic="auc", method="exact", alternative=alternative
        ).pvalue
        for alternative in ALTERNATIVES
    }


def _t_tests(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    tests = {
        name: rs.two_sample_test(pos, neg, statistic=name, method="asymptotic")
        for name in ("welch", "t")
    }
    return {name: [test.statistic, test.df, test.pvalue] for name, test in tests.items()}


def _planning(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    value = rs.auc(sample, marker=markers[0]).value
    found = rs.sample_size_auc(auc=value, power=0.9, model="obuchowski")
    return {"n_pos": float(found.n_pos)}


def _planning_power(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the power of the one-sided test at 0.025, which pROC calls two-sided at 0.05."""
    value = rs.auc(sample, marker=markers[0]).value
    found = rs.power_auc(
        auc=value,
        n_pos=40,
        n_neg=60,
        model="obuchowski",
        alternative="greater",
        significance=0.025,
    )
    return {"power": found.power}


def _planning_sauc(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pos, neg = groups_of(sample, markers)
    shift, spread = float(pos.mean() - neg.mean()), (float(pos.std(ddof=1)), float(neg.std(ddof=1)))
    found = rs.binormal_sauc(shift, sd_pos=spread[0], sd_neg=spread[1])
    plan = rs.power_sauc(shift, sd_pos=spread[0], sd_neg=spread[1], n_pos=40, n_neg=60)
    return {
        "value": found.value,
        "std_error": found.std_error(40, 60),
        "no_difference": plan.null_value,
        "power": plan.power,
    }


COMPARISONS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "covariance": _covariance,
    "joint": _joint,
    "clusters": _clusters,
    "clusters-scored": _clusters_scored,
    "paired": _paired,
    "paired-t": _paired_t,
    "unpaired": _unpaired,
    "unpaired-t": _unpaired_t,
    "omnibus": _omnibus,
    "omnibus-f": _omnibus_f,
    "at-null": _at_null,
    "unpaired-at-null": _unpaired_at_null,
    "omnibus-at-null": _omnibus_at_null,
    "multiplicity": _multiplicity,
    "margins": _margins,
    "permutation": _permutation,
    "venkatraman": _venkatraman,
    "wilcoxon": _wilcoxon,
    "rank-sum": _rank_sum,
    "rank-sum-exact": _rank_sum_exact,
    "t-tests": _t_tests,
    "planning": _planning,
    "planning-power": _planning_power,
    "planning-sauc": _planning_sauc,
}
