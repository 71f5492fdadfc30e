"""Labels beside marks: a place where nothing is written yet."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["Board"]

Box = tuple[float, float, float, float]


def _box(x: float, base: float, width: float, size: float) -> Box:
    """Return what a line of text takes."""
    return x, base - size * 0.8, x + width, base + size * 0.2


class Board:
    """What is taken of a rectangle, so that no label covers another."""

    def __init__(self, left: float, top: float, right: float, bottom: float) -> None:
        self._edge = left, top, right, bottom
        self._taken: list[Box] = []
        self._lines: list[tuple[float, float]] = []

    def take(self, left: float, top: float, right: float, bottom: float) -> None:
        """Mark a box as taken."""
        self._taken.append((left, top, right, bottom))

    def avoid(self, spots: Iterable[tuple[float, float]]) -> None:
        """Name points of a line that a label rather does not cover."""
        self._lines += spots

    def claim(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Take a box if it is free, and return whether it was."""
        box = left, top, right, bottom
        free = self._free(box)
        if free:
            self._taken.append(box)
        return free

    def find(self, x: float, y: float, width: float, size: float) -> tuple[float, float] | None:
        """Return the start of a baseline near a mark, or None where there is no room.

        Below and right comes first: an ROC curve leaves that side free.
        """
        places = [
            (x + 9, y + size * 1.05),
            (x + 11, y + size * 0.35),
            (x + 2, y + size * 1.6),
            (x - width - 9, y - size * 0.35),
            (x - width - 11, y + size * 0.35),
            (x + 9, y + size * 2.0),
            (x - width / 2, y - size * 0.9),
            (x + 12, y + size * 3.0),
            (x - width - 9, y - size * 1.4),
        ]
        boxes = [_box(a, b, width, size) for a, b in places]
        free = [i for i, box in enumerate(boxes) if self._free(box)]
        if not free:
            return None
        best = min(free, key=lambda i: self._covered(boxes[i]))
        self._taken.append(boxes[best])
        return places[best]

    def find_far(self, x: float, y: float, width: float, size: float) -> tuple[float, float] | None:
        """Return the start of a baseline as near to a mark as is free; None if all is taken."""
        left, top, right, bottom = self._edge
        across = range(math.ceil(left) + 2, math.floor(right - width), 6)
        down = range(math.ceil(top + size), math.floor(bottom - size * 0.2) - 1, 6)
        free = [(a, b) for a in across for b in down if self._free(_box(a, b, width, size))]
        if not free:
            return None
        a, b = min(free, key=lambda at: self._cost(x, y, _box(at[0], at[1], width, size)))
        self._taken.append(_box(a, b, width, size))
        return float(a), float(b)

    def _cost(self, x: float, y: float, box: Box) -> float:
        """Return how far a box is from a mark, and more where it covers a line."""
        across = max(box[0] - x, 0.0, x - box[2])
        down = max(box[1] - y, 0.0, y - box[3])
        return math.hypot(across, down) + 2.0 * self._covered(box)

    def _covered(self, box: Box) -> int:
        return sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in self._lines)

    def _free(self, box: Box) -> bool:
        left, top, right, bottom = self._edge
        if box[0] < left + 1 or box[1] < top or box[2] > right or box[3] > bottom - 1:
            return False
        return not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
            for other in self._taken
        )
