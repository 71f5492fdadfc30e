"""The smAUC along its midpoint, with its band, and what chance would give there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.lettering import heading, text
from rocstats.reports.figures.marker_styles import N_STYLES, curve, series_class
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import TINY, Figure, group, shade, single, stroke
from rocstats.reports.markup import clean

__all__ = ["draw_midpoints"]


def draw_midpoints(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw the smAUC along the midpoint for every marker that has one."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m["smauc_along"]]
    return [_draw_one(facts, m, i) for i, m in drawn]


def _draw_one(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, style = marker["smauc_along"], index if index < N_STYLES else 0
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=50, stop=TINY - 14),
        y=Scale(low=0.0, high=1.0, start=188, stop=28),
    )
    at = found["midpoint"]
    band = area_path(at, found["low"], found["high"], plane.x, plane.y)
    chance = line_path(at, found["chance"], plane.x, plane.y)
    y = plane.bottom + 58.0
    return single(
        f"midpoints-{index}",
        f"smAUC of {clean(marker['label'])} along the midpoint",
        f"smAUC of {clean(marker['label'])} against the midpoint, with an approximate simultaneous "
        "band, and the level of chance.",
        draw_axes(plane, "Midpoint", "smAUC", x_count=4),
        group(series_class(style), shade(band)),
        group("rule", stroke(chance, 1.2, stroke_dasharray="2.5 2.5")),
        curve(style, line_path(at, found["smauc"], plane.x, plane.y)),
        heading(marker["label"], TINY - 8),
        text(4, y, f"Shaded: {level_of(facts)} band, approximate", class_="muted"),
        text(4, y + 17, "Dotted: chance", class_="muted"),
        height=y + 25,
        width=TINY,
    )
