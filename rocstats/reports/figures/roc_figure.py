"""ROC curves of all markers in one square, with bands, cutpoints and the first fifth magnified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.axes import Plane, draw_axes, draw_chance, roc_plane
from rocstats.reports.figures.figure_words import (
    area_words,
    cut_label,
    cut_text,
    interval,
    listed,
)
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.lettering import SMALL, halo_text, shorten, text, text_width
from rocstats.reports.figures.marker_styles import N_STYLES, curve, key, mark, series_class
from rocstats.reports.figures.paths import along, area_path, line_path
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.svg import Figure, bound, element, group, single, stroke, twice
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean, opening

__all__ = ["draw_overview", "draw_roc"]

_ZOOM = 0.2
_MOST_BANDS = 3
_LINE = 19
_MOST_NAMED = 4  # curves that the small figure names, by their areas
_HATCHES = (45, -45, 0)  # angles by which bands are told apart where they overlap


def draw_roc(facts: Mapping[str, Any]) -> Figure:
    """Draw every marker's empirical ROC curve."""
    markers, words = facts["markers"], facts["words"]
    title = "ROC curve" if len(markers) == 1 else f"ROC curves of {len(markers)} markers"
    areas = [f"{clean(m['label'])} {area_words(m['estimates']['auc'])}" for m in markers]
    across, up = f"1 − {words['specificity'].lower()}", words["sensitivity"]
    alt = f"{up} against {across}. AUC: {listed(areas, most=N_STYLES)}."

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        side = 376 if wide else 302
        plane = roc_plane(50, 10, side)
        if wide:
            zoom = Plane(x=Scale(low=0, high=_ZOOM, start=472, stop=708), y=plane.y)
        else:
            top = plane.bottom + 74
            zoom = Plane(
                x=Scale(low=0, high=_ZOOM, start=50, stop=50 + side),
                y=Scale(low=0, high=1, start=top + 190, stop=top),
            )
        limit = f"M{plane.x(_ZOOM):.1f} {plane.top}V{plane.bottom}"
        legend, height = _draw_legend(facts, zoom.bottom + 62, wide)
        ticks = [0.0, 0.05, 0.1, 0.15, 0.2]
        return [
            element("defs", plane.clip(f"{name}-all"), zoom.clip(f"{name}-part")),
            draw_axes(plane, across, up),
            draw_axes(zoom, across, "" if wide else up, x_ticks=ticks),
            *_draw_curves(markers, plane, f"{name}-all", label=True),
            *_draw_curves(markers, zoom, f"{name}-part", label=False),
            group("rule", stroke(limit, stroke_dasharray="1 3")),
            *legend,
        ], height

    return twice("roc", title, alt, draw)


def draw_overview(facts: Mapping[str, Any]) -> Figure:
    """Draw the curves small, for the first screen: no band, and the best of them by name."""
    markers, words = facts["markers"], facts["words"]
    across, up = f"1 − {words['specificity'].lower()}", words["sensitivity"]
    plane = roc_plane(48, 8, 300)
    lines = [
        curve(i, line_path(m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y))
        for i, m in enumerate(markers)
    ]
    cuts = [
        _draw_cut(*cut) for cut in _place_cuts(markers, plane) if cut[1]["kind"] != "exploratory"
    ]
    named = [place for place in facts["ranking"] if place < N_STYLES][:_MOST_NAMED]
    y, key_lines = plane.bottom + 44.0, []
    for place in named:
        y += _LINE
        m = markers[place]
        key_lines.append(key(place, 8, y, m["label"], 180, marked=False))
        key_lines.append(text(352, y, *interval(m["estimates"]["auc"]), anchor="end"))
    best = [
        f"{clean(markers[i]['label'])} {area_words(markers[i]['estimates']['auc'])}" for i in named
    ]
    return single(
        "overview",
        "ROC curves" if len(markers) > 1 else "ROC curve",
        f"{up} against {across}. AUC: {listed(best, most=_MOST_NAMED)}.",
        element("defs", plane.clip("overview-all")),
        draw_axes(plane, across, up),
        draw_chance(plane),
        element("g", *reversed(lines), clip_path="url(#overview-all)"),
        *cuts,
        *key_lines,
        height=y + 8,
    )


def _draw_curves(
    markers: Sequence[Mapping[str, Any]], plane: Plane, clip: str, *, label: bool
) -> list[Markup]:
    few = len(markers) <= _MOST_BANDS
    several = 1 < len(markers) <= _MOST_BANDS
    bands, lines = [], []
    board = Board(plane.left, plane.top, plane.right, plane.bottom)
    for i, m in enumerate(markers):
        path = m["curve"]["fpr"], m["curve"]["tpr"], plane.x, plane.y
        lines.append(curve(i, line_path(*path)))
        if m["band"] and (few or i == 0):
            bands.append(_draw_band(i, m["band"], plane, f"{clip}-{i}" if several else ""))
        if label and i < N_STYLES:
            board.avoid(along(*path))
    cuts = _place_cuts(markers, plane)
    for _, _, x, y in cuts:
        board.take(x - 6, y - 6, x + 6, y + 6)
    marks = [_draw_cut(*cut) for cut in cuts]
    if label:
        # One for each threshold: a prespecified one, which comes first, stands for its equals.
        shown = {(i, number(cut["threshold"])): (i, cut, x, y) for i, cut, x, y in reversed(cuts)}
        marks += [_draw_cut_label(*one, board) for one in reversed(shown.values())]
    return [
        draw_chance(plane),
        element("g", *bands, *reversed(lines), clip_path=f"url(#{clip})"),
        *marks,
    ]


