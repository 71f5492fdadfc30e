"""Workbooks by their suffix: what sheets they have, and the cells of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocstats.data.reading import excel
from rocstats.data.reading.old_excel import xls_cells, xls_looks, xls_sheets
from rocstats.data.reading.open_document import ods_sheets
from rocstats.data.reading.sheet_frames import Row, Stored, count_stored, frame_of
from rocstats.data.reading.sheet_looks import Looks

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["WORKBOOKS", "Workbook"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbook:
    """How workbooks of one kind are looked into.

    Attributes
    ----------
    sheets : names of the sheets in their order, and whether each is hidden
    cells : cells of a sheet as they are stored, or of its first rows
    frame : a sheet without the rows to skip, and with these columns only, without names
    stored : how the cells of a sheet are stored: texts, errors, formulas without a value
    """

    sheets: Callable[[Path], list[tuple[str, bool]]]
    cells: Callable[[Path, str, int | None], list[Row]]
    frame: Callable[[Path, str, Sequence[int], Sequence[int]], pd.DataFrame]
    stored: Callable[[Path, str], Stored]


def _ods_cells(path: Path, sheet: str, most: int | None = None) -> list[Row]:
    return next((s.rows[:most] for s in ods_sheets(path) if s.name == sheet), [])


def _ods_looks(path: Path, sheet: str) -> Looks:
    return next((s.looks for s in ods_sheets(path) if s.name == sheet), Looks())


def _of_cells(
    sheets: Callable[[Path], list[tuple[str, bool]]],
    cells: Callable[[Path, str, int | None], list[Row]],
    looks: Callable[[Path, str], Looks],
) -> Workbook:
    """Return how workbooks are looked into that are read as cells and nothing else."""
    return Workbook(
        sheets=sheets,
        cells=cells,
        frame=lambda path, sheet, skip, columns: frame_of(
            cells(path, sheet, None), skip=skip, columns=columns
        ),
        stored=lambda path, sheet: count_stored(cells(path, sheet, None), looks(path, sheet)),
    )


WORKBOOKS = {
    ".xlsx": Workbook(
        sheets=excel.sheet_names,
        cells=excel.sheet_cells,
        frame=excel.read_sheet,
        stored=excel.stored_cells,
    ),
    ".xls": _of_cells(xls_sheets, xls_cells, xls_looks),
    ".ods": _of_cells(
        lambda path: [(s.name, s.hidden) for s in ods_sheets(path)], _ods_cells, _ods_looks
    ),
}
