"""Smoothed resamples: a cutpoint chosen again where the classes are smooth.

The best cutpoint of a sample moves as the cube root of its size, and resamples of the sample's own
scores, which choose among them, vary too little: the bootstrap is not consistent (Abrevaya & Huang
2005). Resamples of smoothed classes are, and need no sorting: counts on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.curves.roc import RocCurve
from rocstats.data.blocks import slabs
from rocstats.engine.compiled import is_there
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import as_seed, run_chunks
from rocstats.thresholds.choices import Choice, Drawing, choose
from rocstats.thresholds.cutpoint_criteria import Criterion, Floor, score_vertices

__all__ = ["draw_smoothed", "is_smooth"]

Cells = NDArray[np.uint16]

_GRID = np.linspace(4.0, -4.0, 401)  # normal scores, falling as thresholds do
_STEP = 0.02
_SHARE = 0.5  # of the bandwidth by Silverman's rule: a whole one covers too often
_MANY = 100  # as many different scores are no grades
_BATCH = 64  # resamples drawn at a time
_TICKETS = 2**16  # shares are so many parts of the whole: one of them is drawn by 16 bits
_FEW = 2**13  # subjects of a class at most that are drawn one by one


def is_smooth(curve: RocCurve) -> bool:
    """Return whether the scores are so many different ones that a class can be smoothed."""
    subjects = curve.n_pos + curve.n_neg
    return min(curve.n_pos, curve.n_neg) > 1 and curve.tp.size > min(0.5 * subjects, _MANY)


def draw_smoothed(
    curve: RocCurve, criterion: Criterion, weight: Fraction, resampling: Bootstrap
) -> Floats:
    """Return the cutpoints of smoothed resamples of a curve's subjects; nan where there is none.

    Scores are taken as normal scores of the two classes' mean distribution, so that no monotone
    transformation matters, and each class is smoothed by a normal kernel there.
    """
    counts = np.diff(curve.tp), np.diff(curve.fp)
    scores = _normal_scores(*counts)
    smoothed = _Smoothed(
        sizes=(curve.n_pos, curve.n_neg),
        cells=(_tickets(_smooth(scores, counts[0])), _tickets(_smooth(scores, counts[1]))),
        criterion=criterion,
        weight=weight,
    )
    found = run_chunks(
        smoothed.chunk,
        resampling.n_resamples,
        as_seed(resampling.rng),
        n_jobs=resampling.n_jobs,
        title="smoothed cutpoints",
        in_threads=is_there() and smoothed.drawing() is not None,
    )
    threshold = curve.threshold[:0:-1]
    unit = np.frexp(np.abs(threshold).max())[1]  # a power of two: differences stay doubles
    back: Floats = np.ldexp(np.interp(found, scores[::-1], np.ldexp(threshold, -unit)), unit)
    return np.where(np.isnan(found), np.nan, back)


def _normal_scores(pos: Ints, neg: Ints) -> Floats:
    """Return the normal score of every vertex but the first, each class counting half."""
    from scipy.special import ndtri

    share = 0.5 * (pos / pos.sum() + neg / neg.sum())
    above = np.cumsum(share) - 0.5 * share
    return -np.asarray(ndtri(above), dtype=np.float64)


def _smooth(scores: Floats, counts: Ints) -> Floats:
    """Return the shares of a class on the grid, smoothed."""
    from scipy.special import ndtr

    size = int(counts.sum())
    spread, middle = _spread(scores, counts), _quartile_range(scores, counts) / 1.34
    width = _SHARE * 0.9 * (min(spread, middle) if middle > 0.0 else spread) * size**-0.2
    place = np.clip(np.rint((_GRID[0] - scores) / _STEP), 0, _GRID.size - 1).astype(np.int64)
    mass = np.bincount(place, counts, minlength=_GRID.size) / size
    steps = np.arange(1 - _GRID.size, _GRID.size - 1) * _STEP + 0.5 * _STEP  # from point to edge
    beyond = np.convolve(mass, ndtr(steps / max(width, _STEP)))[_GRID.size - 1 : 1 - _GRID.size]
    shares = np.maximum(np.diff(beyond, prepend=0.0, append=1.0), 0.0)  # but for rounding
    found: Floats = shares / shares.sum()
    return found


def _spread(scores: Floats, counts: Ints) -> float:
    """Return the standard deviation of scores, each as often as it is."""
    size = int(counts.sum())
    away = scores - np.einsum("n,n->", scores, counts) / size  # BLAS would wake its threads
    return float(np.sqrt(np.einsum("n,n,n->", away, away, counts) / (size - 1)))


def _quartile_range(scores: Floats, counts: Ints) -> float:
    """Return how far apart the quartiles of falling scores are, each as often as it is."""
    there = counts > 0
    upto = np.cumsum(counts[there])
    places = np.stack([upto - counts[there], upto - 1], axis=1).ravel()  # first and last of each
    quartiles = np.array([0.25, 0.75]) * (upto[-1] - 1)
    upper, lower = np.interp(quartiles, places, np.repeat(scores[there], 2))
    return float(upper - lower)


def _tickets(shares: Floats) -> Cells:
    """Return the place on the grid of every ticket, counted from the lowest score."""
    ends = np.rint(np.cumsum(shares[::-1]) * _TICKETS).astype(np.int64)
    return np.repeat(np.arange(shares.size, dtype=np.uint16), np.diff(ends, prepend=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Smoothed:
    """Two smoothed classes on the grid, and the choice to be made again."""

    sizes: tuple[int, int]
    cells: tuple[Cells, Cells]
    criterion: Criterion
    weight: Fraction

    def chunk(self, size: int, rng: np.random.Generator) -> Floats:
        """Return the normal scores of the cutpoints of so many resamples."""
        drawing = self.drawing()
        choice = drawing.choose(rng, size) if drawing is not None else None
        if choice is not None:
            return _cutpoints(choice)
        found = np.empty(size)
        for part in slabs(size, _BATCH):
            tp, fp = (
                _beyond(rng, part.stop - part.start, n, cells)
                for n, cells in zip(self.sizes, self.cells, strict=True)
            )
            score = score_vertices(self.criterion, tp, fp, self.weight, Floor())
            found[part] = _cutpoints(choose(score, tp, fp))
        return found

    def drawing(self) -> Drawing | None:
        """Return what the kernel needs; None where it cannot draw and choose."""
        if self.criterion.rates is None or max(self.sizes) > _FEW:
            return None
        below = np.arange(_GRID.size, -1, -1)
        return Drawing(
            below=(below, below),
            cells=self.cells,
            sizes=self.sizes,
            batch=_BATCH,
            rates=self.criterion.rates,
            weight=self.weight,
            floor=Floor(),
        )


def _beyond(rng: np.random.Generator, b: int, n: int, cells: Cells) -> Ints:
    """Draw b resamples of n; return how many lie at or beyond each vertex, the first above all."""
    if n > _FEW:
        counts = rng.multinomial(n, np.bincount(cells, minlength=_GRID.size) / _TICKETS, size=b)
    else:
        drawn = cells[rng.integers(0, _TICKETS, size=(b, n), dtype=np.uint16)]
        lines = drawn + np.arange(0, b * _GRID.size, _GRID.size)[:, np.newaxis]
        counts = np.bincount(lines.ravel(), minlength=b * _GRID.size).reshape(b, _GRID.size)
    found = np.zeros((b, _GRID.size + 1), dtype=np.int64)
    np.cumsum(counts[:, ::-1], axis=1, out=found[:, 1:])
    return found


def _cutpoints(choice: Choice) -> Floats:
    grid = np.concatenate([_GRID[:1], _GRID, _GRID[-1:]])
    cut = 0.5 * (grid[choice.best] + grid[choice.after])
    return np.where(choice.score > -np.inf, cut, np.nan)
