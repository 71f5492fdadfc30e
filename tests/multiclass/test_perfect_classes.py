"""Classes that are told apart without an error still have intervals with a width."""

from __future__ import annotations

import warnings

import numpy as np

import rocstats as rs


def test_intervals_of_perfectly_separated_classes_have_a_width() -> None:
    y = np.repeat([0, 1, 2], 8)
    prob = np.full((24, 3), 0.1)
    prob[np.arange(24), y] = 0.8
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        found = rs.multiclass_auc(y, prob)
        limits = found.confidence_interval()
    assert found.value == 1.0
    assert limits.high == 1.0
    assert 0.5 < limits.low < 1.0
    assert limits.method == "kl"  # a mean over pairs; others need a standard error
