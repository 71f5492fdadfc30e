"""The cross-validated AUC: the mean of the folds' areas, with its standard error."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocstats.data.fold_division import FoldWeights, divide_into_folds
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.errors import InvalidOptionError, check_option, keyword
from rocstats.estimates.estimators import auc
from rocstats.estimates.results import Estimate

if TYPE_CHECKING:
    from rocstats.arrays import Bools, Floats

__all__ = ["cv_auc", "sample_in_folds"]


def cv_auc(
    y_true: Any,
    y_score: Any = None,
    folds: Any = None,
    *,
    weights: FoldWeights = "equal",
    variance: Literal["influence", "ledell"] = "influence",
    cluster: Any = None,
    subject: Any = None,
    repeats: Any = None,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> Estimate:
    """Estimate the cross-validated AUC, the mean of the folds' AUCs, with a standard error.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of the subjects, each by the model that did not see it; none with a sample.
    folds : array-like of shape (N,) or str
        The fold of each subject; or the name of a covariate of the sample.
    weights : {"equal", "pairs"}, default "equal"
        What a fold counts: all alike, or by its pairs of a positive and a negative.
    variance : {"influence", "ledell"}, default "influence"
        The folds' DeLong variances, or the formula of R's cvAUC, to repeat published numbers.
    cluster : array-like of shape (N,), optional
        Ids of patients with several rows; folds must keep them together.
    subject : array-like of shape (N,), optional
        Ids of the subjects; repeated cross-validation needs them.
    repeats : array-like of shape (N,) or str, optional
        The repeat of each row, where all subjects were divided into folds several times.
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
    Estimate
        The mean AUC of the models that were fitted, with its standard error and intervals;
        ``homogeneity`` has the folds.

    See Also
    --------
    cv_compare : Compare models by their cross-validated AUCs.
    auc : Estimate the area under the ROC curve.
    average_curves : Average ROC curves of several folds or test sets.
    select_model : Choose a model by repeated splits.

    Notes
    -----
    Given the models, the folds are independent: the variance is the sum of the squared shares times
    DeLong's variances. In repeated cross-validation a subject's influence is averaged over the
    repeats, so that repeating does not divide the variance. With patients or repeats the default
    interval rests on the variances of the folds of one division, which covered where the standard
    error did not (STATISTICS.md 19). It estimates the mean AUC of the models actually fitted, each
    on a part of the data; not the AUC of a final model, and not how much another training sample
    would change it; with unstable learners it is too narrow. Of nested cross-validation give the
    outer folds.
    R equivalent: ``cvAUC::ci.cvAUC``, whose standard error is ``variance="ledell"``: it divides by
    class sizes, not by one less, is too small where folds differ in size, and counts ties as
    losses. Its interval is ``confidence_interval(method="wald")``.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), doi:10.1214/15-EJS1035.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> found = rs.cv_auc(y, [4, 2, 3, 1, 9, 8, 8, 7], folds=[1, 1, 1, 1, 2, 2, 2, 2])
    >>> found.value
    0.8125
    >>> found.details
    {'folds': 2, 'smallest_fold': 4, 'largest_fold': 4}
    """
    check_option("variance", variance, ("influence", "ledell"))
    sample = sample_in_folds(
        y_true,
        y_score,
        folds=folds,
        weights=weights,
        cluster=cluster,
        subject=subject,
        repeats=repeats,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    found = auc(sample, marker=marker)
    if variance == "influence":
        return found
    if weights != "equal" or repeats is not None:
        raise InvalidOptionError(
            f"{keyword('variance', 'ledell')} is for folds of equal weight, without repeats; take "
            f"{keyword('variance', 'influence')}."
        )
    std_error = _ledell_std_error(sample, sample.marker(found.classifier))
    return replace(found, scatter=(std_error, math.inf))


def sample_in_folds(
    y_true: Any,
    y_score: Any,
    *,
    folds: Any,
    weights: str,
    repeats: Any,
    subject: Any,
    cluster: Any,
    **options: Any,
) -> ScoredSample:
    """Return a sample, or arrays made one, divided into folds."""
    beside = {"folds": folds, "repeats": repeats, "subject": subject, "cluster": cluster}
    check_same_rows([("y_true", y_true), *with_names(y_score, "y_score"), *beside.items()])
    if repeats is not None and cluster is None and not isinstance(y_true, ScoredSample):
        cluster = subject
    sample = as_sample(
        y_true, y_score, subject=subject, cluster=cluster, takes=("cluster",), **options
    )
    return divide_into_folds(sample, folds, repeats=repeats, weights=weights)


def _ledell_std_error(sample: ScoredSample, marker: int) -> float:
    """Return the standard error of R's cvAUC 1.1.4; of clusters that of its pooled version."""
    adjustment, positive = sample.adjustment, sample.positive
    if adjustment is None or adjustment.stratum is None:
        raise ValueError("the sample has no folds")
    scores, fold, size = sample.oriented(marker), adjustment.stratum, positive.size
    share, values = np.count_nonzero(positive) / size, np.empty(size)
    for code in range(len(adjustment.levels)):
        here = fold == code
        values[here] = _ledell_terms(scores[here], positive[here], share)
    unit: Floats = values
    of = fold
    if sample.cluster is not None:
        unit = np.bincount(sample.cluster, values).astype(np.float64)
        of = np.zeros(unit.size, dtype=np.intp)
        of[sample.cluster] = fold
    within = np.bincount(of, unit**2) / np.bincount(of)
    return math.sqrt(float(within.mean()) * unit.size) / size


def _ledell_terms(scores: Floats, positive: Bools, share: float) -> Floats:
    """Return every subject's term in one fold: ties count as losses, though not in the area."""
    above, below = np.sort(scores[positive]), np.sort(scores[~positive])
    won = np.searchsorted(below, scores, "left") / below.size
    tied = np.searchsorted(below, above, "right") - np.searchsorted(below, above, "left")
    lost = (above.size - np.searchsorted(above, scores, "right")) / above.size
    area = float(won[positive].mean() + 0.5 * tied.mean() / below.size)
    terms: Floats = np.where(positive, (won - area) / share, (lost - area) / (1.0 - share))
    return terms
