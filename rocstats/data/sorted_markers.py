"""Sorted markers: blocks that are kept, so that a long analysis sorts each marker once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rocstats.data.blocks import Blocks

__all__ = ["SortedMarkers"]

_MOST = 2**22  # subjects times markers that are kept, at some 40 bytes each


@dataclass(frozen=True, slots=True, eq=False)
class SortedMarkers:
    """The blocks of the markers that were asked for last, at least one, to be read only.

    Attributes
    ----------
    keys : the marker that each row of the sample holds, numbered as in the sample it came from
    kept : blocks by marker, the one asked for last at the end
    """

    keys: tuple[int, ...]
    kept: dict[int, Blocks] = field(default_factory=dict)

    def get(self, row: int, sort: Callable[[], Blocks]) -> Blocks:
        """Return the blocks of a row, sorted now if they are not kept."""
        key = self.keys[row]
        blocks = self.kept.pop(key, None)
        if blocks is None:
            blocks = sort()
            for array in (blocks.label, blocks.last, blocks.order, blocks.score):
                if array is not None:
                    array.flags.writeable = False
        self.kept[key] = blocks
        while len(self.kept) > 1 and len(self.kept) * blocks.label.size > _MOST:
            del self.kept[next(iter(self.kept))]
        return blocks

    def only(self, rows: Sequence[int]) -> SortedMarkers:
        """Return what a sample of some of the rows shares."""
        return SortedMarkers(tuple(self.keys[row] for row in rows), self.kept)

    def __reduce__(self) -> tuple[Any, ...]:
        return SortedMarkers, (self.keys,)  # a worker sorts for itself
