"""Groups and windows: two subjects are just enough, a p at the level is a change."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import rocstats as rs
from rocstats.inference.binary.rate_differences import (
    DIFFERENCE_METHODS,
    exact_pvalue,
    mcnemar_statistic,
    mid_pvalue,
    wilson_limits,
)
from rocstats.inference.binary.unpaired_rates import UnpairedScore, equal_shares


def day(seed: int, gain: float = 1.5, n: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.round(gain * y + rng.normal(size=n), 1)


# ------------------------------------------------------------------------------------- windows


def test_two_of_a_class_are_tested_and_one_is_not() -> None:
    two = ([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0])
    one = ([1, 0, 0, 0], [3.0, 1.0, 2.0, 0.0])
    found = rs.monitor([day(1), two, one, two])
    assert [test is not None for test in found.tests] == [False, True, False, True]
    text = repr(found)
    assert "1 window had fewer than two subjects of a class, and could not be tested." in text
    assert math.isnan(found.p_adjusted[0])
    assert math.isnan(found.p_adjusted[2])
    again = repr(rs.monitor([day(1), one, one]))
    assert "2 windows had fewer than two" in again
    assert "No window was tested against the baseline." in again
    assert "fewer than two" not in repr(rs.monitor([day(1), two]))


def test_a_p_value_at_the_level_is_a_change() -> None:
    days = [day(1), day(2, 0.6), day(3)]
    p = rs.monitor(days, adjust="none").p_adjusted[1]
    assert rs.monitor(days, adjust="none", significance=p).changed[0] == "2"
    assert rs.monitor(days, adjust="none", significance=p).to_dict()["windows"][1]["changed"]
    below = rs.monitor(days, adjust="none", significance=np.nextafter(p, 0.0))
    assert "2" not in below.changed
    assert not below.to_dict()["windows"][1]["changed"]


def test_one_sided_p_values_are_halves_and_add_to_one() -> None:
    days = [day(1), day(2, 0.6), day(3)]
    both, less, greater = (
        [test for test in rs.monitor(days, alternative=a).tests if test is not None]
        for a in ("two-sided", "less", "greater")
    )
    for two, low, high in zip(both, less, greater, strict=True):
        assert low.pvalue + high.pvalue == pytest.approx(1.0)
        assert 2.0 * min(low.pvalue, high.pvalue) == pytest.approx(two.pvalue)
        assert (low.pvalue < 0.5) == (two.estimate < 0.0)
        assert (low.alternative, high.alternative) == ("less", "greater")


def test_the_head_says_what_the_baseline_is() -> None:
    days = [day(k) for k in range(4)]
    sketch = rs.sketch(*day(9))
    assert "over 4 windows; baseline (the first window): " in repr(rs.monitor(days))
    assert "baseline (the first 2 windows): " in repr(rs.monitor(days, baseline=2))
    assert "baseline (given beforehand): " in repr(rs.monitor(days, baseline=sketch))
    planned = repr(rs.monitor(days, n_planned=3))
    assert "p adjusted: bonferroni for 3 planned tests; intervals not adjusted" in planned
    assert "p adjusted: holm; intervals" in repr(rs.monitor(days))
    with pytest.raises(rs.InvalidOptionError, match="n_planned is 2, and there are more windows"):
        rs.monitor(days, n_planned=2)
    capped = rs.monitor(days, n_planned=10**6)
    assert max(p for p in capped.p_adjusted if p == p) == 1.0
    smallest = min(p for p in rs.monitor(days).p_adjusted if p == p)
    assert f"(smallest adjusted p = {smallest:.4f})" in repr(rs.monitor(days, significance=1e-9))


def test_direction_and_labels_of_a_stream_are_those_that_were_given() -> None:
    days = [day(k) for k in range(3)]
    found = rs.monitor(days)
    turned = rs.monitor([(y, -s) for y, s in days], higher_is_positive=False)
    swapped = rs.monitor([(1 - y, -s) for y, s in days])
    named = rs.monitor([(np.where(y, "a", "b"), s) for y, s in days], pos_label="a")
    for other in (turned, swapped, named):
        assert other.p_adjusted == pytest.approx(found.p_adjusted, nan_ok=True)
        assert [e.value for e in other.estimates if e] == pytest.approx(
            [e.value for e in found.estimates if e]
        )
    assert (named.account.pos_label, named.account.neg_label) == ("a", "b")
    assert found.account.design == ""
    assert "some windows counted in bins" in rs.monitor(days, budget=5).account.design


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, math.nan])
def test_a_level_lies_strictly_between_0_and_1(level: float) -> None:
    with pytest.raises(rs.InvalidOptionError, match="must lie strictly between 0 and 1"):
        rs.monitor([day(1), day(2)], significance=level)


# -------------------------------------------------------------------------------------- groups

Y = np.array([1, 1, 0, 0] * 3)
S = np.array([4.0, 2, 3, 1, 5, 6, 2, 1, 3, 3, 3, 0])
G = np.repeat(["a", "b", "c"], 4)


def test_two_independent_subjects_of_each_class_are_enough() -> None:
    assert len(rs.group_fairness(Y, S, G).groups) == 3
    with pytest.raises(rs.InvalidSampleError, match="Group a has 1 independent positives, and two"):
        rs.group_fairness(np.array([0, *Y[1:]]), S, G)
    with pytest.raises(rs.InvalidSampleError, match="Group a has 1 independent negatives"):
        rs.group_fairness(np.array([1, 1, 0, 1, *Y[4:]]), S, G)
    with pytest.raises(rs.InvalidSampleError, match="Group a has 1 independent positives"):
        rs.group_fairness(Y, S, G, cluster=[0, 0, *range(1, 11)])
    twenty = np.repeat(np.arange(20), 4)
    y, s = np.tile([1, 1, 0, 0], 20), np.arange(80) % 7
    assert len(rs.group_fairness(y, s, twenty).groups) == 20
    more = np.repeat(np.arange(21), 4)
    with pytest.raises(rs.InvalidSampleError, match=r"Between 2 and 20 groups can be .*, got 21"):
        rs.group_fairness(np.tile([1, 1, 0, 0], 21), np.arange(84) % 7, more)


def test_a_score_at_the_threshold_calls_positive_in_both_directions() -> None:
    up = rs.group_fairness(Y, S, G, threshold=3)
    low = rs.group_fairness(Y, -S, G, threshold=-3, higher_is_positive=False)
    rates = {(r.measure.name, r.classifier): r.value for r in up.estimates.rows}
    assert rates["sensitivity", "a"] == 0.5
    assert rates["specificity", "a"] == 0.5
    assert rates["sensitivity", "c"] == 1.0
    assert rates["specificity", "c"] == 0.5
    assert [r.value for r in low.estimates.rows] == [r.value for r in up.estimates.rows]
    assert low.threshold == -3.0


@pytest.mark.filterwarnings("ignore::rocstats.errors.DegenerateVarianceWarning")
def test_names_of_gaps_and_rows_stand_in_their_order() -> None:
    found = rs.group_fairness(Y, S, G, threshold=3)
    names = [test.contrast for test in found.gaps().tests]
    assert names[:3] == ["a - b (auc)", "a - c (auc)", "b - c (auc)"]
    assert names[3] == "a over b - b over a (xauc)"
    assert names[6] == "a - b (sensitivity)"
    assert names[-1] == "b - c (specificity)"
    assert len(names) == 12
    rows = [(r.measure.name, r.classifier) for r in found.estimates.rows]
    assert rows[3:9] == [("xauc", f"{a} over {b}") for a, b in ("ab", "ac", "ba", "bc", "ca", "cb")]
    counts = {(r.measure.name, r.classifier): (r.n_pos, r.n_neg) for r in found.estimates.rows}
    assert set(counts.values()) == {(2, 2)}
    for measure in ("auc", "xauc", "sensitivity", "specificity"):
        if measure != "sensitivity":
            assert found.equality(measure).df in (2.0, 3.0)
    with pytest.raises(
        rs.InvalidOptionError, match=r"must be one of 'auc', 'xauc', 'sens.*, got 'x'"
    ):
        found.equality("x")


# -------------------------------------------------------------------------------- rates by hand


def test_equal_shares_of_nobody_or_everybody_are_no_evidence() -> None:
    assert equal_shares([0, 0], [5, 9]) == equal_shares([5, 9], [5, 9]) == 0.0
    at = UnpairedScore(hits=(0, 0), sizes=(5, 9))
    assert at.judge(0.0) == (0.0, math.inf)
    assert at.judge(0.1)[0] < 0.0
    full = UnpairedScore(hits=(5, 0), sizes=(5, 9))
    assert full.limits(0.025)[1] == 1.0
    assert UnpairedScore(hits=(0, 9), sizes=(5, 9)).limits(0.025)[0] == -1.0


@pytest.mark.parametrize(("count", "n"), [(0, 7), (7, 7), (3, 7), (1, 1)])
def test_wilson_limits_are_the_roots_of_the_score_equation(count: int, n: int) -> None:
    z = float(norm.ppf(0.975))
    low, high = wilson_limits(count, n, z)
    for limit in (low, high):
        if 0.0 < limit < 1.0:
            spread = math.sqrt(limit * (1.0 - limit) / n)
            assert abs(count / n - limit) == pytest.approx(z * spread)
    assert (low == 0.0) == (count == 0)
    assert (high == 1.0) == (count == n)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 5), (9, 2), (2, 9), (14, 3)])
def test_mcnemars_test_by_counting(b: int, c: int) -> None:
    found = rs.compare_counts(diseased=[[20, c], [b, 7]], healthy=[[5, 4], [3, 9]]).sensitivity
    own = found.cells
    m = b + c
    below = [math.comb(m, k) / 2**m for k in range(m + 1)]
    tail = sum(below[: min(b, c) + 1])
    assert exact_pvalue(own) == pytest.approx(min(1.0, 2.0 * tail))
    expected = 1.0 if not m else min(1.0, 2.0 * tail) - below[min(b, c)]
    if m and b == c:
        expected = 1.0 - 0.5 * below[b]
    assert mid_pvalue(own) == pytest.approx(expected)
    assert mcnemar_statistic(own) == pytest.approx((b - c) ** 2 / m if m else 0.0)


@pytest.mark.parametrize("method", DIFFERENCE_METHODS)
def test_limits_of_a_difference_turn_with_the_tests(method: str) -> None:
    one = rs.compare_counts(diseased=[[20, 3], [9, 7]], healthy=[[5, 4], [3, 9]]).sensitivity
    other = rs.compare_counts(diseased=[[20, 9], [3, 7]], healthy=[[5, 4], [3, 9]]).sensitivity
    low, high = one.confidence_interval(method=method)
    assert (-high, -low) == pytest.approx(tuple(other.confidence_interval(method=method)))
    wide = one.confidence_interval(0.99, method=method)
    assert wide.low < low < high < wide.high
