"""Files of R: one data frame, saved by saveRDS() or save()."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.data.reading.bounds import check_rows, check_size
from rocstats.data.reading.plain import check_names
from rocstats.data.reading.r_stream import check_objects, read_content
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_rdata", "read_rds"]


def read_rds(path: Path) -> Table:
    """Read a data frame saved by saveRDS()."""
    import rdata

    with _quiet():
        found = rdata.read_rds(_stream(path), **_options(path))
    if not isinstance(found, Table):
        raise InvalidSampleError(
            f"{path} holds an R object that is no data frame; save a data frame with saveRDS()."
        )
    return found


def read_rdata(path: Path) -> Table:
    """Read the one data frame of a workspace saved by save()."""
    import rdata

    with _quiet():
        found = rdata.read_rda(_stream(path), **_options(path))
    frames = {name: item for name, item in found.items() if isinstance(item, Table)}
    if len(frames) == 1:
        return next(iter(frames.values()))
    if not frames:
        raise InvalidSampleError(
            f"{path} holds no data frame, only {listed(found) or 'nothing'}; save one with save()."
        )
    raise InvalidSampleError(
        f"{path} holds {len(frames)} data frames ({listed(frames)}); "
        "save the one to analyse in a file of its own."
    )


def _quiet() -> warnings.catch_warnings:
    """Return a guard: rdata warns of every class it reads as the class beneath it."""
    return warnings.catch_warnings(action="ignore")


def _stream(path: Path) -> BytesIO:
    content = read_content(path)
    check_objects(path, content)
    return BytesIO(content)


def _options(path: Path) -> dict[str, Any]:
    return {"constructor_dict": _constructors(path), "altrep_constructor_dict": _sequences(path)}


def _sequences(path: Path) -> dict[bytes, Any]:
    """Return how short forms of long vectors are written out, within bounds."""
    from rdata.parser import DEFAULT_ALTREP_MAP

    total = 0

    def bounded(form: Any) -> Any:
        def write_out(state: Any) -> Any:
            nonlocal total
            length = float(np.asarray(state.value[0]).item())
            total += int(min(length, 2.0**53)) if length > 0 else 0
            check_size(path, total, 1)
            return form(state)

        return write_out

    forms = dict(DEFAULT_ALTREP_MAP)
    compact = (name for name in forms if name.startswith(b"compact_"))
    return forms | {name: bounded(forms[name]) for name in compact}


def _constructors(path: Path) -> dict[str | bytes, Any]:
    from rdata.conversion import DEFAULT_CLASS_MAP

    def frame(columns: Any, attributes: Mapping[str, Any]) -> Table:
        return _frame(path, columns, attributes)

    return {
        **DEFAULT_CLASS_MAP,
        "data.frame": frame,
        "factor": _factor,
        "ordered": _ordered,
        "Date": _date,
        "POSIXct": _moment,
        **dict.fromkeys(("haven_labelled", "haven_labelled_spss", "labelled"), _labelled),
    }


class _Labelled(NamedTuple):
    """A vector with the value labels that the R package haven keeps."""

    values: Any
    labels: dict[Any, str]
    declared: NDArray[np.bool_]


def _frame(path: Path, columns: Any, attributes: Mapping[str, Any]) -> Table:
    import pandas as pd

    names = [str(name) for name in attributes.get("names", ())]
    check_names(path, names)
    given = list(columns.values()) if isinstance(columns, Mapping) else list(columns)
    found: dict[str, Any] = {}
    labels: dict[str, dict[Any, str]] = {}
    user_missing: dict[str, int] = {}
    for name, column in zip(names, given, strict=True):
        values = column
        if isinstance(column, _Labelled):
            values = column.values
            labels[name] = column.labels
            if column.declared.any():
                user_missing[name] = int(column.declared.sum())
        found |= _vectors(path, name, values)
    rows = _row_count(attributes.get("row.names"))
    for column in found.values():
        check_rows(path, rows, len(column))
    check_size(path, rows or 0, len(found))
    return Table(frame=pd.DataFrame(found), labels=labels, user_missing=user_missing)


def _row_count(names: Any) -> int | None:
    """Return how many rows a data frame says it has; c(NA, -n) is short for 1 to n."""
    if names is None:
        return None
    if len(names) == 2 and np.ma.getmaskarray(np.ma.asarray(names))[0]:
        return abs(int(names[1]))
    return len(names)


def _vectors(path: Path, name: str, values: Any) -> dict[str, Any]:
    """Return a column as one vector, or those of a matrix as R numbers them."""
    import pandas as pd

    if isinstance(values, (list, tuple)):
        cells = np.empty(len(values), dtype=object)
        cells[:] = values
        return {name: cells}
    if isinstance(values, pd.Series):
        return {name: values}
    if not hasattr(values, "ndim"):
        raise InvalidSampleError(
            f"{path} has a column {name!r} that is no vector; drop it in R before saving."
        )
    array = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if array.ndim == 1:
        return {name: _vector(array)}
    if array.shape[1] == 1:
        return {name: _vector(array[:, 0])}
    return {f"{name}.{j + 1}": _vector(array[:, j]) for j in range(array.shape[1])}


def _vector(array: NDArray[Any]) -> Any:
    """Return a vector of R with NA as missing: integers stay integers, logicals logicals."""
    import pandas as pd

    missing = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    plain = np.asarray(np.ma.getdata(array))
    if plain.dtype.kind in "US":
        plain = plain.astype(object)
    if plain.dtype.kind == "O":
        texts = [np.nan if cell is None else cell for cell in plain.tolist()]
        return pd.Series(texts, dtype=object)
    kind = {"i": "Int64", "u": "Int64", "b": "boolean"}.get(plain.dtype.kind)
    if missing is None or not missing.any() or kind is None:
        return plain.astype("int64") if kind == "Int64" else plain
    column = pd.Series(plain, dtype=kind)
    column[missing] = pd.NA
    return column


def _factor(codes: NDArray[Any], attributes: Mapping[str, Any]) -> Any:
    """Return a factor as its levels; they are numbers if all of them are written as numbers."""
    import pandas as pd

    names = [str(level) for level in attributes["levels"]]
    try:
        levels: list[Any] = [float(name) for name in names]
    except ValueError:
        levels = names
    places = np.maximum(np.ma.filled(codes, 0), 0)  # NA is the smallest integer
    found = np.array([np.nan, *levels], dtype=object)[places]
    return pd.Series(found, dtype=object if levels is names else "float64")


def _ordered(codes: NDArray[Any], attributes: Mapping[str, Any]) -> Any:
    """Return an ordered factor, which may be a marker: the places of its levels, with labels."""
    import pandas as pd

    levels = _factor(codes, attributes)
    if levels.dtype != object:
        return levels
    places = pd.Series(np.maximum(np.ma.filled(codes, 0), 0))
    places = places.mask(places == 0) if (places == 0).any() else places.astype("int64")
    labels = {place + 1: str(level) for place, level in enumerate(attributes["levels"])}
    return _Labelled(places, labels, np.zeros(len(places), dtype=np.bool_))


def _date(days: Any, attributes: Mapping[str, Any]) -> Any:
    import pandas as pd

    return pd.Series(pd.to_datetime(np.asarray(days, dtype=float), unit="D", errors="coerce"))


def _moment(seconds: Any, attributes: Mapping[str, Any]) -> Any:
    import pandas as pd

    return pd.Series(pd.to_datetime(np.asarray(seconds, dtype=float), unit="s", errors="coerce"))


def _labelled(values: Any, attributes: Mapping[str, Any]) -> _Labelled:
    """Return a vector of haven, without the values that it declares as missing."""
    import pandas as pd

    declared = np.zeros(len(values), dtype=np.bool_)
    if attributes.get("na_values") is not None:
        declared |= np.isin(np.asarray(values), np.asarray(attributes["na_values"]))
    if attributes.get("na_range") is not None:
        low, high = np.asarray(attributes["na_range"], dtype=float).tolist()
        declared |= (np.asarray(values) >= low) & (np.asarray(values) <= high)
    labels: Any = attributes.get("labels")  # an xarray, if they have names
    texts = labels.coords[labels.dims[0]].values.tolist() if hasattr(labels, "dims") else []
    codes = np.asarray(labels).tolist() if texts else []
    column = _vector(values)
    return _Labelled(
        pd.Series(column).mask(declared) if declared.any() else column,
        {code: str(text).strip() for code, text in zip(codes, texts, strict=True)},
        declared,
    )
