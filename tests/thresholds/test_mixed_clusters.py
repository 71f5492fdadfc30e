"""Sums over clusters of several members of both classes, counted table by table."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs


@pytest.mark.parametrize("seed", range(3))
def test_sums_over_clusters_of_many_members_of_both_classes(seed: int) -> None:
    """A cluster with as many true as false calls is no cluster without calls."""
    rng = np.random.default_rng(seed)
    n = 60
    y, cluster = rng.integers(0, 2, size=n), rng.integers(0, 9, size=n)
    cluster[y == 1] = np.where(cluster[y == 1] == 8, 7, cluster[y == 1])  # 8 has negatives only
    s = rng.integers(0, 12, size=n) + 2.0 * y
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster)
    points = rs.operating_points(sample)
    found = points.tables().clusters
    assert found is not None
    every = np.unique(cluster)
    for i, threshold in enumerate(points.threshold):
        called = s >= threshold
        kinds = (called & (y == 1), called & (y == 0), y == 1, y == 0)
        counts = [np.array([np.sum(kind & (cluster == k)) for k in every]) for kind in kinds]
        for row, a in zip(found.products, counts, strict=True):
            for ours, b in zip(row, counts, strict=True):
                assert np.ravel(np.broadcast_to(ours, points.threshold.shape))[i] == a @ b
        tp, fp, pos, neg = counts
        units = {
            "called": tp + fp,
            "others": pos - tp + neg - fp,
            "either": pos + fp,
            "positives": pos,
            "negatives": neg,
            "all": pos + neg,
        }
        assert found.units.keys() == units.keys()
        for name, members in units.items():
            ours = np.broadcast_to(found.units[name], points.threshold.shape)[i]
            assert ours == np.count_nonzero(members), (name, threshold)
