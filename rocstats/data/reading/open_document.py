"""OpenDocument sheets, read in one stream of their XML and measured while they are.

A cell and a row may say that they are repeated, so a few bytes can stand for a billion cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zipfile import ZipFile

from rocstats.data.reading.bounds import check_bytes, check_size, damaged
from rocstats.data.reading.sheet_frames import ERRORS, Row, refuse_disguise, table_of
from rocstats.data.reading.sheet_looks import Looks
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

__all__ = ["OdsSheet", "ods_sheets", "read_ods"]

MOST_SHEET_CELLS = 20_000_000  # as of an Excel workbook
_MOST_TEXT = 2**20  # characters of one cell
_ZIP = b"PK"
_DURATION = re.compile(r"PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")
_ASIDE = {  # what stands in a cell or a table and is none of its cells or texts
    *("office:annotation", "table:tracked-changes", "table:shapes", "table:dde-links"),
    *("draw:frame", "draw:object", "draw:custom-shape", "office:forms", "table:detective"),
}


@dataclass(slots=True, kw_only=True)
class OdsSheet:
    """A sheet: its name, whether it is hidden, and its cells up to the last that holds something.

    Attributes
    ----------
    name, hidden : as the document says
    rows : cells as Python has them; None is an empty one, an error is its text
    looks : what is shown beside the values
    """

    name: str
    hidden: bool = False
    rows: list[Row] = field(default_factory=list)
    looks: Looks = field(default_factory=Looks)


def read_ods(path: Path) -> Table:
    """Read the first sheet of an OpenDocument; of several it is said which."""
    sheets = ods_sheets(path)
    return table_of(path, sheets[0].rows if sheets else [], [sheet.name for sheet in sheets])


def ods_sheets(path: Path) -> list[OdsSheet]:
    """Return the sheets of an OpenDocument."""
    refuse_disguise(path, _ZIP)
    with ZipFile(path) as archive:
        names = {part.filename: part for part in archive.infolist()}
        manifest = names.get("META-INF/manifest.xml")
        small = manifest is not None and manifest.file_size < _MOST_TEXT
        if small and b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise InvalidSampleError(f"{path} is protected by a password; save it without one.")
        if "content.xml" not in names:
            raise damaged(path, "it has no content.xml")
        check_bytes(path, names["content.xml"].file_size)
        walk = _Walk(path)
        with archive.open("content.xml") as file:
            while block := file.read(2**20):
                walk.parser.Parse(block)
            walk.parser.Parse(b"", True)
    return walk.sheets


class _Walk:
    """The walk through a document: where it is, and the sheets that it has seen."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sheets: list[OdsSheet] = []
        self._hidden: set[str] = set()
        self._style = ""
        self._aside = 0  # how deep in what is passed over
        self._tables = 0  # how deep in tables; one within a cell is passed over
        self._row: list[Any] = []
        self._row_hidden = False
        self._percents: list[int] = []  # columns of the row that are shown with a percent sign
        self._spans: list[tuple[int, int, int]] = []  # columns from and to, and rows
        self._blank_cells = self._blank_rows = self._repeat_row = self._wide = 0
        self._cell: dict[str, str] | None = None
        self._texts: list[str] = []
        self._paragraph = False
        self._length = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._read
        self.parser.StartDoctypeDeclHandler = self._refuse_type

    def _refuse_type(self, *_: Any) -> None:
        raise damaged(self.path, "it declares entities, which no spreadsheet program writes")

    def _start(self, name: str, given: dict[str, str]) -> None:
        if self._aside or name in _ASIDE:
            self._aside += 1
        elif name == "style:style":
            self._style = given.get("style:name", "")
        elif name == "style:table-properties":
            if given.get("table:display") == "false":
                self._hidden.add(self._style)
        elif name == "table:table":
            self._tables += 1
            if self._tables > 1:
                self._tables -= 1
                self._aside = 1
                return
            hidden = given.get("table:style-name", "") in self._hidden
            self.sheets.append(OdsSheet(name=given.get("table:name", ""), hidden=hidden))
            self._blank_rows = self._wide = 0
        elif name == "table:table-row":
            self._row, self._blank_cells = [], 0
            self._repeat_row = _times(given, "table:number-rows-repeated")
            self._row_hidden = given.get("table:visibility", "visible") != "visible"
            self._percents, self._spans = [], []
        elif name in ("table:table-cell", "table:covered-table-cell"):
            self._cell, self._texts, self._length = given, [], 0
        elif self._cell is not None:
            if name == "text:p":
                self._paragraph = True
                if self._texts:
                    self._texts.append("\n")
            elif name == "text:s":
                self._read(" " * min(_times(given, "text:c"), _MOST_TEXT + 1))
            elif name in ("text:tab", "text:line-break"):
                self._read("\t" if name == "text:tab" else "\n")

    def _end(self, name: str) -> None:
        if self._aside:
            self._aside -= 1
        elif name in ("table:table-cell", "table:covered-table-cell"):
            self._end_cell()
        elif name == "text:p":
            self._paragraph = False
        elif name == "table:table-row":
            self._end_row()
        elif name == "table:table":
            self._tables -= 1

    def _read(self, text: str) -> None:
        if not self._paragraph or self._cell is None or self._aside:
            return
        self._length += len(text)
        if self._length > _MOST_TEXT:
            raise damaged(self.path, f"a cell has more than {_MOST_TEXT:,} characters")
        self._texts.append(text)

    def _end_cell(self) -> None:
        assert self._cell is not None
        given = self._cell
        times = _times(given, "table:number-columns-repeated")
        value = _value(given, "".join(self._texts))
        self._cell = None
        if value is None:
            self._blank_cells += times
            return
        wide = len(self._row) + self._blank_cells + times
        check_size(self.path, 1, wide, most=MOST_SHEET_CELLS)
        self._row += [None] * self._blank_cells
        first = len(self._row) + 1
        self._row += [value] * times
        self._blank_cells = 0
        if given.get("office:value-type") == "percentage":
            self._percents += range(first, first + times)
        high = _times(given, "table:number-rows-spanned")
        if high > 1:
            across = _times(given, "table:number-columns-spanned")
            self._spans.append((first, first + across - 1, high))

    def _end_row(self) -> None:
        if not self.sheets:
            raise damaged(self.path, "a row stands outside of a table")
        if not self._row:
            self._blank_rows += self._repeat_row
            return
        rows = self.sheets[-1].rows
        self._wide = max(self._wide, len(self._row))
        high = len(rows) + self._blank_rows + self._repeat_row
        check_size(self.path, high, self._wide, most=MOST_SHEET_CELLS)
        rows += [()] * self._blank_rows
        self._note_looks(range(len(rows) + 1, len(rows) + 1 + self._repeat_row))
        rows += [tuple(self._row)] * self._repeat_row
        self._blank_rows = 0

    def _note_looks(self, here: range) -> None:
        looks = self.sheets[-1].looks
        if self._row_hidden:
            looks.hidden.extend(here)
        for column in self._percents:
            looks.percent.setdefault(column, []).extend(here)
        for first, last, high in self._spans:
            looks.merged.append((here.start, first, here.start + high - 1, last))


