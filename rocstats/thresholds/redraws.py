"""Redraws: the vertices of the ROC curve in resamples, as cumulative counts over sorted scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.data.sample import ScoredSample
from rocstats.resampling.urn import Index, Urn, make_urn

__all__ = ["Redraws", "lay_out_vertices"]

_BATCH = 2**15  # vertices of all resamples that are worked on at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Redraws:
    """Resamples of one marker, seen at the vertices of the sample's own curve.

    A vertex whose score was not drawn repeats the one before it.

    Attributes
    ----------
    urn : what is drawn from
    places : how the units of each class lie among the vertices
    """

    urn: Urn
    places: tuple[_Places, _Places]

    def fewest(self) -> int:
        """Return how many subjects or clusters the smaller class has to draw from."""
        return self.urn.fewest()

    @property
    def is_plain(self) -> bool:
        """Whether subjects are drawn one by one, and come by rising score."""
        alone = self.urn.alike is None and self.urn.cluster is None
        return alone and all(places.order is None for places in self.places)

    @property
    def batch(self) -> int:
        """How many resamples are drawn at a time."""
        return max(1, _BATCH // self.places[0].below.size)

    def draw(
        self, rng: np.random.Generator, size: int
    ) -> Iterator[tuple[slice, Bools, Ints, Ints]]:
        """Yield places, which of them have both classes, and (b, V) counts tp and fp of those."""
        for part in slabs(size, self.batch):
            drawn = self.urn.draw(rng, part.stop - part.start)
            whole: Bools = np.ones(part.stop - part.start, dtype=np.bool_)
            if self.urn.cluster is not None:
                whole = np.logical_and(drawn[0].any(axis=1), drawn[1].any(axis=1))
            if whole.any():
                tp, fp = (
                    places.beyond(counts if whole.all() else counts[whole])
                    for counts, places in zip(drawn, self.places, strict=True)
                )
                yield part, whole, tp, fp


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The units of one class among the vertices."""

    order: Index | None  # by rising score; None where they come so
    below: Index  # units below each vertex

    @classmethod
    def among(cls, vertex: Floats, score: Floats) -> _Places:
        rising = bool((score[1:] >= score[:-1]).all())
        order = None if rising else np.argsort(score, kind="stable")
        ranked = score if order is None else score[order]
        # The first vertex lies above all scores.
        below = np.append(score.size, np.searchsorted(ranked, vertex, side="left"))
        return cls(order, below)

    def beyond(self, counts: Ints) -> Ints:
        """Return how many were drawn at or beyond each vertex."""
        seen = np.empty((counts.shape[0], counts.shape[1] + 1), dtype=np.int64)
        seen[:, 0] = 0
        ranked = counts if self.order is None else counts.take(self.order, axis=1)
        np.cumsum(ranked, axis=1, out=seen[:, 1:])
        beyond = seen.take(self.below, axis=1)
        np.subtract(seen[:, -1:], beyond, out=beyond)
        return beyond


def lay_out_vertices(sample: ScoredSample, marker: int) -> Redraws:
    """Return the resamples of a marker; the vertices are those of `rocstats.roc_curve`."""
    urn = make_urn(sample, [marker])
    blocks = sample.blocks(marker, ordered=True)
    score, vertex = blocks.score[blocks.levels()], blocks.score[::-1]
    return Redraws(
        urn=urn,
        places=(_Places.among(vertex, score[urn.pos]), _Places.among(vertex, score[urn.neg])),
    )
