"""Files of SAS, SPSS and Stata, through pyreadstat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_por", "read_sas", "read_sav", "read_stata", "read_xpt"]

_MEMBERS = (
    b"HEADER RECORD*******MEMBER  HEADER RECORD",
    b"HEADER RECORD*******MEMBV8  HEADER RECORD",
)


def read_sas(path: Path) -> Table:
    """Read a sas7bdat file, with the value labels of a catalog of the same name beside it.

    The special missing values .A to .Z and ._ are missing.
    """
    import pyreadstat

    catalog = path.with_suffix(".sas7bcat")
    frame, meta = pyreadstat.read_sas7bdat(
        path, user_missing=True, catalog_file=catalog if catalog.exists() else None
    )
    return _table(frame, meta)


def read_xpt(path: Path) -> Table:
    """Read a SAS transport file, version 5 or 8, of one data set.

    pandas.read_sas turns the zeros of such a file into 5.4e-79 and is not used.
    """
    import pyreadstat

    content = path.read_bytes()
    if sum(content.count(member) for member in _MEMBERS) > 1:
        raise InvalidSampleError(
            f"{path} holds several data sets; write the one to analyse to a file of its own."
        )
    return _table(*pyreadstat.read_xport(path))


def read_sav(path: Path) -> Table:
    """Read an SPSS file; what it declares as missing, by values or ranges, is missing."""
    import pyreadstat

    return _table(*pyreadstat.read_sav(path, user_missing=True))


def read_por(path: Path) -> Table:
    """Read an SPSS portable file; what it declares as missing is missing, but not counted."""
    import pyreadstat

    return _table(*pyreadstat.read_por(path))


def read_stata(path: Path) -> Table:
    """Read a Stata file; the extended missing values .a to .z are missing."""
    import pyreadstat

    return _table(*pyreadstat.read_dta(path, user_missing=True))


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
