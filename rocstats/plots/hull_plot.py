"""Drawing of a ROC convex hull with iso-performance lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.arrays import Floats
from rocstats.plots.plane import draw_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_hull"]

_INK = "#333333"
_DASHES = ("--", ":", "-.")
_MOST_MARKS = 60  # more vertices than this would hide the hull


def draw_hull(
    fpr: Floats,
    tpr: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    curves: Sequence[tuple[str, Floats, Floats]],
    lines: Sequence[tuple[str, float, Sequence[tuple[float, float]]]] = (),
) -> Axes:
    """Draw curves, their hull on top of them, and lines of a slope through some of its points."""
    for name, curve_fpr, curve_tpr in curves:
        ax = draw_plane(curve_fpr, curve_tpr, name, ax)
    ax = draw_plane(fpr, tpr, label, ax)
    hull = ax.lines[-1]
    hull.set(color=_INK, linestyle="-", linewidth=2.2, alpha=0.75, zorder=3)
    if fpr.size <= _MOST_MARKS:
        hull.set(marker="o", markersize=4)
    for i, (text, slope, points) in enumerate(lines):
        ends = line_in_square(slope, *points[0])
        dash = _DASHES[i % len(_DASHES)]
        ax.plot(*ends, dash, color=_INK, linewidth=1.2, label=text, zorder=2)
        x, y = zip(*points, strict=True)
        ax.plot(x, y, "o", color=_INK, markersize=8, fillstyle="none", zorder=4)
    ax.legend(loc="lower right", frameon=False)
    return ax


def line_in_square(slope: float, x: float, y: float) -> tuple[list[float], list[float]]:
    """Return the ends of the line through a point of the unit square, cut at its border."""
    if math.isinf(slope):
        return [x, x], [0.0, 1.0]
    ends = np.array([0.0, 1.0])
    if slope > 0.0:
        left, right = max(0.0, x - y / slope), min(1.0, x + (1.0 - y) / slope)
        ends = np.array([left, right])
    height = np.clip(y + slope * (ends - x), 0.0, 1.0)
    return ends.tolist(), height.tolist()
