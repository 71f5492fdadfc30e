"""Values as JSON has them: built-in, finite, and columns as tidy rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from numbers import Integral, Real
from typing import Any

__all__ = ["PlainRows", "plain", "tidy_rows"]


def tidy_rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns, arrays or lists of one length, as tidy rows of built-in values.

    Examples
    --------
    >>> tidy_rows({"a": [1, 2], "b": ["x", "y"]})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]
    """
    lists = [c.tolist() if hasattr(c, "tolist") else c for c in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def plain(value: Any, *, infinity: str | None = None) -> Any:
    """Return built-in values that JSON can hold: what is no finite number is None, or a word.

    Examples
    --------
    >>> plain({"df": float("inf")}), plain((-float("inf"), float("nan")), infinity="Infinity")
    ({'df': None}, ['-Infinity', None])
    """
    kind = type(value)
    if kind in _AS_IS or (kind is float and math.isfinite(value)):
        return value
    if kind is PlainRows:
        return list(value)
    if kind is list or kind is tuple:
        return _plain_items(value, infinity)
    if kind is dict or isinstance(value, Mapping):
        return dict(zip(map(str, value), _plain_items(value.values(), infinity), strict=True))
    if is_dataclass(value) and not isinstance(value, type):
        items = {f.name: getattr(value, f.name) for f in fields(value)}
        return plain(items, infinity=infinity)
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return _plain_array(value, infinity)
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return _plain_items(value, infinity)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        if math.isinf(number) and infinity is not None:
            return infinity if number > 0.0 else f"-{infinity}"
        return number if math.isfinite(number) else None
    return str(value)


class PlainRows(list[dict[str, Any]]):
    """Columns as tidy rows that JSON can hold: columns are made plain in one step, rows are not."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        super().__init__(tidy_rows(plain(columns)))


_AS_IS = frozenset((type(None), bool, int, str))
_NUMBERS = "?bhilqBHILQefd"  # kinds of array that turn into numbers of Python


def _plain_items(items: Iterable[Any], infinity: str | None) -> list[Any]:
    """Return a list of plain values; there may be millions, and most are plain already."""
    return [
        item
        if type(item) in _AS_IS or (type(item) is float and math.isfinite(item))
        else plain(item, infinity=infinity)
        for item in items
    ]


def _plain_array(array: Any, infinity: str | None) -> Any:
    """Return an array, or a number of numpy, as plain values; long ones in one step."""
    import numpy as np

    if getattr(array, "dtype", None) == np.longdouble:  # which Python has no number for
        array = array.astype(np.float64)
    items = array.tolist()
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.char not in _NUMBERS:
        return plain(items, infinity=infinity)
    if array.dtype.kind == "f":
        for i in np.flatnonzero(~np.isfinite(array)).tolist():
            items[i] = plain(items[i], infinity=infinity)
    return items
