"""Drawings of a power study: differences, sizes, powers and efficiencies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.plots.legends import place_legend
from rocstats.plots.plane import COLOURS, Color, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DRAWINGS", "draw_plan", "picture_size"]

Rows = Sequence[Mapping[str, Any]]

_BARS = 2.0  # standard errors drawn to each side
_MARKERS = ("o", "^", "v", "s", "D", "P", "X")
_PLAN, _LEVEL = "plan", "level"  # the marks of these lines
_LINE: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "zorder": 1}
_KINDS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...] = (
    ("equal sizes", lambda row: row["n_pos"] == row["n_neg"]),
    ("fewer positives", lambda row: row["n_pos"] < row["n_neg"]),
    ("more positives", lambda row: row["n_pos"] > row["n_neg"]),
)


def draw_differences(
    rows: Rows,
    ax: Axes | None,
    *,
    test: str,
    reference: str,
    significance: float,
    labels: Mapping[str, str],
) -> Axes:
    """Draw size-adjusted power less the reference's, a line for each alternative."""
    mine = [row for row in rows if row["test"] == test]
    names = list(dict.fromkeys(row["design"] for row in mine))
    means = {n: np.mean([r["difference"] for r in mine if r["design"] == n]) for n in names}
    names.sort(key=lambda name: float(means[name]))
    ax = new_axes(ax, size=picture_size("difference", rows, test))
    ax.axvline(0.0, **_LINE)
    for k, (kind, belongs) in enumerate(_KINDS):
        chosen = [row for row in mine if belongs(row)]
        if not chosen:
            continue
        ax.errorbar(
            [100.0 * row["difference"] for row in chosen],
            [names.index(row["design"]) + 0.22 * (1 - k) for row in chosen],
            xerr=[100.0 * _BARS * row["difference_std_error"] for row in chosen],
            fmt=_MARKERS[k],
            color=COLOURS[k],
            markersize=4.0,
            elinewidth=0.8,
            alpha=0.85,
            label=kind,
        )
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel(
        f"Size-adjusted power of {labels[test]} less that of {labels[reference]} (points)"
    )
    return place_legend(ax, "lower right")


def draw_efficiencies(
    rows: Rows,
    ax: Axes | None,
    *,
    test: str,
    reference: str,
    significance: float,
    labels: Mapping[str, str],
) -> Axes:
    """Draw the efficiency that was simulated against the asymptotic one."""
    ax = new_axes(ax)
    mine = [
        row
        for row in rows
        if row["test"] == test
        and math.isfinite(row["asymptotic_efficiency"])
        and math.isfinite(row["efficiency"])
    ]
    sizes = sorted({(row["n_pos"] + row["n_neg"], row["n_pos"], row["n_neg"]) for row in mine})
    for k, size in enumerate(sizes):
        chosen = [row for row in mine if (row["n_pos"], row["n_neg"]) == size[1:]]
        ax.errorbar(
            [row["asymptotic_efficiency"] for row in chosen],
            [row["efficiency"] for row in chosen],
            yerr=[_BARS * row["efficiency_std_error"] for row in chosen],
            fmt=_MARKERS[k % len(_MARKERS)],
            color=COLOURS[k % len(COLOURS)],
            markersize=4.0,
            elinewidth=0.8,
            label=f"{size[1]}/{size[2]}",
        )
    ends = [0.1, 2.0]
    ax.plot(ends, ends, **_LINE)
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    ticks = [0.1, 0.2, 0.5, 1.0, 2.0]
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_ticks([], minor=True)
    ax.set_xlabel("Asymptotic relative efficiency")
    ax.set_ylabel(f"Simulated efficiency of {labels[test]} against {labels[reference]}")
    return place_legend(ax, "lower right", title="positives/negatives") if mine else ax


