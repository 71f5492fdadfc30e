"""The explorer's drawings: the ROC curve with a point to move, and the classes with a cut to move.

Every marker has a group of its own, of which one is shown. Where the point or the cut, of the class
``here``, stands at each threshold is written down in the group, so that a page only looks it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import Plane, draw_axes, draw_chance, roc_plane
from rocstats.reports.figures.bars import SOLID, shares_of
from rocstats.reports.figures.distribution_figure import axis_words, cut_place
from rocstats.reports.figures.lettering import halo_text
from rocstats.reports.figures.paths import line_path
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.svg import Figure, element, group, place, single, stroke
from rocstats.reports.markup import Markup

__all__ = ["draw_explorer"]

_LEFT, _TOP, _SIDE = 50, 10, 300
_HEIGHT = _TOP + _SIDE + 46


def draw_explorer(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw the ROC curves and the distributions of all markers that can be explored."""
    words, plane = facts["words"], roc_plane(_LEFT, _TOP, _SIDE)
    curves: list[Markup] = []
    classes: list[Markup] = []
    for i, m in enumerate(facts["markers"]):
        if m["explorer"]:
            own = {"data_marker": str(i), "display": "none" if curves else None}
            curves.append(_draw_curve(m, plane, own))
            classes.append(_draw_classes(m, words, own))
    if not curves:
        return []
    axes = draw_axes(plane, f"1 − {words['specificity'].lower()}", words["sensitivity"])
    return [
        single(
            "explorer-roc",
            "ROC curve with the chosen threshold",
            "The ROC curve of the chosen marker with a point at the chosen threshold; the table "
            "beside it has its numbers.",
            *(axes, draw_chance(plane), *curves),
            height=_HEIGHT,
        ),
        single(
            "explorer-classes",
            "Distribution of the marker with the chosen threshold",
            f"Histograms of the chosen marker, {words['ill']} above the line and {words['well']} "
            "below it, with a line at the chosen threshold.",
            *classes,
            height=_HEIGHT,
        ),
    ]


def _draw_curve(marker: Mapping[str, Any], plane: Plane, own: Mapping[str, Any]) -> Markup:
    explorer, curve = marker["explorer"], marker["curve"]
    start = int(explorer["start"])
    x = [place(plane.x(value)) for value in explorer["x"]]
    y = [place(plane.y(value)) for value in explorer["y"]]
    d = line_path(curve["fpr"], curve["tpr"], plane.x, plane.y)
    point = element(
        "circle",
        r=6.5,
        fill="currentColor",
        stroke="currentColor",
        stroke_width=9,
        stroke_opacity="0.22",
    )
    here = group("s1 here", point, transform=f"translate({x[start]} {y[start]})")
    line = stroke(d, 1.8, stroke_linejoin="round")
    places = {"data_x": " ".join(x), "data_y": " ".join(y)}
    return element("g", group("s0", line), here, **places, **own)


def _draw_classes(
    marker: Mapping[str, Any], words: Mapping[str, str], own: Mapping[str, Any]
) -> Markup:
    explorer, spread = marker["explorer"], marker["distribution"]
    bins, log = spread["histogram"], bool(spread["log_scale"])
    reach = [*bins["edges"], *explorer["value"]]
    steps = bins["values"]
    x = fit_scale(reach, _LEFT, _LEFT + _SIDE, log=log, margin=0.02, steps=steps)
    pos, neg = shares_of(bins["pos"]), shares_of(bins["neg"])
    most = max([*pos, *neg], default=0.0) or 1.0
    y = Scale(low=-1.15 * most, high=most, start=_TOP + _SIDE, stop=_TOP + 20)
    cuts = [place(cut_place(marker, value, x)) for value in explorer["value"]]
    return element(
        "g",
        draw_axes(Plane(x=x, y=y), axis_words(marker), y_ticks=[]),
        group("pos", _bars(bins["edges"], pos, x, y)),
        group("neg", _bars(bins["edges"], [-share for share in neg], x, y)),
        group("rule", stroke(f"M{_LEFT} {place(y(0.0))}h{_SIDE}")),
        _draw_cut(
            cuts[int(explorer["start"])],
            place(y.stop),
            place(y(-most)),
            higher=bool(marker["higher_is_positive"]),
        ),
        halo_text(_LEFT, _TOP + 8, words["ill"]),
        halo_text(_LEFT, _TOP + _SIDE - 4, words["well"]),
        data_x=" ".join(cuts),
        **own,
    )


def _bars(edges: Sequence[Any], shares: Sequence[float], x: Scale, y: Scale) -> Markup:
    """Return all bars as one path, which is light: the figure of the marker has bound ones."""
    drawn = [
        f"M{place(x(low))} {place(y(0.0))}V{place(y(share))}H{place(x(high))}V{place(y(0.0))}z"
        for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True)
        if share
    ]
    return element("path", d="".join(drawn), fill="currentColor", fill_opacity=SOLID)


def _draw_cut(at: str, top: str, bottom: str, *, higher: bool) -> Markup:
    """Return the line of the threshold, with an arrow to the side that is called positive."""
    tip = 1 if higher else -1
    arrow = f"M0 {top}h{18 * tip}m{-5 * tip} -4l{5 * tip} 4l{-5 * tip} 4"
    line = stroke(f"M0 {top}V{bottom}{arrow}", 1.6)
    return group("ink here", line, transform=f"translate({at} 0)")
