"""Which columns of a table are kept, what they are called, and what is said of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rocstats.data.intake.header_names import told_apart
from rocstats.data.intake.intake_log import Repair, column_letters, quoted, row_ranges
from rocstats.data.intake.number_cells import clean, is_blank
from rocstats.errors import counted, listed

__all__ = ["find_columns"]


def find_columns(
    rows: Sequence[Sequence[Any]],
    heading: Sequence[Any],
    data: Sequence[int],
    unit_row: Any,
    top: int,
) -> tuple[list[int], list[str], dict[str, str], list[Repair]]:
    """Return the columns that are kept, their names, units, and what was left out."""
    named = {j for j, name in enumerate(heading) if not is_blank(name)}
    filled = _filled(rows, data, len(heading))
    beside = _beside(rows, data, named, filled)
    kept = (named | filled) - beside
    columns = sorted(kept)
    given = [f"Unnamed: {j}" if is_blank(heading[j]) else str(heading[j]) for j in columns]
    names = told_apart(given, [column_letters(j) for j in columns])
    units = {
        name: clean(str(unit_row[j])).strip("[]() ")
        for name, j in zip(names, columns, strict=True)
        if unit_row is not None and j < len(unit_row) and not is_blank(unit_row[j])
    }
    twice = [j for j, old, new in zip(columns, given, names, strict=True) if old != new]
    held = [cell for cell in rows[top + 1] if not is_blank(cell)] if units else []
    empty = sorted(set(range(len(heading))) - kept - beside)
    notes = (rows[i][j] for j in sorted(beside) for i in data if j < len(rows[i]))
    said = [
        *_said_twice(twice, (name for name in names if name not in given), top),
        *_said_units(units, held, unit_row, top),
        *_said_beside(sorted(beside), notes),
        *_said_empty(empty),
    ]
    return columns, names, units, said


def _said_twice(columns: Sequence[int], names: Iterator[str], top: int) -> Iterator[Repair]:
    if columns:
        yield Repair(
            step="names",
            n=len(columns),
            cells=tuple(f"{column_letters(j)}{top + 1}" for j in columns),
            sentence=f"{len(columns)} columns whose names are there twice are told apart by "
            f"their letters: {quoted(names, 12)}.",
        )


def _said_units(
    units: dict[str, str], held: Sequence[Any], unit_row: Any, top: int
) -> Iterator[Repair]:
    if units:
        words = quoted(word for word in held if word not in unit_row)
        beyond = "" if len(held) == len(units) else f"; its other words were left out: {words}"
        yield Repair(
            step="units",
            n=len(units),
            cells=row_ranges([top + 2]),
            sentence=f"The row under the names was read as units: "
            f"{listed((f'{name} in {unit}' for name, unit in units.items()), 12)}{beyond}.",
        )


def _said_beside(columns: Sequence[int], texts: Iterator[Any]) -> Iterator[Repair]:
    if columns:
        yield Repair(
            step="notes beside",
            n=len(columns),
            cells=tuple(column_letters(j) for j in columns),
            sentence=f"{counted(len(columns), 'column')} of notes beside the table, without a "
            f"name, {'was' if len(columns) == 1 else 'were'} left out: "
            f"{quoted(text for text in texts if not is_blank(text))}.",
        )


def _said_empty(columns: Sequence[int]) -> Iterator[Repair]:
    if columns:
        yield Repair(
            step="blank columns",
            n=len(columns),
            cells=tuple(column_letters(j) for j in columns),
            sentence=f"{counted(len(columns), 'column')} without a name and without data "
            f"{'was' if len(columns) == 1 else 'were'} left out.",
        )


def _beside(
    rows: Sequence[Sequence[Any]], data: Sequence[int], named: set[int], filled: set[int]
) -> set[int]:
    """Return columns without a name that a blank one parts from the table, mostly empty."""
    if not named:
        return set()
    low, high = min(named), max(named)
    apart = {
        j
        for j in filled - named
        if (j > high + 1 and high + 1 not in filled) or (j < low - 1 and low - 1 not in filled)
    }
    return {
        j
        for j in apart
        if 2 * sum(j < len(rows[i]) and not is_blank(rows[i][j]) for i in data) < len(data)
    }


def _filled(rows: Sequence[Sequence[Any]], data: Sequence[int], width: int) -> set[int]:
    wanted, found = set(range(width)), set[int]()
    for i in data:
        found |= {j for j in wanted if j < len(rows[i]) and not is_blank(rows[i][j])}
        wanted -= found
        if not wanted:
            break
    return found
