"""Codes for missing values: applied where they are named, suggested where they stand out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.intake.column_cells import Change, number_columns
from rocstats.data.intake.header_names import split_unit
from rocstats.data.intake.intake_log import Places, Question, Repair, quoted
from rocstats.data.intake.number_cells import clean
from rocstats.errors import InvalidSampleError, counted, keyword

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["apply_codes", "codes_by_column", "plain_numbers", "suggest_code"]

_CODES = (-9, -99, -999, -9999, -8, -88, -888, -7, -77, -777, -1, 99, 999, 9999, 99999, 888, 777)
_FAR = 2.0  # times the next value, from which a code stands out


def codes_by_column(codes: Iterable[Any], columns: Iterable[str]) -> list[tuple[str | None, Any]]:
    """Return codes with the column that each is for, or None for all.

    Examples
    --------
    >>> codes_by_column(["-9", "crp=999", "a=b"], ["crp", "y"])
    [(None, '-9'), ('crp', '999'), (None, 'a=b')]
    """
    known = set(columns)
    found: list[tuple[str | None, Any]] = []
    for code in codes:
        column, _, text = str(code).rpartition("=")
        found.append((column, text) if column in known else (None, code))
    return found


def apply_codes(
    name: str, series: pd.Series[Any], codes: Iterable[Any], places: Places
) -> tuple[Change | None, set[Any]]:
    """Return a column without the cells that hold a code for missing, and the codes it held."""
    gone = np.zeros(len(series), dtype=np.bool_)
    held = set()
    for code in codes:
        where = _holds(series, code) & ~gone
        if where.any():
            held.add(code)
            gone |= where
    if not gone.any():
        return None, held
    n = int(np.count_nonzero(gone))
    texts = quoted(str(code) for code in held)
    repair = Repair(
        step="missing codes",
        column=name,
        n=n,
        cells=places.cells(name, gone),
        sentence=f"{name}: {counted(n, 'cell')} with the code {texts} became missing.",
    )
    return Change(series=_without(series, gone), repairs=(repair,)), held


def _holds(series: pd.Series[Any], code: Any) -> Any:
    """Return which cells are the code, as a number or as a text whatever its case."""
    number = _number(code)
    if series.dtype.kind in "iuf":
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return values == number if number is not None else np.zeros(len(series), dtype=np.bool_)
    if series.dtype.kind in "bmM":
        return np.zeros(len(series), dtype=np.bool_)
    wanted = clean(str(code)).casefold()

    def same(cell: Any) -> bool:
        if isinstance(cell, str):
            text = clean(cell)
            return text.casefold() == wanted or (number is not None and _number(text) == number)
        return number is not None and not isinstance(cell, bool) and cell == number

    known = {cell: same(cell) for cell in series.dropna().unique().tolist()}
    return series.map(known).fillna(False).to_numpy(dtype=np.bool_)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _without(series: pd.Series[Any], gone: Any) -> pd.Series[Any]:
    """Return a column with cells missing, of the type that a clean file would have."""
    import pandas as pd

    if series.dtype.kind in "iu":
        series = series.astype(np.float64)
    left = series.mask(gone)
    if left.dtype.kind in "iuf" or not left.notna().any():
        return left
    try:
        return pd.to_numeric(left) if _are_plain(left) else left
    except (TypeError, ValueError):
        return left


def _are_plain(series: pd.Series[Any]) -> bool:
    """Whether all that is left are numbers as a clean file has them."""
    return all(
        _number(cell) is not None and "_" not in str(cell) and not isinstance(cell, bool)
        for cell in series.dropna().unique().tolist()
    )


def plain_numbers(frame: pd.DataFrame) -> set[Any]:
    """Return the columns of numbers whose least and largest are no codes; none is asked about."""
    plain: set[Any] = set()
    for names, cells in number_columns(frame, "iuf"):
        ends = np.stack([np.fmin.reduce(cells, axis=0), np.fmax.reduce(cells, axis=0)])
        odd = (~np.isfinite(ends) | np.isin(ends, _CODES)).any(axis=0)
        plain |= set(names[~odd])
    return plain


def suggest_code(name: str, series: pd.Series[Any], places: Places) -> Question | None:
    """Return the question whether -9, 999 and the like mean missing, where one stands out."""
    if series.dtype.kind not in "iuf" or not len(series):
        return None
    values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    code = next((c for c in (low, high) if c in _CODES and _stands_out(finite, c)), None)
    if code is None:
        return None
    said = f"{split_unit(clean(name))[0]}={code:g}"
    where = values == code
    n = int(np.count_nonzero(where))
    first = places.cell(name, int(np.flatnonzero(where)[0]))
    return Question(
        step="missing codes",
        column=name,
        n=n,
        cells=places.cells(name, where),
        sentence=InvalidSampleError(
            f"{name} holds {code:g} in {counted(n, 'cell')}, the first in {first}, "
            f"far from its other values; if that is a code for missing, say so with "
            f"{keyword('missing_codes', said)}."
        ).sentence,
        option="missing_codes",
        answers=(f"{name}={code:g}",),
    )


def _stands_out(values: Any, code: float) -> bool:
    """Whether a code is negative among others that are not, or far above all others."""
    others = values[values != code]
    if np.unique(others).size < 3:
        return False
    if code < 0:
        return bool(others.min() >= 0.0)
    return bool(others.max() * _FAR < code)
