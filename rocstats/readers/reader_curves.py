"""ROC curves of readers and their mean, by test, and all of them on one plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocstats.curves.averaging import AverageCurve, average_curves
from rocstats.curves.roc import roc_curve
from rocstats.curves.roc_set import RocCurves
from rocstats.errors import check_option

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.data.sample import ScoredSample
    from rocstats.readers.reader_study import ReaderStudy

__all__ = ["draw_program", "draw_study", "mean_curve", "reader_curves", "study_pictures"]

_FEW = 12  # ratings of a reader that are marked one by one


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
        thin = Line(color=colour, linestyle="-", linewidth=0.6, label="_nolegend_")
        for curve in reader_curves(study, test):
            draw_unnamed(curve.fpr, curve.tpr, "_nolegend_", ax, line=thin)
    for i, test in enumerate(study.tests):
        mean = mean_curve(study, test, method)
        label = f"{test} (mean of {mean.n_curves} readers, area {mean.area():.3f})"
        line = Line(color=COLOURS[i % len(COLOURS)], linestyle="-", linewidth=2.2, label=label)
        draw_plane(*mean.path(), label, ax, line=line)
    return ax


def draw_program(
    study: ReaderStudy,
    program: ScoredSample,
    name: str,
    test: str,
    readers: Sequence[str],
    ax: Axes | None,
    method: str,
) -> Axes:
    """Draw the readers' curves, thin, their mean, and the curve of a program."""
    from rocstats.plots.plane import COLOURS, Line, draw_plane, draw_unnamed, new_axes

    check_option("method", method, ("vertical", "binormal"))
    how: Any = method
    ax = new_axes(ax)
    curves = [
        replace(roc_curve(study.sample(test, reader)), account=study.account) for reader in readers
    ]
    thin = Line(color=COLOURS[0], linestyle="-", linewidth=0.6, label="_nolegend_")
    for curve in curves:
        draw_unnamed(curve.fpr, curve.tpr, "_nolegend_", ax, line=thin)
        if curve.fpr.size <= _FEW:
            ax.plot(curve.fpr[1:-1], curve.tpr[1:-1], "o", color=COLOURS[0], markersize=4)
    if len(curves) > 1:
        mean = average_curves(curves, how)
        (fpr, tpr), area = mean.path(), mean.area()
        label = f"mean of {len(curves)} readers (area {area:.3f})"
    else:
        fpr, tpr = curves[0].fpr, curves[0].tpr
        label = f"{readers[0]} (area {curves[0].area():.3f})"
    line = Line(color=COLOURS[0], linestyle="-", linewidth=2.2, label=label)
    draw_unnamed(fpr, tpr, label, ax, line=line)
    own = roc_curve(program)
    label = f"{name} (area {own.area():.3f})"
    line = Line(color=COLOURS[1], linestyle="-", linewidth=2.2, label=label)
    return draw_plane(own.fpr, own.tpr, label, ax, line=line)


def study_pictures(
    draw: Callable[[Axes], object],
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    label: str,
) -> dict[str, str]:
    """Return the drawings of a page as SVG text: curves, and a forest of rows by their names."""
    from rocstats.plots.forest_plot import draw_forest
    from rocstats.plots.pictures import svg_text

    def forest(ax: Axes) -> Axes:
        return draw_forest(rows, names, ax, x_label=label)

    return {
        "curves": svg_text(draw, size=(5.2, 5.2)),
        "forest": svg_text(forest, size=(5.6, 1.6 + 0.3 * len(rows))),
    }
