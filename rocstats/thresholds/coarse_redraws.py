"""Resamples of very many scores: in coarse cells first, and finely only where the best may lie.

The counts of a resample over cells of neighbouring scores are multinomial, and within a cell every
subject is as likely: drawn in two steps they have the same law as drawn at once. A criterion that
rises with true and falls with false positives is in no vertex of a cell above what it would be with
all true positives of the cell and no false one, so most cells need no second step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.roc import RocCurve
from rocstats.data.sample import ScoredSample
from rocstats.thresholds.choices import Choice

__all__ = ["CoarseRedraws", "is_vast"]

_CELLS = 1024
_FINE = 2**16  # vertices at most that are all looked at in every resample
_Score = Callable[[Ints, Ints], Floats]  # of (b, V) counts, the last vertex of each the class sizes


def is_vast(sample: ScoredSample, curve: RocCurve) -> bool:
    """Return whether resamples of a curve are better drawn coarsely first; clusters cannot be."""
    return curve.tp.size > _FINE and sample.cluster is None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoarseRedraws:
    """Resamples of the subjects of one curve, class by class.

    Attributes
    ----------
    counts : (2, V) true and false positives of the curve at its vertices
    ends : the vertices between cells, the first and the last among them
    """

    counts: Ints
    ends: Ints

    @classmethod
    def of(cls, curve: RocCurve, cells: int = _CELLS) -> CoarseRedraws:
        """Part the vertices of a curve into cells of about as many subjects."""
        called = curve.tp + curve.fp
        wanted = np.linspace(0.0, float(called[-1]), cells + 1)
        ends = np.unique(np.searchsorted(called, wanted))
        return cls(counts=np.stack([curve.tp, curve.fp]), ends=ends)

    def fewest(self) -> int:
        """Return how many subjects the smaller class has to draw from."""
        return int(self.counts[:, -1].min())

    def near(
        self, rng: np.random.Generator, size: int, which: int, reached: Sequence[int]
    ) -> Iterator[tuple[Ints, Ints]]:
        """Yield tp and fp of each resample, finely where a class comes to have some counts.

        Those are the steps from fewer to at least so many of true (0) or false (1) positives. Of
        the rest of the path only its first and last vertex are there.
        """
        drawn, upto = self._cells(rng, size)
        for i in range(size):
            end = np.clip(np.searchsorted(upto[which, i], reached), 1, self.ends.size - 1)
            cells = int(end.min()) - 1, int(end.max())
            path = upto[:, i, cells[0], np.newaxis] + self._within(rng, drawn[:, i], cells)
            tp, fp = np.concatenate([upto[:, i, :1], path, upto[:, i, -1:]], axis=1)
            yield tp, fp

    def _cells(self, rng: np.random.Generator, size: int) -> tuple[Ints, Ints]:
        """Draw (2, b, K) counts of both classes by cell; return them and (2, b, K + 1) sums."""
        cells = np.diff(self.counts[:, self.ends])
        drawn = np.stack([rng.multinomial(n.sum(), n / n.sum(), size) for n in cells])
        upto = np.zeros((2, size, self.ends.size), dtype=np.int64)
        np.cumsum(drawn, axis=2, out=upto[:, :, 1:])
        return drawn, upto

    def choose(self, rng: np.random.Generator, size: int, score: _Score) -> Choice:
        """Return the best vertex of each resample by a score that rises with tp, falls with fp."""
        drawn, upto = self._cells(rng, size)
        most = np.empty_like(upto)  # true positives at the end of a cell, false ones at its start
        most[0, :, :-1], most[1, :, :-1] = upto[0, :, 1:], upto[1, :, :-1]
        most[:, :, -1] = upto[:, :, -1]
        known = score(*upto).max(axis=1, keepdims=True)
        may_be = score(*most)[:, :-1] >= known
        first, last = may_be.argmax(axis=1), may_be.shape[1] - may_be[:, ::-1].argmax(axis=1)
        rows = [
            self._best(rng, drawn[:, i], upto[:, i], (int(first[i]), int(last[i])), score)
            for i in range(size)
        ]
        best, after, tp, fp = np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4).T
        return Choice(best, after, tp, fp, np.array([row[4] for row in rows]))

    def _best(
        self,
        rng: np.random.Generator,
        drawn: Ints,
        upto: Ints,
        cells: tuple[int, int],
        score: _Score,
    ) -> tuple[int, int, int, int, float]:
        """Return the best vertex of one resample, which is in one of some cells, as in `Choice`."""
        path = upto[:, cells[0], np.newaxis] + self._within(rng, drawn, cells)
        path = np.append(path, upto[:, -1:], axis=1)  # the last vertex, for the class sizes
        scores = score(path[:1], path[1:])[0]
        here = int(scores.argmax())
        start, stop = int(self.ends[cells[0]]), int(self.ends[cells[1]])
        tp, fp = path[:, here].tolist()
        called = path.sum(axis=0)
        after = int(np.searchsorted(called, called[here], side="right"))
        if after <= stop - start:
            after += start
        else:
            after = self._next(rng, drawn, cells[1])
        best = start + here if here <= stop - start else self.counts.shape[1] - 1
        return best, after, tp, fp, float(scores[here])

    def _next(self, rng: np.random.Generator, drawn: Ints, cell: int) -> int:
        """Return the first vertex, from a cell on, whose score was drawn; if none, beyond all."""
        filled = np.flatnonzero(drawn[:, cell:].any(axis=0))
        if not filled.size:
            return int(self.counts.shape[1])
        cell += int(filled[0])
        called = self._within(rng, drawn, (cell, cell + 1)).sum(axis=0)
        return int(self.ends[cell]) + int(np.searchsorted(called, 0, side="right"))

    def _within(self, rng: np.random.Generator, drawn: Ints, cells: tuple[int, int]) -> Ints:
        """Draw (2, v) counts of both classes, from the first vertex of some cells to the last."""
        ends = self.ends[cells[0] : cells[1] + 1]
        return np.stack(
            [
                _cumulative(
                    rng, count[cells[0] : cells[1]], known[ends], known[ends[0] : ends[-1] + 1]
                )
                for count, known in zip(drawn, self.counts, strict=True)
            ]
        )


def _cumulative(rng: np.random.Generator, drawn: Ints, ends: Ints, vertices: Ints) -> Ints:
    """Draw so many subjects of each cell; return how many stand before each vertex.

    Subjects are numbered along the curve; `ends` and `vertices` are the numbers before them.
    """
    place = np.repeat(ends[:-1] - ends[0], drawn)
    place += (rng.random(place.size) * np.repeat(np.diff(ends), drawn)).astype(np.int64)
    seen = np.zeros(int(ends[-1] - ends[0]) + 1, dtype=np.int64)
    np.cumsum(np.bincount(place, minlength=seen.size - 1), out=seen[1:])
    return np.asarray(seen[vertices - ends[0]])
