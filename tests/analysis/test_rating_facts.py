"""Every threshold, single results and rare conditions: against counts written out."""

import math

import numpy as np
import pytest

import rocstats as rs
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.rating_facts import (
    every_threshold_facts,
    interval_ratio_facts,
    precision_recall_facts,
)

PLAN = StudyPlan(n_resamples=100, r="no")
EXACT = 1e-14  # a quotient of whole numbers, computed twice
Z = 1.959963984540054


def sample(y: object, score: object, **options: object) -> rs.ScoredSample:
    return rs.ScoredSample.from_arrays(y, {"m": score}, **options)


@pytest.mark.parametrize("higher", [True, False])
def test_every_threshold_is_there_with_its_counts(higher: bool) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(50) < 0.4
    score = np.round(rng.normal(size=50) + y, 1) * (1 if higher else -1)
    found = every_threshold_facts(sample(y, score, higher_is_positive=higher), 0, PLAN)
    table = found["columns"]
    assert found["n_all"] == len(np.unique(score)) == len(table["threshold"])
    assert {len(column) for column in table.values()} == {found["n_all"]}
    for i, cut in enumerate(table["threshold"]):
        called = score >= cut if higher else score <= cut
        cells = [np.count_nonzero(c & d) for c in (called, ~called) for d in (y, ~y)]
        assert [table[name][i] for name in ("tp", "fp", "fn", "tn")] == cells
        assert table["sensitivity"][i] == pytest.approx(cells[0] / y.sum(), abs=EXACT)
        assert table["sensitivity_conf_low"][i] <= table["sensitivity"][i]


def test_of_very_many_thresholds_some_are_taken_along_the_curve() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(4000) < 0.5
    found = every_threshold_facts(sample(y, rng.normal(size=4000) + y), 0, PLAN)
    assert found["n_all"] == 4000
    assert 1000 < len(found["columns"]["threshold"]) <= 1500


def test_the_likelihood_ratio_of_a_single_result() -> None:
    """Simel's log limits, by hand; one that no negative has is endless."""
    counts = {1: (3, 33), 2: (2, 6), 3: (2, 6), 4: (11, 11), 5: (33, 0)}  # ratings, ill and well
    y = [1] * 51 + [0] * 56
    score = [r for r, (a, _) in counts.items() for _ in range(a)]
    score += [r for r, (_, b) in counts.items() for _ in range(b)]
    rows = interval_ratio_facts(sample(y, score), 0, PLAN)
    assert rows is not None
    assert [row["result"] for row in rows] == [*counts]
    for row, (a, b) in zip(rows, counts.values(), strict=True):
        assert (row["n_pos"], row["n_neg"]) == (a, b)
        if b == 0:
            assert math.isinf(row["ratio"]["estimate"])
            continue
        ratio = (a / 51) / (b / 56)
        reach = Z * math.sqrt(1 / a - 1 / 51 + 1 / b - 1 / 56)
        assert row["ratio"]["estimate"] == pytest.approx(ratio, rel=EXACT)
        assert row["ratio"]["conf_low"] == pytest.approx(ratio * math.exp(-reach), rel=1e-12)
        assert row["ratio"]["conf_high"] == pytest.approx(ratio * math.exp(reach), rel=1e-12)


@pytest.mark.parametrize("k", [2, 11])
def test_single_results_are_for_ratings(k: int) -> None:
    y = [0, 1] * 22
    assert interval_ratio_facts(sample(y, [i % k for i in range(44)]), 0, PLAN) is None


def test_precision_is_told_where_the_condition_is_rare() -> None:
    rng = np.random.default_rng(4)
    y = np.arange(200) < 12
    score = np.round(rng.normal(size=200) + 1.5 * y, 1)
    found = precision_recall_facts(sample(y, score), 0, PLAN)
    assert found is not None
    order = np.unique(score)[::-1]
    points = {
        (np.mean(score[y] >= cut), np.count_nonzero(y & (score >= cut)) / np.sum(score >= cut))
        for cut in order
    }
    for recall, precision in zip(found["recall"], found["precision"], strict=True):
        near = min(abs(recall - r) + abs(precision - p) for r, p in points)
        assert near < EXACT
    value = sum(
        (np.mean(score[y] >= cut) - np.mean(score[y] > cut))
        * np.count_nonzero(y & (score >= cut))
        / np.sum(score >= cut)
        for cut in order
    )
    assert found["average"]["estimate"] == pytest.approx(value, rel=1e-12)
    assert precision_recall_facts(sample(np.arange(200) < 20, score), 0, PLAN) is None
