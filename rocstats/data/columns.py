"""Columns of any kind (lists, numpy, pandas, polars, pyarrow) as numpy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.errors import InvalidSampleError, listed, shown

__all__ = [
    "beyond_doubles",
    "coded_ids",
    "crossed_ids",
    "frame_columns",
    "id_column",
    "label_column",
    "named_columns",
    "refuse_beyond",
    "score_columns",
    "standardised",
]

_EXACT_INTEGER = 2**53  # beyond this, neighbouring integers are one double


def score_columns(y_score: Any) -> dict[str, Floats]:
    """Return one or more markers by name: a vector, a mapping, an (N, K) array or a frame."""
    if isinstance(y_score, Mapping):
        return named_columns(y_score.items())
    frame = frame_columns(y_score)
    if frame is not None:
        return named_columns(frame.items())
    array = _to_array(y_score)
    if array.ndim == 2:
        return named_columns((f"score_{j + 1}", array[:, j]) for j in range(array.shape[1]))
    name = getattr(y_score, "name", None)
    return named_columns([(name if isinstance(name, str) and name else "score", array)])


def named_columns(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Floats]:
    """Return score columns by name; refuses none, and two of one name."""
    columns: dict[str, Floats] = {}
    for key, values in pairs:
        name = str(key)
        if name in columns:
            raise InvalidSampleError(f"The marker name {name!r} is there twice; names must differ.")
        columns[name] = _score_column(values, name)
    if not columns:
        raise InvalidSampleError("There is no marker: give at least one score column.")
    return columns


def _score_column(values: Any, name: str) -> Floats:
    """Return one marker as doubles, missing as nan; refuses to make distinct scores equal."""
    array = _to_array(values)
    _check_vector(array, name)
    kind = array.dtype.kind
    if kind not in "biufOUST":
        raise InvalidSampleError(
            f"The scores of {name} must be numbers, got {_described(array)}; convert them first."
        )
    if kind in "OUST":
        given = array.tolist()
        if any(isinstance(value, (str, bytes)) for value in given):
            raise _no_numbers(given, name)
        doubles = np.array(
            [_as_number(v, name, row) for row, v in enumerate(given, start=1)], dtype=np.float64
        )
        exact = _same_ties(given, doubles)
    else:
        doubles = np.ascontiguousarray(array, dtype=np.float64)
        exact = _fits_exactly(array, doubles)
    if not exact:
        raise InvalidSampleError(
            f"The scores of {name} do not fit a double exactly, so distinct scores could tie; "
            "subtract an offset or rank them first."
        )
    return doubles


def _same_ties(given: list[Any], doubles: Floats) -> bool:
    known = ~np.isnan(doubles)
    distinct = {v for v, k in zip(given, known, strict=True) if k}
    return len(distinct) == np.unique(doubles[known]).size


def _fits_exactly(array: NDArray[Any], doubles: Floats) -> bool:
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        return max(-int(array.min()), int(array.max())) <= _EXACT_INTEGER
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        return np.array_equal(doubles, array, equal_nan=True)
    return True


def _as_number(value: Any, name: str, row: int) -> float:
    if _is_missing(value):
        return float("nan")
    several = getattr(value, "ndim", 0) > 0  # older numpy takes an array of one for a number
    if several or not hasattr(value, "__float__"):
        raise _no_number(value, name, row)
    try:
        return float(value)
    except (TypeError, ValueError):  # an array in a cell
        raise _no_number(value, name, row) from None
    except OverflowError:
        raise refuse_beyond(value, name, f"row {row}") from None


def _no_numbers(given: list[Any], name: str) -> InvalidSampleError:
    """Return the refusal of texts among scores, by the one that is no number, if there is one."""
    texts = [(row, v) for row, v in enumerate(given, start=1) if isinstance(v, (str, bytes))]
    for row, text in texts:
        if not _reads_as_number(text):
            return _no_number(text, name, row)
    for row, text in texts:
        if beyond_doubles(text):
            return refuse_beyond(text, name, f"row {row}")
    row, text = texts[0]
    return InvalidSampleError(
        f"The scores of {name} must be numbers, got numbers written as text, such as "
        f"{shown(text)} in row {row}; convert them first."
    )


def _no_number(value: Any, name: str, row: int) -> InvalidSampleError:
    return InvalidSampleError(
        f"The scores of {name} must be numbers, got {shown(value)} in row {row}; "
        "convert them first."
    )


def refuse_beyond(value: Any, name: str, where: str) -> InvalidSampleError:
    """Return the refusal of a number that no double comes near, with the row or cell it is in."""
    return InvalidSampleError(
        f"The scores of {name} hold {shown(value)} in {where}, a number beyond the range of "
        "doubles; rescale them, or rank them first."
    )


def beyond_doubles(text: str | bytes) -> bool:
    """Return whether a text is written as a number that no double comes near.

    Examples
    --------
    >>> [beyond_doubles(text) for text in ("1e400", "1e-400", "inf", "0e-400", "high")]
    [True, True, False, False, False]
    """
    if not _reads_as_number(text):
        return False
    digits = str(text).casefold().partition("e")[0]
    return abs(float(text)) in (0.0, np.inf) and not set("123456789").isdisjoint(digits)


def _reads_as_number(text: str | bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_doubles(values: Any) -> Floats:
    """Return settings, such as times or cuts, as doubles; one nan where they are no numbers."""
    try:
        if isinstance(values, np.ma.MaskedArray):
            values = np.ma.filled(values.astype(np.float64), np.nan)
        array = np.asarray(values)
        return np.array(np.nan) if array.dtype.kind == "c" else array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return np.array(np.nan)


def label_column(values: Any, name: str) -> tuple[NDArray[Any], Bools | None]:
    """Return the labels and, where some are missing, which."""
    array = _to_array(values)
    _check_vector(array, name)
    missing = _missing(array)
    return array, missing if missing is not None and missing.any() else None


def id_column(values: Any, n: int, kind: str) -> NDArray[Any]:
    """Return the n ids of subjects or clusters."""
    ids = np.array(_to_array(values))
    _check_vector(ids, kind)
    missing = _missing(ids)
    if missing is not None and missing.any():
        raise InvalidSampleError(f"Some {kind} ids are missing; every subject needs one.")
    if ids.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {ids.size} {kind} ids; they must be as many."
        )
    return ids


def coded_ids(cluster: NDArray[Any]) -> tuple[NDArray[np.intp], tuple[Any, ...]]:
    """Return the code of every subject's cluster, and the clusters by code."""
    if cluster.dtype.kind in "iu" and cluster.size:
        low, high = int(cluster.min()), int(cluster.max())
        if high - low <= 4 * cluster.size:  # counted, not sorted
            place = (cluster - cluster.dtype.type(low)).astype(np.intp)
            there = np.bincount(place) > 0
            return (np.cumsum(there) - 1)[place], tuple((np.flatnonzero(there) + low).tolist())
    try:
        ids, codes = np.unique(cluster, return_inverse=True)
        return codes, tuple(ids.tolist())
    except TypeError:  # numbers beside texts have no order, and come as they are
        known = {one: code for code, one in enumerate(dict.fromkeys(cluster.tolist()))}
        return np.array([known[one] for one in cluster.tolist()], dtype=np.intp), tuple(known)


