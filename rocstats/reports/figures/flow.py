"""The flow of participants: who came, who was left out and why, who was analysed (STARD 19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import FORMATS
from rocstats.reports.figures.axes import SMALL
from rocstats.reports.figures.svg import (
    Figure,
    Svg,
    clean,
    element,
    group,
    name_text,
    shown,
    text,
    twice,
)
from rocstats.reports.figures.words import cut_label, listed

__all__ = ["draw_flow"]

_TEXT = 12.5
_LINE = 17
_MOST_STEPS, _MOST_CUTS = 12, 6


def draw_flow(facts: Mapping[str, Any]) -> Figure:
    """Draw the diagram from the counts, down to the results at prespecified cutpoints."""
    flow, words = facts["flow"], facts["words"]
    who = "Observations" if facts["data"].get("cluster") else "Participants"
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
        y = 8 + 2 * _LINE + 12.0
        height = _reasons_height(flow["steps"])
        top = y + 16
        parts.append(_reasons(flow["steps"], *aside, top))
        parts.append(
            _path(f"M{trunk:.1f} {top + height / 2:.1f}H{aside[0] - 1:.1f}", arrow="right")
        )
        bottom = top + height + 16
        parts.append(_path(f"M{trunk:.1f} {y:.1f}V{bottom - 1:.1f}", arrow="down"))
        parts.append(_count_box(left, bottom, right, f"{who} analysed", flow["analysed"]))
        y = bottom + 2 * _LINE + 12
        fork, middle = y + 16, (left + right) / 2
        sides = ((50.0, 330.0), (390.0, 670.0)) if wide else ((4.0, 176.0), (184.0, 356.0))
        top = fork + 16
        ends = [(a + b) / 2 for a, b in sides]
        parts.append(_path(f"M{middle:.1f} {y:.1f}V{fork:.1f}"))
        parts += [
            _path(f"M{middle:.1f} {fork:.1f}H{end:.1f}V{top - 1:.1f}", arrow="down") for end in ends
        ]
        for (a, b), label, number in zip(
            sides, (words["ill"], words["well"]), (flow["n_pos"], flow["n_neg"]), strict=True
        ):
            parts.append(_count_box(a, top, b, str(label)[:1].upper() + str(label)[1:], number))
        y = top + 2 * _LINE + 12
        cuts = _prespecified(facts["markers"])
        if cuts:
            top, reach = y + 20, y
            for (a, b), end, yes, no in zip(sides, ends, ("tp", "fp"), ("fn", "tn"), strict=True):
                parts.append(_path(f"M{end:.1f} {y:.1f}V{top - 1:.1f}", arrow="down"))
                box, reach = _results(cuts, yes, no, a, top, b, wide=wide)
                parts.append(box)
            y = reach
        return parts, y + 8

    return twice("flow", "Flow of participants", alt, draw)


def _prespecified(
    markers: Sequence[Mapping[str, Any]],
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [(m, cut) for m in markers for cut in m["cutpoints"] if cut["kind"] == "prespecified"][
        :_MOST_CUTS
    ]


def _box(left: float, top: float, right: float, height: float) -> Svg:
    outline = element(
        "rect",
        x=left,
        y=top,
        width=right - left,
        height=height,
        rx=4,
        fill="none",
        stroke="currentColor",
        stroke_width=1.2,
    )
    return group("rule", outline)


def _count_box(left: float, top: float, right: float, label: str, number: Any) -> Svg:
    middle = (left + right) / 2
    words = name_text(
        middle, top + _LINE + 2, label, right - left - 16, size=_TEXT, anchor="middle"
    )
    count = text(
        middle,
        top + 2 * _LINE + 2,
        "n = ",
        shown(number, "count"),
        anchor="middle",
        size=_TEXT,
        font_weight="600",
    )
    return Svg(_box(left, top, right, 2 * _LINE + 12) + words + count)


def _reasons_height(steps: Sequence[Any]) -> float:
    lines = min(len(steps), _MOST_STEPS) + (len(steps) > _MOST_STEPS) + 1
    return lines * _LINE + 12.0


def _reasons(steps: Sequence[Mapping[str, Any]], left: float, right: float, top: float) -> Svg:
    y = top + _LINE + 2
    head = "Left out, by the first reason" if steps else "Left out: none"
    parts = [_box(left, top, right, _reasons_height(steps)), text(left + 10, y, head, size=_TEXT)]
    for step in steps[:_MOST_STEPS]:
        y += _LINE
        parts.append(name_text(left + 10, y, step["why"], right - left - 90, size=SMALL))
        count = ("n = ", shown(step["n"], "count"))
        parts.append(text(right - 10, y, *count, anchor="end", size=SMALL))
    if len(steps) > _MOST_STEPS:
        words = f"and {len(steps) - _MOST_STEPS} more reasons"
        parts.append(text(left + 10, y + _LINE, words, size=SMALL, class_="muted"))
    return Svg("".join(parts))


def _results(
    cuts: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    yes: str,
    no: str,
    left: float,
    top: float,
    right: float,
    *,
    wide: bool,
) -> tuple[Svg, float]:
    """Return a box with how many results of one class lie on either side of each cutpoint."""
    y, parts = top + 2, []
    for m, cut in cuts:
        y += _LINE
        room = right - left - 20
        if wide:
            parts.append(name_text(left + 10, y, m["label"], room / 2, size=SMALL))
            parts.append(text(right - 10, y, *cut_label(cut), anchor="end", size=SMALL))
        else:
            parts.append(name_text(left + 10, y, m["label"], room, size=SMALL))
            y += _LINE - 2
            parts.append(text(left + 10, y, *cut_label(cut), size=SMALL))
        for words, key in (("positive", yes), ("negative", no)):
            y += _LINE - 1
            parts.append(text(left + 10, y, words, size=SMALL, class_="muted"))
            count = ("n = ", shown(cut[key], "count"))
            parts.append(text(right - 10, y, *count, anchor="end", size=SMALL))
        y += 4
    height = y - top + 8
    return Svg(_box(left, top, right, height) + "".join(parts)), top + height


def _path(d: str, *, arrow: str = "") -> Svg:
    line = element("path", d=d, fill="none", stroke="currentColor", stroke_width=1.2)
    head = Svg("")
    if arrow:
        x, y = _end(d)
        shape = "l-4-7h8z" if arrow == "down" else "l-7-4v8z"
        head = element("path", d=f"M{x:.1f} {y:.1f}{shape}", fill="currentColor")
    return group("rule", line, head)


def _end(d: str) -> tuple[float, float]:
    """Return where a path of one M and then H and V steps ends."""
    start, *steps = d.replace("H", "|H").replace("V", "|V").split("|")
    x, y = map(float, start[1:].split())
    for step in steps:
        if step[0] == "H":
            x = float(step[1:])
        else:
            y = float(step[1:])
    return x, y
