"""Tidy rows as CSV with every digit, which no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from rocstats.tables.plain_tables import Row
from rocstats.tables.plain_values import plain

__all__ = ["csv_cells", "csv_table"]

_RUN = (*"=+-@", "\t", "\n")  # what a spreadsheet takes for the beginning of a formula
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?|-Infinity", re.ASCII)


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
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_cell, names))
    writer.writerows([_cell(row.get(name, "")) for name in names] for row in rows)
    return text.getvalue()


def csv_cells(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells, which are text already, as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([map(_cell, line) for line in lines])
    return text.getvalue()


def _cell(value: Any) -> str:
    """Return a cell; a text that a spreadsheet would run as a formula is quoted by a mark.

    A number stays a number, also as text: -0.021 and +2.1% are no formulas.
    """
    if isinstance(value, str):
        value = value.replace("\r\n", "\n").replace("\r", "\n")  # a bare \r would end the line
        return f"'{value}" if value.startswith(_RUN) and not _NUMBER.fullmatch(value) else value
    value = plain(value, infinity="Infinity")
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value)
