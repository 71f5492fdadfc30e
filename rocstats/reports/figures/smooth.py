"""The smooth ROC curve: what is left of the curve when an unsure score counts for both classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.figures.axes import SMALL, draw_axes, roc_plane
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.roc import draw_chance
from rocstats.reports.figures.series import N_STYLES, curve, key
from rocstats.reports.figures.svg import Figure, clean, element, interval, single, text
from rocstats.reports.figures.words import area_words, level_words, listed

__all__ = ["draw_smooth"]

_LINE = 19
_MOST_GREY = 3  # beyond it the ROC curves behind the smooth ones are only in the way


def draw_smooth(facts: Mapping[str, Any]) -> Figure | None:
    """Draw the smooth ROC curves of the markers that have one, their ROC curves in grey."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m.get("smroc")]
    if not drawn:
        return None
    words, plane = facts["words"], roc_plane(50, 10, 298)
    areas = [f"{clean(m['label'])} {area_words(m['estimates'].get('smauc'))}" for _, m in drawn]
    alt = (
        f"Smooth {words['sensitivity'].lower()} against smooth 1 − "
        f"{words['specificity'].lower()}. smAUC: "
        f"{listed(areas, most=N_STYLES)}."
    )
    grey, lines = [], []
    for i, m in drawn:
        if len(drawn) <= _MOST_GREY:
            d = line_path(m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y)
            grey.append(curve(N_STYLES, d))
        lines.append(curve(i, line_path(m["smroc"]["fpr"], m["smroc"]["tpr"], plane.x, plane.y)))
    y = plane.bottom + 58.0
    head = f"smAUC ({level_words(facts)} CI)"
    legend = [text(356, y, head, anchor="end", size=SMALL, class_="muted")]
    for i, m in drawn:
        if i < N_STYLES:
            y += _LINE
            row = m["estimates"].get("smauc")
            numbers = interval(row) if row else ["not estimable"]
            legend.append(key(i, 4, y, m["label"], 190))
            legend.append(text(356, y, *numbers, anchor="end", size=SMALL))
    others = len(drawn) - sum(i < N_STYLES for i, _ in drawn)
    note = "ROC curve" if grey else f"The other {others} markers" if others else ""
    if note:
        y += _LINE
        legend.append(curve(N_STYLES, f"M4 {y - 4:.1f}h24"))
        legend.append(text(35, y, note, size=SMALL, class_="muted"))
    return single(
        "smooth",
        "Smooth ROC curve" if len(drawn) == 1 else "Smooth ROC curves",
        alt,
        element("defs", plane.clip("smooth-all")),
        draw_axes(
            plane,
            f"1 − {words['specificity'].lower()}, smooth",
            f"{words['sensitivity']}, smooth",
        ),
        draw_chance(plane),
        element("g", *grey, *reversed(lines), clip_path="url(#smooth-all)"),
        *legend,
        height=y + 8,
    )
