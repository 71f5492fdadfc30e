"""Observed: the numbers of every quantity, by the public API of rocstats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.observed_curves import CURVES
from rocstats.validation.observed_points import BENCH
from rocstats.validation.observed_studies import STUDIES
from rocstats.validation.observed_tests import TESTS
from rocstats.validation.settings import ALTERNATIVES, LEVELS, MARGIN, Markers, Numbers

__all__ = ["OBSERVED"]

RESAMPLES = 100_000


def _auc(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    estimate = rs.auc(sample, marker=markers[0])
    return {"auc": estimate.value, "variance": estimate.variance()}


def _interval(method: str, *, clip: bool = False) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.auc(sample, marker=markers[0])
        found = [
            estimate.confidence_interval(confidence_level=level, method=method, clip=clip)
            for level in LEVELS
        ]
        return {"low": [f.low for f in found], "high": [f.high for f in found]}

    return limits


def _forms(*methods: str) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.auc(sample, marker=markers[0])
        return {m.replace("-", "_"): _limits(estimate, m) for m in methods}

    return limits


def _limits(estimate: rs.Estimate, method: str = "auto") -> list[float]:
    found = estimate.confidence_interval(method=method)
    return [found.low, found.high]


def _scored_intervals(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {
        "sauc": _limits(rs.sauc(sample, marker=markers[0])),
        "smauc": _limits(rs.smauc(sample, marker=markers[0])),
    }


def _curve(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    curve = rs.roc_curve(sample, marker=markers[0])
    return {
        "specificity": ((curve.n_neg - curve.fp) / curve.n_neg).tolist(),
        "sensitivity": curve.tpr.tolist(),
        "area": curve.area(),
    }


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
    (test,) = _compare(sample, markers).pairwise(adjust="none").tests
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


def _influence(estimate: rs.Estimate) -> Numbers:
    """Return value, variance and structural components, positives and negatives apart."""
    influence = estimate.influence
    components = influence.values[0] + estimate.value
    positive = estimate.sample.positive
    return {
        "value": estimate.value,
        "variance": estimate.variance(),
        "v10": components[positive].tolist(),
        "v01": components[~positive].tolist(),
    }


def _sauc(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    estimate = rs.sauc(sample, marker=markers[0])
    names = ("r_plus", "r_minus", "rsauc", "mean_difference")
    return _influence(estimate) | {name: estimate.details[name] for name in names}


def _smauc(**options: Any) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def numbers(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        estimate = rs.smauc(sample, marker=markers[0], **options)
        return _influence(estimate) | {name: estimate.details[name] for name in ("chance",)}

    return numbers


def _variances(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = {}
    for measure in (rs.auc, rs.sauc):
        estimate = measure(sample, marker=markers[0])
        for method in ("wu", "unbiased"):
            found[f"{measure.__name__}_{method}"] = estimate.variance(method=method)
    return found


def _joint(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers, ["auc", "sauc", "smauc"])
    return {"covariance": result.covariance.ravel().tolist()}


def _unpaired_t(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    test = rs.compare_independent(*_halves(sample, markers))
    limits = test.confidence_interval()
    return {
        "statistic": test.statistic,
        "df": test.df,
        "p_value": test.pvalue,
        "conf_low": limits.low,
        "conf_high": limits.high,
    }


def _omnibus_f(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    test = _compare(sample, markers).omnibus(reference="F")
    return {
        "statistic": test.statistic,
        "df": float(test.df),
        "df_denominator": float(test.df_denominator),
        "p_value": test.pvalue,
    }


def _auto_interval(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"limits": _limits(rs.auc(sample, marker=markers[0]))}


def _raw_interval(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"limits": _limits(rs.sauc(sample, marker=markers[0]))}


def _thresholds(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"threshold": rs.operating_points(sample, marker=markers[0]).threshold.tolist()}


def _clusters_scored(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    result = _compare(sample, markers, ["auc", "sauc", "smauc"])
    return {"covariance": result.covariance.ravel().tolist()}


def _clusters(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    return {"covariance": _compare(sample, markers, ["auc", "sauc"]).covariance.ravel().tolist()}


def _bootstrap(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the bootstrap's limits in units of DeLong's standard error."""
    estimate, result = _bootstrapped(sample, markers)
    limits = result.confidence_interval(method="percentile")
    unit = estimate.std_error
    return {
        "low": (limits.low - estimate.value) / unit,
        "high": (limits.high - estimate.value) / unit,
    }


def _bootstrap_spread(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the bootstrap's standard error in units of DeLong's."""
    estimate, result = _bootstrapped(sample, markers)
    return {"spread": float(result.std_error[0]) / estimate.std_error}


def _bootstrapped(
    sample: rs.ScoredSample, markers: Markers
) -> tuple[rs.Estimate, rs.BootstrapResult]:
    estimate = rs.auc(sample, marker=markers[0])
    resampling = rs.Bootstrap(n_resamples=RESAMPLES, rng=20261116)
    return estimate, rs.bootstrap(estimate, resampling=resampling)


def _bootstrap_limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return what a bootstrap says of given replicates."""
    estimate = rs.auc(sample, marker=markers[0])
    drawn = rs.bootstrap(estimate, resampling=rs.Bootstrap(n_resamples=2, rng=1))
    given = estimate.value + np.sin(np.arange(1.0, 401.0)) / 20.0
    result = replace(drawn, replicates=given[:, np.newaxis])
    limits = {m: result.confidence_interval(method=m) for m in ("percentile", "normal")}
    return {"std_error": float(result.std_error[0])} | {
        method: [found.low, found.high] for method, found in limits.items()
    }


def _permutation(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    both = _compare(sample, markers)
    return _pvalues({a: rs.permutation_test(both, alternative=a) for a in ALTERNATIVES})


def _venkatraman(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    once = rs.Permutation(n_resamples=1, rng=1)  # the statistic alone is compared
    return {"statistic": rs.venkatraman_test(_compare(sample, markers), resampling=once).statistic}


OBSERVED: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "auc": _auc,
    "interval-wald": _interval("wald", clip=True),
    "interval-logit": _interval("logit"),
    "interval-forms": _forms("wald_t", "logit_t", "probit", "arcsine", "hanley-mcneil"),
    "interval-solved": _forms("newcombe", "kl"),
    "interval-scored": _scored_intervals,
    "curve": _curve,
    "wilcoxon": _wilcoxon,
    "covariance": _covariance,
    "paired": _paired,
    "unpaired": _unpaired,
    "paired-t": _paired_t,
    "omnibus": _omnibus,
    "multiplicity": _multiplicity,
    "margins": _margins,
    "sauc": _sauc,
    "smauc": _smauc(),
    "smauc-balanced": _smauc(class_weight="balanced"),
    "smauc-class-mean": _smauc(midpoint="class_mean"),
    "variances": _variances,
    "joint": _joint,
    "clusters": _clusters,
    "bootstrap": _bootstrap,
    "bootstrap-spread": _bootstrap_spread,
    "unpaired-t": _unpaired_t,
    "omnibus-f": _omnibus_f,
    "interval-auto": _auto_interval,
    "interval-raw": _raw_interval,
    "thresholds": _thresholds,
    "clusters-scored": _clusters_scored,
    "permutation": _permutation,
    "venkatraman": _venkatraman,
    "bootstrap-limits": _bootstrap_limits,
    **BENCH,
    **CURVES,
    **TESTS,
    **STUDIES,
}
