"""Why no parametric sAUC is offered: the page's simulation at a reduced size."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs

DOCS = Path(__file__).parents[2] / "docs" / "evidence"
SAMPLES = 600


@pytest.fixture(scope="module")
def page():
    sys.path.insert(0, str(DOCS))
    try:
        import parametric_sauc

        return parametric_sauc
    finally:
        sys.path.remove(str(DOCS))


def test_the_estimate_by_moments_is_the_closed_form_with_its_delta_method(page) -> None:
    rng = np.random.default_rng(1)
    pos, neg = rng.standard_normal(9) + 1, 2 * rng.standard_normal(7)
    value, model, _ = page.by_moments(pos, neg)
    sds = {"sd_pos": pos.std(ddof=1), "sd_neg": neg.std(ddof=1)}
    shift = pos.mean() - neg.mean()
    assert value == pytest.approx(rs.binormal_sauc(shift, **sds).value, rel=1e-12)

    def moved(mean: float = 0.0, pos_var: float = 0.0, neg_var: float = 0.0) -> float:
        step = 1e-6
        spreads = sds["sd_pos"] ** 2 + step * pos_var, sds["sd_neg"] ** 2 + step * neg_var
        there = rs.binormal_sauc(
            shift + step * mean, sd_pos=math.sqrt(spreads[0]), sd_neg=math.sqrt(spreads[1])
        )
        return (there.value - value) / step

    a, b = sds["sd_pos"] ** 2, sds["sd_neg"] ** 2
    variance = moved(mean=1) ** 2 * (a / 9 + b / 7)
    variance += moved(pos_var=1) ** 2 * 2 * a**2 / 8 + moved(neg_var=1) ** 2 * 2 * b**2 / 6
    assert model == pytest.approx(math.sqrt(variance), rel=1e-5)


@pytest.mark.slow
def test_it_gains_nothing_with_normal_scores_and_misleads_with_exponential_ones(page) -> None:
    normal, exponential = (page.simulate(law, (50, 50), SAMPLES) for law in page.LAWS)
    assert normal["sd_parametric"] == pytest.approx(normal["sd_nonparametric"], rel=0.03)
    error = math.sqrt(0.84 * 0.16 / SAMPLES)
    assert exponential["model"] == pytest.approx(0.84, abs=4 * error)
    assert exponential["interval"] > exponential["model"] + 4 * error
    off = 4 * exponential["sd_parametric"] / math.sqrt(SAMPLES)
    assert exponential["parametric"] > 4 / 3 + off
    assert exponential["nonparametric"] == pytest.approx(4 / 3, abs=off)


def test_the_estimator_is_not_offered() -> None:
    with pytest.raises(rs.InvalidOptionError):
        rs.binormal_sauc([1.0, 2.0, 3.0])
    assert "rs.sauc" in str(rs.binormal_sauc(1.0))
