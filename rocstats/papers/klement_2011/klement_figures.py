"""Klement et al. (2011): Figs 4 to 7 as drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.paper import PaperFigure

__all__ = ["curves", "figures"]

Rows = list[dict[str, Any]]


def figures(
    areas: Rows, gaps: Rows, middle: Sequence[PaperFigure], *, with_stand_ins: bool
) -> tuple[PaperFigure, ...]:
    """Return all drawings in the order of the paper; captions own up to stand-ins."""
    drawn = (*_area_figures(areas), *middle, *_gap_figures(gaps))
    if not with_stand_ins:
        return drawn
    return tuple(replace(f, title=f"{f.title}; with stand-ins for sets") for f in drawn)


def _area_figures(areas: Rows) -> list[PaperFigure]:
    return [
        figure
        for method, number in (("PET", "4"), ("NB", "5"))
        for figure in _pair_of_figures(
            [row for row in areas if row["method"] == method],
            f"figure-{number}",
            f"Fig. {number}: {method}",
            "Area",
        )
    ]


def _gap_figures(gaps: Rows) -> list[PaperFigure]:
    return _pair_of_figures(gaps, "figure-7", "Fig. 7: NB less PET", "Difference in area")


def _pair_of_figures(rows: Rows, name: str, title: str, label: str) -> list[PaperFigure]:
    """Return the standard deviations and the means, as the paper stacks them."""
    return [_marks(rows, name, title, label, part) for part in ("sd", "mean")]


def _marks(rows: Rows, name: str, title: str, label: str, part: str) -> PaperFigure:
    words = "standard deviation over runs" if part == "sd" else "mean over runs"

    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_marks

        series = {
            "AUC": [row[f"auc_{part}"] for row in rows],
            "smAUC": [row[f"smauc_{part}"] for row in rows],
        }
        level = 0.0 if name == "figure-7" and part == "mean" else None
        return draw_marks(
            [row["set"] for row in rows], series, ax, y_label=f"{label}, {part}", level=level
        )

    return PaperFigure(
        name=f"{name}-{part}",
        title=f"{title}, {words}",
        alt=f"AUC and smAUC for each data set: {words}; every number is in a table below.",
        draw=draw,
        size=(7.2, 3.8),
    )


def curves(data: BenchSet, scores: Mapping[str, Any], smooth: bool) -> PaperFigure:
    """Return the curves of both methods on one set, ROC or smROC."""
    name = "smROC" if smooth else "ROC"

    def draw(ax: Any) -> object:
        import warnings

        from rocstats.plots.plane import draw_plane

        y = data.y.astype(np.int64)
        for method, values in scores.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rs.MidOutOfRangeWarning)
                curve: Any = (
                    rs.smroc_curve(y, values, midpoint="paper")
                    if smooth
                    else rs.roc_curve(y, values)
                )
            draw_plane(
                curve.fpr,
                curve.tpr,
                f"{method} ({curve.area():.3f})",
                ax,
                x_label="Horizontal share" if smooth else "1 - specificity",
                y_label="Vertical share" if smooth else "Sensitivity",
            )
        return ax

    return PaperFigure(
        name=f"figure-6-{name.lower()}",
        title=f"Fig. 6: {name} curves of NB and PET on oz8h, first run",
        alt=f"{name} curves of naive Bayes and PET on the 8-hour ozone data.",
        draw=draw,
        size=(4.6, 4.6),
    )
