"""A forest: estimates with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.plots.plane import COLOURS, Color, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_forest"]

_RULE: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "zorder": 1}


def draw_forest(
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    ax: Axes | None,
    *,
    x_label: str,
    level: float | None = None,
    color: Color | None = None,
) -> Axes:
    """Draw the estimate and the limits of every row, the first on top, and a rule at a level.

    Parameters
    ----------
    rows : with estimate, conf_low and conf_high; a limit that is infinite is an arrow
    names : of the rows
    level : of the rule, 0 for differences
    """
    ax = new_axes(ax, size=(5.5, 1.2 + 0.35 * len(rows)))
    if level is not None:
        ax.axvline(level, **_RULE)
    colour = COLOURS[0] if color is None else color
    place = np.arange(len(rows), dtype=np.float64)
    value, low, high = (
        np.array([row[column] for row in rows], dtype=np.float64)
        for column in ("estimate", "conf_low", "conf_high")
    )
    seen = np.concatenate([v[np.isfinite(v)] for v in (value, low, high)] or [value])
    reach = 0.15 * float(np.ptp(seen)) if seen.size else 0.0
    reach = reach or 0.1
    for y, middle, left, right in zip(place, value, low, high, strict=True):
        if math.isnan(left) or math.isnan(right):
            continue
        ends = [middle - reach if math.isinf(left) else left]
        ends.append(middle + reach if math.isinf(right) else right)
        ax.plot(ends, [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
        for end, limit, mark in zip(ends, (left, right), "<>", strict=True):
            shape = mark if math.isinf(limit) else "|"
            ax.plot([end], [y], shape, color=colour, markersize=6)
    ax.plot(value, place, "s", color=colour, markersize=5)
    ax.set_yticks(place, list(names))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(x_label)
    return ax
