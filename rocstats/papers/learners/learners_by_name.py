"""The learners by name, for a data set's columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rocstats.errors import require_library
from rocstats.papers.learners.naive_bayes import NaiveBayes
from rocstats.papers.learners.ridge_logistic import Logistic
from rocstats.papers.learners.support_vectors import GridSvm
from rocstats.papers.learners.trees import ProbabilityTree
from rocstats.papers.learners.weka_learners import WEKA_LEARNERS
from rocstats.papers.learners.weka_machine import require_weka

__all__ = ["BACK_ENDS", "LEARNERS", "require_backend"]


def _c44(levels: Sequence[int], seed: int) -> ProbabilityTree:
    return ProbabilityTree(levels=tuple(levels), seed=seed)


def _c45(levels: Sequence[int], seed: int) -> ProbabilityTree:
    return ProbabilityTree(levels=tuple(levels), laplace=0.0, confidence=0.25, seed=seed)


def _naive_bayes(levels: Sequence[int], seed: int) -> NaiveBayes:
    return NaiveBayes(levels=tuple(levels))


def _logistic(levels: Sequence[int], seed: int) -> Logistic:
    return Logistic(levels=tuple(levels))


def _svm(levels: Sequence[int], seed: int) -> GridSvm:
    return GridSvm(seed=seed)


# Name: a function of the levels of a set's columns and of a seed. "svm" has decision_function,
# the others predict_proba; "logistic" and "svm" are for two classes.
LEARNERS: Mapping[str, Callable[[Sequence[int], int], Any]] = MappingProxyType(
    {"nb": _naive_bayes, "c4.4": _c44, "c4.5": _c45, "logistic": _logistic, "svm": _svm}
)

# Weka's own have "kstar" and no "svm".
BACK_ENDS: Mapping[str, Mapping[str, Callable[[Sequence[int], int], Any]]] = MappingProxyType(
    {"python": LEARNERS, "weka": WEKA_LEARNERS}
)


def require_backend(backend: str) -> None:
    """Raise a `MissingDependencyError` unless the learners of a back end can be trained."""
    if backend == "weka":
        require_weka("The back end weka")
    else:
        require_library("sklearn", "A learner of this paper", "ml")
