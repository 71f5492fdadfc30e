"""Observed counts by score, bins with a least count, sites that are pooled, and windows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["SITES"]

_DECILES = np.array([5, 2, 8, 1, 9, 3, 7, 4, 6])


def _parts(sample: rs.ScoredSample, markers: Markers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, scores so that high is positive, and the site of every row."""
    scores = sample.oriented(sample.marker(markers[0]))
    return sample.positive, scores, np.arange(1, scores.size + 1) % 3


def _counted(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    counts = rs.sketch(sample.only(markers[0]))
    found = {"auc": rs.auc(counts), "sauc": rs.sauc(counts)}
    return {name: [one.value, one.variance()] for name, one in found.items()}


def _least_count(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, _ = _parts(sample, markers)
    cuts = np.sort(scores)[(scores.size * _DECILES + 9) // 10 - 1]
    found = rs.sketch(y, scores, pos_label=True, least_count=3, cuts=cuts)
    (counts,) = found.sketches
    area = rs.auc(found)
    return {
        "edges": counts.least()[1:].tolist(),
        "n_pos": counts.n_pos.tolist(),
        "n_neg": counts.n_neg.tolist(),
        "bounds": [area.details["value_low"], area.details["value_high"]],
        "value": area.value,
    }


def _pooled(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    rows = sample.only(markers)
    place = np.arange(1, rows.positive.size + 1) % 3
    sites = {f"site {k}": rows.subset(place == k) for k in range(3)}
    sketches = [rs.sketch(own, site=name) for name, own in sites.items()]
    first = rs.pool(sketches)
    told = [rs.site_moments(own, first, site=name) for name, own in sites.items()]
    pooled = rs.pool(sketches, moments=told)
    (test,) = rs.compare(pooled).pairwise(adjust="none", method="delong").tests
    return {
        "areas": [rs.auc(pooled, marker=name).value for name in markers],
        "std_error": test.std_error,
        "df": test.df,
        "p_value": test.pvalue,
        **dict(zip(("conf_low", "conf_high"), test.confidence_interval(), strict=True)),
    }


def _sketches(sample: rs.ScoredSample, markers: Markers) -> list[rs.SiteSketch]:
    y, scores, place = _parts(sample, markers)
    return [
        rs.sketch(y[place == k], scores[place == k], pos_label=True, site=f"part {k}")
        for k in range(3)
    ]


def _within(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    pooled = rs.pool(_sketches(sample, markers))
    pairs = rs.stratified_auc(pooled)
    precise = rs.stratified_auc(pooled, weights="inverse_variance")
    test = pairs.heterogeneity
    return {
        "pairs": [pairs.value, pairs.std_error**2],
        "limits": [*pairs.confidence_interval()],
        "inverse_variance": [precise.value, precise.std_error**2],
        "between": pairs.between,
        "heterogeneity": [test["statistic"], test["p_value"]],
    }


def _watched(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    found = rs.monitor(_sketches(sample, markers))
    tests = [test for test in found.tests if test is not None]
    return {
        "difference": [test.estimate for test in tests],
        "statistic": [test.statistic for test in tests],
        "p_value": [test.pvalue for test in tests],
        "p_adjusted": list(found.p_adjusted[1:]),
    }


SITES: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "counted": _counted,
    "least-count": _least_count,
    "pooled-sites": _pooled,
    "within-sites": _within,
    "watched": _watched,
}
