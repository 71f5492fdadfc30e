"""The scored ROC curve: the AUC that is left when a margin is taken off every positive's score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.figure_words import area_words, interval, listed
from rocstats.reports.figures.lettering import heading, text
from rocstats.reports.figures.marker_styles import N_STYLES, curve, draw_legend, series_class
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.svg import (
    NARROW,
    TINY,
    Figure,
    bound,
    element,
    group,
    shade,
    single,
)
from rocstats.reports.leaves import number
from rocstats.reports.markup import clean, opening

__all__ = ["draw_scored"]


def draw_scored(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw the scored ROC curves: together where all scores share [0, 1], else one a marker."""
    drawn = [(i, m) for i, m in enumerate(facts["markers"]) if m["sroc"]]
    if len(drawn) > 1 and all(_kind(m) == "est" for _, m in drawn):
        return [_draw_all(facts, drawn)]
    return [_draw_one(m, i) for i, m in drawn]


def _draw_all(facts: Mapping[str, Any], drawn: Sequence[tuple[int, Mapping[str, Any]]]) -> Figure:
    """Draw several curves, with a legend."""
    plane = _plane([m for _, m in drawn], 10, 200, NARROW)
    legend, bottom = draw_legend(
        [(i, m["label"], interval(m["estimates"]["sauc"])) for i, m in drawn],
        plane.bottom + 58.0,
        f"sAUC ({level_of(facts)} CI)",
    )
    curves = [curve(i, _path(m, plane)) for i, m in drawn]
    parts = [draw_axes(plane, "Margin", "AUC"), *reversed(curves), *legend]
    alt = _alt([m for _, m in drawn])
    return single("scored", "Scored ROC curves", alt, *parts, height=bottom + 8)


def _draw_one(marker: Mapping[str, Any], index: int) -> Figure:
    """Draw one curve from its AUC on, with the area that is the sAUC."""
    plane = _plane([marker], 28, 188, TINY)
    label = f"Margin, {clean(marker['unit'])}" if marker["unit"] else "Margin"
    label += " (log scale)" if plane.x.log else ""
    style, d = (index if index < N_STYLES else 0), _path(marker, plane)
    area = f"{d}V{plane.bottom:.1f}H{plane.left:.1f}z" if d and not plane.x.log else ""
    auc = marker["estimates"]["auc"]["estimate"]
    dot = {"cx": plane.left, "cy": plane.y(auc), "r": 3.6, "fill": "currentColor"}
    y = plane.bottom + 58.0
    notes = ["the area drawn is not the sAUC"] if plane.x.log else []
    notes += [] if marker["sroc"]["whole"] else ["beyond: under 1% of the AUC"]
    return single(
        f"scored-{index}",
        f"Scored ROC curve of {clean(marker['label'])}",
        _alt([marker]),
        draw_axes(plane, label, "AUC", x_count=4),
        group(series_class(style), shade(area)),
        curve(style, d),
        group(series_class(style), element("circle", **dot, **bound(auc))),
        heading(marker["label"], TINY - 8),
        text(4, y, "sAUC ", *interval(marker["estimates"]["sauc"], _kind(marker))),
        *(
            text(4, y + 17 * k, opening(note), class_="muted")
            for k, note in enumerate(notes, start=1)
        ),
        height=y + 8 + 17 * len(notes),
        width=TINY,
    )


def _plane(markers: Sequence[Mapping[str, Any]], top: float, bottom: float, width: float) -> Plane:
    last = [number(m["sroc"]["tau"][-1]) for m in markers]
    log = len(markers) == 1 and bool(markers[0]["sroc"]["log_scale"])
    first = number(markers[0]["sroc"]["tau"][1]) if log else 0.0
    return Plane(
        x=fit_scale([first, *(last if any(last) else [1.0])], 50, width - 14, log=log),
        y=Scale(low=0.0, high=1.0, start=bottom, stop=top),
    )


def _path(marker: Mapping[str, Any], plane: Plane) -> str:
    return line_path(marker["sroc"]["tau"], marker["sroc"]["theta"], plane.x, plane.y)


def _kind(marker: Mapping[str, Any]) -> str:
    """Return how an area is shown: with decimals on [0, 1], with digits in a marker's own unit."""
    row = marker["estimates"]["sauc"]
    return "est" if row and row["unit_scale"] else "num"


def _alt(markers: Sequence[Mapping[str, Any]]) -> str:
    areas = [f"{clean(m['label'])} {area_words(m['estimates']['sauc'], _kind(m))}" for m in markers]
    return (
        "AUC that is left after a margin is taken off the scores of the positives; the area under "
        f"the curve is the sAUC: {listed(areas, most=N_STYLES)}."
    )
