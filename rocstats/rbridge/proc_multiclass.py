"""pROC's area for more than two classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import InvalidSampleError, check_option, listed, named
from rocstats.rbridge.proc_calls import Range, ask, band_of
from rocstats.tables import show_value, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MulticlassArea", "multiclass_roc"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MulticlassArea:
    """The mean of the areas of all pairs of classes.

    Attributes
    ----------
    value : the mean
    labels : the classes, in order
    method : "hand-till" of a column for every class, "pairwise" of one score
    pairs : the area of every pair of classes, in the order of the labels
    settings : the part of the curves and the orientation
    """

    value: float
    labels: tuple[Any, ...]
    method: str
    pairs: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the value, its settings and the pairs as built-in types."""
        return {
            "value": self.value,
            "labels": list(self.labels),
            "method": self.method,
            **self.settings,
            "pairs": [dict(pair) for pair in self.pairs],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a pandas data frame."""
        return tidy_frame(self.pairs)

    def __repr__(self) -> str:
        return (
            f"Multiclass AUC: {show_value(self.value)} ({self.method}, {len(self.labels)} classes: "
            f"{listed(self.labels)})"
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
    y_true : (N,) labels
    y_score : (N,) scores that go with the order of the labels, or (N, K) with a column (the
        probability, say) for every label, in the order of `labels`
    labels : the classes, in order; every subject must belong to one
    higher_is_positive : for (N,) scores: whether they rise with the order of the labels
    fpr, tpr, standardized : partial areas, as in `rocstats.rbridge.auc`

    Notes
    -----
    R: ``pROC::multiclass.roc(response, predictor, levels = labels, direction = )``. pROC's default
    turns every pair round until its area exceeds 1/2; here the direction is one for all: "<" or ">"
    of `higher_is_positive`, and ">" for columns, where it is Hand & Till's measure
    (doi:10.1023/A:1010920819831).
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
