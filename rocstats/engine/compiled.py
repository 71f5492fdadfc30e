"""The compiled kernel, where this installation has one: the engine's slowest loops in C.

Each function has a twin in numpy, which its caller takes where the answer is None or False. Both
give the same numbers: sums of counts are exact, and draws come from the same stream.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data import installed_kernel
from rocstats.data.blocks import Blocks

__all__ = [
    "PlacementSums",
    "add_products",
    "add_swaps",
    "cells_apart",
    "combined_tails",
    "draw_best",
    "draw_bytes",
    "draw_counts",
    "draw_heights",
    "draw_shares",
    "draw_wins",
    "is_there",
    "null_statistics",
    "path_heights",
    "place",
    "soft_area",
]


def is_there() -> bool:
    """Return whether there is a kernel."""
    return installed_kernel.kernel() is not None


@cache
def _drawing() -> ModuleType | None:
    """Return the kernel, if it draws what this version of numpy draws."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    for size, narrow in ((40_000, np.uint16), (70_000, np.uint32)):
        ours, theirs = np.random.default_rng(size), np.random.default_rng(size)
        counts = np.empty(size, dtype=np.int64)
        kernel.draw_counts(ours.bit_generator.capsule, size, counts)
        drawn = theirs.integers(0, size, size=size, dtype=narrow)
        found = np.empty(size + 1, dtype=np.uint8)
        kernel.draw_bytes(ours.bit_generator.capsule, size + 1, found)
        bits = theirs.integers(0, 256, size=size + 1, dtype=np.uint8)
        if not ((counts == np.bincount(drawn, minlength=size)).all() and (found == bits).all()):
            return None
    return kernel


class PlacementSums(NamedTuple):
    """Exact sums over m positives and n negatives.

    Each passes so many of the other class, ties counting half; these are twice the sum, and four
    times the sums of squares.
    """

    m: int
    n: int
    wins: int
    pos_squares: int
    neg_squares: int


def place(score: Floats, positive: Bools, influence: Floats | None = None) -> PlacementSums | None:
    """Return sums of placements without sorting, and fill in every subject's influence on the AUC.

    None where there is no kernel, or where it cannot tell the scores apart: infinite ones, say.
    """
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    found = kernel.placements(
        np.ascontiguousarray(score, dtype=np.float64), np.ascontiguousarray(positive), influence
    )
    if found is None:
        return None
    m, n, wins, pos_high, pos_low, neg_high, neg_low = found
    return PlacementSums(m, n, wins, (pos_high << 64) + pos_low, (neg_high << 64) + neg_low)


def soft_area(
    blocks: Blocks,
    midpoint: float,
    weights: tuple[float, float],
    moved: tuple[float, float, float, float],
) -> tuple[float, float, float] | None:
    """Return an area of `appropriateness`, and sums of squares of the centred influence.

    `weights` are those of a positive and of a negative; so are the sums. `moved` has slopes and
    means: to the influence slope (score - mean) is added. None where there is no kernel, or where
    an axis has no length.
    """
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    counts = (blocks.label, None) if blocks.last is None else (blocks.n_pos, blocks.n_neg)
    found: tuple[float, float, float] | None
    found = kernel.soft_area(
        np.ascontiguousarray(blocks.score), *counts, midpoint, *weights, *blocks.sizes, *moved
    )
    return found


def add_products(values: Floats, stratum: NDArray[np.intp], terms: Floats) -> bool:
    """Add to the upper half of terms[k] the products of rows over the columns of stratum k."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return False
    kernel.products(np.ascontiguousarray(values), np.ascontiguousarray(stratum), terms)
    return True


def combined_tails(
    values: Floats, stratum: NDArray[np.intp], weights: Floats, strata: int
) -> Floats | None:
    """Return what `tailed_df` gives ``weights @ values`` within each stratum."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    found = np.empty(strata)
    kernel.tails(np.ascontiguousarray(values), np.ascontiguousarray(stratum), weights, found)
    return found


def draw_counts(rng: np.random.Generator, size: int, b: int) -> Ints | None:
    """Return how often each of `size` subjects is in b resamples, as `Generator.integers` draws."""
    kernel = _drawing()
    if kernel is None:
        return None
    counts = np.empty((b, size), dtype=np.int64)
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_counts(rng.bit_generator.capsule, size, counts)
    return counts


def draw_shares(rng: np.random.Generator, size: int, b: int) -> Floats | None:
    """Return (b, size + 1) shares of the resamples among the last k subjects, from none to all."""
    kernel = _drawing()
    if kernel is None:
        return None
    shares = np.empty((b, size + 1))
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_counts(rng.bit_generator.capsule, size, shares)
    return shares


