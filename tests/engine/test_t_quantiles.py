"""Quantiles of Student's t, against digits of R."""

import numpy as np
import pytest

from rocstats.engine import t_quantiles

# R 4.2.2: options(digits = 17); qt(0.025, c(57.3, 120.77, 180.123))
R_QUANTILES = {57.3: -2.0022382682313364, 120.77: -1.9798018435154274, 180.123: -1.9732217035414368}
ROUNDING = 1e-13  # R's and scipy's own; scipy before 1.17 is off by 1e-11


@pytest.mark.parametrize("df", R_QUANTILES)
def test_14_20_quantiles_of_t_do_not_depend_on_the_version_of_scipy(df: float) -> None:
    assert float(t_quantiles.stdtrit(df, 0.025)) == pytest.approx(R_QUANTILES[df], rel=ROUNDING)
    assert float(t_quantiles.stdtrit(df, 0.975)) == pytest.approx(-R_QUANTILES[df], rel=ROUNDING)


@pytest.mark.parametrize("df", R_QUANTILES)
def test_14_20_a_quantile_that_misses_is_mended(df: float) -> None:
    off = np.array([1.0 + 1e-9, -1.0 - 1e-9]) * R_QUANTILES[df]
    mended = t_quantiles._nearer(off, np.float64(df), np.array([0.025, 0.975]))
    assert mended.tolist() == pytest.approx([R_QUANTILES[df], -R_QUANTILES[df]], rel=ROUNDING)


def test_14_20_where_there_is_no_step_the_quantile_stays() -> None:
    ends = np.array([np.inf, -np.inf, np.nan])
    assert np.array_equal(
        t_quantiles._nearer(ends, np.array([5.0, 5.0, 0.0]), np.float64(0.5)), ends, equal_nan=True
    )


def test_14_20_an_exact_scipy_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy import special

    monkeypatch.setattr(t_quantiles, "_misses", lambda: False)
    assert t_quantiles.stdtrit(57.3, 0.9) == special.stdtrit(57.3, 0.9)
