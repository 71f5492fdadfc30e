"""Kernels: how far one score beats another, as cumulative sums over sorted scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.engine.windows import Window

__all__ = ["RAMP", "STEP", "Kernel", "pairwise_kernel", "step_within"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel k(a, b), given by the sums that the engine needs of it.

    Where `sums_pairs` holds, `below` and `above` sum the same k over the same pairs, one by the
    winner and one by the loser. Every influence rests on that; sums that differ are refused.

    Parameters
    ----------
    name : str
        Its name.
    below : callable
        ``below(blocks, mass)[k] = sum_l mass_l k(z_k, z_l)``; `mass` may be overwritten.
    above : callable
        ``above(blocks, mass)[k] = sum_l mass_l k(z_l, z_k)``; likewise.
    square_sum : callable
        ``sum_kl n_pos_k n_neg_l k(z_k, z_l)**2``, for the unbiased variance.
    uses_scores : bool, default True
        False if only the order of the scores matters (infinite scores are then allowed).
    counts_wins : bool, default False
        Whether the kernel is that of the AUC: 1, 1/2 or 0.
    window : Window, optional
        The part of the ROC plane that the sums are clipped to.
    sums_pairs : bool, default True
        Whether `below` and `above` are those sums over pairs; False for the derivatives of some
        other value, which then are centred within each class.

    See Also
    --------
    pairwise_kernel : Make a kernel of any function of two scores.
    Measure : A membership and a kernel.
    """

    name: str
    below: Callable[[Blocks, Floats], Floats]
    above: Callable[[Blocks, Floats], Floats]
    square_sum: Callable[[Blocks], float]
    uses_scores: bool = True
    counts_wins: bool = False
    window: Window | None = None
    sums_pairs: bool = True


def _step_below(blocks: Blocks, mass: Floats) -> Floats:
    seen = 0.0
    for s in slabs(mass.size):
        piece = mass[s]
        half = 0.5 * piece
        np.cumsum(piece, out=piece)
        piece += seen
        seen = float(piece[-1])
        piece -= half
    return mass


def _step_above(blocks: Blocks, mass: Floats) -> Floats:
    return _step_below(blocks, mass[::-1])[::-1]


def _step_square_sum(blocks: Blocks) -> float:
    n_neg = blocks.n_neg
    wins = blocks.sum_pos(np.cumsum(n_neg) - n_neg)
    return wins + 0.25 * blocks.sum_pos(n_neg)


def _ramp_sums(score: Floats, mass: Floats, sign: float) -> Floats:
    """Sum, over the gaps passed so far, of gap times mass behind it; in the place of `mass`.

    No term is negative, so an offset of the scores costs no accuracy (STATISTICS.md 3.4).
    """
    behind = gained = 0.0
    previous = score[0]
    for s in slabs(mass.size):
        piece, reached = mass[s], score[s]
        seen = np.cumsum(piece)
        seen += behind
        behind = float(seen[-1])
        seen -= piece  # the mass behind a gap ends where the gap begins
        gap = np.empty_like(reached)
        gap[0] = reached[0] - previous
        np.subtract(reached[1:], reached[:-1], out=gap[1:])
        previous = reached[-1]
        seen *= gap
        seen *= sign
        np.cumsum(seen, out=piece)
        piece += gained
        gained = float(piece[-1])
    return mass


def _ramp_below(blocks: Blocks, mass: Floats) -> Floats:
    return _ramp_sums(blocks.score, mass, 1.0)


def _ramp_above(blocks: Blocks, mass: Floats) -> Floats:
    return _ramp_sums(blocks.score[::-1], mass[::-1], -1.0)[::-1]


def _ramp_square_sum(blocks: Blocks) -> float:
    gap = np.diff(blocks.score, prepend=blocks.score[0])
    behind = np.cumsum(blocks.n_neg) - blocks.n_neg
    before = np.append(0.0, _ramp_below(blocks, blocks.n_neg)[:-1])
    return blocks.sum_pos(np.cumsum(gap * (2.0 * before + gap * behind)))


STEP = Kernel(
    name="step",
    below=_step_below,
    above=_step_above,
    square_sum=_step_square_sum,
    uses_scores=False,
    counts_wins=True,
)
RAMP = Kernel(name="ramp", below=_ramp_below, above=_ramp_above, square_sum=_ramp_square_sum)


@dataclass(frozen=True, slots=True)
class _Within:
    """A sum of the step kernel, clipped to a window; the masses are the counts of a class."""

    side: Literal["below", "above"]
    window: Window

    def __call__(self, blocks: Blocks, mass: Floats) -> Floats:
        window, box = self.window, self.window.box(blocks)
        own = (self.side == "below") == (window.axis == "fpr")
        low, high, outside = box.own_range() if own else box.other_range()
        level, slope = window.scale
        level *= float(mass.sum())
        step = 1 if window.axis == "fpr" else -1  # the window walks up the scores, or down
        cut = [(k, (shift if own else -shift) * float(mass[::step][k])) for k, shift in box.cut()]
        sums = (_step_below if self.side == "below" else _step_above)(blocks, mass)
        mended = [(k, float(sums[::step][k]) + shift) for k, shift in cut]
        for s in slabs(sums.size):
            piece = np.clip(sums[s], low, high, out=sums[s])
            piece -= outside
            piece *= slope
            piece += level
        for k, value in mended:
            sums[::step][k] = slope * (value - outside) + level
        return sums


def step_within(window: Window) -> Kernel:
    """Return the step kernel confined to a window: its mean is the partial area."""
    return Kernel(
        name=f"step within {window}",
        below=_Within("below", window),
        above=_Within("above", window),
        square_sum=_step_square_sum,  # of the whole plane: there alone it is a mean of pairs
        uses_scores=False,
        counts_wins=True,
        window=window,
        sums_pairs=window.is_whole,
    )


def pairwise_kernel(name: str, function: Callable[[Floats, Floats], Floats]) -> Kernel:
    """Make a kernel of any vectorised ``function(a, b)``, at quadratic cost in time.

    The pairs are visited a slab at a time, so memory stays linear. A kernel worth keeping deserves
    cumulative sums of its own.

    Parameters
    ----------
    name : str
        Its name.
    function : callable
        ``function(a, b)`` of two arrays of scores that are spread against each other: what a
        positive's score ``a`` is worth beside a negative's ``b``.

    Returns
    -------
    Kernel
        The kernel, for a `Measure`.

    See Also
    --------
    Kernel : What two scores are worth to each other.
    Measure : A membership and a kernel.

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
        square_sum=lambda blocks: blocks.sum_pos(
            sums(blocks, lambda a, b: function(a, b) ** 2, blocks.n_neg)
        ),
    )
