"""Bars: how one class is spread, as a histogram whose bars are bound to their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import bound, element, group
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup

__all__ = ["SOLID", "draw_bars", "shares_of"]

SOLID = "0.75"  # opacity of a bar: the grid shows through
_GAP = 0.4  # on either side of a bar


def shares_of(counts: Sequence[Any]) -> list[float]:
    """Return the counts as shares of their sum."""
    total = sum(map(number, counts))
    return [number(count) / total if total > 0.0 else 0.0 for count in counts]


def draw_bars(
    class_: str,
    edges: Sequence[Any],
    counts: Sequence[Any],
    heights: Sequence[float],
    x: Scale,
    y: Scale,
) -> Markup:
    """Return a bar for every count that is not 0, from the start of the y scale to its height."""
    drawn = [
        element(
            "rect",
            x=x(left) + _GAP,
            y=min(y(height), y.start),
            width=max(x(right) - x(left) - 2 * _GAP, 2 * _GAP),
            height=abs(y(height) - y.start),
            **bound(count),
        )
        for left, right, count, height in zip(edges[:-1], edges[1:], counts, heights, strict=True)
        if height > 0.0
    ]
    return group(class_, *drawn, fill="currentColor", fill_opacity=SOLID)
