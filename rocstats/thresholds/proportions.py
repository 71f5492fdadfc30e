"""Rates as the exact numbers that were written."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from rocstats.errors import InvalidOptionError, as_number, named

__all__ = ["as_fraction", "as_fractions"]


def as_fraction(value: Any, name: str, *, inside: bool = False) -> Fraction:
    """Return a rate as the decimal that was written: 0.9 is nine tenths, not the nearest double.

    With `inside` 0 and 1 are refused too.
    """
    number = as_number(value)  # nan for a bool, and for what is no number
    rate = Fraction(repr(number)) if math.isfinite(number) else Fraction(-1)
    if isinstance(value, Rational) and math.isfinite(number):
        rate = Fraction(int(value.numerator), int(value.denominator))
    if not 0 <= rate <= 1 or (inside and rate in (0, 1)):
        where = "lie strictly between 0 and 1" if inside else "lie within [0, 1]"
        raise InvalidOptionError(f"{named(name)} must {where}, got {value!r}.")
    return rate


def as_fractions(values: Any, name: str, *, inside: bool = False) -> tuple[Fraction, ...]:
    """Return one rate, or several, as exact numbers."""
    several = isinstance(values, (list, tuple, range)) or np.ndim(values) > 0
    return tuple(as_fraction(v, name, inside=inside) for v in (values if several else [values]))
