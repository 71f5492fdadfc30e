"""The explorer's drawings: the ROC curve with a point to move, and the classes with a cut to move.

Every marker has a group of its own, of which one is shown. Where the point and the cut stand at
each threshold is written down in the group, so that a page only looks it up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes, roc_plane
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.roc import draw_chance
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.svg import (
    NARROW,
    Figure,
    Svg,
    clean,
    element,
    figure,
    group,
    number,
    place,
    text,
)

__all__ = ["draw_explorer"]

_LEFT, _TOP, _SIDE = 50, 10, 300
_HEIGHT = _TOP + _SIDE + 46


def draw_explorer(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw the ROC curves and the distributions of all markers that can be explored."""
    shown = [(i, m) for i, m in enumerate(facts["markers"]) if m["explorer"]]
    if not shown:
        return []
    first = shown[0][0]
    curves = [_draw_curve(i, m, hidden=i != first) for i, m in shown]
    classes = [_draw_classes(i, m, facts["words"], hidden=i != first) for i, m in shown]
    words = facts["words"]
    plane = roc_plane(_LEFT, _TOP, _SIDE)
    axes = [draw_axes(plane, f"1 − {words['specificity']}", words["sensitivity"])]
    axes.append(draw_chance(plane))
    return [
        _figure(
            "explorer-roc",
            "ROC curve with the chosen threshold",
            "The ROC curve of the chosen marker with a point at the chosen threshold; the table "
            "beside it has its numbers.",
            [*axes, *curves],
        ),
        _figure(
            "explorer-classes",
            "Distribution of the marker with the chosen threshold",
            f"Histograms of the chosen marker, {words['ill']} above the line and {words['well']} "
            "below it, with a line at the chosen threshold.",
            classes,
        ),
    ]


def _figure(name: str, title: str, alt: str, parts: Sequence[str]) -> Figure:
    svg = figure(name, title, alt, *parts, width=NARROW, height=_HEIGHT, class_="figure single")
    return Figure(name=name, svg=svg, alt=alt)


def _draw_curve(index: int, marker: Mapping[str, Any], *, hidden: bool) -> Svg:
    plane = roc_plane(_LEFT, _TOP, _SIDE)
    explorer = marker["explorer"]
    start = int(explorer["start"])
    x = [place(plane.x(value)) for value in explorer["x"]]
    y = [place(plane.y(value)) for value in explorer["y"]]
    line = element(
        "path",
        d=line_path(marker["curve"]["fpr"], marker["curve"]["tpr"], plane.x, plane.y),
        fill="none",
        stroke="currentColor",
        stroke_width=1.8,
        stroke_linejoin="round",
    )
    point = element(
        "circle",
        cx=float(x[start]),
        cy=float(y[start]),
        r=6.5,
        fill="currentColor",
        stroke="currentColor",
        stroke_width=9,
        stroke_opacity="0.22",
        class_="point",
    )
    return element(
        "g",
        group("s0", line),
        group("s1", point),
        data_marker=str(index),
        data_x=" ".join(x),
        data_y=" ".join(y),
        display="none" if hidden else None,
    )


def _draw_classes(
    index: int, marker: Mapping[str, Any], words: Mapping[str, str], *, hidden: bool
) -> Svg:
    explorer, spread = marker["explorer"], marker["distribution"]
    bins = spread["histogram"]
    edges = [number(edge) for edge in bins["edges"]]
    finite = [v for v in map(number, explorer["value"]) if math.isfinite(v)]
    x = fit_scale(
        [*edges, *finite], _LEFT, _LEFT + _SIDE, log=bool(spread["log_scale"]), margin=0.02
    )
    pos, neg = (_shares(bins[name]) for name in ("pos", "neg"))
    most = max([*pos, *neg], default=0.0) or 1.0
    y = Scale(low=-1.15 * most, high=most, start=_TOP + _SIDE, stop=_TOP + 20)
    plane = Plane(x=x, y=y)
    name = clean(marker["label"]) + (f", {clean(marker['unit'])}" if marker["unit"] else "")
    name += " (log scale)" if x.log else ""
    cuts = [place(x.inside(value)) for value in explorer["value"]]
    return element(
        "g",
        draw_axes(plane, name, "", y_ticks=[], grid="x"),
        group("pos", _bars(edges, pos, x, y)),
        group("neg", _bars(edges, [-share for share in neg], x, y)),
        group(
            "rule",
            element("path", d=f"M{_LEFT} {place(y(0.0))}h{_SIDE}", stroke="currentColor"),
        ),
        text(_LEFT, _TOP + 8, words["ill"], size=SMALL, class_="muted"),
        text(_LEFT, _TOP + _SIDE - 4, words["well"], size=SMALL, class_="muted"),
        _draw_cut(cuts[int(explorer["start"])], y, higher=bool(marker["higher_is_positive"])),
        data_marker=str(index),
        data_x=" ".join(cuts),
        display="none" if hidden else None,
    )


def _shares(counts: Sequence[Any]) -> list[float]:
    """Return the height of each bar: its share of the class."""
    total = sum(map(int, counts)) or 1
    return [int(count) / total for count in counts]


def _bars(edges: Sequence[float], shares: Sequence[float], x: Scale, y: Scale) -> Svg:
    drawn = [
        f"M{place(x(low))} {place(y(0.0))}V{place(y(share))}H{place(x(high))}V{place(y(0.0))}z"
        for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True)
        if share
    ]
    return element("path", d="".join(drawn), fill="currentColor", fill_opacity="0.75")


def _draw_cut(at: str, y: Scale, *, higher: bool) -> Svg:
    """Return the line of the threshold, with an arrow to the side that is called positive."""
    tip = 1 if higher else -1
    return group(
        "ink cut",
        element(
            "path",
            d=f"M0 {place(y.stop)}V{place(y.start)}",
            fill="none",
            stroke="currentColor",
            stroke_width=1.6,
        ),
        element(
            "path",
            d=f"M0 {place(y.stop)}h{18 * tip}m{-5 * tip} -4l{5 * tip} 4l{-5 * tip} 4",
            fill="none",
            stroke="currentColor",
            stroke_width=1.6,
        ),
        transform=f"translate({at} 0)",
    )
