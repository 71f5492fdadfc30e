"""How a marker is spread in each class: histograms back to back, and boxes on the same axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.axes import SMALL, Plane, draw_axes
from rocstats.reports.figures.classes import draw_class_key
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.svg import (
    Figure,
    Svg,
    bound,
    clean,
    element,
    group,
    halo_text,
    heading,
    number,
    single,
    text,
    text_width,
)
from rocstats.reports.figures.words import cut_label, cut_text, listed, median_words

__all__ = ["draw_distributions"]

_LEFT, _RIGHT = 50, 350
_TOP, _HALF = 90, 66  # of the upper histogram, and the height of each
_STRIP = 22  # height of a box and its surroundings


def draw_distributions(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw one figure a marker."""
    return [_draw(facts, m, i) for i, m in enumerate(facts["markers"])]


def _draw(facts: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, words = marker["distribution"], facts["words"]
    bars = found["histogram"]
    log = bool(found["log_scale"])
    ends = [found[side][end] for side in ("pos", "neg") for end in ("min", "max")]
    x = fit_scale([*bars["edges"], *ends], _LEFT, _RIGHT, log=log, margin=0.02)
    shares = {side: _shares(bars[side]) for side in ("pos", "neg")}
    tallest = max([*shares["pos"], *shares["neg"], 1e-9])
    up = Scale(low=0.0, high=tallest, start=_TOP + _HALF, stop=_TOP)
    down = Scale(low=0.0, high=tallest, start=_TOP + _HALF, stop=_TOP + 2 * _HALF)
    strip = _TOP + 2 * _HALF + 10
    bottom = strip + 2 * _STRIP + 4
    plane = Plane(x=x, y=Scale(low=0.0, high=1.0, start=bottom, stop=_TOP))
    ticks = [t for t in up.ticks(2) if t > 0.0]
    label = f"{clean(marker['label'])}, {marker['unit']}" if marker.get("unit") else marker["label"]
    cuts = [_draw_cut(cut, plane) for cut in marker["cutpoints"]]
    parts = [
        draw_axes(plane, f"{label} (log scale)" if log else str(label), y_ticks=[], grid="x"),
        *_share_axis(up, ticks),
        *_share_axis(down, [0.0, *ticks]),
        _draw_bars("pos", bars["edges"], shares["pos"], bars["pos"], x, up),
        _draw_bars("neg", bars["edges"], shares["neg"], bars["neg"], x, down),
        _line(_TOP + _HALF),
        _draw_box("pos", found["pos"], x, strip + _STRIP / 2),
        _draw_box("neg", found["neg"], x, strip + 1.5 * _STRIP),
        *cuts,
        *_draw_cut_labels(marker["cutpoints"], plane),
        heading(marker["label"]),
        *draw_class_key(words, 35, counts=found),
    ]
    alt = (
        f"Distribution of {clean(marker['label'])} {words['ill']} (above) and {words['well']} "
        f"(below). Median and quartiles: {words['ill']} {median_words(found['pos'])}; "
        f"{words['well']} {median_words(found['neg'])}."
    )
    if marker["cutpoints"]:
        alt += f" Cutpoints: {listed([cut_text(cut) for cut in marker['cutpoints']])}."
    title = f"Distribution of {clean(marker['label'])}"
    return single(f"distribution-{index}", title, alt, *parts, height=bottom + 44)


def _shares(counts: Sequence[Any]) -> list[float]:
    total = sum(map(number, counts))
    return [number(count) / total if total > 0.0 else 0.0 for count in counts]


def _share_axis(scale: Scale, ticks: Sequence[float]) -> list[Svg]:
    drawn = []
    for tick in ticks:
        at = scale(tick)
        line = element("path", d=f"M{_LEFT} {at:.1f}H{_RIGHT}", fill="none", stroke="currentColor")
        words = f"{100 * tick:.6g}%"
        drawn.append(group("grid", line))
        drawn.append(
            text(_LEFT - 6, at + 4, words, anchor="end", size=SMALL, class_="muted"),
        )
    return drawn


def _draw_bars(
    class_: str,
    edges: Sequence[Any],
    shares: Sequence[float],
    counts: Sequence[Any],
    x: Scale,
    y: Scale,
) -> Svg:
    drawn = []
    for left, right, share, count in zip(edges[:-1], edges[1:], shares, counts, strict=False):
        if not share > 0.0:
            continue
        a, b, top = x(left), x(right), y(share)
        drawn.append(
            element(
                "rect",
                x=a + 0.4,
                y=min(top, y.start),
                width=max(b - a - 0.8, 0.8),
                height=abs(top - y.start),
                fill="currentColor",
                fill_opacity="0.75",
                **bound(count),
            )
        )
    return group(class_, *drawn)


def _draw_box(class_: str, found: Mapping[str, Any], x: Scale, y: float) -> Svg:
    """Return quartiles as a box, whiskers to the last value within 1.5 ranges, ends as dots."""
    q1, median, q3 = (x(found[name]) for name in ("q1", "median", "q3"))
    low, high = x(found["low_whisker"]), x(found["high_whisker"])
    parts = []
    if math.isfinite(low) and math.isfinite(high):
        line = f"M{low:.1f} {y:.1f}H{high:.1f}"
        parts.append(element("path", d=line, fill="none", stroke="currentColor", stroke_width=1.4))
    if math.isfinite(q1) and math.isfinite(q3):
        parts.append(
            element(
                "rect",
                x=q1,
                y=y - 6,
                width=max(q3 - q1, 1.0),
                height=12,
                fill=_PAPER,
                stroke="currentColor",
                stroke_width=1.4,
                class_="sheet",
            )
        )
    if math.isfinite(median):
        parts.append(
            element(
                "path",
                d=f"M{median:.1f} {y - 6:.1f}v12",
                stroke="currentColor",
                stroke_width=3,
                fill="none",
                **bound(found["median"]),
            )
        )
    for end, whisker in (("min", "low_whisker"), ("max", "high_whisker")):
        if number(found[end]) != number(found[whisker]):
            dot = {"cx": x(found[end]), "cy": y, "r": 2, "fill": "currentColor"}
            parts.append(element("circle", **dot, **bound(found[end])))
    return group(class_, *parts)


_PAPER = "#ffffff"


def _line(y: float) -> Svg:
    line = element("path", d=f"M{_LEFT} {y}H{_RIGHT}", fill="none", stroke="currentColor")
    return group("rule", line)


def _draw_cut(cut: Mapping[str, Any], plane: Plane) -> Svg:
    at = plane.x(cut["threshold"])
    if not plane.x.holds(cut["threshold"]) or not math.isfinite(at):
        return Svg("")
    line = element(
        "path",
        d=f"M{at:.1f} {plane.top - 4:.1f}V{plane.bottom:.1f}",
        fill="none",
        stroke="currentColor",
        stroke_width=1.4,
        stroke_dasharray=None if cut["kind"] == "prespecified" else "4 3",
        **bound(cut["threshold"]),
    )
    return group("ink", line)


def _draw_cut_labels(cuts: Sequence[Mapping[str, Any]], plane: Plane) -> list[Svg]:
    """Return the thresholds above their lines; one that would cover another is left out."""
    board = Board(0, 0, 360, 400)
    drawn = []
    for cut in cuts:
        at = plane.x(cut["threshold"])
        if not plane.x.holds(cut["threshold"]) or not math.isfinite(at):
            continue
        width = text_width(cut_text(cut), SMALL)
        left = min(max(at - width / 2, 4), 356 - width)
        for base in (plane.top - 8, plane.top - 8 - SMALL - 2):
            if board.claim(left - 2, base - SMALL, left + width + 2, base + 2):
                drawn.append(
                    halo_text(left + width / 2, base, *cut_label(cut), anchor="middle", size=SMALL)
                )
                break
    return drawn
