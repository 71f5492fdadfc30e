"""The DET curve: scikit-learn's points, the definition, normal deviates, equal error rates."""

from __future__ import annotations

import inspect
import itertools
from fractions import Fraction

import numpy as np
import pytest
from conftest import NamedSample
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs

ROUNDING = 1e-14  # a division or two of counts

rows = st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4)), min_size=2, max_size=20).filter(
    lambda found: {label for label, _ in found} == {0, 1}
)


@given(rows)
def test_points_are_those_of_sklearn(found: list[tuple[int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    y, s = (np.array(column) for column in zip(*found, strict=True))
    curve = rs.det_curve(y, s)
    # Points on a straight line can be left out since scikit-learn 1.7; before, all were given.
    can_drop = "drop_intermediate" in inspect.signature(sklearn.det_curve).parameters
    options = {"drop_intermediate": False} if can_drop else {}
    fpr, fnr, threshold = sklearn.det_curve(y, s, **options)
    assert curve.threshold.tolist() == threshold[::-1].tolist()
    np.testing.assert_allclose(curve.fpr, fpr[::-1], rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(curve.fnr, fnr[::-1], rtol=0, atol=ROUNDING)
    turned = rs.det_curve(y, -s, higher_is_positive=False)
    assert (turned.fp.tolist(), turned.fn.tolist()) == (curve.fp.tolist(), curve.fn.tolist())


@given(rows)
def test_the_equal_error_rate_lies_where_the_roc_curve_crosses_the_other_diagonal(
    found: list[tuple[int, int]],
) -> None:
    y, s = (np.array(column) for column in zip(*found, strict=True))
    roc = rs.roc_curve(y, s)
    points = [
        (Fraction(int(a), roc.n_neg), 1 - Fraction(int(b), roc.n_pos))
        for a, b in zip(roc.fp, roc.tp, strict=True)
    ]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 <= y0 and x1 >= y1:
            part = (y0 - x0) / ((y0 - x0) + (x1 - y1)) if (x0, x1) != (y0, y1) else Fraction(0)
            expected = x0 + part * (x1 - x0)
            break
    assert rs.det_curve(y, s).equal_error_rate() == pytest.approx(float(expected), abs=ROUNDING)


def test_rates_at_every_threshold_are_counted(named_sample: NamedSample) -> None:
    y, s = np.asarray(named_sample[0]), np.asarray(named_sample[1])
    curve = rs.det_curve(y, s)
    for fpr, fnr, cut in zip(curve.fpr, curve.fnr, curve.threshold, strict=True):
        assert fpr == np.mean(s[y == 0] >= cut)
        assert fnr == pytest.approx(np.mean(s[y == 1] < cut), abs=ROUNDING)
    assert curve.fp[0] == 0
    assert curve.fn[-1] == 0
    assert (curve.fp[1:] > 0).all()
    assert (curve.fn[:-1] > 0).all()


def test_two_normal_classes_make_a_straight_line_in_deviates() -> None:
    grid = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    y, s = np.repeat([1, 0], 4000), np.concatenate([1.5 + grid, grid])
    fpr, fnr = rs.det_curve(y, s).deviates
    inside = np.isfinite(fpr) & np.isfinite(fnr) & (abs(fpr) < 2.5) & (abs(fnr) < 2.5)
    # A false alarm lies beyond t, a miss below it: -t, and t - 1.5; one step of 1/4000 at most off.
    assert abs(fpr[inside] + fnr[inside] + 1.5).max() < 0.02
    assert rs.det_curve(y, s).equal_error_rate() == pytest.approx(stats.norm.cdf(-0.75), abs=5e-4)


def test_a_drawing_has_deviates_and_rates_on_its_axes() -> None:
    pytest.importorskip("matplotlib")
    y, s = [1, 1, 1, 0, 0, 0, 1, 0], [5, 4, 3, 3.5, 2, 1, 0.5, 0.2]
    ax = rs.det_curve(y, s).plot(label="mine")
    (line,) = ax.lines
    assert line.get_label() == "mine"
    low, high = ax.get_xlim()
    assert (line.get_xdata() >= low).all()
    assert (line.get_ydata() <= high).all()
    where = dict(zip((t.get_text() for t in ax.get_xticklabels()), ax.get_xticks(), strict=True))
    assert where["10"] == pytest.approx(stats.norm.ppf(0.1))
    assert "%" in ax.get_xlabel()
