"""Axes: a frame of two scales with its grid, its ticks and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocstats.reports.figures.lettering import SMALL, shorten, text
from rocstats.reports.figures.scales import Scale, fit_ticks, show_tick
from rocstats.reports.figures.svg import element, group, stroke
from rocstats.reports.markup import Markup

__all__ = ["Plane", "draw_axes", "draw_chance", "roc_plane"]

_LABEL = 12.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """Two scales at right angles; the y scale runs upwards."""

    x: Scale
    y: Scale

    @property
    def left(self) -> float:
        return self.x.start

    @property
    def right(self) -> float:
        return self.x.stop

    @property
    def top(self) -> float:
        return self.y.stop

    @property
    def bottom(self) -> float:
        return self.y.start

    def clip(self, name: str, *, room: float = 3.0) -> Markup:
        """Return the definition of a clipping region a little larger than the plane."""
        region = element(
            "rect",
            x=self.left - room,
            y=self.top - room,
            width=self.right - self.left + 2 * room,
            height=self.bottom - self.top + 2 * room,
        )
        return element("clipPath", region, id=name)


def roc_plane(left: float, top: float, side: float) -> Plane:
    """Return the square of rates from 0 to 1."""
    return Plane(
        x=Scale(low=0.0, high=1.0, start=left, stop=left + side),
        y=Scale(low=0.0, high=1.0, start=top + side, stop=top),
    )


def draw_chance(plane: Plane) -> Markup:
    """Return the line on which both rates are equal."""
    high = plane.x.high
    return group("rule", stroke(_line(plane.left, plane.bottom, plane.x(high), plane.y(high))))


def draw_axes(
    plane: Plane,
    x_label: str = "",
    y_label: str = "",
    *,
    x_ticks: Sequence[float] | None = None,
    y_ticks: Sequence[float] | None = None,
    x_count: int = 5,
    percent: str = "",
    y_room: float | None = None,
) -> Markup:
    """Return grid, ticks and labels; ``percent`` names the axes that print shares as percent."""
    xs = fit_ticks(plane.x, x_count, x_ticks)
    ys = plane.y.ticks() if y_ticks is None else y_ticks
    lines, labels = [], []
    for value in xs:
        at = plane.x(value)
        lines.append(element("path", d=_line(at, plane.top, at, plane.bottom)))
        words = _tick(value, "x" in percent)
        labels.append(text(at, plane.bottom + SMALL + 5, words, anchor="middle", class_="muted"))
    for value in ys:
        at = plane.y(value)
        lines.append(element("path", d=_line(plane.left, at, plane.right, at)))
        words = _tick(value, "y" in percent)
        labels.append(text(plane.left - 6, at + 4, words, anchor="end", class_="muted"))
    middle = (plane.left + plane.right) / 2
    if x_label:
        words = shorten(x_label, plane.right - plane.left + 10, size=_LABEL)
        at = plane.bottom + (2 * SMALL + 13 if xs else 18)
        labels.append(text(middle, at, words, anchor="middle", size=_LABEL))
    if y_label:
        words = shorten(y_label, plane.bottom - plane.top + 20, size=_LABEL)
        up = (plane.top + plane.bottom) / 2
        at = plane.left - (y_room or (44 if "y" in percent else 34))
        turn = f"rotate(-90 {at:.1f} {up:.1f})"
        labels.append(text(at, up, words, anchor="middle", size=_LABEL, transform=turn))
    grid = group("grid", *lines, fill="none", stroke="currentColor")
    return Markup("".join([grid, *labels]))


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"


def _tick(value: float, percent: bool) -> str:
    return f"{show_tick(round(100 * value, 6))}%" if percent else show_tick(value)
