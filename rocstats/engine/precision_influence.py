"""Average precision as a function of sorted scores, and every subject's influence on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.data.sample import ScoredSample
from rocstats.engine.influence import Influence

__all__ = ["Sampling", "joined_area", "joined_pieces", "precision_influence", "sample_precision"]

Sampling = Literal["stratified", "cohort"]
Pair = tuple[Floats, Floats]


def sample_precision(sample: ScoredSample, row: int, sampling: Sampling) -> Influence:
    """Return the average precision of a marker with its influence, class sizes fixed or not."""
    blocks = sample.blocks(row, ordered=True)
    value, pos, neg, drift = precision_influence(blocks)
    m, n = sample.n_pos, sample.n_neg
    if sampling == "cohort":
        pos = (m + n) / m * pos + n / (m + n) * drift
        neg = (m + n) / n * neg - m / (m + n) * drift
    values = np.empty((1, m + n))
    values[0, blocks.order] = blocks.by_place(pos, neg)
    return Influence(
        components="influence values",
        estimate=np.array([value]),
        values=values,
        stratum=sample.positive.astype(np.intp) * (sampling == "stratified"),
        rows=((sample.markers[row], "ap"),),
        subject=sample.subject,
        cluster=sample.cluster,
    )


def precision_influence(blocks: Blocks) -> tuple[float, Floats, Floats, float]:
    """Return average precision, its influence by block in each class, and its drift.

    The influence is for fixed class sizes and averages to zero within each class; the drift is
    the derivative with respect to the prevalence.
    """
    m, n = blocks.sizes
    pos, neg = np.empty((2, blocks.n_blocks))
    value, pulls, drift = [], [0.0, 0.0], []
    for s, (n_pos, _), (tp, fp) in _from_below(blocks):
        called = tp + fp
        precision = tp / called
        pull = n_pos / called**2
        for k, (out, away) in enumerate(((pos, fp), (neg, tp))):
            step = pull * away
            step[0] += pulls[k]
            pulls[k] = float(np.cumsum(step, out=out[s])[-1])
        pos[s] += precision
        value.append(float((n_pos * precision).sum()))
        drift.append(float((pull * tp * fp).sum()))
    neg *= -(n / m)
    pos -= blocks.sum_pos(pos) / m
    neg -= blocks.sum_neg(neg) / n
    return math.fsum(value) / m, pos, neg, math.fsum(drift) * ((m + n) / m) ** 2 / n


def _from_below(blocks: Blocks) -> Iterator[tuple[slice, Pair, Pair]]:
    """Yield slabs of blocks, their counts, and the counts of both classes at or above each."""
    left = blocks.sizes
    for s in slabs(blocks.n_blocks):
        n_pos, n_neg = blocks.counts(s)
        tp, fp = (rest - np.cumsum(n) for rest, n in zip(left, (n_pos, n_neg), strict=True))
        left = int(tp[-1]), int(fp[-1])
        yield s, (n_pos, n_neg), (tp + n_pos, fp + n_neg)


def joined_area(blocks: Blocks) -> float:
    """Return the area with points joined as Davis & Goadrich (2006) do."""
    area = [
        joined_pieces(*(a[n[0] > 0.0] for a in (*n, above[0] - n[0], above[1] - n[1])))[::-1].sum()
        for _, n, above in _from_below(blocks)
    ]
    return math.fsum(area) / blocks.sizes[0]


def joined_pieces(rise: Floats, run: Floats, tp: Floats, fp: Floats) -> Floats:
    """Return the areas, times the positives, under pieces that rise and run from counts."""
    slope = 1.0 + run / rise
    offset = fp - (slope - 1.0) * tp
    called = np.maximum(tp + fp, 1.0)  # no one is called at first; the offset is 0
    return np.asarray(rise / slope - offset / slope**2 * np.log1p(slope * rise / called))
