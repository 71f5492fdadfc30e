"""Decision cells: subjects alike in class and in what strategies call them, and net benefit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.sample import ScoredSample
from rocstats.data.scan.count_blocks import needs_rows
from rocstats.engine.forecasts import count_forecasts
from rocstats.engine.influence import Influence

__all__ = [
    "Cells",
    "Levels",
    "cell_covariance",
    "gather_cells",
    "gather_levels",
    "joint_calls",
    "net_benefit_influence",
]

_TABLED = 12  # models whose calls have a table of cells


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Subjects of one class who are called alike by every strategy, at one threshold.

    Attributes
    ----------
    called : (S, C) whether a strategy calls the cell positive
    positive : (C,) the cell's class
    size : (C,) number of subjects
    place : (N,) the cell of every subject, where clusters ask for it
    """

    called: Bools
    positive: Bools
    size: Floats
    place: NDArray[np.intp] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """Subjects by how many of the thresholds each model reaches: all that a decision curve reads.

    Attributes
    ----------
    reached : (K, U) thresholds at or below the probability
    positive : (U,) the class
    size : (U,) subjects alike in these; None where each stands for itself, as clusters ask for
    """

    reached: NDArray[np.uint32]
    positive: Bools
    size: Floats | None


def gather_levels(sample: ScoredSample, models: Sequence[int], thresholds: Floats) -> Levels:
    """Gather the subjects for thresholds in increasing order; the models are rows of the sample."""
    read = [count_forecasts(sample, row, "A decision curve") for row in models]
    _, came, count = read[0]
    if came is not None and count is not None:  # a table, which knows one model at a time
        if len(read) > 1:
            raise needs_rows()
        here = np.searchsorted(thresholds, read[0][0].prob, side="right").astype(np.uint32)
        return Levels(reached=here[np.newaxis], positive=came, size=count.astype(np.float64))
    prob = np.array([forecasts.prob for forecasts, _, _ in read])
    reached = np.stack(
        [np.searchsorted(thresholds, row, side="right").astype(np.uint32) for row in prob]
    )
    base = thresholds.size + 1
    if sample.cluster is not None or 2.0 * float(base) ** len(prob) > 0.5 * reached.shape[1]:
        size = None if sample.cluster is not None else np.ones(reached.shape[1])
        return Levels(reached=reached, positive=sample.positive, size=size)
    code = sample.positive.astype(np.int64)
    for k, row in enumerate(reached):
        code += row * (2 * base**k)
    count = np.bincount(code)
    (alike,) = count.nonzero()
    levels = [alike // (2 * base**k) % base for k in range(len(prob))]
    return Levels(
        reached=np.array(levels, dtype=np.uint32),
        positive=alike % 2 == 1,
        size=count[alike].astype(np.float64),
    )


def gather_cells(levels: Levels, threshold: int) -> Cells:
    """Gather the subjects at a threshold, by its number; the strategies are models, all, none."""
    code = levels.positive.astype(np.int64)
    for k, row in enumerate(levels.reached):
        code |= (row > threshold).astype(np.int64) << (k + 1)
    cells, place = np.unique(code, return_inverse=True) if _is_long(levels) else (code, None)
    if place is None:
        count = np.bincount(code, levels.size)
        (cells,) = count.nonzero()
        size = count[cells].astype(np.float64)
        place = (np.cumsum(count > 0) - 1)[code] if levels.size is None else None
    else:
        size = np.bincount(place, levels.size).astype(np.float64)
    bit = (cells >> np.arange(len(levels.reached) + 1)[:, np.newaxis]) & 1 > 0
    whole = np.ones((1, cells.size), dtype=np.bool_)
    return Cells(
        called=np.concatenate([bit[1:], whole, ~whole]),
        positive=bit[0],
        size=size,
        place=place if levels.size is None else None,
    )


def _is_long(levels: Levels) -> bool:
    """Whether the models are so many that their calls are not to be counted by a table."""
    return len(levels.reached) > _TABLED


def joint_calls(cells: Cells) -> Floats:
    """Return (2, S, S) how many positives, and negatives, two strategies both call positive."""
    parts = np.stack([cells.size * cells.positive, cells.size * ~cells.positive])
    joint: Floats = np.einsum("sc,rc,kc->ksr", cells.called, cells.called, parts)
    return joint


def net_benefit_influence(
    cells: Cells, odds: float, prevalence: float | None, *, standardized: bool
) -> tuple[Floats, Floats]:
    """Return (S,) net benefits and (S, C) the influence of a subject in each cell.

    Without a prevalence, subjects are drawn whatever their class; with one, within the classes,
    and influence averages to zero in each of them.
    """
    pos, neg = cells.size * cells.positive, cells.size * ~cells.positive
    tpr, fpr = (
        (cells.called * part).sum(axis=1, keepdims=True) / part.sum() for part in (pos, neg)
    )
    share = float(pos.sum() / cells.size.sum()) if prevalence is None else prevalence
    gain, loss = share * tpr, (1.0 - share) * odds * fpr
    value = gain - loss
    if prevalence is None:
        values = np.where(cells.positive, cells.called, -odds * cells.called) - value
        if standardized:
            values -= value / share * (cells.positive - share)
    else:
        up, down = share * cells.called - gain, loss - (1.0 - share) * odds * cells.called
        values = np.where(cells.positive, up, down)
    scale = share if standardized else 1.0
    return value[:, 0] / scale, values / scale


def cell_covariance(
    cells: Cells, values: Floats, sample: ScoredSample, *, within_classes: bool
) -> Floats:
    """Return the (S, S) covariance of what has the given influence; nan with one unit."""
    unknown = np.full((len(values), len(values)), math.nan)
    if cells.place is not None:
        stratum = sample.positive.astype(np.intp) * within_classes
        influence = Influence(
            estimate=np.zeros(len(values)),
            values=values[:, cells.place],
            stratum=stratum,
            rows=tuple((str(i), "net_benefit") for i in range(len(values))),
            cluster=sample.cluster,
        )
        return influence.covariance() if influence.units().min() > 1 else unknown
    total = np.zeros_like(unknown)
    for part in (cells.positive, ~cells.positive) if within_classes else (cells.size > 0.0,):
        size = cells.size * part
        units = size.sum()
        if units < 2.0:
            return unknown
        total += np.einsum("sc,rc,c->sr", values, values, size) / (units * (units - 1.0))
    return total
