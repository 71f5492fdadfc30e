"""ROC curves of all markers in one square, with bands, cutpoints and the first fifth magnified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes, roc_plane
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.paths import along, area_path, line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.series import N_STYLES, curve, key, mark, series_class
from rocstats.reports.figures.svg import (
    Figure,
    Svg,
    bound,
    clean,
    element,
    group,
    halo_text,
    interval,
    number,
    shorten,
    text,
    text_width,
    twice,
)
from rocstats.reports.figures.words import area_words, cut_label, cut_text, level_words, listed

__all__ = ["draw_band", "draw_chance", "draw_roc"]

_ZOOM = 0.2
_MOST_BANDS = 3
_LINE = 19


def draw_roc(facts: Mapping[str, Any]) -> Figure:
    """Draw every marker's empirical ROC curve."""
    markers, words = facts["markers"], facts["words"]
    title = "ROC curve" if len(markers) == 1 else f"ROC curves of {len(markers)} markers"
    areas = listed(
        [f"{clean(m['label'])} {area_words(m['estimates']['auc'])}" for m in markers], most=N_STYLES
    )
    alt = f"{words['sensitivity']} against 1 − {words['specificity'].lower()}. AUC: {areas}."

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        side = 376 if wide else 302
        plane = roc_plane(50, 10, side)
        if wide:
            zoom = Plane(x=Scale(low=0, high=_ZOOM, start=472, stop=708), y=plane.y)
            bottom = plane.bottom + 62
        else:
            top = plane.bottom + 74
            zoom = Plane(
                x=Scale(low=0, high=_ZOOM, start=50, stop=50 + side),
                y=Scale(low=0, high=1, start=top + 190, stop=top),
            )
            bottom = zoom.bottom + 62
        x_label = f"1 − {words['specificity'].lower()}"
        parts = [
            element("defs", plane.clip(f"{name}-all"), zoom.clip(f"{name}-part")),
            draw_axes(plane, x_label, words["sensitivity"]),
            draw_axes(
                zoom,
                x_label,
                "" if wide else words["sensitivity"],
                x_ticks=[0.0, 0.05, 0.1, 0.15, 0.2],
            ),
            *_draw_curves(markers, plane, f"{name}-all", label=True),
            *_draw_curves(markers, zoom, f"{name}-part", label=False),
            group(
                "rule",
                element("path", d=f"M{plane.x(_ZOOM):.1f} {plane.top}V{plane.bottom}"),
                fill="none",
                stroke="currentColor",
                stroke_dasharray="1 3",
            ),
        ]
        legend, height = _draw_legend(facts, bottom, wide)
        return [*parts, *legend], height

    return twice("roc", title, alt, draw)


def draw_chance(plane: Plane) -> Svg:
    """Return the line on which a marker tells nothing."""
    high = min(plane.x.high, 1.0)
    return group(
        "rule",
        element(
            "path",
            d=line_path([0.0, high], [0.0, high], plane.x, plane.y),
            fill="none",
            stroke="currentColor",
        ),
    )


def draw_band(index: int, band: Mapping[str, Any], plane: Plane) -> Svg:
    """Return a confidence band as a light shade of its marker's colour."""
    d = area_path(band["fpr"], band["low"], band["high"], plane.x, plane.y)
    if not d:
        return Svg("")
    shade = element(
        "path",
        d=d,
        fill="currentColor",
        fill_opacity="0.09",
        stroke="currentColor",
        stroke_opacity="0.3",
        stroke_width="0.6",
    )
    return group(series_class(index), shade)


def _draw_curves(
    markers: Sequence[Mapping[str, Any]], plane: Plane, clip: str, *, label: bool
) -> list[Svg]:
    bands, lines, marks = [], [], []
    board = Board(plane.left, plane.top, plane.right, plane.bottom)
    for i, m in enumerate(markers):
        d = line_path(m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y)
        lines.append(curve(i, d))
        if m.get("band") and i < (_MOST_BANDS if len(markers) <= _MOST_BANDS else 1):
            bands.append(draw_band(i, m["band"], plane))
    if label:
        for m in markers[:_MOST_BANDS]:
            board.avoid(along(m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y))
    for i, m in enumerate(markers[:N_STYLES]):
        marks += _draw_cuts(i, m, plane, board, label=label, few=len(markers) <= _MOST_BANDS)
    return [
        draw_chance(plane),
        element("g", *bands, *reversed(lines), clip_path=f"url(#{clip})"),
        *marks,
    ]


