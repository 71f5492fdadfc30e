"""A plan has one ratio for one area, the interval of its test, and a pilot with two a class."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from scipy.stats import norm

import rocstats as rs


def test_two_ratios_for_one_area_are_refused_unless_they_are_one() -> None:
    with pytest.raises(rs.InvalidOptionError, match="One area has one sd_ratio"):
        rs.power_auc(0.7, n_pos=50, n_neg=50, model="normal", sd_ratio=(1.0, 2.0))
    pair = rs.power_auc(0.7, n_pos=50, n_neg=50, model="normal", sd_ratio=(2.0, 2.0))
    one = rs.power_auc(0.7, n_pos=50, n_neg=50, model="normal", sd_ratio=2.0)
    assert pair.power == one.power


@pytest.mark.parametrize(("alternative", "level"), [("two-sided", 0.95), ("greater", 0.90)])
def test_the_interval_of_a_plan_goes_with_its_test(alternative: Any, level: float) -> None:
    plan = rs.power_auc(0.7, n_pos=50, n_neg=60, alternative=alternative)
    assert plan.confidence_level == pytest.approx(level)
    low, high = plan.target.limits(50, 60, level)
    assert plan.half_width == (high - low) / 2.0
    large = rs.power_auc(0.7, n_pos=5000, n_neg=6000, alternative=alternative)
    quantile = norm.isf((1.0 - level) / 2.0)
    assert large.half_width == pytest.approx(quantile * large.std_error, rel=1e-3)
    assert plan.half_width == pytest.approx(quantile * plan.std_error, rel=0.02)


def test_a_pilot_needs_two_of_each_class() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        few = rs.auc([1, 0, 0, 0], [2.5, 1.0, 2.0, 3.0])
        with pytest.raises(rs.InvalidOptionError, match="two positives and two negatives"):
            rs.power_auc(pilot=few, n_pos=20, n_neg=20)
