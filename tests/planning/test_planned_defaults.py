"""Plans are of the interval and of the test that rocstats takes (STATISTICS.md 6.8, 8)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

import rocstats as rs

REPLICATES = 400
MC_ERRORS = 4.0


def drawn(auc: float, m: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    label = np.repeat([1, 0], [m, n])
    shift = math.sqrt(2.0) * float(ndtri(auc))
    return label, np.random.default_rng(seed).normal(size=m + n) + shift * label


@pytest.mark.parametrize(("auc", "half_width"), [(0.95, 0.04), (0.97, 0.03), (0.8, 0.06)])
def test_a_planned_half_width_is_what_intervals_have_on_average(auc, half_width):
    """Issue 15: a planned .04 used to become .0486."""
    plan = rs.sample_size_auc(auc=auc, half_width=half_width)
    widths = []
    for seed in range(REPLICATES):
        low, high = rs.auc(*drawn(auc, plan.n_pos, plan.n_neg, seed)).confidence_interval()
        widths.append((high - low) / 2.0)
    assert np.mean(widths) == pytest.approx(half_width, rel=0.05)
    assert plan.half_width == pytest.approx(half_width, rel=0.02)


def test_the_half_width_is_that_of_the_default_interval_at_the_assumed_value():
    plan = rs.power_auc(auc=0.95, null_value=0.9, n_pos=40, n_neg=60)
    least = rs.sample_size_auc(auc=0.95, half_width=plan.half_width, n_neg=60)
    assert least.n_pos == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        {"auc": 0.9, "auc2": 0.8, "correlation": 0.5, "n_pos": 47},
        {"auc": 0.95, "auc2": 0.9, "correlation": 0.5, "n_pos": 100},
        {"auc": 0.95, "auc2": 0.85, "paired": False, "n_pos": 60},
        {"auc": 0.97, "auc2": 0.97, "correlation": 0.5, "n_pos": 60, "margin": 0.05}
        | {"aim": "non-inferiority"},
    ],
)
def test_planned_power_is_that_of_the_default_test(design):
    """Issue 15: .80 v .90 at 47/47 was planned at .805 and had .740."""
    plan = rs.power_auc(**design)
    found = plan.simulate(n_replicates=REPLICATES, rng=11)
    error = math.sqrt(plan.power * (1.0 - plan.power) / REPLICATES)
    assert abs(found.power - plan.power) < MC_ERRORS * error
    assert plan.power < rs.power_auc(**design | {"n_pos": 2 * design["n_pos"]}).power


def test_with_many_losses_the_plan_is_delongs():
    plan = rs.power_auc(auc=0.75, auc2=0.7, correlation=0.5, n_pos=200)
    assert plan.std_error_null == plan.std_error
    near = rs.power_auc(auc=0.95, auc2=0.9, correlation=0.5, n_pos=60)
    assert near.std_error_null > near.std_error


def test_a_pilot_of_areas_is_planned_alike():
    rng = np.random.default_rng(5)
    label = np.repeat([1, 0], [40, 40])
    common = rng.normal(size=80)
    scores = {
        name: common + rng.normal(size=80) + shift * label
        for name, shift in (("a", 3.6), ("b", 2.4))
    }
    pilot = rs.compare(label, scores)
    plan = rs.power_auc(pilot=pilot, n_pos=60, n_neg=60)
    assert plan.std_error_null >= plan.std_error
    margin = rs.power_auc(pilot=pilot, n_pos=60, n_neg=60, margin=0.2, aim="non-inferiority")
    assert margin.std_error_null > plan.std_error
    found = plan.simulate(n_replicates=200, rng=3)
    assert abs(found.power - plan.power) < 0.15
    one = rs.sample_size_auc(pilot=pilot.rows[0], half_width=0.03)
    low, high = one.target.limits(one.n_pos, one.n_neg, 0.95)
    assert (high - low) / 2.0 == one.half_width <= 0.03
