"""Values beyond a limit of detection: they rank below, or above, all that was measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.intake.column_cells import ColumnCells
from rocstats.data.intake.intake_log import Question
from rocstats.errors import InvalidSampleError, keyword

__all__ = ["LimitlessError", "above_limit", "below_limit", "lowest_place"]


class LimitlessError(Exception):
    """A cell says "below detection" without a limit that could be halved."""

    def __init__(self, asked: Question) -> None:
        super().__init__(str(asked.sentence))
        self.asked = asked


def lowest_place(limits: Floats, measured: Floats) -> float:
    """Return the number that ranks below everything measured, at the lowest limit if that does.

    Where a measured value lies at that limit or below it, it is the next double below them all.

    Examples
    --------
    >>> import numpy as np
    >>> lowest_place(np.array([0.05, 0.1]), np.array([0.2, 3.0]))
    0.05
    >>> lowest_place(np.array([0.05]), np.array([0.05, 3.0])) < 0.05
    True
    """
    known = limits[np.isfinite(limits)]
    low = float(known.min()) if known.size else np.inf
    least = float(measured.min()) if measured.size else np.inf
    if low < least:
        return low
    return float(np.nextafter(least, -np.inf)) if np.isfinite(least) else float("nan")


def below_limit(
    column: ColumnCells, chosen: Sequence[int], limits: Floats, measured: Floats, mode: str
) -> tuple[Floats, str]:
    """Return numbers for cells below detection, and what is said of it."""
    if mode == "missing":
        return np.full(limits.size, np.nan), "below detection made missing: {texts}"
    if mode == "half":
        if not (limits > 0.0).all():
            raise LimitlessError(
                column.ask(
                    "below detection",
                    chosen,
                    InvalidSampleError(
                        f"{column.name} holds cells below detection without a limit above 0 that "
                        f"could be halved, as in {column.first(chosen)}; take "
                        f"{keyword('below_detection', 'lowest')}."
                    ),
                    option="below_detection",
                    answers=("lowest", "missing"),
                )
            )
        return limits / 2.0, "below detection set to half the limit: {texts}"
    place = lowest_place(limits, measured)
    within = np.count_nonzero(measured < np.nanmax(limits, initial=-np.inf))
    return np.full(limits.size, place), _said(
        place, limits, "below", column.n_cells(chosen), bool(within)
    )


def above_limit(
    column: ColumnCells, chosen: Sequence[int], limits: Floats, measured: Floats, mode: str
) -> tuple[Floats, str]:
    """Return numbers for cells above the range of the test, and what is said of it."""
    if mode == "missing":
        return np.full(limits.size, np.nan), "above the range made missing: {texts}"
    place = -lowest_place(-limits, -measured)
    within = np.count_nonzero(measured > np.nanmin(limits, initial=np.inf))
    return np.full(limits.size, place), _said(
        place, limits, "above", column.n_cells(chosen), bool(within)
    )


def _said(place: float, limits: Floats, side: str, n: int, within: bool) -> str:
    """Return what is said of cells that rank at an end; {texts} stands for what they hold."""
    what, end = ("below detection", "lowest") if side == "below" else ("above the range", "highest")
    several = np.unique(limits[np.isfinite(limits)]).size > 1
    tied = ", tied with one another" if n > 1 else ""
    limit = ", whatever the limit" if several else ""
    other = "above" if side == "below" else "below"
    beside = f"; values measured {side} a limit are kept and rank {other}" if within else ""
    number = f"{place:.15g}"
    number = number if float(number) == place else f"just {side} {number}"
    return f"{what} ranked {end}{tied}{limit}: {{texts}} as {number}{beside}"
