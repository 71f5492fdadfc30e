"""What scikit-learn asks of an estimator, without importing scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.errors import InvalidSampleError, named

__all__ = ["Classifier", "as_matrix"]


class Classifier:
    """Parameters, labels and the classes most probable; a dataclass adds the learning."""

    _estimator_type = "classifier"  # before scikit-learn 1.6
    classes_: Any

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"{type(self).__name__} has no parameter {name}.")
            setattr(self, name, value)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return (n, classes) probabilities."""
        raise NotImplementedError

    def predict(self, X: Any) -> Any:
        """Return the most probable classes; the first of equals."""
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def score(self, X: Any, y: Any) -> float:
        """Return the accuracy."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import (  # type: ignore[import-untyped]
            ClassifierTags,
            InputTags,
            Tags,
            TargetTags,
        )

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(allow_nan=True),
        )

    def _labels(self, y: Any) -> Ints:
        """Remember the classes in sorted order and return the labels as indices into them."""
        labels = np.asarray(y)
        if labels.ndim != 1 or labels.size == 0:
            raise InvalidSampleError(f"y must be a list of labels, got shape {labels.shape}.")
        self.classes_, target = np.unique(labels, return_inverse=True)
        return target.astype(np.int64)


def as_matrix(X: Any, levels: Sequence[int] | None) -> tuple[Floats, tuple[int, ...]]:
    """Return the rows as floats, and the levels of every column, 0 for numbers."""
    matrix = np.asarray(X, dtype=np.float64)
    if matrix.ndim != 2:
        raise InvalidSampleError(f"X must have two dimensions, got {matrix.ndim}.")
    counts = (0,) * matrix.shape[1] if levels is None else tuple(int(k) for k in levels)
    if len(counts) != matrix.shape[1]:
        raise InvalidSampleError(
            f"{named('levels')} must have one number a column, {matrix.shape[1]}, got "
            f"{len(counts)}."
        )
    for j, count in enumerate(counts):
        if count:
            codes = matrix[:, j]
            if not np.all((codes == np.floor(codes)) & (codes >= -1) & (codes < count)):
                raise InvalidSampleError(
                    f"Column {j} has {count} levels, so its codes must be 0 to {count - 1}, or -1 "
                    "where missing."
                )
    return matrix, counts
