"""Measures of many lists at once.

Labels are (B, n) classes by number, 1 for a positive; scores are (B, n), or (B, n, k) with a
probability for each class. A list of higher scores first; what ties is counted half, or in
proportion where a cut falls among ties.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.engine.catalogue import SMAUC
from rocstats.engine.evaluation import value_of
from rocstats.engine.measures import Measure
from rocstats.errors import InvalidOptionError, as_number

__all__ = [
    "Batch",
    "areas",
    "average_precisions",
    "brier",
    "class_accuracy",
    "class_areas",
    "class_brier",
    "each_list",
    "each_measured",
    "positives_above",
    "positives_within",
    "scored_areas",
    "smooth_areas",
    "step_areas",
]

Batch = Callable[[Ints, Floats], Floats]


def areas(labels: Ints, scores: Floats) -> Floats:
    """Return the AUC of every list."""
    positive = labels == 1
    return step_areas(scores, positive.astype(np.float64), (~positive).astype(np.float64))


def smooth_areas(labels: Ints, scores: Floats) -> Floats:
    """Return the smAUC of every list, around a midpoint of 1/2."""
    positive, negative = SMAUC.membership.theta(scores, 0.5)
    up = np.where(labels == 1, positive, negative)
    return step_areas(scores, up, 1.0 - up)


def step_areas(scores: Floats, up: Floats, right: Floats) -> Floats:
    """Return ``sum_ij up_i right_j k(s_i, s_j) / (sum up sum right)`` with k the step."""
    order = np.argsort(scores, axis=1)
    ranked, up, right = (np.take_along_axis(a, order, axis=1) for a in (scores, up, right))
    first, last = _tied_places(ranked)
    upto = np.concatenate([np.zeros((len(right), 1)), np.cumsum(right, axis=1)], axis=1)
    below, through = (np.take_along_axis(upto, p, axis=1) for p in (first, last + 1))
    won = (up * (below + through)).sum(axis=1) / 2.0
    return np.asarray(won / (up.sum(axis=1) * right.sum(axis=1)), dtype=np.float64)


def _tied_places(ranked: Floats) -> tuple[Ints, Ints]:
    """Return the first and the last place of the run of equals that each place lies in."""
    size = ranked.shape[1]
    place = np.arange(size)
    new = ranked[:, 1:] != ranked[:, :-1]
    opens = np.concatenate([np.ones((len(ranked), 1), dtype=np.bool_), new], axis=1)
    closes = np.concatenate([new, np.ones((len(ranked), 1), dtype=np.bool_)], axis=1)
    first = np.maximum.accumulate(np.where(opens, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(closes, place, size)[:, ::-1], axis=1)[:, ::-1]
    return first, last


def scored_areas(labels: Ints, scores: Floats) -> Floats:
    """Return the sAUC of every list, by the gaps between neighbouring scores."""
    order = np.argsort(scores, axis=1)
    ranked, label = (np.take_along_axis(a, order, axis=1) for a in (scores, labels))
    positive = np.cumsum(label == 1, axis=1)
    negative = np.cumsum(label != 1, axis=1)
    won = np.diff(ranked, axis=1) * negative[:, :-1] * (positive[:, -1:] - positive[:, :-1])
    return np.asarray(won.sum(axis=1) / (positive[:, -1] * negative[:, -1]), dtype=np.float64)


def brier(labels: Ints, scores: Floats) -> Floats:
    """Return the Brier score of every list: the less the better."""
    return np.asarray(((scores - (labels == 1)) ** 2).mean(axis=1), dtype=np.float64)


def average_precisions(labels: Ints, scores: Floats) -> Floats:
    """Return the average precision of every list: the mean precision at its positives' scores."""
    order = np.argsort(scores, axis=1)
    label = np.take_along_axis(labels, order, axis=1)
    positive = label == 1
    first, _ = _tied_places(np.take_along_axis(scores, order, axis=1))
    upto = np.concatenate([np.zeros((len(label), 1)), np.cumsum(positive, axis=1)], axis=1)
    found = upto[:, -1:] - np.take_along_axis(upto, first, axis=1)
    precision = found / (label.shape[1] - first)
    return np.asarray((precision * positive).sum(axis=1) / upto[:, -1], dtype=np.float64)


def positives_within(labels: Ints, scores: Floats, depth: int) -> Floats:
    """Return the positives among the first `depth` of every list, in proportion at ties."""
    ranked = np.sort(scores, axis=1)
    cut = ranked[:, ranked.shape[1] - depth, np.newaxis]
    positive = labels == 1
    above, tied = scores > cut, scores == cut
    share = (depth - above.sum(axis=1)) / tied.sum(axis=1)
    return np.asarray((above & positive).sum(axis=1) + share * (tied & positive).sum(axis=1))


def positives_above(labels: Ints, scores: Floats, threshold: float) -> tuple[Floats, Floats]:
    """Return how many scores, and how many of positives, reach a threshold in every list."""
    above = scores >= threshold
    return (
        above.sum(axis=1).astype(np.float64),
        (above & (labels == 1)).sum(axis=1).astype(np.float64),
    )


def class_areas(labels: Ints, scores: Floats) -> Floats:
    """Return Hand & Till's M of every list."""
    classes = scores.shape[2]
    total: Floats = np.zeros(len(labels))
    # Areas against each other class weigh the same, so its members weigh one over their number.
    number = np.stack([(labels == c).sum(axis=1) for c in range(classes)], axis=1)
    weight = 1.0 / np.take_along_axis(number, labels, axis=1)
    for one in range(classes):
        member = labels == one
        against = np.where(member, 0.0, weight)
        total += step_areas(scores[:, :, one], member.astype(np.float64), against)
    return np.asarray(total / classes, dtype=np.float64)


def class_accuracy(labels: Ints, scores: Floats) -> Floats:
    """Return the share of every list whose class has the largest probability."""
    return np.asarray((scores.argmax(axis=2) == labels).mean(axis=1), dtype=np.float64)


def class_brier(labels: Ints, scores: Floats) -> Floats:
    """Return the mean of the summed squares over the classes, in every list."""
    hit = labels[:, :, np.newaxis] == np.arange(scores.shape[2])
    return np.asarray(((scores - hit) ** 2).sum(axis=2).mean(axis=1), dtype=np.float64)


def each_list(function: Callable[[Any, Any], Any], name: str) -> Batch:
    """Return a function of one list's labels and scores as one of many lists."""
    try:
        signature(function).bind(None, None)
    except TypeError as error:
        raise InvalidOptionError(
            f"The measure {name} is called with the labels and the scores of a list, which it does "
            f"not take ({error}); write a function of two arguments."
        ) from error
    except ValueError:  # a built-in function that does not say
        pass

    def batch(labels: Ints, scores: Floats) -> Floats:
        values = np.empty(len(labels))
        for i, (label, score) in enumerate(zip(labels, scores, strict=True)):
            answer = function(label, score)
            values[i] = as_number(getattr(answer, "value", answer))
        if np.isnan(values).any():
            raise InvalidOptionError(
                f"The measure {name} must return a number for every list; it returned "
                "something else, or nan."
            )
        return values

    return batch


def each_measured(measure: Measure) -> Batch:
    """Return a measure of one marker as one of many lists."""

    def one(label: Ints, score: Floats) -> float:
        return value_of(measure, score, label == 1)

    return each_list(one, measure.name)
