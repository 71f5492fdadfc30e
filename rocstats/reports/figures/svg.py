"""SVG as text: elements whose every text is escaped, and the figure that holds them.

Colours are named by classes and given as presentation attributes, so that a figure is right without
any style sheet; marks paint themselves in ``currentColor`` and ``figures.css`` changes no more than
``color``. Lengths are in the units of the viewBox, which are pixels on a screen as wide as it.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocstats.reports.facts import FORMATS

__all__ = [
    "COLOURS",
    "NARROW",
    "TINY",
    "WIDE",
    "Figure",
    "Svg",
    "bound",
    "clean",
    "element",
    "escape",
    "figure",
    "group",
    "halo_text",
    "heading",
    "interval",
    "name_text",
    "number",
    "pair_text",
    "place",
    "shorten",
    "shown",
    "single",
    "text",
    "text_width",
    "twice",
    "wrapped",
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
}
_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_ISOLATE, _END = "\u2068", "\u2069"
_DROPPED = {
    *"\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # bidi
    *"\ufffe\uffff",  # no XML
}
_NARROW_LETTERS = {*"ijlI.,:;'|!()[]/ -"}
_BROAD_LETTERS = {*"mwMW@%<>&=+#~^≥≤−±…"}


class Svg(str):
    """Text that is markup already."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawing: its name (an id of the page), its markup and what it shows in words."""

    name: str
    svg: str
    alt: str

    def __html__(self) -> str:
        return self.svg


def number(value: Any) -> float:
    """Return a leaf of the facts as a float: nan where it is missing, and infinities by name."""
    if value is None:
        return math.nan
    try:
        return float(value)
    except ValueError:
        return math.nan


def clean(words: Any) -> str:
    """Return a text that XML can hold, with its direction kept to itself."""
    whole = str(words)
    if whole.isascii() and whole.isprintable():
        return whole
    kept = "".join(
        " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
        for c in whole
        if c not in _DROPPED and unicodedata.category(c) != "Cs"
    )
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in kept):
        return f"{_ISOLATE}{kept}{_END}"
    return kept


def escape(words: str) -> str:
    """Return a text as XML writes it, in elements and in attributes."""
    for mark, entity in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        words = words.replace(mark, f"&{entity};")
    return words


def place(value: float) -> str:
    """Return a coordinate to a tenth of a unit."""
    return f"{round(float(value), 1) + 0.0:.1f}".removesuffix(".0")


def element(tag: str, *children: str, **attributes: Any) -> Svg:
    """Return an element; one whose place is not a finite number is left out.

    A child that is no `Svg` is text and is escaped. Attributes drop a closing underscore and write
    the others as hyphens (``class_``, ``stroke_width``); None is no attribute.
    """
    written = []
    for name, value in attributes.items():
        if value is None:
            continue
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not math.isfinite(value):
                return Svg("")
            value = place(value)
        elif name in ("d", "transform") and ("nan" in value or "inf" in value):
            return Svg("")
        written.append(f' {name.rstrip("_").replace("_", "-")}="{escape(clean(value))}"')
    inside = "".join(c if isinstance(c, Svg) else escape(clean(c)) for c in children)
    head = f"<{tag}{''.join(written)}"
    return Svg(f"{head}>{inside}</{tag}>" if inside else f"{head}/>")


def group(class_: str | None, *children: str, **attributes: Any) -> Svg:
    """Return a group painted in the colour of its class."""
    colour = COLOURS.get((class_ or "").split(" ")[0])
    return element("g", *children, class_=class_, color=colour, **attributes)


def shown(value: Any, kind: str) -> Svg:
    """Return a number as it is printed, bound to the fact that it prints.

    Parameters
    ----------
    value : leaf of the facts
    kind : how it is shown, a name of `rocstats.reports.facts.FORMATS`
    """
    words = FORMATS[kind](value)
    path = getattr(value, "path", None)
    if path is None:
        return Svg(escape(words))
    return element("tspan", words, data_path=path, data_as=kind)


def bound(value: Any) -> dict[str, Any]:
    """Return the attribute that binds a mark to the fact that it stands for."""
    path = getattr(value, "path", None)
    return {} if path is None else {"data_path": path}


def interval(row: Mapping[str, Any], kind: str = "est") -> list[Svg]:
    """Return an estimate with its limits, as the parts of a line of text."""
    if not math.isfinite(number(row["estimate"])):
        return [Svg("not estimable")]
    low, high = row["conf_low"], row["conf_high"]
    if number(low) != number(low) or number(high) != number(high):
        return [shown(row["estimate"], kind), Svg(" (no interval)")]
    parts = shown(row["estimate"], kind), " (", shown(low, kind), " to ", shown(high, kind), ")"
    return [Svg(part) for part in parts]


