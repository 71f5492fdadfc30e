"""Observed binary tests: two markers at their medians as tests on the same patients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import rocstats as rs
from rocstats.validation.settings import LEVELS, MARGIN, Markers, Numbers

__all__ = ["BINARY"]


def _compare(sample: rs.ScoredSample, markers: Markers) -> rs.ComparedTests:
    medians = {m: float(np.median(sample.scores[sample.marker(m)])) for m in markers}
    return rs.compare_tests(sample, thresholds=medians)


def _rates(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = _compare(sample, markers)
    numbers: Numbers = {}
    for name in ("sensitivity", "specificity"):
        pair: rs.PairedRates = getattr(found, name)
        test = pair.mcnemar
        numbers[name] = [pair.difference, pair.ratio]
        numbers[f"{name}_tests"] = [
            *(test.statistic, test.pvalue),
            *(pair.mid_pvalue, pair.exact_pvalue),
        ]
    joint = found.joint()
    return numbers | {"joint": [joint.statistic, joint.pvalue]}


def _limits(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = _compare(sample, markers)
    numbers: Numbers = {}
    for name in ("sensitivity", "specificity"):
        pair: rs.PairedRates = getattr(found, name)
        numbers[name] = [x for level in LEVELS for x in pair.confidence_interval(level)]
        numbers[f"{name}_ratio"] = [x for level in LEVELS for x in pair.ratio_interval(level)]
    margin = found.noninferiority("sensitivity", MARGIN)
    assert isinstance(margin, rs.MarginTest)
    return numbers | {"margin": [margin.statistic, margin.pvalue]}


def _values(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = _compare(sample, markers)
    numbers: Numbers = {}
    for name in ("ppv", "npv"):
        pair: rs.PairedPredictive = getattr(found, name)
        numbers[name] = [
            *(pair.difference, pair.ratio),
            *(pair.test(method=method).statistic for method in ("wgs", "gs")),
            pair.test(method="wald").std_error,
        ]
    for name in ("lr_pos", "lr_neg"):
        ratio: rs.PairedLikelihood = getattr(found, name)
        numbers[name] = [ratio.ratio, ratio.test().std_error]
    return numbers


def _joint(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    together = _compare(sample, markers).influence_with("auc")
    return {"covariance": together.covariance().ravel().tolist()}


BINARY: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "binary-rates": _rates,
    "binary-limits": _limits,
    "binary-values": _values,
    "binary-joint": _joint,
}
