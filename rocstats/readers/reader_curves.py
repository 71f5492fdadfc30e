"""ROC curves of readers and their mean, by test, and all of them on one plane."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocstats.curves.averaging import AverageCurve, average_curves
from rocstats.curves.roc import roc_curve
from rocstats.curves.roc_set import RocCurves
from rocstats.errors import check_option

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.readers.reader_study import ReaderStudy

__all__ = ["draw_study", "mean_curve", "reader_curves"]


def reader_curves(study: ReaderStudy, test: str) -> RocCurves:
    """Return a curve for each reader of a test."""
    at = study.find(test, "test")
    who = [study.readers[j] for i, j in study.cells if i == at]
    return RocCurves(
        curves=tuple(
            replace(roc_curve(study.sample(test, reader)), account=study.account) for reader in who
        )
    )


def mean_curve(study: ReaderStudy, test: str, method: str) -> AverageCurve:
    """Return the mean of the readers' curves of a test."""
    check_option("method", method, ("vertical", "binormal"))
    how: Any = method
    mean = average_curves(list(reader_curves(study, test)), how)
    return replace(mean, classifier=f"readers in {test}")


def draw_study(study: ReaderStudy, ax: Axes | None, method: str) -> Axes:
    """Draw the readers' curves, thin, and the mean of each test."""
    from rocstats.plots.plane import COLOURS, Line, draw_plane, draw_unnamed, new_axes

    ax = new_axes(ax)
    for i, test in enumerate(study.tests):
        colour = COLOURS[i % len(COLOURS)]
        thin = Line(color=colour, linestyle="-", linewidth=0.6, label="_reader")
        for curve in reader_curves(study, test):
            draw_unnamed(curve.fpr, curve.tpr, "_reader", ax, line=thin)
    for i, test in enumerate(study.tests):
        mean = mean_curve(study, test, method)
        label = f"{test} (mean of {mean.n_curves} readers, area {mean.area():.3f})"
        line = Line(color=COLOURS[i % len(COLOURS)], linestyle="-", linewidth=2.2, label=label)
        draw_plane(*mean.path(), label, ax, line=line)
    return ax
