"""pROC's area for more than two classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.errors import InvalidSampleError, check_option, listed, named
from rocstats.rbridge.proc_calls import Range, ask, band_of
from rocstats.tables import Answer, Statement, show_value

__all__ = ["MulticlassArea", "multiclass_roc"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MulticlassArea(Answer):
    """The mean of the areas of all pairs of classes.

    Attributes
    ----------
    value : float
        The mean.
    labels : tuple
        The classes, in order.
    method : str
        "hand-till" of a column for every class, "pairwise" of one score.
    pairs : tuple of mapping
        The area of every pair of classes, in the order of the labels.
    settings : mapping
        The part of the curves and the orientation.

    See Also
    --------
    multiclass_roc : The multiclass AUC, as pROC has it.
    """

    value: float
    labels: tuple[Any, ...]
    method: str
    pairs: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]

    def statement(self) -> Statement:
        """Return the mean, and a row for each pair of classes."""
        return Statement(
            head=f"Multiclass AUC: {show_value(self.value)} ({self.method}, {len(self.labels)} "
            f"classes: {listed(self.labels)})",
            rows=self.pairs,
            content={
                "value": self.value,
                "labels": self.labels,
                "method": self.method,
                **self.settings,
                "pairs": self.pairs,
            },
        )


def multiclass_roc(
    y_true: Any,
    y_score: Any,
    *,
    labels: Sequence[Any],
    higher_is_positive: bool = True,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
) -> MulticlassArea:
    """Return pROC's multiclass AUC.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels.
    y_score : array-like of shape (N,) or (N, K)
        Scores that go with the order of the labels, or a column (the probability, say) for every
        label, in the order of `labels`.
    labels : sequence
        The classes, in order; every subject must belong to one.
    higher_is_positive : bool, default True
        Of one column: whether scores rise with the order of the labels.
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.

    Returns
    -------
    MulticlassArea
        The mean area, and that of every pair of classes.

    See Also
    --------
    auc : The area, as pROC has it.
    rocstats.multiclass_auc : The same in Python.

    Notes
    -----
    R: ``pROC::multiclass.roc(response, predictor, levels = labels, direction = )``. pROC's default
    turns every pair round until its area exceeds 1/2; here the direction is one for all: "<" or ">"
    of `higher_is_positive`, and ">" for columns, where it is Hand & Till's measure
    (doi:10.1023/A:1010920819831).

    Examples
    --------
    >>> from rocstats.rbridge import multiclass_roc
    >>> y, score = [0, 0, 0, 1, 1, 1, 2, 2, 2], [1, 2, 4, 3, 5, 6, 7, 8, 9]
    >>> round(multiclass_roc(y, score, labels=[0, 1, 2]).value, 4)  # doctest: +SKIP
    0.963
    """
    check_option("higher_is_positive", higher_is_positive, (True, False))
    band = band_of(fpr, tpr, standardized=standardized)
    codes, scores, names = _check_classes(y_true, y_score, labels)
    several = scores.ndim == 2
    direction = ">" if several or not higher_is_positive else "<"
    found = ask(
        "if (is.matrix(x)) colnames(x) <- levels\n"
        "m <- multiclass.roc(y, x, levels = levels, direction = direction, quiet = TRUE,"
        " partial.auc = band, partial.auc.focus = focus, partial.auc.correct = standardized)\n"
        "area <- function(r) if (inherits(r, 'roc')) auc(r, partial.auc = band,"
        " partial.auc.focus = focus, partial.auc.correct = standardized)"
        " else mean(sapply(r, area))\n"
        "list(value = as.numeric(m$auc),"
        " pairs = lapply(unname(m$rocs), function(r) as.numeric(area(r))))",
        y=codes,
        x=scores,
        levels=list(range(len(names))),
        direction=direction,
        **band,
    )
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    return MulticlassArea(
        value=found["value"],
        labels=tuple(names),
        method="hand-till" if several else "pairwise",
        pairs=tuple(
            {"first": names[i], "second": names[j], "estimate": area}
            for (i, j), area in zip(pairs, found["pairs"], strict=True)
        ),
        settings={
            "fpr": None if fpr is None else list(fpr),
            "tpr": None if tpr is None else list(tpr),
            "standardized": standardized,
            "higher_is_positive": None if several else higher_is_positive,
        },
    )


def _check_classes(y_true: Any, y_score: Any, labels: Sequence[Any]) -> Any:
    """Codes of the classes, scores as doubles, and the labels as a list."""
    names = list(labels)
    y = np.asarray(y_true)
    try:
        scores = np.asarray(y_score, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidSampleError(f"{named('y_score')} must hold numbers.") from None
    if len(names) < 2 or len(set(names)) < len(names):
        raise InvalidSampleError(f"{named('labels')} must name two classes or more, each once.")
    if y.ndim != 1 or scores.ndim not in (1, 2) or scores.shape[0] != y.size:
        raise InvalidSampleError(
            f"{named('y_true')} must be one label a subject, and y_score one row a subject; their "
            f"shapes are {y.shape} and {scores.shape}."
        )
    if scores.ndim == 2 and scores.shape[1] != len(names):
        raise InvalidSampleError(
            f"y_score has {scores.shape[1]} columns for {len(names)} labels; there must be as many."
        )
    if not np.isfinite(scores).all():
        raise InvalidSampleError(
            f"{named('y_score')} must hold finite numbers; pROC takes no others."
        )
    is_of = np.array([np.broadcast_to(np.asarray(y == name), y.shape) for name in names])
    counts = is_of.sum(axis=1)
    if not counts.all() or counts.sum() != y.size:
        lacking = [name for name, count in zip(names, counts, strict=True) if not count]
        raise InvalidSampleError(
            f"Nobody has the label {lacking[0]!r}."
            if lacking
            else "Some subjects have none of the labels; leave them out or name theirs."
        )
    return is_of.argmax(axis=0).astype(np.float64), scores, names
