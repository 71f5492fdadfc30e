"""Limits of proportions are those of statsmodels, and exact at the ends."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from rocstats.estimates.proportion_limits import PROPORTION_METHODS, proportion_limits

THEIRS = {"clopper-pearson": "beta", "agresti-coull": "agresti_coull"}


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_limits_are_those_of_statsmodels(method, level):
    rng = np.random.default_rng(1)
    size = np.concatenate([[1, 2, 7, 113, 10**6], rng.uniform(0.05, 50.0, 60)])  # clusters' too
    for share in (1e-3, 0.01, 0.3, 0.5, 0.97):
        count = size * share
        found = proportion_limits(count, size, level=level, method=method)
        known = proportion_confint(
            count, size, alpha=1.0 - level, method=THEIRS.get(method, method)
        )
        np.testing.assert_allclose(found, known, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_ends_are_exact_and_of_nothing_there_are_none(method):
    low, high = proportion_limits(np.array([0.0, 5.0, 0.0]), [5, 5, 0], level=0.95, method=method)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert 0.0 < high[0] < 1.0
    assert 0.0 < low[1] < 1.0
    assert np.isnan([low[2], high[2]]).all()