def draw_sizes(
    rows: Rows,
    ax: Axes | None,
    *,
    test: str,
    reference: str,
    significance: float,
    labels: Mapping[str, str],
) -> Axes:
    """Draw the size of every test under the null, at every pair of sizes."""
    ax = new_axes(ax)
    replicates = min(row["n_replicates"] for row in rows)
    error = math.sqrt(significance * (1.0 - significance) / replicates)
    ax.axhspan(significance - 3.0 * error, significance + 3.0 * error, color="#dddddd", zorder=0)
    ax.axhline(significance, **_LINE)
    pairs = list(dict.fromkeys((row["n_pos"], row["n_neg"]) for row in rows))
    for k, name in enumerate(labels):
        offset = 0.7 * ((k + 0.5) / len(labels) - 0.5)
        found = {
            (pairs.index((row["n_pos"], row["n_neg"])) + offset, row["size"])
            for row in rows
            if row["test"] == name
        }
        ax.plot(
            [place for place, _ in found],
            [size for _, size in found],
            _MARKERS[k % len(_MARKERS)],
            color=COLOURS[k % len(COLOURS)],
            markersize=3.5,
            alpha=0.7,
            label=labels[name],
        )
    ax.set_xticks(range(len(pairs)), [f"{m}/{n}" for m, n in pairs], rotation=45)
    ax.set(xlabel="Positives/negatives", ylabel="Size (grey: nominal, 3 standard errors)")
    ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
    return place_legend(ax, "lower center", size="small", columns=3)


def draw_powers(
    rows: Rows,
    ax: Axes | None,
    *,
    test: str,
    reference: str,
    significance: float,
    labels: Mapping[str, str],
) -> Axes:
    """Draw size-adjusted power of every test against the number of subjects, by alternative."""
    ax = new_axes(ax)
    designs = list(dict.fromkeys(row["design"] for row in rows))
    for k, name in enumerate(labels):
        for design in designs:
            found = sorted(
                (row["n_pos"] + row["n_neg"], row["adjusted_power"])
                for row in rows
                if row["test"] == name and row["design"] == design
            )
            ax.plot(
                [count for count, _ in found],
                [power for _, power in found],
                f"{_MARKERS[k % len(_MARKERS)]}-",
                color=COLOURS[k % len(COLOURS)],
                linewidth=1.0,
                markersize=3.5,
                label=labels[name] if design == designs[0] else None,
            )
    ax.axhline(significance, **_LINE)
    ax.set(xscale="log", xlabel="Subjects", ylabel="Size-adjusted power", ylim=(0.0, 1.0))
    return place_legend(ax, "best")


def draw_plan(
    size: Sequence[int],
    value: Sequence[float],
    ax: Axes | None,
    *,
    here: tuple[int, float],
    label: str,
    y_label: str,
    level: float | None,
    color: Color | None,
) -> Axes:
    """Draw what a plan reaches against its number of subjects, and the plan as a point."""
    ax = new_axes(ax, size=(5.5, 4.0))
    drawn = sum(line.get_gid() == _PLAN for line in ax.lines)
    colour = COLOURS[drawn % len(COLOURS)] if color is None else color
    if level is not None and not any(line.get_gid() == _LEVEL for line in ax.lines):
        ax.axhline(level, gid=_LEVEL, **_LINE)
    ax.plot(size, value, color=colour, linewidth=1.4, label=label, gid=_PLAN)
    ax.plot(*here, "o", color=colour, markersize=6)
    ax.set(xlabel="Subjects", ylabel=y_label)
    plans = [line for line in ax.lines if line.get_gid() == _PLAN]
    right = max(float(np.max(line.get_xdata())) for line in plans)
    top = max(float(np.max(line.get_ydata())) for line in plans)
    ax.set(xlim=(0.0, 1.02 * right), ylim=(0.0, 1.05 * top) if level is None else (-0.02, 1.02))
    return place_legend(ax, "best", size="small")


def picture_size(kind: str, rows: Rows, test: str) -> tuple[float, float]:
    """Return width and height in inches of a drawing of a power study."""
    lines = len({row["design"] for row in rows if row["test"] == test})
    return (7.0, 1.4 + 0.3 * lines) if kind == "difference" else (4.5, 4.5)


DRAWINGS: dict[str, Callable[..., Axes]] = {
    "difference": draw_differences,
    "efficiency": draw_efficiencies,
    "size": draw_sizes,
    "power": draw_powers,
}
