"""A statement, or several, as a file: CSV and Excel with every digit, LaTeX and Word as printed."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from rocstats.errors import require_library
from rocstats.places import check_ending, write_whole
from rocstats.tables.csv_tables import csv_table
from rocstats.tables.journal_tables import JournalTable, journal_tables
from rocstats.tables.latex_tables import latex_tables
from rocstats.tables.statements import Statement
from rocstats.tables.word_tables import word_tables

__all__ = ["TABLES", "check_table_file", "latex_of", "table_bytes", "write_docx", "write_tables"]

_LIBRARIES = {".docx": ("docx", "docx"), ".xlsx": ("openpyxl", "io")}


def latex_of(stated: Statement) -> str:
    """Return a statement as tables for LaTeX."""
    return latex_tables(journal_tables(stated))


def write_docx(path: str | os.PathLike[str], stated: Statement) -> Path:
    """Write a statement as tables for Word, whole or not at all."""
    check_ending(path, (".docx",))
    return write_whole(Path(path), word_tables(journal_tables(stated)))


def check_table_file(path: str | os.PathLike[str], pages: tuple[str, ...] = ()) -> None:
    """Refuse a file that is no table or page that is made, or lacks the library that makes it."""
    check_ending(path, (*pages, *TABLES))
    ending = Path(path).suffix.lower()
    if ending in _LIBRARIES:
        library, extra = _LIBRARIES[ending]
        require_library(library, f"A {ending} file", extra)


def write_tables(path: str | os.PathLike[str], stated: Mapping[str, Statement]) -> Path:
    """Write statements by name, whole or not at all; CSV takes the first, which is the answer.

    Parameters
    ----------
    path : its ending says what is written: .csv (without an ending, too), .tex, .docx or .xlsx
    stated : statements by name, the answer first
    """
    check_table_file(path)
    return write_whole(Path(path), table_bytes(Path(path).suffix.lower() or ".csv", stated))


def table_bytes(ending: str, stated: Mapping[str, Statement]) -> bytes:
    """Return the statements as a file with that ending has them."""
    return TABLES[ending](stated)


def _csv(stated: Mapping[str, Statement]) -> bytes:
    return csv_table(next(iter(stated.values())).tidy).encode()


def _tex(stated: Mapping[str, Statement]) -> bytes:
    return latex_tables(_journal(stated)).encode()


def _docx(stated: Mapping[str, Statement]) -> bytes:
    return word_tables(_journal(stated))


def _xlsx(stated: Mapping[str, Statement]) -> bytes:
    """Return a workbook, a sheet a statement; a text stays text, whatever it begins with."""
    import pandas as pd

    held = io.BytesIO()
    with pd.ExcelWriter(held, engine="openpyxl") as book:
        for name, one in stated.items():
            one.as_frame().to_excel(book, sheet_name=name[:31], index=False, inf_rep="Infinity")
            for cells in book.sheets[name[:31]].iter_rows():
                for cell in cells:
                    if cell.data_type == "f":  # what begins with = is no formula of ours
                        cell.data_type = "s"
    return held.getvalue()


def _journal(stated: Mapping[str, Statement]) -> list[JournalTable]:
    return [table for one in stated.values() for table in journal_tables(one)]


# Ending: what makes its bytes.
TABLES: dict[str, Callable[[Mapping[str, Statement]], bytes]] = {
    ".csv": _csv,
    ".tex": _tex,
    ".docx": _docx,
    ".xlsx": _xlsx,
}
