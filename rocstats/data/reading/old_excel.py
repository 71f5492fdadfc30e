"""Workbooks of Excel 97 to 2003, which hold at most 65,536 rows of 256 columns."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from rocstats.data.reading.bounds import check_bytes, check_size
from rocstats.data.reading.sheet_frames import Row, refuse_disguise, table_of
from rocstats.data.reading.sheet_looks import Looks, format_looks
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

__all__ = ["read_xls", "xls_cells", "xls_looks", "xls_sheets"]

_MOST_SPARSE = 2_000_000  # cells, empty ones between others included, of a file too small for them
_CELL = 6  # bytes that a cell takes at least
_MOST_BYTES = 2**28  # nothing in it is compressed
_OLE = b"\xd0\xcf\x11\xe0"


def read_xls(path: Path) -> Table:
    """Read the first sheet of an old workbook; of several it is said which."""
    names = [name for name, _ in xls_sheets(path)]
    return table_of(path, xls_cells(path, names[0]) if names else [], names)


def xls_sheets(path: Path) -> list[tuple[str, bool]]:
    """Return the names of the sheets, and whether each is hidden."""
    with _opened(path) as book:
        return [(sheet.name, sheet.visibility != 0) for sheet in book.sheets()]


def xls_cells(path: Path, sheet: str, most: int | None = None) -> list[Row]:
    """Return the cells of a sheet up to the last row that holds something, or the first rows."""
    with _opened(path) as book:
        found = book.sheet_by_name(sheet)
        most_cells = max(_MOST_SPARSE, path.stat().st_size // _CELL)
        check_size(path, found.nrows, found.ncols, most=most_cells)
        high = found.nrows if most is None else min(most, found.nrows)
        rows = [tuple(_value(cell, book.datemode) for cell in found.row(i)) for i in range(high)]
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    return rows


def xls_looks(path: Path, sheet: str) -> Looks:
    """Return what a sheet shows beside its values."""
    import xlrd

    with _opened(path, formatting_info=True) as book:
        found = book.sheet_by_name(sheet)
        hidden = [i + 1 for i, row in sorted(found.rowinfo_map.items()) if row.hidden]
        merged = [(r + 1, c + 1, r_end, c_end) for r, r_end, c, c_end in found.merged_cells]
        looks = Looks(hidden=hidden, merged=merged)
        shown = [_style_looks(book, style) for style in book.xf_list]
        for i in range(found.nrows):
            for j, cell in enumerate(found.row(i)):
                if cell.ctype in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
                    continue
                number = cell.ctype == xlrd.XL_CELL_NUMBER
                kinds = shown[cell.xf_index] if cell.xf_index is not None else ()
                looks.mark([k for k in kinds if number or k == "struck"], i + 1, j + 1)
        for (i, j), runs in found.rich_text_runlist_map.items():
            if _has_raised_digits(book, found.cell_value(i, j), runs):
                looks.mark(["raised"], i + 1, j + 1)
    return looks


def _style_looks(book: Any, style: Any) -> tuple[str, ...]:
    form = book.format_map.get(style.format_key)
    shown = format_looks(form.format_str) if form is not None else ()
    fonts = book.font_list
    struck = style.font_index < len(fonts) and fonts[style.font_index].struck_out
    return (*shown, "struck") if struck else shown


def _has_raised_digits(book: Any, text: str, runs: Any) -> bool:
    ends = [*[start for start, _ in runs][1:], len(text)]
    return any(
        book.font_list[font].escapement == 1 and any(c.isdecimal() for c in text[start:end])
        for (start, font), end in zip(runs, ends, strict=True)
        if font < len(book.font_list)
    )


def _opened(path: Path, *, formatting_info: bool = False) -> Any:
    import xlrd

    refuse_disguise(path, _OLE)
    check_bytes(path, path.stat().st_size, most=_MOST_BYTES)
    try:
        # Sheets are padded to their last column, 16 million cells at most.
        return xlrd.open_workbook(
            str(path), logfile=io.StringIO(), on_demand=False, formatting_info=formatting_info
        )
    except xlrd.XLRDError as reason:
        if "encrypt" in str(reason).lower():
            raise InvalidSampleError(
                f"{path} is protected by a password; save it without one."
            ) from None
        raise


def _value(cell: Any, datemode: int) -> Any:
    """Return a cell as Python has it; an error is its text."""
    import xlrd

    value = cell.value
    if cell.ctype in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK) or value == "":
        return None
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(value)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code.get(value, "#VALUE!")
    if cell.ctype == xlrd.XL_CELL_DATE:
        return _date(value, datemode)
    if cell.ctype == xlrd.XL_CELL_NUMBER and float(value).is_integer() and abs(value) < 2**53:
        return int(value)  # as pandas does
    return value


def _date(value: float, datemode: int) -> Any:
    """Return a date, or a time where there is no day; what is none is the number that is stored."""
    import xlrd

    try:
        moment = xlrd.xldate_as_datetime(value, datemode)
    except (ValueError, OverflowError):
        return value
    return moment.time() if 0.0 <= value < 1.0 else moment
