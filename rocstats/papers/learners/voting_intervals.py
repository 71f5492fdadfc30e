"""Voting feature intervals: every attribute votes by the class shares of the value's interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.papers.learners.estimator_contract import Classifier, as_matrix

__all__ = ["VotingIntervals"]


@dataclass
class VotingIntervals(Classifier):
    """The VFI1 classifier, for scikit-learn users.

    Parameters
    ----------
    levels : how many levels every column has, 0 for numbers; None if all are numbers

    Notes
    -----
    The end points of a numeric attribute are the least and the greatest value of every class; they
    cut it into intervals. A level is an interval of its own. Each interval votes with the shares
    of the classes that fall into it, counted relative to the sizes of the classes; a value at an
    end point counts half on either side. The votes of the attributes are added, a missing value
    casts none, and the shares of the votes are the probabilities. Weka's version adds a weight by
    entropy, which is left out.

    References
    ----------
    Demiroz & Guvenir (1997), Classification by voting feature intervals, ECML, 85-92,
    doi:10.1007/3-540-62858-4_74.

    Examples
    --------
    >>> from rocstats.papers.learners.voting_intervals import VotingIntervals
    >>> model = VotingIntervals().fit([[1], [2], [3], [2.5], [4], [5]], [0, 0, 0, 1, 1, 1])
    >>> model.predict_proba([[0], [1.5], [4.5]]).round(3).tolist()
    [[1.0, 0.0], [0.75, 0.25], [0.25, 0.75]]
    """

    levels: Sequence[int] | None = None

    def fit(self, X: Any, y: Any) -> Self:
        """Find the intervals and count the classes in them."""
        matrix, counts = as_matrix(X, self.levels)
        target = self._labels(y)
        self.ends_: list[Floats] = []
        self.votes_: list[Floats] = []
        for j, count in enumerate(counts):
            values = matrix[:, j]
            ends = np.empty(0) if count else _end_points(values, target)
            size = count if count else ends.size + 1
            table = np.zeros((size, self.classes_.size))
            for place, weight in _places(values, ends, count):
                known = place >= 0
                np.add.at(table, (place[known], target[known]), weight[known])
            table /= np.bincount(target)
            total = table.sum(axis=1, keepdims=True)
            self.ends_.append(ends)
            self.votes_.append(np.divide(table, total, out=np.zeros_like(table), where=total > 0.0))
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return (n, classes) shares of the votes."""
        matrix, counts = as_matrix(X, self.levels)
        sums = np.zeros((matrix.shape[0], self.classes_.size))
        for j, (ends, votes) in enumerate(zip(self.ends_, self.votes_, strict=True)):
            silent = np.vstack([votes, np.zeros(self.classes_.size)])  # the place -1 takes the last
            for place, weight in _places(matrix[:, j], ends, counts[j]):
                sums += weight[:, None] * silent[place]
        total = sums.sum(axis=1, keepdims=True)
        even = np.full_like(sums, 1.0 / self.classes_.size)
        return np.asarray(np.divide(sums, total, out=even, where=total > 0.0))


def _end_points(values: Floats, target: Ints) -> Floats:
    """Return the least and the greatest value of every class, without repetition."""
    found: list[float] = []
    for label in np.unique(target):
        mine = values[(target == label) & ~np.isnan(values)]
        found += [float(mine.min()), float(mine.max())] if mine.size else []
    return np.unique(np.array(found, dtype=np.float64))


def _places(values: Floats, ends: Floats, count: int) -> list[tuple[Ints, Floats]]:
    """Return the intervals of the values on either side, half each; -1 where missing."""
    if count:
        return [(values.astype(np.int64), np.ones(values.size))]
    missing = np.isnan(values)
    half = np.full(values.size, 0.5)
    left = np.where(missing, -1, np.searchsorted(ends, values, side="left"))
    right = np.where(missing, -1, np.searchsorted(ends, values, side="right"))
    return [(left, half), (right, half)]
