"""Tidy rows as CSV with every digit, which no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from rocstats.tables.plain_tables import Row
from rocstats.tables.plain_values import plain

__all__ = ["csv_cells", "csv_table"]


def csv_table(rows: Sequence[Row]) -> str:
    """Return rows as CSV text; no rows are no text.

    Examples
    --------
    >>> print(csv_table([{"marker": "=1+1", "auc": 0.25}, {"marker": "crp", "auc": None}]), end="")
    marker,auc
    '=1+1,0.25
    crp,
    """
    if not rows:
        return ""
    text = io.StringIO()
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(text, list(names), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return text.getvalue()


def csv_cells(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells, which are text already, as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([map(_cell, line) for line in lines])
    return text.getvalue()


def _cell(value: Any) -> str:
    """Return a cell; a text that a spreadsheet would run as a formula is quoted by a mark."""
    if isinstance(value, str):
        return f"'{value}" if value[:1] in {*"=+-@\t\r"} and value != "-Infinity" else value
    value = plain(value, infinity="Infinity")
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value)
