"""Drawings of operating points, cutpoints and rates at a fixed rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocstats.plots.legends import place_legend
from rocstats.plots.plane import Floats, draw_unnamed, new_axes, next_style, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_cutpoint", "draw_fixed_rate", "draw_predictive", "draw_rates"]

_CHANCE = "chance"  # the mark by which next_style knows a line that is no curve
_INK = "#333333"
_MARKS = "os^D"

Columns = Mapping[str, tuple[Floats, Floats, Floats]]  # value, lower limit, upper limit


def draw_rates(
    threshold: Floats,
    columns: Columns,
    classifier: str,
    ax: Axes | None = None,
    *,
    everywhere: bool,
    higher_is_positive: bool,
) -> Axes:
    """Draw rates against the threshold: as steps where it is everywhere, else as points."""
    ax = new_axes(ax)
    order = np.argsort(threshold)
    order = order[np.isfinite(threshold[order])]
    # A threshold between two scores acts as the more positive of them.
    where: Literal["pre", "post"] = "pre" if higher_is_positive else "post"
    for mark, (name, column) in zip(_MARKS, columns.items(), strict=False):
        (colour, dash), label = next_style(ax), name.capitalize()
        x = threshold[order]
        value, low, high = (part[order] for part in column)
        if not everywhere:
            reach = np.maximum([value - low, high - value], 0.0)
            ax.errorbar(
                x, value, reach, fmt=mark, color=colour, markersize=4, elinewidth=1, label=label
            )
            continue
        keep = thin(x, value)
        x, value, low, high = x[keep], value[keep], low[keep], high[keep]
        ax.fill_between(x, low, high, step=where, color=colour, alpha=0.2, linewidth=0)
        ax.step(x, value, dash, where=where, color=colour, linewidth=1.4, label=label)
    side = "" if higher_is_positive else " (low is positive)"
    ax.set(xlabel=f"Threshold of {classifier}{side}", ylabel="Rate", ylim=(-0.02, 1.02))
    return _legend_above(ax)


def draw_cutpoint(
    cutpoint: Floats, limits: tuple[float, float], label: str, ax: Axes | None = None
) -> Axes:
    """Draw cutpoints as upright lines, with the interval of the cutpoint behind them."""
    ax = new_axes(ax)
    left, right = ax.get_xlim()
    edges = np.clip(np.nan_to_num(limits, nan=np.nan, posinf=right, neginf=left), left, right)
    if not np.isnan(edges).any():
        ax.axvspan(*edges, color=_INK, alpha=0.1, linewidth=0, zorder=0)
    for i, x in enumerate(cutpoint[np.isfinite(cutpoint)].tolist()):
        name = label if i == 0 else None
        ax.axvline(x, color=_INK, linewidth=1.0, linestyle=":", label=name, gid=_CHANCE)
    ax.set_xlim(left, right)
    return _legend_above(ax)


def draw_predictive(
    prevalence: Floats, columns: Columns, title: str, ax: Axes | None = None
) -> Axes:
    """Draw predictive values against the prevalence."""
    ax = new_axes(ax)
    for name, (value, low, high) in columns.items():
        colour, dash = next_style(ax)
        ax.fill_between(prevalence, low, high, color=colour, alpha=0.2, linewidth=0)
        ax.plot(prevalence, value, dash, color=colour, linewidth=1.4, label=name)
    ax.set(xlabel="Prevalence", ylabel="Predictive value", xlim=(0.0, 1.0), ylim=(-0.02, 1.02))
    return _legend_above(ax, title)


def draw_fixed_rate(
    fpr: Floats,
    tpr: Floats,
    label: str,
    points: tuple[Floats, Floats],
    reach: tuple[Floats, Floats],
    ax: Axes | None = None,
    *,
    upright: bool,
) -> Axes:
    """Draw a ROC curve with an interval of its height, or of its width, at some of its points."""
    ax = draw_unnamed(fpr, tpr, label, ax)
    bars = np.maximum(reach, 0.0)
    marks = ax.errorbar(
        *points,
        yerr=bars if upright else None,
        xerr=None if upright else bars,
        fmt="o",
        color=_INK,
        markersize=4,
        elinewidth=1.2,
        capsize=3,
        zorder=3,
    )
    marks.lines[0].set_gid(_CHANCE)
    return place_legend(ax, "lower right")


def _legend_above(ax: Axes, title: str | None = None) -> Axes:
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 0.99),
        ncols=2,
        frameon=False,
        fontsize="small",
        title=title,
        title_fontsize="small",
        handlelength=2.2,
        columnspacing=1.2,
        borderaxespad=0.2,
    )
    return ax
