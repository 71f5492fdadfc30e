"""Tables for Word: real ones, whose heads every page repeats, ruled as journals rule them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocstats.errors import require_library
from rocstats.tables.journal_tables import JournalTable

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table, _Cell
    from docx.text.paragraph import Paragraph

__all__ = [
    "add_caption",
    "fill_cell",
    "keep_rows_whole",
    "new_document",
    "rule_table",
    "saved_bytes",
    "tighten",
    "word_tables",
    "xml_text",
]

_WIDE = 95  # characters of a row that a page holds upright
_SMALL = 8.5  # points


def new_document(*, landscape: bool = False) -> Document:
    """Return an empty document on A4 with quiet headings."""
    require_library("docx", "A Word file", "docx")
    import docx
    from docx.shared import Mm, Pt, RGBColor

    document = docx.Document()
    page = document.sections[0]
    sides = (Mm(297), Mm(210)) if landscape else (Mm(210), Mm(297))
    page.page_width, page.page_height = sides
    page.left_margin = page.right_margin = Mm(20)
    page.top_margin = page.bottom_margin = Mm(20)
    styles = document.styles
    normal: Any = styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10.5)
    normal.paragraph_format.space_after = Pt(6)
    for name, size in (("Title", 20), ("Heading 1", 15), ("Heading 2", 12), ("Heading 3", 11)):
        style: Any = styles[name]
        style.font.name, style.font.size = "Calibri", Pt(size)
        style.font.color.rgb = RGBColor(0x1B, 0x25, 0x30)
        fonts = style.element.rPr.rFonts
        for which in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(_tag(f"w:{which}"), None)
    caption: Any = styles["Caption"]
    caption.font.size, caption.font.bold = Pt(9), False
    caption.font.color.rgb = RGBColor(0x1B, 0x25, 0x30)
    return document


def word_tables(tables: Sequence[JournalTable]) -> bytes:
    """Return a Word file of tables, on its side where one is wide."""
    widths = [_width(table) for table in tables]
    document = new_document(landscape=max(widths, default=0) > _WIDE)
    for number, table in enumerate(tables, 1):
        add_caption(document.add_paragraph(), "Table", number, table.title)
        grid = document.add_table(rows=1 + len(table.rows), cols=len(table.heads))
        cells = [list(row.cells) for row in grid.rows]  # asked for once: each asking is costly
        for place, line in enumerate((table.heads, *table.rows)):
            for cell, text, numeric in zip(cells[place], line, table.numeric, strict=True):
                fill_cell(cell, text, bold=place == 0, right=numeric)
        rule_table(grid, heads=1)
        for note in table.notes:
            paragraph = document.add_paragraph()
            _small(paragraph.add_run(xml_text(note)))
    return saved_bytes(document)


def saved_bytes(document: Document) -> bytes:
    """Return the document as the bytes of a file."""
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def add_caption(paragraph: Paragraph, kind: str, number: int, text: str) -> None:
    """Write a caption that Word numbers itself, and keeps with what it is the caption of."""
    from docx.oxml import OxmlElement

    paragraph.style = "Caption"
    paragraph.paragraph_format.keep_with_next = kind == "Table"
    paragraph.add_run(f"{kind} ").bold = True
    field = OxmlElement("w:fldSimple")
    field.set(_tag("w:instr"), f" SEQ {kind} \\* ARABIC ")
    run = paragraph.add_run(f"{number}")
    run.bold = True
    field.append(run._r)
    paragraph._p.append(field)
    paragraph.add_run(". " if text else ".").bold = True
    if text:
        paragraph.add_run(xml_text(text))


def fill_cell(cell: _Cell, text: str, *, bold: bool = False, right: bool = False) -> None:
    """Write one cell, small and tight; a number stands to the right."""
    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(xml_text(text))
    run.bold = bold
    _small(run)
    tighten(paragraph, right=right)


def tighten(paragraph: Paragraph, *, right: bool = False) -> None:
    """Take the space around a paragraph in a cell."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    paragraph.paragraph_format.space_after = Pt(1)
    paragraph.paragraph_format.space_before = Pt(1)
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def rule_table(table: Table, *, heads: int) -> None:
    """Rule above, below and under the heads, which every page repeats; no row breaks."""
    from docx.oxml import OxmlElement

    table.autofit = True
    borders = OxmlElement("w:tblBorders")
    for side, size in (("top", 10), ("bottom", 10), ("insideH", 2)):
        borders.append(_border(side, size))
    table._tbl.tblPr.append(borders)
    keep_rows_whole(table)
    for row in table.rows[:heads]:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    if heads:
        for cell in table.rows[heads - 1]._tr.tc_lst:
            lines = OxmlElement("w:tcBorders")
            lines.append(_border("bottom", 6))
            cell.get_or_add_tcPr().append(lines)


def keep_rows_whole(table: Table) -> None:
    """Let no row be parted by the end of a page."""
    from docx.oxml import OxmlElement

    for row in table.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))


def _border(side: str, size: int) -> Any:
    from docx.oxml import OxmlElement

    line = OxmlElement(f"w:{side}")
    colour = "D9DEE3" if side == "insideH" else "1B2530"
    for name, value in (("val", "single"), ("sz", str(size)), ("space", "0"), ("color", colour)):
        line.set(_tag(f"w:{name}"), value)
    return line


def xml_text(text: str) -> str:
    """Return a text that a Word file can hold: its XML has no place for control characters."""
    return "".join(
        sign
        if sign >= " " and not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff"
        else " "
        for sign in text
    )


def _small(run: Any) -> None:
    from docx.shared import Pt

    run.font.size = Pt(_SMALL)


def _tag(name: str) -> str:
    from docx.oxml.ns import qn

    return qn(name)


def _width(table: JournalTable) -> int:
    lines = [table.heads, *table.rows]
    return sum(max(len(line[j]) for line in lines) + 3 for j in range(len(table.heads)))
