"""The figures of a finished page, each as a drawing that stands alone, and as dots.

What is drawn on the page is what is written: a figure is cut out of it, not drawn again. Dots are
made by resvg, which sets every text as a browser does and needs no library of the system; of the
others that were tried CairoSVG loses words that have a rim, and WeasyPrint draws no dots.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape

from rocstats.errors import require_library

__all__ = ["PER_INCH", "PageFigure", "check_dots", "page_figures", "split_page"]

PER_INCH = 100  # units of a drawing: a wide figure is 7.2 inches or 183 mm, a single one 91 mm
_SVG = re.compile(r"<svg (?P<attributes>[^>]*)>.*?</svg>", re.DOTALL)
# Either drawn in the page, or by matplotlib and held as the address of an image.
_DRAWN = re.compile(
    rf"{_SVG.pattern}|<img (?P<image>[^>]*data:image/svg\+xml;base64,(?P<held>[^\"]*)[^>]*)>",
    re.DOTALL,
)
_POINTS = 72  # an inch, in which matplotlib draws
_SIZE = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')
_ID = re.compile(r' id="(?P<id>[^"]*)"')
_ALT = re.compile(r'alt="(?P<text>[^"]*)"')
_DESCRIPTION = re.compile(r"<desc[^>]*>(?P<text>.*?)</desc>", re.DOTALL)
# A text with a white rim, which few programs paint under it: one for the rim, one for the text.
_RIMMED = re.compile(
    r'<text(?P<before>[^>]*?) paint-order="stroke"(?P<rim>[^>]*)>(?P<text>.*?)</text>'
)
_FONTS = ("Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFigure:
    """A figure of a page.

    Attributes
    ----------
    name : its id on the page
    svg : a file of its own
    alt : what it shows in words
    width, height : in units of the drawing
    """

    name: str
    svg: str
    alt: str
    width: float
    height: float

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height in print."""
        return self.width / PER_INCH, self.height / PER_INCH

    def png(self, dpi: float = 300.0) -> bytes:
        """Return it as dots, so many an inch, on white paper."""
        check_dots()
        import resvg_py

        pixels = max(1, round(self.width * dpi / PER_INCH))
        drawn = resvg_py.svg_to_bytes(
            svg_string=self.svg,
            width=pixels,
            dpi=96.0,
            background="#ffffff",
            sans_serif_family=_sans(),
            font_family=_sans(),
        )
        return _with_dpi(bytes(drawn), dpi, "PNG")

    def tiff(self, dpi: float = 300.0) -> bytes:
        """Return it as a TIFF without loss, as journals take it."""
        return _with_dpi(self.png(dpi), dpi, "TIFF")


def check_dots() -> None:
    """Raise `MissingDependencyError` unless a figure can be turned into dots."""
    require_library("resvg_py", "A figure as PNG or TIFF", "docx")
    require_library("PIL", "A figure as PNG or TIFF", "docx")


def page_figures(page: str) -> list[PageFigure]:
    """Return every figure of a page, as wide as it is drawn for paper."""
    return [piece for piece in split_page(page) if isinstance(piece, PageFigure)]


def split_page(page: str) -> Iterator[str | PageFigure]:
    """Yield a page in pieces, text and figures in turn; those drawn for a phone are left out."""
    at = 0
    for found in _DRAWN.finditer(page):
        yield page[at : found.start()]
        at = found.end()
        if found["held"]:
            yield _held_figure(found["held"], found["image"])
        elif ' display="none"' not in f" {found['attributes']}":
            yield _figure(found[0])
    yield page[at:]


def _figure(svg: str) -> PageFigure:
    head = svg[: svg.index(">")]
    size, name, alt = _SIZE.search(head), _ID.search(head), _DESCRIPTION.search(svg)
    assert size is not None
    width, height = float(size["width"]), float(size["height"])
    inches = f'<svg width="{width / PER_INCH:g}in" height="{height / PER_INCH:g}in" '
    alone = _RIMMED.sub(_twice, svg.replace("<svg ", inches, 1))
    return PageFigure(
        name="figure" if name is None else unescape(name["id"]),
        svg=alone,
        alt="" if alt is None else unescape(alt["text"]),
        width=width,
        height=height,
    )


def _held_figure(address: str, attributes: str) -> PageFigure:
    """Return a drawing that the page holds as an image, without what stands before it."""
    svg = base64.b64decode(address).decode()
    svg = svg[svg.index("<svg ") :]
    size, name, alt = _SIZE.search(svg), _ID.search(f" {attributes}"), _ALT.search(attributes)
    assert size is not None
    width, height = (PER_INCH * float(size[side]) / _POINTS for side in ("width", "height"))
    head, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    inches = f'<svg width="{width / PER_INCH:g}in" height="{height / PER_INCH:g}in" '
    head = re.sub(r' (?:width|height)="[^"]*"', "", head).replace("<svg ", inches, 1)
    return PageFigure(
        name="figure" if name is None else unescape(name["id"]),
        svg=head + rest,
        alt="" if alt is None else unescape(alt["text"]),
        width=width,
        height=height,
    )


def _twice(found: re.Match[str]) -> str:
    text = re.sub(r"</?tspan[^>]*>", "", found["text"])
    looks = f'{found["before"]}{found["rim"]} stroke-linejoin="round"'
    rim = f'<text aria-hidden="true"{looks}>{text}</text>'
    plain = re.sub(r' stroke(?:-width)?="[^"]*"', "", found["before"] + found["rim"])
    return f"{rim}<text{plain}>{found['text']}</text>"


def _with_dpi(drawn: bytes, dpi: float, form: str) -> bytes:
    from PIL import Image

    held = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as image:
        how = {"compression": "tiff_lzw"} if form == "TIFF" else {"optimize": False}
        image.convert("RGB").save(held, form, dpi=(dpi, dpi), **how)
    return held.getvalue()


@cache
def _sans() -> str:
    """Return a plain font that this machine has; resvg drops text whose font it does not find."""
    import resvg_py

    for name in _FONTS:
        probe = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
            f'<text y="15" font-family="{name}">m</text></svg>'
        )
        blank = resvg_py.svg_to_bytes(svg_string=probe.replace(">m<", "><"))
        if resvg_py.svg_to_bytes(svg_string=probe, font_family=name) != blank:
            return name
    return _FONTS[0]
