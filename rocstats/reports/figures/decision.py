"""Decision curves: the net benefit of acting on a marker, on everyone and on no one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.series import N_STYLES, curve, key, series_class
from rocstats.reports.figures.svg import Figure, clean, element, group, number, single, text
from rocstats.reports.figures.words import level_words, listed

__all__ = ["draw_decision"]

_MOST_BANDS = 2


def draw_decision(facts: Mapping[str, Any]) -> Figure | None:
    """Draw the decision curves of all markers that can be probabilities; None without any."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m.get("decision")]
    if not drawn:
        return None
    first = drawn[0][1]["decision"]
    models = [v for _, m in drawn for v in map(number, m["decision"]["model"]) if v == v]
    top = max([*models, *(v for v in map(number, first["all"]) if v == v), 0.01])
    y = fit_scale([-0.25 * top, top], 244, 12, margin=0.03)
    x = fit_scale([0.0, *(t for _, m in drawn for t in m["decision"]["threshold"])], 56, 348)
    plane = Plane(x=x, y=Scale(low=y.low, high=y.high, start=244, stop=12))
    every = line_path(first["threshold"], first["all"], plane.x, plane.y)
    none = line_path(first["threshold"], first["none"], plane.x, plane.y)
    bands, curves = [], []
    for i, m in drawn:
        found = m["decision"]
        if found.get("low") and len(drawn) <= _MOST_BANDS:
            d = area_path(found["threshold"], found["low"], found["high"], plane.x, plane.y)
            shade = element("path", d=d, fill="currentColor", fill_opacity="0.13") if d else ""
            bands.append(group(series_class(i), shade))
        curves.append(curve(i, line_path(found["threshold"], found["model"], plane.x, plane.y)))
    others = {"fill": "none", "stroke": "currentColor", "stroke_width": 1.2}
    parts = [
        element("defs", plane.clip("decision-all", room=1.0)),
        draw_axes(plane, "Threshold probability", "Net benefit", percent="x", y_room=42),
        element(
            "g",
            *bands,
            group(
                "muted",
                element("path", d=every, **others),
                element("path", d=none, **others, stroke_dasharray="1.5 2.5"),
            ),
            *reversed(curves),
            clip_path="url(#decision-all)",
        ),
    ]
    at = plane.bottom + 60.0
    for i, m in drawn[:N_STYLES]:
        parts.append(key(i, 4, at, m["label"], 350))
        at += 18
    for words, dash in (("Everyone is treated", None), ("No one is treated", "1.5 2.5")):
        line = element("path", d=f"M4 {at - 4:.1f}h24", **others, stroke_dasharray=dash)
        parts += [group("muted", line), text(35, at, words, size=SMALL)]
        at += 18
    if bands:
        note = f"Shaded: {level_words(facts)} pointwise confidence intervals"
        parts.append(text(4, at, note, size=SMALL, class_="muted"))
        at += 18
    names = listed([clean(m["label"]) for _, m in drawn])
    alt = f"Net benefit against the threshold probability of {names}, of treating all and of none."
    return single("decision", "Decision curves", alt, *parts, height=at - 8)
