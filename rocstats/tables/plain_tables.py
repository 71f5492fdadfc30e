"""Tidy rows as a table of text and of HTML, each value as a reader wants it."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["Row", "by_number", "html_table", "show_p", "show_value", "text_table"]

Row = Mapping[str, Any]


def by_number(level: str) -> tuple[bool, float, str]:
    """Return the key that sorts levels: those written as numbers first, by their size.

    Examples
    --------
    >>> sorted(["high", "10", "9"], key=by_number)
    ['9', '10', 'high']
    """
    try:
        return False, float(level), level
    except ValueError:
        return True, 0.0, level


def show_value(value: Any) -> str:
    """Return a value as a reader wants it: four decimals, or four digits where it is small."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if 0.0 < abs(value) < 0.001 or abs(value) >= 1e6 else f"{value:.4f}"


def show_p(pvalue: float) -> str:
    """Return ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if pvalue < 0.0001 else f"= {pvalue:.4f}"


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
