"""A finished page as blocks of text, tables and figures, in the order of reading.

What a page shows on paper is read, and no more: what is hidden or made for a phone is not, nor are
the two sections that are for a screen, where thresholds are moved and files fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocstats.errors import require_library
from rocstats.reports.page_figures import PageFigure, split_page

if TYPE_CHECKING:
    from lxml.html import HtmlElement

__all__ = ["BREAK", "Block", "Cell", "FigureBlock", "Run", "TableBlock", "TextBlock", "page_blocks"]

_HIDDEN_TAGS = {"script", "style", "textarea", "template", "nav", "button", "select", "input"}
_HIDDEN = {"skip", "contents", "controls", "buttons", "needs-js", "downloads", "hidden"}
_FOR_A_SCREEN = {"explorer", "appendix"}
_INLINE = {"a", "abbr", "b", "bdi", "br", "cite", "code", "data", "em", "i", "label", "small"}
_INLINE |= {"span", "strong", "sub", "sup", "time", "wbr", "mark", "kbd", "q", "img"}
BREAK = "\u2028"  # the end of a line within a paragraph
_SPACE = re.compile(r"[ \t\n\r\f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words of one look."""

    text: str
    look: frozenset[str] = frozenset()  # of strong, em, code, sup, soft


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A paragraph: a title, a heading and its depth, a list's item, code, or just words."""

    kind: str
    runs: tuple[Run, ...]
    depth: int = 0
    number: int = 0  # in a numbered list

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a table, which may span several."""

    runs: tuple[Run, ...]
    head: bool = False
    right: bool = False
    columns: int = 1
    rows: int = 1

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """A table; pairs of terms and their meaning are one, too, without caption and rules."""

    caption: tuple[Run, ...]
    heads: int  # rows at the top that every page repeats
    rows: tuple[tuple[Cell, ...], ...]
    ruled: bool = True

    @property
    def title(self) -> str:
        """The words of the caption."""
        return "".join(run.text for run in self.caption)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureBlock:
    """One or more drawings with their caption."""

    drawings: tuple[PageFigure, ...]
    caption: tuple[Run, ...]


Block = TextBlock | TableBlock | FigureBlock


@dataclass(slots=True)
class _Reader:
    drawings: list[PageFigure]
    runs: list[Run] = field(default_factory=list)

    def flush(self, kind: str = "text") -> Iterator[Block]:
        """Yield the loose words so far as a paragraph."""
        runs = _tidied(self.runs)
        self.runs = []
        if runs:
            yield TextBlock(kind=kind, runs=runs)

    def blocks(self, element: HtmlElement) -> Iterator[Block]:
        """Yield what an element holds."""
        if element.text:
            self.runs.append(Run(text=element.text))
        for child in element:
            if isinstance(child.tag, str) and not _is_hidden(child):
                if child.tag in _INLINE:
                    self.runs += self.inline(child)
                else:
                    yield from self.flush()
                    yield from self.block(child)
            if child.tail:
                self.runs.append(Run(text=child.tail))
        yield from self.flush()

    def block(self, element: HtmlElement) -> Iterator[Block]:
        """Yield one element as blocks."""
        tag = str(element.tag)
        if tag in ("h1", "h2", "h3", "h4", "summary"):
            depth = 4 if tag == "summary" else int(tag[1])
            yield TextBlock(kind="heading", runs=self.words(element), depth=depth)
        elif tag in ("p", "figcaption"):
            kinds = set(_classes(element)) & {"question", "kicker", "note"}
            runs = self.words(element)
            if runs:
                yield TextBlock(kind=kinds.pop() if kinds else "text", runs=runs)
        elif tag in ("ul", "ol"):
            items = [i for i in element if i.tag == "li" and not _is_hidden(i)]
            for number, item in enumerate(items, 1):
                runs = self.words(item)
                yield TextBlock(kind="item", runs=runs, number=number if tag == "ol" else 0)
        elif tag == "dl":
            yield from self.terms(element)
        elif tag == "table":
            yield self.table(element)
        elif tag == "figure":
            yield self.figure(element)
        elif tag == "pre":
            yield TextBlock(kind="code", runs=(Run(text=element.text_content().strip("\n")),))
        else:
            yield from self.blocks(element)

    def words(self, element: HtmlElement) -> tuple[Run, ...]:
        """Return all that an element says, on one line."""
        return _tidied(list(self.inline(element)))

    def inline(self, element: HtmlElement, look: frozenset[str] = frozenset()) -> Iterator[Run]:
        """Yield the words of an element, each with its look."""
        tag = str(element.tag)
        classes = _classes(element)
        look |= {tag} & {"strong", "em", "code", "sup"}
        look |= {"strong"} if tag in ("b", "dt") or "level" in classes else set()
        look |= {"soft"} if "ci" in classes else set()
        if tag == "br":
            yield Run(text=BREAK, look=look)
        block = tag in ("div", "dd", "dt", "li", "p")
        if element.text:
            yield Run(text=element.text, look=look)
        for child in element:
            if isinstance(child.tag, str) and not _is_hidden(child):
                if _is_apart(child):
                    yield Run(text=" ", look=look)
                yield from self.inline(child, look)
            if child.tail:
                yield Run(text=child.tail, look=look)
        if block:
            yield Run(text=" ", look=look)

    def terms(self, element: HtmlElement) -> Iterator[Block]:
        """Yield terms and what they mean: as a table of two columns, or as the lines of a card."""
        pairs = [pair for pair in element if pair.tag == "div"]
        if "particulars" in _classes(element):
            rows = tuple(
                tuple(
                    Cell(runs=self.words(part), head=part.tag == "dt")
                    for part in pair
                    if part.tag in ("dt", "dd")
                )
                for pair in pairs
            )
            yield TableBlock(caption=(), heads=0, rows=rows, ruled=False)
            return
        for pair in pairs:
            for part in pair:
                yield TextBlock(kind="term" if part.tag == "dt" else "text", runs=self.words(part))

    def table(self, element: HtmlElement) -> TableBlock:
        """Return a table."""
        captions = element.findall("caption")
        heads, rows = 0, []
        for part in element:
            lines = [part] if part.tag == "tr" else part.findall("tr")
            if part.tag == "thead":
                heads += len(lines)
            for line in lines:
                cells = [c for c in line if c.tag in ("td", "th") and not _is_hidden(c)]
                rows.append(tuple(self.cell(cell) for cell in cells))
        caption = self.words(captions[0]) if captions else ()
        return TableBlock(caption=caption, heads=heads, rows=tuple(rows))

    def cell(self, element: HtmlElement) -> Cell:
        """Return one cell."""
        classes = _classes(element)
        bold = "group" in classes or element.get("scope") in ("col", "colgroup", "rowgroup")
        return Cell(
            runs=self.words(element),
            head=bold,
            right="n" in classes,
            columns=int(element.get("colspan", 1)),
            rows=int(element.get("rowspan", 1)),
        )

    def figure(self, element: HtmlElement) -> FigureBlock:
        """Return a figure; its drawings were taken out of the page and are known by number."""
        places = [int(image.get("data-drawing")) for image in element.iter("img")]
        captions = element.findall("figcaption")
        return FigureBlock(
            drawings=tuple(self.drawings[place] for place in places),
            caption=self.words(captions[0]) if captions else (),
        )


def page_blocks(page: str) -> list[Block]:
    """Return the blocks of a page, in the order of reading."""
    require_library("lxml", "A Word file", "docx")
    from lxml import html

    drawings: list[PageFigure] = []
    text = []
    for piece in split_page(page):
        if isinstance(piece, PageFigure):
            text.append(f'<img data-drawing="{len(drawings)}">')
            drawings.append(piece)
        else:
            text.append(piece)
    body = html.document_fromstring(
        "".join(text).encode(), parser=html.HTMLParser(encoding="utf-8")
    )
    return list(_Reader(drawings).blocks(body.find("body")))


def _classes(element: Any) -> list[str]:
    return str(element.get("class") or "").split()


def _is_hidden(element: HtmlElement) -> bool:
    return (
        element.tag in _HIDDEN_TAGS
        or element.get("hidden") is not None
        or element.get("id") in _FOR_A_SCREEN
        or bool(_HIDDEN & set(_classes(element)))
    )


def _is_apart(element: HtmlElement) -> bool:
    """Whether the page sets an element on a line of its own within words."""
    return bool({"ci", "conclusion", "status", "tag"} & set(_classes(element)))


def _tidied(runs: list[Run]) -> tuple[Run, ...]:
    """Return runs with spaces as a browser shows them: one between words, none at either end."""
    found: list[Run] = []
    open_end = True  # a space here would be seen by nobody
    for run in runs:
        text = _SPACE.sub(" ", run.text)
        if open_end:
            text = text.lstrip(" ")
        if not text:
            continue
        open_end = text[-1] in f" {BREAK}"
        if found and found[-1].look == run.look:
            found[-1] = Run(text=found[-1].text + text, look=run.look)
        else:
            found.append(Run(text=text, look=run.look))
    while found and not found[-1].text.strip(" "):
        found.pop()
    if found:
        found[-1] = Run(text=found[-1].text.rstrip(" "), look=found[-1].look)
    return tuple(found)
