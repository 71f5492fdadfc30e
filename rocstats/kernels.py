"""Kernels: how far one score beats another, as cumulative sums over sorted scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocstats.blocks import Blocks, Floats, slabs

__all__ = ["RAMP", "STEP", "Kernel", "dot", "pairwise_kernel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel k(a, b), given by the sums that the engine needs of it.

    Attributes
    ----------
    below : ``below(blocks, mass)[k] = sum_l mass_l k(z_k, z_l)``, a new array
    above : ``above(blocks, mass)[k] = sum_l mass_l k(z_l, z_k)``, a new array
    square_sum : ``sum_kl n_pos_k n_neg_l k(z_k, z_l)**2``, for the unbiased variance
    uses_scores : False if only the order of the scores matters (infinite scores are then allowed)
    """

    name: str
    below: Callable[[Blocks, Floats], Floats]
    above: Callable[[Blocks, Floats], Floats]
    square_sum: Callable[[Blocks], float]
    uses_scores: bool = True


def dot(*arrays: Floats) -> float:
    """Return the sum of the products: exact for counts, without temporaries or BLAS threads."""
    terms = ",".join("i" * len(arrays))
    return math.fsum(
        float(np.einsum(f"{terms}->", *(a[s] for a in arrays))) for s in slabs(arrays[0].size)
    )


def _step_below(blocks: Blocks, mass: Floats) -> Floats:
    total = np.cumsum(mass)
    for s in slabs(mass.size):
        total[s] -= 0.5 * mass[s]
    return total


def _step_above(blocks: Blocks, mass: Floats) -> Floats:
    return _step_below(blocks, mass[::-1])[::-1]


def _step_square_sum(blocks: Blocks) -> float:
    wins = dot(blocks.n_pos, np.cumsum(blocks.n_neg) - blocks.n_neg)
    return wins + 0.25 * dot(blocks.n_pos, blocks.n_neg)


def _ramp_sums(score: Floats, mass: Floats) -> Floats:
    """Sum, over the gaps passed so far, of gap times mass behind it.

    No term is negative, so an offset of the scores costs no accuracy (STATISTICS.md 3.4).
    """
    sums = np.zeros_like(mass)
    behind = gained = 0.0
    for s in slabs(mass.size - 1):
        seen = np.cumsum(mass[s])
        seen += behind
        behind = seen[-1]
        seen *= np.abs(np.diff(score[s.start : s.stop + 1]))
        piece = np.cumsum(seen, out=sums[s.start + 1 : s.stop + 1])
        piece += gained
        gained = piece[-1]
    return sums


def _ramp_below(blocks: Blocks, mass: Floats) -> Floats:
    return _ramp_sums(blocks.score, mass)


def _ramp_above(blocks: Blocks, mass: Floats) -> Floats:
    return _ramp_sums(blocks.score[::-1], mass[::-1])[::-1]


def _ramp_square_sum(blocks: Blocks) -> float:
    gap = np.diff(blocks.score)
    seen = np.cumsum(blocks.n_neg[:-1])
    first = _ramp_below(blocks, blocks.n_neg)[:-1]
    return dot(blocks.n_pos[1:], np.cumsum(gap * (2.0 * first + gap * seen)))


STEP = Kernel(
    name="step",
    below=_step_below,
    above=_step_above,
    square_sum=_step_square_sum,
    uses_scores=False,
)
RAMP = Kernel(name="ramp", below=_ramp_below, above=_ramp_above, square_sum=_ramp_square_sum)


def pairwise_kernel(name: str, function: Callable[[Floats, Floats], Floats]) -> Kernel:
    """Make a kernel of any vectorised ``function(a, b)``, at quadratic cost in time.

    The pairs are visited a slab at a time, so memory stays linear. A kernel worth keeping deserves
    cumulative sums of its own.

    Examples
    --------
    >>> import numpy as np
    >>> squared = pairwise_kernel("squared ramp", lambda a, b: np.maximum(a - b, 0.0) ** 2)
    >>> squared.name
    'squared ramp'
    """

    def sums(blocks: Blocks, term: Callable[[Floats, Floats], Floats], mass: Floats) -> Floats:
        score = blocks.score
        step = max(1, 2**20 // score.size)
        slabs = (score[i : i + step, np.newaxis] for i in range(0, score.size, step))
        return np.concatenate([(term(slab, score) * mass).sum(axis=1) for slab in slabs])

    return Kernel(
        name=name,
        below=lambda blocks, mass: sums(blocks, function, mass),
        above=lambda blocks, mass: sums(blocks, lambda b, a: function(a, b), mass),
        square_sum=lambda blocks: dot(
            blocks.n_pos, sums(blocks, lambda a, b: function(a, b) ** 2, blocks.n_neg)
        ),
    )