def _times(given: dict[str, str], name: str) -> int:
    """Return how often something is repeated, as the document says."""
    text = given.get(name, "1")
    return int(text) if text.isdecimal() and len(text) < 12 else 1


def _value(given: dict[str, str], text: str) -> Any:
    """Return a cell as Python has it."""
    kind = given.get("office:value-type", "")
    if given.get("calcext:value-type") == "error" or text in ERRORS:
        return text if text in ERRORS else "#VALUE!"
    if kind in ("float", "percentage", "currency"):
        return _number(given.get("office:value", ""))
    if kind == "boolean":
        return given.get("office:boolean-value") == "true"
    if kind == "date":
        return _date(given.get("office:date-value", ""))
    if kind == "time":
        found = _DURATION.fullmatch(given.get("office:time-value", ""))
        hour, minute, second = map(int, found.groups()) if found else (99, 0, 0)
        return time(hour, minute, second) if max(hour - 23, minute - 59, second - 59) < 1 else text
    return given.get("office:string-value", text) or None


def _number(text: str) -> Any:
    """Return a whole number as one, as pandas does of a workbook; what is beyond as its text."""
    try:
        value = float(text)
    except ValueError:
        return text or None
    if value != value or value in (float("inf"), float("-inf")):
        return text
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _date(text: str) -> Any:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text or None
