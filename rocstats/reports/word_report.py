"""The report as a Word file: headings, real tables with repeated heads, figures with alt text.

It is made of the finished page, so that it can state nothing that the page does not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.reports.page_blocks import (
    BREAK,
    Block,
    Cell,
    FigureBlock,
    Run,
    TableBlock,
    TextBlock,
    page_blocks,
)
from rocstats.reports.page_figures import PER_INCH, check_dots
from rocstats.tables.word_tables import (
    add_caption,
    keep_rows_whole,
    new_document,
    rule_table,
    saved_bytes,
    tighten,
    xml_text,
)

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

__all__ = ["check_word", "placed_cells", "word_report"]

_DPI = 300
_TEXT_WIDTH = 6.69  # inches between the margins: 170 mm
_SMALL, _TINY = 8.5, 7.0  # points of a table, and of a wide one or of code
_LETTERS, _GAP = 92, 3  # small letters on a line, and what parts two columns
_SHORT, _LONG = 24, 60  # letters of a number that stays whole, and of a cell without a new line
_WHOLE = 14  # rows of a table that is not to be parted


def check_word() -> None:
    """Raise `MissingDependencyError` unless a Word file can be made."""
    from rocstats.errors import require_library

    require_library("docx", "A Word file", "docx")
    check_dots()


def word_report(page: str, *, title: str = "", author: str = "") -> bytes:
    """Return a finished page as the bytes of a Word file."""
    check_word()
    document = new_document()
    document.core_properties.title = xml_text(title)[:255]
    document.core_properties.author = xml_text(author)[:255]
    document.core_properties.comments = ""
    writer = _Writer(document)
    for block in _in_rows(page_blocks(page)):
        writer.add(block)
    return saved_bytes(document)


class _Writer:
    """Writes blocks, and counts tables and figures as the page does."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tables = self.figures = 0

    def add(self, block: Block | list[FigureBlock]) -> None:
        """Write one block, or a row of figures."""
        if isinstance(block, TextBlock):
            self.text(block)
        elif isinstance(block, TableBlock):
            self.table(block)
        else:
            self.figure_row(block if isinstance(block, list) else [block])

    def text(self, block: TextBlock) -> None:
        paragraph = self.document.add_paragraph()
        if block.kind == "heading":
            paragraph.style = "Title" if block.depth == 1 else f"Heading {block.depth - 1}"
            _write(paragraph, block.runs)
            return
        if block.kind == "item":
            self.item(paragraph, block)
        elif block.kind == "code":
            _code(paragraph, block.text)
            return
        elif block.kind == "term":
            paragraph.paragraph_format.keep_with_next = True
            _tight(paragraph, 0)
        elif block.kind == "question":
            block = TextBlock(kind="text", runs=tuple(_also(run, "em") for run in block.runs))
        soft = block.kind in ("kicker", "note")
        _write(paragraph, block.runs, size=9.5 if soft else None)

    def item(self, paragraph: Paragraph, block: TextBlock) -> None:
        """Set an item with its mark hanging before it; numbers are those of the page."""
        from docx.shared import Mm

        indent = Mm(9 if block.number else 5)
        paragraph.paragraph_format.left_indent = indent
        paragraph.paragraph_format.first_line_indent = -indent
        paragraph.paragraph_format.tab_stops.add_tab_stop(indent)
        paragraph.add_run(f"{block.number}.\t" if block.number else "\u2022\t")
        _tight(paragraph, 3)

    def table(self, block: TableBlock) -> None:
        if block.ruled:
            self.tables += 1
            caption = self.document.add_paragraph()
            add_caption(caption, "Table", self.tables, "")
            _write(caption, (Run(text=" "), *block.caption), size=9)
        places, columns = placed_cells(block.rows)
        grid = self.document.add_table(rows=len(block.rows), cols=columns)
        cells = [list(row.cells) for row in grid.rows]
        shares, size = _widths(places, columns) if block.ruled else ([0.26, 0.74], 9.5)
        whole = len(block.rows) <= _WHOLE
        for cell, row, column in places:
            last = cells[row + cell.rows - 1][column + cell.columns - 1]
            target = cells[row][column]
            target = target.merge(last) if cell.rows * cell.columns > 1 else target
            bold = cell.head or row < block.heads
            runs = tuple(_also(run, "strong") for run in cell.runs) if bold else cell.runs
            if _kept(cell) != cell.text:
                runs = tuple(Run(text=r.text.replace(" ", "\u00a0"), look=r.look) for r in runs)
            paragraph = target.paragraphs[0]
            _write(paragraph, runs, size=size)
            tighten(paragraph, right=cell.right)
            paragraph.paragraph_format.keep_with_next = whole and row < len(block.rows) - 1
        _set_widths(grid, shares)
        if block.ruled:
            rule_table(grid, heads=block.heads)
        after = self.document.add_paragraph()
        _tight(after, 0)
        _write(after, (Run(text="\u200b"),), size=4)

    def figure_row(self, blocks: Sequence[FigureBlock]) -> None:
        """Set figures side by side, each with its caption."""
        if len(blocks) == 1:
            self.figure(blocks[0], self.document.add_paragraph(), self.document.add_paragraph())
            return
        grid = self.document.add_table(rows=2, cols=len(blocks))
        keep_rows_whole(grid)
        cells = [list(row.cells) for row in grid.rows]
        for block, above, below in zip(blocks, *cells, strict=True):
            self.figure(block, above.paragraphs[0], below.paragraphs[0], len(blocks))

    def figure(
        self, block: FigureBlock, paragraph: Paragraph, caption: Paragraph, beside: int = 1
    ) -> None:
        """Set one figure, no wider than its part of the line."""
        from docx.shared import Inches

        paragraph.paragraph_format.keep_with_next = True
        room = _TEXT_WIDTH if beside == 1 else _TEXT_WIDTH / beside - 0.22
        for drawing in block.drawings:
            width = min(drawing.width / PER_INCH, room)
            picture = paragraph.add_run().add_picture(
                io.BytesIO(drawing.png(_DPI)), width=Inches(width)
            )
            named = picture._inline.docPr
            named.set("descr", xml_text(drawing.alt))
            named.set("name", xml_text(drawing.name))
        self.figures += 1
        add_caption(caption, "Figure", self.figures, "")
        _write(caption, (Run(text=" "), *block.caption), size=9)


