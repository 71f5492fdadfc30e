"""Splits of rows into parts that train, choose and test, with every class in its share."""

from __future__ import annotations

import numpy as np

from rocstats.arrays import Bools, Ints
from rocstats.errors import InvalidOptionError, InvalidSampleError, as_number, named

__all__ = ["Part", "check_shares", "fold_parts", "random_part"]

Part = tuple[Ints, Ints, Ints]  # rows that train, validate and test


def random_part(
    y: Bools, validation_size: float, test_size: float, rng: np.random.Generator
) -> Part:
    """Return one random split; sizes are shares of all rows, kept within both classes."""
    parts: list[list[Ints]] = [[], [], []]
    for label in (True, False):
        rows = rng.permutation(np.flatnonzero(y == label))
        n_test, n_validation = round(test_size * rows.size), round(validation_size * rows.size)
        cuts = (n_test, n_test + n_validation)
        test, validation, train = np.split(rows, cuts)
        for part, some in zip(parts, (train, validation, test), strict=True):
            part.append(some)
    train, validation, test = (np.sort(np.concatenate(part)) for part in parts)
    return _checked(y, (train, validation, test))


def fold_parts(y: Bools, n_folds: int, rng: np.random.Generator) -> list[Part]:
    """Return one part a fold: that fold tests, the next one validates, the others train."""
    fold = np.empty(y.size, dtype=np.int64)
    dealt = 0
    for label in (True, False):
        rows = rng.permutation(np.flatnonzero(y == label))
        fold[rows] = (dealt + np.arange(rows.size)) % n_folds
        dealt += rows.size
    parts = []
    for k in range(n_folds):
        test, validation = fold == k, fold == (k + 1) % n_folds
        part = np.flatnonzero(~test & ~validation), np.flatnonzero(validation), np.flatnonzero(test)
        parts.append(_checked(y, part))
    return parts


def check_shares(validation_size: float, test_size: float) -> tuple[float, float]:
    """Return the shares as floats; something must be left to train."""
    shares = as_number(validation_size), as_number(test_size)
    if not (shares[0] > 0.0 and shares[1] > 0.0 and sum(shares) < 1.0):
        raise InvalidOptionError(
            f"{named('validation_size')} and {named('test_size')} must be shares above 0 that "
            f"leave some rows to train, got {validation_size!r} and {test_size!r}."
        )
    return shares


def _checked(y: Bools, part: Part) -> Part:
    for rows, what in zip(part, ("train", "validate", "test"), strict=True):
        if not (y[rows].any() and not y[rows].all()):
            raise InvalidSampleError(
                f"The rows that {what} have one class only; there are {int(y.sum())} positives and "
                f"{int((~y).sum())} negatives in all, so make that part larger."
            )
    return part
