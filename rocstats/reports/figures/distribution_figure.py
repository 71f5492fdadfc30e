"""How a marker is spread in each class: histograms back to back, and boxes on the same axis."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.bars import draw_bars, shares_of
from rocstats.reports.figures.class_key import draw_class_key
from rocstats.reports.figures.figure_words import cut_label, cut_text, listed, median_words
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.lettering import SMALL, halo_text, heading, text, text_width
from rocstats.reports.figures.scales import Scale, fit_scale
from rocstats.reports.figures.svg import (
    COLOURS,
    NARROW,
    Figure,
    bound,
    element,
    group,
    single,
    stroke,
)
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean

__all__ = ["axis_words", "cut_place", "draw_distributions"]

_LEFT, _RIGHT = 50, 350
_TOP, _HALF = 90, 66  # of the upper histogram, and the height of each
_STRIP = 22  # height of a box and its surroundings


def draw_distributions(facts: Mapping[str, Any]) -> list[Figure | None]:
    """Draw one figure a marker that is shown in full; None for the others."""
    return [
        _draw(facts["words"], m, i) if m["in_full"] else None
        for i, m in enumerate(facts["markers"])
    ]


def axis_words(marker: Mapping[str, Any]) -> str:
    """Return what an axis of a marker's values is called."""
    unit = f", {clean(marker['unit'])}" if marker["unit"] else ""
    scale = " (log scale)" if marker["distribution"]["log_scale"] else ""
    steps = [number(value) for value in marker["distribution"]["histogram"]["values"]]
    widths = [right - left for left, right in pairwise(steps)]
    if widths and max(widths) > 1.001 * min(widths):
        scale = " (values at equal distances)"
    return f"{clean(marker['label'])}{unit}{scale}"


def cut_place(marker: Mapping[str, Any], threshold: Any, x: Scale) -> float:
    """Return where a threshold stands: between two steps of a scale, else at its value."""
    bars, at = marker["distribution"]["histogram"], number(threshold)
    if not x.steps:
        return x.inside(threshold)
    steps = [number(value) for value in bars["values"]]
    below = bisect_left if marker["higher_is_positive"] else bisect_right
    return x.inside(bars["edges"][below(steps, at)])


def _draw(words: Mapping[str, Any], marker: Mapping[str, Any], index: int) -> Figure:
    found, name = marker["distribution"], clean(marker["label"])
    bars = found["histogram"]
    ends = [found[side][end] for side in ("pos", "neg") for end in ("min", "max")]
    log = bool(found["log_scale"])
    steps = bars["values"]
    x = fit_scale([*bars["edges"], *ends], _LEFT, _RIGHT, log=log, margin=0.02, steps=steps)
    shares = {side: shares_of(bars[side]) for side in ("pos", "neg")}
    tallest = max([*shares["pos"], *shares["neg"], 1e-9])
    middle = _TOP + _HALF
    up = Scale(low=0.0, high=tallest, start=middle, stop=_TOP)
    down = Scale(low=0.0, high=tallest, start=middle, stop=middle + _HALF)
    strip = middle + _HALF + 10
    bottom = strip + 2 * _STRIP + 4
    plane = Plane(x=x, y=Scale(low=0.0, high=1.0, start=bottom, stop=_TOP))
    ticks = [t for t in up.ticks(2) if t > 0.0]
    # One line for each threshold: the first, a prespecified one, stands for others at its place.
    apart = {cut["threshold"]: cut for cut in reversed(marker["cutpoints"])}
    cuts = [
        (cut, cut_place(marker, cut["threshold"], x))
        for cut in reversed(apart.values())
        if x.holds(cut["threshold"])
    ]
    parts = [
        draw_axes(plane, axis_words(marker), y_ticks=[]),
        *_draw_shares(up, ticks),
        *_draw_shares(down, [0.0, *ticks]),
        draw_bars("pos", bars["edges"], bars["pos"], shares["pos"], x, up),
        draw_bars("neg", bars["edges"], bars["neg"], shares["neg"], x, down),
        group("rule", stroke(f"M{_LEFT} {middle}H{_RIGHT}")),
        _draw_box("pos", found["pos"], x, strip + _STRIP / 2),
        _draw_box("neg", found["neg"], x, strip + 1.5 * _STRIP),
        *(_draw_cut(cut, at, plane) for cut, at in cuts),
        *_draw_cut_labels(cuts, plane),
        heading(marker["label"]),
        *draw_class_key(words, 35, counts=found),
    ]
    alt = (
        f"Distribution of {name} {words['ill']} (above) and {words['well']} (below). Median and "
        f"quartiles: {words['ill']} {median_words(found['pos'])}; "
        f"{words['well']} {median_words(found['neg'])}."
    )
    if marker["cutpoints"]:
        alt += f" Cutpoints: {listed([cut_text(cut) for cut in marker['cutpoints']])}."
    title = f"Distribution of {name}"
    return single(f"distribution-{index}", title, alt, *parts, height=bottom + 44)


def _draw_shares(scale: Scale, ticks: Sequence[float]) -> list[Markup]:
    drawn = []
    for tick in ticks:
        at = scale(tick)
        drawn.append(group("grid", stroke(f"M{_LEFT} {at:.1f}H{_RIGHT}")))
        words = f"{100 * tick:.6g}%"
        drawn.append(text(_LEFT - 6, at + 4, words, anchor="end", class_="muted"))
    return drawn


def _draw_box(class_: str, found: Mapping[str, Any], x: Scale, y: float) -> Markup:
    """Return quartiles as a box, whiskers to the last value within 1.5 ranges, ends as dots."""
    q1, median, q3 = (x(found[name]) for name in ("q1", "median", "q3"))
    low, high = x(found["low_whisker"]), x(found["high_whisker"])
    box: dict[str, Any] = {"x": q1, "y": y - 6, "width": max(q3 - q1, 1.0), "height": 12}
    paint = {"fill": COLOURS["paper"], "stroke": "currentColor", "stroke_width": 1.4}
    parts = [
        stroke(f"M{low:.1f} {y:.1f}H{high:.1f}", 1.4),
        element("rect", **box, **paint, class_="sheet"),
        stroke(f"M{median:.1f} {y - 6:.1f}v12", 3, **bound(found["median"])),
    ]
    for end, whisker in (("min", "low_whisker"), ("max", "high_whisker")):
        if number(found[end]) != number(found[whisker]):
            dot = {"cx": x(found[end]), "cy": y, "r": 2, "fill": "currentColor"}
            parts.append(element("circle", **dot, **bound(found[end])))
    return group(class_, *parts)


def _draw_cut(cut: Mapping[str, Any], at: float, plane: Plane) -> Markup:
    dash = None if cut["kind"] == "prespecified" else "4 3"
    d = f"M{at:.1f} {plane.top - 4:.1f}V{plane.bottom:.1f}"
    return group("ink", stroke(d, 1.4, stroke_dasharray=dash, **bound(cut["threshold"])))


def _draw_cut_labels(cuts: Sequence[tuple[Mapping[str, Any], float]], plane: Plane) -> list[Markup]:
    """Return the thresholds above their lines; one that would cover another is left out."""
    board = Board(0, 0, NARROW, plane.bottom)
    drawn = []
    for cut, place in cuts:
        half = text_width(cut_text(cut)) / 2
        at = min(max(place, 4 + half), NARROW - 4 - half)
        for base in (plane.top - 8, plane.top - 8 - SMALL - 2):
            if board.claim(at - half - 2, base - SMALL, at + half + 2, base + 2):
                drawn.append(halo_text(at, base, *cut_label(cut), anchor="middle"))
                break
    return drawn
