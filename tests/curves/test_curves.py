"""Curves: printed points, areas, interpolation, storage for the eye."""

from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.plots.plane import thin

mpl.use("Agg")

# Fawcett (2006), Fig. 3: 20 instances by decreasing score.
FAWCETT_CLASS = "ppnpppnnpnpnpnnnpnpn"
FAWCETT_SCORE = [
    *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
    *(0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
]
ROUNDING = 1e-12  # a few hundred additions of doubles


def fawcett() -> rs.ScoredSample:
    return rs.ScoredSample.from_arrays(list(FAWCETT_CLASS), FAWCETT_SCORE, pos_label="p")


def test_fawcett_figure_3() -> None:
    curve = rs.roc_curve(fawcett())
    assert curve.threshold.tolist() == [np.inf, *FAWCETT_SCORE]
    tp = np.cumsum([c == "p" for c in FAWCETT_CLASS])
    fp = np.cumsum([c == "n" for c in FAWCETT_CLASS])
    assert curve.tpr.tolist() == [0.0, *(tp / 10)]
    assert curve.fpr.tolist() == [0.0, *(fp / 10)]
    # Points named in the text: (0.1, 0.5) at threshold .54, the best accuracy.
    point = curve.at(threshold=0.54)
    assert (point.fpr, point.tpr) == (0.1, 0.5)
    assert curve.area() == rs.auc(fawcett()).value == 0.68


def test_tied_block_is_one_segment() -> None:
    # Fawcett's Fig. 6: ten instances tied, six positive and four negative.
    y = [1] * 6 + [0] * 4
    curve = rs.roc_curve(y, [0.5] * 10)
    assert curve.to_frame().to_numpy().tolist() == [
        [np.inf, 0.0, 0.0, 0.0, 0.0],
        [0.5, 1.0, 1.0, 4.0, 6.0],
    ]
    assert curve.area() == 0.5


def test_roc_at() -> None:
    curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 3, 1])
    # Vertices (0,0) (0,1/3) (0,2/3) (1/3,2/3) (2/3,1) (1,1).
    assert curve.at(fpr=0.0).tpr == 2 / 3
    assert curve.at(tpr=2 / 3).fpr == 0.0
    assert curve.at(fpr=0.5).tpr == pytest.approx(5 / 6, abs=ROUNDING)
    assert curve.at(tpr=5 / 6).fpr == pytest.approx(0.5, abs=ROUNDING)
    assert curve.at(fpr=[0.0, 1.0]).tpr.tolist() == [2 / 3, 1.0]
    assert curve.at(tpr=[0.0, 1.0]).fpr.tolist() == [0.0, 2 / 3]
    assert (curve.at(threshold=3).fpr, curve.at(threshold=3).tpr) == (2 / 3, 1.0)
    assert (curve.at(threshold=3.5).fpr, curve.at(threshold=3.5).tpr) == (1 / 3, 2 / 3)
    assert curve.at(threshold=[np.inf, -np.inf]).tpr.tolist() == [0.0, 1.0]


