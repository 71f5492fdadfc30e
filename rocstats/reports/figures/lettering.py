"""Lettering: lines of text in a drawing, and names made to fit the room there is for them."""

from __future__ import annotations

import unicodedata
from typing import Any

from rocstats.reports.figures.svg import COLOURS, element
from rocstats.reports.markup import ISOLATES, Markup, clean

__all__ = [
    "SMALL",
    "halo_text",
    "heading",
    "name_text",
    "pair_text",
    "shorten",
    "text",
    "text_width",
    "wrapped",
]

SMALL = 11.5
_NARROW_LETTERS = {*"ijlI.,:;'|!()[]/ -"}
_BROAD_LETTERS = {*"mwMW@%<>&=+#~^≥≤−±…"}


def text(
    x: float,
    y: float,
    *parts: str,
    anchor: str | None = None,
    size: float = SMALL,
    class_: str = "ink",
    **attributes: Any,
) -> Markup:
    """Return a line of text with its baseline at y; parts made by `shown` stay bound.

    Without any words there is nothing.
    """
    if not any(parts):
        return Markup("")
    return element(
        "text",
        *parts,
        x=x,
        y=y,
        font_size=size,
        text_anchor=anchor,
        class_=class_,
        fill=COLOURS[class_.split(" ")[0]],
        **attributes,
    )


def halo_text(
    x: float, y: float, *parts: str, anchor: str | None = None, class_: str = "ink"
) -> Markup:
    """Return a line of text on a rim of paper, to be read across a line of the drawing."""
    rim: dict[str, Any] = {"stroke": COLOURS["paper"], "stroke_width": 3.0}
    return text(x, y, *parts, anchor=anchor, class_=f"{class_} halo", paint_order="stroke", **rim)


def text_width(words: str, size: float = SMALL) -> float:
    """Return about how wide a text is in a broad sans serif."""
    return size * sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if letter in _NARROW_LETTERS:
        return 0.36
    if letter in _BROAD_LETTERS:
        return 0.95
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 1.0
    if unicodedata.category(letter) in ("Mn", "Cf"):
        return 0.0
    return 0.72 if letter.isupper() else 0.63


def shorten(words: Any, width: float, *, size: float = SMALL) -> str:
    """Return a text that fits a width: what is too long loses its middle."""
    whole = clean(words).strip(ISOLATES).strip()
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


def _without_middle(words: str, keep: int) -> str:
    tail = keep // 3
    return f"{words[: keep - tail].rstrip()}…{words[len(words) - tail :].lstrip() if tail else ''}"


def wrapped(words: Any, width: float) -> list[str]:
    """Return a text as one line or two that fit a width; what is too long is shortened."""
    lines = [""]
    for word in clean(words).split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) <= width or not lines[-1] or len(lines) == 2:
            lines[-1] = longer
        else:
            lines.append(word)
    return [shorten(line, width) for line in lines]


def name_text(
    x: float, y: float, name: Any, width: float, *, size: float = SMALL, **attributes: Any
) -> Markup:
    """Return a name that fits a width, with the whole of it as a tooltip where it was shortened."""
    short = shorten(name, width, size=size)
    tooltip = [element("title", str(name))] if "…" in short else []
    return text(x, y, *tooltip, short, size=size, **attributes)


def heading(name: Any, width: float = 352) -> Markup:
    """Return the name of a marker above its figure."""
    return name_text(4, 16, name, width / 1.1, size=13, font_weight="600")


def pair_text(
    x: float, y: float, names: tuple[Any, Any], width: float, *, size: float = SMALL
) -> Markup:
    """Return a difference of two names, each keeping its direction to itself."""
    sign = " − "
    room = width - text_width(sign, size)
    need = [text_width(str(name), size) for name in names]
    rooms = [max(room / 2, room - other) for other in reversed(need)]
    short = [shorten(name, own, size=size) for name, own in zip(names, rooms, strict=True)]
    tooltip = []
    if any("…" in name for name in short):
        tooltip = [element("title", sign.join(map(clean, names)))]
    return text(x, y, *tooltip, short[0], sign, short[1], size=size)
