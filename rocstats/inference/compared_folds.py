"""Models compared by their cross-validated AUCs, on the same folds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rocstats.data.fold_division import FoldWeights
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample
from rocstats.estimates.cross_validated import sample_in_folds
from rocstats.inference.comparison import Comparison, compare

__all__ = ["cv_compare"]


def cv_compare(
    y_true: Any,
    y_score: Any = None,
    folds: Any = None,
    *,
    markers: str | Iterable[str] | None = None,
    weights: FoldWeights = "equal",
    cluster: Any = None,
    subject: Any = None,
    repeats: Any = None,
    pos_label: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> Comparison:
    """Compare models by their cross-validated AUCs on the same subjects and folds.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : mapping or data frame, optional
        Scores by every model, by name, each of the one that did not see the subject; none with a
        sample.
    folds : array-like of shape (N,) or str
        The fold of each subject; or the name of a covariate of the sample.
    markers : str or iterable of str, optional
        Which markers, by default all.
    weights : {"equal", "pairs"}, default "equal"
        What a fold counts: all alike, or by its pairs of a positive and a negative.
    cluster : array-like of shape (N,), optional
        Ids of patients with several rows; folds must keep them together.
    subject : array-like of shape (N,), optional
        Ids of the subjects; repeated cross-validation needs them.
    repeats : array-like of shape (N,) or str, optional
        The repeat of each row, where all subjects were divided into folds several times.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    Comparison
        The cross-validated AUCs with their joint covariance; its methods test differences.

    See Also
    --------
    cv_auc : Estimate the cross-validated AUC.
    compare : Compare classifiers on the same subjects.
    select_model : Choose a model by repeated splits.

    Notes
    -----
    Every subject is scored by every model, so that differences are paired within folds. They are
    those of the models actually fitted on these parts of the data. R equivalent: none; ``cvAUC``
    has no comparison.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), doi:10.1214/15-EJS1035.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, folds = [1, 1, 0, 0, 1, 1, 0, 0], [1, 1, 1, 1, 2, 2, 2, 2]
    >>> scores = {"a": [4, 2, 3, 1, 9, 8, 8, 7], "b": [4, 1, 3, 2, 9, 6, 8, 7]}
    >>> found = rs.cv_compare(y, scores, folds=folds)
    >>> found["a"].value, found["b"].value
    (0.8125, 0.5)
    """
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
    if markers is not None:
        names = [markers] if isinstance(markers, str) else list(markers)
        sample = _some(sample, names)
    return compare(sample)


def _some(sample: ScoredSample, names: list[str]) -> ScoredSample:
    return sample.only([sample.marker(name) for name in names])
