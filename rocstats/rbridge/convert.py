"""Values across the bridge: Python to R and R to built-in Python, with no converter of rpy2.

Everything is done on rpy2's low-level vectors, so no conversion rule of rpy2 (which belong to a
thread) is ever asked for. Call both functions only while R is held (`rocstats.rbridge.session`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.errors import RBridgeError

__all__ = ["to_python", "to_rvalue"]

_NA_INTEGER = -(2**31)  # R's missing integer, and its missing logical


def to_rvalue(value: Any) -> Any:
    """Return a Python value as an R object.

    Numbers become doubles (never R integers, whose products overflow), bools logical, strings
    character; a list of one kind, or an array, becomes a vector, a 2-d array a matrix, any other
    list or a tuple of mixed kinds an R list, a mapping a named list, None becomes NULL. NaN stays
    NaN; None among numbers or strings is NA.
    """
    import rpy2.rinterface as ri

    if value is None:
        return ri.NULL
    if isinstance(value, ri.Sexp):
        return value
    if isinstance(value, Mapping):
        named = ri.ListSexpVector([to_rvalue(element) for element in value.values()])
        named.do_slot_assign("names", ri.StrSexpVector([str(name) for name in value]))
        return named
    if isinstance(value, (bool, int, float, str, np.generic)):
        return _vector([value.item() if isinstance(value, np.generic) else value], value)
    if isinstance(value, (list, tuple)):
        return _vector(list(value), value)
    if hasattr(value, "__array__"):
        return _array(np.asarray(value))
    raise RBridgeError(f"A {type(value).__name__} cannot be sent to R; send numbers or strings.")


def _vector(items: list[Any], value: Any) -> Any:
    import rpy2.rinterface as ri

    items = [item.item() if isinstance(item, np.generic) else item for item in items]
    present = [item for item in items if item is not None]
    if present and all(isinstance(item, bool) for item in present):
        return ri.BoolSexpVector([ri.NA_Logical if item is None else item for item in items])
    if present and all(isinstance(item, (bool, int, float)) for item in present):
        if any(item is None for item in items):
            return ri.FloatSexpVector([ri.NA_Real if i is None else _double(i) for i in items])
        return _doubles(np.array([_double(item) for item in items]))
    if any(isinstance(item, str) for item in items):
        words = [None if isinstance(i, float) and math.isnan(i) else i for i in items]
        if all(word is None or isinstance(word, str) for word in words):
            return ri.StrSexpVector([ri.NA_Character if w is None else w for w in words])
    if isinstance(value, (list, tuple)):
        return ri.ListSexpVector([to_rvalue(item) for item in items])
    raise RBridgeError(f"{value!r} cannot be sent to R; send numbers or strings.")


def _array(array: NDArray[Any]) -> Any:
    import rpy2.rinterface as ri

    if array.ndim == 2:
        matrix = _array(array.ravel(order="F"))
        matrix.do_slot_assign("dim", ri.IntSexpVector(array.shape))
        return matrix
    if array.ndim != 1:
        if array.ndim == 0:
            return to_rvalue(array.item())
        raise RBridgeError(f"An array of {array.ndim} dimensions cannot be sent to R.")
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        return _doubles(array)
    if array.dtype.kind in "iu":
        doubles = array.astype(np.float64)
        if array.size and np.abs(doubles).max() > 2.0**53:
            raise RBridgeError("Integers beyond 2**53 cannot be sent to R without loss.")
        return _doubles(doubles)
    if array.size == 0:
        return ri.StrSexpVector([]) if array.dtype.kind in "UO" else ri.BoolSexpVector([])
    return _vector(array.tolist(), array.tolist())


def _double(item: float) -> float:
    if isinstance(item, int) and abs(item) > 2**53:
        raise RBridgeError("Integers beyond 2**53 cannot be sent to R without loss.")
    return float(item)


def _doubles(array: NDArray[Any]) -> Any:
    import rpy2.rinterface as ri

    if array.size == 0:
        return ri.FloatSexpVector([])
    return ri.FloatSexpVector.from_memoryview(np.array(array, dtype=np.float64).data)


def to_python(value: Any) -> Any:
    """Return an R object as built-in Python.

    A named list or vector becomes a dict (a list, where a name is missing or repeated); a data
    frame a dict of lists; a factor a list of its labels; a matrix a list of rows; any other vector
    a list, or a scalar where it has one element. Numbers are floats, NA among numbers and logicals
    is nan, and None among strings; NULL is None; a call or a formula is its text. Other attributes,
    such as the class, are ignored.
    """
    import rpy2.rinterface as ri

    if isinstance(value, type(ri.NULL)):
        return None
    if isinstance(value, (ri.LangSexpVector, ri.SexpSymbol, ri.ExprSexpVector)):
        # Held in a list, or R would evaluate it.
        text = ri.parse("function(held) paste(deparse(held[[1]]), collapse = ' ')")
        return str(ri.baseenv["eval"](text)(ri.ListSexpVector([value]))[0])
    classes = set(_attribute(value, "class") or ())
    if isinstance(value, (ri.ListSexpVector, ri.PairlistSexpVector)):
        names = _names(value)
        if "data.frame" in classes:
            return dict(zip(names or (), (_elements(column) for column in value), strict=True))
        items = [to_python(element) for element in value]
        return items if names is None else dict(zip(names, items, strict=True))
    items = _elements(value)
    if "factor" in classes:
        return items
    shape = _attribute(value, "dim")
    if shape is not None and len(shape) == 2:
        rows, columns = shape
        return [items[i :: max(rows, 1)] if columns else [] for i in range(rows)]
    names = _names(value)
    if names is not None:
        return dict(zip(names, items, strict=True))
    return items[0] if len(items) == 1 else items


def _elements(value: Any) -> list[Any]:
    """Every element of an atomic vector."""
    import rpy2.rinterface as ri

    if isinstance(value, ri.StrSexpVector):
        return [None if word is ri.NA_Character else str(word) for word in value]
    if isinstance(value, ri.FloatSexpVector):
        return _stored(value)
    if isinstance(value, (ri.IntSexpVector, ri.BoolSexpVector)):
        codes = _stored(value)
        levels = _attribute(value, "levels")
        if levels is not None:
            return [None if code == _NA_INTEGER else levels[code - 1] for code in codes]
        kind = bool if isinstance(value, ri.BoolSexpVector) else float
        return [math.nan if code == _NA_INTEGER else kind(code) for code in codes]
    if isinstance(value, ri.ListSexpVector):
        return [to_python(element) for element in value]
    if isinstance(value, ri.ComplexSexpVector):
        return list(value)
    raise RBridgeError(
        f"R returned an object of type {value.typeof.name.removesuffix('SXP').lower()}, which has "
        "no form in Python; return numbers, strings or lists of them."
    )


def _stored(value: Any) -> list[Any]:
    """The numbers of a vector or, column by column, of a matrix, as R stores them.

    By ``ffi.buffer``: each of rpy2's memoryviews releases None once too often, and when none are
    left Python 3.11 ends the process.
    """
    import rpy2.rinterface as ri
    from rpy2.rinterface_lib import openrlib

    if not len(value):
        return []
    rlib = openrlib.rlib
    kind: np.dtype[Any] = np.dtype(np.int32)
    if isinstance(value, ri.FloatSexpVector):
        read, kind = rlib.REAL, np.dtype(np.float64)
    else:
        read = rlib.LOGICAL if isinstance(value, ri.BoolSexpVector) else rlib.INTEGER
    buffer = openrlib.ffi.buffer(read(value.__sexp__._cdata), kind.itemsize * len(value))
    stored: list[Any] = np.frombuffer(buffer, dtype=kind).tolist()
    return stored


def _attribute(value: Any, name: str) -> list[Any] | None:
    """An attribute as it is stored, without R's dispatch."""
    import rpy2.rinterface as ri

    if name not in value.list_attrs():
        return None
    found = value.do_slot(name)
    return None if isinstance(found, type(ri.NULL)) else list(found)


def _names(value: Any) -> list[str] | None:
    """The names, where every element has its own."""
    import rpy2.rinterface as ri

    if isinstance(value.names, type(ri.NULL)):
        return None
    names = [str(name) for name in value.names]
    return names if all(names) and len(set(names)) == len(names) else None
