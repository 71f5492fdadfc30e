"""AUC, sAUC, Brier score and accuracy of many rows of scores at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rocstats.arrays import Floats
from rocstats.consistency.list_batches import step_areas

__all__ = ["MEASURES", "accuracy_rows", "auc_rows", "brier_rows", "sauc_rows"]


def auc_rows(scores: Floats, labels: Floats) -> Floats:
    """Return the AUC of each row of (rows, n) scores and labels; ties count one half."""
    is_pos = np.broadcast_to(labels, scores.shape)
    return step_areas(scores, is_pos, 1.0 - is_pos)


def sauc_rows(scores: Floats, labels: Floats) -> Floats:
    """Return the scored AUC of each row."""
    ordered, is_pos = _sorted(scores, labels)
    is_neg = 1.0 - is_pos
    number = np.cumsum(is_neg, axis=1)  # ties add nothing, on whichever side they are
    total = np.cumsum(is_neg * ordered, axis=1)
    return np.asarray((is_pos * (ordered * number - total)).sum(axis=1) / _pairs(is_pos))


def brier_rows(scores: Floats, labels: Floats) -> Floats:
    """Return the mean squared error of each row."""
    return np.asarray(np.mean((scores - labels) ** 2, axis=1))


def accuracy_rows(scores: Floats, labels: Floats) -> Floats:
    """Return the share of each row that is on its side of 0.5; 0.5 is called positive."""
    return np.asarray(np.mean((scores >= 0.5) == (labels > 0.5), axis=1))


def _sorted(scores: Floats, labels: Floats) -> tuple[Floats, Floats]:
    order = np.argsort(scores, axis=1)
    is_pos = np.broadcast_to(labels, scores.shape).astype(np.float64)
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(is_pos, order, axis=1)


def _pairs(is_pos: Floats) -> Floats:
    positives = is_pos.sum(axis=1)
    return np.asarray(positives * (is_pos.shape[1] - positives))


# What a model is chosen by, so that more is better.
MEASURES: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "auc": auc_rows,
    "sauc": sauc_rows,
    "brier": lambda scores, labels: -brier_rows(scores, labels),
    "accuracy": accuracy_rows,
}
