"""Weka's own J48, K*, naive Bayes and logistic regression, behind the stand-ins' interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.errors import check_option
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.learners.estimator_contract import Classifier, as_matrix
from rocstats.papers.learners.weka_machine import java_class, require_weka

__all__ = ["SCHEMES", "WEKA_LEARNERS", "WEKA_SUBSET_LEARNERS", "WekaClassifier"]

# Name: Weka's class and its options; J48 -U -A is C4.4 (unpruned, Laplace), J48 alone is C4.5.
SCHEMES: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "c4.4": ("weka.classifiers.trees.J48", ("-U", "-A")),
        "c4.5": ("weka.classifiers.trees.J48", ()),
        "nb": ("weka.classifiers.bayes.NaiveBayes", ()),
        "logistic": ("weka.classifiers.functions.Logistic", ()),
        "kstar": ("weka.classifiers.lazy.KStar", ()),
    }
)


@dataclass
class WekaClassifier(Classifier):
    """A classifier of Weka, for scikit-learn users.

    Parameters
    ----------
    scheme : a name of `SCHEMES`: "c4.4", "c4.5", "nb", "logistic" or "kstar"
    levels : how many levels every column has, 0 for numbers; None if all are numbers

    Notes
    -----
    Weka's defaults but for the options of `SCHEMES`; none of them draws random numbers. It needs
    the package python-weka-wrapper3 (GPL) and Java, and a fitted one cannot be pickled.
    """

    scheme: str
    levels: Sequence[int] | None = None

    def fit(self, X: Any, y: Any) -> Self:
        """Train Weka's classifier."""
        check_option("scheme", self.scheme, SCHEMES)
        require_weka("A learner of Weka")
        matrix, self.levels_ = as_matrix(X, self.levels)
        target = self._labels(y)
        taught = _rows(matrix, target, self.levels_, self.classes_.size)
        self.model_ = _trained(self.scheme, taught)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return (n, classes) probabilities."""
        matrix, _ = as_matrix(X, self.levels_)
        unknown = np.zeros(matrix.shape[0], dtype=np.int64)
        asked = _rows(matrix, unknown, self.levels_, self.classes_.size)
        return _distributions(self.model_, asked)


def _rows(matrix: Floats, target: Ints, levels: Sequence[int], n_classes: int) -> Any:
    """Return Weka's Instances; the class comes last."""
    import jpype

    attribute, listed = java_class("weka.core.Attribute"), java_class("java.util.ArrayList")
    attributes = listed()
    for j, count in enumerate((*levels, n_classes)):
        words = listed([str(level) for level in range(count)])
        attributes.add(attribute(f"a{j}", words) if count else attribute(f"a{j}"))
    found = java_class("weka.core.Instances")("rows", attributes, target.size)
    found.setClassIndex(len(levels))
    missing = (np.array(levels) > 0) & (matrix < 0.0)
    values = np.column_stack([np.where(missing, np.nan, matrix), target.astype(np.float64)])
    dense = java_class("weka.core.DenseInstance")
    if target.size:
        for row in jpype.JArray.of(values):
            found.add(dense(1.0, row))
    return found


def _some(rows: Any, which: Ints) -> Any:
    """Return some of the Instances, in this order."""
    found = java_class("weka.core.Instances")(rows, int(which.size))
    for i in which.tolist():
        found.add(rows.get(i))
    return found


def _without(rows: Any, columns: Sequence[int]) -> Any:
    """Return the Instances without some attributes."""
    found = java_class("weka.core.Instances")(rows)
    for column in sorted(columns, reverse=True):
        found.deleteAttributeAt(int(column))
    return found


def _trained(scheme: str, rows: Any) -> Any:
    name, options = SCHEMES[scheme]
    model = java_class(name)()
    if options:
        model.setOptions(list(options))
    model.buildClassifier(rows)
    return model


def _distributions(model: Any, rows: Any) -> Floats:
    if not rows.numInstances():
        return np.empty((0, rows.numClasses()))
    return np.array(model.distributionsForInstances(rows), dtype=np.float64)


def _subset_scores(scheme: str, data: BenchSet) -> Callable[[Ints, Ints, Bools, int], Floats]:
    require_weka("A learner of Weka")
    everything = _rows(data.X, data.y.astype(np.int64), data.levels, 2)

    def scores(train: Ints, rows: Ints, keep: Bools, seed: int) -> Floats:
        taught, asked = _some(everything, train), _some(everything, rows)
        out = np.empty((keep.shape[0], rows.size))
        for i, kept in enumerate(keep):
            gone = np.flatnonzero(~kept).tolist()
            model = _trained(scheme, _without(taught, gone))
            out[i] = _distributions(model, _without(asked, gone))[:, 1]
        return out

    return scores


def _named(scheme: str, levels: Sequence[int], seed: int) -> WekaClassifier:
    return WekaClassifier(scheme=scheme, levels=tuple(levels))


# As `LEARNERS` and `SUBSET_LEARNERS` have the stand-ins.
WEKA_LEARNERS: Mapping[str, Callable[[Sequence[int], int], Any]] = MappingProxyType(
    {scheme: partial(_named, scheme) for scheme in SCHEMES}
)
WEKA_SUBSET_LEARNERS: Mapping[
    str, Callable[[BenchSet], Callable[[Ints, Ints, Bools, int], Floats]]
] = MappingProxyType(
    {scheme: partial(_subset_scores, scheme) for scheme in ("c4.4", "nb", "logistic")}
)
