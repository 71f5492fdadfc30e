"""What stands on a drawing is what was worked out: read back from its lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocstats as rs

pyplot = pytest.importorskip("matplotlib.pyplot")
pyplot.switch_backend("agg")


@pytest.mark.parametrize("n", [40, 700])
def test_the_smooth_calibration_curve_is_drawn_from_end_to_end(n: int) -> None:
    rng = np.random.default_rng(n)
    p = rng.uniform(0.05, 0.95, n)
    curve = rs.calibration_curve(rng.random(n) < p, p)
    prob, share = curve.smooth
    ax = curve.plot()
    x, y = max((line.get_data() for line in ax.lines), key=lambda data: len(data[0]))
    assert (x[0], x[-1]) == (prob[0], prob[-1])
    assert 2 <= len(x) <= n
    np.testing.assert_allclose(np.interp(prob, x, y), np.clip(share, 0.0, 1.0), atol=2e-3)


@pytest.mark.parametrize(("replicates", "below"), [(60, True), (10_000, False)])
def test_the_band_about_the_nominal_size_is_seen_whole(replicates: int, below: bool) -> None:
    from rocstats.plots.power_plot import draw_sizes

    row: dict[str, Any] = {"n_pos": 9, "n_neg": 9, "test": "auc", "size": 0.05}
    ax = draw_sizes(
        [row | {"n_replicates": replicates}],
        None,
        test="auc",
        reference="auc",
        significance=0.05,
        labels={"auc": "AUC"},
    )
    low = 0.05 - 3.0 * math.sqrt(0.05 * 0.95 / replicates)
    band = next(patch for patch in ax.patches if patch.get_facecolor()[0] > 0.8)
    edges = band.get_extents().transformed(ax.transData.inverted())
    assert edges.y0 == pytest.approx(low)
    assert edges.y1 == pytest.approx(0.1 - low)
    assert (low < 0.0) == below
    bottom = ax.get_ylim()[0]
    assert bottom <= low if below else bottom == 0.0


def test_the_vertices_of_a_hull_are_marked_while_they_are_few() -> None:
    from rocstats.plots.curve_plots import _MOST_MARKS, draw_hull

    few = rs.roc_hull([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1]).plot()
    assert [line.get_marker() for line in few.lines].count("o") == 1
    for size in (_MOST_MARKS, _MOST_MARKS + 1):
        rate = np.linspace(0.0, 1.0, size)
        drawn = draw_hull(rate, np.sqrt(rate), "hull", curves=[("curve", rate, rate)])
        marked = [line.get_marker() for line in drawn.lines].count("o")
        assert marked == (size == _MOST_MARKS)


@pytest.mark.parametrize(("count", "turned"), [(4, False), (5, True)])
def test_names_stand_upright_while_they_are_few(count: int, turned: bool) -> None:
    from rocstats.plots.series_plot import draw_marks

    names = [f"set {i}" for i in range(count)]
    ax = draw_marks(names, {"a": np.arange(count)}, pyplot.figure().gca(), y_label="gain")
    assert [tick.get_text() for tick in ax.get_xticklabels()] == names
    assert {tick.get_rotation() for tick in ax.get_xticklabels()} == {60.0 if turned else 0.0}


def test_a_drawing_of_differences_grows_with_its_lines_and_others_are_square() -> None:
    from rocstats.plots.power_plot import picture_size

    rows = [{"design": i, "test": test} for i in range(6) for test in ("auc", "t")]
    width, height = picture_size("difference", rows, "auc")
    assert width > height
    assert picture_size("difference", rows[:6], "auc")[1] < height
    for kind in ("efficiency", "size", "power"):
        wide, high = picture_size(kind, rows, "auc")
        assert wide == high == picture_size(kind, rows[:6], "auc")[1]


def test_a_binormal_fit_of_ratings_is_drawn_with_its_points() -> None:
    fit = rs.binormal_fit([0, 0, 0, 1, 1, 1, 0, 1, 0, 1], [1, 2, 1, 3, 2, 3, 3, 1, 2, 3])
    ax = fit.plot()
    drawn = ax.collections[0].get_offsets().tolist()
    assert drawn == pytest.approx(np.array([[0.2, 0.6], [0.6, 0.8]]), abs=1e-12)
    assert ax.get_legend() is not None
