"""Measures: a membership and a kernel, as values.

Every measure here is

    T = sum_ij up_i right_j k(s_i, s_j) / (sum up . sum right),

where ``up`` and ``right`` are a subject's vertical and horizontal membership on the ROC plane and
``k`` is a kernel (`rocstats.engine.kernels`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks
from rocstats.engine.kernels import Kernel

__all__ = ["HARD", "Measure", "Membership", "Midpoint", "appropriateness"]

Theta = Floats | float
Bounds = tuple[float, float]
ClassWeight = Literal["balanced"] | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Midpoint:
    """A midpoint estimated from the scores, whose influence enters every standard error.

    It is ``(n * sum of positives + weight * sum of negatives) / (2 m n)`` for m positives and n
    negatives; ``weight(m, n)`` is m for the middle of the class means.

    Parameters
    ----------
    name : str
        Its name.
    weight : callable
        ``weight(m, n)``, a number.

    See Also
    --------
    Membership : To which class a score belongs, and by how much.
    smooth_auc : The smooth AUC as a measure.
    """

    name: str
    weight: Callable[[float, float], float]


def appropriateness(score: Floats, midpoint: float) -> tuple[Theta, Theta]:
    """Return how far a positive and a negative of a score belong to the positive class."""
    high = np.where(score >= midpoint, score, 1.0 - score)
    return high, 1.0 - high


def _hard(score: Floats, midpoint: float) -> tuple[Theta, Theta]:
    return 1.0, 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """The membership of every subject: how much it counts upwards, and how much to the right.

    The horizontal membership is one minus the vertical one, unless `of_subjects` gives both.

    Parameters
    ----------
    name : str
        Its name.
    theta : callable, optional
        ``theta(score, midpoint)`` works element by element and returns the membership of a positive
        and of a negative, each an array like `score`. Scores arrive on [0, 1] where the measure has
        bounds, and in pieces.
    midpoint : float or Midpoint, optional
        Where a score turns from low to high.
    hard : bool, default False
        Whether the memberships are 1 and 0, whatever the scores.
    of_subjects : callable, optional
        ``of_subjects(blocks, midpoint)``, asked in place of `theta` where more than the score
        matters, a weight say: the vertical and the horizontal membership of every subject, in the
        order of the scores, which is that of ``blocks.label``; ``blocks.order`` says who they are.

    See Also
    --------
    Measure : A membership and a kernel.
    Midpoint : A midpoint estimated from the scores.
    """

    name: str
    theta: Callable[[Floats, float], tuple[Theta, Theta]] = _hard
    midpoint: float | Midpoint | None = None
    hard: bool = False
    of_subjects: Callable[[Blocks, float], tuple[Floats, Floats]] | None = None


HARD = Membership(name="hard", hard=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A membership, a kernel, and what a reader must know of their mean.

    Parameters
    ----------
    name : str
        Identifier.
    label : str
        Printed name.
    kernel : Kernel
        What a positive's score is worth beside a negative's.
    membership : Membership, default HARD
        To which class a subject belongs, and by how much.
    score_bounds : (float, float) or "range", optional
        The scores are taken from these bounds to [0, 1] and refused outside; "range" takes the
        sample's own range and therefore has no standard error; None leaves the scores as they are.
    class_weight : {"balanced"} or float, optional
        "balanced", or the prevalence to which the classes are weighted.
    value_bounds : (float, float), default (-inf, inf)
        The least and the largest value there can be; where they are 0 and 1 the intervals stay
        within.
    unit_on_unit_scores : bool, default False
        Whether scores on [0, 1] confine the value to [0, 1].
    details : callable, optional
        ``details(measure, blocks)``: what this measure alone knows of the scores on its scale.
    references : tuple of str, default ()
        DOIs of its definition.

    See Also
    --------
    pairwise_kernel : Make a kernel of any function of two scores.
    scored_auc : The scored AUC as a measure.
    smooth_auc : The smooth AUC as a measure.
    partial_area : The partial area as a measure.
    estimate : Estimate several measures of several markers at once.

    Examples
    --------
    A measure of one's own needs a kernel; here the squared margin by which a positive wins:

    >>> import numpy as np, rocstats as rs
    >>> kernel = rs.pairwise_kernel("squared", lambda a, b: np.maximum(a - b, 0.0) ** 2)
    >>> squared = rs.Measure(name="sq", label="squared margin", kernel=kernel)
    >>> sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], [0.9, 0.5, 0.4, 0.1])
    >>> round(rs.estimate(sample, measures=[squared]).rows[0].value, 4)
    0.265
    """

    name: str
    label: str
    kernel: Kernel
    membership: Membership = HARD
    score_bounds: Bounds | Literal["range"] | None = None
    class_weight: ClassWeight = None
    value_bounds: Bounds = (-math.inf, math.inf)
    unit_on_unit_scores: bool = False
    details: Callable[[Measure, Blocks], dict[str, Any]] | None = None
    references: tuple[str, ...] = ()

    @property
    def is_hard(self) -> bool:
        """Whether a positive counts as one and a negative as the other, whatever their scores."""
        return self.membership.hard and not self.looks_at_subjects

    @property
    def looks_at_subjects(self) -> bool:
        """Whether the membership reads more of a subject than its score and class."""
        return self.membership.of_subjects is not None

    @property
    def is_pair_mean(self) -> bool:
        """Whether it is a plain mean of the kernel over pairs of a positive and a negative."""
        return self.is_hard and self.kernel.sums_pairs

    @property
    def shares(self) -> tuple[float, float]:
        """Share of the negatives and of the positives on which the spread of influence rests."""
        return (1.0, 1.0) if self.kernel.window is None else self.kernel.window.shares

    @property
    def has_fixed_midpoint(self) -> bool:
        """Whether the membership turns at a midpoint that is not estimated from the scores."""
        return isinstance(self.membership.midpoint, float)

    @property
    def is_auc(self) -> bool:
        """Whether what is derived for the AUC alone applies."""
        return self.is_pair_mean and self.is_area

    @property
    def is_soft_area(self) -> bool:
        """Whether it is an area whose subjects belong to both classes in part: a smAUC."""
        return not self.is_hard and self.kernel.counts_wins

    @property
    def is_area(self) -> bool:
        """Whether it is an area under the ROC curve, all of it or a part."""
        return self.is_hard and self.kernel.counts_wins
