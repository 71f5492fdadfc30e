"""Coverage under censoring: a part of what ``docs/evidence/survival.py`` simulates."""

from __future__ import annotations

import math

import pytest
from conftest import load_study

study = load_study("survival")
REPLICATES = 150
FAR = 4.0  # Monte-Carlo standard errors
SMALL_SAMPLES = 0.02  # what small samples may lack


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "share", "n"), [(1.0, 0.2, 300), (1.0, 0.6, 100)])
def test_intervals_cover_and_errors_are_as_large_as_the_scatter(
    effect: float, share: float, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "LARGE", 60_000)
    found = study.covered(effect, share, n, REPLICATES)
    least = 0.95 - SMALL_SAMPLES - FAR * math.sqrt(0.95 * 0.05 / REPLICATES)
    for name in set(study.MEASURES) - {"auc wald"}:
        assert found[name] >= least, name
    assert abs(found["bias"]) < 0.01
    assert found["ratio"] == pytest.approx(1.0, abs=FAR / math.sqrt(2 * REPLICATES))


def test_true_areas_are_those_of_a_large_sample() -> None:
    import numpy as np

    import rocstats as rs

    time = study.hazard_time(1.0)
    sample = study.draw(np.random.default_rng(1), 40_000, 1.0, study.censoring_rate(1.0, 0.6))
    assert sample.n_censored / 40_000 == pytest.approx(0.6, abs=0.015)
    found = rs.auc_at(sample, times=time)
    for row, truth in zip(found, study.true_areas(1.0, time), strict=True):
        assert row.value == pytest.approx(truth, abs=FAR * row.std_error)
