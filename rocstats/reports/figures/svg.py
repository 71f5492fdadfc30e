"""SVG as text: elements whose every text is escaped, and the figure that holds them.

Colours are named by classes and given as presentation attributes, so that a figure is right without
any style sheet; marks paint themselves in ``currentColor`` and ``figures.css`` changes no more than
``color``. Lengths are in the units of the viewBox, which are pixels on a screen as wide as it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rocstats.reports.markup import Markup, clean

__all__ = [
    "COLOURS",
    "NARROW",
    "TINY",
    "WIDE",
    "Figure",
    "bound",
    "element",
    "group",
    "place",
    "shade",
    "single",
    "stroke",
    "twice",
]

WIDE, NARROW, TINY = 720, 360, 270  # units across: a page, a phone, a third of a page

# Class: its colour on white paper.
COLOURS = {
    "ink": "#1b2530",
    "muted": "#5b6672",
    "grid": "#e3e7eb",
    "rule": "#9aa5b1",
    "paper": "#ffffff",
    "rest": "#b8c0c8",
    "pos": "#d55e00",
    "neg": "#0072b2",
    "s0": "#0072b2",
    "s1": "#d55e00",
    "s2": "#009e73",
    "s3": "#cc79a7",
    "s4": "#e69f00",
    "s5": "#56b4e9",
    "s6": "#000000",
    "s7": "#8a7a00",
    # Words in the colour of a series, dark enough to be read.
    "t0": "#005c91",
    "t1": "#a84a00",
    "t2": "#00714f",
    "t3": "#99467a",
    "t4": "#855c00",
    "t5": "#1a6f9f",
    "t6": "#000001",
    "t7": "#6b5f00",
}
_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawing: its name (an id of the page), its markup and what it shows in words."""

    name: str
    svg: str
    alt: str

    def __html__(self) -> str:
        return self.svg


def place(value: float) -> str:
    """Return a coordinate to a tenth of a unit."""
    return f"{round(float(value), 1) + 0.0:.1f}".removesuffix(".0")


def element(tag: str, *children: str, **attributes: Any) -> Markup:
    """Return an element; one whose place is not a finite number is left out.

    A child that is no `Markup` is text and is escaped. Attributes drop a closing underscore and
    write the others as hyphens (``class_``, ``stroke_width``); None is no attribute.
    """
    written = []
    for name, value in attributes.items():
        if value is None:
            continue
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not math.isfinite(value):
                return Markup("")
            value = place(value)
        elif name in ("d", "transform") and ("nan" in value or "inf" in value):
            return Markup("")
        written.append(f' {name.rstrip("_").replace("_", "-")}="{escape(clean(value))}"')
    inside = "".join(c if isinstance(c, Markup) else escape(clean(c)) for c in children)
    head = f"<{tag}{''.join(written)}"
    return Markup(f"{head}>{inside}</{tag}>" if inside else f"{head}/>")


def group(class_: str, *children: str, **attributes: Any) -> Markup:
    """Return a group painted in the colour of its class."""
    colour = COLOURS[class_.split(" ")[0]]
    return element("g", *children, class_=class_, color=colour, **attributes)


def stroke(d: str, width: float | None = None, **attributes: Any) -> Markup:
    """Return a line in the colour of the group around it; nothing where there is no path."""
    paint: dict[str, Any] = {"fill": "none", "stroke": "currentColor", "stroke_width": width}
    return element("path", d=d, **paint, **attributes) if d else Markup("")


def shade(d: str) -> Markup:
    """Return a light area in the colour of the group around it; nothing where there is no path."""
    if not d:
        return Markup("")
    return element("path", d=d, fill="currentColor", fill_opacity="0.13")


def bound(value: Any) -> dict[str, Any]:
    """Return the attribute that binds a mark to the fact that it stands for."""
    return {"data_path": getattr(value, "path", None)}


def twice(
    name: str, title: str, alt: str, draw: Callable[[bool, str], tuple[Sequence[str], float]]
) -> Figure:
    """Return a figure drawn for a page and for a phone; the style sheet shows one of them.

    Parameters
    ----------
    name, title, alt : as of the figure
    draw : takes whether the drawing is wide and its name, and returns its parts and its height
    """
    drawings = []
    for wide, own in ((True, name), (False, f"{name}-narrow")):
        parts, height = draw(wide, own)
        kind = {"class_": "figure wide"} if wide else {"class_": "figure narrow", "display": "none"}
        width = WIDE if wide else NARROW
        drawings.append(_outer(own, title, alt, *parts, width=width, height=height, **kind))
    return Figure(name=name, svg="".join(drawings), alt=alt)


def single(
    name: str, title: str, alt: str, *parts: str, height: float, width: float = NARROW
) -> Figure:
    """Return a figure as wide as a phone or less, of which a page may set several in a row."""
    class_ = "figure single" if width == NARROW else "figure single small"
    svg = _outer(name, title, alt, *parts, width=width, height=height, class_=class_)
    return Figure(name=name, svg=svg, alt=alt)


def _outer(
    name: str, title: str, alt: str, *parts: str, width: float, height: float, **attributes: Any
) -> Markup:
    """Return the outer element, named and described for a reader who does not see it."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", alt, id=f"{name}-desc"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {place(width)} {place(height)}",
        role="img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
        id=name,
        color=COLOURS["ink"],
        font_family=_FONTS,
        **attributes,
    )
