"""Averages of classes against the rest: scikit-learn's numbers, definitions, laws, simulation."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocstats as rs
from rocstats.multiclass.class_pairs import prevalence_slope

ROUNDING = 1e-12  # sums of some hundred doubles near 1
MONTE_CARLO = 4.0  # standard errors of a simulated ratio; one test in 15 000 would fail by chance
AVERAGES = ("macro", "weighted", "micro")

Data = tuple[NDArray[np.intp], NDArray[np.float64]]


@st.composite
def samples(draw: st.DrawFn) -> Data:
    """Two to five subjects of each of three or four classes, with tied shares that add up to 1."""
    k = draw(st.sampled_from((3, 4)))
    sizes = [draw(st.integers(2, 5)) for _ in range(k)]
    code = np.array(draw(st.permutations([c for c in range(k) for _ in range(sizes[c])])))
    size = code.size * k
    counts = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))
    scores = np.array(counts, dtype=float).reshape(-1, k) + 0.25
    return code, scores / scores.sum(axis=1, keepdims=True)


def won(positives: Any, negatives: Any) -> Any:
    return np.sign(np.subtract.outer(positives, negatives)) / 2 + 0.5


def derivatives(code: Any, scores: Any, average: str) -> tuple[float, Any]:
    """The area, and by how much each subject moves it, from the pairs of entries themselves."""
    n, k = scores.shape
    if average == "micro":
        own = np.eye(k, dtype=bool)[code]
        pairs = won(scores[own], scores[~own])
        value = pairs.mean()
        others = np.nonzero(~own)[0]
        moved = (pairs.mean(axis=1) - value) / n
        return value, moved + np.bincount(others, pairs.mean(axis=0) - value, n) / (n * (k - 1))
    value, moved = 0.0, np.zeros(n)
    for c in range(k):
        own = code == c
        weight = 1 / k if average == "macro" else own.mean()
        pairs = won(scores[own, c], scores[~own, c])
        value += weight * pairs.mean()
        moved[own] += weight * (pairs.mean(axis=1) - pairs.mean()) / own.sum()
        moved[~own] += weight * (pairs.mean(axis=0) - pairs.mean()) / (~own).sum()
    return value, moved


@pytest.mark.parametrize("average", AVERAGES)
@given(data=samples())
def test_values_are_those_of_sklearn(average: str, data: Data) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    code, scores = data
    theirs = sklearn.roc_auc_score(code, scores, multi_class="ovr", average=average)
    method: Any = f"ovr-{average}"
    assert rs.multiclass_auc(code, scores, method=method).value == pytest.approx(
        theirs, abs=ROUNDING
    )


@pytest.mark.parametrize("average", AVERAGES)
@given(data=samples())
def test_value_and_variance_by_all_entries(average: str, data: Data) -> None:
    code, scores = data
    method: Any = f"ovr-{average}"
    found = rs.multiclass_auc(code, scores, method=method)
    value, moved = derivatives(code, scores, average)
    assert found.value == pytest.approx(value, abs=ROUNDING)
    variance = sum(np.sum(code == c) * moved[code == c].var(ddof=1) for c in range(scores.shape[1]))
    assert found.scatter[0] ** 2 == pytest.approx(variance, abs=ROUNDING)


@given(data=samples())
def test_weighted_is_provost_and_domingos(data: Data) -> None:
    one, other = (rs.multiclass_auc(*data, method=m) for m in ("ovr-weighted", "provost-domingos"))
    assert (one.value, one.scatter) == (other.value, other.scatter)
    cohort = {"sampling": "cohort"}
    one, other = (
        rs.multiclass_auc(*data, method=m, **cohort) for m in ("ovr-weighted", "provost-domingos")
    )
    assert one.scatter == other.scatter


@given(data=samples())
def test_slope_of_the_macro_average_is_a_derivative(data: Data) -> None:
    code, scores = data
    n = np.bincount(code)
    k = n.size
    areas = np.zeros((k, k))
    for i in range(k):
        for j in set(range(k)) - {i}:
            areas[i, j] = won(scores[code == i, i], scores[code == j, i]).mean()

    def total(p: Any) -> float:
        return float(((areas @ p) / (1 - p)).sum() / k)

    slope, p, step = prevalence_slope("ovr-macro", areas, n), n / n.sum(), 1e-6
    for a, b in combinations(range(k), 2):
        move = step * (np.eye(k)[a] - np.eye(k)[b])
        secant = (total(p + move) - total(p - move)) / (2 * step)
        assert slope[a] - slope[b] == pytest.approx(secant, abs=1e-8)  # of order step squared


@given(data=samples())
def test_a_cohort_adds_the_spread_of_the_class_means_to_the_micro_average(data: Data) -> None:
    code, scores = data
    fixed = rs.multiclass_auc(code, scores, method="ovr-micro")
    drawn = rs.multiclass_auc(code, scores, method="ovr-micro", sampling="cohort")
    assert drawn.value == fixed.value
    n = code.size
    psi = n * derivatives(code, scores, "micro")[1]
    means = np.array([psi[code == c].mean() for c in range(scores.shape[1])])
    term = (np.bincount(code) / n * means**2).sum() / (n - 1)
    assert drawn.scatter[0] ** 2 == pytest.approx(fixed.scatter[0] ** 2 + term, abs=ROUNDING)


@pytest.mark.parametrize("average", AVERAGES)
def test_subjects_seen_twice_know_no_more_than_once(average: str) -> None:
    rng = np.random.default_rng(4)
    code = np.repeat([0, 1, 2], [12, 20, 30])
    scores = rng.normal(size=(62, 3)) + 1.2 * np.eye(3)[code]
    method: Any = f"ovr-{average}"
    once = rs.multiclass_auc(code, scores, method=method)
    both = rs.multiclass_auc(
        np.repeat(code, 2), np.repeat(scores, 2, axis=0), method=method, cluster=np.arange(124) // 2
    )
    assert both.value == pytest.approx(once.value, abs=ROUNDING)
    assert both.std_error == pytest.approx(once.std_error, rel=1e-9)


def test_models_are_compared_by_their_joint_influence() -> None:
    rng = np.random.default_rng(5)
    code = np.repeat([0, 1, 2], [15, 25, 40])
    a = rng.normal(size=(80, 3)) + 1.5 * np.eye(3)[code]
    b = a + rng.normal(size=(80, 3))
    (test,) = rs.compare_multiclass(code, {"a": a, "b": b}, method="ovr-micro").tests
    difference = derivatives(code, a, "micro")[1] - derivatives(code, b, "micro")[1]
    variance = sum(np.sum(code == c) * difference[code == c].var(ddof=1) for c in range(3))
    assert test.std_error == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_words_and_refusals() -> None:
    code, scores = np.repeat([0, 1, 2], 4), np.random.default_rng(6).random((12, 3))
    assert str(rs.multiclass_auc(code, scores, method="ovr-macro")).startswith(
        "Macro-averaged AUC of each class against the rest: 0."
    )
    with pytest.raises(rs.InvalidOptionError, match="method must be one of 'hand-till'"):
        rs.multiclass_auc(code, scores, method="macro")  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="one score for all"):
        rs.multiclass_auc(code, scores[:, 0], method="ovr-micro")


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["stratified", "cohort"])
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_standard_errors_in_simulation(average: str, sampling: Any) -> None:
    rng = np.random.default_rng(8)
    share, shift, n_rep = np.array([0.1, 0.3, 0.4, 0.2]), np.array([3.0, 0.2, 0.8, 1.5]), 500
    method: Any = f"ovr-{average}"

    def draw(n: int) -> Data:
        fixed = np.repeat(np.arange(4), (n * share).astype(int))
        code = fixed if sampling == "stratified" else rng.choice(4, size=n, p=share)
        scores = rng.normal(size=(code.size, 4))
        scores[np.arange(code.size), code] += shift[code]
        return code, np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

    truth = np.mean([rs.multiclass_auc(*draw(10_000), method=method).value for _ in range(40)])
    found = []
    for _ in range(n_rep):
        result = rs.multiclass_auc(*draw(150), method=method, sampling=sampling)
        limits = result.confidence_interval()
        found.append((result.value, result.std_error, limits.low <= truth <= limits.high))
    value, std_error, covered = np.array(found).T
    ratio = math.sqrt((std_error**2).mean()) / value.std(ddof=1)
    assert abs(ratio - 1.0) < 0.02 + MONTE_CARLO / math.sqrt(2 * n_rep)
    assert abs(covered.mean() - 0.95) < MONTE_CARLO * math.sqrt(0.95 * 0.05 / n_rep)
