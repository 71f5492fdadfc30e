"""Like compared with like, where rows stand for others: weighted placements within strata."""

from typing import Any

import numpy as np
import pytest

import rocstats as rs

CLOSE = 1e-12  # sums over 150 subjects, in another order
rng = np.random.default_rng(9)
N = 150
CENTRE = rng.integers(0, 3, N)
Y = rng.random(N) < 0.3 + 0.1 * CENTRE
S = (Y + CENTRE + rng.normal(size=N)).round(1)
W = rng.uniform(0.5, 3.0, N)


def area(weights: Any = None, **options: Any) -> rs.Estimate:
    return rs.auc(Y, S, weights=weights, adjust_for={"centre": CENTRE}, **options)


def by_definition(w: Any) -> float:
    """The weighted mean over the positives of their weighted placement in their own centre."""
    total = placed = 0.0
    for i in np.flatnonzero(Y):
        like = ~Y & (CENTRE[i] == CENTRE)
        wins = (S[i] > S[like]) + 0.5 * (S[i] == S[like])
        placed += w[i] * float(np.average(wins, weights=w[like]))
        total += w[i]
    return placed / total


def test_the_value_is_a_weighted_mean_of_weighted_placements() -> None:
    assert area(W).value == pytest.approx(by_definition(W), rel=CLOSE)


def test_the_influence_is_the_derivative_in_the_weights() -> None:
    values, step = area(W).influence.values[0], 1e-5
    # A subject's share is its influence over the size of its stratum of sampling.
    size = np.where(Y, Y.sum(), np.bincount(CENTRE[~Y])[CENTRE])
    for i in range(0, N, 9):
        up, down = W.copy(), W.copy()
        up[i] *= 1 + step
        down[i] *= 1 - step
        slope = (by_definition(up) - by_definition(down)) / (2 * step)
        assert values[i] / size[i] == pytest.approx(slope, abs=1e-9)


def test_equal_weights_are_none_and_their_unit_moves_nothing() -> None:
    plain, alike = area(), area(np.full(N, 2.5))
    assert (plain.value, plain.std_error) == (alike.value, alike.std_error)
    one, other = area(W), area(70 * W)
    assert one.std_error == pytest.approx(other.std_error, rel=CLOSE)


def test_nearly_equal_weights_are_nearly_none() -> None:
    """The weighted formula has the unweighted one as its limit."""
    w = 1 + 1e-9 * rng.normal(size=N)
    assert area(w).std_error == pytest.approx(area().std_error, rel=1e-7)
    ours, plain = area(w).homogeneity, area().homogeneity
    assert ours.statistic == pytest.approx(plain.statistic, rel=1e-6)


def test_one_stratum_is_the_weighted_area() -> None:
    ours = rs.auc(Y, S, weights=W, adjust_for={"site": np.zeros(N, dtype=int)})
    plain = rs.auc(Y, S, weights=W)
    assert ours.value == pytest.approx(plain.value, rel=CLOSE)
    assert ours.std_error == pytest.approx(plain.std_error, rel=1e-9)


def test_strata_have_their_own_weighted_areas() -> None:
    found = area(W).homogeneity
    for k, stratum in enumerate(found.strata):
        here = k == CENTRE
        own = rs.auc(Y[here], S[here], weights=W[here])
        assert stratum.estimate == pytest.approx(own.value, rel=CLOSE)
        assert stratum.std_error == pytest.approx(own.std_error, rel=1e-9)


def test_clusters_are_summed() -> None:
    cluster = np.arange(N) // 2
    alone = area(W).influence
    size = np.where(Y, Y.sum(), np.bincount(CENTRE[~Y])[CENTRE])
    sums = np.bincount(cluster, alone.values[0] / size)
    assert area(W, cluster=cluster).std_error ** 2 == pytest.approx((sums**2).sum(), rel=0.05)


def test_a_comparison_takes_both() -> None:
    other = S + rng.normal(size=N)
    found = rs.compare(Y, {"a": S, "b": other}, weights=W, adjust_for={"centre": CENTRE})
    assert found.rows[0].value == pytest.approx(area(W).value, rel=CLOSE)
    assert 0.0 < found.pairwise().pvalue < 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": W, "adjust_for": {"age": rng.normal(size=N)}}, "the sample has weights"),
        ({"strata": CENTRE, "adjust_for": {"centre": CENTRE}}, "the sample has sampling strata"),
        ({"verified": W > 1, "adjust_for": {"centre": CENTRE}}, "that were not verified"),
    ],
)
def test_what_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=words):
        rs.auc(Y, S, **options)
