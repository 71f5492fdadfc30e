"""Scorers, cross-validated AUC and ROC displays for scikit-learn.

The scorers are made when first asked for, so that importing this module needs no scikit-learn.

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
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.data.columns import label_column
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SingleClassError,
    listed,
    require_library,
)

__all__ = [
    "RocDisplay",
    "auc_scorer",
    "brier_scorer",
    "cross_val_auc",
    "sauc_scorer",
    "smauc_scorer",
]

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


def _binary(
    y_true: Any, y_score: Any, extra: Mapping[str, Any], pos_label: Any = None
) -> tuple[Any, Any]:
    """Return who is positive, and scores; `extra` is what scikit-learn hands on beside."""
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
    if scores.ndim == 2 and scores.shape[1] == 2 and classes.size <= 2:
        raise InvalidSampleError(
            "The scores have a column for each class; give that of the positive one, as "
            "predict_proba(X)[:, 1]."
        )
    if scores.ndim != 1 or classes.size > 2:
        raise InvalidSampleError(
            f"These scorers are for two classes, got {max(classes.size, scores.ndim + 1)}; for "
            "more use rocstats.multiclass_auc."
        )
    if classes.size < 2:
        raise SingleClassError(
            "The rows that are scored have one class only; take larger or stratified folds."
        )
    if pos_label is not None and pos_label not in classes.tolist():
        raise InvalidOptionError(
            f"pos_label must be one of the labels, {listed(map(repr, classes.tolist()))}, got "
            f"{pos_label!r}."
        )
    return labels == (classes[1] if pos_label is None else pos_label), scores


def cross_val_auc(
    model: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    groups: Any = None,
    weights: Any = "equal",
    pos_label: Any = None,
) -> rs.Estimate:
    """Fit a model fold by fold, and estimate its cross-validated AUC with a standard error.

    Parameters
    ----------
    model : estimator
        A classifier of scikit-learn with ``decision_function`` or ``predict_proba``; it is cloned.
    X : array-like of shape (N, p)
        Features.
    y : array-like of shape (N,)
        Labels of two classes; the positive one is the last in sorted order.
    cv : int, splitter or iterable, default 10
        Number of stratified folds, or what scikit-learn takes; repeated splitters too.
    groups : array-like of shape (N,), optional
        Ids of patients with several rows, for a splitter that keeps them together; they are the
        independent units of the standard error.
    weights : {"equal", "pairs"}, default "equal"
        What a fold counts.
    pos_label : label, optional
        The label of the positive class, where it is not the last in sorted order.

    Returns
    -------
    Estimate
        The mean AUC of the models that were fitted; its ``sample`` has the scores and folds.

    See Also
    --------
    rocstats.cv_auc : The same of scores that are there already.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.sklearn import cross_val_auc
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.arange(40.0)[:, None] % 7
    >>> found = cross_val_auc(LogisticRegression(), X, [0, 1, 0, 1, 1] * 8, cv=4)
    >>> found.details["folds"]
    4
    """
    require_library("sklearn", "A cross-validation", "ml")
    from sklearn.base import clone  # type: ignore[import-untyped]
    from sklearn.model_selection import check_cv  # type: ignore[import-untyped]
    from sklearn.utils import _safe_indexing, indexable  # type: ignore[import-untyped]

    labels = np.asarray(y)
    positive, _ = _binary(labels, np.zeros(labels.shape[0]), {}, pos_label)
    X, labels, groups = indexable(X, labels, groups)
    tested, scores = [], []
    for train, test in check_cv(cv, labels, classifier=True).split(X, labels, groups):
        fitted = clone(model).fit(_safe_indexing(X, train), labels[train])
        tested.append(_places(test))
        scores.append(_scores(fitted, _safe_indexing(X, test), pos_label))
    return _in_folds(positive, tested, scores, groups, weights)


def _places(test: Any) -> Any:
    """Return the places of test rows, of which a splitter may give a mask."""
    rows = np.asarray(test)
    return np.flatnonzero(rows) if rows.dtype == np.bool_ else rows


def _scores(model: Any, X: Any, pos_label: Any = None) -> Any:
    """Return the scores of the positive class, by the first method that a model has."""
    first = pos_label is not None and pos_label == model.classes_[0]
    if hasattr(model, "decision_function"):
        found = np.asarray(model.decision_function(X), dtype=np.float64)
        return -found if first else found
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)[:, 0 if first else 1]
    raise InvalidOptionError(
        f"{type(model).__name__} has neither decision_function nor predict_proba, so that it "
        "gives no scores; take a classifier that does, or wrap it in CalibratedClassifierCV."
    )


def _in_folds(positive: Any, tested: Any, scores: Any, groups: Any, weights: Any) -> rs.Estimate:
    """Return the estimate of test rows and scores, fold by fold; repeats are found out."""
    rows, fold = np.concatenate(tested), np.repeat(np.arange(len(tested)), [*map(len, tested)])
    seen, repeat = np.zeros(positive.size, dtype=np.intp), []
    for test in tested:
        repeat.append(seen[test].copy())
        seen[test] += 1
    if seen.min() != seen.max() or any(np.unique(part).size > 1 for part in repeat):
        often = f"{seen.min()} to {seen.max()} times" if seen.min() < seen.max() else "in disorder"
        raise InvalidOptionError(
            "cv must divide all rows into folds, once or repeatedly, as StratifiedKFold and "
            f"RepeatedStratifiedKFold do; this one tests rows {often}, as random splits and time "
            "series do."
        )
    again = seen.max() > 1
    return rs.cv_auc(
        positive[rows],
        np.concatenate(scores),
        folds=fold,
        weights=weights,
        repeats=np.concatenate(repeat) if again else None,
        subject=rows if again else None,
        cluster=None if groups is None else np.asarray(groups)[rows],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocDisplay:
    """A ROC curve drawn with its band, and the AUC with its interval in the legend.

    Attributes
    ----------
    estimate : Estimate
        The AUC; of several folds the mean of theirs.
    curve : RocBand or AverageCurve
        What was drawn: a curve with its band, or the average curve of the folds with limits.
    name : str
        How the model is called.
    ax_ : matplotlib.axes.Axes
        The axes drawn on.

    See Also
    --------
    rocstats.roc_band : A confidence band of the ROC curve.
    rocstats.average_curves : Average ROC curves of several folds or test sets.
    """

    estimate: rs.Estimate
    curve: rs.RocBand | rs.AverageCurve
    name: str
    ax_: Any

    @property
    def figure_(self) -> Any:
        """The figure drawn on."""
        return self.ax_.figure

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        name: str = "Classifier",
        ax: Any = None,
        confidence_level: float = 0.95,
        pos_label: Any = None,
    ) -> RocDisplay:
        """Draw the curve of scores that are there already.

        Parameters
        ----------
        y_true : array-like of shape (N,)
            Labels of two classes; the positive one is the last in sorted order.
        y_score : array-like of shape (N,)
            Scores of the positive class.
        name : str, default "Classifier"
            How the model is called in the legend.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the band, which holds the whole curve, and of the interval.
        pos_label : label, optional
            The label of the class that high scores speak for, where it is not the last in sorted
            order; the legend names it where labels are words.

        Returns
        -------
        RocDisplay
            What was drawn.
        """
        given = _binary(y_true, y_score, {}, pos_label)
        band = rs.roc_band(*given, confidence_level=confidence_level)
        drawn = cls._drawn(rs.auc(*given), band, name, ax, confidence_level)
        return drawn._named(y_true, given[0])

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Any = None,
        confidence_level: float = 0.95,
        pos_label: Any = None,
    ) -> RocDisplay:
        """Draw the curve of a fitted model on test data.

        Parameters
        ----------
        model : estimator
            A fitted classifier.
        X : array-like of shape (N, p)
            Features of rows that the model did not see.
        y : array-like of shape (N,)
            Their labels.
        name : str, optional
            How the model is called in the legend; by default its class.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the band and of the interval.
        pos_label : label, optional
            The label of the positive class, where it is not the last in sorted order.

        Returns
        -------
        RocDisplay
            What was drawn.
        """
        return cls.from_predictions(
            y,
            _scores(model, X, pos_label),
            name=type(model).__name__ if name is None else name,
            ax=ax,
            confidence_level=confidence_level,
            pos_label=pos_label,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Any = None,
        confidence_level: float = 0.95,
        groups: Any = None,
        pos_label: Any = None,
    ) -> RocDisplay:
        """Draw the average curve of the models of a cross-validation.

        Parameters
        ----------
        cv_results : mapping
            What ``cross_validate`` returns with ``return_estimator=True, return_indices=True``.
        X : array-like of shape (N, p)
            The features it was given.
        y : array-like of shape (N,)
            The labels it was given.
        name : str, optional
            How the model is called in the legend; by default its class.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the limits and of the interval.
        groups : array-like of shape (N,), optional
            The ids of patients with several rows that it was given.
        pos_label : label, optional
            The label of the positive class, where it is not the last in sorted order.

        Returns
        -------
        RocDisplay
            What was drawn; the AUC is that of `rocstats.cv_auc`.
        """
        from sklearn.utils import _safe_indexing, indexable

        if not {"estimator", "indices"} <= set(cv_results):
            raise InvalidOptionError(
                "cv_results must hold the models and the indices of their test rows; call "
                "cross_validate with return_estimator=True and return_indices=True."
            )
        positive, _ = _binary(y, np.zeros(len(y)), {}, pos_label)
        X, positive, groups = indexable(X, positive, groups)
        models = cv_results["estimator"]
        tested = [_places(test) for test in cv_results["indices"]["test"]]
        pairs = list(zip(models, tested, strict=True))
        scores = [_scores(model, _safe_indexing(X, test), pos_label) for model, test in pairs]
        found = _in_folds(positive, tested, scores, groups, "equal")
        curves = [rs.roc_curve(positive[t], s) for t, s in zip(tested, scores, strict=True)]
        average = rs.average_curves(curves, confidence_level=confidence_level)
        name = type(models[0]).__name__ if name is None else name
        return cls._drawn(found, average, name, ax, confidence_level)._named(y, positive)

    @classmethod
    def _drawn(
        cls, estimate: rs.Estimate, curve: Any, name: str, ax: Any, confidence_level: float
    ) -> RocDisplay:
        low, high = estimate.confidence_interval(confidence_level)
        ax = curve.plot(ax)
        kind = "mean AUC" if isinstance(curve, rs.AverageCurve) else "AUC"
        level = f"{100.0 * confidence_level:g}% CI"
        label = f"{name}\n{kind} {estimate.value:.3f}, {level} {low:.3f} to {high:.3f}"
        ax.lines[-1].set_label(label)
        ax.legend(loc="lower right", fontsize="small")
        return cls(estimate=estimate, curve=curve, name=name, ax_=ax)

    def _named(self, y_true: Any, positive: Any) -> RocDisplay:
        """Say in the legend which class is the positive one, where labels are words."""
        label = label_column(y_true, "y")[0][int(np.argmax(positive))]
        if isinstance(label, str):
            line = self.ax_.lines[-1]
            line.set_label(f"{line.get_label()}\npositive class {label}")
            self.ax_.legend(loc="lower right", fontsize="small")
        return self


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
    require_library("sklearn", "A scorer", "ml")
    from sklearn.metrics import make_scorer  # type: ignore[import-untyped]

    function, methods, higher_is_better = _SCORERS[name]
    scorer = make_scorer(function, response_method=methods, greater_is_better=higher_is_better)
    globals()[name] = scorer
    return scorer


def __dir__() -> list[str]:
    return __all__