def crossed_ids(
    columns: Sequence[NDArray[Any]],
) -> tuple[NDArray[np.intp], tuple[tuple[Any, ...], ...]]:
    """Return the code of every row's combination of several columns, and the combinations."""
    codes, ids = zip(*(coded_ids(column) for column in columns), strict=True)
    kinds, code = np.unique(np.stack(codes), axis=1, return_inverse=True)
    combined = tuple(
        tuple(known[k] for known, k in zip(ids, kind, strict=True)) for kind in kinds.T.tolist()
    )
    return code.reshape(-1), combined


def standardised(numbers: Floats) -> Floats:
    """Return numbers that are not all equal with mean 0 and standard deviation 1, in any unit."""
    unit = np.frexp(np.abs(numbers).max())[1]  # a power of two: squares stay doubles
    scaled: Floats = np.ldexp(numbers, -unit)
    found: Floats = (scaled - scaled.mean()) / scaled.std()
    return found


def _check_vector(array: NDArray[Any], name: str) -> None:
    if array.ndim != 1:
        two = array.ndim == 2 and array.shape[1] == 2
        hint = f"; of two columns, as of predict_proba, give one, as {name}[:, 1]" if two else ""
        raise InvalidSampleError(f"{name} must be one-dimensional, got shape {array.shape}{hint}.")


