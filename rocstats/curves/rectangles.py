"""Rectangles of (fpr, tpr) at every threshold, and the band that they sweep over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.exact_limits import clopper_pearson
from rocstats.curves.path import read_only
from rocstats.curves.random_paths import Walk
from rocstats.curves.roc import RocCurve
from rocstats.tables import Answer, Statement

__all__ = [
    "Proportion",
    "Rectangles",
    "binomial_rectangles",
    "kolmogorov_reach",
    "shifted_band",
    "shifted_rectangles",
    "swept_band",
]

Proportion = Literal["clopper-pearson", "wilson"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Rectangles(Answer):
    """Confidence rectangles of (fpr, tpr), one for every threshold of a ROC curve.

    Attributes
    ----------
    threshold : a subject is called positive at or beyond it
    fpr, fpr_low, fpr_high : false positive rate and its limits
    tpr, tpr_low, tpr_high : true positive rate and its limits
    """

    threshold: Floats
    fpr: Floats
    fpr_low: Floats
    fpr_high: Floats
    tpr: Floats
    tpr_low: Floats
    tpr_high: Floats

    def statement(self) -> Statement:
        """Return the rectangles, one for every threshold."""
        return Statement(
            head=f"Confidence rectangles of (fpr, tpr) at {self.threshold.size} thresholds",
            rows={name: getattr(self, name) for name in self.__slots__},
        )


def binomial_rectangles(curve: RocCurve, level: float, proportion: Proportion) -> Rectangles:
    """Return rectangles whose sides have the root of the level each, so the two have the level."""
    side = math.sqrt(level)
    limits = clopper_pearson if proportion == "clopper-pearson" else wilson
    return _rectangles(
        curve, limits(curve.fp, curve.n_neg, side), limits(curve.tp, curve.n_pos, side)
    )


def kolmogorov_reach(curve: RocCurve, level: float) -> tuple[float, float]:
    """Return how far fpr and tpr may lie from the truth at any threshold, together with the level.

    Quantiles of Kolmogorov's exact distribution at the root of the level, for the classes are
    independent.
    """
    from scipy.stats import kstwo

    side = math.sqrt(level)
    return float(kstwo.ppf(side, curve.n_neg)), float(kstwo.ppf(side, curve.n_pos))


def shifted_rectangles(curve: RocCurve, reach: tuple[float, float]) -> Rectangles:
    """Return rectangles that reach equally far on all sides, within the unit square."""
    sides = [
        (np.maximum(share - far, 0.0), np.minimum(share + far, 1.0))
        for share, far in zip((curve.fpr, curve.tpr), reach, strict=True)
    ]
    return _rectangles(curve, *sides)


def _rectangles(
    curve: RocCurve, fpr: tuple[Floats, Floats], tpr: tuple[Floats, Floats]
) -> Rectangles:
    return Rectangles(
        threshold=curve.threshold,
        fpr=read_only(curve.fpr),
        fpr_low=read_only(fpr[0]),
        fpr_high=read_only(fpr[1]),
        tpr=read_only(curve.tpr),
        tpr_low=read_only(tpr[0]),
        tpr_high=read_only(tpr[1]),
    )


def wilson(count: Ints, size: int, level: float) -> tuple[Floats, Floats]:
    """Return Wilson's limits of a proportion, by inverting the score test."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + 0.5 * level))
    share = count / size
    centre = (share + z * z / (2.0 * size)) / (1.0 + z * z / size)
    reach = np.sqrt(share * (1.0 - share) / size + (z / (2.0 * size)) ** 2)
    reach *= z / (1.0 + z * z / size)
    low, high = np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 1.0)
    low[count == 0], high[count == size] = 0.0, 1.0
    return low, high


def swept_band(boxes: Rectangles, grid: Floats) -> tuple[Floats, Floats]:
    """Return the least and the largest tpr, over the grid, of curves that cross all rectangles.

    They turn at the lower right and the upper left corners.
    """
    low = _polygon(boxes.fpr_high, boxes.tpr_low, grid)
    high = _polygon(boxes.fpr_low, boxes.tpr_high, grid)
    return low, high


def shifted_band(
    curve: RocCurve, reach: tuple[float, float], grid: Floats
) -> tuple[Floats, Floats]:
    """Return the curve moved right and down, and moved left and up, within the unit square."""
    right, down = reach
    low = _polygon(curve.fpr + right, curve.tpr - down, grid)
    high = _polygon(curve.fpr - right, curve.tpr + down, grid)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _polygon(fpr: Floats, tpr: Floats, grid: Floats) -> Floats:
    vertex = np.arange(fpr.size)
    found: Floats = Walk(vertex, vertex).heights(fpr[np.newaxis], tpr[np.newaxis], grid)[0]
    return found
