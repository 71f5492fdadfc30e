"""Decision curves: the net benefit of acting on a marker, on everyone and on no one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.figure_words import listed
from rocstats.reports.figures.lettering import text
from rocstats.reports.figures.marker_styles import N_STYLES, curve, key, series_class
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.scales import fit_scale
from rocstats.reports.figures.svg import Figure, element, group, shade, single, stroke
from rocstats.reports.leaves import number
from rocstats.reports.markup import clean

__all__ = ["draw_decision"]

_MOST_BANDS = 2
_OTHERS = (("all", "Everyone is treated", None), ("none", "No one is treated", "1.5 2.5"))


def draw_decision(facts: Mapping[str, Any]) -> Figure | None:
    """Draw the decision curves of all markers that can be probabilities; None without any."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m["decision"]]
    if not drawn:
        return None
    first = drawn[0][1]["decision"]
    reached = [*first["all"], *(v for _, m in drawn for v in m["decision"]["model"])]
    top = max([0.01, *(v for v in map(number, reached) if not math.isnan(v))])
    plane = Plane(
        x=fit_scale([0.0, *(t for _, m in drawn for t in m["decision"]["threshold"])], 56, 348),
        y=fit_scale([-0.25 * top, top], 244, 12, margin=0.03),
    )
    bands, curves = [], []
    for i, m in drawn:
        found = m["decision"]
        if found["low"] and len(drawn) <= _MOST_BANDS:
            d = area_path(found["threshold"], found["low"], found["high"], plane.x, plane.y)
            bands.append(group(series_class(i), shade(d)))
        curves.append(curve(i, line_path(found["threshold"], found["model"], plane.x, plane.y)))
    others = [
        stroke(
            line_path(first["threshold"], first[name], plane.x, plane.y), 1.2, stroke_dasharray=dash
        )
        for name, _, dash in _OTHERS
    ]
    lines = [*bands, group("muted", *others), *reversed(curves)]
    parts = [
        element("defs", plane.clip("decision-all", room=1.0)),
        draw_axes(plane, "Threshold probability", "Net benefit", percent="x", y_room=42),
        element("g", *lines, clip_path="url(#decision-all)"),
    ]
    at = plane.bottom + 60.0
    for i, m in drawn[:N_STYLES]:
        parts.append(key(i, 4, at, m["label"], 350))
        at += 18
    for _, words, dash in _OTHERS:
        line = stroke(f"M4 {at - 4:.1f}h24", 1.2, stroke_dasharray=dash)
        parts += [group("muted", line), text(35, at, words)]
        at += 18
    if bands:
        note = f"Shaded: {level_of(facts)} pointwise confidence intervals"
        parts.append(text(4, at, note, class_="muted"))
        at += 18
    names = listed([clean(m["label"]) for _, m in drawn])
    alt = f"Net benefit against the threshold probability of {names}, of treating all and of none."
    return single("decision", "Decision curves", alt, *parts, height=at - 8)
