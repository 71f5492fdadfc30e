"""What the answers must be: from definitions, in numpy alone, and how near an answer must come."""

import math
from collections.abc import Callable

import numpy as np

from benchmarks.data_sets import Data

Answer = tuple[float, ...]
RESAMPLES = 2000
THRESHOLD = 0.2


def components(y: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of negatives that each positive passes, and of positives above each neg."""
    pos, neg = score[y == 1], score[y == 0]
    own_pos, own_neg = np.sort(pos), np.sort(neg)
    won = sum(np.searchsorted(own_neg, pos, side) for side in ("left", "right"))
    lost = sum(np.searchsorted(own_pos, neg, side) for side in ("left", "right"))
    return won / (2 * neg.size), 1.0 - lost / (2 * pos.size)


def area(data: Data) -> Answer:
    return (float(components(data.y, data.scores[0])[0].mean()),)


def covariances(data: Data, markers: int) -> tuple[np.ndarray, np.ndarray]:
    parts = [components(data.y, score) for score in data.scores[:markers]]
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
}
