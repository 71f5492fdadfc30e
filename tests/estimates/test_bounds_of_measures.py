"""Limits stay within what a measure can be, and reach as far as it can be."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import rocstats as rs


def near_one(measure: str) -> rs.Estimate:
    y = np.repeat([1, 0], [5, 6])
    p = np.array([1.0, 1.0, 0.97, 0.96, 0.4, 0.0, 0.0, 0.01, 0.02, 0.03, 0.45])
    return getattr(rs, measure)(y, p)


@pytest.mark.parametrize("measure", ["auc", "sauc", "smauc"])
def test_clipped_limits_end_at_zero_and_one(measure: str) -> None:
    high = near_one(measure)
    plain = high.confidence_interval(0.999, method="wald")
    assert plain.high > 1.0
    clipped = high.confidence_interval(0.999, method="wald", clip=True)
    assert clipped.high == 1.0
    assert clipped.low == pytest.approx(max(plain.low, 0.0))
    y = np.repeat([0, 1], [5, 6])
    p = np.array([1.0, 1.0, 0.97, 0.96, 0.4, 0.0, 0.0, 0.01, 0.02, 0.03, 0.45])
    low = getattr(rs, measure)(y, p)
    assert low.confidence_interval(0.999, method="wald").low < 0.0
    assert low.confidence_interval(0.999, method="wald", clip=True).low == 0.0


def test_scored_areas_of_scores_on_another_scale_have_no_upper_bound() -> None:
    y = np.repeat([1, 0], [5, 6])
    p = np.array([1.0, 1.0, 0.97, 0.96, 0.4, 0.0, 0.0, 0.01, 0.02, 0.03, 0.45])
    for scores in (10.0 * p, p + 0.5, p - 0.5):
        found = rs.sauc(y, scores)
        plain, clipped = (
            found.confidence_interval(0.999, method="wald", clip=clip) for clip in (False, True)
        )
        assert clipped.high == plain.high
    turned = rs.sauc(y, 1.0 - p, higher_is_positive=False)
    assert turned.confidence_interval(0.999, method="wald", clip=True).high == 1.0


def test_clusters_without_an_error_count_one_each() -> None:
    y = np.repeat([1, 0], [9, 12])
    s = np.where(y == 1, 5.0, 1.0)
    cluster = np.concatenate([np.repeat([0, 1, 2], 3), np.repeat([3, 4, 5, 6], 3)])
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        found = rs.auc(sample)
        assert found.effective_sizes == (3, 4)
        limits = found.confidence_interval()
        alone = rs.auc([1, 1, 1, 0, 0, 0, 0], [5.0, 5, 5, 1, 1, 1, 1]).confidence_interval()
    assert (limits.low, limits.high) == pytest.approx((alone.low, alone.high))
    assert not math.isnan(limits.low)


def test_effective_sizes_divide_all_but_one_by_the_design_effect() -> None:
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(30), 3)
    y = np.repeat(np.arange(30) % 3 == 0, 3)  # a cluster is of one class
    s = rng.normal(size=30)[cluster] + 0.3 * rng.normal(size=90) + y
    together = rs.auc(rs.ScoredSample.from_arrays(y, s, cluster=cluster))
    effect = (together.std_error / rs.auc(y, s).std_error) ** 2
    assert effect > 1.5
    wanted = 1.0 + (30 - 1) / effect, 1.0 + (60 - 1) / effect
    assert together.effective_sizes == pytest.approx(wanted)
