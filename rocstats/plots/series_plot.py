"""Drawings of several series of numbers: lines, marks by name, and a cloud with its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from rocstats.plots.plane import COLOURS, new_axes, next_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_bands", "draw_cloud", "draw_lines", "draw_marks", "draw_steps_down"]

_MARKS = "osD^vP*"
_UPRIGHT = 4  # names that have room side by side


def draw_lines(
    series: Mapping[str, tuple[ArrayLike, ArrayLike]],
    ax: Axes,
    *,
    x_label: str,
    y_label: str,
    mark: bool = True,
    level: float | None = None,
) -> Axes:
    """Draw each series as a line through its points, with a rule at a level."""
    for i, (label, (x, y)) in enumerate(series.items()):
        colour, dash = next_style(ax)
        shape = _MARKS[i % len(_MARKS)] if mark else ""
        ax.plot(
            np.asarray(x),
            np.asarray(y),
            dash,
            marker=shape,
            color=colour,
            markersize=4,
            label=label,
        )
    if level is not None:  # after the lines, whose styles go by how many there are
        ax.axhline(level, color="#888888", linewidth=0.8, zorder=1)
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.legend(frameon=False, fontsize="small")
    return ax


def draw_bands(
    series: Mapping[str, Sequence[ArrayLike]],
    ax: Axes | None,
    *,
    x_label: str,
    y_label: str,
    level: float | None = None,
) -> Axes:
    """Draw each series (x, y, low, high) as a line through its points, with its band shaded."""
    ax = new_axes(ax, size=(5.5, 4.0))
    for i, (label, (x, y, low, high)) in enumerate(series.items()):
        colour, dash = next_style(ax)
        shape = _MARKS[i % len(_MARKS)]
        ax.plot(x, y, dash, marker=shape, color=colour, markersize=3, label=label)
        ax.fill_between(np.asarray(x), low, high, color=colour, alpha=0.15, linewidth=0.0)
    if level is not None:
        ax.axhline(level, color="#888888", linewidth=0.8, zorder=1)
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.legend(frameon=False, fontsize="small")
    return ax


def draw_marks(
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    ax: Axes,
    *,
    y_label: str,
    errors: Mapping[str, Sequence[float]] | None = None,
    level: float | None = None,
) -> Axes:
    """Draw each series as marks over names, with bars for errors and a rule at a level."""
    if level is not None:
        ax.axhline(level, color="#888888", linewidth=0.8)
    place = np.arange(len(names), dtype=np.float64)
    shift = 0.5 / max(len(series), 1)
    for i, (label, values) in enumerate(series.items()):
        bars = None if errors is None else np.asarray(errors[label], dtype=np.float64)
        ax.errorbar(
            place + shift * (i - (len(series) - 1) / 2),
            np.asarray(values, dtype=np.float64),
            yerr=bars,
            fmt=_MARKS[i % len(_MARKS)],
            color=COLOURS[i % len(COLOURS)],
            markersize=4,
            linewidth=1.0,
            label=label,
        )
    if len(names) > _UPRIGHT:
        ax.set_xticks(place, list(names), rotation=60, ha="right")
    else:
        ax.set_xticks(place, list(names))
    ax.set_ylabel(y_label)
    ax.legend(frameon=False, fontsize="small")
    return ax


def draw_cloud(
    clouds: Mapping[str, tuple[ArrayLike, ArrayLike]], ax: Axes, *, x_label: str, y_label: str
) -> Axes:
    """Draw clouds of points, each with its least-squares line and squared correlation."""
    for i, (label, (given_x, given_y)) in enumerate(clouds.items()):
        x, y = np.asarray(given_x, dtype=np.float64), np.asarray(given_y, dtype=np.float64)
        slope, height = np.polyfit(x, y, 1)
        share = float(np.corrcoef(x, y)[0, 1] ** 2)
        ax.plot(x, y, _MARKS[i], color=COLOURS[i], markersize=2, alpha=0.4)
        ends = np.array([x.min(), x.max()])
        ax.plot(
            ends,
            height + slope * ends,
            "-",
            color=COLOURS[i],
            label=f"{label} (squared correlation {share:.3f})",
        )
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.legend(frameon=False, fontsize="small")
    return ax


def draw_steps_down(
    series: Mapping[str, tuple[ArrayLike, ArrayLike]], ax: Axes, *, x_label: str, y_label: str
) -> Axes:
    """Draw each series as steps that hold their height until the next point."""
    for label, (x, y) in series.items():
        colour, dash = next_style(ax)
        ax.step(np.asarray(x), np.asarray(y), dash, where="post", color=colour, label=label)
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.legend(frameon=False, fontsize="small")
    return ax
