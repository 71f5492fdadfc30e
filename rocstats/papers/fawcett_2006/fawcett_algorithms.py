"""Fawcett's Algorithms 2, 3 and 4, word for word, so that they can be held against the package."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = [
    "roc_area",
    "sampled_thresholds",
    "steps_of_line_4",
    "threshold_average",
    "vertical_average",
]

Points = Sequence[tuple[float, float, float]]  # fpr, tpr, score: from (0, 0) to (1, 1)


def roc_area(labels: Sequence[int], scores: Sequence[float], *, as_printed: bool) -> Fraction:
    """Return the area by Algorithm 2; line 21 as it is printed, or with P as third argument."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    pos, neg = sum(labels), len(labels) - sum(labels)
    fp = tp = fp_prev = tp_prev = 0
    area, prev = Fraction(0), float("-inf")
    for i in order:
        if scores[i] != prev:
            area += _trapezoid(fp, fp_prev, tp, tp_prev)
            prev, fp_prev, tp_prev = scores[i], fp, tp
        if labels[i]:
            tp += 1
        else:
            fp += 1
    area += _trapezoid(neg, fp_prev, neg if as_printed else pos, tp_prev)
    return area / (pos * neg)


def _trapezoid(x1: int, x2: int, y1: int, y2: int) -> Fraction:
    return abs(x1 - x2) * Fraction(y1 + y2, 2)


def vertical_average(curves: Sequence[Points], samples: int) -> list[float]:
    """Return the mean true positive rates of Algorithm 3 at 0, 1/samples, ..., 1."""
    rates = [i / samples for i in range(samples + 1)]
    return [sum(_tpr_for_fpr(rate, curve) for curve in curves) / len(curves) for rate in rates]


def _tpr_for_fpr(rate: float, curve: Points) -> float:
    i = 0
    while i < len(curve) - 1 and curve[i + 1][0] <= rate:
        i += 1
    if curve[i][0] == rate:
        return curve[i][1]
    here, after = curve[i], curve[i + 1]
    return here[1] + (after[1] - here[1]) / (after[0] - here[0]) * (rate - here[0])


def sampled_thresholds(curves: Sequence[Points], samples: int) -> list[float]:
    """Return the thresholds of Algorithm 4: all scores of all points, every so many of them.

    Line 4 steps by int(length(T) / samples), which is 0 with fewer scores than samples; here every
    score is taken then.
    """
    scores = sorted((point[2] for curve in curves for point in curve), reverse=True)
    return scores[:: max(1, len(scores) // samples)]


def steps_of_line_4(length: int, samples: int, *, most: int) -> int:
    """Return how many times the loop of Algorithm 4's line 4, as printed, runs, up to `most`."""
    index, steps = 1, 0
    while index <= length and steps < most:
        steps += 1
        index += length // samples
    return steps


def threshold_average(
    curves: Sequence[Points], thresholds: Sequence[float], *, as_printed: bool
) -> list[tuple[float, float]]:
    """Return the mean points of Algorithm 4; as printed, its loop runs past the last point.

    Raises
    ------
    IndexError
        If it is read as printed and a threshold is below every score of a curve.
    """
    found = []
    for threshold in thresholds:
        points = [_at_threshold(curve, threshold, as_printed=as_printed) for curve in curves]
        found.append(
            (
                sum(point[0] for point in points) / len(curves),
                sum(point[1] for point in points) / len(curves),
            )
        )
    return found


def _at_threshold(curve: Points, threshold: float, *, as_printed: bool) -> tuple[float, float]:
    i, last = 0, len(curve) - 1
    while (i <= last if as_printed else i < last) and curve[i][2] > threshold:
        i += 1
    point = curve[i]
    return point[0], point[1]
