"""Decision cells: subjects alike in class and in what strategies call them, and net benefit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.sample import ScoredSample
from rocstats.engine.influence import Influence

__all__ = ["Cells", "cell_covariance", "gather_cells", "joint_calls", "net_benefit_influence"]


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


def gather_cells(prob: Floats, sample: ScoredSample, threshold: float) -> Cells:
    """Gather the subjects; the strategies are the rows of `prob`, all and none."""
    code = sample.positive.astype(np.int64)
    for k, row in enumerate(prob):
        code |= (row >= threshold).astype(np.int64) << (k + 1)
    place = None
    if sample.cluster is None:
        cells, size = np.unique(code, return_counts=True)
    else:
        cells, place, size = np.unique(code, return_inverse=True, return_counts=True)
    bit = (cells >> np.arange(len(prob) + 1)[:, np.newaxis]) & 1 > 0
    whole = np.ones((1, cells.size), dtype=np.bool_)
    return Cells(
        called=np.concatenate([bit[1:], whole, ~whole]),
        positive=bit[0],
        size=size.astype(np.float64),
        place=place,
    )


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
