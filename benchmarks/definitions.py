"""What the answers must be: from definitions, in numpy alone, and how near an answer must come."""

import math
from collections.abc import Callable

import numpy as np

from benchmarks.data_sets import Data

Answer = tuple[float, ...]
RESAMPLES = 2000
THRESHOLD = 0.2


def components(data: Data, marker: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of negatives that each positive passes, and of positives above each neg."""
    if marker not in data.placed:
        score = data.scores[marker]
        pos, neg = score[data.y == 1], score[data.y == 0]
        won, lost = _passed(pos, neg), _passed(neg, pos)
        data.placed[marker] = won / (2 * neg.size), 1.0 - lost / (2 * pos.size)
    return data.placed[marker]


def _passed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return twice the number of others that each one passes, ties counting half."""
    order, other = np.argsort(one), np.sort(other)
    found = np.empty(one.size)
    found[order] = sum(np.searchsorted(other, one[order], side) for side in ("left", "right"))
    return found


def area(data: Data) -> Answer:
    return (float(components(data, 0)[0].mean()),)


def covariances(data: Data, markers: int) -> tuple[np.ndarray, np.ndarray]:
    parts = [components(data, k) for k in range(markers)]
    won, lost = (np.stack([part[k] for part in parts]) for k in (0, 1))
    total = np.cov(won) / won.shape[1] + np.cov(lost) / lost.shape[1]
    return won.mean(axis=1), np.atleast_2d(total)


def interval(data: Data) -> Answer:
    value, covariance = covariances(data, 1)
    return float(value[0]), math.sqrt(covariance[0, 0])


def paired(data: Data) -> Answer:
    value, covariance = covariances(data, 2)
    difference = value[0] - value[1]
    return (
        float(difference / math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])),
    )


def covariance(data: Data) -> Answer:
    value, found = covariances(data, 10)
    return float(value[0]), float(found[0, 1]), float(found[-1, -1])


def bootstrap(data: Data) -> Answer:
    return (interval(data)[1],)


def net_benefit(data: Data) -> Answer:
    called = data.scores[0] >= THRESHOLD
    true, false = np.count_nonzero(called & (data.y == 1)), np.count_nonzero(called & (data.y == 0))
    return ((true - false * THRESHOLD / (1.0 - THRESHOLD)) / data.y.size,)


def brier(data: Data) -> Answer:
    return (float(np.square(data.scores[0] - data.y).mean()),)


def precision(data: Data) -> Answer:
    """Return the mean over positives of the share of positives at or above their score."""
    pos, everyone = data.scores[0][data.y == 1], np.sort(data.scores[0])
    cut, count = np.unique(pos, return_counts=True)
    above = np.cumsum(count[::-1])[::-1]
    called = everyone.size - np.searchsorted(everyone, cut)
    return (float((count * above / called).sum() / pos.size),)


def wins(data: Data) -> Answer:
    """Return the share of pairs that the positive wins."""
    pos, neg = (np.sort(data.scores[0][data.y == k]) for k in (1, 0))
    return (float(np.searchsorted(neg, pos).sum() / (pos.size * neg.size)),)


def sorted_scores(data: Data) -> Answer:
    return (float(data.scores[0].min()),)


# Task: its definition, and the relative error that is still right; resamples are random.
DEFINITIONS: dict[str, tuple[Callable[[Data], Answer] | None, float]] = {
    "sort": (sorted_scores, 0.0),
    "auc": (area, 1e-9),
    "interval": (interval, 1e-9),
    "paired": (paired, 1e-6),
    "covariance": (covariance, 1e-6),
    "bootstrap": (bootstrap, 0.15),
    "band": (area, 1e-9),
    "decision": (net_benefit, 1e-9),
    "brier": (brier, 1e-9),
    "precision": (precision, 1e-9),
    "scored curve": (wins, 1e-9),
}
