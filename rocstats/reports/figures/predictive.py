"""Predictive values of a cutpoint against the prevalence of the condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import FORMATS
from rocstats.reports.figures.axes import SMALL, Plane, draw_axes
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.paths import area_path, line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import (
    TINY,
    Figure,
    Svg,
    bound,
    clean,
    element,
    group,
    heading,
    shown,
    single,
    text,
    text_width,
    wrapped,
)
from rocstats.reports.figures.words import cut_label, cut_text, level_words

__all__ = ["draw_predictive"]


def draw_predictive(facts: Mapping[str, Any]) -> list[Figure | None]:
    """Draw PPV and NPV of every marker's first cutpoint; None for a marker without one."""
    return [
        _draw(facts, m, i) if m.get("predictive_curve") else None
        for i, m in enumerate(facts["markers"])
    ]


def _draw(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, words = marker["predictive_curve"], facts["words"]
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=58, stop=TINY - 20),
        y=Scale(low=0.0, high=1.0, start=220, stop=46),
    )
    cut = next(c for c in marker["cutpoints"] if c["threshold"] == found["threshold"])
    lines = []
    for class_, value, dash in (("pos", "ppv", None), ("neg", "npv", "7 3")):
        band = area_path(
            found["prevalence"], found[f"{value}_low"], found[f"{value}_high"], plane.x, plane.y
        )
        lines.append(
            group(
                class_,
                element("path", d=band, fill="currentColor", fill_opacity="0.13") if band else "",
                element(
                    "path",
                    d=line_path(found["prevalence"], found[value], plane.x, plane.y),
                    fill="none",
                    stroke="currentColor",
                    stroke_width=1.8,
                    stroke_dasharray=dash,
                ),
            )
        )
    parts = [
        draw_axes(plane, "Prevalence", "Predictive value", percent="xy", x_count=4),
        *lines,
        *_draw_points(cut, plane),
        heading(marker["label"], 180),
        text(TINY - 4, 16, *cut_label(cut), anchor="end", size=SMALL),
    ]
    y = plane.bottom + 60.0
    for class_, value, dash in (("pos", "ppv", None), ("neg", "npv", "7 3")):
        line = element(
            "path",
            d=f"M4 {y - 4:.1f}h24",
            fill="none",
            stroke="currentColor",
            stroke_width=1.8,
            stroke_dasharray=dash,
        )
        parts.append(group(class_, line))
        for words_line in wrapped(words[value], TINY - 40, size=SMALL):
            parts.append(text(35, y, words_line, size=SMALL))
            y += 17
    for note in (
        f"Shaded: {level_words(facts)} confidence intervals",
        "Ringed: prevalence in these data",
    ):
        parts.append(text(4, y, note, size=SMALL, class_="muted"))
        y += 18
    alt = (
        f"{words['ppv']} and {words['npv']} of {clean(marker['label'])} {cut_text(cut)} against "
        "the prevalence, with confidence bands."
    )
    title = f"Predictive values of {clean(marker['label'])}"
    return single(f"predictive-{index}", title, alt, *parts, height=y - 8, width=TINY)


def _draw_points(cut: Mapping[str, Any], plane: Plane) -> Sequence[Svg]:
    """Return a line at every stated prevalence, with the values that the tables print."""
    drawn, board = [], Board(0, 0, TINY, plane.bottom)
    for at in cut["at_prevalence"]:
        x = plane.x(at["prevalence"])
        line = element(
            "path",
            d=f"M{x:.1f} {plane.top:.1f}V{plane.bottom:.1f}",
            fill="none",
            stroke="currentColor",
            stroke_dasharray="1 3",
            **bound(at["prevalence"]),
        )
        drawn.append(group("ink", line))
        for class_, value in (("pos", "ppv"), ("neg", "npv")):
            estimate = at[value]["estimate"]
            spot: dict[str, Any] = {"cx": x, "cy": plane.y(estimate)}
            ring = element(
                "circle", **spot, r=6.5, fill="none", stroke="currentColor", stroke_width=1.2
            )
            dot = element("circle", **spot, r=3.6, fill="currentColor", **bound(estimate))
            drawn.append(group(class_, ring if at["own"] else "", dot))
        kind = "pct" if at["own"] else "level"
        half = text_width(FORMATS[kind](at["prevalence"]), SMALL) / 2 + 2
        if board.claim(x - half, plane.top - 16, x + half, plane.top - 4):
            words = shown(at["prevalence"], kind)
            drawn.append(text(x, plane.top - 5, words, anchor="middle", size=SMALL, class_="muted"))
    return drawn
