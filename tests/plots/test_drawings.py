"""Drawings: they appear, they can be styled, and no legend lies upon a curve (14, line 23)."""

import os
import subprocess
import sys

import numpy as np
import pytest

import rocstats as rs
from rocstats.plots.legends import covers_nothing

pyplot = pytest.importorskip("matplotlib.pyplot")
pyplot.switch_backend("agg")

SIZES = (4.0, 6.4)


def scores(n=60, shift=1.0, seed=1):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], n)
    return y, rng.normal(size=2 * n) + shift * y


def markers(count, n=60):
    y, _ = scores(n)
    return y, {f"marker {k}": scores(n, 0.3 * k - 0.4, k)[1] for k in range(count)}


def probabilities(seed=0):
    y, s = scores(80, 1.5, seed)
    return y, 1.0 / (1.0 + np.exp(-(s - 0.7)))


def curves():
    y, s = scores()
    _, p = probabilities()
    truth = scores(80, 1.5, 0)[0]
    folds = np.tile(np.arange(5), 24)
    sample = rs.ScoredSample.from_arrays(y, s)
    return {
        "roc": rs.roc_curve(y, s),
        "sroc": rs.sroc_curve(truth, p),
        "smroc": rs.smroc_curve(truth, p),
        "band": rs.roc_band(y, s),
        "average": rs.average_curves(sample, folds=folds),
        "kernel": rs.kernel_curve(y, s),
        "binormal": rs.binormal_fit(y, s),
        "precision": rs.precision_recall_curve(y, s),
        "det": rs.det_curve(y, s),
        "calibration curve": rs.calibration_curve(truth, p),
        "calibration": rs.calibration(truth, p),
    }


CURVES = curves()


@pytest.mark.parametrize("name", CURVES)
def test_14_23_a_drawing_is_a_figure_of_pyplot(name):
    ax = CURVES[name].plot()
    assert pyplot.get_fignums() == [ax.figure.number]
    assert pyplot.gcf() is ax.figure
    assert CURVES[name].plot(ax) is ax
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize("name", CURVES)
def test_14_23_label_colour_and_line_are_taken(name):
    ax = CURVES[name].plot(label="mine", color="#123456", linestyle=":", linewidth=3.5)
    drawn = [line for line in ax.lines if line.get_color() == "#123456"]
    curve = next(line for line in drawn if line.get_linestyle() == ":")
    assert curve.get_linewidth() == 3.5
    assert "mine" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_14_23_a_keyword_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="colour"):
        CURVES["roc"].plot(colour="red")


