"""Many models of one training set, each without some attributes, as fast as they can be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.errors import check_option, require_library
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.learners.naive_bayes import fit_likelihoods, split_columns
from rocstats.papers.learners.one_hot import one_hot
from rocstats.papers.learners.ridge_logistic import fit_logistic, fit_scaling
from rocstats.papers.learners.trees import grow, leaf_shares
from rocstats.papers.learners.weka_learners import WEKA_SUBSET_LEARNERS

__all__ = ["SUBSET_LEARNERS", "SubsetScores", "subset_scores"]

# (training rows, rows to score, (m, p) attributes kept, seed) -> (m, rows) probabilities
SubsetScores = Callable[[Ints, Ints, Bools, int], Floats]


def subset_scores(learner: str, data: BenchSet, *, backend: str = "python") -> SubsetScores:
    """Return the function that trains m models of a set and scores rows with them.

    Parameters
    ----------
    learner : "c4.4", "nb" or "logistic"
    data : the set, which is encoded once
    backend : "python", or "weka" for Weka's own

    Returns
    -------
    A function of (train, rows, keep, seed): indices of training rows, indices of rows to score, the
    (m, p) attributes that every model keeps, and a seed for equally good splits of trees. It gives
    the (m, rows) probabilities of the positive class.
    """
    check_option("backend", backend, _BACK_ENDS)
    check_option("learner", learner, _BACK_ENDS[backend])
    return _BACK_ENDS[backend][learner](data)


def _naive_bayes(data: BenchSet) -> SubsetScores:
    split = split_columns(data.X, data.levels)
    target = data.y.astype(np.int64)

    def scores(train: Ints, rows: Ints, keep: Bools, seed: int) -> Floats:
        model = fit_likelihoods(split.take(train), target[train], 2)
        odds, prior = model.log_odds(split.take(rows))
        return _share(keep.astype(np.float64) @ odds.T + prior)

    return scores


def _trees(data: BenchSet) -> SubsetScores:
    require_library("sklearn", "A tree", "ml")
    design = one_hot(data.X, data.levels)
    Z = design.matrix.astype(np.float32)
    has_nan = bool(np.isnan(Z).any())
    target = data.y.astype(np.int64)

    def scores(train: Ints, rows: Ints, keep: Bools, seed: int) -> Floats:
        taught, asked, truth = Z[train], Z[rows], target[train]
        out = np.empty((keep.shape[0], rows.size))
        for i, kept in enumerate(keep):
            columns = np.flatnonzero(kept[design.attribute])
            tree = grow(taught[:, columns], truth, min_leaf=2, seed=seed, has_nan=has_nan)
            shares = leaf_shares(tree, 2, laplace=1.0)[:, 1]
            out[i] = shares[tree.tree_.apply(asked[:, columns])]
        return out

    return scores


def _logistic(data: BenchSet) -> SubsetScores:
    design = one_hot(data.X, data.levels, reference=True)

    def scores(train: Ints, rows: Ints, keep: Bools, seed: int) -> Floats:
        taught = design.matrix[train]
        scaling = fit_scaling(design, taught)
        wide = np.ones((keep.shape[0], design.attribute.size + 1), dtype=np.bool_)
        wide[:, 1:] = keep[:, design.attribute]
        b = fit_logistic(scaling.apply(taught), data.y[train], wide)
        return _share(b @ scaling.apply(design.matrix[rows]).T)

    return scores


def _share(odds: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(odds))


SUBSET_LEARNERS: Mapping[str, Callable[[BenchSet], SubsetScores]] = MappingProxyType(
    {"c4.4": _trees, "nb": _naive_bayes, "logistic": _logistic}
)
_BACK_ENDS = {"python": SUBSET_LEARNERS, "weka": WEKA_SUBSET_LEARNERS}
