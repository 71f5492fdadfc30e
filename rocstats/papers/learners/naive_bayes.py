"""Naive Bayes for mixed attributes: every attribute's log-likelihood is a term of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.papers.learners.estimator_contract import Classifier, as_matrix

__all__ = ["Likelihoods", "NaiveBayes", "Split", "fit_likelihoods", "split_columns"]

_UNIT = 0.01  # Weka's precision of an attribute with a single value
_LOG_2PI = math.log(2.0 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Attributes parted into codes and numbers, once for many fits.

    Attributes
    ----------
    codes : (n, a) places in one table of all levels, the last place where missing
    numbers : (n, b), nan where missing
    nominal, numeric : (a,), (b,) which attributes these are
    start : (a,) where the levels of an attribute start in the table
    count : (a,) how many levels it has
    """

    codes: Ints
    numbers: Floats
    nominal: Ints
    numeric: Ints
    start: Ints
    count: Ints

    def take(self, rows: Ints) -> Split:
        """Return some of the rows."""
        return replace(self, codes=self.codes[rows], numbers=self.numbers[rows])


def split_columns(X: Floats, levels: Sequence[int]) -> Split:
    """Return the codes and the numbers of the rows."""
    counts = np.array(levels, dtype=np.int64)
    nominal, numeric = np.flatnonzero(counts > 0), np.flatnonzero(counts == 0)
    count = counts[nominal]
    start = np.cumsum(count) - count
    raw = X[:, nominal].astype(np.int64)
    codes = np.where(raw < 0, int(count.sum()), raw + start)
    return Split(
        codes=codes,
        numbers=X[:, numeric],
        nominal=nominal,
        numeric=numeric,
        start=start,
        count=count,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Likelihoods:
    """A fitted model.

    Attributes
    ----------
    prior : (K,) logarithm of the class shares
    table : (K, levels + 1) logarithm of the probability of every level, 0 for missing
    mean, std : (K, b) of the numbers in every class
    """

    prior: Floats
    table: Floats
    mean: Floats
    std: Floats

    def terms(self, rows: Split) -> Floats:
        """Return (K, n, p) log-likelihoods of every attribute, 0 where it is missing."""
        n, p = rows.codes.shape[0], rows.nominal.size + rows.numeric.size
        terms = np.empty((self.prior.size, n, p))
        terms[:, :, rows.nominal] = self.table[:, rows.codes]
        z = (rows.numbers - self.mean[:, None, :]) / self.std[:, None, :]
        density = -0.5 * (z * z + _LOG_2PI) - np.log(self.std)[:, None, :]
        terms[:, :, rows.numeric] = np.where(np.isnan(density), 0.0, density)
        return terms

    def log_odds(self, rows: Split) -> tuple[Floats, float]:
        """Return (n, p) log-odds of every attribute and the prior one, of two classes.

        The log-odds of a model without some attributes are the prior's and the sum over the others.
        """
        terms = self.terms(rows)
        return terms[1] - terms[0], float(self.prior[1] - self.prior[0])


def fit_likelihoods(
    rows: Split, target: Ints, n_classes: int, *, laplace: float = 1.0
) -> Likelihoods:
    """Return the model of the rows; every class must have one.

    Notes
    -----
    Levels have the shares (count + laplace) / (present + laplace * levels) of the rows where the
    attribute is present. Numbers are normal with divisor n and a floor on the standard deviation:
    a sixth of the mean gap between distinct values, as in Weka. A class in which a number is always
    missing has its mean and standard deviation over all rows.
    """
    size = int(rows.count.sum())
    owner = np.repeat(np.arange(rows.count.size), rows.count)
    table = np.zeros((n_classes, size + 1))
    mean = np.empty((n_classes, rows.numeric.size))
    std = np.empty_like(mean)
    floor, overall_mean, overall_std = _overall(rows.numbers)
    present = ~np.isnan(rows.numbers)
    numbers = np.where(present, rows.numbers, 0.0)
    for k in range(n_classes):
        members = target == k
        counts = np.bincount(rows.codes[members].ravel(), minlength=size + 1)[:size] + laplace
        totals = np.bincount(owner, weights=counts, minlength=rows.count.size)
        with np.errstate(divide="ignore"):
            table[k, :size] = np.log(counts / totals[owner])
        here = present[members]
        n = here.sum(axis=0)
        some = np.maximum(n, 1)
        mean[k] = np.where(n > 0, numbers[members].sum(axis=0) / some, overall_mean)
        squares = np.where(here, (numbers[members] - mean[k]) ** 2, 0.0).sum(axis=0)
        std[k] = np.where(n > 0, np.sqrt(squares / some), overall_std)
    prior = np.log(np.bincount(target, minlength=n_classes) / target.size)
    return Likelihoods(prior=prior, table=table, mean=mean, std=np.maximum(std, floor))


def _overall(numbers: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the floor on the standard deviation, and mean and standard deviation of all rows."""
    ranked = np.sort(numbers, axis=0)  # nan comes last
    gaps = np.diff(ranked, axis=0)
    apart = gaps > 0.0
    steps = apart.sum(axis=0)
    total = np.where(apart, gaps, 0.0).sum(axis=0)
    unit = np.where(steps > 0, total / np.maximum(steps, 1), _UNIT)
    present = ~np.isnan(numbers)
    n = np.maximum(present.sum(axis=0), 1)
    mean = np.where(present, numbers, 0.0).sum(axis=0) / n
    squares = np.where(present, (numbers - mean) ** 2, 0.0).sum(axis=0)
    return unit / 6.0, mean, np.sqrt(squares / n)


@dataclass
class NaiveBayes(Classifier):
    """Naive Bayes for columns of numbers and of codes, for scikit-learn users.

    Parameters
    ----------
    levels : how many levels every column has, 0 for numbers; None if all are numbers
    laplace : what is added to the count of every level

    Notes
    -----
    Missing values (nan, or code -1) are skipped. The model is that of `fit_likelihoods`.

    Examples
    --------
    >>> from rocstats.papers.learners.naive_bayes import NaiveBayes
    >>> model = NaiveBayes(levels=[2]).fit([[0], [0], [1], [1], [1]], [0, 0, 0, 1, 1])
    >>> model.predict_proba([[1]]).round(4).tolist()
    [[0.4444, 0.5556]]
    """

    levels: Sequence[int] | None = None
    laplace: float = 1.0

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model."""
        matrix, counts = as_matrix(X, self.levels)
        target = self._labels(y)
        rows = split_columns(matrix, counts)
        self.model_ = fit_likelihoods(rows, target, self.classes_.size, laplace=self.laplace)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return (n, classes) probabilities."""
        matrix, counts = as_matrix(X, self.levels)
        joint = self.model_.terms(split_columns(matrix, counts)).sum(axis=2)
        joint += self.model_.prior[:, None]
        joint -= joint.max(axis=0)
        share = np.exp(joint)
        return np.asarray((share / share.sum(axis=0)).T)

    def log_odds(self, X: Any) -> tuple[Floats, float]:
        """Return (n, p) log-odds of every attribute and the prior one, of two classes."""
        matrix, counts = as_matrix(X, self.levels)
        return self.model_.log_odds(split_columns(matrix, counts))
