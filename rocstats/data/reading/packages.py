"""Files of SAS, SPSS and Stata, through pyreadstat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rocstats.data.reading.bounds import MOST_CELLS, MOST_UNSAID, check_rows, check_size, damaged
from rocstats.data.reading.table import Table
from rocstats.data.reading.transport import count_rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_por", "read_sas", "read_sav", "read_stata", "read_xpt"]

# Cells that a byte of a file may hold at most: more are not there, whatever its header says.
_PLAIN = 1
_PACKED = 1000  # runs of bytes in SAS
_DEFLATED = 1100  # zlib


def read_sas(path: Path) -> Table:
    """Read a sas7bdat file, with the value labels of a catalog of the same name beside it.

    The special missing values .A to .Z and ._ are missing.
    """
    import pyreadstat

    catalog = path.with_suffix(".sas7bcat")
    options = {"user_missing": True, "catalog_file": catalog if catalog.exists() else None}
    return _read(path, pyreadstat.read_sas7bdat, _PACKED, options)


def read_xpt(path: Path) -> Table:
    """Read a SAS transport file, version 5 or 8, of one data set.

    pandas.read_sas turns the zeros of such a file into 5.4e-79 and is not used.
    """
    import pyreadstat

    return _read(path, pyreadstat.read_xport, _PLAIN, count=count_rows)


def read_sav(path: Path) -> Table:
    """Read an SPSS file; what it declares as missing, by values or ranges, is missing."""
    import pyreadstat

    with path.open("rb") as file:
        dense = _DEFLATED if file.read(4) == b"$FL3" else _PLAIN
    return _read(path, pyreadstat.read_sav, dense, {"user_missing": True})


def read_por(path: Path) -> Table:
    """Read an SPSS portable file; what it declares as missing is missing, but not counted."""
    import pyreadstat

    return _read(path, pyreadstat.read_por, _PLAIN)


def read_stata(path: Path) -> Table:
    """Read a Stata file; the extended missing values .a to .z are missing."""
    import pyreadstat

    return _read(path, pyreadstat.read_dta, _PLAIN, {"user_missing": True})


def _read(
    path: Path,
    read: Callable[..., tuple[pd.DataFrame, Any]],
    dense: int,
    options: Mapping[str, Any] = MappingProxyType({}),
    count: Callable[[Path, int], int] | None = None,
) -> Table:
    """Read a file whose header was asked first, and of which all that it promises must come."""
    _, head = read(path, metadataonly=True, **options)
    columns = int(head.number_columns or 0)
    rows = head.number_rows if count is None else count(path, columns)
    rows = None if rows is None or rows < 0 else int(rows)
    if rows is not None:
        if rows * columns > dense * path.stat().st_size:
            raise damaged(path, f"it promises {rows:,} rows and is too short for them")
        check_size(path, rows, columns)
    check_size(path, 0, columns)
    most = MOST_UNSAID if rows is None else MOST_CELLS
    frame, meta = read(path, row_limit=most // max(columns, 1) + 1, **options)
    check_size(path, len(frame), columns, most=most)
    check_rows(path, rows, len(frame))
    return _table(frame, meta)


def _table(frame: pd.DataFrame, meta: Any) -> Table:
    labels: dict[str, dict[Any, str]] = {}
    user_missing: dict[str, int] = {}
    columns = {}
    for name in frame.columns:
        declared = _declared(
            frame[name],
            meta.missing_ranges.get(name, ()),
            meta.missing_user_values.get(name, ()),
        )
        if declared.any():
            user_missing[name] = int(declared.sum())
        columns[name] = _clean(frame[name], declared)
        known = _texts(meta.variable_value_labels.get(name, {}))
        if known:
            labels[name] = known
    return Table(frame=_together(columns, frame.index), labels=labels, user_missing=user_missing)


def _together(columns: Mapping[str, pd.Series[Any]], index: pd.Index[Any]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(dict(columns), index=index)


def _declared(
    values: pd.Series[Any], ranges: Sequence[Mapping[str, Any]], letters: Sequence[str]
) -> pd.Series[bool]:
    """Return which cells hold what the file declares as missing."""
    found = values.isin(list(letters))
    for limits in ranges:
        low, high = limits["lo"], limits["hi"]
        if isinstance(low, str):
            found |= values.astype(object) == low
        else:
            found |= (values >= low) & (values <= high)
    return found.astype(bool)


def _clean(values: pd.Series[Any], declared: pd.Series[bool]) -> pd.Series[Any]:
    """Return the column without what is missing; whole numbers as integers, blanks as missing."""
    import pandas as pd

    if declared.any():
        values = values.mask(declared)
        if values.dtype == object:
            values = values.infer_objects() if values.notna().any() else values.astype("float64")
    if not pd.api.types.is_numeric_dtype(values):
        return values.mask(values.astype(object).isin([""])) if _is_text(values) else values
    if values.isna().any() or not len(values) or not bool((values == values.round()).all()):
        return values
    return values.astype("int64") if values.abs().max() <= 2**53 else values


def _is_text(values: pd.Series[Any]) -> bool:
    import pandas as pd

    return bool(pd.api.types.is_string_dtype(values) or pd.api.types.is_object_dtype(values))


def _texts(labels: Mapping[Any, str]) -> dict[Any, str]:
    return {code: str(label).strip() for code, label in labels.items() if str(label).strip()}
