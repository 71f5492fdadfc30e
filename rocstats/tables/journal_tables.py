"""A statement as a journal prints it: a value with its interval in one cell, heads in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

from rocstats.tables.plain_tables import Row, show_value
from rocstats.tables.plain_values import plain
from rocstats.tables.statements import Statement

__all__ = ["JournalTable", "journal_tables", "show_cell"]

_NONE, _MINUS = "\u2013", "\u2212"
_HEADS = {
    "auc": "AUC",
    "bias": "Bias",
    "classifier": "Marker",
    "conf_method": "Interval",
    "df": "df",
    "dor": "Odds ratio",
    "f1": "F1",
    "fn": "FN",
    "fp": "FP",
    "fpr": "False positive rate",
    "label": "Measure",
    "lr_neg": "LR\u2212",
    "lr_pos": "LR+",
    "mcc": "MCC",
    "n": "n",
    "n_neg": "Negatives",
    "n_pos": "Positives",
    "npv": "NPV",
    "p_adjusted": "Adjusted p",
    "p_value": "p",
    "ppv": "PPV",
    "sauc": "sAUC",
    "smauc": "smAUC",
    "std_error": "SE",
    "tn": "TN",
    "tp": "TP",
    "tpr": "True positive rate",
    "youden": "Youden\u2019s J",
}
_MEASURES = {"auc": "AUC", "sauc": "sAUC", "smauc": "smAUC"}
_AS_MEASURED = {"threshold", "cutpoint", "midpoint", "next_score", "at"}  # keep their digits
# What may stand between an estimate and its limits, and has none of its own.
_BESIDE = {"std_error", "statistic", "df", "bias", "null_value", "margin"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalTable:
    """A table whose every cell is text.

    Attributes
    ----------
    title : what it shows; may be empty
    heads : of the columns
    numeric : whether a column holds numbers
    rows : cells, a row each
    notes : lines below it
    """

    title: str
    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column, with the names of its limits where it has some."""

    name: str
    low: str = ""
    high: str = ""


def journal_tables(stated: Statement) -> list[JournalTable]:
    """Return every table that a statement prints; all columns of its rows where it prints none."""
    found = list(_printed(stated))
    if found:
        return found
    for part in _all(stated):
        if part.tidy:  # one that is said in words, or is too long to print
            names = part.shown or tuple(dict.fromkeys(name for row in part.tidy for name in row))
            told = [_lines([p.head, *p.notes]) for p in _all(stated)]
            table = _table(replace(part, head=""), part.tidy, names, ())
            return [replace(table, notes=tuple(line for lines in told for line in lines))]
    return []


def _all(stated: Statement) -> Iterator[Statement]:
    yield stated
    for part in stated.parts:
        yield from _all(part)


def _printed(stated: Statement) -> Iterator[JournalTable]:
    """Yield the tables; words that stand without a table are notes of the one before, or after."""
    waiting: list[str] = []
    table: JournalTable | None = None
    for part in _all(stated):
        if part.shown and part.tidy and not part.in_words:
            if table is not None:
                yield table
            table = _table(part, part.tidy, part.shown, [*waiting, *_lines(part.notes)])
            waiting = []
        elif table is None:
            waiting += _lines([part.head, *part.notes])
        else:
            more = _lines([part.head, *part.notes])
            table = replace(table, notes=(*table.notes, *more))
    if table is not None:
        yield table


def _lines(texts: Sequence[str]) -> list[str]:
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


def _table(
    stated: Statement, rows: Sequence[Row], names: Sequence[str], notes: Sequence[str]
) -> JournalTable:
    columns = _columns(names, rows[0] if rows else {})
    show = None if stated.show is show_value else stated.show
    level = _level(rows)
    head = _lines([stated.head])
    return JournalTable(
        title=head[0] if head else "",
        heads=tuple(_head(column, level) for column in columns),
        numeric=tuple(_is_numeric(column, rows) for column in columns),
        rows=tuple(tuple(_cell(row, column, show) for column in columns) for row in rows),
        notes=(*head[1:], *notes),
    )


