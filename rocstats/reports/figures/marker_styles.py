"""Marker styles: the colour, the dashes and the mark by which one marker is told from another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.reports.figures.lettering import name_text, text
from rocstats.reports.figures.svg import element, group, place, stroke
from rocstats.reports.markup import Markup

__all__ = ["N_STYLES", "curve", "draw_legend", "key", "mark", "series_class"]

N_STYLES = 8
_DASHES = (None, "7 3", "2.5 2.5", "8 3 2 3", None, "5 2", "1.5 3", "10 3 2 3 2 3")
_OUTLINES = (  # around the origin, of size 1; the first series has circles
    *("", "M-.9-.9h1.8v1.8h-1.8z", "M0-1.25L1.15.9H-1.15z", "M0-1.3L1.3 0L0 1.3L-1.3 0z"),
    *("M0 1.25L1.15-.9H-1.15z", "M-1.25 0H1.25M0-1.25V1.25", "M-1-1L1 1M-1 1L1-1"),
    "M-1.3-.5H1.3V.5H-1.3z",
)
_LINE = 19


def series_class(index: int) -> str:
    """Return the class of a series: ``s0`` to ``s7``, and ``rest`` for all others."""
    return f"s{index}" if index < N_STYLES else "rest"


def curve(index: int, d: str) -> Markup:
    """Return a line in the style of a series."""
    rest = index >= N_STYLES
    dash = None if rest else _DASHES[index]
    line = stroke(d, 1.0 if rest else 1.8, stroke_linejoin="round", stroke_dasharray=dash)
    return group(series_class(index), line) if d else Markup("")


def mark(index: int, x: float, y: float, *, size: float = 3.6, **attributes: Any) -> Markup:
    """Return the mark of a series at a place, in the colour of the group around it."""
    outline = _OUTLINES[index] if index < N_STYLES else ""
    if not outline:
        return element("circle", cx=x, cy=y, r=size, fill="currentColor", **attributes)
    if not (math.isfinite(x) and math.isfinite(y)):
        return Markup("")
    move = f"translate({place(x)} {place(y)}) scale({size:.2f})"
    if outline.endswith("z"):
        return element("path", d=outline, transform=move, fill="currentColor", **attributes)
    return stroke(outline, 0.5, transform=move, **attributes)


def key(index: int, x: float, y: float, name: Any, width: float, *, marked: bool = False) -> Markup:
    """Return one line of a legend: the line (and the mark) of a series, and its name."""
    middle, length = y - 4.2, 38 if marked else 24  # dashes show on either side of a mark
    line = curve(index, f"M{place(x)} {place(middle)}h{length}")
    shape = group(series_class(index), mark(index, x + length / 2, middle)) if marked else ""
    words = name_text(x + length + 7, y, name, width - length - 7, size=12)
    return Markup("".join([line, shape, words]))


def draw_legend(
    rows: Sequence[tuple[int, Any, Sequence[Markup]]], top: float, head: str
) -> tuple[list[Markup], float]:
    """Return the legend of a narrow figure and its last baseline.

    Parameters
    ----------
    rows : place of a series, its name and its number; those without a style are counted only
    top, head : the baseline of what heads the numbers, and its words
    """
    drawn = [text(356, top, head, anchor="end", class_="muted")]
    named = [row for row in rows if row[0] < N_STYLES]
    y = top
    for index, name, numbers in named:
        y += _LINE
        drawn.append(key(index, 4, y, name, 190))
        drawn.append(text(356, y, *numbers, anchor="end"))
    if len(named) < len(rows):
        y += _LINE
        drawn.append(curve(N_STYLES, f"M4 {y - 4:.1f}h24"))
        drawn.append(text(35, y, f"The other {len(rows) - len(named)} markers", class_="muted"))
    return drawn, y
