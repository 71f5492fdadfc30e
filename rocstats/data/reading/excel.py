"""Excel workbooks: one sheet, measured before it is read.

A workbook is a zip archive, and one cell in the last corner of a sheet makes 17 billion of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.parsers import expat
from zipfile import ZipFile

from rocstats.data.reading.bounds import check_bytes, check_size, damaged
from rocstats.data.reading.plain import MISSING, check_names
from rocstats.data.reading.sheet_frames import Stored, refuse_disguise
from rocstats.data.reading.sheet_looks import (
    Box,
    CellLooks,
    Looks,
    looks_of_styles,
    raised_texts,
)
from rocstats.data.reading.table import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_excel", "read_sheet", "sheet_cells", "sheet_names", "stored_cells"]

MOST_SHEET_CELLS = 20_000_000  # a cell of Excel takes a hundred bytes while it is read
_MOST_OTHER_BYTES = 2**27  # of texts and styles, which are read as a whole
_MOST_STYLES = 500_000
_MOST_TEXT = 2**20  # characters of one cell; Excel's own limit is 32,767
_NOT_READ = ("xl/media/", "xl/embeddings/", "xl/drawings/", "xl/charts/", "xl/externalLinks/")
_SHEETS, _TEXTS = "xl/worksheets/", "xl/sharedStrings.xml"


def read_excel(path: Path) -> Table:
    """Read the first sheet of an Excel workbook; of several it is said which."""
    import pandas as pd

    _check_parts(path)
    with pd.ExcelFile(path, engine="openpyxl") as book:
        first, *others = map(str, book.sheet_names)
        _check_sheet(path, getattr(book.book[first], "_worksheet_path", None))
        header = pd.read_excel(book, header=None, nrows=1, dtype=object)
        if len(header):
            check_names(path, header.iloc[0].tolist())
        frame: pd.DataFrame = pd.read_excel(book, keep_default_na=False, na_values=MISSING)
    remark = f"Of {len(others) + 1} sheets the first, {first!r}, was read."
    return Table(frame=frame, remarks=(remark,) if others else ())


def sheet_names(path: Path) -> list[tuple[str, bool]]:
    """Return the names of the sheets of a workbook, in their order, and whether each is hidden."""
    import pandas as pd

    _check_parts(path)
    with pd.ExcelFile(path, engine="openpyxl") as book:
        return [
            (str(name), getattr(book.book[name], "sheet_state", "visible") != "visible")
            for name in book.sheet_names
        ]


def sheet_cells(path: Path, sheet: str, most: int | None = None) -> list[tuple[Any, ...]]:
    """Return the cells of a sheet as they are stored, or those of its first rows."""
    import pandas as pd

    with pd.ExcelFile(path, engine="openpyxl") as book:
        found = book.book[sheet]
        if not hasattr(found, "iter_rows"):  # a sheet that is a chart
            return []
        _check_sheet(path, getattr(found, "_worksheet_path", None))
        return list(found.iter_rows(max_row=most, values_only=True))


def stored_cells(path: Path, sheet: str) -> Stored:
    """Return how the cells of a sheet are stored."""
    import pandas as pd

    with pd.ExcelFile(path, engine="openpyxl") as book:
        part = getattr(book.book[sheet], "_worksheet_path", None)
    with ZipFile(path) as archive:
        styles, raised = looks_of_styles(archive), raised_texts(archive)
    extent = _check_sheet(path, part, styles, raised)
    return Stored(
        texts=extent.texts,
        errors=extent.errors,
        unworked=extent.unworked,
        truths=extent.truths,
        looks=extent.looks,
    )


def read_sheet(path: Path, sheet: str, skip: Sequence[int], columns: Sequence[int]) -> pd.DataFrame:
    """Return a sheet, already measured, without the rows to skip and with these columns only."""
    import pandas as pd

    frame: pd.DataFrame = pd.read_excel(
        path,
        sheet_name=sheet,
        engine="openpyxl",
        keep_default_na=False,
        na_values=MISSING,
        skiprows=list(skip),
        header=None,
        usecols=list(columns),
    )
    return frame


def _check_parts(path: Path) -> None:
    """Refuse texts and styles that would take too much memory."""
    refuse_disguise(path, b"PK")
    with ZipFile(path) as archive:
        parts = [
            part
            for part in archive.infolist()
            if not part.filename.startswith((_SHEETS, *_NOT_READ))
        ]
        check_bytes(path, sum(part.file_size for part in parts), most=_MOST_OTHER_BYTES)
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                with archive.open(part) as file:
                    elements = _Extent(path).walk(file).others
                if part.filename != _TEXTS and elements > _MOST_STYLES:
                    raise damaged(path, f"its {part.filename} has {elements:,} elements")


def _check_sheet(
    path: Path,
    name: str | None,
    styles: CellLooks | None = None,
    raised: frozenset[str] = frozenset(),
) -> _Extent:
    """Refuse a sheet with too many cells, empty ones between others included; return its extent."""
    extent = _Extent(path)
    with ZipFile(path) as archive:
        for part in archive.infolist():
            if part.filename == name or (name is None and part.filename.startswith(_SHEETS)):
                check_bytes(path, part.file_size)
                with archive.open(part) as file:
                    extent = _Extent(path, styles, raised).walk(file)
    return extent


class _Extent:
    """The corner of a sheet that its cells reach, counted in a stream of its XML."""

    def __init__(
        self,
        path: Path,
        styles: CellLooks | None = None,
        raised: frozenset[str] = frozenset(),
    ) -> None:
        self.path = path
        self.looks = Looks()
        self._styles = styles or {}
        self._raised = raised
        self._shown: tuple[str, ...] = ()  # of a cell, until a value is read
        self._stored: str | None = None
        self._up = False  # within raised letters of a text that stands in its cell
        self._value = ""
        self.rows = self.columns = self.others = self.errors = 0
        self.texts: dict[int, int] = {}
        self.truths: dict[int, int] = {}
        self.unworked: dict[int, list[int]] = {}
        self._column = self._text = 0
        self._inside = ""

    def walk(self, file: IO[bytes]) -> _Extent:
        """Count, and refuse as soon as there is too much."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._read
        parser.StartDoctypeDeclHandler = self._refuse_type
        while block := file.read(2**20):
            parser.Parse(block)
        parser.Parse(b"", True)
        return self

    def _refuse_type(self, *_: Any) -> None:
        raise damaged(self.path, "it declares entities, which no spreadsheet program writes")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._text = 0
        kind = self._inside = name.rpartition(":")[2]
        if kind == "row":
            self.rows = max(self.rows + 1, _number(attributes.get("r", "")))
            self._column = 0
            if attributes.get("hidden") in ("1", "true"):
                self.looks.hidden.append(self.rows)
        elif kind == "c":
            letters = attributes.get("r", "").rstrip("0123456789")
            self._column = max(self._column + 1, _place(letters))
            stored = self._stored = attributes.get("t")
            self._shown = self._styles.get(attributes.get("s", ""), ())
            self._value = ""
            self._up = False
            if stored == "b":
                self.truths[self._column] = self.truths.get(self._column, 0) + 1
            elif stored == "e":
                self.errors += 1
            elif stored in ("s", "str", "inlineStr"):
                self.texts[self._column] = self.texts.get(self._column, 0) + 1
            if self._column <= self.columns:
                return
            self.columns = self._column
        else:
            self.others += 1
            if kind == "f":  # until a value is read
                self.unworked.setdefault(self._column, []).append(self.rows)
            elif kind == "r":
                self._up = False
            elif kind == "vertAlign":
                self._up = attributes.get("val") == "superscript"
            elif kind == "mergeCell":
                box = _box(attributes.get("ref", ""))
                self.looks.merged.extend([] if box is None else [box])
            return
        check_size(self.path, self.rows, self.columns, most=MOST_SHEET_CELLS)

    def _end(self, name: str) -> None:
        if self._value and self._inside in ("v", "t"):
            raised = self._stored == "s" and self._value in self._raised
            number = self._stored in (None, "n")
            shown = [s for s in self._shown if number or s == "struck"]
            self.looks.mark([*shown, *(["raised"] if raised else [])], self.rows, self._column)
            self._value = ""
        self._inside = ""

    def _read(self, text: str) -> None:
        self._text += len(text)
        if self._up and self._inside == "t" and any(c.isdecimal() for c in text):
            self.looks.mark(["raised"], self.rows, self._column)
            self._up = False
        if self._inside in ("v", "t") and (self._shown or (self._raised and self._stored == "s")):
            self._value += text
        if self._inside == "v":
            waiting = self.unworked.get(self._column)
            if waiting and waiting[-1] == self.rows:
                waiting.pop()
        if self._text > _MOST_TEXT:
            raise damaged(self.path, f"a cell has more than {_MOST_TEXT:,} characters")


def _box(ref: str) -> Box | None:
    """Return the corners of merged cells.

    Examples
    --------
    >>> _box("A2:C4"), _box("A2")
    ((2, 1, 4, 3), None)
    """
    ends = ref.split(":")
    if len(ends) != 2:
        return None
    rows = [_number(end.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for end in ends]
    columns = [_place(end.rstrip("0123456789")) for end in ends]
    return rows[0], columns[0], rows[1], columns[1]


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 12 else 0


def _place(letters: str) -> int:
    """Return the number of a column, A is 1.

    Examples
    --------
    >>> _place("A"), _place("XFD")
    (1, 16384)
    """
    place = 0
    for letter in letters[:8].upper():
        place = 26 * place + ord(letter) - ord("A") + 1
    return place
