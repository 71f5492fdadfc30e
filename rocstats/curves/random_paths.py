"""Random ROC curves: many paths at once, each by cumulative sums over sorted subjects.

Two laws. *Resamples* draw subjects again within their classes. *Spacings* draw what the true rates
at the observed scores may be: the true survival function, at its own ordered sample of n, is n
ordered uniforms whatever the distribution, and n + 1 exponentials over their sum are their gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.roc import RocCurve
from rocstats.data.blocks import slabs
from rocstats.data.sample import ScoredSample
from rocstats.engine.compiled import draw_heights, draw_shares, path_heights
from rocstats.resampling.chunks import Rng, as_seed, run_chunks
from rocstats.resampling.urn import Index, Urn, make_urn

__all__ = ["Walk", "displacements", "resampled_heights", "spacing_heights"]

_BATCH = 2**15  # subjects of all paths that are worked on at a time
_NEAR = 1e-12  # rates closer than this are the same rate
_GAMMA_COST = 8  # a gamma deviate costs about as much as so many exponential ones
_LINES = 1024  # lines across the curves along which displacements are measured


class Walk:
    """Vertices of many paths, told by the columns of their coordinates.

    Vertex v of path i is ``x[i, at_x[v]], y[i, at_y[v]]``; rows of x and y do not fall.
    """

    def __init__(self, at_x: Index, at_y: Index) -> None:
        self.at_x, self.at_y = at_x, at_y
        # By the number of columns at or left of a rate: the last vertex there, or -1.
        self.last = np.searchsorted(at_x, np.arange(-1, int(at_x[-1]) + 1), side="right") - 1

    def heights(self, x: Floats, y: Floats, grid: Floats) -> Floats:
        """Return the (b, G) heights over a grid: linear, and the top of a vertical piece.

        Left of its first vertex a path has height 0. Several rows of x must lie within [0, 1].
        """
        quick = path_heights(x, y, (self.at_x, self.at_y), grid, _NEAR)
        return self._by_numpy(x, y, grid) if quick is None else quick

    def _by_numpy(self, x: Floats, y: Floats, grid: Floats) -> Floats:
        rows, columns = x.shape
        row = np.arange(rows)[:, np.newaxis]
        # Rows are set 2 apart, so that one search finds the columns at or left of every rate.
        apart = x if rows == 1 else x + 2.0 * row
        place = np.searchsorted(apart.ravel(), (grid + _NEAR + 2.0 * row).ravel(), side="right")
        passed = place.reshape(rows, grid.size) - columns * row
        vertex = self.last[np.minimum(passed, self.last.size - 1)]
        here = np.maximum(vertex, 0)
        there = np.minimum(here + 1, self.at_x.size - 1)
        left, low = x[row, self.at_x[here]], y[row, self.at_y[here]]
        width = x[row, self.at_x[there]] - left
        share = np.divide(grid - left, width, out=np.zeros_like(left), where=width > 0.0)
        found: Floats = low + np.clip(share, 0.0, 1.0) * (y[row, self.at_y[there]] - low)
        found[vertex < 0] = 0.0
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """Units of both classes by falling score.

    Attributes
    ----------
    urn : what is drawn from
    pos, neg : order of the units of each class
    tp, fp : (V,) units passed at each vertex
    """

    urn: Urn
    pos: Index | slice
    neg: Index | slice
    tp: Index
    fp: Index

    @classmethod
    def of(cls, sample: ScoredSample, marker: int) -> _Order:
        urn, score = make_urn(sample, [marker]), -sample.oriented(marker)
        vertex = -sample.blocks(marker).score[::-1]
        order: list[Index | slice] = []
        passed = []
        for units in (urn.pos, urn.neg):
            mine = score[units]
            rising = bool((mine[1:] <= mine[:-1]).all())
            order.append(slice(None, None, -1) if rising else np.argsort(mine, kind="stable"))
            ranked = mine[order[-1]]
            passed.append(np.append(0, np.searchsorted(ranked, vertex, side="right")))
        return cls(urn, order[0], order[1], passed[0], passed[1])

    @property
    def is_plain(self) -> bool:
        """Whether subjects are drawn one by one, and come by rising score."""
        alone = self.urn.alike is None and self.urn.cluster is None
        return alone and isinstance(self.pos, slice) and isinstance(self.neg, slice)

    def draw(self, rng: np.random.Generator, b: int) -> tuple[Floats, Floats]:
        """Return rates passed in b resamples, by unit; only resamples with both classes."""
        if self.is_plain:
            tpr = draw_shares(rng, self.urn.pos.size, b)
            fpr = draw_shares(rng, self.urn.neg.size, b) if tpr is not None else None
            if tpr is not None and fpr is not None:
                return tpr, fpr
        pos, neg = self.urn.draw(rng, b)
        if self.urn.cluster is not None:
            whole = np.logical_and(pos.any(axis=1), neg.any(axis=1))
            pos, neg = pos[whole], neg[whole]
        return _cumulate(pos[:, self.pos]), _cumulate(neg[:, self.neg])


def _cumulate(steps: Floats | Ints) -> Floats:
    """Return the shares passed before any step and after each, ending at 1 exactly."""
    total = np.zeros((steps.shape[0], steps.shape[1] + 1))
    np.cumsum(steps, axis=1, out=total[:, 1:])
    total /= total[:, -1:]
    return total


def resampled_heights(
    sample: ScoredSample, marker: int, grid: Floats, *, n_resamples: int, rng: Rng
) -> Floats:
    """Return the (B, G) heights of the curves of resamples, without those that lack a class."""
    order = _Order.of(sample, marker)
    walk = Walk(order.fp, order.tp)
    below = order.tp[-1] - order.tp, order.fp[-1] - order.fp

    def task(b: int, stream: np.random.Generator) -> Floats:
        tpr, fpr = order.draw(stream, b)
        return walk.heights(fpr, tpr, grid)

    def quick(size: int, stream: np.random.Generator, batch: int) -> Floats | None:
        return draw_heights(stream, size, batch, below, grid, _NEAR) if order.is_plain else None

    return _run(task, sample.positive.size, n_resamples, rng, quick)


def displacements(
    sample: ScoredSample, marker: int, curve: RocCurve, *, n_resamples: int, rng: Rng
) -> Floats:
    """Return how far each resample's curve lies from the sample's, at most, in units of fpr.

    Along lines of slope ``-s``, s the root of ``n_neg / n_pos``, on each of which a curve has one
    point.
    """
    order, slope = _Order.of(sample, marker), np.sqrt(curve.n_neg / curve.n_pos)
    lines, vertex = np.linspace(0.0, 1.0, _LINES), np.arange(curve.fp.size)
    walk = Walk(vertex, vertex)

    def crossings(fpr: Floats, tpr: Floats) -> Floats:
        return walk.heights((tpr + slope * fpr) / (1.0 + slope), fpr, lines)

    centre = crossings(curve.fpr[np.newaxis], curve.tpr[np.newaxis])

    def task(b: int, stream: np.random.Generator) -> Floats:
        tpr, fpr = order.draw(stream, b)
        across = crossings(fpr.take(order.fp, axis=1), tpr.take(order.tp, axis=1))
        across -= centre
        farthest: Floats = np.abs(across, out=across).max(axis=1)
        return farthest

    return _run(task, sample.positive.size, n_resamples, rng)


def spacing_heights(curve: RocCurve, grid: Floats, *, n_resamples: int, rng: Rng) -> Floats:
    """Return (B, 3, G) heights of curves that may be the true one: lowest, central, highest.

    With U the ordered uniforms of the negatives, the true fpr at a vertex that f negatives have
    passed lies between U_f and U_(f+1); so does the tpr. The lowest curve turns at the lower right
    corners of these boxes, the highest at the upper left, the central one in their middles.
    """
    gaps = _Gaps.of(curve.fp, curve.n_neg), _Gaps.of(curve.tp, curve.n_pos)
    fp, tp = (gap.lower for gap in gaps)
    # Between (0, 0) and (1, 1), which the middles never reach.
    middle = Walk(*(np.concatenate([[0], low + 1, [low[-1] + 2]]) for low in (fp, tp)))
    lowest, highest = Walk(fp + 1, tp), Walk(fp, tp + 1)

    def task(b: int, stream: np.random.Generator) -> Floats:
        x, y = (_cumulate(gap.draw(stream, b)) for gap in gaps)
        return np.stack(
            [
                lowest.heights(x, y, grid),
                middle.heights(_middles(x), _middles(y), grid),
                highest.heights(x, y, grid),
            ],
            axis=1,
        )

    return _run(task, sum(gap.wanted for gap in gaps), n_resamples, rng)


@dataclass(frozen=True, slots=True, eq=False)
class _Gaps:
    """Gaps between the ordered uniforms that a curve turns at.

    Attributes
    ----------
    size : how many elementary gaps each gap drawn is made of, or None where each is one
    lower : (V,) which of the ordered uniforms drawn is the lower limit of each vertex; its
        neighbour is the upper one
    wanted : number of gaps drawn
    """

    size: Ints | None
    lower: Index
    wanted: int

    @classmethod
    def of(cls, passed: Ints, n: int) -> _Gaps:
        """Lay out the gaps of n uniforms for vertices that have passed so many."""
        turns = np.union1d(passed, passed + 1)
        if turns.size * _GAMMA_COST > n:
            return cls(None, passed.astype(np.intp), n + 1)
        return cls(np.diff(turns), np.searchsorted(turns, passed), turns.size - 1)

    def draw(self, rng: np.random.Generator, b: int) -> Floats:
        """Return the (b, wanted) gaps, but for their scale."""
        if self.size is None:
            return rng.standard_exponential((b, self.wanted))
        return rng.standard_gamma(self.size, size=(b, self.size.size))


def _middles(edges: Floats) -> Floats:
    found = np.zeros((edges.shape[0], edges.shape[1] + 1))
    np.add(edges[:, 1:], edges[:, :-1], out=found[:, 1:-1])
    found *= 0.5
    found[:, -1] = 1.0
    return found


def _run(
    task: Callable[[int, np.random.Generator], Floats],
    subjects: int,
    n_resamples: int,
    rng: Rng,
    quick: Callable[[int, np.random.Generator, int], Floats | None] | None = None,
) -> Floats:
    """Run a task in portions; `quick` is given their size and does all of them, or tells None."""
    batch = max(1, _BATCH // subjects)

    def portions(size: int, stream: np.random.Generator) -> Floats:
        found = quick(size, stream, batch) if quick is not None else None
        if found is not None:
            return found
        return np.concatenate([task(s.stop - s.start, stream) for s in slabs(size, batch)])

    return run_chunks(portions, n_resamples, as_seed(rng), n_jobs=1, title="band")
