"""Rates as they are given: numbers within [0, 1], and where they are looked up."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.path import to_numbers
from rocstats.errors import InvalidOptionError, named

__all__ = ["rate_grid", "to_rates"]

_POINTS = 101


def to_rates(values: ArrayLike | None, name: str) -> Floats:
    """Return rates as doubles, or refuse what lies outside [0, 1]."""
    rates = to_numbers(values, name)
    if not ((rates >= 0.0) & (rates <= 1.0)).all():
        raise InvalidOptionError(f"{named(name)} must lie within [0, 1], got {values!r}.")
    return rates


def rate_grid(values: ArrayLike | None, name: str) -> Floats:
    """Return increasing rates, the doubles nearest to 0, 0.01, ..., 1 if none are given."""
    if values is None:
        return np.arange(_POINTS) / (_POINTS - 1.0)
    rates = to_rates(values, name)
    if rates.ndim != 1 or rates.size == 0 or not (rates[1:] > rates[:-1]).all():
        raise InvalidOptionError(
            f"{named(name)} must be a list of increasing rates, got {values!r}."
        )
    return rates.copy()
