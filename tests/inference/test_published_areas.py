"""Areas known by their printed summaries: Hanley and McNeil's formulas, written out again."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.published_areas import compare_published_areas, published_error

NEAR = 1e-12  # rounding of a handful of operations


@pytest.mark.parametrize("area", ["0.5", "0.71", "0.893", "0.99", "1/3"])
@pytest.mark.parametrize("sizes", [(1, 1), (51, 58), (10, 1000)])
def test_the_error_of_sizes_is_hanley_and_mcneils(area: str, sizes: tuple[int, int]) -> None:
    a, (m, n) = Fraction(area), sizes
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    variance = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    assert published_error(float(a), sizes=sizes) == pytest.approx(math.sqrt(variance), rel=NEAR)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_error_of_limits_gives_them_back(level: float) -> None:
    reach = stats.norm.isf((1 - level) / 2) * 0.03
    found = published_error(0.8, limits=(0.8 - reach, 0.8 + reach), confidence_level=level)
    assert found == pytest.approx(0.03, rel=NEAR)


@pytest.mark.parametrize("r", [-0.4, 0.0, 0.5, 0.9])
def test_the_test_is_hanley_and_mcneils(r: float) -> None:
    found = compare_published_areas((0.9, 0.02), (0.8, 0.03), correlation=r)
    error = math.sqrt(0.02**2 + 0.03**2 - 2 * r * 0.02 * 0.03)
    assert found.std_error == pytest.approx(error, rel=NEAR)
    assert found.statistic == pytest.approx(0.1 / error, rel=NEAR)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(0.1 / error), rel=1e-9)
    low, high = found.confidence_interval(0.9)
    reach = stats.norm.isf(0.05) * error
    assert (low, high) == pytest.approx((0.1 - reach, 0.1 + reach), rel=NEAR)


def test_summaries_of_a_sample_give_delongs_wald_test() -> None:
    frame = rs.read(rs.datasets.path("breast_cancer"))
    scores = frame[["mean_radius", "worst_area"]]
    compared = rs.compare(frame["diagnosis"], scores, pos_label="malignant")
    errors = np.sqrt(np.diag(compared.covariance))
    values = [row.value for row in compared.estimates]
    r = compared.covariance[0, 1] / errors.prod()
    found = compare_published_areas(
        (values[0], errors[0]), (values[1], errors[1]), correlation=float(r)
    )
    delong = compared.pairwise()[0].wald
    assert found.estimate == pytest.approx(delong.estimate, rel=1e-9)
    assert found.std_error == pytest.approx(delong.std_error, rel=1e-9)


@pytest.mark.parametrize(
    ("area", "given", "sentence"),
    [
        (1.2, {"std_error": 0.1}, "auc must lie within"),
        (math.nan, {"std_error": 0.1}, "auc must lie within"),
        (0.8, {}, "0 were given"),
        (0.8, {"std_error": 0.1, "sizes": (5, 5)}, "2 were given"),
        (0.8, {"std_error": 0.0}, "strictly between 0 and 1"),
        (0.8, {"std_error": math.inf}, "strictly between 0 and 1"),
        (0.8, {"std_error": -0.1}, "strictly between 0 and 1"),
        (1.0, {"sizes": (5, 5)}, "needs the data"),
        (0.8, {"sizes": (0, 5)}, "at least 1"),
        (0.8, {"limits": (0.85, 0.9)}, "either side"),
        (0.8, {"limits": (0.9, 0.7)}, "either side"),
        (0.8, {"limits": (math.nan, 0.9)}, "either side"),
        (0.8, {"limits": (0.8, 0.8)}, "strictly between 0 and 1"),
    ],
)
def test_bad_summaries_are_refused(area: float, given: dict, sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        published_error(area, **given)


@pytest.mark.parametrize("r", [1.0, -1.0, 2.0, math.nan])
def test_a_correlation_that_is_none_is_refused(r: float) -> None:
    with pytest.raises(rs.InvalidOptionError, match="correlation must lie strictly"):
        compare_published_areas((0.9, 0.02), (0.8, 0.03), correlation=r)
