"""The binormal ROC curve: maximum likelihood (Dorfman & Alf 1969) and pROC's least squares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.curves.binormal_curve import BinormalFit, Method
from rocstats.curves.binormal_likelihood import gather_categories, maximise
from rocstats.curves.path import read_only
from rocstats.data.blocks import Blocks
from rocstats.data.sample import NanPolicy, Orientation, as_sample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    RocstatsWarning,
    as_number,
    check_option,
    keyword,
    named,
    warn_user,
)

__all__ = ["BinormalFit", "DegenerateFitWarning", "binormal_fit"]

_DEEPEST = 0.02  # a curve that runs this far on the wrong side of the chance line has a hook


class DegenerateFitWarning(RocstatsWarning):
    """A model was fitted, but its curve cannot be believed everywhere.

    Take the empirical curve, `rocstats.roc_curve`: no two normal laws are behind these scores.
    """


def least_squares_line(blocks: Blocks) -> tuple[float, float]:
    """Return (a, b) by regressing normal deviates of specificity on those of sensitivity.

    Over the points with both rates strictly between 0 and 1. With intercept p and slope -q the line
    is ``TPR = Phi(p / q + Phi^-1(FPR) / q)``.
    """
    from scipy.special import ndtri

    m, n = blocks.sizes
    y = ndtri(np.cumsum(blocks.n_neg)[:-1] / n)
    x = ndtri((m - np.cumsum(blocks.n_pos)[:-1]) / m)
    inner = np.isfinite(x) & np.isfinite(y)
    x, y = x[inner], y[inner]
    if min(np.unique(x).size, np.unique(y).size) < 2:
        raise InvalidSampleError(
            "A least-squares line needs points of the ROC curve with both rates between 0 and 1, "
            "at two sensitivities and two specificities at least; take rs.roc_curve."
        )
    spread = x - x.mean()
    slope = float((spread * y).sum()) / float((spread * spread).sum())
    return -(float(y.mean()) - slope * float(x.mean())) / slope, -1.0 / slope


def hook_depth(a: float, b: float) -> float:
    """Return how far the curve runs on the side of the chance line where its area is not."""
    from scipy.special import ndtr

    z = np.linspace(-8.0, 8.0, 3201)
    rise = ndtr(a + b * z) - ndtr(z)
    return float(max((-rise if a >= 0.0 else rise).max(), 0.0))


def binormal_fit(
    y_true: Any,
    y_score: Any = None,
    method: Method = "ml",
    *,
    n_categories: int | None = None,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> BinormalFit:
    """Fit a binormal ROC curve to ratings, or to scores of which only the order counts.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    method : {"ml", "least-squares"}, default "ml"
        "ml" is maximum likelihood; "least-squares" is pROC's line through the points, which has no
        standard error.
    n_categories : int, optional
        Gather the scores into at most so many groups of about equal size first; without it every
        truth-state run is a category, which loses nothing.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which marker, where there are several.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    BinormalFit
        The two parameters, with their covariance, and the curve.

    See Also
    --------
    kernel_curve : A kernel-smoothed ROC curve.
    roc_curve : The empirical ROC curve.
    DegenerateFitWarning : A fit that cannot be believed everywhere.

    Notes
    -----
    Some increasing transform of the score is taken to be normal in each class: N(0, 1) in negatives
    and N(a / b, 1 / b**2) in positives, so ``TPR = Phi(a + b Phi^-1(FPR))`` and the area is
    ``Phi(a / sqrt(1 + b**2))``. Cut points are estimated along with a and b (Dorfman & Alf 1969,
    Journal of Mathematical Psychology 6:487-496). Neighbouring scores that occur in one class only
    are one category (Metz, Herman & Shen 1998, Statistics in Medicine 17:1033-1053). The covariance
    is the inverse of the observed information, as in Stata's ``rocfit``; the area has a
    delta-method standard error and an interval on the scale of ``a / sqrt(1 + b**2)``.

    Where no finite curve is the most likely (classes apart, no point with both rates between 0 and
    1) there is an error. A curve with b far from 1 crosses the chance line; if it does by more than
    0.02 there is a `DegenerateFitWarning`. R equivalent: ``pROC::smooth(method = "binormal")`` for
    ``method="least-squares"``. This has nothing to do with the smooth ROC curve and smAUC of
    `rocstats.smroc_curve`.

    Examples
    --------
    >>> import rocstats as rs
    >>> fit = rs.binormal_fit(rs.datasets.load_ct_ratings())
    >>> fit
    Binormal ROC curve of rating, maximum likelihood
    term  estimate  std_error  conf_low  conf_high
    a       1.6568     0.3105    1.0483     2.2653
    b       0.7130     0.2159    0.2899     1.1361
    auc     0.9113     0.0295    0.8386     0.9563
    51 positives, 58 negatives; 5 categories
    positive class abnormal, negative class normal
    >>> round(fit.curve(0.1), 3), fit.goodness_of_fit().df
    (0.771, 2)
    """
    check_option("method", method, ("ml", "least-squares"))
    bound = 3.0 if n_categories is None else as_number(n_categories)
    if not (bound >= 3.0 and bound.is_integer()):
        raise InvalidOptionError(
            f"{named('n_categories')} must be None or a whole number of at least 3, got "
            f"{n_categories!r}."
        )
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    if sample.cluster is not None and method == "ml":
        raise InvalidOptionError(
            "The likelihood takes subjects as independent, which clusters are not; take "
            f"{keyword('method', 'least-squares')} for a curve without a standard error."
        )
    row = sample.marker(marker)
    blocks = sample.blocks(row)
    neg, pos = gather_categories(blocks, n_categories)
    line, covariance, value, cuts = _fit(blocks, neg, pos, method)
    depth = hook_depth(*line)
    if depth > _DEEPEST:
        warn_user(
            f"The binormal curve of {sample.markers[row]} has a hook: with b = {line[1]:.3g} it "
            f"crosses the chance line and runs up to {depth:.2g} on its other side; do not read it "
            "there.",
            DegenerateFitWarning,
        )
    return BinormalFit(
        classifier=sample.markers[row],
        method=method,
        a=line[0],
        b=line[1],
        covariance=read_only(covariance),
        log_likelihood=value,
        cutpoints=read_only(cuts),
        neg=read_only(neg),
        pos=read_only(pos),
        account=sample.account,
    )


def _fit(
    blocks: Blocks, neg: Floats, pos: Floats, method: Method
) -> tuple[tuple[float, float], Floats, float, Floats]:
    """Return (a, b), their covariance, the log-likelihood and the cut points."""
    if method != "ml":
        return least_squares_line(blocks), np.full((2, 2), math.nan), math.nan, np.empty(0)
    found = maximise(neg, pos)
    if found is None:
        apart = neg.size == 2 and not (neg * pos).any()
        why = "the classes do not overlap" if apart else "the best curve is not finite"
        if neg.size < 3 and not apart:
            why = "two categories show one point, and a curve needs two"
        raise InvalidSampleError(
            f"There is no binormal curve of maximum likelihood, because {why}; take rs.roc_curve."
        )
    model, value, information = found
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    return (model.a, model.b), covariance, value, model.cuts
