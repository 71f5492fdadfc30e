"""The ROC plane, its axes, colours and dashes: what drawings of curves start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.plots.pictures import check_drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "draw_plane", "draw_steps", "new_axes", "next_style", "thin"]

# Okabe & Ito's, told apart by colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":")  # for print
_CHANCE = "chance"


def draw_plane(
    fpr: Floats,
    tpr: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    x_label: str = "1 - specificity",
    y_label: str = "Sensitivity",
) -> Axes:
    """Draw a curve on the ROC plane, with the chance line beneath the first one."""
    ax = new_axes(ax)
    if not any(line.get_gid() == _CHANCE for line in ax.lines):
        ax.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, gid=_CHANCE, zorder=1)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xlabel=x_label, ylabel=y_label)
        ax.set_aspect("equal")
    keep = thin(fpr, tpr)
    colour, dash = next_style(ax)
    ax.plot(fpr[keep], tpr[keep], dash, color=colour, linewidth=1.6, label=label, zorder=2)
    ax.legend(loc="lower right", frameon=False)
    return ax


def draw_steps(margin: Floats, auc: Floats, label: str, ax: Axes | None = None) -> Axes:
    """Draw a scored ROC curve: the AUC that is left after a margin is taken off the positives."""
    ax = new_axes(ax)
    keep = thin(margin, auc)
    colour, dash = next_style(ax)
    ax.step(margin[keep], auc[keep], dash, where="post", color=colour, linewidth=1.6, label=label)
    ax.set(xlabel="Margin taken off the positives", ylabel="AUC", ylim=(-0.01, 1.01))
    ax.set_xlim(left=0.0)
    ax.legend(loc="upper right", frameon=False)
    return ax


def next_style(ax: Axes) -> tuple[str, str]:
    """Return colour and dash pattern of the next line on these axes."""
    drawn = sum(line.get_gid() != _CHANCE for line in ax.lines)
    place = drawn % len(COLOURS)
    return COLOURS[place], _DASHES[place % len(_DASHES)]


def new_axes(ax: Axes | None) -> Axes:
    """Return the axes, or those of a new figure."""
    if ax is not None:
        return ax
    check_drawing()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    return figure.subplots()


def thin(x: Floats, y: Floats, *, resolution: int = 2048) -> NDArray[np.intp]:
    """Return which vertices of a monotone path to draw so that no point moves by 1/resolution.

    Along a monotone path ``|x| + |y|`` only grows; the first and the last vertex within each step
    of it are kept, at most ``4 * resolution`` of them, on any unit of measurement.
    """
    if x.size <= 4 * resolution:
        return np.arange(x.size)
    extent = [float(abs(v[-1] - v[0])) or 1.0 for v in (x, y)]
    travelled = np.abs(x - x[0]) / extent[0] + np.abs(y - y[0]) / extent[1]
    step = np.floor(travelled * resolution)
    change = step[1:] != step[:-1]
    keep = np.append(True, change) | np.append(change, True)
    return np.flatnonzero(keep)
