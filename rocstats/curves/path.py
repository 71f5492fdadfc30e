"""Monotone paths on the unit square: area and interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.arrays import Floats
from rocstats.data.columns import as_doubles
from rocstats.errors import InvalidOptionError, named, shown
from rocstats.tables import Record

__all__ = ["CurvePoint", "point_at", "read_only", "to_numbers", "trapezoid"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CurvePoint(Record):
    """A point of a curve, or several: floats where one was asked for, else arrays."""

    fpr: Any
    tpr: Any


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, which from now on cannot be written to."""
    array.flags.writeable = False
    return array


def trapezoid(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return the area under the polygon; exact where the coordinates are counts."""
    return 0.5 * float(((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum())


def point_at(
    fpr: Floats, tpr: Floats, *, at_fpr: ArrayLike | None, at_tpr: ArrayLike | None
) -> CurvePoint:
    """Return the point with a given false or true positive rate, linear between vertices.

    On a vertical or horizontal piece it is the upper left end: the highest sensitivity, the
    lowest false positive rate.
    """
    if (at_fpr is None) == (at_tpr is None):
        raise InvalidOptionError("Give one of fpr, tpr and threshold: where on the curve?")
    if at_fpr is not None:
        wanted = _rates(at_fpr, "fpr")
        return _point(wanted, _interpolate(fpr, tpr, wanted, side="right"))
    wanted = _rates(at_tpr, "tpr")
    return _point(_interpolate(tpr, fpr, wanted, side="left"), wanted)


def to_numbers(values: ArrayLike | None, name: str) -> Floats:
    """Return where on a curve as doubles, or refuse what is no number."""
    numbers = as_doubles(values)
    if np.isnan(numbers).any():
        raise InvalidOptionError(f"{named(name)} must be a number, got {shown(values)}.")
    return numbers


def _rates(values: ArrayLike | None, name: str) -> Floats:
    rates = to_numbers(values, name)
    if not ((rates >= 0.0) & (rates <= 1.0)).all():
        raise InvalidOptionError(f"{named(name)} must lie within [0, 1], got {shown(values)}.")
    return rates


def _point(fpr: Floats, tpr: Floats) -> CurvePoint:
    return (
        CurvePoint(fpr=fpr.item(), tpr=tpr.item())
        if fpr.ndim == 0
        else CurvePoint(fpr=fpr, tpr=tpr)
    )


def _interpolate(x: Floats, y: Floats, wanted: Floats, *, side: str) -> Floats:
    """Linear interpolation on a path with repeated x: their last y (right) or first (left)."""
    if side == "right":
        here = np.searchsorted(x, wanted, side="right") - 1
        there = np.minimum(here + 1, x.size - 1)
    else:
        here = np.searchsorted(x, wanted, side="left")
        there = np.maximum(here - 1, 0)
    width = x[there] - x[here]
    share = np.divide(wanted - x[here], width, out=np.zeros_like(width), where=width != 0.0)
    result: Floats = y[here] + share * (y[there] - y[here])
    return result