def _columns(names: Sequence[str], row: Row) -> list[_Column]:
    """Return the columns, each with its limits: those named after it, or the table's own."""
    limits: dict[str, tuple[str, str]] = {}
    for name in names:
        for low, high in (
            (f"{name}_conf_low", f"{name}_conf_high"),
            (f"{name}_low", f"{name}_high"),
        ):
            if low in row and high in row:
                limits.setdefault(name, (low, high))
    own = ("conf_low", "conf_high")
    if set(own) <= set(names):
        limits[_owner(names, row)] = own
    taken = {limit for pair in limits.values() for limit in pair} - limits.keys()
    return [
        _Column(name=name, low=limits.get(name, ("", ""))[0], high=limits.get(name, ("", ""))[1])
        for name in names
        if name not in taken
    ]


def _owner(names: Sequence[str], row: Row) -> str:
    """Return whose limits ``conf_low`` and ``conf_high`` are: the estimate, or what is nearest."""
    if "estimate" in names:
        return "estimate"
    before = [
        name
        for name in names[: names.index("conf_low")]
        if name not in _BESIDE and not name.startswith("p_") and isinstance(row[name], Real)
    ]
    return before[-1] if before else "conf_low"


def _level(rows: Sequence[Row]) -> float | None:
    """Return the one level of all rows, or None."""
    levels = {row.get("conf_level") for row in rows}
    level = levels.pop() if len(levels) == 1 else None
    return float(level) if isinstance(level, Real) and math.isfinite(level) else None


def _head(column: _Column, level: float | None) -> str:
    words = _HEADS.get(column.name, "") or column.name.replace("_", " ")
    if column.name not in _HEADS and words.islower() and len(words) > 1:
        words = words[:1].upper() + words[1:]
    ci = "CI" if level is None else f"{100 * level:.10g}% CI"
    if not column.low:
        return words
    return f"{words} ({ci})" if column.name != column.low else ci


def _is_numeric(column: _Column, rows: Sequence[Row]) -> bool:
    values = [row.get(column.name) for row in rows]
    numbers = [isinstance(v, Real) and not isinstance(v, bool) for v in values if v is not None]
    return bool(numbers) and all(numbers)


def _cell(row: Row, column: _Column, show: Callable[[Any], str] | None) -> str:
    value = row.get(column.name)
    if not column.low:
        return show_cell(value, column.name) if show is None else show(value)
    own, low, high = (
        show_cell(row.get(name), column.name) for name in (column.name, column.low, column.high)
    )
    limits = f"{low} to {high}" if (low, high) != (_NONE, _NONE) else ""
    if column.name == column.low:
        return limits or _NONE
    return f"{own} ({limits})" if limits else own


def show_cell(value: Any, name: str = "") -> str:
    """Return a cell: three decimals, which reach 0 or 1 only where the number does.

    A p-value is never rounded to 0, and a threshold keeps six digits.

    Examples
    --------
    >>> show_cell(0.91), show_cell(0.9997), show_cell(0.0004), show_cell(-0.25), show_cell(12)
    ('0.910', '> 0.999', '0.0004', '−0.250', '12')
    >>> show_cell(0.00004, "p_value"), show_cell(0.21, "threshold"), show_cell(float("nan"))
    ('< 0.001', '0.21', '–')
    """
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "measure" and value in _MEASURES:
        return _MEASURES[value]
    if isinstance(value, Integral):
        count = int(value)
        return _signed(f"{count}" if abs(count) < 10_000 else f"{count:,}")
    if isinstance(value, Real):
        return _signed(_number(float(value), name))
    if isinstance(value, (Mapping, Sequence)) and not isinstance(value, str):
        items = plain(value)
        return ", ".join(map(str, items.items() if isinstance(items, dict) else items))
    return str(value)


def _signed(text: str) -> str:
    return text.replace("-", _MINUS)


def _number(x: float, name: str) -> str:
    if math.isnan(x):
        return _NONE
    if math.isinf(x):
        return "∞" if x > 0 else "-∞"
    if name in _AS_MEASURED:
        return f"{x:.6g}"
    if name == "p" or name.startswith("p_"):
        return "< 0.001" if x < 0.001 else _three(x) if x >= 0.1 else f"{x:.{4 + (x < 0.01)}f}"
    if name == "df":
        return f"{x:.0f}" if x == int(x) else f"{x:.1f}"
    if abs(x) >= 1e6:
        return f"{x:.4g}"
    if 0.0 < abs(x) < 0.0005:
        return f"{x:.1g}"
    return _three(x)


def _three(x: float) -> str:
    shown = f"{x:.3f}"
    if 0.0 < x < 1.0 and shown == "1.000":
        return "> 0.999"
    if -1.0 < x < 0.0 and shown == "-1.000":
        return "> -1.000"
    return shown.replace("-0.000", "0.000")
