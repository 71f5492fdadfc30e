"""Average precision: of arrays or of a sample."""

from __future__ import annotations

from typing import Any

from rocstats.data.sample import NanPolicy, Orientation, as_sample
from rocstats.engine.precision_influence import Sampling
from rocstats.errors import check_option
from rocstats.estimates.average_precisions import precision_quantity
from rocstats.estimates.quantities import Quantity

__all__ = ["average_precision"]


def average_precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sampling: Sampling = "stratified",
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> Quantity:
    """Estimate the average precision with its standard error.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    sampling : {"stratified", "cohort"}, default "stratified"
        "stratified" takes the class sizes as fixed, so the target is the average precision at this
        prevalence; "cohort" takes the prevalence as estimated too.
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
    Quantity
        The average precision, with its standard error and interval.

    See Also
    --------
    precision_recall_curve : The precision-recall curve.
    auc : Estimate the area under the ROC curve.

    Notes
    -----
    The mean over the positives of ``P(s)``, the share of positives among the subjects that score
    s or more, exactly as scikit-learn has it. With ``tp(s)`` and ``fp(s)`` such subjects, m
    positives and n negatives, a positive's influence is, up to a constant,
    ``P(x) + sum fp(s) / (tp(s) + fp(s))**2`` over the positives' scores ``s <= x``, and a
    negative's is ``-(n / m) sum tp(s) / (tp(s) + fp(s))**2``. The interval is on the logit scale,
    as Boyd, Eng & Page (2013, doi:10.1007/978-3-642-40994-3_29) advise, with this standard error
    and t quantiles (``"logit_t"``); that covered 54 to 100% in simulation, least where 300
    positives of AUC .97 met 30 negatives with heavy tails. Near 1 the variance is therefore taken
    at the limits (``"score_t"``), which covered 90 to 100% (docs/evidence/edges.md). Average
    precision itself is too high on average in small samples, by 0.05 at 15 weakly separated
    positives. Where all positives score above all negatives the lower limit is a bound that holds
    at any sample size. ``details["prevalence"]`` is what chance gives, and
    ``details["interpolated_area"]`` the area with the points joined as Davis & Goadrich (2006) do.

    Examples
    --------
    >>> import rocstats as rs
    >>> round(rs.average_precision([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]).value, 4)
    0.8333
    """
    check_option("sampling", sampling, ("stratified", "cohort"))
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    return precision_quantity(sample, sample.marker(marker), sampling=sampling)
