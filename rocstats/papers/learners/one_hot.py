"""Nominal attributes as columns of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats, Ints

__all__ = ["Design", "one_hot"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """Columns of numbers made of attributes.

    Attributes
    ----------
    matrix : (n, q) numbers; nan in all columns of an attribute where it is missing
    attribute : (q,) which attribute a column belongs to
    nominal : (q,) whether the column is an indicator
    """

    matrix: Floats
    attribute: Ints
    nominal: Ints


def one_hot(X: Floats, levels: Sequence[int], *, reference: bool = False) -> Design:
    """Return a column for every level of a nominal attribute, one column if it has two levels.

    Parameters
    ----------
    X : (n, p) numbers, and codes of levels with -1 where missing
    levels : (p,) how many levels, 0 for numbers
    reference : whether the first level has no column, so that the columns are independent
    """
    columns, attribute, nominal = [], [], []
    for j, count in enumerate(levels):
        values = X[:, j]
        if count == 0:
            parts = [values]
        else:
            first = 1 if reference or count == 2 else 0
            parts = [
                np.where(values < 0.0, np.nan, (values == level).astype(np.float64))
                for level in range(first, count)
            ]
        columns += parts
        attribute += [j] * len(parts)
        nominal += [int(count > 0)] * len(parts)
    matrix = np.stack(columns, axis=1) if columns else np.empty((X.shape[0], 0))
    return Design(matrix=matrix, attribute=np.array(attribute), nominal=np.array(nominal))
