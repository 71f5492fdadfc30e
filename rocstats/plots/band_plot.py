"""Drawings of confidence bands and of points of a ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.arrays import Floats
from rocstats.plots.plane import draw_plane, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_band", "draw_points"]


def draw_band(
    fpr: Floats,
    low: Floats,
    high: Floats,
    curve: tuple[Floats, Floats],
    label: str,
    ax: Axes | None,
) -> Axes:
    """Draw a ROC curve on the plane, with its band shaded in the same colour."""
    ax = draw_plane(*curve, label, ax)
    colour = ax.lines[-1].get_color()
    keep = thin(fpr, high)
    ax.fill_between(
        fpr[keep], low[keep], high[keep], color=colour, alpha=0.2, linewidth=0.0, zorder=1
    )
    return ax


def draw_points(fpr: Floats, tpr: Floats, ax: Axes) -> Axes:
    """Draw points in the colour of the last curve."""
    ax.scatter(fpr, tpr, s=18.0, color=ax.lines[-1].get_color(), zorder=3)
    return ax
