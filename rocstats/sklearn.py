"""Scorers for scikit-learn: the measures in searches and cross-validation.

They are made when first asked for, so that importing this module needs no scikit-learn.

Examples
--------
>>> from rocstats.sklearn import auc_scorer
>>> from sklearn.linear_model import LogisticRegression
>>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
>>> float(auc_scorer(model, [[0], [2], [1], [3]], [0, 0, 1, 1]))
0.75
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.data.columns import label_column
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    MissingDependencyError,
    SingleClassError,
    listed,
)

__all__ = ["auc_scorer", "brier_scorer", "sauc_scorer", "smauc_scorer"]

auc_scorer: Any
sauc_scorer: Any
smauc_scorer: Any
brier_scorer: Any


def auc_value(y_true: Any, y_score: Any, **extra: Any) -> float:
    """Return the AUC of the last class in sorted order, the positive one as in ``classes_``.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of two classes.
    y_score : array-like of shape (N,)
        Scores or probabilities of the positive class.
    **extra : object
        What scikit-learn hands on beside; refused unless None.

    Returns
    -------
    float
        The area.

    See Also
    --------
    rocstats.auc : The same with a standard error.

    Examples
    --------
    >>> from rocstats.sklearn import auc_value
    >>> auc_value(["no", "no", "yes", "yes"], [0.1, 0.6, 0.5, 0.9])
    0.75
    """
    return rs.auc(*_binary(y_true, y_score, extra)).value


def sauc_value(y_true: Any, y_prob: Any, **extra: Any) -> float:
    """Return the scored AUC of probabilities, a mean margin on [0, 1].

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of two classes; the positive one is the last in sorted order.
    y_prob : array-like of shape (N,)
        Probabilities of the positive class.
    **extra : object
        What scikit-learn hands on beside; refused unless None.

    Returns
    -------
    float
        The scored AUC.

    See Also
    --------
    rocstats.sauc : The same with a standard error.

    Examples
    --------
    >>> from rocstats.sklearn import sauc_value
    >>> sauc_value([0, 1], [0.25, 0.75])
    0.5
    """
    return rs.sauc(*_binary(y_true, y_prob, extra)).value


def smauc_value(y_true: Any, y_prob: Any, **extra: Any) -> float:
    """Return the smooth AUC of probabilities with its midpoint at 1/2.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of two classes; the positive one is the last in sorted order.
    y_prob : array-like of shape (N,)
        Probabilities of the positive class.
    **extra : object
        What scikit-learn hands on beside; refused unless None.

    Returns
    -------
    float
        The smooth AUC.

    See Also
    --------
    rocstats.smauc : The same with a standard error.

    Examples
    --------
    >>> from rocstats.sklearn import smauc_value
    >>> round(smauc_value([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0]), 6)
    0.834821
    """
    return rs.smauc(*_binary(y_true, y_prob, extra)).value


def brier_value(y_true: Any, y_prob: Any, **extra: Any) -> float:
    """Return the Brier score of probabilities; less is better, and the scorer's sign is minus.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of two classes; the positive one is the last in sorted order.
    y_prob : array-like of shape (N,)
        Probabilities of the positive class.
    **extra : object
        What scikit-learn hands on beside; refused unless None.

    Returns
    -------
    float
        The Brier score.

    See Also
    --------
    rocstats.brier_score : The same with a standard error.

    Examples
    --------
    >>> from rocstats.sklearn import brier_value
    >>> round(brier_value([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.2]), 4)
    0.15
    """
    return rs.brier_score(*_binary(y_true, y_prob, extra)).value


def _binary(y_true: Any, y_score: Any, extra: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return labels and scores of two classes; `extra` is what scikit-learn hands on beside."""
    given = [name for name, value in extra.items() if value is not None]
    if given:
        raise InvalidOptionError(
            f"These scorers take no {listed(given)}; fit with it if you like, and score without."
        )
    (labels, missing), scores = label_column(y_true, "y"), np.asarray(y_score, dtype=np.float64)
    if missing is not None:
        raise InvalidSampleError("y has missing labels; leave those rows out.")
    try:
        classes = np.unique(labels)
    except TypeError:
        raise InvalidSampleError("y holds labels that cannot be compared.") from None
    if scores.ndim != 1 or classes.size > 2:
        raise InvalidSampleError(
            f"These scorers are for two classes, got {max(classes.size, scores.ndim + 1)}; for "
            "more use rocstats.multiclass_auc."
        )
    if classes.size < 2:
        raise SingleClassError(
            "The rows that are scored have one class only; take larger or stratified folds."
        )
    return labels == classes[1], scores


_ANY_SCORE = ("decision_function", "predict_proba")
# Name: function, the methods of an estimator that may give its scores, whether higher is better.
_SCORERS: dict[str, tuple[Any, Any, bool]] = {
    "auc_scorer": (auc_value, _ANY_SCORE, True),
    "sauc_scorer": (sauc_value, "predict_proba", True),
    "smauc_scorer": (smauc_value, "predict_proba", True),
    "brier_scorer": (brier_value, "predict_proba", False),
}


def __getattr__(name: str) -> Any:
    if name not in _SCORERS:
        raise AttributeError(f"module 'rocstats.sklearn' has no attribute {name!r}")
    try:
        from sklearn.metrics import make_scorer  # type: ignore[import-untyped]
    except ImportError:
        raise MissingDependencyError(
            'A scorer needs scikit-learn; install it with: pip install "rocstats[ml]".'
        ) from None
    function, methods, higher_is_better = _SCORERS[name]
    scorer = make_scorer(function, response_method=methods, greater_is_better=higher_is_better)
    globals()[name] = scorer
    return scorer


def __dir__() -> list[str]:
    return __all__