def _in_rows(blocks: Sequence[Block]) -> Iterator[Block | list[FigureBlock]]:
    """Yield blocks; small figures that follow one another are a row of two or three."""
    row: list[FigureBlock] = []
    for block in blocks:
        if isinstance(block, FigureBlock) and (not row or _beside(block) == _beside(row[0])):
            row.append(block)
            if len(row) == _beside(block):
                yield row
                row = []
            continue
        if row:
            yield row
            row = []
        if isinstance(block, FigureBlock):
            row = [block]
        else:
            yield block
    if row:
        yield row


def _beside(block: FigureBlock) -> int:
    """Return how many such figures a line holds."""
    width = max((drawing.width for drawing in block.drawings), default=_TEXT_WIDTH * PER_INCH)
    return 1 if width > 400 else 2 if width > 300 else 3


def _also(run: Run, look: str) -> Run:
    return Run(text=run.text, look=run.look | {look})


def _write(paragraph: Paragraph, runs: Sequence[Run], *, size: float | None = None) -> None:
    from docx.shared import Pt, RGBColor

    for run in runs:
        lines = run.text.split(BREAK)
        for place, line in enumerate(lines):
            written = paragraph.add_run(xml_text(line))
            if place < len(lines) - 1:
                written.add_break()
            written.bold = True if "strong" in run.look else None
            written.italic = True if "em" in run.look else None
            written.font.superscript = True if "sup" in run.look else None
            if "code" in run.look:
                written.font.name = "Consolas"
            if "soft" in run.look:
                written.font.color.rgb = RGBColor(0x44, 0x4F, 0x5A)
            if size is not None:
                written.font.size = Pt(size)


def _code(paragraph: Paragraph, text: str) -> None:
    from docx.shared import Pt

    for line in text.split("\n"):
        run = paragraph.add_run(xml_text(line.replace("\t", "    ")))
        run.font.name, run.font.size = "Consolas", Pt(_TINY)
        run.add_break()


def _tight(paragraph: Paragraph, after: float) -> None:
    from docx.shared import Pt

    paragraph.paragraph_format.space_after = Pt(after)


def placed_cells(rows: Sequence[Sequence[Cell]]) -> tuple[list[tuple[Cell, int, int]], int]:
    """Return every cell with the row and column it begins at, and how many columns there are."""
    taken: set[tuple[int, int]] = set()
    placed = []
    for row, cells in enumerate(rows):
        column = 0
        for cell in cells:
            while (row, column) in taken:
                column += 1
            deep = min(cell.rows, len(rows) - row)
            placed.append((Cell(**_fields(cell) | {"rows": deep}), row, column))
            taken |= {
                (row + i, column + j) for i in range(deep) for j in range(max(1, cell.columns))
            }
    return placed, 1 + max((column for _, column in taken), default=0)


def _fields(cell: Cell) -> dict[str, Any]:
    return {name: getattr(cell, name) for name in ("runs", "head", "right", "columns", "rows")}


def _widths(placed: Sequence[tuple[Cell, int, int]], columns: int) -> tuple[list[float], float]:
    """Return the share of each column and the size of the letters: no word is to be broken."""
    least, wanted = [3] * columns, [3] * columns
    for cell, _, column in placed:
        if cell.columns == 1:
            words = _kept(cell).split(" ")
            least[column] = max(least[column], *map(len, words), 3)
            wanted[column] = max(wanted[column], min(len(cell.text), _LONG))
    size = _SMALL if sum(least) + _GAP * columns <= _LETTERS else _TINY
    room = _LETTERS * _SMALL / size - _GAP * columns
    spare = max(0.0, room - sum(least))
    asked = [want - need for want, need in zip(wanted, least, strict=True)]
    part = min(1.0, spare / max(1, sum(asked)))
    found = [need + part * more + _GAP for need, more in zip(least, asked, strict=True)]
    return [one / sum(found) for one in found], size


def _kept(cell: Cell) -> str:
    """Return the words of a cell; those of a short number are not parted."""
    if cell.right and not cell.head and len(cell.text) <= _SHORT:
        return cell.text.replace(" ", "\u00a0")
    return cell.text


def _set_widths(grid: Any, shares: Sequence[float]) -> None:
    from docx.shared import Inches

    grid.autofit = False
    for column, share in zip(grid.columns, shares, strict=True):
        column.width = Inches(_TEXT_WIDTH * share)
    for row in grid.rows:
        for cell, share in zip(row._tr.tc_lst, shares, strict=False):
            if cell.grid_span == 1:
                cell.width = Inches(_TEXT_WIDTH * share)
