"""What a report is written as: a page, a Word file, a PDF; its figures and tables one by one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rocstats.errors import require_library
from rocstats.places import PAGES, check_ending, write_whole
from rocstats.reports.page_blocks import TableBlock, page_blocks
from rocstats.reports.page_figures import check_dots, page_figures
from rocstats.reports.printed_page import check_printing, figure_pdf, print_page
from rocstats.reports.word_report import check_word, placed_cells, word_report
from rocstats.tables.csv_tables import csv_cells
from rocstats.tables.journal_tables import JournalTable
from rocstats.tables.latex_tables import latex_tables
from rocstats.tables.word_tables import word_tables

__all__ = [
    "REPORTS",
    "check_figures",
    "check_report_file",
    "check_tables",
    "write_figures",
    "write_report",
    "write_report_tables",
]

REPORTS = (*PAGES, ".docx", ".pdf")
_DPI = 300.0  # dots an inch, the least that journals take


def check_report_file(path: str | os.PathLike[str]) -> None:
    """Refuse an ending that is not made, and one whose library is not there."""
    check_ending(path, REPORTS)
    needs = {".docx": check_word, ".pdf": check_printing}
    needs.get(Path(path).suffix.lower(), lambda: None)()


def write_report(path: str | os.PathLike[str], page: str, facts: Mapping[str, Any]) -> Path:
    """Write a report as what its name says, whole or not at all."""
    check_report_file(path)
    ending = Path(path).suffix.lower()
    if ending == ".docx":
        study = facts.get("study") or {}
        words = {"title": study.get("title") or "", "author": study.get("analyst") or ""}
        return write_whole(Path(path), word_report(page, **words))
    if ending == ".pdf":
        return write_whole(Path(path), print_page(page))
    return write_whole(Path(path), page)


def check_figures() -> None:
    """Raise `MissingDependencyError` unless figures can be written in every form."""
    check_dots()
    check_printing()


def write_figures(folder: str | os.PathLike[str], page: str) -> list[Path]:
    """Write every figure of a page as SVG, PDF, PNG and TIFF, and return where they are."""
    check_figures()
    found = []
    for figure in page_figures(page):
        drawn: dict[str, str | bytes] = {
            ".svg": f'<?xml version="1.0" encoding="UTF-8"?>\n{figure.svg}\n',
            ".pdf": figure_pdf(figure),
            ".png": figure.png(_DPI),
            ".tiff": figure.tiff(_DPI),
        }
        found += [
            write_whole(Path(folder, f"{figure.name}{ending}"), content)
            for ending, content in drawn.items()
        ]
    return found


def check_tables() -> None:
    """Raise `MissingDependencyError` unless tables can be written in every form."""
    require_library("docx", "A table as a Word file", "docx")


def write_report_tables(folder: str | os.PathLike[str], page: str) -> list[Path]:
    """Write every table of a page as CSV, LaTeX and Word, and return where they are."""
    check_tables()
    found = []
    for number, table in enumerate(_tables(page), 1):
        words = re.findall(r"[a-z0-9]+", table.title.partition(":")[0].lower())
        name = "-".join([f"table-{number:02}", *words[:6]])
        written: dict[str, str | bytes] = {
            ".csv": csv_cells([table.heads, *table.rows]),
            ".tex": latex_tables([table]),
            ".docx": word_tables([table]),
        }
        found += [
            write_whole(Path(folder, f"{name}{ending}"), content)
            for ending, content in written.items()
        ]
    return found


def _tables(page: str) -> Iterator[JournalTable]:
    """Yield the tables of a page as they are printed; of cells that span several the first."""
    for block in page_blocks(page):
        if not isinstance(block, TableBlock) or not block.ruled:
            continue
        placed, columns = placed_cells(block.rows)
        texts = [[""] * columns for _ in block.rows]
        numeric = [False] * columns
        for cell, row, column in placed:
            texts[row][column] = cell.text
            numeric[column] |= cell.right and row >= block.heads
        heads = [
            " ".join(word for word in words if word)
            for words in zip(*texts[: block.heads], strict=True)
        ]
        yield JournalTable(
            title=block.title,
            heads=tuple(heads or [""] * columns),
            numeric=tuple(numeric),
            rows=tuple(map(tuple, texts[block.heads :])),
        )
