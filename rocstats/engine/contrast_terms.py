"""The variances of linear combinations, from the covariance of what they combine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.engine.influence import Influence

__all__ = ["ContrastTerms", "contrast_terms"]

_CANCELLED = 1e-3  # a variance of less than this share of its terms has lost digits to rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContrastTerms:
    """Combinations with what their standard errors are made of.

    Attributes
    ----------
    estimate : (c,) the combinations
    terms : (strata + 1, c) their variance, by stratum and across strata, over the unit squared
    unit : (c,) by which standard errors of extreme size were divided
    support : (c, strata) the units on which the variance rests
    """

    estimate: Floats
    terms: Floats
    unit: Floats
    support: Floats

    def line(self, i: int) -> tuple[list[float], list[float]]:
        """Return the terms of one combination, the last across strata, and their units."""
        return self.terms[:, i].tolist(), self.support[i].tolist()


def contrast_terms(
    influence: Influence, weights: Floats, terms: Floats | None = None
) -> ContrastTerms:
    """Return the combinations of (c, r) weights, L C L' instead of the influence on each.

    `terms` are those of the covariance, where they are known.
    Where the terms cancel, as of two markers that are nearly the same, and where they are so
    large or small that squares may leave the doubles, the influence is combined all the same.
    """
    if influence.scaled()[0] is not influence:
        return _one_by_one(influence, weights)
    terms = influence.covariance_terms() if terms is None else terms
    found, size = _quadratic(weights, terms)
    lost = np.logical_or.reduce(found[:-1] < _CANCELLED * size[:-1], axis=0)
    for i in lost.nonzero()[0].tolist():
        found[:, i] = influence.contrast(weights[i]).covariance_terms()[:, 0, 0]
    return ContrastTerms(
        estimate=weights @ influence.estimate,
        terms=found,
        unit=np.array([1.0] * weights.shape[0]),
        support=influence.contrast_support(weights),
    )


def _quadratic(weights: Floats, terms: Floats) -> tuple[Floats, Floats]:
    """Return the (k, c) quadratic forms, and what they would be if nothing in them cancelled.

    Two classifiers the other way round give the same bits.
    """
    if weights.shape == (1, 2):  # the usual case: a dozen numbers, which arrays only slow down
        found = [_of_two(*weights[0].tolist(), *term) for term in terms.tolist()]
        return np.array([[low] for low, _ in found]), np.array([[high] for _, high in found])
    i, j = _pairs(weights.shape[1])
    own = terms.diagonal(axis1=1, axis2=2) @ (weights * weights).T  # of variances: none cancels
    shared, both = terms[:, i, j], (weights[:, i] * weights[:, j]).T
    return own + 2.0 * (shared @ both), own + 2.0 * (np.abs(shared) @ np.abs(both))


def _of_two(a: float, b: float, first: list[float], second: list[float]) -> tuple[float, float]:
    """Return the same of one combination and one stratum."""
    own, shared = first[0] * (a * a) + second[1] * (b * b), first[1] * (a * b)
    return own + 2.0 * shared, own + 2.0 * abs(shared)


@cache
def _pairs(size: int) -> tuple[NDArray[np.intp], ...]:
    """Return the first and the second of every pair of rows."""
    return np.triu_indices(size, 1)


def _one_by_one(influence: Influence, weights: Floats) -> ContrastTerms:
    found, unit = influence.contrast(weights).scaled()
    return ContrastTerms(
        estimate=found.estimate,
        terms=found.covariance_terms().diagonal(axis1=1, axis2=2),
        unit=unit,
        support=found.support(),
    )
