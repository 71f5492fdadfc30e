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
    sample, marker : the data, and which marker where there are several
    fpr, tpr : (low, high), the part of the curve by false or by true positive rate
    standardized : McClish's correction, so that chance is 1/2 and the best 1; nan with an
        `RWarning` where the area lies below chance

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

    ``"delong"`` is for full areas, ``"obuchowski"`` (binormal) for full ones and ranges of `fpr`,
    ``"bootstrap"`` for any. R: ``pROC::var(roc, method = )``.
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

    Options are those of `var`. R: ``pROC::cov(roc1, roc2, method = )``.
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

    Notes
    -----
    ``"delong"`` is estimate -+ z SE, cut to [0, 1]; ``"bootstrap"`` takes percentiles.
    R: ``pROC::ci.auc(roc, conf.level = , method = )``. Its middle number is left out: with the
    bootstrap it is the median of the replicates and not the AUC.
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