def path_heights(
    x: Floats,
    y: Floats,
    vertices: tuple[NDArray[np.intp], NDArray[np.intp]],
    grid: Floats,
    near: float,
) -> Floats | None:
    """Return the (b, G) heights over a grid of paths through columns of x and y."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    heights = np.empty((len(x), grid.size))
    at_x, at_y = (np.ascontiguousarray(at, dtype=np.int64) for at in vertices)
    kernel.heights(
        np.ascontiguousarray(x), np.ascontiguousarray(y), at_x, at_y, grid, near, heights
    )
    return heights


def draw_wins(
    rng: np.random.Generator, size: int, batch: int, negatives: int, below: Ints, upto: Ints | None
) -> Ints | None:
    """Return the wins of the positives in `size` resamples, drawn `batch` at a time.

    `below` and `upto` say how many negatives, which are ordered by score, each positive passes;
    wins count both, or `below` alone.
    """
    kernel = _drawing()
    if kernel is None:
        return None
    wins = np.empty(size, dtype=np.int64)
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_wins(rng.bit_generator.capsule, batch, negatives, below, upto, wins)
    return wins


def draw_best(
    rng: np.random.Generator,
    size: int,
    batch: int,
    below: tuple[NDArray[np.intp], NDArray[np.intp]],
    cells: tuple[NDArray[np.uint16], NDArray[np.uint16]] | None,
    worth: tuple[Floats, Floats],
    join: np.ufunc,
    limits: tuple[int, int],
) -> Ints | None:
    """Return the best vertex of `size` resamples, drawn `batch` at a time, as (size, 4) counts.

    `below` says how many positives and negatives, which come by score, lie below each vertex; with
    `cells` how many units of each class, and of which unit every one of the 65,536 tickets is that
    are drawn from. `worth` is of each number of true and false positives, and `join` makes the
    score of both; `limits` are true positives at least and false ones at most. A line has the best
    vertex, -1 where none is within the limits, the next where more are called positive, and counts.
    """
    kernel = _drawing()
    if kernel is None:
        return None
    found = np.empty((size, 4), dtype=np.int64)
    how = (np.subtract, np.multiply, np.minimum).index(join)
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_best(
            *(rng.bit_generator.capsule, batch, *below, *worth, *(cells or (None, None))),
            *(how, *limits, found),
        )
    return found


def draw_heights(
    rng: np.random.Generator,
    size: int,
    batch: int,
    below: tuple[NDArray[np.intp], NDArray[np.intp]],
    grid: Floats,
    near: float,
) -> Floats | None:
    """Return the (size, G) heights over a rising grid of the paths of resamples.

    They are drawn `batch` at a time; `below` is as for `draw_best`.
    """
    kernel = _drawing()
    if kernel is None:
        return None
    heights = np.empty((size, grid.size))
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_heights(rng.bit_generator.capsule, batch, *below, grid, near, heights)
    return heights


def draw_bytes(
    rng: np.random.Generator, b: int, lines: int, width: int
) -> NDArray[np.uint8] | None:
    """Return (b, width) bytes, drawn so many lines at a time, as `Generator.integers` draws."""
    kernel = _drawing()
    if kernel is None:
        return None
    drawn = np.empty((b, width), dtype=np.uint8)
    with rng.bit_generator.lock:  # as numpy holds it
        kernel.draw_bytes(rng.bit_generator.capsule, lines * width, drawn)
    return drawn


def add_swaps(coins: NDArray[np.uint8], table: Floats) -> Floats | None:
    """Return for each line of bits, four at a time, the sum of ``table[k, bits]`` from the left."""
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    sums = np.empty(len(coins))
    kernel.swap_sums(coins, table, sums)
    return sums


def cells_apart(keys: Ints, run: int, steps: int) -> Ints | None:
    """Return the pairs of a negative and a later positive of its run, by cells from 0 to `steps`.

    A key ends in nine digits of its cell and, above them, whether it is a negative's.
    """
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    found = np.empty(steps + 1, dtype=np.int64)
    kernel.cells_apart(keys, run, found)
    return found


def null_statistics(nulls: Floats, areas: tuple[Floats, ...], numbers: Floats) -> Floats | None:
    """Return statistics of one contrast at its nulls, and their degrees of freedom, as two lines.

    `areas` are a `NullVariance`'s areas, variances, sizes, weights, stiffness and correlation, and
    `numbers` its estimate, variance, share, df, tailed, and what losses its priors are worth. None
    where there is no kernel, or too many areas for it.
    """
    kernel = installed_kernel.kernel()
    if kernel is None:
        return None
    found = np.empty((2, nulls.size))
    done = kernel.null_statistics(np.ascontiguousarray(nulls), *areas, numbers, found)
    return found if done else None
