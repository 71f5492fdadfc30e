"""The urn: what a resample is drawn from, and how often each subject was drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Ints
from rocstats.data.sample import ScoredSample
from rocstats.engine import compiled

__all__ = ["Index", "Urn", "make_urn"]

Index = NDArray[np.intp]

_CELL_COST = 16  # a binomial deviate costs about as much as so many draws of a subject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Urn:
    """What is drawn from.

    Attributes
    ----------
    pos, neg : the subjects that stand for the units of each class
    alike : how many subjects each unit stands for, by class; None where each is one
    cluster : cluster of each positive and of each negative, or None
    n_clusters : number of clusters
    """

    pos: Index
    neg: Index
    alike: tuple[Ints, Ints] | None = None
    cluster: tuple[Index, Index] | None = None
    n_clusters: int = 0

    def fewest(self) -> int:
        """Return how many subjects or clusters the smaller class has to draw from."""
        if self.cluster is not None:
            return min(np.unique(members).size for members in self.cluster)
        if self.alike is not None:
            return min(int(n.sum()) for n in self.alike)
        return min(self.pos.size, self.neg.size)

    def draw(self, rng: np.random.Generator, b: int) -> tuple[Ints, Ints]:
        """Return the counts of b resamples: within the classes, or of whole clusters."""
        if self.cluster is not None:
            return self.of_clusters(self.draw_units(rng, b))
        if self.alike is None:
            return _draw(rng, self.pos.size, b), _draw(rng, self.neg.size, b)
        pos, neg = (rng.multinomial(n.sum(), n / n.sum(), size=b) for n in self.alike)
        return pos, neg

    def draw_units(self, rng: np.random.Generator, b: int) -> Ints:
        """Return how often each cluster is drawn in b resamples."""
        return _draw(rng, self.n_clusters, b)

    def of_clusters(self, drawn: Ints) -> tuple[Ints, Ints]:
        """Return the counts of the subjects whose clusters were drawn so often."""
        if self.cluster is None:
            raise ValueError("the urn has no clusters")
        return drawn[:, self.cluster[0]], drawn[:, self.cluster[1]]

    @property
    def scheme(self) -> str:
        """What is drawn, in words."""
        return "subjects within classes" if self.cluster is None else "clusters, not within classes"


def _draw(rng: np.random.Generator, size: int, b: int) -> Ints:
    counts = compiled.draw_counts(rng, size, b)
    return _draw_by_numpy(rng, size, b) if counts is None else counts


def _draw_by_numpy(rng: np.random.Generator, size: int, b: int) -> Ints:
    narrow: type[np.unsignedinteger] = np.uint16 if size <= 2**16 else np.uint32
    drawn = rng.integers(0, size, size=(b, size), dtype=narrow)
    if b == 1:
        return np.bincount(drawn[0], minlength=size)[np.newaxis]
    places = drawn + np.arange(0, b * size, size)[:, np.newaxis]
    return np.bincount(places.ravel(), minlength=b * size).reshape(b, size)


def make_urn(sample: ScoredSample, markers: list[int]) -> Urn:
    """Return the urn of a sample; subjects alike in class and all markers are drawn as one.

    A multinomial over such cells has the same law, and costs less where they are few. Subjects
    with weights are not alike.
    """
    if not sample.keeps_rows:
        return _urn_of_counts(sample, markers)
    pos, neg = np.flatnonzero(sample.positive), np.flatnonzero(~sample.positive)
    if sample.cluster is not None:
        return Urn(
            pos=pos,
            neg=neg,
            cluster=(sample.cluster[pos], sample.cluster[neg]),
            n_clusters=int(sample.cluster.max()) + 1,
        )
    if sample.weights is not None:
        return Urn(pos=pos, neg=neg)
    cell = np.zeros(sample.positive.size, dtype=np.intp)
    for marker in markers:
        level = sample.blocks(marker, ordered=True).levels()
        top = int(level.max())
        if sample.is_flipped(marker):
            level = top - level  # cells are numbered by the scores as given
        if marker == markers[0]:
            cell = level
        else:
            cell = np.unique(cell * (top + 1) + level, return_inverse=True)[1]
        if (int(cell.max()) + 1) * 2 * _CELL_COST > cell.size:
            first = sample.oriented(markers[0])  # in this order its row gathers nothing
            return Urn(pos=pos[np.argsort(first[pos])], neg=neg[np.argsort(first[neg])])
    found = [
        np.unique(cell[members], return_index=True, return_counts=True) for members in (pos, neg)
    ]
    return Urn(pos=pos[found[0][1]], neg=neg[found[1][1]], alike=(found[0][2], found[1][2]))


def _urn_of_counts(table: ScoredSample, markers: list[int]) -> Urn:
    """Return the urn of a table's marker: its distinct scores, as often as each class has them.

    The places are those of `CountBlocks.levels`: the scores of positives, then of negatives.
    """
    from rocstats.data.scan.count_blocks import needs_rows

    if len(markers) > 1 or table.is_clustered:
        raise needs_rows()
    blocks = table.blocks(markers[0])
    counts = blocks.n_pos.astype(np.int64), blocks.n_neg.astype(np.int64)
    pos, neg = np.flatnonzero(counts[0]), np.flatnonzero(counts[1])
    if table.is_flipped(markers[0]):
        pos, neg = pos[::-1], neg[::-1]  # cells are numbered by the scores as given
    alike = counts[0][pos], counts[1][neg]
    return Urn(pos=pos, neg=neg + blocks.n_blocks, alike=alike)
