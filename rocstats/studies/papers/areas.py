"""AUC, sAUC, Brier score and accuracy of many rows of scores at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rocstats.blocks import Floats

__all__ = ["MEASURES", "accuracy_rows", "auc_rows", "brier_rows", "sauc_rows"]


def auc_rows(scores: Floats, labels: Floats) -> Floats:
    """Return the AUC of each row of (rows, n) scores and labels; ties count one half."""
    ordered, is_pos = _sorted(scores, labels)
    n = ordered.shape[1]
    below = np.cumsum(1.0 - is_pos, axis=1)  # negatives up to here
    same = np.zeros(ordered.shape, dtype=bool)
    same[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    place = np.broadcast_to(np.arange(n), ordered.shape)
    first = np.maximum.accumulate(np.where(same, 0, place), axis=1)
    is_last = np.ones(ordered.shape, dtype=bool)
    is_last[:, :-1] = ~same[:, 1:]
    last = np.minimum.accumulate(np.where(is_last, place, n)[:, ::-1], axis=1)[:, ::-1]
    before = np.take_along_axis(below - (1.0 - is_pos), first, axis=1)
    through = np.take_along_axis(below, last, axis=1)
    wins = (is_pos * (before + through)).sum(axis=1) / 2.0
    return np.asarray(wins / _pairs(is_pos))


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
