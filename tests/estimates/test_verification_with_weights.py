"""Partly verified subjects who stand for others: both weights, and what is estimated of them."""

from typing import Any

import numpy as np
import pytest

import rocstats as rs

CLOSE = 1e-8  # a fit that stops at a change of 1e-11 of its deviance
rng = np.random.default_rng(7)
N = 140
Y = rng.random(N) < 0.45
S = Y + rng.normal(size=N)
AGE = rng.normal(size=N)
SEEN = rng.random(N) < 1 / (1 + np.exp(-0.5 - 0.7 * S))
MODEL = {"s": S, "age": AGE}


def area(weights: Any = None, seen: Any = SEEN, **options: Any) -> rs.Estimate:
    return rs.auc(Y, S, verified=seen, verification_model=MODEL, weights=weights, **options)


def test_whole_weights_have_the_value_of_repeated_rows() -> None:
    count = rng.integers(1, 4, N)
    assert area(count).value == pytest.approx(area(count, weight_kind="frequency").value, rel=CLOSE)


def test_weights_that_are_alike_are_none() -> None:
    ours, plain = area(np.full(N, 3.7)), area()
    assert ours.value == pytest.approx(plain.value, rel=CLOSE)
    assert ours.std_error == pytest.approx(plain.std_error, rel=CLOSE)


def test_the_unit_of_weights_moves_nothing() -> None:
    w = rng.uniform(0.5, 3.0, N)
    one, other = (rs.ScoredSample.from_arrays(Y, S, verified=SEEN, weights=k * w) for k in (1, 70))
    assert rs.auc(one).std_error == pytest.approx(rs.auc(other).std_error, rel=CLOSE)
    for measure in ("sensitivity", "ppv"):
        ours, theirs = (rs.operating_points(s, thresholds=[0.5]) for s in (one, other))
        np.testing.assert_allclose(ours.limits(measure), theirs.limits(measure), rtol=CLOSE)


def test_all_verified_is_weights_alone() -> None:
    w = rng.uniform(0.5, 3.0, N)
    ours, plain = area(w, seen=np.ones(N)), rs.auc(Y, S, weights=w)
    assert (ours.value, ours.std_error) == (plain.value, plain.std_error)


@pytest.mark.parametrize("cluster", [None, np.arange(N) // 2])
def test_the_influence_is_the_derivative_in_what_a_subject_counts(cluster: Any) -> None:
    w = rng.uniform(0.5, 3.0, N)
    w /= w.mean()
    influence = area(w, cluster=cluster).influence
    factor = np.sqrt(N / (N - 3))
    step = 1e-5
    for i in [*np.flatnonzero(SEEN)[:4], *np.flatnonzero(~SEEN)[:4]]:
        up, down = w.copy(), w.copy()
        up[i] *= 1 + step
        down[i] *= 1 - step
        slope = (area(up).value - area(down).value) / (2 * step)
        assert influence.values[0, i] == pytest.approx(factor * N * slope, abs=2e-6)


def test_clusters_are_summed_over_everyone() -> None:
    w, cluster = rng.uniform(0.5, 3.0, N), np.arange(N) // 2
    found = area(w, cluster=cluster)
    sums = np.bincount(cluster, area(w).influence.values[0]) / N
    wanted = cluster.max() + 1
    assert found.std_error**2 == pytest.approx(wanted / (wanted - 1) * (sums**2).sum(), rel=CLOSE)


def test_the_words_say_both() -> None:
    assert "its weight of the design times one over its probability" in str(
        area(rng.uniform(0.5, 3.0, N))
    )


def test_strata_are_refused() -> None:
    with pytest.raises(rs.InvalidOptionError, match="verified cannot be given with strata"):
        area(strata=np.arange(N) % 3)
