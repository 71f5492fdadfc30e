"""Sensitivity and specificity at a threshold as measures: means over pairs that look at one class.

They are not public measures: the threshold is that of scores where high speaks for the positives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.engine.kernels import Kernel
from rocstats.engine.measures import Measure

if TYPE_CHECKING:
    from rocstats.arrays import Floats
    from rocstats.data.blocks import Blocks

__all__ = ["RATES", "rate_at"]

RATES = ("sensitivity", "specificity")


def rate_at(rate: str, threshold: float) -> Measure:
    """Return the share of positives at or above a threshold, or of negatives below it.

    With the kernel ``k(a, b) = [a >= c]``, or ``[b < c]``, the mean over pairs is the share, and
    the influence of the other class is zero.
    """
    of_winner = rate == "sensitivity"

    def hits(blocks: Blocks) -> Floats:
        right = blocks.score >= threshold if of_winner else blocks.score < threshold
        found: Floats = right.astype(np.float64)
        return found

    def below(blocks: Blocks, mass: Floats) -> Floats:
        if of_winner:
            return hits(blocks) * float(mass.sum())
        return np.full_like(mass, float((hits(blocks) * mass).sum()))

    def above(blocks: Blocks, mass: Floats) -> Floats:
        if of_winner:
            return np.full_like(mass, float((hits(blocks) * mass).sum()))
        return hits(blocks) * float(mass.sum())

    def square_sum(blocks: Blocks) -> float:
        m, n = blocks.sizes
        own = blocks.n_pos if of_winner else blocks.n_neg
        return float((hits(blocks) * own).sum()) * (n if of_winner else m)

    return Measure(
        name=rate,
        label=f"{rate} at {threshold:g}",
        kernel=Kernel(name=rate, below=below, above=above, square_sum=square_sum),
        value_bounds=(0.0, 1.0),
    )