def _draw_cuts(
    index: int, marker: Mapping[str, Any], plane: Plane, board: Board, *, label: bool, few: bool
) -> list[Svg]:
    """Return the marks of a marker's cutpoints, each with its threshold where there is room."""
    drawn = []
    for cut in marker["cutpoints"]:
        sensitivity = cut["measures"]["sensitivity"]["estimate"]
        specificity = number(cut["measures"]["specificity"]["estimate"])
        if not (plane.x.holds(1.0 - specificity) and plane.y.holds(sensitivity)):
            continue
        x, y = plane.x(1.0 - specificity), plane.y(sensitivity)
        board.take(x - 6, y - 6, x + 6, y + 6)
        ring = ""
        if cut["kind"] == "prespecified":
            ring = element(
                "circle", cx=x, cy=y, r=7, fill="none", stroke="currentColor", stroke_width=1.2
            )
        drawn.append(group(series_class(index), ring, mark(index, x, y, **bound(sensitivity))))
        if label and (few or cut["kind"] == "prespecified"):
            spot = board.find(x, y, text_width(cut_text(cut), SMALL), SMALL)
            if spot is not None:
                drawn.append(halo_text(*spot, *cut_label(cut), size=SMALL))
    return drawn


def _draw_legend(facts: Mapping[str, Any], top: float, wide: bool) -> tuple[list[Svg], float]:
    markers = facts["markers"]
    named, columns = min(len(markers), N_STYLES), 2 if wide and len(markers) > 1 else 1
    head = f"AUC ({level_words(facts)} CI)"
    lines = -(-named // columns)
    drawn = []
    for c in range(columns):
        left = 10 + c * 360 if wide else 4
        drawn.append(_right(left + (336 if wide else 352), top, [Svg(head)], class_="muted"))
    y = top
    for i in range(named):
        column, row = divmod(i, lines)
        left, y = (10 + column * 360 if wide else 4), top + (row + 1) * _LINE
        m = markers[i]
        drawn.append(key(i, left, y, m["label"], 180 if wide else 188, marked=bool(m["cutpoints"])))
        drawn.append(_right(left + (336 if wide else 352), y, interval(m["estimates"]["auc"])))
    y = top + lines * _LINE
    left = 10 if wide else 4
    notes = _notes(facts)
    for line in ["; ".join(notes)] if wide and notes else notes:
        y += _LINE
        drawn.append(text(left, y, line[0].upper() + line[1:], size=SMALL, class_="muted"))
    return drawn, y + 8


def _notes(facts: Mapping[str, Any]) -> list[str]:
    markers = facts["markers"]
    notes = []
    banded = [m for m in markers if m.get("band")]
    if banded and markers[0].get("band"):
        kind = banded[0]["band"].get("kind") or "confidence"
        whose = ""
        if len(markers) > _MOST_BANDS:
            whose = f" of {shorten(markers[0]['label'], 110, size=SMALL)}"
        notes.append(f"shaded: {level_words(facts)} {clean(kind)} band{whose}")
    kinds = {cut["kind"] for m in markers[:N_STYLES] for cut in m["cutpoints"]}
    if "prespecified" in kinds:
        notes.append("ringed: prespecified cutpoint")
    if "exploratory" in kinds:
        notes.append("plain mark: cutpoint chosen by these data")
    if len(markers) > N_STYLES:
        notes.append(f"grey: the other {len(markers) - N_STYLES} markers")
    return notes


def _right(x: float, y: float, parts: Sequence[Svg], *, class_: str = "ink") -> Svg:
    return text(x, y, *parts, anchor="end", size=SMALL, class_=class_)
