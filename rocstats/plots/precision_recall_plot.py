"""Drawing of precision-recall curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.plots.plane import new_axes, next_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_precision_recall"]

_CHANCE = "chance"  # the mark by which next_style knows a line that is no curve


def draw_precision_recall(
    recall: Floats, precision: Floats, prevalence: float, label: str, ax: Axes | None = None
) -> Axes:
    """Draw a curve as the steps whose area is the average precision, and its prevalence."""
    ax = new_axes(ax)
    if all(float(level[0]) != prevalence for level in _heights(ax, chance=True)):
        note = f"prevalence {prevalence:.3f}"
        ax.axhline(prevalence, color="#888888", linewidth=0.8, label=note, gid=_CHANCE, zorder=1)
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xlabel="Recall", ylabel="Precision")
    ax.set_aspect("equal")
    x, y = np.repeat(np.append(0.0, recall), 2)[1:-1], np.repeat(precision, 2)
    keep = thin_steps(x, y)
    colour, dash = next_style(ax)
    ax.plot(x[keep], y[keep], dash, color=colour, linewidth=1.4, label=label, zorder=2)
    low = min(float(height.mean()) for height in _heights(ax, chance=False))
    ax.legend(loc="lower left" if low > 0.5 else "upper right", frameon=False, fontsize="small")
    return ax


def _heights(ax: Axes, *, chance: bool) -> list[Floats]:
    """Return the precisions of the lines of chance, or of the curves."""
    lines = [line for line in ax.lines if (line.get_gid() == _CHANCE) == chance]
    return [np.asarray(line.get_ydata(), dtype=np.float64) for line in lines]


def thin_steps(x: Floats, y: Floats, *, resolution: int = 1024) -> NDArray[np.intp]:
    """Return which vertices of a path to draw so that no point moves by more than 1/resolution.

    The path may turn back; the first and the last vertex are kept within each 1/resolution of the
    way travelled along it.
    """
    if x.size <= 4 * resolution:
        return np.arange(x.size)
    way = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
    step = np.floor(way * resolution)
    change = step[1:] != step[:-1]
    return np.flatnonzero(np.append(True, change) | np.append(change, True))
