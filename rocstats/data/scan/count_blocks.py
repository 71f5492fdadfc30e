"""Blocks made of counts by score: the measures of the engine run on them as they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.errors import InvalidOptionError, function

__all__ = ["CountBlocks", "NeedsRowsError", "needs_rows", "within_bin"]


class NeedsRowsError(InvalidOptionError):
    """An analysis was asked of a table that reads the row of every subject.

    Load the rows with `ScoredSample.from_frame`.
    """


def needs_rows() -> NeedsRowsError:
    """Return the refusal of what cannot be done with counts."""
    return NeedsRowsError(
        "This analysis reads the row of every subject, and a table keeps counts by score only; "
        f"load the rows it needs with {function('ScoredSample.from_frame')}."
    )


def within_bin(given: float, marker: str, low: float, high: float) -> InvalidOptionError:
    """Return the refusal of a threshold between the edges of a bin of scores."""
    return InvalidOptionError(
        f"{given:.6g} is within a bin of scores of {marker}, from {low:.6g} to {high:.6g}, where "
        "nothing is counted; take the edge of a bin."
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CountBlocks(Blocks):
    """Distinct scores in increasing order, and how many positives and negatives have each.

    Attributes
    ----------
    pos, neg : (K,) counts, as integers
    last : (K,) empty: the order of subjects is not known
    room : where arrays by block are, memory or files
    """

    pos: NDArray[Any]
    neg: NDArray[Any]
    label: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    last: NDArray[np.intp] | None = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    room: Callable[[int], Floats] = np.empty

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Number of positives and of negatives."""
        return int(self.pos.sum(dtype=np.int64)), int(self.neg.sum(dtype=np.int64))

    @property
    def n_blocks(self) -> int:
        """Number of distinct scores."""
        return int(self.pos.size)

    @property
    def n_pos(self) -> Floats:
        """Positives in every block, as a new array."""
        return self._floats(self.pos)

    @property
    def n_neg(self) -> Floats:
        """Negatives in every block, as a new array."""
        return self._floats(self.neg)

    def _floats(self, counts: NDArray[Any]) -> Floats:
        found = self.scratch()
        for s in slabs(found.size):
            found[s] = counts[s]
        return found

    def scratch(self) -> Floats:
        """Return an array by block, of any content."""
        return self.room(self.n_blocks)

    def on_scale(self, start: float, width: float) -> Blocks:
        """Return the blocks with ``(score - start) / width`` for scores."""

        def decode() -> Floats:
            found = self.scratch()
            for s in slabs(found.size):
                found[s] = (self.score[s] - start) / width
            return found

        return replace(self, decode=decode)

    def counts(self, part: slice) -> tuple[Floats, Floats]:
        """Positives and negatives in some of the blocks."""
        if part == slice(None):
            return self.n_pos, self.n_neg
        return self.pos[part].astype(np.float64), self.neg[part].astype(np.float64)

    def levels(self) -> NDArray[np.intp]:
        """Return the block of one subject for each block and class: positives, then negatives."""
        return np.tile(np.arange(self.n_blocks), 2)

    def by_place(self, pos: Floats, neg: Floats) -> Floats:
        raise needs_rows()

    def apart(self) -> Blocks:
        raise needs_rows()

    def _sum(self, which: int, values: tuple[Floats, ...]) -> float:
        terms = ",".join("i" * (len(values) + 1)) + "->"
        counts = (self.pos, self.neg)[which]
        return math.fsum(
            float(np.einsum(terms, counts[s].astype(np.float64), *(v[s] for v in values)))
            for s in slabs(values[0].size)
        )
