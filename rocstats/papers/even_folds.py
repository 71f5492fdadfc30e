"""Folds of a cross-validation in which every class is spread evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Ints

__all__ = ["stratified_folds"]


def stratified_folds(
    rng: np.random.Generator, target: NDArray[np.int64] | NDArray[np.bool_], folds: int
) -> Ints:
    """Return the fold of each row, from 0: a random order, dealt out class by class.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.papers.even_folds import stratified_folds
    >>> fold = stratified_folds(np.random.default_rng(1), np.array([0, 0, 0, 0, 1, 1]), 2)
    >>> [np.bincount(fold[:4]).tolist(), np.bincount(fold[4:]).tolist()]
    [[2, 2], [1, 1]]
    """
    order = rng.permutation(target.size)
    order = order[np.argsort(target[order], kind="stable")]
    found = np.empty(target.size, dtype=np.int64)
    found[order] = np.arange(target.size) % folds
    return found
