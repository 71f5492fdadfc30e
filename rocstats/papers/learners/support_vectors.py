"""Support vectors with a Gaussian kernel, C and gamma by cross-validated accuracy on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import require_library
from rocstats.papers.learners.estimator_contract import Classifier, as_matrix

__all__ = ["GridSvm"]


@dataclass
class GridSvm(Classifier):
    """A support vector machine of two classes, for scikit-learn users.

    Parameters
    ----------
    penalties : the values of C that are tried; by default 2^-5, 2^-3, ..., 2^15
    gammas : the values of gamma that are tried; by default 2^-15, 2^-13, ..., 2^3
    n_folds : folds of the training rows, stratified, for the accuracy of a pair
    tuning_rows : rows, drawn at random, on which pairs are compared; None for all
    seed : of folds and of the draw

    Notes
    -----
    Columns are scaled to [-1, 1] by the training rows, and codes are taken as numbers, as Huang &
    Ling do. Of equally accurate pairs the first wins, the smallest C and then gamma. Scores are the
    distances of `decision_function`; there are no probabilities. Missing values are the mean.
    """

    penalties: Sequence[float] = tuple(2.0**k for k in range(-5, 16, 2))
    gammas: Sequence[float] = tuple(2.0**k for k in range(-15, 4, 2))
    n_folds: int = 3
    tuning_rows: int | None = None
    seed: int = 0

    def fit(self, X: Any, y: Any) -> Self:
        """Choose C and gamma, and fit all rows with them."""
        require_library("sklearn", "A support vector machine", "ml")
        from sklearn.svm import SVC  # type: ignore[import-untyped]

        matrix, _ = as_matrix(X, None)
        target = self._labels(y)
        with np.errstate(invalid="ignore"):
            mean = np.where(np.isnan(matrix), 0.0, matrix).sum(axis=0)
            self.fill_ = mean / np.maximum((~np.isnan(matrix)).sum(axis=0), 1)
        filled = np.where(np.isnan(matrix), self.fill_, matrix)
        self.low_ = filled.min(axis=0)
        spread = filled.max(axis=0) - self.low_
        self.spread_ = np.where(spread > 0.0, spread, 1.0)
        Z = self._scaled(matrix)
        rows = np.arange(target.size)
        if self.tuning_rows is not None and self.tuning_rows < rows.size:
            rows = np.random.default_rng(self.seed).choice(rows, self.tuning_rows, replace=False)
        self.C_, self.gamma_ = self._choose(Z[rows], target[rows])
        self.machine_ = SVC(C=self.C_, gamma=self.gamma_, cache_size=500).fit(Z, target)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return (n,) distances from the boundary, positive for the second class."""
        return np.asarray(self.machine_.decision_function(self._scaled(as_matrix(X, None)[0])))

    def predict(self, X: Any) -> Any:
        """Return the classes."""
        return self.classes_[self.machine_.predict(self._scaled(as_matrix(X, None)[0]))]

    def _scaled(self, matrix: Floats) -> Floats:
        filled = np.where(np.isnan(matrix), self.fill_, matrix)
        return np.asarray(2.0 * (filled - self.low_) / self.spread_ - 1.0)

    def _choose(self, Z: Floats, target: Any) -> tuple[float, float]:
        """Return the most accurate pair; the squared distances are computed once a fold."""
        from sklearn.model_selection import StratifiedKFold  # type: ignore[import-untyped]
        from sklearn.svm import SVC

        folds = StratifiedKFold(self.n_folds, shuffle=True, random_state=self.seed)
        hits = np.zeros((len(self.penalties), len(self.gammas)))
        for train, test in folds.split(Z, target):
            within, across = _squares(Z[train], Z[train]), _squares(Z[test], Z[train])
            for j, gamma in enumerate(self.gammas):
                kernel, asked = np.exp(-gamma * within), np.exp(-gamma * across)
                for i, penalty in enumerate(self.penalties):
                    machine = SVC(C=penalty, kernel="precomputed", cache_size=500)
                    found = machine.fit(kernel, target[train]).predict(asked)
                    hits[i, j] += np.sum(found == target[test])
        best = divmod(int(np.argmax(hits)), len(self.gammas))
        return float(self.penalties[best[0]]), float(self.gammas[best[1]])


def _squares(a: Floats, b: Floats) -> Floats:
    squares = np.sum(a * a, axis=1)[:, None] + np.sum(b * b, axis=1) - 2.0 * a @ b.T
    return np.asarray(np.maximum(squares, 0.0))
