"""The bootstrap of sampling designs: within strata, and with verification fitted again."""

import math
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.resampling.design_urns import make_design_urn

CLOSE = 1e-9  # a fit that stops at a change of 1e-11 of its deviance
rng = np.random.default_rng(6)
N = 160
Y = rng.random(N) < 0.45
S = Y + rng.normal(size=N)
AGE = rng.normal(size=N)
W = rng.uniform(0.5, 3.0, N)
UNITS, STRATA = np.arange(N) // 4, np.arange(N) // 32
SEEN = rng.random(N) < 1 / (1 + np.exp(-0.5 - 0.7 * S))
MANY = rs.Bootstrap(n_resamples=2000, rng=3)


@pytest.mark.parametrize("cluster", [None, UNITS])
@pytest.mark.parametrize("weights", [None, W])
def test_one_less_than_all_units_of_a_stratum_are_drawn(cluster: Any, weights: Any) -> None:
    sample = rs.ScoredSample.from_arrays(Y, S, cluster=cluster, weights=weights, strata=STRATA)
    urn, counted = make_design_urn(sample, [0])
    pos, neg = urn.draw(np.random.default_rng(1), 50)
    drawn = np.empty((50, N))
    drawn[:, urn.pos], drawn[:, urn.neg] = pos, neg
    unit = np.arange(N) if cluster is None else cluster
    _, first = np.unique(unit, return_index=True)
    for line in drawn:
        assert all(np.unique(line[unit == u]).size == 1 for u in unit[first])
        for h in range(5):
            there = np.flatnonzero(STRATA[first] == h)
            assert line[first][there].sum() == there.size - 1
    size = np.bincount(STRATA[first])
    own = np.ones(N) if weights is None else weights
    np.testing.assert_allclose(counted.weights, own * (size / (size - 1))[STRATA])


@pytest.mark.parametrize(
    "design",
    [
        {"strata": STRATA},
        {"strata": STRATA, "weights": W, "cluster": UNITS},
        {"strata": np.arange(N) // 8, "weights": W, "cluster": UNITS},  # two units in each
    ],
)
def test_the_spread_is_that_of_the_design(design: dict[str, Any]) -> None:
    area = rs.auc(rs.ScoredSample.from_arrays(Y, S, **design))
    found = rs.bootstrap(area, resampling=MANY)
    # The spread of 2000 resamples is known to 1.6%, and 40 units are not linear to 5% or so.
    assert found.std_error[0] == pytest.approx(area.std_error, rel=0.08)
    interval = found.confidence_interval()
    assert interval.low < area.value < interval.high
    assert "within their strata" in str(found)


def test_a_resample_of_strata_is_the_estimate_of_its_rows() -> None:
    sample = rs.ScoredSample.from_arrays(Y, S, weights=W, cluster=UNITS, strata=STRATA)
    found = rs.bootstrap(rs.auc(sample), resampling=rs.Bootstrap(n_resamples=100, rng=2))
    urn, counted = make_design_urn(sample, [0])
    assert counted.weights is not None
    assert np.isfinite(found.replicates).all()
    pos, neg = urn.draw(np.random.default_rng(9), 3)
    for line in range(3):
        count = np.empty(N)
        count[urn.pos], count[urn.neg] = pos[line], neg[line]
        mass = count * counted.weights
        wins = (S[Y][:, None] > S[~Y]) + 0.5 * (S[Y][:, None] == S[~Y])
        wanted = mass[Y] @ wins @ mass[~Y] / (mass[Y].sum() * mass[~Y].sum())
        there = mass > 0
        again = rs.auc(Y[there], S[there], weights=mass[there]).value
        assert again == pytest.approx(wanted, rel=CLOSE)


@pytest.mark.parametrize("weights", [None, W])
@pytest.mark.parametrize("cluster", [None, UNITS])
def test_a_resample_fits_the_model_of_verification_to_its_own_rows(
    weights: Any, cluster: Any
) -> None:
    given: dict[str, Any] = {"verified": SEEN, "verification_model": {"s": S, "age": AGE}}
    sample = rs.ScoredSample.from_arrays(Y, S, weights=weights, cluster=cluster, **given)
    urn, counted = make_design_urn(sample, [0])
    assert counted.weights is not None
    seed = 4
    pos, neg = urn.draw(np.random.default_rng(seed), 3)
    drawn = urn.draw_units(np.random.default_rng(seed), 3)
    for line in range(3):
        count = drawn[line] if cluster is None else drawn[line][cluster]
        rows = np.repeat(np.arange(N), count)
        again = rs.auc(
            Y[rows],
            S[rows],
            verified=SEEN[rows],
            verification_model={"s": S[rows], "age": AGE[rows]},
            weights=None if weights is None else weights[rows],
        )
        mass = np.zeros(sample.positive.size)
        mass[urn.pos], mass[urn.neg] = pos[line], neg[line]
        mass = mass * counted.weights
        there = mass > 0
        value = rs.auc(sample.positive[there], sample.scores[0][there], weights=mass[there]).value
        assert value == pytest.approx(again.value, rel=CLOSE)


@pytest.mark.parametrize("measure", [rs.auc, rs.sauc])
def test_the_spread_with_verification_is_that_of_the_influence(measure: Any) -> None:
    sample = rs.ScoredSample.from_arrays(Y, S, verified=SEEN)
    area = measure(sample)
    found = rs.bootstrap(area, resampling=rs.Bootstrap(n_resamples=800, rng=3))
    assert found.std_error[0] == pytest.approx(area.std_error, rel=0.1)  # known to 2.5%
    assert "verified or not" in str(found)


def test_differences_are_of_the_same_resamples() -> None:
    sample = rs.ScoredSample.from_arrays(Y, {"a": S, "b": S + AGE}, verified=SEEN)
    found = rs.bootstrap(
        rs.compare(sample), [1, -1], resampling=rs.Bootstrap(n_resamples=800, rng=3)
    )
    (test,) = rs.compare(sample).pairwise().tests
    assert found.std_error[0] == pytest.approx(test.wald.std_error, rel=0.12)


def test_a_resample_without_an_answer_is_left_out() -> None:
    y, s = [1, 1, 0, 0, 1, 0, 1, 0], [3.0, 5.0, 2.5, 1.0, 2.1, 1.9, 2.2, 0.3]
    sample = rs.ScoredSample.from_arrays(y, s, verified=[1, 1, 1, 1, 0, 0, 1, 1])
    with pytest.warns(rs.RocstatsWarning, match="resamples"):
        found = rs.bootstrap(rs.auc(sample), resampling=rs.Bootstrap(n_resamples=200, rng=1))
    known = found.replicates[~np.isnan(found.replicates)]
    assert 100 < known.size < 200
    assert ((known >= 0) & (known <= 1)).all()


@pytest.mark.parametrize("design", [{"strata": STRATA}, {"verified": SEEN}])
def test_no_standard_error_of_each_resample(design: dict[str, Any]) -> None:
    area = rs.auc(rs.ScoredSample.from_arrays(Y, S, **design))
    found = rs.bootstrap(area, resampling=rs.Bootstrap(n_resamples=100, rng=1))
    with pytest.raises(rs.InvalidOptionError, match="take another method"):
        found.confidence_interval(method="studentized")
    assert not math.isnan(found.confidence_interval(method="percentile").low)
