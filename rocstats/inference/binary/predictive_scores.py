"""Predictive scores: do two tests have the same positive predictive value?

Counts of positives and negatives among those positive on the standard test, on the new one, and on
both, are all that the statistics need. Negative predictive values are those of turned cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rocstats.inference.binary.paired_cells import ClassCells

__all__ = ["SCORES", "predictive_values"]


def _positives(cells: ClassCells) -> tuple[int, int]:
    """Return how many are positive on the standard test and on the new one."""
    return (
        cells.pos[0] + cells.pos[1] + cells.neg[0] + cells.neg[1],
        cells.pos[0] + cells.pos[2] + cells.neg[0] + cells.neg[2],
    )


def predictive_values(cells: ClassCells) -> tuple[float, float]:
    """Return the PPV of the standard test and of the new one; nan without a positive result."""
    standard, new = _positives(cells)
    true_standard, true_new = cells.pos[0] + cells.pos[1], cells.pos[0] + cells.pos[2]
    return (
        true_standard / standard if standard else math.nan,
        true_new / new if new else math.nan,
    )


def _weighted(cells: ClassCells) -> float:
    """Kosinski's (2013) weighted generalised score, doi:10.1002/sim.5587.

    His ``v (1 - v) - 2 C`` is the mean of (D - v)**2 over all results, those of subjects positive
    on both tests left out: as that it has no cancellation.
    """
    (standard, new), (v1, v2) = _positives(cells), predictive_values(cells)
    v = _pooled(cells)
    alone = (cells.pos[1] + cells.pos[2]) * (1.0 - v) ** 2 + (cells.neg[1] + cells.neg[2]) * v * v
    variance = alone / (standard + new) * (1.0 / standard + 1.0 / new)
    return _over((v2 - v1) ** 2, variance)


def _generalised(cells: ClassCells) -> float:
    """The generalised score of Leisenring, Alonzo & Pepe (2000)."""
    standard, new = _positives(cells)
    v, share = _pooled(cells), new / (standard + new)
    weights = (1.0 - 2.0 * share, -share, 1.0 - share)
    score = sum(w * n for w, n in zip(weights, cells.pos, strict=False))
    variance = sum(
        w * w * ((1.0 - v) ** 2 * pos + v * v * neg)
        for w, pos, neg in zip(weights, cells.pos, cells.neg, strict=False)
    )
    return _over(score * score, variance)


def _pooled(cells: ClassCells) -> float:
    """Return the share of positives among all positive results of both tests."""
    return (2 * cells.pos[0] + cells.pos[1] + cells.pos[2]) / sum(_positives(cells))


def _over(square: float, variance: float) -> float:
    """Return the chi-square; nan where nothing varies, whose test is then 0 over 0."""
    return square / variance if variance > 0.0 else math.nan


# Method: chi-square of the difference, with one degree of freedom.
SCORES: dict[str, Callable[[ClassCells], float]] = {"wgs": _weighted, "gs": _generalised}
