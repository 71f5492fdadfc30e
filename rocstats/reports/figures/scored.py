"""The scored ROC curve: the AUC that is left when a margin is taken off every positive's score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.series import N_STYLES, curve, key, series_class
from rocstats.reports.figures.svg import (
    NARROW,
    TINY,
    Figure,
    Svg,
    bound,
    clean,
    element,
    group,
    heading,
    interval,
    number,
    single,
    text,
)
from rocstats.reports.figures.words import area_words, level_words, listed

__all__ = ["draw_scored"]

_LINE = 19


def draw_scored(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw the scored ROC curves: together where all scores share [0, 1], else one a marker."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m.get("sroc")]
    shared = all((m["estimates"].get("sauc") or {}).get("unit_scale") for _, m in drawn)
    if shared and len(drawn) > 1:
        return [_draw(facts, drawn, "scored")]
    return [_draw(facts, [(i, m)], f"scored-{i}") for i, m in drawn]


def _draw(
    facts: Mapping[str, Any], drawn: Sequence[tuple[int, Mapping[str, Any]]], name: str
) -> Figure:
    one = len(drawn) == 1
    width = TINY if one else NARROW
    top = 28 if one else 10
    last = [t for _, m in drawn for t in m["sroc"]["tau"][-1:]]
    plane = Plane(
        x=fit_scale([0.0, *(last if any(map(number, last)) else [1.0])], 50, width - 14),
        y=Scale(low=0.0, high=1.0, start=top + (160 if one else 190), stop=top),
    )
    rows = [(m, m["estimates"].get("sauc") or {}) for _, m in drawn]
    areas = [f"{clean(m['label'])} {area_words(row or None, _kind(row))}" for m, row in rows]
    alt = (
        "AUC that is left after a margin is taken off the scores of the positives; the area under "
        f"the curve is the sAUC: {listed(areas, most=N_STYLES)}."
    )
    unit = drawn[0][1].get("unit") if one else None
    label = f"Margin, {unit}" if unit else "Margin"
    parts: list[str] = [draw_axes(plane, label, "AUC", x_count=4 if one else 5)]
    curves = []
    for i, m in drawn:
        style = i if i < N_STYLES or not one else 0
        d = line_path(m["sroc"]["tau"], m["sroc"]["theta"], plane.x, plane.y)
        if one and d:
            shade = f"{d}V{plane.bottom:.1f}H{plane.left:.1f}z"
            parts.append(
                group(
                    series_class(style),
                    element("path", d=shade, fill="currentColor", fill_opacity="0.13"),
                )
            )
        curves.append(curve(style, d))
    auc = drawn[0][1]["estimates"]["auc"]["estimate"]
    parts += reversed(curves)
    y = plane.bottom + 58.0
    if one:
        dot = element(
            "circle", cx=plane.left, cy=plane.y(auc), r=3.6, fill="currentColor", **bound(auc)
        )
        parts += [
            group(series_class(style), dot),
            heading(drawn[0][1]["label"], width - 8),
        ]
        parts.append(text(4, y, "sAUC ", *_numbers(drawn[0][1]), size=SMALL))
    else:
        head = f"sAUC ({level_words(facts)} CI)"
        parts.append(text(356, y, head, anchor="end", size=SMALL, class_="muted"))
        for i, m in drawn[:N_STYLES]:
            y += _LINE
            parts.append(key(i, 4, y, m["label"], 190))
            parts.append(text(356, y, *_numbers(m), anchor="end", size=SMALL))
    title = f"Scored ROC curve of {clean(drawn[0][1]['label'])}" if one else "Scored ROC curves"
    return single(name, title, alt, *parts, height=y + 8, width=width)


def _numbers(marker: Mapping[str, Any]) -> list[Svg]:
    row = marker["estimates"].get("sauc")
    return interval(row, _kind(row)) if row else [Svg("not estimable")]


def _kind(row: Mapping[str, Any]) -> str:
    """Return how an area is shown: with decimals on [0, 1], with digits in a marker's own unit."""
    return "est" if row.get("unit_scale") else "num"