def _draw_band(index: int, band: Mapping[str, Any], plane: Plane, hatch: str) -> Markup:
    """Return a confidence band in a light shade; beside others it is hatched at an angle."""
    d = area_path(band["fpr"], band["low"], band["high"], plane.x, plane.y)
    if not hatch:
        paint = {"fill": "currentColor", "fill_opacity": "0.09"}
        rim = {"stroke": "currentColor", "stroke_opacity": "0.3", "stroke_width": 0.6}
        return group(series_class(index), element("path", d=d, **paint, **rim))
    line = stroke("M0 0V7", 1.1, stroke_opacity="0.42")
    size = {"width": 7, "height": 7, "patternUnits": "userSpaceOnUse"}
    turn = f"rotate({_HATCHES[index % len(_HATCHES)]})"
    pattern = element("pattern", line, id=hatch, patternTransform=turn, **size)
    rim = {"stroke": "currentColor", "stroke_opacity": "0.75", "stroke_width": 0.8}
    area = element("path", d=d, fill=f"url(#{hatch})", **rim)
    return group(series_class(index), element("defs", pattern), area)


def _place_cuts(
    markers: Sequence[Mapping[str, Any]], plane: Plane
) -> list[tuple[int, Mapping[str, Any], float, float]]:
    """Return the cutpoints within the plane: the place of their marker, and where they are."""
    found = []
    for i, m in enumerate(markers[:N_STYLES]):
        for cut in m["cutpoints"]:
            sensitivity = cut["measures"]["sensitivity"]["estimate"]
            fpr = 1.0 - number(cut["measures"]["specificity"]["estimate"])
            if plane.x.holds(fpr) and plane.y.holds(sensitivity):
                found.append((i, cut, plane.x(fpr), plane.y(sensitivity)))
    return found


def _draw_cut(index: int, cut: Mapping[str, Any], x: float, y: float) -> Markup:
    """Return the mark of a cutpoint, ringed where it was fixed in advance."""
    rim = {"r": 7, "fill": "none", "stroke": "currentColor", "stroke_width": 1.2}
    ring = element("circle", cx=x, cy=y, **rim) if cut["kind"] == "prespecified" else ""
    at = bound(cut["measures"]["sensitivity"]["estimate"])
    return group(series_class(index), ring, mark(index, x, y, **at))


def _draw_cut_label(index: int, cut: Mapping[str, Any], x: float, y: float, board: Board) -> Markup:
    """Return the threshold in the colour of its curve, beside its mark or with a line to it."""
    width = text_width(cut_text(cut))
    spot = board.find(x, y, width, SMALL)
    leader = ""
    if spot is None:
        spot = board.find_far(x, y, width, SMALL)
        if spot is None:
            return Markup("")
        near = min(max(x, spot[0]), spot[0] + width), spot[1] - SMALL * 0.3
        leader = stroke(f"M{x:.1f} {y:.1f}L{near[0]:.1f} {near[1]:.1f}", 0.7)
    words = halo_text(*spot, *cut_label(cut), class_=f"t{index}")
    return Markup(group(series_class(index), leader) + words if leader else words)


def _draw_legend(facts: Mapping[str, Any], top: float, wide: bool) -> tuple[list[Markup], float]:
    """Return colours, names and areas, what the marks mean, and where that ends."""
    markers = facts["markers"]
    named = markers[:N_STYLES]
    columns = 2 if wide and len(named) > 1 else 1
    lines = -(-len(named) // columns)
    first, across = (10, 336) if wide else (4, 352)
    head = f"AUC ({level_of(facts)} CI)"
    drawn = [
        text(first + 360 * c + across, top, head, anchor="end", class_="muted")
        for c in range(columns)
    ]
    for i, m in enumerate(named):
        column, row = divmod(i, lines)
        left, y = first + 360 * column, top + (row + 1) * _LINE
        drawn.append(key(i, left, y, m["label"], 180 if wide else 188, marked=bool(m["cutpoints"])))
        drawn.append(text(left + across, y, *interval(m["estimates"]["auc"]), anchor="end"))
    y = top + lines * _LINE
    notes = _notes(facts)
    for line in ["; ".join(notes)] if wide and notes else notes:
        y += _LINE
        drawn.append(text(first, y, opening(line), class_="muted"))
    return drawn, y + 8


def _notes(facts: Mapping[str, Any]) -> list[str]:
    markers = facts["markers"]
    notes = []
    band = markers[0]["band"]
    if band:
        tone = "hatched" if 1 < len(markers) <= _MOST_BANDS else "shaded"
        whose = f" of {shorten(markers[0]['label'], 110)}" if len(markers) > _MOST_BANDS else ""
        notes.append(f"{tone}: {level_of(facts)} {band['kind']} band{whose}")
    kinds = {cut["kind"] for m in markers[:N_STYLES] for cut in m["cutpoints"]}
    if "prespecified" in kinds:
        notes.append("ringed: prespecified cutpoint")
    if "exploratory" in kinds:
        notes.append("plain mark: cutpoint chosen by these data")
    if len(markers) > N_STYLES:
        notes.append(f"grey: the other {len(markers) - N_STYLES} markers")
    return notes
