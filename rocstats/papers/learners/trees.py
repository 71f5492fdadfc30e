"""Trees that estimate probabilities: C4.4 (unpruned, Laplace) and a pruned tree like C4.5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.errors import require_library
from rocstats.papers.learners.estimator_contract import Classifier, as_matrix
from rocstats.papers.learners.one_hot import one_hot

__all__ = ["ProbabilityTree", "grow", "leaf_shares", "pruned_nodes"]

_SLACK = 0.1  # errors by which a leaf may be worse than its subtree, as in C4.5


def grow(Z: Any, target: Ints, *, min_leaf: int, seed: int, has_nan: bool) -> Any:
    """Return scikit-learn's tree by entropy, grown until leaves are pure or too small to split.

    Parameters
    ----------
    Z : (n, q) columns of float32
    target : (n,) classes
    min_leaf : least number of rows in a leaf
    seed : decides between equally good splits
    has_nan : whether there may be missing values, which go to the better side of every split
    """
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=min_leaf, random_state=seed)
    return tree.fit(Z, target, check_input=has_nan)


def leaf_shares(tree: Any, n_classes: int, *, laplace: float) -> Floats:
    """Return (nodes, classes) shares (count + laplace) / (rows + laplace * classes)."""
    shares = tree.tree_.value[:, 0, :]
    rows = tree.tree_.n_node_samples[:, None]
    counts = np.zeros((shares.shape[0], n_classes))
    counts[:, tree.classes_] = shares / shares.sum(axis=1, keepdims=True) * rows
    return np.asarray((counts + laplace) / (rows + laplace * n_classes))


def pruned_nodes(tree: Any, *, confidence: float) -> Ints:
    """Return (nodes,) the node that answers for each once the tree is pruned.

    A subtree becomes a leaf where the upper limit of the leaf's error, at this confidence by
    Clopper and Pearson, is at most 0.1 errors above the sum over the subtree (Quinlan 1993).
    """
    from scipy.special import betaincinv

    nodes = tree.tree_
    rows = nodes.n_node_samples.astype(np.float64)
    errors = np.rint(rows * (1.0 - _largest_share(nodes.value[:, 0, :])))
    expected = rows * betaincinv(errors + 1.0, rows - errors, 1.0 - confidence)
    left, right = nodes.children_left, nodes.children_right
    answers = np.arange(nodes.node_count)
    is_leaf = left < 0
    for node in range(nodes.node_count - 1, -1, -1):  # children come after their parent
        if not is_leaf[node]:
            below = expected[left[node]] + expected[right[node]]
            if expected[node] <= below + _SLACK:
                is_leaf[node] = True
            else:
                expected[node] = below
    for node in range(nodes.node_count):
        if left[node] >= 0 and is_leaf[node]:
            for child in (left[node], right[node]):
                answers[child] = answers[node]
                is_leaf[child] = True
    return answers


def _largest_share(value: Floats) -> Floats:
    return np.asarray(value.max(axis=1) / value.sum(axis=1), dtype=np.float64)


@dataclass
class ProbabilityTree(Classifier):
    """A tree whose leaves give probabilities, for scikit-learn users.

    Parameters
    ----------
    levels : how many levels every column has, 0 for numbers; None if all are numbers
    min_leaf : least number of rows in a leaf
    laplace : what is added to the count of every class in a leaf
    confidence : confidence of the limit by which the tree is pruned; None does not prune
    seed : decides between equally good splits

    Notes
    -----
    With laplace=1 and no pruning this stands for C4.4, or PET; with laplace=0 and confidence=0.25
    for C4.5. It is neither: splits are binary and by entropy, not by gain ratio, and a missing
    value goes to one side instead of both in part.
    """

    levels: Sequence[int] | None = None
    min_leaf: int = 2
    laplace: float = 1.0
    confidence: float | None = None
    seed: int = 0

    def fit(self, X: Any, y: Any) -> Self:
        """Grow and, if asked, prune the tree."""
        require_library("sklearn", "A tree", "ml")
        target = self._labels(y)
        Z = self._columns(X)
        self.tree_ = grow(Z, target, min_leaf=self.min_leaf, seed=self.seed, has_nan=True)
        shares = leaf_shares(self.tree_, self.classes_.size, laplace=self.laplace)
        if self.confidence is not None:
            shares = shares[pruned_nodes(self.tree_, confidence=self.confidence)]
        self.shares_ = shares
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return (n, classes) probabilities."""
        return np.asarray(self.shares_[self.tree_.apply(self._columns(X))])

    def _columns(self, X: Any) -> Any:
        matrix, counts = as_matrix(X, self.levels)
        return one_hot(matrix, counts).matrix.astype(np.float32)
