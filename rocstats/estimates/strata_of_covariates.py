"""Strata of covariates: the area within each, and whether they are all the same."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.engine.adjusted_measures import by_stratum
from rocstats.engine.influence import Influence
from rocstats.engine.measures import Measure
from rocstats.errors import RocstatsWarning
from rocstats.tables import Record

__all__ = ["Homogeneity", "StratumValue", "compare_strata"]

_RANK = 1e-10  # of an eigenvalue beside the largest


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StratumValue(Record):
    """A measure within one stratum of a covariate.

    Attributes
    ----------
    level : str
        The stratum.
    estimate, std_error : float
        The measure there, and its standard error; nan with one subject in a class.
    n_pos, n_neg : int
        Class sizes.

    See Also
    --------
    Homogeneity : Whether the strata differ.
    """

    level: str
    estimate: float
    std_error: float
    n_pos: int
    n_neg: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Homogeneity(Record):
    """Whether a measure is the same within all strata of a covariate: a chi-square of contrasts.

    Attributes
    ----------
    strata : tuple of StratumValue
        The measure within each.
    statistic, df, pvalue : float
        The test that all are equal; nan where a stratum has no variance.

    See Also
    --------
    auc : Estimate the area under the ROC curve, adjusted for a covariate.
    """

    strata: tuple[StratumValue, ...]
    statistic: float
    df: float
    pvalue: float


def compare_strata(sample: ScoredSample, marker: int, measure: Measure) -> Homogeneity:
    """Return the measure within each stratum of an adjusted sample, and the test that all agree."""
    from scipy.special import chdtrc

    adjustment = sample.adjustment
    if adjustment is None or adjustment.stratum is None:
        return Homogeneity(strata=(), statistic=math.nan, df=math.nan, pvalue=math.nan)
    area, values, stratum = by_stratum(
        measure, sample.oriented(marker), sample.positive, adjustment
    )
    with warnings.catch_warnings():  # one subject in a class of a stratum: nan says it
        warnings.simplefilter("ignore", RocstatsWarning)
        covariance = Influence(
            estimate=area,
            values=values,
            stratum=stratum,
            rows=tuple((level, measure.name) for level in adjustment.levels),
            cluster=sample.cluster,
        ).covariance()
    counts = np.bincount(stratum, minlength=2 * area.size).reshape(-1, 2)
    strata = tuple(
        StratumValue(
            level=level, estimate=float(a), std_error=math.sqrt(v), n_pos=int(p), n_neg=int(n)
        )
        for level, a, v, (n, p) in zip(
            adjustment.levels, area, np.diag(covariance), counts.tolist(), strict=True
        )
    )
    contrast = np.eye(area.size)[1:] - np.eye(area.size)[0]
    spread, difference = contrast @ covariance @ contrast.T, contrast @ area
    statistic = df = math.nan
    if area.size > 1 and np.isfinite(spread).all() and np.diag(covariance).max() > 0.0:
        values_, vectors = np.linalg.eigh(spread)
        kept = values_ > _RANK * values_[-1]
        statistic = float(((vectors[:, kept].T @ difference) ** 2 / values_[kept]).sum())
        df = float(np.count_nonzero(kept))
    return Homogeneity(
        strata=strata,
        statistic=statistic,
        df=df,
        pvalue=math.nan if math.isnan(df) else float(chdtrc(df, statistic)),
    )
