"""What an unnamed table of scores means: several models, or both classes' probabilities by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.arrays import Floats

__all__ = ["adds_to_one", "by_model", "is_vector"]

_ROUNDING = 1.0001e-3  # probabilities in half precision, or printed with three decimals


def by_model(y_score: Any, n: int) -> Any:
    """Return a list of vectors, one score a subject each, as models by name; all else as it is.

    A list of rows, one a subject, stays one; so does a square list, of which it is not clear.
    """
    if not isinstance(y_score, (list, tuple)) or len(y_score) in (0, n):
        return y_score
    if not all(is_vector(vector) and len(vector) == n for vector in y_score):
        return y_score
    names = [getattr(vector, "name", None) for vector in y_score]
    if not all(isinstance(name, str) and name for name in names) or len({*names}) < len(names):
        names = [f"score_{j + 1}" for j in range(len(names))]
    return dict(zip(names, y_score, strict=True))


def is_vector(values: Any) -> bool:
    """Return whether something is a column of values, and no text."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        return False
    return getattr(values, "ndim", 1) == 1 and (
        isinstance(values, Sequence) or hasattr(values, "__array__")
    )


def adds_to_one(scores: Floats) -> bool:
    """Return whether two (2, N) scores are the probabilities of two classes by one model."""
    if scores.shape[0] != 2 or not scores.size:
        return False
    inside = bool(scores.min() >= 0.0) and bool(scores.max() <= 1.0)
    return inside and bool((np.abs(scores.sum(axis=0) - 1.0) <= _ROUNDING).all())
