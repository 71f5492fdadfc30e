"""The Brier score, its standard error and its decomposition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.data.sample import NanPolicy, as_sample
from rocstats.engine.influence import Influence
from rocstats.errors import InvalidOptionError, named
from rocstats.estimates.quantities import Quantity, known_by_influence
from rocstats.probabilities.forecasts import (
    Codes,
    Strategy,
    assign_bins,
    bin_means,
    read_forecasts,
)

__all__ = ["brier_score", "decompose"]


def decompose(prob: Floats, outcome: Floats, codes: Codes) -> dict[str, float]:
    """Return the terms of the Brier score over bins, which add up to it exactly.

    ``reliability - resolution + uncertainty + within_bins``; the last is zero where every bin
    holds one probability.
    """
    size, forecast, observed = bin_means(codes, prob, outcome)
    share, mean = size / prob.size, float(outcome.mean())
    square = cross = 0.0
    for s in slabs(prob.size):
        within, left = prob[s] - forecast[codes[s]], outcome[s] - observed[codes[s]]
        square += float(np.einsum("n,n->", within, within))
        cross += float(np.einsum("n,n->", within, left))
    return {
        "reliability": float((share * (forecast - observed) ** 2).sum()),
        "resolution": float((share * (observed - mean) ** 2).sum()),
        "uncertainty": mean * (1.0 - mean),
        "within_bins": (square - 2.0 * cross) / prob.size,
    }


def brier_score(
    y_true: Any,
    y_prob: Any = None,
    *,
    scaled: bool = False,
    n_bins: int | None = 10,
    strategy: Strategy = "quantile",
    pos_label: Any = None,
    marker: str | None = None,
    nan_policy: NanPolicy | None = None,
) -> Quantity:
    """Estimate the Brier score: the mean squared distance of probability and outcome.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the probabilities too.
    y_prob : array-like of shape (N,), mapping or data frame, optional
        Probabilities of the positive class, of one model or of several by name; none with a sample.
    scaled : bool, default False
        Whether to return the scaled score, or skill, ``1 - Brier / uncertainty`` instead: 1 is
        perfect, 0 is no better than the prevalence for everyone.
    n_bins : int or None, default 10
        Number of bins of the decomposition; None takes every distinct probability as a bin.
    strategy : {"quantile", "uniform"}, default "quantile"
        Bins of about equal size, or of equal width on [0, 1].
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which model, where there are several.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    Quantity
        The score, with its standard error, interval and decomposition.

    See Also
    --------
    calibration : Judge probabilities by their mean, intercept and slope.
    calibration_curve : Compare probabilities with observed shares, bin by bin.

    Notes
    -----
    ``mean (p - y)**2``; the standard error is that of a mean over a cohort (of clusters, where the
    sample has them), the interval on the logit scale. ``details`` holds Murphy's (1973)
    reliability, resolution and uncertainty, ``reliability - resolution + uncertainty``, with what
    binning leaves inside the bins, ``mean (p - p_k)**2 - 2 mean (p - p_k) (y - y_k)``, so that
    they add up (Stephenson, Coelho & Jolliffe 2008, doi:10.1175/2007WAF2006116.1); and the skill.
    R equivalent: ``mean((p - y)^2)``.

    Examples
    --------
    >>> import rocstats as rs
    >>> score = rs.brier_score([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.2], n_bins=None)
    >>> round(score.value, 4), score.details["uncertainty"]
    (0.15, 0.25)
    >>> round(score.details["reliability"], 4), round(score.details["resolution"], 4)
    (0.025, 0.125)
    """
    if not isinstance(scaled, bool):
        raise InvalidOptionError(f"{named('scaled')} must be True or False, got {scaled!r}.")
    sample = as_sample(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    forecasts = read_forecasts(sample, sample.marker(marker), "The Brier score")
    outcome = forecasts.outcome
    squares = (forecasts.prob - outcome) ** 2
    influence = forecasts.mean_influence(squares, ["brier"])
    codes = assign_bins(forecasts.prob, n_bins, strategy)
    details = decompose(forecasts.prob, outcome, codes)
    value, uncertainty = float(influence.estimate[0]), details["uncertainty"]
    details["skill"] = 1.0 - value / uncertainty
    label, bounds = "Brier score", (0.0, 1.0)
    if scaled:
        label, bounds = "Scaled Brier score", (-math.inf, 1.0)
        influence = _skill_influence(influence, outcome, forecasts.classifier)
        details = {"brier": value, **details}
        del details["skill"]
    return known_by_influence(
        influence,
        label=label,
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        bounds=bounds,
        details=details,
        account=sample.account,
    )


def _skill_influence(brier: Influence, outcome: Floats, classifier: str) -> Influence:
    """Return the influence on ``1 - Brier / (mean (1 - mean))``, the mean estimated too."""
    mean = float(outcome.mean())
    uncertainty = mean * (1.0 - mean)
    ratio = brier.estimate / uncertainty
    drift = ratio / uncertainty * (1.0 - 2.0 * mean)
    return Influence(
        components="influence values",
        estimate=1.0 - ratio,
        values=drift * (outcome - mean) - brier.values / uncertainty,
        stratum=brier.stratum,
        rows=((classifier, "brier_skill"),),
        subject=brier.subject,
        cluster=brier.cluster,
    )
