"""Drawings of calibration and decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.plots.legends import place_legend
from rocstats.plots.plane import Line, new_axes, next_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.probabilities.net_benefit import DecisionCurve
    from rocstats.probabilities.reliability import CalibrationCurve

__all__ = ["draw_calibration", "draw_decision"]

_CHANCE = "chance"  # the mark by which next_style knows a line that is no curve
_GREY = "#888888"
_BARS = 50  # of the histogram, which has a strip of its own from the floor up
_FLOOR, _STRIP = -0.17, 0.13
_GRID = 512  # points at which a smooth curve is drawn


def draw_calibration(
    curve: CalibrationCurve, ax: Axes | None = None, line: Line | None = None
) -> Axes:
    """Draw bins with their intervals, the smooth curve, and how often each probability came."""
    ax = new_axes(ax)
    if not any(line.get_gid() == _CHANCE for line in ax.lines):
        ax.plot([0, 1], [0, 1], color=_GREY, linewidth=0.8, gid=_CHANCE, zorder=1)
        ax.set(
            xlim=(-0.02, 1.02),
            ylim=(_FLOOR, 1.02),
            xticks=np.linspace(0.0, 1.0, 6),
            yticks=np.linspace(0.0, 1.0, 6),
            xlabel="Predicted probability",
            ylabel="Observed share of positives",
        )
        ax.set_aspect("equal")
    style = (line or Line()).over(curve.classifier, next_style(ax), 1.2, zorder=2)
    colour, label = style["color"], style.pop("label")
    marker = "os^Dv<>"[len(ax.containers) % 7]
    prob, share = curve.smooth
    grid = np.linspace(prob[0], prob[-1], _GRID) if prob.size > _GRID else prob
    smooth = np.clip(np.interp(grid, prob, share), 0.0, 1.0)
    ax.plot(grid, smooth, **style)
    reach = np.stack([curve.observed - curve.conf_low, curve.conf_high - curve.observed])
    bars = ax.errorbar(
        curve.predicted,
        curve.observed,
        yerr=np.maximum(reach, 0.0),
        fmt=marker,
        markersize=3.5,
        color=colour,
        elinewidth=0.8,
        label=label,
        zorder=3,
    )
    bars.lines[0].set_gid(_CHANCE)
    count, edges = np.histogram(curve.forecasts.prob, bins=_BARS, range=(0.0, 1.0))
    top = _FLOOR + _STRIP * count / count.max()
    for fill, alpha in ((True, 0.25), (False, 1.0)):
        ax.stairs(top, edges, baseline=_FLOOR, fill=fill, alpha=alpha, color=colour, linewidth=0.6)
    return place_legend(ax, "upper left", size="small")


def draw_decision(curve: DecisionCurve, ax: Axes | None = None) -> Axes:
    """Draw the net benefit of every strategy, with pointwise bands around the models."""
    ax = new_axes(ax)
    *models, treat_all, treat_none = curve.strategies
    top = max(1.0 if curve.standardized else curve.prevalence, float(curve.net_benefit.max()))
    for name in models:
        found = curve.curve(name)
        colour, dash = next_style(ax)
        ax.plot(found.threshold, found.value, dash, color=colour, linewidth=1.4, label=name)
        ax.fill_between(
            found.threshold, found.conf_low, found.conf_high, color=colour, alpha=0.15, linewidth=0
        )
    for name, colour in ((treat_all, _GREY), (treat_none, "#000000")):
        found = curve.curve(name)
        line = ax.plot(found.threshold, found.value, color=colour, linewidth=0.8, label=name)[0]
        line.set(gid=_CHANCE, zorder=1)
    ax.set(
        xlabel="Threshold probability",
        ylabel="Standardised net benefit" if curve.standardized else "Net benefit",
        ylim=(-0.1 * top, 1.1 * top),
    )
    ax.margins(x=0.01)
    return place_legend(ax, "best", size="small")
