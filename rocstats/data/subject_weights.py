"""Subject weights: what a row counts, by which kind, and what is known of estimated weights.

A *frequency* weight is a number of subjects that are alike: the row is that many rows, in the value
and in every variance. A *probability* weight is what one subject stands for, in a survey or a
two-phase sample: the value counts it so, and the variance takes it as one subject (a sandwich).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import named_columns
from rocstats.errors import InvalidSampleError, check_option, keyword, named, shown

__all__ = [
    "Nuisance",
    "WeightKind",
    "check_weight_kind",
    "kish_size",
    "repeats",
    "take_weights",
    "weight_column",
]

WeightKind = Literal["probability", "frequency"]
_KINDS = ("probability", "frequency")
_MOST_ROWS = 10**8  # rows that frequencies may stand for: their scores take a gigabyte
_LARGEST = 1e100  # a weight whose square and its sums stay within the doubles
_LEAST = 1e-100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nuisance:
    """Parameters that the weights were estimated with, from these subjects and others.

    With estimates b of influence psi, so that ``b - beta`` is the mean of psi over all N, a measure
    T of the weighted subjects has the influence ``phi + psi dT/db``, where phi is that at fixed
    weights and ``dT/db`` the sum of ``phi_i / N dlog w_i / db``.

    Attributes
    ----------
    place : (n,) where the subjects of the sample stand among all N
    slope : (n, p) the derivatives of the logarithms of their weights in the parameters
    influence : (N, p) psi, of mean zero
    cluster : (N,) codes of clusters of all, or None
    verified : (N,) whose class is known
    model : (N, p) the covariates of the model of that, by which it can be fitted again
    mass : (N,) what everyone counts by the sampling design, of mean 1; None where all are alike
    words : how the weights were estimated, for a reader
    factor : what the influence is multiplied by, for the parameters that were fitted
    """

    place: NDArray[np.intp]
    slope: Floats
    influence: Floats
    verified: Bools
    model: Floats
    mass: Floats | None = None
    cluster: NDArray[np.intp] | None = None
    words: str = ""
    factor: float = 1.0

    @property
    def size(self) -> int:
        """Number of all subjects."""
        return int(self.influence.shape[0])

    def only(self, keep: NDArray[Any]) -> Nuisance:
        """Return the same of some of the sample's subjects; the parameters are those of all."""
        return replace(self, place=self.place[keep], slope=self.slope[keep])


def weight_column(values: Any, n: int, name: str = "weights") -> Floats:
    """Return the n weights: finite numbers of at least 0, not all 0."""
    weights = named_columns([(name, values)])[name]
    if weights.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {weights.size} {named('weights')}; they must be as many."
        )
    if np.isnan(weights).any():
        raise InvalidSampleError(
            f"{int(np.isnan(weights).sum())} {named('weights')} are missing; every subject needs "
            "one, 0 where it has no part."
        )
    wrong = np.flatnonzero((weights < 0.0) | (weights > _LARGEST))
    if wrong.size:
        raise InvalidSampleError(
            f"{named('weights')} must be numbers from 0 to {_LARGEST:g}, got "
            f"{shown(float(weights[wrong[0]]))} in row {int(wrong[0]) + 1}."
        )
    small = np.flatnonzero((weights > 0.0) & (weights < _LEAST))
    if small.size:
        raise InvalidSampleError(
            f"{named('weights')} must be 0 or at least {_LEAST:g}, got "
            f"{shown(float(weights[small[0]]))} in row {int(small[0]) + 1}; rescale them."
        )
    if not (weights > 0.0).any():
        raise InvalidSampleError(f"All {named('weights')} are 0, so that no subject counts.")
    return weights


def check_weight_kind(values: Any, kind: WeightKind | None) -> None:
    """Refuse a kind of weights that there is not, and one where there are no weights."""
    if kind is None:
        return
    check_option("weight_kind", kind, _KINDS)
    if values is None:
        raise InvalidSampleError(
            f"{keyword('weight_kind', kind)} says what {named('weights')} are, and there are "
            f"none; give them with {keyword('weights')}."
        )


def take_weights(
    values: Any, kind: WeightKind | None, n: int
) -> tuple[NDArray[np.intp] | None, Floats | None]:
    """Return how often every row is repeated, for frequencies, and the weights of another kind.

    Either is None where it changes nothing, as are both without weights; equal probability weights
    are no weights.
    """
    check_weight_kind(values, kind)
    if values is None:
        return None, None
    weights = weight_column(values, n)
    if kind == "frequency":
        return repeats(weights), None
    return None, weights


def repeats(weights: Floats) -> NDArray[np.intp] | None:
    """Return how many subjects each row stands for; None where each is one."""
    wrong = np.flatnonzero(weights != np.rint(weights))
    if wrong.size:
        raise InvalidSampleError(
            f"{named('weights')} of the kind frequency must be whole numbers, got "
            f"{shown(float(weights[wrong[0]]))} in row {int(wrong[0]) + 1}; a subject that stands "
            f"for others has {keyword('weight_kind', 'probability')}."
        )
    total = float(weights.sum())
    if total > _MOST_ROWS:
        raise InvalidSampleError(
            f"{named('weights')} of the kind frequency add to {total:g} subjects, and at most "
            f"{_MOST_ROWS:g} are taken; are they {keyword('weight_kind', 'probability')}?"
        )
    return None if (weights == 1.0).all() else weights.astype(np.intp)


def kish_size(weights: Floats, members: Bools) -> float:
    """Return how many equal weights are worth as much (Kish 1965): (sum w)**2 / sum w**2."""
    mine = weights[members]
    mine = mine / mine.max()
    return float(mine.sum() ** 2 / (mine**2).sum())