def _to_array(values: Any) -> NDArray[Any]:
    """Return any column as a numpy array; masked and null entries become nan or None."""
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray):
        if not np.ma.is_masked(values):
            return np.asarray(values.data)
        whole = np.asarray(values.data, dtype=object)
        whole[np.ma.getmaskarray(values)] = None
        return whole
    unordered = isinstance(values, (set, frozenset, Mapping))
    if isinstance(values, (str, bytes)) or np.isscalar(values) or values is None or unordered:
        raise InvalidSampleError(f"A column of values was expected, got {values!r}.")
    if isinstance(values, (list, tuple, range)):
        return _list_to_array(values)
    held = _held_numbers(values)
    if held is not None:
        return held
    series = _wrap(values)
    if hasattr(series, "columns"):
        raise InvalidSampleError(
            f"A column of values was expected, got a data frame ({listed(series.columns)}); "
            "take one of its columns."
        )
    if series is None:
        if hasattr(values, "isna"):  # pandas' own arrays; as objects they keep every digit
            return np.asarray(values.astype(object))
        if hasattr(values, "__array__"):
            return np.asarray(values)
        return _list_to_array(list(values) if isinstance(values, Iterable) else [values])
    return _series_to_array(series)


def _held_numbers(values: Any) -> NDArray[Any] | None:
    """Return the array of a series of pandas that holds one of numpy's, which needs no wrapper."""
    if not hasattr(values, "iloc") or getattr(values, "ndim", 0) != 1:
        return None
    held = getattr(values, "values", None)
    plain = type(held) is np.ndarray and (held.dtype.kind in "biu" or held.dtype == np.float64)
    return held if plain else None


def _series_to_array(series: Any) -> NDArray[Any]:
    null = series.is_null()
    if str(series.dtype) in ("Int128", "UInt128"):  # numpy has no such numbers
        return np.array([*series.to_list()], dtype=object)
    if not null.any():
        return np.asarray(series.to_numpy())
    if series.dtype.is_float():
        import narwhals.stable.v2 as nw

        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    return np.array(
        [None if gone else v for v, gone in zip(series.to_list(), null, strict=True)], dtype=object
    )


def _list_to_array(values: Sequence[Any]) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):
        raise InvalidSampleError("The rows given are not all of the same length.") from None
    # numpy would turn the nan beside a word into the word "nan".
    return np.array(values, dtype=object) if array.dtype.kind in "US" else array


def _wrap(values: Any) -> Any:
    """Return the narwhals wrapper of a foreign frame or series, or None for anything else."""
    import narwhals.stable.v2 as nw

    try:
        wrapped = nw.from_native(values, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise InvalidSampleError("Two columns have the same name; names must differ.") from None
    if isinstance(wrapped, nw.LazyFrame):
        return wrapped.collect()
    return wrapped if isinstance(wrapped, (nw.DataFrame, nw.Series)) else None


def frame_columns(frame: Any) -> Mapping[str, Any] | None:
    """Return the columns of a frame or a mapping by name, or None for anything else."""
    if isinstance(frame, (np.ndarray, list, tuple)) or getattr(frame, "ndim", 0) == 1:
        return None
    if isinstance(frame, Mapping):
        return {str(name): column for name, column in frame.items()}
    wrapped = _wrap(frame)
    if wrapped is None or not hasattr(wrapped, "columns"):
        return None
    return _Columns(wrapped)


class _Columns(Mapping[str, Any]):
    """The columns of a frame by name, each taken when it is asked for: there may be 100,000."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._names = {str(name): name for name in frame.columns}

    def __getitem__(self, name: str) -> Any:
        return self._frame.get_column(self._names[name]).to_native()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_NEVER_MISSING = {str, int, bool, bytes}


def _missing(array: NDArray[Any]) -> Bools | None:
    """Return which values are missing, or None where none can be."""
    if array.dtype.kind == "O":
        values = array.tolist()
        if set(map(type, values)) <= _NEVER_MISSING:
            return None
        return np.array([_is_missing(v) for v in values], dtype=np.bool_)
    return np.isnan(array) if array.dtype.kind in "fmM" else None


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _described(array: NDArray[Any]) -> str:
    return f"{array.dtype.name} values such as {array[0]!s}" if array.size else "no values"
