"""Operating points of units that were drawn within sampling strata."""

from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.thresholds.clusters import gather_clusters

CLOSE = 1e-11  # sums over a hundred subjects, in another order
rng = np.random.default_rng(5)
N = 120
Y = rng.random(N) < 0.45
S = (Y + rng.normal(size=N)).round(1)
W = rng.uniform(0.5, 3.0, N)
UNITS, STRATA = np.arange(N) // 4, np.arange(N) // 24
DESIGNS: dict[str, dict[str, Any]] = {
    "alone": {},
    "weights": {"weights": W},
    "clusters": {"cluster": UNITS},
    "both": {"weights": W, "cluster": UNITS},
}


@pytest.mark.parametrize("name", DESIGNS)
def test_one_stratum_is_none(name: str) -> None:
    plain = rs.ScoredSample.from_arrays(Y, S, **DESIGNS[name])
    one = rs.ScoredSample.from_arrays(Y, S, strata=np.zeros(N), **DESIGNS[name])
    ours, theirs = (rs.operating_points(s, thresholds=[0.0, 0.7]) for s in (one, plain))
    for measure in ours.measures:
        np.testing.assert_allclose(ours.values(measure), theirs.values(measure), rtol=CLOSE)
        for low, other in zip(ours.limits(measure), theirs.limits(measure), strict=True):
            np.testing.assert_allclose(low, other, rtol=1e-9)


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("called", [7, 50, 111])
def test_sums_of_products_vary_about_the_mean_of_a_stratum(name: str, called: int) -> None:
    sample = rs.ScoredSample.from_arrays(Y, S, strata=STRATA, **DESIGNS[name])
    found = gather_clusters(sample, 0)
    assert found is not None
    order = sample.blocks(0, ordered=True).order
    assert order is not None
    first = np.zeros(N, dtype=bool)
    first[order[::-1][:called]] = True
    a = {"tp": 0.3, "fn": -0.7, "fp": 1.1, "tn": 0.2}
    score = np.where(Y, np.where(first, a["tp"], a["fn"]), np.where(first, a["fp"], a["tn"]))
    w = np.ones(N) if sample.weights is None else sample.weights
    unit = np.arange(N) if sample.cluster is None else sample.cluster
    sums = np.bincount(unit, w * score)
    of = np.array([STRATA[unit == u][0] for u in range(sums.size)])
    wanted = 0.0
    for h in np.unique(of):
        mine = sums[of == h]
        wanted += mine.size / (mine.size - 1) * ((mine - mine.mean()) ** 2).sum()
    wanted *= 1 - 1 / sums.size  # what effective_size multiplies by again
    cells: Any = None
    moments = found.at(cells, np.array([called]))
    assert moments.square({name: np.float64(x) for name, x in a.items()})[0] == pytest.approx(
        wanted, rel=CLOSE
    )
    free = sums.size - (of.max() + 1) + 1
    assert moments.units["all"] == free


def test_strata_that_differ_make_intervals_shorter_than_without_them() -> None:
    y = np.tile([True, False], 60)
    score = np.repeat([0.0, 1.0, 2.0], 40) + 0.01 * rng.normal(size=N)
    strata, w = np.repeat([0, 1, 2], 40), np.tile([1.0, 1.0, 3.0, 3.0], 30)
    widths = []
    for options in ({}, {"strata": strata}):
        points = rs.operating_points(
            rs.ScoredSample.from_arrays(y, score, weights=w, **options), thresholds=[0.5]
        )
        low, high = points.limits("sensitivity")
        widths.append(float(high[0] - low[0]))
    assert widths[1] < 0.95 * widths[0]


def test_subjects_are_counted_whatever_their_weights() -> None:
    points = rs.operating_points(Y, S, weights=W, thresholds=[0.5])
    counts = {name: int(n[0]) for name, n in points.subjects.items()}
    assert counts == {
        "tp": np.count_nonzero(Y & (S >= 0.5)),
        "fp": np.count_nonzero(~Y & (S >= 0.5)),
        "fn": np.count_nonzero(Y & (S < 0.5)),
        "tn": np.count_nonzero(~Y & (S < 0.5)),
    }
    assert points.totals == pytest.approx((W[Y].sum(), W[~Y].sum()))
    plain = rs.operating_points(Y, S, thresholds=[0.5])
    assert {name: int(n[0]) for name, n in plain.subjects.items()} == counts