def test_14_23_figures_are_made_without_a_display():
    code = (
        "import rocstats as rs; from matplotlib import pyplot\n"
        "rs.roc_curve([0, 1, 0, 1], [1, 2, 3, 4]).plot()\n"
        "print(len(pyplot.get_fignums()), pyplot.get_backend().lower())"
    )
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")
    bare = {name: value for name, value in os.environ.items() if name not in gone}
    run = subprocess.run(
        [sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["1", "agg"]


def test_14_23_all_markers_in_one_call():
    y, several = markers(4)
    found = rs.roc_curves(y, several)
    ax = found.plot()
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == [f"{c.classifier} (AUC {c.area():.3f})" for c in found]
    assert len(found) == 4
    assert found["marker 2"].area() == rs.auc(y, several["marker 2"]).value
    assert found.to_frame()["auc"].tolist() == [curve.area() for curve in found]
    with pytest.raises(rs.InvalidOptionError, match="marker must be one of"):
        found["marker 9"]


def boxes(ax):
    """The legend's box, and the boxes that the curves and bands fill, pixel by pixel."""
    ax.figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    points = []
    for line in ax.lines:
        if line.get_gid() == "chance":
            continue
        path = line.get_transform().transform_path(line.get_path()).interpolated(50)
        points.append(path.vertices)
    for band in ax.collections:
        moved = [band.get_transform().transform_path(path) for path in band.get_paths()]
        points += [path.interpolated(50).vertices for path in moved]
    return box, np.concatenate(points)


@pytest.mark.parametrize("layout", ["constrained", None])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shift", [-1.0, 0.3, 1.5])
@pytest.mark.parametrize("drawn", ["band", "two bands", "six", "sroc", "average", "precision"])
def test_14_23_no_legend_lies_upon_a_curve(size, shift, drawn, layout):
    y, s = scores(40, shift)
    ax = pyplot.subplots(figsize=(size, size), layout=layout)[1]
    if drawn == "six":
        rs.roc_curves(y, {f"a long name {k}": scores(40, shift, k)[1] for k in range(6)}).plot(ax)
    elif drawn == "sroc":
        rs.sroc_curve(y, s).plot(ax)
    elif drawn == "average":
        folds = np.tile(np.arange(4), 20)
        rs.average_curves(rs.ScoredSample.from_arrays(y, s), folds=folds).plot(ax)
    elif drawn == "precision":
        rs.precision_recall_curve(y, s).plot(ax)
    else:
        rs.roc_band(y, s).plot(ax)
        if drawn == "two bands":
            rs.roc_band(y, scores(40, -shift, 7)[1]).plot(ax)
    box, points = boxes(ax)
    assert not box.count_contains(points)
    whole = ax.figure.bbox
    assert box.x0 >= whole.x0 - 1
    assert box.x1 <= whole.x1 + 1
    assert box.y0 >= whole.y0 - 1


def test_14_23_a_legend_upon_a_curve_is_seen():
    curve = CURVES["roc"]
    ax = curve.plot()
    there = (float(curve.fpr[20]), float(curve.tpr[20]))
    legend = ax.legend(loc="center", bbox_to_anchor=there)
    ax.figure.draw_without_rendering()
    assert not covers_nothing(legend, ax)


def test_14_23_estimates_are_a_forest():
    y, several = markers(3)
    found = rs.estimate(rs.ScoredSample.from_arrays(y, several), measures=["auc"])
    ax = found.plot(confidence_level=0.9)
    assert [text.get_text() for text in ax.get_yticklabels()] == list(several)
    marks = ax.lines[-1]
    np.testing.assert_array_equal(marks.get_xdata(), [row.value for row in found.rows])
    limits = found.rows[0].confidence_interval(confidence_level=0.9)
    assert list(ax.lines[0].get_xdata()) == [limits.low, limits.high]
    assert ax.get_xlabel() == "AUC (90% CI)"
    top, bottom = ax.get_ylim()
    assert top > bottom  # the first row is on top


def test_14_23_a_comparison_is_a_forest_of_differences_with_a_line_at_zero():
    y, several = markers(3)
    found = rs.compare(y, several)
    ax = found.plot()
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == ["marker 0 - marker 1", "marker 0 - marker 2", "marker 1 - marker 2"]
    assert list(ax.lines[0].get_xdata()) == [0.0, 0.0]
    tests = found.pairwise().tests
    np.testing.assert_array_equal(ax.lines[-1].get_xdata(), [t.estimate for t in tests])
    less = found.pairwise(alternative="less", versus="marker 0").plot(color="red")
    assert [line.get_marker() for line in less.lines].count("<") == 2  # no lower limit
    assert ax.get_xlabel() == "Difference in AUC (95% CI)"


def test_14_23_a_plan_is_power_against_size():
    plan = rs.sample_size_auc(auc=0.8, power=0.9)
    ax = plan.plot()
    (level,) = (line for line in ax.lines if line.get_gid() == "level")
    assert {*level.get_ydata()} == {plan.significance}
    curve, point = (line for line in ax.lines if line.get_gid() != "level")
    size, power = np.asarray(curve.get_xdata()), np.asarray(curve.get_ydata())
    assert (np.diff(size) > 0).all()
    assert (np.diff(power) >= 0).all()
    assert (float(point.get_xdata()[0]), float(point.get_ydata()[0])) == (plan.n_total, plan.power)
    here = int(np.flatnonzero(size == plan.n_total)[0])
    assert power[here] == plan.power
    other = rs.power_auc(auc=0.7, n_pos=40, n_neg=80).plot(ax, label="seventy")
    assert other is ax
    assert "seventy" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_14_23_a_plan_of_precision_is_its_half_width():
    ax = rs.sample_size_auc(auc=0.8, half_width=0.05).plot()
    assert ax.get_ylabel() == "Half-width"
    assert not [line for line in ax.lines if line.get_gid() == "level"]


@pytest.mark.parametrize("size", [None, (4.0, 4.0), (4.0, 6.0)])
@pytest.mark.parametrize("layout", ["constrained", None])
def test_14_23_a_long_legend_covers_no_curve_and_no_label_and_is_not_cut(size, layout):
    ax = None if size is None else pyplot.subplots(figsize=size, layout=layout)[1]
    ax = rs.roc_curves(*markers(14)).plot(ax)
    box, points = boxes(ax)
    assert not box.count_contains(points)
    assert not box.overlaps(ax.xaxis.label.get_window_extent())
    assert box.y0 >= ax.figure.bbox.y0
    assert ax.get_window_extent().height > 0.4 * ax.figure.bbox.height
    styles = {(line.get_color(), line.get_linestyle()) for line in ax.lines}
    assert len(styles) == 15  # the diagonal, and 14 curves that can be told apart


def test_14_23_two_plans_are_both_within_the_axes():
    ax = rs.sample_size_auc(auc=0.8, power=0.9).plot()
    rs.power_auc(auc=0.7, n_pos=40, n_neg=80).plot(ax)
    right = max(float(np.max(line.get_xdata())) for line in ax.lines if line.get_gid() == "plan")
    assert ax.get_xlim()[1] >= right


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_pictures_of_pages_do_not_follow_the_callers_style(ending: str) -> None:
    import matplotlib as mpl

    from rocstats.plots.pictures import picture_bytes, svg_text

    def drawn() -> tuple[str, bytes]:
        curve = rs.roc_curve([1, 1, 0, 0, 1], [3, 2, 1, 2, 5])
        alone = svg_text(curve.plot)
        beside = picture_bytes(lambda f: curve.plot(f.subplots()), ending, size=(3, 3), dpi=50)
        return alone, beside

    before = drawn()
    with mpl.rc_context({"font.size": 17, "axes.grid": True, "lines.linewidth": 5}):
        assert drawn() == before


def test_14_23_a_marker_that_begins_with_an_underscore_is_named_too():
    """matplotlib leaves such labels out of its legends."""
    y = np.arange(40) % 2
    score = np.random.default_rng(1).normal(y)
    sample = rs.ScoredSample.from_arrays(y, {"_risk": score, "crp": score[::-1]})
    named = [text.get_text() for text in rs.roc_curves(sample).plot().get_legend().get_texts()]
    assert len(named) == 2
    assert named[0].strip().startswith("_risk (AUC")
