"""Drawings of curves: with a band, an average's limits, a hull; precision against recall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocstats.plots.legends import place_legend
from rocstats.plots.plane import Floats, Line, draw_unnamed, new_axes, next_style, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_along",
    "draw_average",
    "draw_band",
    "draw_curves",
    "draw_detection_error",
    "draw_hull",
    "draw_points",
    "draw_precision_recall",
]

_MOST_BARS = 25  # more bars than this are drawn as a band, or thinned
_INK = "#333333"
_MARKS = "osD^vP*"
_DASHES = ("--", ":", "-.")
_MOST_MARKS = 60  # more vertices than this would hide the hull
_CHANCE = "chance"  # the mark by which next_style knows a line that is no curve

Limits = tuple[Floats, Floats, Floats]  # the means and their lower and upper limits


def draw_band(
    fpr: Floats,
    low: Floats,
    high: Floats,
    curve: tuple[Floats, Floats],
    label: str,
    ax: Axes | None,
    line: Line | None = None,
) -> Axes:
    """Draw a ROC curve on the plane, with its band shaded in the same colour."""
    ax = draw_unnamed(*curve, label, ax, line=line)
    colour = ax.lines[-1].get_color()
    keep = thin(fpr, high)
    ax.fill_between(
        fpr[keep], low[keep], high[keep], color=colour, alpha=0.2, linewidth=0.0, zorder=1
    )
    return place_legend(ax, "lower right")


def draw_along(
    x: Floats,
    y: Floats,
    limits: tuple[Floats, Floats],
    chance: Floats,
    label: str,
    ax: Axes | None,
    line: Line | None = None,
    *,
    x_label: str,
    y_label: str,
) -> Axes:
    """Draw values along a setting with their band, and beside them what chance would give."""
    ax = new_axes(ax)
    style = (line or Line()).over(label, next_style(ax), 1.6, zorder=2)
    ax.plot(x, y, **style)
    colour = ax.lines[-1].get_color()
    ax.fill_between(x, *limits, color=colour, alpha=0.2, linewidth=0.0, zorder=1)
    ax.plot(x, chance, ":", color="#888888", linewidth=1.2, label="chance", gid=_CHANCE)
    ax.set(xlabel=x_label, ylabel=y_label, xlim=(0, 1), ylim=(-0.01, 1.01))
    return place_legend(ax, "lower right")


def draw_curves(curves: Sequence[tuple[str, Floats, Floats]], ax: Axes | None) -> Axes:
    """Draw curves on one plane, each with its name; a long legend makes a new figure taller."""
    extra = 0.18 * max(0, len(curves) - 6)
    ax = new_axes(ax, size=(4.5, 4.5 + extra))
    for label, fpr, tpr in curves:
        draw_unnamed(fpr, tpr, label, ax)
    return place_legend(ax, "lower right")


def draw_points(fpr: Floats, tpr: Floats, ax: Axes) -> None:
    """Draw points in the colour of the last curve."""
    ax.scatter(fpr, tpr, s=18.0, color=ax.lines[-1].get_color(), zorder=3)
    place_legend(ax, "lower right")


def draw_average(
    path_fpr: Floats,
    path_tpr: Floats,
    label: str,
    ax: Axes | None,
    *,
    fpr: Limits,
    tpr: Limits,
    line: Line | None = None,
) -> Axes:
    """Draw the path of an average curve, with bars or a band for limits within [0, 1].

    A few points have bars, across too where the false positive rate varies. Many points have a
    band where it is fixed, and bars at some of them where it varies.
    """
    ax = draw_unnamed(path_fpr, path_tpr, label, ax, line=line)
    colour = ax.lines[-1].get_color()
    varies = bool(np.isfinite(fpr[1]).any())
    x, left, right = (np.clip(v, 0.0, 1.0) for v in fpr)
    y, low, high = (np.clip(v, 0.0, 1.0) for v in tpr)
    if x.size > _MOST_BARS and not varies:
        keep = thin(x, y)
        low, high = (np.where(np.isnan(v), y, v)[keep] for v in (low, high))
        ax.fill_between(x[keep], low, high, color=colour, alpha=0.2, linewidth=0.0, zorder=1)
        return place_legend(ax, "lower right")
    step = np.linspace(0, x.size - 1, min(x.size, _MOST_BARS)).astype(np.intp)
    bars = [ax.vlines(x[step], low[step], high[step])]
    if varies:
        bars.append(ax.hlines(y[step], left[step], right[step]))
    for lines in bars:
        lines.set(color=colour, linewidth=1.0, alpha=0.8, zorder=1)
    return place_legend(ax, "lower right")


def draw_hull(
    fpr: Floats,
    tpr: Floats,
    label: str,
    ax: Axes | None = None,
    *,
    curves: Sequence[tuple[str, Floats, Floats]],
    points: Sequence[tuple[str, float, float]] = (),
    lines: Sequence[tuple[str, float, Sequence[tuple[float, float]]]] = (),
) -> Axes:
    """Draw curves and points, their hull on top of them, and lines of a slope through vertices."""
    for name, curve_fpr, curve_tpr in curves:
        ax = draw_unnamed(curve_fpr, curve_tpr, name, ax)
    for i, (name, x, y) in enumerate(points):
        ax = draw_unnamed(np.array([x]), np.array([y]), name, ax)
        ax.lines[-1].set(linestyle="none", marker=_MARKS[i % len(_MARKS)], markersize=7, zorder=4)
    ax = draw_unnamed(fpr, tpr, label, ax)
    hull = ax.lines[-1]
    hull.set(color=_INK, linestyle="-", linewidth=2.2, alpha=0.75, zorder=3)
    if fpr.size <= _MOST_MARKS:
        hull.set(marker="o", markersize=4)
    for i, (text, slope, through) in enumerate(lines):
        ends = line_in_square(slope, *through[0])
        dash = _DASHES[i % len(_DASHES)]
        ax.plot(*ends, dash, color=_INK, linewidth=1.2, label=text, zorder=2)
        across, up = zip(*through, strict=True)
        ax.plot(across, up, "o", color=_INK, markersize=8, fillstyle="none", zorder=4)
    return place_legend(ax, "lower right")


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


def draw_precision_recall(
    recall: Floats,
    precision: Floats,
    prevalence: float,
    label: str,
    ax: Axes | None = None,
    *,
    line: Line | None = None,
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
    style = (line or Line()).over(label, next_style(ax), 1.4, zorder=2)
    ax.plot(x[keep], y[keep], **style)
    low = min(float(height.mean()) for height in _heights(ax, chance=False))
    return place_legend(ax, "lower left" if low > 0.5 else "upper right", size="small")


_ERRORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99)


def draw_detection_error(
    fpr: Floats, fnr: Floats, label: str, ax: Axes | None = None, *, line: Line | None = None
) -> Axes:
    """Draw normal deviates of both error rates; a rate of 0 or 1 lies on the frame."""
    deviate = NormalDist().inv_cdf
    ax, ends = new_axes(ax), (deviate(0.0005), deviate(0.995))
    x, y = (np.clip(rate, *ends) for rate in (fpr, fnr))
    keep = thin_steps(x, y)
    style = (line or Line()).over(label, next_style(ax), 1.6, zorder=2)
    ax.plot(x[keep], y[keep], **style)
    ticks, words = [deviate(rate) for rate in _ERRORS], [f"{100 * rate:g}" for rate in _ERRORS]
    ax.set_xticks(ticks, words, rotation=90, fontsize="small")
    ax.set_yticks(ticks, words, fontsize="small")
    ax.set(xlim=ends, ylim=ends)
    ax.set(xlabel="False positives among negatives, %", ylabel="Missed among positives, %")
    ax.set_aspect("equal")
    return place_legend(ax, "upper right")


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