def text(
    x: float,
    y: float,
    *parts: str,
    anchor: str | None = None,
    size: float = 12,
    class_: str = "ink",
    **attributes: Any,
) -> Svg:
    """Return a line of text with its baseline at y; parts made by `shown` stay bound."""
    return element(
        "text",
        *parts,
        x=x,
        y=y,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        class_=class_,
        fill=COLOURS[class_.split(" ")[0]],
        **attributes,
    )


def halo_text(x: float, y: float, *parts: str, **attributes: Any) -> Svg:
    """Return a line of text on a rim of paper, to be read across a line of the drawing."""
    rim: dict[str, Any] = {"stroke": COLOURS["paper"], "stroke_width": 3.0}
    return text(x, y, *parts, class_="ink halo", paint_order="stroke", **rim, **attributes)


def text_width(words: str, size: float) -> float:
    """Return about how wide a text is in a broad sans serif."""
    total = 0.0
    for c in words:
        if c in _NARROW_LETTERS:
            total += 0.36
        elif c in _BROAD_LETTERS:
            total += 0.95
        elif unicodedata.east_asian_width(c) in ("W", "F"):
            total += 1.0
        elif unicodedata.category(c) in ("Mn", "Cf"):
            total += 0.0
        else:
            total += 0.72 if c.isupper() else 0.63
    return total * size


def shorten(words: Any, width: float, *, size: float = 12) -> str:
    """Return a text that fits a width: what is too long loses its middle."""
    whole = clean(words).strip(_ISOLATE + _END).strip()
    if text_width(whole, size) > width:
        low, high = 1, len(whole)
        while low < high:
            middle = (low + high + 1) // 2
            if text_width(_without_middle(whole, middle), size) <= width:
                low = middle
            else:
                high = middle - 1
        whole = _without_middle(whole, low)
    return clean(whole)


def wrapped(words: Any, width: float, *, size: float = 12, most: int = 2) -> list[str]:
    """Return a text as lines that fit a width; what is too long for ``most`` lines is shortened."""
    lines = [""]
    for word in clean(words).split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return [shorten(line, width, size=size) for line in lines]


def _without_middle(words: str, keep: int) -> str:
    tail = keep // 3
    return f"{words[: keep - tail].rstrip()}…{words[len(words) - tail :].lstrip() if tail else ''}"


def name_text(
    x: float,
    y: float,
    name: Any,
    width: float,
    *,
    size: float = 12,
    **attributes: Any,
) -> Svg:
    """Return a name that fits a width, with the whole of it as a tooltip where it was shortened."""
    short = shorten(name, width, size=size)
    tooltip = [element("title", str(name))] if "…" in short else []
    return text(x, y, *tooltip, short, size=size, **attributes)


def heading(name: Any, width: float = 352) -> Svg:
    """Return the name of a marker above its figure."""
    return name_text(4, 16, name, width / 1.1, size=13, font_weight="600")


def pair_text(
    x: float, y: float, names: tuple[Any, Any], width: float, *, size: float = 12, sign: str = " − "
) -> Svg:
    """Return two names with a sign between them, each keeping its direction to itself."""
    room = width - text_width(sign, size)
    need = [text_width(str(name), size) for name in names]
    rooms = [max(room / 2, room - other) for other in reversed(need)]
    short = [shorten(name, own, size=size) for name, own in zip(names, rooms, strict=True)]
    tooltip = []
    if any("…" in name for name in short):
        tooltip = [element("title", sign.join(map(clean, names)))]
    return text(x, y, *tooltip, short[0], sign, short[1], size=size)


def figure(
    name: str,
    title: str,
    alt: str,
    *children: str,
    width: float,
    height: float,
    class_: str = "figure",
    **attributes: Any,
) -> Svg:
    """Return the outer element, named and described for a reader who does not see it."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", alt, id=f"{name}-desc"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {place(width)} {place(height)}",
        role="img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
        id=name,
        class_=class_,
        color=COLOURS["ink"],
        font_family=_FONTS,
        **attributes,
    )


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
        drawings.append(
            figure(
                own,
                title,
                alt,
                *parts,
                width=WIDE if wide else NARROW,
                height=height,
                class_=f"figure {'wide' if wide else 'narrow'}",
                display=None if wide else "none",
            )
        )
    return Figure(name=name, svg="".join(drawings), alt=alt)


def single(
    name: str, title: str, alt: str, *parts: str, height: float, width: float = NARROW
) -> Figure:
    """Return a figure as wide as a phone or less, of which a page may set several in a row."""
    class_ = "figure single" if width == NARROW else "figure single small"
    svg = figure(name, title, alt, *parts, width=width, height=height, class_=class_)
    return Figure(name=name, svg=svg, alt=alt)
