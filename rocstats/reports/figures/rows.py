"""Rows of estimates with their intervals: the table and the drawing of a forest plot in one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocstats.reports.figures.axes import SMALL
from rocstats.reports.figures.scales import Scale, fit_scale, show_tick
from rocstats.reports.figures.series import mark
from rocstats.reports.figures.svg import (
    NARROW,
    WIDE,
    Svg,
    bound,
    element,
    group,
    interval,
    name_text,
    number,
    pair_text,
    text,
)

__all__ = ["Row", "Shade", "draw_rows"]

_TEXT = 12.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the figure: an estimate, or the head of those that follow.

    Attributes
    ----------
    name : what is estimated
    less : what is taken from it, for a difference
    found : estimate, conf_low and conf_high; None for a head
    note : parts of a text beside the name
    more : parts of the last column
    indent : whether it stands under a head
    """

    name: str
    less: str | None = None
    found: Mapping[str, Any] | None = None
    note: Sequence[Svg] = ()
    more: Sequence[Svg] = ()
    indent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """A region of values, from a margin on, with what it means."""

    low: float
    high: float
    lines: Sequence[float]
    label: Sequence[Svg]


def draw_rows(
    rows: Sequence[Row],
    *,
    wide: bool,
    kind: str,
    head: str,
    axis: str,
    line: float,
    line_label: str = "",
    more: str = "",
    note: str = "",
    least: float | None = None,
    most: float | None = None,
    shade: Shade | None = None,
    name_share: float = 0.28,
) -> tuple[list[Svg], float]:
    """Return the parts of the figure and its height.

    Parameters
    ----------
    rows : from top to bottom
    wide : names, intervals and numbers side by side, or numbers above the intervals
    kind : how estimates are shown
    head, axis, more, note : what heads the numbers, the drawing, the last column and the notes
    line, line_label : the value of no effect, and its name
    least, most : limits of the axis
    shade : region beyond a margin
    name_share : share of a wide figure that the names take
    """
    values = [number(row.found[k]) for row in rows if row.found for k in _ENDS]
    values += [line, *(shade.lines if shade else ())]
    right = WIDE - 6 if wide else NARROW - 4
    numbers_width = 172.0
    more_width = 74.0 if more else 0.0
    if wide:
        left = WIDE * name_share + (76 if note else 0)
        x = fit_scale(values, left, right - numbers_width - more_width - 14, **_room(least, most))
    else:
        left = 10.0
        x = fit_scale(values, left, right - 6, **_room(least, most))
    top = 24.0 + (16 if shade else 0)
    step = 26.0 if wide else (58.0 if more else 42.0)
    heights = [step if row.found else 26.0 for row in rows]
    bottom = top + 8 + sum(heights)
    back, front = [], []
    strips = [(top, bottom)]
    if not wide:  # lines keep clear of the text above each interval
        ends = [top + 8 + sum(heights[: i + 1]) for i in range(len(rows))]
        strips = [(y - 22, y) for y, row in zip(ends, rows, strict=True) if row.found]
    if shade:
        back += _draw_shade(shade, x, strips)
    back += [_rule(x(line), low, high, dashed=False) for low, high in strips]
    y = top + 8
    for i, (row, height) in enumerate(zip(rows, heights, strict=True)):
        if i and not row.indent:
            back.append(_separator(y, 4, right))
        middle = y + height / 2 if wide or not row.found else y + height - 11
        base = y + height / 2 + 4.4 if wide or not row.found else y + 16
        front.append(_draw_name(row, base, x.start if wide else right, wide, more=bool(more)))
        if row.found:
            numbers = interval(row.found, kind)
            if wide:
                front.append(_cell(right - more_width, base, numbers))
                front.append(_cell(right, base, row.more))
            elif more:
                front.append(text(4, base + 16, *numbers, size=SMALL))
                front.append(_cell(right, base + 16, row.more))
            else:
                front.append(_cell(right, base, numbers))
            front.append(_draw_interval(row.found, x, middle))
        elif row.more:
            front.append(_cell(right, base, row.more))
        y += height
    heads = []
    if wide:
        heads.append(_head(right - more_width, head))
        heads.append(_head(right, more))
        heads.append(_head(x.start - 16, note))
    elif more:
        heads.append(text(4, 18, head, size=SMALL, class_="muted"))
        heads.append(_head(right, more))
    else:
        heads.append(_head(right, head))
    axes, height = _draw_axis(x, bottom, axis, line, line_label)
    return [*back, *axes, *front, *heads], height


_ENDS = ("estimate", "conf_low", "conf_high")


def _room(least: float | None, most: float | None) -> dict[str, Any]:
    return {"margin": 0.06, "least": least, "most": most}


