"""What passes over rows hand on: values that are looked up by score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints

__all__ = ["Lookup", "ValuedRows"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lookup:
    """A value for every score of a marker.

    Attributes
    ----------
    row : the marker
    pos, neg : (K,) by distinct score in increasing order, of a positive and of a negative
    """

    row: int
    pos: Floats
    neg: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ValuedRows:
    """Rows with the values of several lookups.

    Attributes
    ----------
    values : (r, n) what was looked up
    positive : (n,) the class
    cluster : (n,) the number of the cluster, or None
    count : (n,) how often each counts, or None for once
    """

    values: Floats
    positive: Bools
    cluster: NDArray[np.intp] | None
    count: Ints | None
