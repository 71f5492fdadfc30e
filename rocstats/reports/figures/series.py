"""Series: the colour, the dashes and the mark by which one marker is told from another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.reports.figures.svg import Svg, element, group, name_text, place

__all__ = ["N_STYLES", "curve", "key", "mark", "series_class"]

N_STYLES = 8
_DASHES = (None, "7 3", "2.5 2.5", "8 3 2 3", None, "5 2", "1.5 3", "10 3 2 3 2 3")
_OUTLINES = {  # around the origin, of size 1
    "square": "M-.9-.9h1.8v1.8h-1.8z",
    "triangle": "M0-1.25L1.15.9H-1.15z",
    "diamond": "M0-1.3L1.3 0L0 1.3L-1.3 0z",
    "down": "M0 1.25L1.15-.9H-1.15z",
    "plus": "M-1.25 0H1.25M0-1.25V1.25",
    "cross": "M-1-1L1 1M-1 1L1-1",
    "bar": "M-1.3-.5H1.3V.5H-1.3z",
}
_SHAPES = ("circle", "square", "triangle", "diamond", "down", "plus", "cross", "bar")


def series_class(index: int) -> str:
    """Return the class of a series: ``s0`` to ``s7``, and ``rest`` for all others."""
    return f"s{index}" if index < N_STYLES else "rest"


def curve(index: int, d: str, *, width: float = 1.8, **attributes: Any) -> Svg:
    """Return a line in the style of a series."""
    if not d:
        return Svg("")
    rest = index >= N_STYLES
    return group(
        series_class(index),
        element(
            "path",
            d=d,
            fill="none",
            stroke="currentColor",
            stroke_width=1.0 if rest else width,
            stroke_linejoin="round",
            stroke_dasharray=None if rest else _DASHES[index],
            **attributes,
        ),
    )


def mark(index: int, x: float, y: float, *, size: float = 3.6, **attributes: Any) -> Svg:
    """Return the mark of a series at a place, in the colour of the group around it."""
    shape = _SHAPES[index] if index < N_STYLES else "circle"
    if shape == "circle":
        return element("circle", cx=x, cy=y, r=size, fill="currentColor", **attributes)
    if not (math.isfinite(x) and math.isfinite(y)):
        return Svg("")
    lines = shape in ("plus", "cross")
    return element(
        "path",
        d=_OUTLINES[shape],
        transform=f"translate({place(x)} {place(y)}) scale({size:.2f})",
        fill="none" if lines else "currentColor",
        stroke="currentColor" if lines else None,
        stroke_width="0.5" if lines else None,
        **attributes,
    )


def key(
    index: int,
    x: float,
    y: float,
    name: Any,
    width: float,
    *,
    size: float = 12,
    marked: bool = False,
) -> Svg:
    """Return one line of a legend: the line (and the mark) of a series, and its name."""
    middle = y - 0.35 * size
    shape: Sequence[Svg] = ()
    if marked:
        shape = (group(series_class(index), mark(index, x + 12, middle)),)
    line = curve(index, f"M{place(x)} {place(middle)}h24")
    return Svg("".join([line, *shape, name_text(x + 31, y, name, width - 31, size=size)]))
