"""Calibration: what was predicted against what happened, and how often it was predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes
from rocstats.reports.figures.classes import draw_class_key
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.roc import draw_chance
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import (
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
from rocstats.reports.figures.words import area_words, level_words

__all__ = ["draw_calibration"]

_INDICES = (("Slope", "slope"), ("Intercept", "intercept"), ("Brier score", "brier"))
_STRIP = 30  # height of each half of the histogram


def draw_calibration(facts: Mapping[str, Any]) -> list[Figure | None]:
    """Draw the calibration of every marker that can be a probability; None for the others."""
    return [
        _draw(facts, m, i) if m.get("calibration") else None for i, m in enumerate(facts["markers"])
    ]


def _draw(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found = marker["calibration"]
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=58, stop=338),
        y=Scale(low=0.0, high=1.0, start=312, stop=32),
    )
    bars = Plane(x=plane.x, y=Scale(low=0.0, high=1.0, start=390, stop=326))
    smooth = found.get("curve") or {"predicted": [], "observed": []}
    band = ""
    if smooth.get("low"):
        band = area_path(smooth["predicted"], smooth["low"], smooth["high"], plane.x, plane.y)
    line = line_path(smooth["predicted"], smooth["observed"], plane.x, plane.y)
    paint = {"fill": "none", "stroke": "currentColor", "stroke_width": 1.8}
    name = f"calibration-{index}"
    parts = [
        element("defs", plane.clip(f"{name}-all")),
        draw_axes(plane, "", "Observed share", x_ticks=[], percent="y"),
        draw_axes(bars, "Predicted probability", "", y_ticks=[], percent="x"),
        draw_chance(plane),
        group(
            "s0",
            element("path", d=band, fill="currentColor", fill_opacity="0.13") if band else "",
            element("path", d=line, **paint) if line else "",
            clip_path=f"url(#{name}-all)",
        ),
        *_draw_groups(found.get("groups") or {}, plane),
        *_draw_histogram(found.get("histogram") or {}, bars),
        heading(marker["label"]),
    ]
    y, said = bars.bottom + 60.0, []
    for label, key in _INDICES:
        row = found.get(key)
        if row is not None:
            parts.append(text(4, y, label, size=SMALL))
            parts.append(text(356, y, *interval(row), anchor="end", size=SMALL))
            said.append(f"{label.lower()} {area_words(row)}")
            y += 18
    note = f"Dots: groups of equal size, {level_words(facts)} CI; line: smooth"
    parts.append(text(4, y, note, size=SMALL, class_="muted"))
    parts += draw_class_key(facts["words"], y + 18)
    alt = f"Observed against predicted probability of {clean(marker['label'])}: {'; '.join(said)}."
    return single(name, f"Calibration of {clean(marker['label'])}", alt, *parts, height=y + 43)


def _draw_groups(found: Mapping[str, Sequence[Any]], plane: Plane) -> list[Svg]:
    drawn = []
    for i, predicted in enumerate(found.get("predicted", ())):
        observed, x = found["observed"][i], plane.x(predicted)
        low, high = plane.y(found["low"][i]), plane.y(found["high"][i])
        parts = [
            element(
                "circle", cx=x, cy=plane.y(observed), r=3.6, fill="currentColor", **bound(observed)
            )
        ]
        if low == low and high == high and x == x:
            d = f"M{x:.1f} {low:.1f}V{high:.1f}"
            parts.append(element("path", d=d, fill="none", stroke="currentColor", stroke_width=1.2))
        drawn.append(group("s1", *parts))
    return drawn


def _draw_histogram(found: Mapping[str, Sequence[Any]], plane: Plane) -> list[Svg]:
    """Return counts of both classes on either side of a line, at one scale."""
    if not found:
        return []
    tallest = max([*map(number, found["pos"]), *map(number, found["neg"]), 1.0])
    middle = (plane.top + plane.bottom) / 2
    drawn = []
    for class_, way in (("pos", -1), ("neg", 1)):
        bars = []
        for left, right, count in zip(
            found["edges"][:-1], found["edges"][1:], found[class_], strict=False
        ):
            height = _STRIP * number(count) / tallest
            if height > 0.0:
                bars.append(
                    element(
                        "rect",
                        x=plane.x(left) + 0.3,
                        y=middle - height if way < 0 else middle,
                        width=max(plane.x(right) - plane.x(left) - 0.6, 0.6),
                        height=height,
                        fill="currentColor",
                        fill_opacity="0.75",
                        **bound(count),
                    )
                )
        drawn.append(group(class_, *bars))
    line = element(
        "path", d=f"M{plane.left} {middle:.1f}H{plane.right}", fill="none", stroke="currentColor"
    )
    return [*drawn, group("rule", line)]
