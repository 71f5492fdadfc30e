"""Two ROC curves whose subjects are dealt anew, within their classes, and the area between them.

Both curves are staircases, so the area between them is a sum over steps of one class, the rarer.
Where the steps of one curve lie among those of the other rests on the class sizes alone: it is
found once, and a deal costs a count of the other class up to every step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.resampling.label_repair import Repair

__all__ = ["Deal"]

Counts = NDArray[np.int32]
Places = NDArray[np.intp]

_BATCH = 2**15  # subjects worked on at a time: what they take is used again, not given back
_NEAR = 1e-14  # shares that should be equal and were rounded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deal:
    """Venkatraman's statistic of two samples, as they are and after random deals.

    A step is a subject of the rarer class, in the order of the common scale.

    Attributes
    ----------
    before : subjects of the other class before each step
    level : whether a subject of the other class is level with the step
    steps, others : how the rarer and the other class are dealt to the two samples
    pieces : width of each piece of the curves, its step of the first curve and of the second
    scale : 2 pi (1 - pi), with pi the share of positives
    """

    before: Places
    level: Bools
    steps: Repair
    others: Repair
    pieces: tuple[Floats, Ints, Ints]
    scale: float

    @classmethod
    def of(cls, first: Bools, second: Bools) -> Deal:
        """Place the subjects of two samples, whose labels are given in the order of the scores."""
        labels = _rarer_first(first, second)
        sizes = np.array([[np.count_nonzero(x), np.count_nonzero(~x)] for x in labels])
        share = sizes.sum(axis=0) / sizes.sum()
        places = [_places(x, share / size) for x, size in zip(labels, sizes, strict=True)]
        step, other = (
            np.sort(np.concatenate([p[x == kind] for p, x in zip(places, labels, strict=True)]))
            for kind in (True, False)
        )
        before = np.searchsorted(other, step - _NEAR)
        upto = np.searchsorted(other, step + _NEAR)
        return cls(
            before=before,
            level=upto > before,
            steps=Repair.for_sizes(int(sizes[0, 0]), int(sizes[1, 0])),
            others=Repair.for_sizes(int(sizes[0, 1]), int(sizes[1, 1])),
            pieces=_pieces(int(sizes[0, 0]), int(sizes[1, 0])),
            scale=2.0 * float(share[0] * share[1]),
        )

    def observed(self, first: Bools, second: Bools) -> float:
        """Return the statistic of the samples themselves."""
        upto = [np.cumsum(~x, dtype=np.int32)[x] for x in _rarer_first(first, second)]
        return float(self._area(upto[0][np.newaxis], upto[1][np.newaxis])[0])

    def __call__(self, size: int, rng: np.random.Generator) -> Floats:
        """Return the statistic of random deals."""
        n_steps, n_others = (coin.n_pos + coin.n_neg for coin in (self.steps, self.others))
        steps, others = self.steps.packed(rng, size), self.others.packed(rng, size)
        found, few = np.empty(size), max(1, _BATCH // (n_steps + n_others))
        room = np.zeros((min(few, size), n_others + 1), dtype=np.int32)
        for s in slabs(size, few):
            b = s.stop - s.start
            seen = room[:b]  # others of the first sample
            np.cumsum(_bits(others[s], n_others), axis=1, out=seen[:, 1:], dtype=np.int32)
            mine = _bits(steps[s], n_steps).view(np.bool_)
            if self.level.any():
                coins = np.frombuffer(rng.bytes(b * steps.shape[1]), dtype=np.uint8)
                turned = _bits(coins.reshape(b, -1), n_steps) & self.level
                before = self.before + turned
                at = before + np.arange(0, seen.size, seen.shape[1])[:, np.newaxis]
                ahead = seen.reshape(-1).take(at)
            else:
                before, ahead = self.before, seen.take(self.before, axis=1)
            found[s] = self._area(_chosen(ahead, mine), _chosen(before - ahead, ~mine))
        return found

    def _area(self, first: Counts | Places, second: Counts | Places) -> Floats:
        """Return the statistic, given how many others of its sample each step has behind it."""
        width, i, j = self.pieces
        apart = (first / self.others.n_pos).take(i, axis=1)
        apart -= (second / self.others.n_neg).take(j, axis=1)
        np.abs(apart, out=apart)
        return np.asarray(self.scale * np.einsum("bk,k->b", apart, width))


def _rarer_first(first: Bools, second: Bools) -> tuple[Bools, Bools]:
    """Return which subjects are of the rarer class."""
    positives = np.count_nonzero(first) + np.count_nonzero(second)
    return (first, second) if 2 * positives <= first.size + second.size else (~first, ~second)


def _places(label: Bools, mass: Floats) -> Floats:
    """Return the share H of a sample up to each subject, on the scale of both samples."""
    upto = np.cumsum(label)
    return np.asarray(upto * mass[0] + (np.arange(1, label.size + 1) - upto) * mass[1])


def _pieces(m: int, n: int) -> tuple[Floats, Ints, Ints]:
    """Return the pieces into which m steps of one curve and n of another cut [0, 1]."""
    edges = np.union1d(np.arange(0, m * n + 1, n), np.arange(0, m * n + 1, m))
    return np.diff(edges) / (m * n), edges[:-1] // n, edges[:-1] // m


def _bits(packed: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    return np.unpackbits(packed, axis=1, count=size, bitorder="little")


def _chosen(values: Counts | Places, which: Bools) -> Counts | Places:
    """Return what is chosen of each line, as many of every line."""
    return values.ravel().take(np.flatnonzero(which)).reshape(len(values), -1)
