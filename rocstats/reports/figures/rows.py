"""Rows of estimates with their intervals: the table and the drawing of a forest plot in one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocstats.reports.figures.figure_words import interval
from rocstats.reports.figures.lettering import name_text, pair_text, text
from rocstats.reports.figures.marker_styles import mark
from rocstats.reports.figures.scales import Scale, fit_scale, fit_ticks, show_tick
from rocstats.reports.figures.svg import NARROW, WIDE, bound, element, group, stroke
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup

__all__ = ["Row", "Shade", "draw_rows"]

_TEXT = 12.5
_NUMBERS, _MORE, _NOTE, _TEST = 172, 74, 76, 140  # widths of columns, and of a test beside a head
_ENDS = ("estimate", "conf_low", "conf_high")


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
    note: Sequence[Markup] = ()
    more: Sequence[Markup] = ()
    indent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """A region of values, with the lines at its margin and what it means."""

    low: float
    high: float
    lines: Sequence[float]
    label: Sequence[Markup]


def draw_rows(
    rows: Sequence[Row],
    *,
    wide: bool,
    head: str,
    axis: str,
    line: float,
    limits: tuple[float, float],
    kind: str = "est",
    line_label: str = "",
    more: str = "",
    note: str = "",
    shade: Shade | None = None,
    name_share: float = 0.28,
) -> tuple[list[Markup], float]:
    """Return the parts of the figure and its height.

    Parameters
    ----------
    rows : from top to bottom
    wide : names, intervals and numbers side by side, or numbers above the intervals
    head, axis, more, note : what heads the numbers, the drawing, the last column and the notes
    line, line_label : the value of no effect, and its name
    limits : values that the axis does not go beyond
    kind : how estimates are shown
    shade : region beyond a margin
    name_share : share of a wide figure that the names take
    """
    right = WIDE - 6.0 if wide else NARROW - 4.0
    at, anchor = right, "end"  # of the numbers
    start, stop, step, drop = 10.0, right - 6, 42.0, 0
    if wide:
        at -= _MORE if more else 0
        start = WIDE * name_share + (_NOTE if note else 0)
        stop, step = at - _NUMBERS - 14, 26.0
    elif more:
        at, anchor, step, drop = 4.0, "start", 58.0, 16
    values = [number(row.found[end]) for row in rows if row.found for end in _ENDS]
    values += [line, *(shade.lines if shade else ())]
    x = fit_scale(values, start, stop, margin=0.06, least=limits[0], most=limits[1])
    top = 48.0 if shade else 32.0
    back, front, y = [], [], top
    strips: list[tuple[float, float]] = []  # where lines may be drawn
    for i, row in enumerate(rows):
        height = step if row.found else 26.0
        if i and not row.indent:
            back.append(group("grid", stroke(f"M4 {y:.1f}H{right:.1f}")))
        base = y + (height / 2 + 4.4 if wide or not row.found else 16)
        y += height
        if row.found is None:
            front.append(_draw_name(row, base, 406 if wide else right - _TEST))
            front.append(text(right, base, *row.more, anchor="end"))
            continue
        front += [
            _draw_name(row, base, x.start - 16 if wide else right - (0 if drop else _NUMBERS)),
            text(at, base + drop, *interval(row.found, kind), anchor=anchor),
            text(right, base + drop, *row.more, anchor="end"),
            _draw_interval(row.found, x, y - height / 2 if wide else y - 11),
        ]
        start = y - (height if wide else 22)  # clear of names and numbers
        joined = strips and strips[-1][1] == start
        strips.append((strips.pop()[0] if joined else start, y))
    back += _draw_shade(shade, x, strips) if shade else []
    back += [_rule(x(line), strip) for strip in strips]
    heads = [
        text(at, 18, head, anchor=anchor, class_="muted"),
        text(right, 18, more, anchor="end", class_="muted"),
        text(x.start - 16 if wide else right - _NUMBERS, 18, note, anchor="end", class_="muted"),
    ]
    axes, height = _draw_axis(x, y, axis, line, line_label)
    return [*back, *axes, *front, *heads], height


def _draw_name(row: Row, base: float, end: float) -> Markup:
    """Return the name and the note beside it, which ends where there is other text."""
    start = 18 if row.indent else 4
    room = end - start - (_NOTE if row.note else 0)
    if row.less is not None:
        name = pair_text(start, base, (row.name, row.less), room, size=_TEXT)
    else:
        weight = None if row.found else "600"
        name = name_text(start, base, row.name, room, size=_TEXT, font_weight=weight)
    return Markup(name + text(end, base, *row.note, anchor="end", class_="muted"))


def _draw_interval(found: Mapping[str, Any], x: Scale, y: float) -> Markup:
    """Return the line from limit to limit, with an arrow where one is off the axis."""
    low, high = (x.inside(found[name]) for name in ("conf_low", "conf_high"))
    parts = []
    if not math.isnan(low + high):
        parts.append(stroke(f"M{low:.1f} {y:.1f}H{high:.1f}", 1.6))
        for at, name, way in ((low, "conf_low", 1), (high, "conf_high", -1)):
            d = f"M{at:.1f} {y - 4:.1f}v8"
            if not x.holds(found[name]):
                d = f"M{at + 5 * way:.1f} {y - 4:.1f}l{-5 * way} 4l{5 * way} 4"
            parts.append(stroke(d, 1.6, **bound(found[name])))
    parts.append(mark(1, x(found["estimate"]), y, size=4.4, **bound(found["estimate"])))
    return group("s0", *parts)


def _draw_axis(
    x: Scale, y: float, label: str, line: float, line_label: str
) -> tuple[list[Markup], float]:
    ticks = fit_ticks(x, 6 if x.stop - x.start > 180 else 4)
    d = f"M{x.start:.1f} {y:.1f}H{x.stop:.1f}" + "".join(f"M{x(t):.1f} {y:.1f}v4" for t in ticks)
    drawn = [group("rule", stroke(d))]
    drawn += [text(x(t), y + 17, show_tick(t), anchor="middle", class_="muted") for t in ticks]
    drawn.append(text((x.start + x.stop) / 2, y + 34, label, anchor="middle"))
    at = min(max(x(line), x.start + 20), x.stop - 20)
    drawn.append(text(at, 18, line_label, anchor="middle", class_="muted"))
    return drawn, y + 42


def _draw_shade(shade: Shade, x: Scale, strips: Sequence[tuple[float, float]]) -> list[Markup]:
    left, right = x.inside(shade.low), x.inside(shade.high)
    regions = [
        element("rect", x=left, y=top, width=right - left, height=bottom - top)
        for top, bottom in strips
    ]
    lines = [_rule(x(value), strip, dash="4 3") for value in shade.lines for strip in strips]
    at, anchor = (left + right) / 2, "middle"
    if at < x.start + 90 or at > x.stop - 90:
        near = at < (x.start + x.stop) / 2
        at, anchor = (x.start, "start") if near else (x.stop, "end")
    label = text(at, 34, *shade.label, anchor=anchor, class_="muted")
    return [group("s4", *regions, fill="currentColor", fill_opacity="0.14"), *lines, label]


def _rule(x: float, strip: tuple[float, float], *, dash: str | None = None) -> Markup:
    return group("rule", stroke(f"M{x:.1f} {strip[0]:.1f}V{strip[1]:.1f}", stroke_dasharray=dash))
