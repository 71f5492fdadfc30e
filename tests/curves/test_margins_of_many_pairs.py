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
