"""Calibration: what was predicted against what happened, and how often it was predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import Plane, draw_axes, draw_chance
from rocstats.reports.figures.bars import draw_bars
from rocstats.reports.figures.class_key import draw_class_key
from rocstats.reports.figures.figure_words import area_words, interval
from rocstats.reports.figures.lettering import heading, text
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import Figure, bound, element, group, single, stroke
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean

__all__ = ["draw_calibration"]

_INDICES = (
    ("Slope", "slope", "ratio"),
    ("Intercept", "intercept", "coef"),
    ("Brier score", "brier", "est"),
)
_STRIP = 30  # height of each half of the histogram


def draw_calibration(facts: Mapping[str, Any]) -> list[Figure | None]:
    """Draw the calibration of every marker that can be a probability; None for the others."""
    return [
        _draw(facts, m, i) if m["calibration"] else None for i, m in enumerate(facts["markers"])
    ]


def _draw(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, name = marker["calibration"], f"calibration-{index}"
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=58, stop=338),
        y=Scale(low=0.0, high=1.0, start=312, stop=32),
    )
    bars = Plane(x=plane.x, y=Scale(low=0.0, high=1.0, start=390, stop=326))
    smooth = found["curve"]
    line = line_path(smooth["predicted"], smooth["observed"], plane.x, plane.y)
    parts = [
        element("defs", plane.clip(f"{name}-all")),
        draw_axes(plane, "", "Observed share", x_ticks=[], percent="y"),
        draw_axes(bars, "Predicted probability", "", y_ticks=[], percent="x"),
        draw_chance(plane),
        group("s0", stroke(line, 1.8), clip_path=f"url(#{name}-all)"),
        *_draw_groups(found["groups"], plane),
        *_draw_histogram(found["histogram"], bars),
        heading(marker["label"]),
    ]
    y, said = bars.bottom + 60.0, []
    for label, key, kind in _INDICES:
        parts.append(text(4, y, label))
        parts.append(text(356, y, *interval(found[key], kind), anchor="end"))
        said.append(f"{label.lower()} {area_words(found[key], kind)}")
        y += 18
    note = f"Dots: groups of equal size, {level_of(facts)} CI; line: smooth"
    parts.append(text(4, y, note, class_="muted"))
    parts += draw_class_key(facts["words"], y + 18)
    alt = f"Observed against predicted probability of {clean(marker['label'])}: {'; '.join(said)}."
    return single(name, f"Calibration of {clean(marker['label'])}", alt, *parts, height=y + 43)


def _draw_groups(found: Mapping[str, Sequence[Any]], plane: Plane) -> list[Markup]:
    """Return every group's observed share at its mean prediction, with its interval."""
    drawn = []
    ends = (found[name] for name in ("predicted", "observed", "low", "high"))
    for predicted, observed, low, high in zip(*ends, strict=True):
        x = plane.x(predicted)
        dot = {"cx": x, "cy": plane.y(observed), "r": 3.6, "fill": "currentColor"}
        line = stroke(f"M{x:.1f} {plane.y(low):.1f}V{plane.y(high):.1f}", 1.2)
        drawn.append(group("s1", element("circle", **dot, **bound(observed)), line))
    return drawn


def _draw_histogram(found: Mapping[str, Sequence[Any]], plane: Plane) -> list[Markup]:
    """Return counts of both classes on either side of a line, at one scale."""
    counts = {side: [number(count) for count in found[side]] for side in ("pos", "neg")}
    tallest = max([*counts["pos"], *counts["neg"], 1.0])
    middle = (plane.top + plane.bottom) / 2
    drawn = []
    for side, end in (("pos", middle - _STRIP), ("neg", middle + _STRIP)):
        y = Scale(low=0.0, high=tallest, start=middle, stop=end)
        drawn.append(draw_bars(side, found["edges"], found[side], counts[side], plane.x, y))
    return [*drawn, group("rule", stroke(f"M{plane.left} {middle:.1f}H{plane.right}"))]
