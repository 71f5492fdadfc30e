"""Kolmogorov-Smirnov's limiting p-values on either side, by the series and by definition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocstats as rs

SAME = 1e-12


def distances(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the largest distance of y's distribution function over x's, and the other way."""
    gaps = [float((y <= at).mean() - (x <= at).mean()) for at in np.concatenate([x, y])]
    return max(gaps), -min(gaps)


def series(t: float) -> float:
    """Kolmogorov's limiting tail: twice the alternating sum of exp(-2 k^2 t^2)."""
    return 2.0 * math.fsum((-1) ** (k - 1) * math.exp(-2.0 * (k * t) ** 2) for k in range(1, 60))


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize("shift", [-0.8, 0.0, 0.8])
def test_every_side_has_its_distance_and_its_limit(digits: int, shift: float) -> None:
    rng = np.random.default_rng(digits)
    x, y = rng.normal(shift, 1.0, 25).round(digits), rng.normal(size=36).round(digits)
    above, below = distances(x, y)
    root = math.sqrt(25 * 36 / 61)
    wanted: dict[Any, tuple[float, float]] = {
        "two-sided": (max(above, below), series(root * max(above, below))),
        "greater": (above, math.exp(-2.0 * (root * above) ** 2)),
        "less": (below, math.exp(-2.0 * (root * below) ** 2)),
    }
    for side, (distance, pvalue) in wanted.items():
        found = rs.two_sample_test(x, y, statistic="ks", alternative=side, method="asymptotic")
        assert found.estimate == pytest.approx(distance, abs=SAME), side
        assert found.statistic == found.estimate
        assert found.null_value == 0.0
        assert found.pvalue == pytest.approx(pvalue, rel=1e-10), side


def test_nothing_above_is_no_distance_and_no_evidence() -> None:
    x, y = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]
    found = rs.two_sample_test(x, y, statistic="ks", alternative="greater", method="asymptotic")
    assert (found.estimate, found.pvalue) == (0.0, 1.0)
    assert math.copysign(1.0, found.estimate) == 1.0
    back = rs.two_sample_test(y, x, statistic="ks", alternative="less", method="asymptotic")
    assert (back.estimate, back.pvalue) == (0.0, 1.0)
    assert math.copysign(1.0, back.estimate) == 1.0
