"""Workbooks of every kind with the same cells, written here and by no program of an office."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest

__all__ = ["ERROR", "KINDS", "write_book", "write_ods"]

KINDS = (".xlsx", ".xls", ".ods")
ERROR = "#DIV/0!"
_SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}

Sheets = Mapping[str, Sequence[Sequence[Any]]]


def write_book(path: Path, sheets: Sheets, hidden: Sequence[str] = ()) -> Path:
    """Write sheets of cells; None is an empty cell, ERROR one of a formula that failed."""
    {".xlsx": _write_xlsx, ".xls": _write_xls, ".ods": _write_ods}[path.suffix](
        path, sheets, hidden
    )
    return path


def _write_xlsx(path: Path, sheets: Sheets, hidden: Sequence[str]) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if name in hidden else "visible"
    book.save(path)


def _write_xls(path: Path, sheets: Sheets, hidden: Sequence[str]) -> None:
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        sheet.visibility = int(name in hidden)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                if cell == ERROR:
                    sheet.row(i).set_cell_error(j, ERROR)
                elif isinstance(cell, dt.datetime):
                    sheet.write(i, j, cell, day)
                elif cell is not None:
                    sheet.write(i, j, cell)
    book.save(str(path))


def ods_cell(cell: Any) -> str:
    """Return a cell as LibreOffice writes it."""
    if cell is None:
        return "<table:table-cell/>"
    kind, more = "string", ""
    if cell == ERROR:
        more = ' office:string-value="" calcext:value-type="error"'
    elif isinstance(cell, bool):
        kind, more = "boolean", f' office:boolean-value="{str(cell).lower()}"'
    elif isinstance(cell, (int, float)):
        kind, more = "float", f' office:value="{cell!r}"'
    elif isinstance(cell, dt.datetime):
        kind, more = "date", f' office:date-value="{cell:%Y-%m-%d}"'
    text = escape(str(cell))
    return (
        f'<table:table-cell office:value-type="{kind}"{more}><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


def _write_ods(path: Path, sheets: Sheets, hidden: Sequence[str]) -> None:
    tables = []
    for name, rows in sheets.items():
        style = "away" if name in hidden else "there"
        body = "".join(
            f"<table:table-row>{''.join(map(ods_cell, row))}"
            '<table:table-cell table:number-columns-repeated="1000"/></table:table-row>'
            for row in rows
        )
        blank = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
        tables.append(
            f"<table:table table:name={quoteattr(name)} table:style-name={quoteattr(style)}>"
            f"{body}{blank}</table:table-row></table:table>"
        )
    write_ods(path, "".join(tables))


def write_ods(path: Path, tables: str, *, head: str = "", more: Mapping[str, str] = {}) -> Path:
    """Write a document of tables in XML."""
    spaces = " ".join(f'xmlns:{name}="{place}"' for name, place in _SPACES.items())
    styles = "".join(
        f'<style:style style:name="{name}" style:family="table">'
        f'<style:table-properties table:display="{shown}"/></style:style>'
        for name, shown in (("there", "true"), ("away", "false"))
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<office:document-content {spaces}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        for name, text in more.items():
            archive.writestr(name, text)
    return path
