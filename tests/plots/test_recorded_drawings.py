"""What every result draws, as it was recorded: labels, legends, limits, and lines by their sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from recorded import hold, shortened
from recorded_calls import (
    CHANCE,
    FEW,
    TWO,
    A,
    B,
    Y,
    days,
    readings,
    study,
    survival,
)

import rocstats as rs

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

SAMPLE = rs.ScoredSample.from_arrays(Y, TWO)
DRAWN: dict[str, Callable[[], Any]] = {
    "curve": lambda: rs.roc_curve(Y, A).plot(),
    "curve, named": lambda: rs.roc_curve(Y, A).plot(label="x", color="red"),
    "curves": lambda: rs.roc_curves(SAMPLE).plot(),
    "band": lambda: rs.roc_band(Y, A, "kolmogorov-smirnov").plot(),
    "average": lambda: rs.average_curves([rs.roc_curve(Y, A), rs.roc_curve(Y, B)]).plot(),
    "hull": lambda: rs.roc_hull(SAMPLE).plot(),
    "hull, best": lambda: (lambda hull: hull.plot(best=[hull.best(0.2)]))(rs.roc_hull(SAMPLE)),
    "det": lambda: rs.det_curve(Y, A).plot(),
    "precision": lambda: rs.precision_recall_curve(Y, A).plot(),
    "sroc": lambda: rs.sroc_curve(Y, A).plot(),
    "smroc": lambda: rs.smroc_curve(Y, CHANCE).plot(),
    "midpoints": lambda: rs.midpoint_curve(Y, CHANCE, n_draws=200).plot(),
    "binormal": lambda: rs.binormal_fit(Y, A).plot(),
    "kernel": lambda: rs.kernel_curve(Y, A).plot(),
    "estimates": lambda: rs.estimate(SAMPLE, measures="auc").plot(),
    "estimates at 80%": lambda: rs.estimate(SAMPLE, measures="auc").plot(
        confidence_level=0.8, color="green"
    ),
    "comparison": lambda: rs.compare(SAMPLE).plot(),
    "comparison, versus": lambda: rs.compare(SAMPLE).plot(versus="a", confidence_level=0.8),
    "contrasts": lambda: rs.compare(SAMPLE).pairwise().plot(),
    "points": lambda: rs.operating_points(Y, A).plot(),
    "prevalence": lambda: rs.operating_points(Y, A, thresholds=[0.5]).plot_prevalence(),
    "cutpoint": lambda: rs.optimal_cutpoint(Y, A, resampling=FEW).plot(),
    "fixed rate": lambda: rs.sensitivity_at(Y, A, [0.8, 0.9], resampling=FEW).plot(),
    "fixed sensitivity": lambda: rs.specificity_at(Y, A, [0.8, 0.9], resampling=FEW).plot(),
    "rates of the perfect": lambda: rs.sensitivity_at(Y, 9.0 * Y + A, 0.9, resampling=FEW).plot(),
    "points, low": lambda: rs.operating_points(Y, -A, higher_is_positive=False).plot(),
    "band, bootstrapped": lambda: rs.roc_band(Y, A, "fixed-width", resampling=FEW).plot(),
    "average, thresholds": lambda: rs.average_curves(
        [rs.ScoredSample.from_arrays(Y, A), rs.ScoredSample.from_arrays(Y, B)], "threshold"
    ).plot(),
    "calibration": lambda: rs.calibration_curve(Y, CHANCE, 5).plot(),
    "calibration, fitted": lambda: rs.calibration(Y, CHANCE).plot(),
    "decision": lambda: rs.decision_curve(Y, CHANCE).plot(),
    "power": lambda: rs.power_auc(0.8, n_pos=20, n_neg=30).plot(),
    "power, labelled": lambda: rs.power_auc(0.8, n_pos=20).plot(label="mine", color="red"),
    "power of two": lambda: rs.power_auc(0.9, n_pos=20).plot(
        rs.power_auc(0.8, n_pos=20, n_neg=30).plot(), label="other"
    ),
    "monitor": lambda: rs.monitor(days()).plot(),
    "monitor at 80%": lambda: rs.monitor(days()).plot(confidence_level=0.8),
    "readers": lambda: rs.compare_readers(study()).plot(),
    "readers' study": lambda: study().plot(),
    "reader by reader": lambda: rs.compare_readers(study()).by_reader.plot(),
    "alone": lambda: rs.compare_to_readers(study(), "r3", test="m1").plot(),
    "reader power": lambda: rs.power_readers(
        rs.compare_readers(study(readings(2, 4))).components,
        difference=0.05,
        readers=[4, 8],
        cases=[50, 100],
    ).plot(),
    "survival": lambda: rs.auc_at(survival(), (2, 4, 6)).plot(),
    "survival band": lambda: rs.auc_at(survival(), (2, 4, 6)).band(n_resamples=100).plot(),
    "survival curve": lambda: rs.roc_curve_at(survival(), 4, "x").plot(),
    "classes": lambda: rs.multiclass_auc(
        [0, 1, 2] * 8, [[(k % 5) / 10, (k % 3) / 5, 0.3] for k in range(24)]
    ).plot(),
}


def told(axes: Any) -> dict[str, Any]:
    """Return what stands on a drawing, and where."""
    legend = axes.get_legend()
    lines = [
        {
            "label": str(line.get_label()),
            "style": str(line.get_linestyle()),
            "marker": str(line.get_marker()),
            "color": str(matplotlib.colors.to_hex(line.get_color())),
            "x": [float(v) for v in matplotlib.cbook.index_of(line.get_xdata())[1]],
            "y": [float(v) for v in line.get_ydata()],
        }
        for line in axes.get_lines()
    ]
    areas = [
        {
            "kind": type(one).__name__,
            "label": str(one.get_label()),
            "points": [p.vertices.ravel().tolist() for p in one.get_paths()],
            "offsets": [[float(v) for v in row] for row in one.get_offsets()],
        }
        for one in axes.collections
    ]
    return {
        "x": axes.get_xlabel(),
        "y": axes.get_ylabel(),
        "title": axes.get_title(),
        "limits": [*axes.get_xlim(), *axes.get_ylim()],
        "scales": [axes.get_xscale(), axes.get_yscale()],
        "legend": [t.get_text() for t in legend.get_texts()] if legend is not None else None,
        "texts": [t.get_text() for t in axes.texts],
        "lines": lines,
        "areas": areas,
        "patches": len(axes.patches),
    }


@pytest.mark.filterwarnings("ignore::rocstats.errors.RocstatsWarning")
@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_is_as_recorded(name: str) -> None:
    hold("plots", name, shortened(told(DRAWN[name]())))
