"""How many pairs win by more than each of many even margins, without a search for every margin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.engine import compiled

__all__ = ["MOST_STEPS", "wins_over_margins"]

MOST_STEPS = 256  # cells fit nine binary digits
_CELL = 511
_NEGATIVE = 512
_FINE = 52  # binary digits of an offset within its cell
_RUN = 96  # subjects whose pairs are counted one by one
_RUN_OF_KERNEL = 256  # which counts them faster than it transforms
_AT_ONCE = 2**16  # subjects worked on at a time
_LENGTH = 540  # of a convolution: more than twice the steps, and quick to transform


def wins_over_margins(pos: Floats, neg: Floats, steps: int) -> Floats:
    """Return the number of pairs with ``y - x > k h``, k from 0 to `steps`, ``steps h`` the most.

    Both are sorted. Scores lie in cells of width h, at an offset within their cell: a positive in
    cell a wins over a negative in cell b where a - b > k, and where it is k if its offset is the
    larger. So pairs are counted by a - b: all of them, and those in the order of the offsets; the
    latter by convolution between runs of that order, and one by one within a run.
    """
    low, width = neg[0], (pos[-1] - neg[0]) / steps
    keys = [_keys(pos[pos >= low] - low, width), _keys(neg[neg <= pos[-1]] - low, width)]
    counts = [np.bincount(k & _CELL, minlength=steps + 1).astype(np.float64) for k in keys]
    apart = np.correlate(counts[0], counts[1], "full")[steps:]
    beyond = np.append(np.cumsum(apart[:0:-1])[::-1], 0.0)
    ranked = np.concatenate([keys[0], keys[1] | _NEGATIVE])  # at one offset, positives come first
    ranked.sort()
    within = compiled.cells_apart(ranked, _RUN_OF_KERNEL, steps)
    run = _RUN if within is None else _RUN_OF_KERNEL
    if within is None:
        within = _within_runs(ranked, steps)
    return np.asarray(beyond + _between_runs(ranked, steps, run) + within)


def _keys(score: Floats, width: float) -> NDArray[np.int64]:
    """Return offsets and cells as integers that sort by the offset."""
    cell = np.floor(score / width)
    for _ in range(2):  # the quotient may have been rounded up to the next cell
        offset = score - cell * width
        cell -= offset < 0.0
        cell += offset >= width
    fine = np.clip(offset / width, 0.0, 1.0 - 2.0**-_FINE) * 2.0**_FINE
    return fine.astype(np.int64) << 10 | cell.astype(np.int64)


def _between_runs(ranked: NDArray[np.int64], steps: int, run: int) -> Floats:
    """Count by cells apart the pairs of a negative and a positive in a later run."""
    size, length = steps + 1, _LENGTH
    total = np.zeros(length // 2 + 1, dtype=np.complex128)
    seen = np.zeros(size)
    for s in slabs(ranked.size, _AT_ONCE // run * run):  # whole runs
        piece = ranked[s]
        cell, is_neg = piece & _CELL, piece & _NEGATIVE > 0
        # Positives from the other end, so that cells add up to `steps` less how far apart they are.
        place = np.where(is_neg, cell, steps - cell) + np.arange(piece.size) // run * size
        shape = -(-piece.size // run), size
        pos, neg = (
            np.bincount(place[of], minlength=shape[0] * size).reshape(shape).astype(np.float64)
            for of in (~is_neg, is_neg)
        )
        before = np.cumsum(neg, axis=0)
        before -= neg
        before += seen
        seen += neg.sum(axis=0)
        total += np.einsum(
            "rf,rf->f", np.fft.rfft(pos, length, axis=1), np.fft.rfft(before, length, axis=1)
        )
    return np.rint(np.fft.irfft(total, length)[steps::-1])


def _within_runs(ranked: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """Count by cells apart the pairs of a negative and a positive after it in its run."""
    # A positive's number is so much larger that the differences of such pairs stand alone; others
    # are counted, too, each where it falls: in one place they would wait for one another.
    apart, places = 4 * _CELL, 2**13
    size = -(-ranked.size // _RUN) * _RUN
    number = np.full(size, -apart, dtype=np.int16)  # what fills the last run
    number[: ranked.size] = np.where(
        ranked & _NEGATIVE > 0, ranked & _CELL, (ranked & _CELL) + apart
    )
    runs = number.reshape(-1, _RUN)
    total = np.zeros(places, dtype=np.int64)
    for s in slabs(len(runs), _AT_ONCE // _RUN):
        piece = runs[s].T.copy()
        for lag in range(1, _RUN):
            found = piece[lag:] - piece[:-lag]
            found &= places - 1
            total += np.bincount(found.ravel(), minlength=places)
    return total[apart : apart + steps + 1]
