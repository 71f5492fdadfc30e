"""The scores of both classes: positives above the line, negatives below it, as shares of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.plots.plane import COLOURS, Floats, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_distribution"]

_MOST_BINS = 40


def draw_distribution(
    positive: Floats,
    negative: Floats,
    labels: tuple[str, str],
    ax: Axes | None = None,
    *,
    x_label: str,
    thresholds: Sequence[float] = (),
) -> Axes:
    """Draw two histograms back to back on the same bins, and a line at every threshold.

    Parameters
    ----------
    positive, negative : finite scores of either class
    labels : what the classes are called
    x_label : the marker
    thresholds : where a line stands
    """
    from matplotlib.ticker import FuncFormatter

    ax = new_axes(ax, size=(4.5, 3.4))
    edges = np.histogram_bin_edges(np.concatenate([positive, negative]), bins="auto")
    if edges.size > _MOST_BINS + 1:
        edges = np.linspace(edges[0], edges[-1], _MOST_BINS + 1)
    for scores, label, colour, way in (
        (positive, labels[0], COLOURS[1], 1.0),
        (negative, labels[1], COLOURS[0], -1.0),
    ):
        share = way * np.histogram(scores, edges)[0] / max(1, scores.size)
        ax.stairs(
            share, edges, fill=True, color=colour, alpha=0.75, label=f"{label}, n = {scores.size}"
        )
    ax.axhline(0.0, color="#333333", linewidth=0.8)
    for threshold in thresholds:
        ax.axvline(threshold, color="#333333", linewidth=1.0, linestyle="--")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{abs(100 * y):g}%"))
    ax.set(xlabel=x_label, ylabel="Share of the class")
    ax.margins(y=0.08)
    ax.legend(frameon=False, fontsize="small", loc="best")
    return ax
