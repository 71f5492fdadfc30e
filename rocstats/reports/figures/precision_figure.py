"""Precision against recall, for a condition so rare that most positive calls are false alarms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import draw_axes, roc_plane
from rocstats.reports.figures.figure_words import area_words, interval, listed
from rocstats.reports.figures.lettering import text
from rocstats.reports.figures.marker_styles import N_STYLES, curve, draw_legend
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.svg import Figure, bound, element, group, single, stroke
from rocstats.reports.markup import clean

__all__ = ["draw_precision"]


def draw_precision(facts: Mapping[str, Any]) -> Figure | None:
    """Draw the precision-recall curves; None where the condition is not rare."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m["precision_recall"]]
    if not drawn:
        return None
    words, plane = facts["words"], roc_plane(50, 10, 298)
    rows = [(i, m, m["precision_recall"]) for i, m in drawn]
    means = [f"{clean(m['label'])} {area_words(found['average'])}" for _, m, found in rows]
    across, up = words["sensitivity"], "Positive calls that are right"
    lines = [
        curve(i, line_path(found["recall"], found["precision"], plane.x, plane.y))
        for i, _, found in rows
    ]
    share = facts["data"]["prevalence"]
    chance = f"M{plane.left:.1f} {plane.y(share):.1f}H{plane.right:.1f}"
    legend, y = draw_legend(
        [(i, m["label"], interval(found["average"])) for i, m, found in rows],
        plane.bottom + 58.0,
        f"Average ({level_of(facts)} CI)",
    )
    y += 19
    legend.append(group("rule", stroke(f"M4 {y - 4:.1f}h24")))
    legend.append(text(35, y, "a marker that tells nothing", class_="muted"))
    return single(
        "precision-recall",
        "Precision and recall",
        f"{up} against {across.lower()}. Average precision: {listed(means, most=N_STYLES)}.",
        element("defs", plane.clip("precision-all")),
        draw_axes(plane, across, up),
        group("rule", stroke(chance, **bound(share))),
        element("g", *reversed(lines), clip_path="url(#precision-all)"),
        *legend,
        height=y + 8,
    )
