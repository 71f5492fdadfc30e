"""Labels of two classes: which subjects are positive, and what the others are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools
from rocstats.data.positive_class import check_one_is_positive, is_plainly_negative
from rocstats.data.sample_account import Dropped
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SingleClassError,
    keyword,
    listed,
    named,
    several,
    shown,
)

__all__ = ["check_pos_label", "classes_left", "sorts_last"]


def check_pos_label(pos_label: Any) -> None:
    """Refuse several labels for the positive class."""
    if several(pos_label):
        raise InvalidOptionError(f"{named('pos_label')} must be one label, got {shown(pos_label)}.")


def classes_left(
    y: NDArray[Any], outcome: str, pos_label: Any, dropped: Dropped
) -> tuple[Bools, Any]:
    """Return what `_classes` does; where a class is gone, say who was dropped."""
    try:
        return _classes(y, outcome, pos_label)
    except SingleClassError as reason:
        if not dropped.n:
            raise
        raise SingleClassError(
            f"{reason.sentence.marked.removesuffix('.')}, with {dropped}."
        ) from None


def _classes(y: NDArray[Any], outcome: str, pos_label: Any) -> tuple[Bools, Any]:
    """Return which subjects are positive, and the label of the others."""
    if pos_label is None:
        positive, other = _classes(y, outcome, 1)
        if not is_plainly_negative(other):
            check_one_is_positive(outcome, [y.item(positive.argmax()), other])
        return positive, other
    if y.dtype.kind in "biuf":
        return _numeric_classes(y, outcome, pos_label)
    try:
        levels = set(y.tolist())
    except TypeError:
        raise InvalidSampleError(f"{outcome} holds labels that cannot be compared.") from None
    others = [level for level in levels if level != pos_label]
    _check_classes(sorted(levels, key=repr), len(others), outcome, pos_label)
    return np.asarray(y == pos_label, dtype=np.bool_), others[0]


def _numeric_classes(y: NDArray[Any], outcome: str, pos_label: Any) -> tuple[Bools, Any]:
    number = isinstance(pos_label, (bool, int, float, np.number, np.bool_))
    label = _in_kind(pos_label, y.dtype) if number else None
    positive = np.zeros(y.size, dtype=np.bool_) if label is None else np.asarray(y == label)
    other = y.item(positive.argmin())
    n_pos = np.count_nonzero(positive)
    if not 0 < n_pos < y.size or n_pos + np.count_nonzero(y == other) < y.size:
        levels = np.unique(y).tolist()
        others = [level for level in levels if label is None or level != label]
        _check_classes(levels, len(others), outcome, pos_label if label is None else label)
    return positive, other


def _in_kind(label: Any, dtype: np.dtype[Any]) -> Any:
    """Return a label as such a number, or None if it is none: numpy would compare rounded ones."""
    if (dtype.kind == "f") == isinstance(label, (float, np.floating)):
        return label
    try:
        same = dtype.type(label)
    except (OverflowError, TypeError, ValueError):
        return None
    return same if same.item() == label else None


def _check_classes(levels: list[Any], others: int, outcome: str, pos_label: Any) -> None:
    if len(levels) > 2:
        raise InvalidSampleError(
            f"{outcome} must have two classes, got {len(levels)} ({listed(map(shown, levels))}); "
            f"keep two of them (or are {named('y_true')} and {named('y_score')} swapped?)."
        )
    if others == len(levels) and len(levels) == 2:
        raise InvalidSampleError(
            f"{named('pos_label')} {shown(pos_label)} is not among the labels of {outcome} "
            f"({listed(map(shown, levels))}); "
            f"name the positive class with {keyword('pos_label')}."
        )
    if len(levels) == 1:
        raise SingleClassError(
            f"{outcome} has one class only ({shown(levels[0])}); "
            "positives and negatives are needed."
        )


def sorts_last(label: Any, other: Any) -> bool:
    """Return whether a label is the second of two that are sorted."""
    try:
        return bool(label > other)
    except TypeError:
        return str(label) > str(other)
