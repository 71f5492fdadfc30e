"""Predictive values of a cutpoint against the prevalence of the condition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocstats.reports.facts import FORMATS, level_of
from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.figure_words import cut_label, cut_text, shown
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.lettering import SMALL, heading, text, text_width, wrapped
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import (
    TINY,
    Figure,
    bound,
    element,
    group,
    shade,
    single,
    stroke,
)
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean

__all__ = ["draw_predictive"]

_VALUES = (("ppv", "pos", None), ("npv", "neg", "7 3"))  # with their colours and dashes


def draw_predictive(facts: Mapping[str, Any]) -> list[Figure | None]:
    """Draw PPV and NPV of every marker's first cutpoint; None for a marker without one."""
    return [
        _draw(facts, m, i) if m["predictive_curve"] else None
        for i, m in enumerate(facts["markers"])
    ]


def _draw(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, words, name = marker["predictive_curve"], facts["words"], clean(marker["label"])
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=58, stop=TINY - 20),
        y=Scale(low=0.0, high=1.0, start=220, stop=46),
    )
    cut = next(c for c in marker["cutpoints"] if c["threshold"] == found["threshold"])
    lines, key, y = [], [], plane.bottom + 60.0
    for value, class_, dash in _VALUES:
        limits = found[f"{value}_low"], found[f"{value}_high"]
        band = area_path(found["prevalence"], *limits, plane.x, plane.y)
        d = line_path(found["prevalence"], found[value], plane.x, plane.y)
        lines.append(group(class_, shade(band), stroke(d, 1.8, stroke_dasharray=dash)))
        key.append(group(class_, stroke(f"M4 {y - 4:.1f}h24", 1.8, stroke_dasharray=dash)))
        for line in wrapped(words[value], TINY - 40):
            key.append(text(35, y, line))
            y += 17
    axis = "Share confirmed" if facts["data"]["comparator"] else "Predictive value"
    level = level_of(facts)
    for note in (
        f"Shaded: {level} confidence intervals where the prevalence is known",
        f"Ringed: these data, with the {level} interval where it is estimated",
    ):
        for line in wrapped(note, TINY - 8):
            key.append(text(4, y, line, class_="muted"))
            y += 17
    parts = [
        draw_axes(plane, "Prevalence", axis, percent="xy", x_count=4),
        *lines,
        *_draw_points(cut, plane),
        heading(marker["label"], 180),
        text(TINY - 4, 16, *cut_label(cut), anchor="end"),
        *key,
    ]
    alt = (
        f"{words['ppv']} and {words['npv']} of {name} {cut_text(cut)} against the prevalence, with "
        "confidence bands."
    )
    title = f"{axis}: {name}" if facts["data"]["comparator"] else f"Predictive values of {name}"
    return single(f"predictive-{index}", title, alt, *parts, height=y - 8, width=TINY)


def _draw_points(cut: Mapping[str, Any], plane: Plane) -> list[Markup]:
    """Return a line at every stated prevalence, with the values that the tables print."""
    drawn, board = [], Board(0, 0, TINY, plane.bottom)
    for at in cut["at_prevalence"]:
        prevalence = at["prevalence"]
        x = plane.x(prevalence)
        d = f"M{x:.1f} {plane.top:.1f}V{plane.bottom:.1f}"
        drawn.append(group("ink", stroke(d, stroke_dasharray="1 3", **bound(prevalence))))
        for value, class_, _ in _VALUES:
            estimate = at[value]["estimate"]
            spot: dict[str, Any] = {"cx": x, "cy": plane.y(estimate)}
            rim = {"fill": "none", "stroke": "currentColor", "stroke_width": 1.2}
            ring = element("circle", **spot, r=6.5, **rim) if at["own"] else ""
            dot = element("circle", **spot, r=3.6, fill="currentColor", **bound(estimate))
            ends = _draw_ends(at[value], x, plane) if at["own"] else []
            drawn.append(group(class_, *ends, ring, dot))
        kind = "pct" if at["own"] else "level"
        half = text_width(FORMATS[kind](prevalence)) / 2 + 2
        for base in (plane.top - 5, plane.top - 5 - SMALL):
            if board.claim(x - half, base - SMALL + 1, x + half, base + 1):
                words = shown(prevalence, kind)
                drawn.append(text(x, base, words, anchor="middle", class_="muted"))
                break
    return drawn


def _draw_ends(found: Mapping[str, Any], x: float, plane: Plane) -> list[Markup]:
    """Return the limits that the tables print, as whiskers; the band is of another interval."""
    ends = [number(found[end]) for end in ("conf_low", "conf_high")]
    if any(map(math.isnan, ends)):
        return []
    low, high = (plane.y(end) for end in ends)
    caps = "".join(f"M{x - 4:.1f} {y:.1f}h8" for y in (low, high))
    return [stroke(f"M{x:.1f} {low:.1f}V{high:.1f}{caps}", 1.2, class_="whisker")]
