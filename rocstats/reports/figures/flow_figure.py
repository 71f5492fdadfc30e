"""The flow of participants: who came, who was left out and why, who was analysed (STARD 19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import FORMATS
from rocstats.reports.figures.figure_words import cut_label, listed, shown
from rocstats.reports.figures.lettering import name_text, text
from rocstats.reports.figures.svg import Figure, element, group, place, stroke, twice
from rocstats.reports.markup import Markup, clean, opening

__all__ = ["draw_flow"]

_TEXT = 12.5
_LINE = 17
_BOX = 2 * _LINE + 12  # height of a box with one count
_MOST_STEPS, _MOST_CUTS = 12, 6


def draw_flow(facts: Mapping[str, Any]) -> Figure:
    """Draw the diagram from the counts, down to the results at prespecified cutpoints."""
    flow, words = facts["flow"], facts["words"]
    who = "Observations" if facts["data"]["cluster"] else "Participants"
    count = FORMATS["count"]
    reasons = [f"{clean(step['why'])} {count(step['n'])}" for step in flow["steps"]]
    alt = (
        f"{count(flow['start'])} in the data; left out: {listed(reasons) or 'none'}; analysed "
        f"{count(flow['analysed'])}, of whom {count(flow['n_pos'])} {words['ill']} and "
        f"{count(flow['n_neg'])} {words['well']}."
    )

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        left, right = (225.0, 495.0) if wide else (4.0, 250.0)
        trunk = (left + right) / 2 if wide else 24.0
        aside = (410.0, 714.0) if wide else (56.0, 356.0)
        parts = [_count_box(left, 8, right, f"{who} in the data", flow["start"])]
        y = 8.0 + _BOX
        reasons, reach = _reasons(flow["steps"], *aside, y + 16)
        side, bottom = (y + 16 + reach) / 2, reach + 16
        parts += [
            reasons,
            _path((trunk, side), (aside[0] - 1, side), arrow="right"),
            _path((trunk, y), (trunk, bottom - 1), arrow="down"),
            _count_box(left, bottom, right, f"{who} analysed", flow["analysed"]),
        ]
        y = bottom + _BOX
        fork, top, middle = y + 16, y + 32, (left + right) / 2
        sides = ((50.0, 330.0), (390.0, 670.0)) if wide else ((4.0, 176.0), (184.0, 356.0))
        parts.append(_path((middle, y), (middle, fork)))
        cuts = _prespecified(facts["markers"])
        for (a, b), label, n, cells in zip(
            sides, ("ill", "well"), ("n_pos", "n_neg"), (("tp", "fn"), ("fp", "tn")), strict=True
        ):
            end, y = (a + b) / 2, top + _BOX
            parts.append(_path((middle, fork), (end, fork), (end, top - 1), arrow="down"))
            parts.append(_count_box(a, top, b, opening(words[label]), flow[n]))
            if cuts:
                parts.append(_path((end, y), (end, y + 19), arrow="down"))
                results, y = _results(cuts, cells, a, y + 20, b, wide=wide)
                parts.append(results)
        return parts, y + 8

    return twice("flow", "Flow of participants", alt, draw)


def _prespecified(
    markers: Sequence[Mapping[str, Any]],
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    found = [(m, cut) for m in markers for cut in m["cutpoints"] if cut["kind"] == "prespecified"]
    return found[:_MOST_CUTS]


def _box(left: float, top: float, right: float, bottom: float) -> Markup:
    size = {"x": left, "y": top, "width": right - left, "height": bottom - top, "rx": 4}
    paint = {"fill": "none", "stroke": "currentColor", "stroke_width": 1.2}
    return group("rule", element("rect", **size, **paint))


def _count_box(left: float, top: float, right: float, label: str, count: Any) -> Markup:
    """Return a box with what is counted and its number."""
    at: dict[str, Any] = {"anchor": "middle", "size": _TEXT}
    middle, below = (left + right) / 2, top + 2 * _LINE + 2
    words = name_text(middle, top + _LINE + 2, label, right - left - 16, **at)
    number = text(middle, below, "n = ", shown(count, "count"), **at, font_weight="600")
    return Markup(_box(left, top, right, top + _BOX) + words + number)


def _reasons(
    steps: Sequence[Mapping[str, Any]], left: float, right: float, top: float
) -> tuple[Markup, float]:
    """Return a box with who was left out and why, and its bottom."""
    y = top + _LINE + 2
    head = "Left out, by the first reason" if steps else "Left out: none"
    parts = [text(left + 10, y, head, size=_TEXT)]
    for step in steps[:_MOST_STEPS]:
        y += _LINE
        parts.append(name_text(left + 10, y, step["why"], right - left - 90))
        parts.append(_count(right - 10, y, step["n"]))
    if len(steps) > _MOST_STEPS:
        y += _LINE
        words = f"and {len(steps) - _MOST_STEPS} more reasons"
        parts.append(text(left + 10, y, words, class_="muted"))
    bottom = y + 10
    return Markup("".join([_box(left, top, right, bottom), *parts])), bottom


def _results(
    cuts: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    cells: tuple[str, str],
    left: float,
    top: float,
    right: float,
    *,
    wide: bool,
) -> tuple[Markup, float]:
    """Return a box with how many of one class lie on either side of each cutpoint, its bottom."""
    y, parts = top + 2, []
    room = right - left - 20
    for m, cut in cuts:
        y += _LINE
        parts.append(name_text(left + 10, y, m["label"], room / 2 if wide else room))
        if wide:
            parts.append(text(right - 10, y, *cut_label(cut), anchor="end"))
        else:
            y += _LINE - 2
            parts.append(text(left + 10, y, *cut_label(cut)))
        for words, cell in zip(("positive", "negative"), cells, strict=True):
            y += _LINE - 1
            parts.append(text(left + 10, y, words, class_="muted"))
            parts.append(_count(right - 10, y, cut[cell]))
        y += 4
    bottom = y + 8
    return Markup("".join([_box(left, top, right, bottom), *parts])), bottom


def _count(x: float, y: float, count: Any) -> Markup:
    return text(x, y, "n = ", shown(count, "count"), anchor="end")


def _path(*spots: tuple[float, float], arrow: str = "") -> Markup:
    """Return a line through the spots, with an arrow at its end that points ``arrow``."""
    places = [f"{place(x)} {place(y)}" for x, y in spots]
    heads = {"": "", "down": "l-4-7h8z", "right": "l-7-4v8z"}
    head = element("path", d=f"M{places[-1]}{heads[arrow]}", fill="currentColor")
    return group("rule", stroke(f"M{'L'.join(places)}", 1.2), head if arrow else "")
