"""Axes: a frame of two scales with its grid, its ticks and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocstats.reports.figures.scales import Scale, show_tick
from rocstats.reports.figures.svg import Svg, element, group, shorten, text

__all__ = ["Plane", "draw_axes", "roc_plane"]

SMALL = 11.5
LABEL = 12.5


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

    def clip(self, name: str, *, room: float = 3.0) -> Svg:
        """Return the definition of a clipping region a little larger than the plane."""
        return element(
            "clipPath",
            element(
                "rect",
                x=self.left - room,
                y=self.top - room,
                width=self.right - self.left + 2 * room,
                height=self.bottom - self.top + 2 * room,
            ),
            id=name,
        )


def roc_plane(left: float, top: float, side: float, *, fpr: float = 1.0) -> Plane:
    """Return the square of rates from 0 to 1, or of a part of the false positive rates."""
    return Plane(
        x=Scale(low=0.0, high=fpr, start=left, stop=left + side),
        y=Scale(low=0.0, high=1.0, start=top + side, stop=top),
    )


def draw_axes(
    plane: Plane,
    x_label: str = "",
    y_label: str = "",
    *,
    x_ticks: Sequence[float] | None = None,
    y_ticks: Sequence[float] | None = None,
    x_count: int = 5,
    y_count: int = 5,
    grid: str = "xy",
    percent: str = "",
    size: float = SMALL,
    y_room: float | None = None,
) -> Svg:
    """Return grid, ticks and labels; ``percent`` names the axes that print shares as percent."""
    xs = plane.x.ticks(x_count) if x_ticks is None else x_ticks
    ys = plane.y.ticks(y_count) if y_ticks is None else y_ticks
    lines, labels = [], []
    for value in xs:
        at = plane.x(value)
        if "x" in grid:
            lines.append(element("path", d=_line(at, plane.top, at, plane.bottom)))
        labels.append(
            text(
                at,
                plane.bottom + size + 5,
                _tick(value, "x" in percent),
                anchor="middle",
                size=size,
                class_="muted",
            )
        )
    for value in ys:
        at = plane.y(value)
        if "y" in grid:
            lines.append(element("path", d=_line(plane.left, at, plane.right, at)))
        labels.append(
            text(
                plane.left - 6,
                at + 0.35 * size,
                _tick(value, "y" in percent),
                anchor="end",
                size=size,
                class_="muted",
            )
        )
    middle = (plane.left + plane.right) / 2
    if x_label:
        words = shorten(x_label, plane.right - plane.left + 10, size=LABEL)
        at = plane.bottom + (2 * size + 13 if xs else 18)
        labels.append(text(middle, at, words, anchor="middle", size=LABEL))
    if y_label:
        words = shorten(y_label, plane.bottom - plane.top + 20, size=LABEL)
        up = (plane.top + plane.bottom) / 2
        at = plane.left - (y_room or (44 if "y" in percent else 34))
        labels.append(
            text(
                at,
                up,
                words,
                anchor="middle",
                size=LABEL,
                transform=f"rotate(-90 {at:.1f} {up:.1f})",
            )
        )
    return Svg(
        "".join(
            [
                group("grid", *lines, fill="none", stroke="currentColor", stroke_width=1.0),
                *labels,
            ]
        )
    )


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"


def _tick(value: float, percent: bool) -> str:
    return f"{show_tick(round(100 * value, 6))}%" if percent else show_tick(value)
