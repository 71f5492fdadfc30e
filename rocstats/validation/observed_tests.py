"""Observed, continued: two-sample tests, several classes, measures over lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import ALTERNATIVES, Markers, Numbers

__all__ = ["TESTS", "groups_of", "three_classes"]

FEW = 7  # of each class, so that all relabelings can be looked at
RELABELINGS = 39_999
LISTS = 40_000


def groups_of(
    sample: rs.ScoredSample, markers: Markers, *, first: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of positives and negatives, the first of them, so that high is positive."""
    scores = sample.oriented(sample.marker(markers[0]))
    return scores[sample.positive][:first], scores[~sample.positive][:first]


def three_classes(sample: rs.ScoredSample) -> np.ndarray:
    """Return three classes: the negatives, and every other positive apart."""
    place = np.cumsum(sample.positive)
    return np.where(sample.positive, 1 + place % 2, 0)


def _tests(pair: tuple[np.ndarray, np.ndarray], **options: Any) -> list[rs.TwoSampleResult]:
    """Return a test for each alternative."""
    return [rs.two_sample_test(*pair, alternative=a, **options) for a in ALTERNATIVES]


def _scored(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pair = groups_of(sample, markers)
    tests = _tests(pair, statistic="sauc", method="asymptotic")
    return {
        "estimate": tests[0].estimate,
        "null_value": tests[0].null_value,
        "std_error": tests[0].std_error,
        "statistic": [test.statistic for test in tests],
        "p": [test.pvalue for test in tests],
    }


def _scored_exact(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pair = groups_of(sample, markers, first=FEW)
    return {"p": [t.pvalue for t in _tests(pair, statistic="sauc", method="exact")]}


def _scored_permutation(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pair = groups_of(sample, markers, first=FEW)
    draws = rs.Permutation(n_resamples=RELABELINGS, rng=20261118)
    tests = _tests(pair, statistic="sauc", method="permutation", resampling=draws)
    return {"p": [test.pvalue for test in tests]}


def _scored_count(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return how far the p-values are from counts over the number of relabelings and one."""
    found = np.array(_scored_permutation(sample, markers)["p"]) * (RELABELINGS + 1)
    return {"rest": (found - np.round(found)).tolist()}


def _others(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pair = groups_of(sample, markers)
    apart = _tests(pair, statistic="ks", method="asymptotic")
    placed = _tests(pair, statistic="brunner-munzel", method="asymptotic")
    return {
        "distance": [test.statistic for test in apart],
        "distance_p": [test.pvalue for test in apart],
        "area": placed[0].estimate,
        "statistic": placed[0].statistic,
        "df": placed[0].df,
        "p": [test.pvalue for test in placed],
    }


def _classes(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    scores = sample.scores[sample.marker(markers[0])]
    found = rs.multiclass_auc(three_classes(sample), scores, labels=[0, 1, 2])
    return {"value": found.value, "std_error": found.std_error}


def _class_scores(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y = three_classes(sample)
    scores = np.stack([sample.scores[sample.marker(m)] for m in markers[:3]], axis=1)
    designs: tuple[dict[str, Any], ...] = (
        {"method": "hand-till"},
        {"method": "provost-domingos"},
        {"method": "provost-domingos", "sampling": "cohort"},
    )
    found = [rs.multiclass_auc(y, scores, labels=[0, 1, 2], **d) for d in designs]
    pairs = {(p.first, p.second): p.first_given_second for p in found[0].pairs}
    pairs |= {(p.second, p.first): p.second_given_first for p in found[0].pairs}
    models = {"a": scores, "b": scores[:, [1, 2, 0]]}
    (test,) = rs.compare_multiclass(y, models, labels=[0, 1, 2]).tests
    return {
        "value": [f.value for f in found],
        "std_error": [f.std_error for f in found],
        "area": [pairs[key] for key in sorted(pairs)],
        "difference": [test.estimate, test.std_error, test.df, test.pvalue],
    }


_AVERAGES: dict[str, Any] = {n: f"ovr-{n}" for n in ("macro", "weighted", "micro")}


def _rest(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y = three_classes(sample)
    scores = np.stack([sample.scores[sample.marker(m)] for m in markers[:3]], axis=1)
    found = {
        name: rs.multiclass_auc(y, scores, labels=[0, 1, 2], method=method)
        for name, method in _AVERAGES.items()
    }
    return {name: [area.value, area.std_error] for name, area in found.items()}


def _degrees(found: list[rs.MeasureComparison]) -> Numbers:
    counts, degrees = [], []
    for one in found:
        c = one.counts
        counts += [c.agree, c.disagree, c.f_only, c.g_only, c.neither]
        degrees += [one.consistency, one.discriminancy, one.indifferency]
    return {"counts": [float(count) for count in counts], "degrees": degrees}


def _measures(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    lift = rs.lift_at(0.25)
    pairs = (("auc", "accuracy"), ("auc", "f1"), ("auc", lift), (lift, "accuracy"))
    return _degrees([rs.compare_measures(f, g, n_pos=4, n_neg=5) for f, g in pairs])


def _measures_of_lists(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, p = sample.positive.astype(int), sample.scores[sample.marker(markers[0])]
    lists = [(np.delete(y, i), np.delete(p, i)) for i in range(y.size)]
    pairs = (("auc", "sauc"), ("auc", "brier"), ("sauc", "smauc"))
    return _degrees([rs.compare_measures(f, g, lists=lists) for f, g in pairs])


def _measures_given(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.means_given(rs.lift_at(0.25), "auc", n_pos=4, n_neg=5)
    names = ("given", "mean", "variance", "n_lists")
    return {name: [float(getattr(row, name)) for row in found] for name in names}


def _measures_drawn(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    lists = rs.random_lists(n_pos=4, n_neg=5)
    found = rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=LISTS, rng=20261118)
    return {"consistency": found.consistency, "indifferency": found.indifferency}


TESTS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "sauc-test": _scored,
    "sauc-test-exact": _scored_exact,
    "sauc-test-permutation": _scored_permutation,
    "sauc-test-count": _scored_count,
    "other-two-sample": _others,
    "multiclass-rest": _rest,
    "multiclass-variance": _classes,
    "multiclass-scores": _class_scores,
    "measures": _measures,
    "measures-lists": _measures_of_lists,
    "measures-drawn": _measures_drawn,
    "measures-given": _measures_given,
}
