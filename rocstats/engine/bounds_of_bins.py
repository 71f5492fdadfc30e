"""How far off an area, its standard error and covariances may be where scores are in bins.

Pairs within a bin are undecided. A subject's influence, worked out with bins as ties, is off by
half of what the other class has in its bin; where a window of a partial area opens or closes within
a bin, by all that the bin has. A standard deviation is a norm, so it is off by no more than the
norm of such errors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks
from rocstats.data.sample import ScoredSample
from rocstats.data.scan.scored_table import ScoredTable
from rocstats.engine.measures import Measure
from rocstats.engine.windows import Corner, Window

__all__ = ["covariance_bound", "estimate_bounds"]

Spreads = tuple[float, float]  # standard deviations of the influence of positives, of negatives


def estimate_bounds(
    sample: ScoredSample, row: int, measure: Measure, value: float, spreads: Spreads
) -> dict[str, Any]:
    """Return how far off the area of a marker and its standard error may be, by name.

    Empty where every distinct score is counted. With clusters nothing is known of the standard
    error.
    """
    table = cast("ScoredTable", sample)
    if table.is_exact or not table.sketch_of(row).shift:
        return {}
    sketch = table.sketch_of(row)
    low, high = sketch.auc_bounds()
    window = measure.kernel.window
    half = 0.5 * (high - low) * (1.0 if window is None else abs(window.scale[1]))
    least, largest = measure.value_bounds
    found = {"value_low": max(value - half, least), "value_high": min(value + half, largest)}
    if table.is_plain:
        errors, sizes = _errors(table, row, measure), (table.n_pos, table.n_neg)
        for name, sign in (("std_error_low", -1.0), ("std_error_high", 1.0)):
            ends = [max(s + sign * e, 0.0) for s, e in zip(spreads, errors, strict=True)]
            found[name] = math.hypot(*(e / math.sqrt(n) for e, n in zip(ends, sizes, strict=True)))
    return {"exact": False, **found}


def covariance_bound(
    sample: ScoredSample, rows: Sequence[tuple[int, Measure]], spreads: Sequence[Spreads]
) -> Floats | None:
    """Return how far off each covariance of rows may be; None where none is, or none is known."""
    table = cast("ScoredTable", sample)
    if table.is_exact or not table.is_plain:
        return None
    spread = np.array(spreads)
    error = np.array([_errors(table, row, measure) for row, measure in rows])
    found = np.zeros((len(rows), len(rows)))
    for k, size in enumerate((table.n_pos, table.n_neg)):
        s, e = spread[:, k], error[:, k]
        found += (np.outer(s, e) + np.outer(e, s) + np.outer(e, e)) / size
    return found


def _errors(table: ScoredTable, row: int, measure: Measure) -> Spreads:
    """Return how far the spread of influence may be off, of positives and of negatives."""
    if not table.sketch_of(row).shift:
        return 0.0, 0.0
    blocks = table.blocks(row)
    m, n = blocks.sizes
    errors = [0.5 * blocks.n_neg / n, 0.5 * blocks.n_pos / m]  # of a positive, of a negative
    window = measure.kernel.window
    if window is not None:
        errors = [error * abs(window.scale[1]) for error in _within(window, blocks, errors)]
    totals = blocks.sum_pos, blocks.sum_neg
    return tuple(  # type: ignore[return-value]
        math.sqrt(total(error, error) / max(size - 1, 1))
        for total, error, size in zip(totals, errors, (m, n), strict=True)
    )


def _within(window: Window, blocks: Blocks, errors: list[Floats]) -> list[Floats]:
    """Return the errors where counts are clipped to a window that is known up to bins.

    Clipped values are off by no more than the values, or the limits, whichever are more.
    """
    step, own = (1, 1) if window.axis == "fpr" else (-1, 0)  # its own class: negatives, positives
    box = window.box(blocks)
    count = (blocks.n_pos, blocks.n_neg)[own][::step]
    walked = [error[::step].copy() for error in errors]
    limits = 0.0
    for corner in (box.opens, box.closes):
        cut = _cut_bins(corner, count)
        limits += 2.0 * float(walked[own][cut].sum())
        walked[1 - own][cut] *= 2.0
    np.maximum(2.0 * walked[own], limits, out=walked[own])
    return [error[::step] for error in walked]


def _cut_bins(corner: Corner, own: Floats) -> slice:
    """Return the bins within which the curve may pass a corner."""
    behind = np.flatnonzero(own[corner.block + 1 :] > 0.0)
    last = corner.block + 1 + int(behind[0]) if behind.size else own.size - 1
    return slice(max(corner.block, 0), last + 1)
