"""Levels: is the AUC the same in groups of different subjects?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocstats.engine.variances import newcombe_variance, satterthwaite_df
from rocstats.estimates.results import Estimate
from rocstats.inference.contrasts import ROUNDING
from rocstats.inference.omnibus import OmnibusTest, refer_quadratic

__all__ = ["judge_levels"]

_FEW_LOSSES = 3.0  # as for the interval of one AUC (STATISTICS.md 7.7)


def judge_levels(found: Sequence[Estimate]) -> OmnibusTest:
    """Test whether AUCs of different subjects, in different clusters, are equal.

    The squared distances from their weighted mean, over their variances, are referred as in
    `judge_omnibus`. The variance of a perfect level is 0, which any other would seem to differ
    from: where fewer than three lost pairs are expected at the pooled AUC, a variance counts as no
    less than Newcombe's (2006) there.
    """
    value = np.array([level.value for level in found])
    sizes = np.array([level.effective_sizes for level in found])
    weight = sizes.prod(axis=1) / sizes.sum(axis=1)
    pooled = float(value @ weight / weight.sum())
    parts = [level.influence for level in found]
    terms = np.array([part.covariance_terms()[:, 0, 0] for part in parts])
    variance = np.maximum(terms.sum(axis=1), 0.0)
    if np.isnan(variance).any():
        return OmnibusTest(method="Omnibus test", statistic=math.nan, df=math.nan, pvalue=math.nan)
    few = min(pooled, 1.0 - pooled) * sizes.min(axis=1) < _FEW_LOSSES
    least = np.array([newcombe_variance(pooled, m, n) for m, n in sizes.tolist()])
    none = variance <= ROUNDING * ROUNDING
    held = np.where(few | none, np.maximum(variance, least), variance)
    if not held.all():  # all are perfect, or perfectly wrong
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    share = np.where(none[:, None], 0.5, terms[:, :-1] / np.where(none, 1.0, variance)[:, None])
    mean = float((value / held).sum() / (1.0 / held).sum())
    units = np.array([part.units() for part in parts])
    only = None
    if len(found) == 2:
        only = satterthwaite_df((share * held[:, None]).ravel(), units.ravel())
    return refer_quadratic(
        float(((value - mean) ** 2 / held).sum()),
        len(found) - 1,
        smallest=int(units.min()),
        most_df=sum(part.most_df() + 1.0 for part in parts) - 1.0,
        only=only,
    )