def _draw_name(row: Row, base: float, right: float, wide: bool, *, more: bool) -> Svg:
    start = 18 if row.indent else 6
    weight = None if row.found else "600"
    if not wide:
        start -= 2
        room = right - start if more or not row.found else right - start - 172
        note = text(right - 172, base, *row.note, anchor="end", size=SMALL, class_="muted")
        room -= 72 if row.note else 0
        name = _name(row, start, base, room, weight)
        return Svg(name + (note if row.note else ""))
    room = right - start - 16 - (76 if row.note else 0) if row.found else 400
    name = _name(row, start, base, room, weight)
    if not row.note:
        return name
    note = text(right - 16, base, *row.note, anchor="end", size=SMALL, class_="muted")
    return Svg(name + note)


def _name(row: Row, x: float, y: float, room: float, weight: str | None) -> Svg:
    if row.less is not None:
        return pair_text(x, y, (row.name, row.less), room, size=_TEXT)
    return name_text(x, y, row.name, room, size=_TEXT, font_weight=weight)


def _draw_interval(found: Mapping[str, Any], x: Scale, y: float) -> Svg:
    """Return the line from limit to limit, with an arrow where one is off the axis."""
    low, high = number(found["conf_low"]), number(found["conf_high"])
    parts = []
    if low == low and high == high:
        parts.append(
            element(
                "path",
                d=f"M{x.inside(low):.1f} {y:.1f}H{x.inside(high):.1f}",
                stroke="currentColor",
                stroke_width=1.6,
                fill="none",
            )
        )
        for limit, name, way in ((low, "conf_low", 1), (high, "conf_high", -1)):
            at = x.inside(limit)
            d = f"M{at:.1f} {y - 4:.1f}v8"
            if not x.holds(limit):
                d = f"M{at + 5 * way:.1f} {y - 4:.1f}l{-5 * way} 4l{5 * way} 4"
            parts.append(
                element(
                    "path",
                    d=d,
                    stroke="currentColor",
                    stroke_width=1.6,
                    fill="none",
                    **bound(found[name]),
                )
            )
    at = x(found["estimate"])
    if math.isfinite(at):
        parts.append(mark(1, at, y, size=4.4, **bound(found["estimate"])))
    return group("s0", *parts)


def _draw_axis(
    x: Scale, y: float, label: str, line: float, line_label: str
) -> tuple[list[Svg], float]:
    ticks = [t for t in x.ticks(6 if x.stop - x.start > 180 else 4) if x.holds(t)]
    drawn = [
        group(
            "rule",
            element("path", d=f"M{x.start:.1f} {y:.1f}H{x.stop:.1f}"),
            *(element("path", d=f"M{x(t):.1f} {y:.1f}v4") for t in ticks),
            fill="none",
            stroke="currentColor",
        )
    ]
    drawn += [
        text(x(t), y + 17, show_tick(t), anchor="middle", size=SMALL, class_="muted") for t in ticks
    ]
    middle = (x.start + x.stop) / 2
    drawn.append(text(middle, y + 34, label, anchor="middle", size=SMALL))
    if line_label:
        at = min(max(x(line), x.start + 20), x.stop - 20)
        drawn.append(text(at, 18, line_label, anchor="middle", size=SMALL, class_="muted"))
    return drawn, y + 42


def _draw_shade(shade: Shade, x: Scale, strips: Sequence[tuple[float, float]]) -> list[Svg]:
    left, right = x.inside(shade.low), x.inside(shade.high)
    regions = [
        element(
            "rect",
            x=left,
            y=top,
            width=right - left,
            height=bottom - top,
            fill="currentColor",
            fill_opacity="0.14",
        )
        for top, bottom in strips
    ]
    lines = [_rule(x(v), top, bottom, dashed=True) for v in shade.lines for top, bottom in strips]
    at, anchor = (left + right) / 2, "middle"
    if at < x.start + 90 or at > x.stop - 90:
        anchor = "start" if at < (x.start + x.stop) / 2 else "end"
        at = x.start if anchor == "start" else x.stop
    label = text(at, 34, *shade.label, anchor=anchor, size=SMALL, class_="muted")
    return [group("s4", *regions), *lines, label]


def _rule(x: float, top: float, bottom: float, *, dashed: bool) -> Svg:
    line = element(
        "path",
        d=f"M{x:.1f} {top:.1f}V{bottom:.1f}",
        fill="none",
        stroke="currentColor",
        stroke_dasharray="4 3" if dashed else None,
    )
    return group("rule", line)


def _separator(y: float, left: float, right: float) -> Svg:
    line = element("path", d=f"M{left} {y:.1f}H{right:.1f}", fill="none", stroke="currentColor")
    return group("grid", line)


def _cell(x: float, y: float, parts: Sequence[Svg]) -> Svg:
    return text(x, y, *parts, anchor="end", size=SMALL) if parts else Svg("")


def _head(x: float, words: str) -> Svg:
    if not words:
        return Svg("")
    return text(x, 18, words, anchor="end", size=SMALL, class_="muted")
