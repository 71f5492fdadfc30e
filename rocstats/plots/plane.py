"""The ROC plane, its axes, colours and dashes: what drawings of curves start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.plots.legends import place_legend
from rocstats.plots.pictures import check_drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "COLOURS",
    "Color",
    "Floats",
    "Line",
    "draw_plane",
    "draw_steps",
    "draw_unnamed",
    "new_axes",
    "next_style",
    "thin",
]

Floats = NDArray[np.float64]
Color = str | tuple[float, ...]

# Okabe & Ito's, told apart by colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":")  # for print
_CHANCE = "chance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a caller wants of a curve's line; None leaves it as it would be."""

    label: str | None = None
    color: Color | None = None
    linestyle: str | None = None
    linewidth: float | None = None

    def over(
        self, label: str, style: tuple[str, str], linewidth: float, **rest: Any
    ) -> dict[str, Any]:
        """Return matplotlib's keywords: those that are wanted over those that would be."""
        own = {"label": label, "color": style[0], "linestyle": style[1], "linewidth": linewidth}
        wanted = {name: getattr(self, name) for name in own}
        return own | {name: v for name, v in wanted.items() if v is not None} | rest


def draw_plane(
    fpr: Floats,
    tpr: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    line: Line | None = None,
    x_label: str = "1 - specificity",
    y_label: str = "Sensitivity",
) -> Axes:
    """Draw a curve on the ROC plane, with the chance line beneath the first one, and name it."""
    ax = draw_unnamed(fpr, tpr, label, ax, line=line, x_label=x_label, y_label=y_label)
    return place_legend(ax, "lower right")


def draw_unnamed(
    fpr: Floats,
    tpr: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    line: Line | None = None,
    x_label: str = "1 - specificity",
    y_label: str = "Sensitivity",
) -> Axes:
    """Draw a curve as `draw_plane` does, and leave the legend for when more is drawn."""
    ax = new_axes(ax)
    if not any(line.get_gid() == _CHANCE for line in ax.lines):
        ax.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, gid=_CHANCE, zorder=1)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xlabel=x_label, ylabel=y_label)
        ax.set_aspect("equal")
    keep = thin(fpr, tpr)
    style = (line or Line()).over(label, next_style(ax), 1.6, zorder=2)
    ax.plot(fpr[keep], tpr[keep], **style)
    return ax


def draw_steps(
    margin: Floats,
    auc: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    line: Line | None = None,
) -> Axes:
    """Draw a scored ROC curve: the AUC that is left after a margin is taken off the positives."""
    ax = new_axes(ax)
    keep = thin(margin, auc)
    style = (line or Line()).over(label, next_style(ax), 1.6)
    ax.step(margin[keep], auc[keep], where="post", **style)
    ax.set(xlabel="Margin taken off the positives", ylabel="AUC", ylim=(-0.01, 1.01))
    ax.set_xlim(left=0.0)
    return place_legend(ax, "upper right")


def next_style(ax: Axes) -> tuple[str, str]:
    """Return colour and dash pattern of the next line on these axes."""
    drawn = sum(line.get_gid() != _CHANCE for line in ax.lines)
    turn, place = divmod(drawn, len(COLOURS))
    return COLOURS[place], _DASHES[(place + turn) % len(_DASHES)]


def new_axes(ax: Axes | None, *, size: tuple[float, float] = (4.5, 4.5)) -> Axes:
    """Return the axes, or those of a new figure of pyplot, which notebooks and ``show`` show."""
    if ax is not None:
        return ax
    check_drawing()
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]


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
