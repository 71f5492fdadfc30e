"""Tidy rows as a table of text and of HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rocstats.tables.shown_values import show_value

__all__ = ["Row", "html_table", "text_table"]

Row = Mapping[str, Any]


def text_table(
    rows: Sequence[Row], columns: Sequence[str], show: Callable[[Any], str] = show_value
) -> str:
    """Return tidy rows as aligned text."""
    cells = [list(columns), *([show(row[c]) for c in columns] for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(columns))]
    numeric = [isinstance(rows[0][c], (int, float)) for c in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    )


def html_table(
    rows: Sequence[Row], columns: Sequence[str], show: Callable[[Any], str] = show_value
) -> str:
    """Return tidy rows as an HTML table, escaped."""
    head = "".join(f'<th scope="col">{html.escape(c)}</th>' for c in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(show(row[c]))}</td>" for c in columns) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
