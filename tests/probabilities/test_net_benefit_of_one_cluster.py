"""Net benefit where a class is one cluster: no standard error, rather than that of the other."""

from __future__ import annotations

import warnings

import numpy as np

import rocstats as rs


def test_one_cluster_of_a_class_has_no_standard_error() -> None:
    y = np.repeat([1, 0], [6, 12])
    p = np.concatenate([np.linspace(0.3, 0.9, 6), np.linspace(0.1, 0.7, 12)])
    known = np.concatenate([[0, 0, 1, 1, 2, 2], np.repeat([3, 4, 5, 6], 3)])
    for cluster, finite in ((known, True), (np.where(y == 1, 0, known), False)):
        sample = rs.ScoredSample.from_arrays(y, p, cluster=cluster)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocstatsWarning)
            curve = rs.decision_curve(sample, prevalence=0.2, thresholds=[0.4])
        assert np.isfinite(curve.curve("score").std_error).all() == finite
