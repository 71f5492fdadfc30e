"""Labels beside marks: a place where nothing is written yet."""

from __future__ import annotations

__all__ = ["Board"]

Box = tuple[float, float, float, float]


class Board:
    """What is taken of a rectangle, so that no label covers another."""

    def __init__(self, left: float, top: float, right: float, bottom: float) -> None:
        self._edge = left, top, right, bottom
        self._taken: list[Box] = []

    def take(self, left: float, top: float, right: float, bottom: float) -> None:
        """Mark a box as taken."""
        self._taken.append((left, top, right, bottom))

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
        ]
        for left, base in places:
            box = left, base - size * 0.8, left + width, base + size * 0.2
            if self._free(box):
                self._taken.append(box)
                return left, base
        return None

    def _free(self, box: Box) -> bool:
        left, top, right, bottom = self._edge
        if box[0] < left + 1 or box[1] < top or box[2] > right or box[3] > bottom - 1:
            return False
        return not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
            for other in self._taken
        )
