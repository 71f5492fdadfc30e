"""The curve of several test sets merged into one (Fawcett 2006, section 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocstats.curves.fold_curves import as_samples
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import ScoredSample, joint_account
from rocstats.errors import InvalidSampleError, PooledFoldsWarning, listed, warn_user

__all__ = ["pooled_curve"]


def pooled_curve(samples: Any, folds: Any = None, *, marker: str | None = None) -> RocCurve:
    """Return the ROC curve of several test sets merged into one.

    Parameters
    ----------
    samples : sequence of ScoredSample, or ScoredSample
        One for each fold; or one, with `folds`.
    folds : array-like of shape (N,), optional
        The fold of each subject of the one sample.
    marker : str, optional
        Which marker of samples that have several.

    Returns
    -------
    RocCurve
        The curve of all subjects, with a `PooledFoldsWarning`.

    See Also
    --------
    average_curves : Average ROC curves of several folds or test sets.
    roc_curve : The empirical ROC curve.

    Notes
    -----
    Fawcett (2006, section 8) merges the instances by their scores. The curve then also compares
    scores of different models: if one fold's model scores higher throughout, pooling shows it as
    wrong order, however well each fold is ranked. It gives no measure of variance over the folds.

    Examples
    --------
    >>> import warnings
    >>> import rocstats as rs
    >>> folds = [
    ...     rs.ScoredSample.from_arrays([1, 0], [0.9, 0.8]),
    ...     rs.ScoredSample.from_arrays([1, 0], [0.2, 0.1]),
    ... ]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", rs.PooledFoldsWarning)
    ...     rs.pooled_curve(folds).area()
    0.75
    """
    members = as_samples(samples, folds)
    rows = [sample.marker(marker) for sample in members]
    chosen = list(zip(members, rows, strict=True))
    if len({(s.higher_is_positive[row], s.pos_label) for s, row in chosen}) > 1:
        raise InvalidSampleError(
            "The samples differ in their positive class or in whether high scores are positive, "
            "so they cannot be merged."
        )
    if len(members) > 1:
        warn_user(
            f"Scores of {len(members)} folds were pooled as if one model gave them; differences "
            "in calibration between the folds count as errors of ranking; rs.cv_auc gives the mean "
            "AUC of the folds with its interval, and average_curves their curve.",
            PooledFoldsWarning,
        )
    name = listed(dict.fromkeys(s.markers[row] for s, row in chosen))
    merged = ScoredSample.from_arrays(
        np.concatenate([s.positive for s in members]),
        {name: np.concatenate([s.scores[row] for s, row in chosen])},
        pos_label=True,
        higher_is_positive=members[0].higher_is_positive[rows[0]],
    )
    whole = [samples] if isinstance(samples, ScoredSample) else members
    return replace(roc_curve(merged), account=joint_account([s.account for s in whole]))
