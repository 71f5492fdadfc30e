"""The sROC curve above a million pairs: its grid reaches from 0 to the widest margin."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs


def test_the_grid_ends_where_no_pair_is_left() -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, 0], [1100, 1000])
    s = rng.normal(size=2100) + y
    curve = rs.sroc_curve(y, s)
    pos, neg = s[y == 1], s[y == 0]
    assert curve.margin[0] == 0.0
    assert curve.margin[-1] == pos.max() - neg.min()
    np.testing.assert_allclose(np.diff(curve.margin), curve.margin[-1] / 256)
    for i in (0, 40, 130, 256):
        won = np.count_nonzero(np.subtract.outer(pos, neg) > curve.margin[i])
        assert curve.auc[i] == pytest.approx(won / (1100 * 1000), abs=1e-12)
    assert curve.auc[-1] == 0.0


def test_where_no_pair_wins_the_margin_is_zero() -> None:
    y = np.repeat([1, 0], [1100, 1000])
    curve = rs.sroc_curve(y, np.linspace(0.0, 1.0, 2100))  # positives all below
    assert curve.margin.tolist() == [0.0]
    assert curve.auc.tolist() == [0.0]


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize("up", [True, False])
def test_any_margin_is_counted_as_over_all_pairs(digits: int, up: bool) -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [1100, 1000])
    s = (rng.normal(size=2100) + y).round(digits)
    curve = rs.sroc_curve(y, s, higher_is_positive=up)
    sign = 1.0 if up else -1.0
    pos, neg = sign * s[y == 1], sign * s[y == 0]
    assert not curve.complete
    for margin in (-1.0, 0.0, 0.1, 1.0, 2.5, float(curve.margin[-1]), 99.0):
        won = np.count_nonzero(pos[:, np.newaxis] - margin > neg)
        level = np.count_nonzero(pos[:, np.newaxis] - margin == neg)
        assert curve.at(margin) == pytest.approx((won + 0.5 * level) / (1100 * 1000), abs=1e-13)
        assert curve.at(margin, ties="strict") == pytest.approx(won / (1100 * 1000), abs=1e-13)
