"""Levels: is the AUC the same in groups of different subjects?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.null_variance import losses, score_share
from rocstats.engine.variances import newcombe_variance
from rocstats.estimates.results import Estimate
from rocstats.inference.contrasts import ROUNDING
from rocstats.inference.omnibus import OmnibusTest

__all__ = ["judge_levels", "level_statistic", "level_variances"]

_PRIOR = 2.0  # losses that the formula's own scale is worth beside all levels together
_LEND = 3.0  # losses that the scale of all levels is worth beside that of one


def judge_levels(found: Sequence[Estimate]) -> OmnibusTest:
    """Test whether AUCs of different subjects, in different clusters, are equal.

    The squared distances from their weighted mean, over their variances, are referred to F on
    Satterthwaite's degrees of freedom of all variances together. With few losses the variances are
    those of `level_variances`, where the AUCs are equal; with many DeLong's (STATISTICS.md 6.9).
    """
    from scipy.special import fdtrc

    value = np.array([level.value for level in found])
    sizes = np.array([level.effective_sizes for level in found])
    parts = [level.influence for level in found]
    terms = np.array([part.covariance_terms()[:, 0, 0] for part in parts])
    own = np.maximum(terms.sum(axis=1), 0.0)
    own = np.where(own <= ROUNDING * ROUNDING, 0.0, own)
    if np.isnan(own).any():
        return OmnibusTest(method="Omnibus test", statistic=math.nan, df=math.nan, pvalue=math.nan)
    variance = level_variances(value, own, sizes)
    if not variance.all():  # all are perfect, or perfectly wrong
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    units = np.array([part.units() for part in parts])
    statistic, free = level_statistic(value, variance, terms[:, :-1], units)
    most = sum(part.most_df() + 1.0 for part in parts) - 1.0
    rank, below = len(found) - 1, min(float(free), most)
    return OmnibusTest(
        method="Omnibus test, F",
        statistic=float(statistic),
        df=float(rank),
        df_denominator=below,
        pvalue=float(fdtrc(rank, below, float(statistic))),
    )


def level_variances(value: Floats, variance: Floats, sizes: Floats) -> Floats:
    """Return the variances of k AUCs of different subjects where all are equal, as (..., k).

    Newcombe's formula at the pooled AUC, times the ratio of DeLong's variance to the formula at the
    level's own AUC. A level with few losses knows that ratio badly, and borrows from the others;
    all together borrow from the formula. With 20 losses in every level nothing is borrowed, and
    nothing moved: the variances are DeLong's.
    """
    m, n = sizes[..., 0], sizes[..., 1]
    weight = m * n / (m + n)
    pooled = (value * weight).sum(axis=-1, keepdims=True) / weight.sum(axis=-1, keepdims=True)
    formula = newcombe_variance(value, m, n)
    known = (formula > 0.0) & (variance > 0.0)
    ratio = np.where(known, variance, 0.0) / np.where(known, formula, 1.0)
    lost = np.where(known, losses(value, m, n), 0.0)
    total = lost.sum(axis=-1, keepdims=True)
    common = ((lost * ratio).sum(axis=-1, keepdims=True) + _PRIOR) / (total + _PRIOR)
    scale = (lost * ratio + _LEND * common) / (lost + _LEND)
    there = scale * newcombe_variance(pooled, m, n)
    part = score_share(lost.min(axis=-1, keepdims=True))
    found: Floats = variance + part * (there - variance)
    return found


def level_statistic(
    value: Floats, variance: Floats, terms: Floats, units: Floats
) -> tuple[Floats, Floats]:
    """Return F of k AUCs beside their weighted mean, and its degrees of freedom below.

    The values and variances are (..., k); `terms` (..., k, 2) says how a level's own variance rests
    on its two classes, of so many `units`. Where it has none, on both alike.
    """
    weight = 1.0 / variance
    mean = (value * weight).sum(axis=-1, keepdims=True) / weight.sum(axis=-1, keepdims=True)
    statistic: Floats = (weight * (value - mean) ** 2).sum(axis=-1) / (value.shape[-1] - 1)
    whole = terms.sum(axis=-1, keepdims=True)
    share = np.where(whole > 0.0, terms / np.where(whole > 0.0, whole, 1.0), 0.5)
    parts = share * (variance / variance.sum(axis=-1, keepdims=True))[..., np.newaxis]
    below: Floats = 1.0 / (parts**2 / (units - 1.0)).sum(axis=(-1, -2))
    return statistic, below
