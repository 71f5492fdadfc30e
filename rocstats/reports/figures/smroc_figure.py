"""The smooth ROC curve: what is left of the curve when an unsure score counts for both classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import draw_axes, draw_chance, roc_plane
from rocstats.reports.figures.figure_words import area_words, interval, listed
from rocstats.reports.figures.lettering import text
from rocstats.reports.figures.marker_styles import N_STYLES, curve, draw_legend
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.svg import Figure, element, single
from rocstats.reports.markup import clean

__all__ = ["draw_smooth"]

_MOST_GREY = 3  # beyond it the ROC curves behind the smooth ones are only in the way


def draw_smooth(facts: Mapping[str, Any]) -> Figure | None:
    """Draw the smooth ROC curves of the markers that have one, their ROC curves in grey."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m["smroc"]]
    if not drawn:
        return None
    words, plane = facts["words"], roc_plane(50, 10, 298)
    areas = [f"{clean(m['label'])} {area_words(m['estimates']['smauc'])}" for _, m in drawn]
    across, up = f"1 − {words['specificity'].lower()}", words["sensitivity"]
    alt = f"Smooth {up.lower()} against smooth {across}. smAUC: {listed(areas, most=N_STYLES)}."
    grey, lines = [], []
    for i, m in drawn:
        if len(drawn) <= _MOST_GREY:
            d = line_path(m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y)
            grey.append(curve(N_STYLES, d))
        lines.append(curve(i, line_path(m["smroc"]["fpr"], m["smroc"]["tpr"], plane.x, plane.y)))
    legend, y = draw_legend(
        [(i, m["label"], interval(m["estimates"]["smauc"])) for i, m in drawn],
        plane.bottom + 58.0,
        f"smAUC ({level_of(facts)} CI)",
    )
    if grey:
        y += 19
        legend.append(curve(N_STYLES, f"M4 {y - 4:.1f}h24"))
        legend.append(text(35, y, "ROC curve", class_="muted"))
    return single(
        "smooth",
        "Smooth ROC curve" if len(drawn) == 1 else "Smooth ROC curves",
        alt,
        element("defs", plane.clip("smooth-all")),
        draw_axes(plane, f"{across}, smooth", f"{up}, smooth"),
        draw_chance(plane),
        element("g", *grey, *reversed(lines), clip_path="url(#smooth-all)"),
        *legend,
        height=y + 8,
    )