def test_threshold_of_a_low_is_positive_marker() -> None:
    curve = rs.roc_curve([1, 1, 0, 0], [1, 2, 2, 3], higher_is_positive=False)
    assert curve.threshold.tolist() == [-np.inf, 1.0, 2.0, 3.0]
    assert (curve.at(threshold=2).fpr, curve.at(threshold=2).tpr) == (0.5, 1.0)
    assert (curve.at(threshold=1.5).fpr, curve.at(threshold=1.5).tpr) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ({}, "Give one of"),
        ({"fpr": 0.1, "tpr": 0.1}, "Give one of"),
        ({"fpr": 0.1, "threshold": 0.1}, "Give one of"),
        ({"fpr": 1.1}, r"within \[0, 1\]"),
        ({"tpr": np.nan}, "tpr must be a number"),
        ({"fpr": "x"}, "fpr must be a number, got 'x'"),
        ({"threshold": np.nan}, "must be a number"),
    ],
)
def test_at_refusals(where: dict[str, float], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        rs.roc_curve(fawcett()).at(**where)


def test_sroc_steps_of_figure_1() -> None:
    # Wu, Flach & Ferri (2007), Example 1: the steps of both models, exactly.
    y = [1, 1, 1, 0, 0, 0]
    for scores in ([1.0, 0.7, 0.6, 0.5, 0.4, 0.0], [1.0, 0.9, 0.5, 0.6, 0.2, 0.0]):
        pos = [Fraction(round(10 * s), 10) for s in scores[:3]]
        neg = [Fraction(round(10 * s), 10) for s in scores[3:]]
        differences = [p - n for p in pos for n in neg]
        curve = rs.sroc_curve(y, scores)
        for tau in [Fraction(k, 40) for k in range(1, 40, 2)]:  # between the steps
            exact = Fraction(sum(d > tau for d in differences), 9)
            assert curve.at(float(tau)) == pytest.approx(float(exact), abs=ROUNDING)
        area = sum(max(d, Fraction(0)) for d in differences) / 9
        assert curve.area() == pytest.approx(float(area), abs=ROUNDING)
        assert curve.auc[-1] == 0.0
        assert (np.diff(curve.auc) < 0.0).all()


def test_sroc_at_zero_and_below() -> None:
    y, s = [1, 1, 0, 0], [0.75, 0.5, 0.5, 0.25]
    curve = rs.sroc_curve(y, s)
    assert curve.at(0.0) == rs.auc(y, s).value == 0.875
    assert curve.at(0.0, ties="strict") == curve.auc[0] == 0.75
    assert curve.at([-1.0, 0.25, 2.0]).tolist() == [1.0, 0.5, 0.0]
    assert curve.at(0.25, ties="strict") == 0.25


def test_sroc_grid_agrees_with_all_pairs() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(2200) < 1100
    s = np.round(rng.normal(size=2200) + y, 2)
    grid = rs.sroc_curve(y, s)
    assert not grid.complete
    assert grid.margin.size == 257
    pos, neg = s[y], s[~y]
    differences = np.subtract.outer(pos, neg)
    for margin in (0.005, 0.505, 2.005):  # between the steps of two-digit scores
        assert grid.at(margin) == (differences > margin).mean()
    assert grid.area() == pytest.approx(np.maximum(differences, 0.0).mean(), rel=ROUNDING)
    assert grid.area() == rs.sauc(y, s).value


def test_reversed_classes_have_an_empty_sroc() -> None:
    curve = rs.sroc_curve([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1])
    assert (curve.area(), curve.at(0.0), curve.at(-1.0)) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("options", [{}, {"midpoint": "paper"}, {"class_weight": "balanced"}])
def test_smroc_area_is_smauc(options: dict[str, str]) -> None:
    sample = fawcett()
    curve = rs.smroc_curve(sample, **options)  # type: ignore[arg-type]
    assert curve.area() == pytest.approx(
        rs.smauc(sample, **options).value,  # type: ignore[arg-type]
        abs=ROUNDING,
    )
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert (np.diff(curve.fpr) >= 0.0).all()
    assert curve.at(fpr=1.0).tpr == 1.0


def test_smroc_of_zero_one_scores_is_the_roc_curve() -> None:
    y, s = [1, 1, 0, 0, 1], [1, 0, 0, 1, 1]
    roc, smooth = rs.roc_curve(y, s), rs.smroc_curve(y, s)
    np.testing.assert_allclose(smooth.fpr, roc.fpr, rtol=0.0, atol=ROUNDING)
    np.testing.assert_allclose(smooth.tpr, roc.tpr, rtol=0.0, atol=ROUNDING)


def test_a_million_points_are_thinned_for_the_eye() -> None:
    rng = np.random.default_rng(1)
    n = 10**6
    y = rng.random(n) < 0.3
    curve = rs.roc_curve(y, rng.normal(size=n) + y)
    keep = thin(curve.fpr, curve.tpr)
    assert keep.size <= 4 * 2048 + 2
    assert keep[0] == 0
    assert keep[-1] == curve.fpr.size - 1
    redrawn = np.interp(curve.fpr, curve.fpr[keep], curve.tpr[keep])
    assert np.abs(redrawn - curve.tpr).max() < 1 / 1024
    axes = curve.plot()
    assert max(line.get_xdata().size for line in axes.lines if line.get_gid() is None) == keep.size


@pytest.mark.parametrize("make", [rs.roc_curve, rs.sroc_curve, rs.smroc_curve])
def test_curves_are_results(make: object) -> None:
    curve = make(fawcett())  # type: ignore[operator]
    assert repr(curve) == repr(make(fawcett()))  # type: ignore[operator]
    assert "score" in repr(curve)
    frame = curve.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert set(curve.to_dict()) - {"classifier", "subjects"} <= set(frame.columns)
    axes = curve.plot()
    again = curve.plot(ax=axes)
    assert again is axes
    styles = {(line.get_color(), line.get_linestyle()) for line in axes.lines if line.get_label()}
    assert len(styles) >= 2
    with pytest.raises(TypeError):
        iter(curve)
    with pytest.raises(AttributeError):
        curve.classifier = "x"
