"""pROC's areas: AUC and partial AUC with variance, covariance and interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword
from rocstats.estimates.results import ConfidenceInterval
from rocstats.rbridge.proc_calls import (
    RESAMPLING,
    Range,
    Resampling,
    ask,
    band_of,
    check_independent,
    curve_of,
    curves_of,
    flag_no_variance,
)

__all__ = ["auc", "ci_auc", "cov", "var"]


def auc(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
) -> float:
    """Return pROC's AUC, or partial AUC, of one marker.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.

    Returns
    -------
    float
        The area.

    See Also
    --------
    ci_auc : The interval of the area, as pROC has it.
    var : The variance of the area, as pROC has it.
    rocstats.auc : The same in Python.
    rocstats.partial_auc : The same in Python.

    Notes
    -----
    R: ``pROC::auc(roc, partial.auc = c(1 - low, 1 - high), partial.auc.focus = "specificity",
    partial.auc.correct = standardized)``; for `tpr`, ``c(high, low)`` and ``"sensitivity"``.

    Examples
    --------
    >>> import rocstats as rs
    >>> sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], [3, 2, 2, 1])
    >>> rs.rbridge.auc(sample)  # doctest: +SKIP
    0.875
    """
    band = band_of(fpr, tpr, standardized=standardized)
    return float(ask("as.numeric(curve(a)$auc)", a=curve_of(sample, marker, band)))


def var(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    method: str = "delong",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
    resampling: Resampling = RESAMPLING,
) -> float:
    """Return pROC's variance of the AUC, or partial AUC, of one marker.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    method : {"delong", "obuchowski", "bootstrap"}, default "delong"
        "delong" is for full areas, "obuchowski" (binormal) for full ones and ranges of `fpr`,
        "bootstrap" for any.
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    float
        The variance.

    See Also
    --------
    cov : The covariance of two areas, as pROC has it.
    ci_auc : The interval of the area, as pROC has it.
    rocstats.Estimate.variance : The same in Python.

    Notes
    -----
    R: ``pROC::var(roc, method = )``.

    Examples
    --------
    >>> import rocstats as rs
    >>> round(rs.rbridge.var(rs.datasets.load_ct_ratings()), 6)  # doctest: +SKIP
    0.000944
    """
    check_independent(sample)
    band = _check_method(method, ("delong", "bootstrap", "obuchowski"), fpr, tpr, standardized)
    value = ask(
        "as.numeric(var(curve(a), method = method, boot.n = n, boot.stratified = stratified))",
        a=curve_of(sample, marker, band),
        method=method,
        resampling=resampling,
    )
    flag_no_variance(value, f"The AUC of {sample.markers[sample.marker(marker)]}", sample)
    return float(value)


def cov(
    sample: ScoredSample,
    *,
    markers: Sequence[str] | None = None,
    method: str = "delong",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
    resampling: Resampling = RESAMPLING,
) -> float:
    """Return pROC's covariance of the areas of two markers on the same subjects.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    markers : sequence of str, optional
        The two markers, where there are more.
    method : {"delong", "obuchowski", "bootstrap"}, default "delong"
        "delong" is for full areas, "obuchowski" (binormal) for full ones and ranges of `fpr`,
        "bootstrap" for any.
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    float
        The covariance.

    See Also
    --------
    var : The variance of the area, as pROC has it.
    roc_test : The test of two curves, as pROC has it.
    rocstats.compare : The same in Python.

    Notes
    -----
    R: ``pROC::cov(roc1, roc2, method = )``.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> covariance = rs.rbridge.cov(cancer, markers=["mean_radius", "worst_area"])  # doctest: +SKIP
    >>> f"{covariance:.3e}"  # doctest: +SKIP
    '6.000e-05'
    """
    band = _check_method(method, ("delong", "bootstrap", "obuchowski"), fpr, tpr, standardized)
    _, (a, b) = curves_of(sample, markers, band)
    value = ask(
        "as.numeric(cov(curve(a), curve(b), method = method, boot.n = n,"
        " boot.stratified = stratified))",
        a=a,
        b=b,
        method=method,
        resampling=resampling,
    )
    if math.isnan(value):
        flag_no_variance(value, "The pair of AUCs", sample)
    return float(value)


def ci_auc(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    confidence_level: float = 0.95,
    method: str = "delong",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
    resampling: Resampling = RESAMPLING,
) -> ConfidenceInterval:
    """Return pROC's interval of the AUC, or partial AUC, of one marker.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    confidence_level : float, default 0.95
        Level of the interval.
    method : {"delong", "bootstrap"}, default "delong"
        How the limits are found.
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    ConfidenceInterval
        The limits.

    See Also
    --------
    auc : The area, as pROC has it.
    Resampling : How R resamples.
    rocstats.Estimate.confidence_interval : The same in Python.

    Notes
    -----
    ``"delong"`` is estimate -+ z SE, cut to [0, 1]; ``"bootstrap"`` takes percentiles.
    R: ``pROC::ci.auc(roc, conf.level = , method = )``. Its middle number is left out: with the
    bootstrap it is the median of the replicates and not the AUC.

    Examples
    --------
    >>> import rocstats as rs
    >>> limits = rs.rbridge.ci_auc(rs.datasets.load_ct_ratings())  # doctest: +SKIP
    >>> round(limits.low, 4), round(limits.high, 4)  # doctest: +SKIP
    (0.833, 0.9534)
    """
    check_independent(sample)
    level = check_confidence_level(confidence_level)
    band = _check_method(method, ("delong", "bootstrap"), fpr, tpr, standardized)
    low, _, high = ask(
        "as.numeric(ci.auc(curve(a), conf.level = level, method = method, boot.n = n,"
        " boot.stratified = stratified))",
        a=curve_of(sample, marker, band),
        level=level,
        method=method,
        resampling=resampling,
    )
    flag_no_variance(high - low, f"The AUC of {sample.markers[sample.marker(marker)]}", sample)
    return ConfidenceInterval(low=low, high=high, confidence_level=level, method=f"pROC {method}")


def _check_method(
    method: str,
    offered: tuple[str, ...],
    fpr: Range | None,
    tpr: Range | None,
    standardized: bool,
) -> dict[str, Any]:
    """Return the band, or refuse a method that pROC does not have for it."""
    check_option("method", method, offered)
    band = band_of(fpr, tpr, standardized=standardized)
    if method == "delong" and band["band"]:
        raise InvalidOptionError(
            f"pROC has no DeLong variance of a partial area; take {keyword('method', 'bootstrap')}."
        )
    if method == "obuchowski" and (tpr is not None or standardized):
        raise InvalidOptionError(
            "pROC has Obuchowski's variance only for the full area and for plain ranges of fpr; "
            f"take {keyword('method', 'bootstrap')}."
        )
    return band
