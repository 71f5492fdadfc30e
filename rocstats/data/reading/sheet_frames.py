"""Cells of a sheet as a frame, typed as pandas types those of a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.data.reading.plain import MISSING, check_names
from rocstats.data.reading.sheet_looks import Looks
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ERRORS",
    "Row",
    "Stored",
    "count_stored",
    "frame_of",
    "refuse_disguise",
    "refuse_workbook",
    "table_of",
]

Row = tuple[Any, ...]

# What a formula that failed shows; a workbook tells such a cell from a text.
ERRORS = frozenset({"#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "#N/A"})

_MAGIC = {
    b"PK\x03\x04": "is an .xlsx or .ods workbook under another name; give it that ending",
    b"\xd0\xcf\x11\xe0": "is protected by a password, or is an .xls workbook under another name; "
    "save it without a password, or give it the ending .xls",
}
_SEPARATED = (b"\t", b",", b";", b"|")


def refuse_disguise(path: Path, own: bytes) -> None:
    """Refuse a workbook that is one of another kind, or no workbook but a page or a text."""
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith(own):
        return
    for magic, said in _MAGIC.items():
        if head.startswith(magic):
            raise InvalidSampleError(f"{path} {said}.")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    parted = any(mark in text for mark in _SEPARATED) and b"\0" not in text
    if text.startswith(b"<") or parted:
        raise InvalidSampleError(
            f"{path} is a page or a text under another name; give a text the ending .csv, or open "
            "it in your spreadsheet program and save it as .xlsx."
        )


def refuse_workbook(path: Path) -> None:
    """Refuse a text that is a workbook."""
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InvalidSampleError(
            f"{path} is a workbook under another name; give it the ending .xlsx, .xls or .ods."
        )


def frame_of(
    rows: Sequence[Row], *, skip: Iterable[int] = (), columns: Sequence[int] | None = None
) -> pd.DataFrame:
    """Return rows without those to skip, and with these columns only; they have no names."""
    left = set(skip)
    width = max(map(len, rows), default=0)
    wanted = list(range(width)) if columns is None else list(columns)
    kept = [
        [_plain(row[j]) if j < len(row) else "" for j in wanted]
        for i, row in enumerate(rows)
        if i not in left
    ]
    return _parsed(kept, header=None, width=len(wanted))


def table_of(path: Path, rows: Sequence[Row], sheets: Sequence[str]) -> Table:
    """Return the first sheet under its first row as names; of several sheets it is said which."""
    if rows:
        check_names(path, rows[0])
    width = max(map(len, rows), default=0)
    cells = [[_plain(cell) for cell in row] + [""] * (width - len(row)) for row in rows]
    remark = f"Of {len(sheets)} sheets the first, {sheets[0]!r}, was read." if sheets else ""
    return Table(
        frame=_parsed(cells, header=0, width=width), remarks=(remark,) if len(sheets) > 1 else ()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How a sheet stores its cells; columns are counted from 1.

    Attributes
    ----------
    texts : how many cells of a column are texts
    errors : how many cells hold the error of a formula
    unworked : rows, from 1, of a column whose formula has no value in the file
    truths : how many cells of a column are yes or no
    looks : what is shown beside the values
    """

    texts: dict[int, int]
    errors: int
    unworked: dict[int, list[int]] = field(default_factory=dict)
    truths: dict[int, int] = field(default_factory=dict)
    looks: Looks = field(default_factory=Looks)


def count_stored(rows: Iterable[Row], looks: Looks | None = None) -> Stored:
    """Return how the cells of a sheet are stored."""
    texts: dict[int, int] = {}
    truths: dict[int, int] = {}
    errors = 0
    for row in rows:
        for j, cell in enumerate(row, 1):
            if isinstance(cell, str):
                if cell in ERRORS:
                    errors += 1
                else:
                    texts[j] = texts.get(j, 0) + 1
            elif isinstance(cell, bool):
                truths[j] = truths.get(j, 0) + 1
    return Stored(texts=texts, errors=errors, truths=truths, looks=looks or Looks())


def _plain(cell: Any) -> Any:
    """Return a cell as pandas wants it: nothing is an empty text, as is an error."""
    return "" if cell is None or (isinstance(cell, str) and cell in ERRORS) else cell


def _parsed(cells: list[list[Any]], *, header: int | None, width: int) -> pd.DataFrame:
    import pandas as pd

    if not cells or not width:
        return pd.DataFrame()
    parsers = import_module("pandas.io.parsers")  # what read_excel uses, and types do not know
    parser = parsers.TextParser(
        cells, header=header, na_values=MISSING, keep_default_na=False, skip_blank_lines=False
    )
    frame: pd.DataFrame = parser.read()
    return frame
