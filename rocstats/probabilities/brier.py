"""The Brier score, its standard error and its decomposition."""

from __future__ import annotations

from typing import Any

from rocstats.data.sample import NanPolicy, as_sample
from rocstats.engine.forecasts import Strategy
from rocstats.errors import InvalidOptionError, named
from rocstats.estimates.brier_scores import brier_quantity
from rocstats.estimates.quantities import Quantity

__all__ = ["brier_score"]


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
    return brier_quantity(
        sample, sample.marker(marker), scaled=scaled, n_bins=n_bins, strategy=strategy
    )
