"""Adjusted measures: like compared with like (Janes & Pepe 2009), with every subject's influence.

Within strata of a covariate the adjusted value is the mean over the positives of their placement
among the negatives of their own stratum: a mean of the strata's values by their positives. Along a
scale the scores less a line, fitted to the negatives, are compared, and the line's own influence is
added. Within folds of a cross-validation the value is a mean of the folds' by given shares.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.adjustment import Adjustment
from rocstats.data.blocks import sort_into_blocks
from rocstats.engine.evaluation import ordered_influence, to_measure_scale, value_of
from rocstats.engine.measures import Measure
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import InvalidOptionError

__all__ = ["adjusted_influence", "adjusted_strata", "by_stratum", "fold_spread"]

_STEP = 2.0  # standard errors of a slope each way, over which the value's secant is taken


def adjusted_strata(adjustment: Adjustment, positive: Bools) -> NDArray[np.intp]:
    """Return the stratum of independent sampling: all positives, and the negatives of each.

    Of folds, whose shares are given, each class of each.
    """
    if adjustment.stratum is None:
        return positive.astype(np.intp)
    if adjustment.shares is not None:
        return 2 * adjustment.stratum + positive
    return np.where(positive, len(adjustment.levels), adjustment.stratum)


def adjusted_influence(
    measure: Measure, scores: Floats, positive: Bools, adjustment: Adjustment
) -> tuple[float, Floats]:
    """Return the adjusted value and influence, of high scores that speak for the positives."""
    if not measure.is_pair_mean or measure.score_bounds is not None:
        raise InvalidOptionError(
            f"{measure.label} cannot be adjusted for covariates: only the AUC and the scored AUC "
            "in score units, means over pairs, can."
        )
    if adjustment.design is not None:
        return _along_scale(measure, scores, positive, adjustment.design)
    if adjustment.weights is not None:
        return _weighted(measure, scores, positive, adjustment, adjustment.weights)
    value, m = 0.0, int(np.count_nonzero(positive))
    values = np.empty(positive.size)
    for code in range(len(adjustment.levels)):
        here = adjustment.stratum == code
        area, mine = _influence(measure, scores[here], positive[here])
        if adjustment.shares is not None:
            value += adjustment.shares[code] * area
            values[here] = adjustment.shares[code] * mine
            continue
        share = np.count_nonzero(positive[here]) / m
        value += share * area
        values[here] = np.where(positive[here], mine + area, share * mine)
    if adjustment.shares is None:
        values[positive] -= value
    return value, values


def _weighted(
    measure: Measure, scores: Floats, positive: Bools, adjustment: Adjustment, weights: Floats
) -> tuple[float, Floats]:
    """Return the same where a positive counts by its weight, and so does who it is placed among.

    A positive's influence is ``m w / W`` times its placement less the value, of all m positives and
    their weight W, that of a negative its own within the stratum times the stratum's share of W.
    """
    area, mine, _ = by_stratum(measure, scores, positive, adjustment)
    codes = np.asarray(adjustment.stratum)
    mass = np.bincount(codes[positive], weights[positive])
    share = mass / mass.sum()
    value = float(share @ area)
    values = share[codes] * mine.sum(axis=0)
    m, m_z = np.count_nonzero(positive), np.bincount(codes[positive])[codes[positive]]
    values[positive] *= m / m_z
    values[positive] += m * weights[positive] / mass.sum() * (area[codes[positive]] - value)
    return value, values


def _influence(
    measure: Measure, scores: Floats, positive: Bools, weights: Floats | None = None
) -> tuple[float, Floats]:
    blocks = sort_into_blocks(scores, positive, ordered=True, weights=weights)
    value, ordered = ordered_influence(measure, to_measure_scale(measure, blocks, flipped=False))
    values = np.empty(positive.size)
    values[blocks.order] = ordered
    return value, values


def _along_scale(
    measure: Measure, scores: Floats, positive: Bools, design: Floats
) -> tuple[float, Floats]:
    """Compare the scores less a line; the pairs' own differences need no intercept."""
    x = design[~positive] - design[~positive].mean(axis=0)
    y = scores[~positive] - scores[~positive].mean()
    beta = np.linalg.lstsq(x, y, rcond=None)[0]
    psi = (x * (y - x @ beta)[:, None]) @ np.linalg.inv(x.T @ x / y.size)
    value, values = _influence(measure, scores - design @ beta, positive)
    for k, error in enumerate(np.sqrt((psi**2).sum(axis=0)) / y.size):
        step = np.zeros_like(beta)
        step[k] = _STEP * error
        if not error > 0.0:
            continue
        ends = [value_of(measure, scores - design @ (beta + s * step), positive) for s in (1, -1)]
        values[~positive] += (ends[0] - ends[1]) / (2.0 * step[k]) * psi[:, k]
    return value, values


def by_stratum(
    measure: Measure, scores: Floats, positive: Bools, adjustment: Adjustment
) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return the values of the strata, every subject's influence on them, and its class there."""
    levels = len(adjustment.levels)
    area, values = np.empty(levels), np.zeros((levels, positive.size))
    codes = adjustment.stratum
    if codes is None:
        raise ValueError("a scale has no strata")
    for code in range(levels):
        here = codes == code
        weights = None if adjustment.weights is None else adjustment.weights[here]
        area[code], values[code, here] = _influence(measure, scores[here], positive[here], weights)
    return area, values, 2 * codes + positive


def fold_spread(
    values: Floats, positive: Bools, fold: NDArray[np.intp], unit: NDArray[np.intp], repeats: int
) -> tuple[float, float]:
    """Return the standard error of one division into folds, and its degrees of freedom.

    `values` are every row's influence on the mean, shares included; `unit` the subject or patient
    of each row. Every fold has the variance of its own classes over its own units (Obuchowski
    1997), and repeats are averaged as if they said the same. Nan where a fold has one unit of a
    class (STATISTICS.md 19.5).
    """
    within = np.bincount(2 * fold + positive)[2 * fold + positive]
    _, place = np.unique(fold * (unit.max() + 1) + unit, return_inverse=True)
    of = np.empty(int(place.max()) + 1, dtype=np.intp)
    of[place] = fold
    sums = [np.bincount(place, values / within * mine) for mine in (~positive, positive)]
    seen = [np.bincount(place, mine) > 0 for mine in (~positive, positive)]
    terms, units = [], []
    for total, here in zip(sums, seen, strict=True):
        size = np.bincount(of, here)
        if size.min() < 2:
            return math.nan, math.nan
        terms.append(np.bincount(of, total * total) * size / (size - 1.0))
        units.append(size)
    size = np.bincount(of)
    across = 2.0 * np.bincount(of, sums[0] * sums[1]) * size / (size - 1.0)
    # The shares of a repeat sum to 1 / repeats.
    variance = repeats * max(float(np.sum(terms) + across.sum()), 0.0)
    df = satterthwaite_df(np.concatenate(terms), np.concatenate(units)) / repeats
    return math.sqrt(variance), df
