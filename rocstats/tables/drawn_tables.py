"""Tidy rows as a drawing: a forest of intervals, or a plan against its size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocstats.tables.plain_tables import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_bands", "plot_forest", "plot_plan"]


def plot_forest(
    rows: Sequence[Row],
    names: Sequence[str],
    ax: Axes | None,
    *,
    x_label: str,
    level: float | None = None,
    color: str | tuple[float, ...] | None = None,
) -> Axes:
    """Draw tidy rows with an estimate and its limits, one below the other; return the axes."""
    from rocstats.plots.forest_plot import draw_forest

    return draw_forest(rows, names, ax, x_label=x_label, level=level, color=color)


def plot_bands(rows: Sequence[Row], label: str, ax: Axes | None, **how: Any) -> Axes:
    """Draw tidy rows with an estimate and its limits side by side, as a line with its band."""
    from rocstats.plots.series_plot import draw_bands

    columns = [[row[name] for row in rows] for name in ("estimate", "conf_low", "conf_high")]
    return draw_bands({label: (range(1, len(rows) + 1), *columns)}, ax, **how)


def plot_plan(size: Sequence[int], value: Sequence[float], ax: Axes | None, **how: Any) -> Axes:
    """Draw what a plan reaches against its size, as `draw_plan` does; return the axes."""
    from rocstats.plots.power_plot import draw_plan

    return draw_plan(size, value, ax, **how)
