"""Tidy rows as text, HTML, data frame and JSON, and how a number is shown."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "by_number",
    "counted",
    "html_table",
    "plain",
    "show_p",
    "show_value",
    "text_table",
    "tidy_frame",
]

_COLUMNS = (
    "classifier",
    "measure",
    "estimate",
    "std_error",
    "conf_low",
    "conf_high",
    "conf_method",
)


def counted(number: int, word: str) -> str:
    """Return ``1 positive`` or ``2 positives``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


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
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if 0.0 < abs(value) < 0.001 or abs(value) >= 1e6 else f"{value:.4f}"


def show_p(pvalue: float) -> str:
    """Return ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if pvalue < 0.0001 else f"= {pvalue:.4f}"


def text_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = _COLUMNS) -> str:
    """Return tidy rows as aligned text."""
    cells = [list(columns), *([show_value(row[c]) for c in columns] for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(columns))]
    numeric = [isinstance(rows[0][c], (int, float)) for c in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    )


def html_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = _COLUMNS) -> str:
    """Return tidy rows as an HTML table, escaped."""
    head = "".join(f'<th scope="col">{html.escape(c)}</th>' for c in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(show_value(row[c]))}</td>" for c in columns) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def tidy_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return tidy rows as a pandas data frame."""
    import pandas as pd

    return pd.DataFrame(list(rows))


def plain(value: Any, *, infinity: str | None = None) -> Any:
    """Return built-in values that JSON can hold: what is no finite number is None, or a word.

    Examples
    --------
    >>> plain({"df": float("inf")}), plain((-float("inf"), float("nan")), infinity="Infinity")
    ({'df': None}, ['-Infinity', None])
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item, infinity=infinity) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item, infinity=infinity) for item in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        if math.isinf(number) and infinity is not None:
            return infinity if number > 0.0 else f"-{infinity}"
        return number if math.isfinite(number) else None
    return str(value)
