"""Legends that cover no curve: in a free corner, or below the axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

__all__ = ["covers_nothing", "place_legend"]

_CORNERS = ("lower right", "upper left", "lower left", "upper right")
_SIZES = ("medium", "small", "x-small")
_GUIDES = ("chance", "level")  # marks of lines, the diagonal say, that a legend may cross
_LONG = 6  # entries from which a legend below the axes takes two columns
_PASSES = 8  # at most, to make room for a legend
_GAP = 2.0  # points between a legend and a line
_NO_LABEL = re.compile(r"_(child|container)\d+|_nolegend_")  # matplotlib's own, of what has none


def place_legend(
    ax: Axes, place: str, *, size: str = "medium", columns: int = 1, title: str | None = None
) -> Axes:
    """Give the axes a legend at a place, in another corner, smaller, or else below the axes.

    Parameters
    ----------
    ax : whose labelled lines are named
    place : where it goes if that covers nothing
    size : of the letters; smaller ones are tried after it
    columns, title : of the legend
    """
    look: dict[str, Any] = {"frameon": False, "ncols": columns, "title": title}
    _name_hidden(ax)
    _lay_out(ax)
    for letters in _SIZES[_SIZES.index(size) :]:
        for corner in dict.fromkeys((place, *_CORNERS)):
            if covers_nothing(ax.legend(**look | {"loc": corner, "fontsize": letters}), ax):
                return ax
    return _below(ax, look)


def _name_hidden(ax: Axes) -> None:
    """Put a space before labels that begin with an underscore: matplotlib names them nowhere."""
    drawings: list[Any] = [*ax.lines, *ax.patches, *ax.collections, *ax.containers]
    for drawing in drawings:
        label = str(drawing.get_label())
        if label.startswith("_") and not _NO_LABEL.fullmatch(label):
            drawing.set_label(f" {label}")


def covers_nothing(legend: Legend, ax: Axes) -> bool:
    """Return whether a legend, where it is drawn now, lies within the axes and upon no line."""
    box = legend.get_window_extent()
    within = ax.get_window_extent()
    inside = box.x0 >= within.x0 and box.x1 <= within.x1 and box.y0 >= within.y0
    return inside and box.y1 <= within.y1 and not any(_hits(ax, box.padded(_GAP)))


def _lay_out(ax: Axes) -> None:
    """Let the layout settle without a legend, so that places are known."""
    old = ax.get_legend()
    if old is not None:
        old.remove()
    _settle(ax)


def _settle(ax: Axes) -> None:
    root: Any = ax.get_figure()
    (getattr(root, "figure", None) or root).draw_without_rendering()


def _hits(ax: Axes, box: Any) -> Iterator[bool]:
    """Yield for every drawing with a name, or without being a mere guide, whether it is hit."""
    for line in ax.lines:
        if line.get_gid() in _GUIDES and str(line.get_label()).startswith("_"):
            continue
        path = line.get_transform().transform_path(line.get_path())
        if line.get_linestyle() in ("None", "", " "):
            yield bool(box.count_contains(path.vertices))
        else:
            yield bool(path.intersects_bbox(box, filled=False))
    for patch in ax.patches:
        if type(patch).__name__ == "StepPatch":  # a histogram, not a shaded stretch
            yield bool(patch.get_transform().transform_path(patch.get_path()).intersects_bbox(box))
    for drawing in ax.collections:
        offsets = np.asarray(drawing.get_offsets(), dtype=np.float64)
        if offsets.any():
            yield bool(box.count_contains(drawing.get_offset_transform().transform(offsets)))
            continue
        filled = bool(len(drawing.get_facecolor()))
        for path in drawing.get_paths():
            moved = drawing.get_transform().transform_path(path)
            yield bool(moved.intersects_bbox(box, filled=filled))


def _below(ax: Axes, look: dict[str, Any]) -> Axes:
    """Put the legend under the label of the x axis, in as many columns as a long one needs."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.get_figure()
    own: Any = ax.xaxis.get_tightbbox()
    depth = 0.0 if own is None else ax.get_window_extent().y0 - own.y0
    under = ScaledTranslation(0.0, -depth / figure.dpi - 0.06, figure.dpi_scale_trans)
    entries = len(ax.get_legend_handles_labels()[1])
    for columns in (max(look["ncols"], 1 + (entries > _LONG)), 1):
        legend = ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            bbox_transform=ax.transAxes + under,  # however the layout shrinks the axes
            fontsize="small" if entries <= _LONG else "x-small",
            borderaxespad=0.0,
            **look | {"ncols": columns},
        )
        if legend.get_window_extent().width <= figure.bbox.width:
            break
    _make_room(ax, figure)
    return ax


def _make_room(ax: Axes, figure: Any) -> None:
    """Lift the floor of the axes until the legend below it is not cut by the figure's edge."""
    legend: Any = ax.get_legend()
    for _ in range(_PASSES):  # a layout comes nearer with every pass
        cut = figure.bbox.y0 - legend.get_window_extent().y0
        if cut <= 0.0:
            return
        if figure.figure.get_layout_engine() is None:
            now, lift = ax.get_position(original=True), cut / figure.bbox.height + 0.01
            ax.set_position((now.x0, now.y0 + lift, now.width, now.height - lift))
        _settle(ax)
