"""Rate ratios: intervals of the ratio of two paired proportions."""

from __future__ import annotations

import math
from collections.abc import Callable

from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import solve_between

__all__ = ["RATIO_METHODS", "log_ratio_error", "rate_ratio"]

Limits = tuple[float, float]

_STEP = 1e-4  # of z**2 / (a + b + c + z**2), the nearest that a limit comes where nothing varies


def rate_ratio(cells: PairedCells) -> float:
    """Return the ratio, new over standard: inf over nothing, nan where both are nothing."""
    if cells.standard:
        return cells.new / cells.standard
    return math.inf if cells.new else math.nan


def log_ratio_error(cells: PairedCells) -> float:
    """Return the standard error of the logarithm of the ratio; nan where that is not finite."""
    if not (cells.new and cells.standard):
        return math.nan
    return math.sqrt(cells.discordant / (cells.new * cells.standard))


def _spread(cells: PairedCells, s: float) -> float:
    """Return the deviation of ``new w - standard s`` where the ratio is s / w, w = 1 - s.

    Tang, Tang & Chan (2003) in homogeneous coordinates, so that ratios of 0 and of infinity are
    points like others. The number of subjects that succeed in neither test has no part in it.
    """
    w, some = 1.0 - s, cells.a + cells.b + cells.c
    linear = cells.standard * s * s - (cells.new + 2.0 * cells.c) * w * w
    constant = cells.c * some * w * (w - s)
    root = math.sqrt(max(linear * linear - 4.0 * w * constant, 0.0))
    if linear > 0.0:
        q = -2.0 * constant / (linear + root)
    else:
        q = (root - linear) / (2.0 * w) if w > 0.0 else 0.0
    return math.sqrt(max(w * (q + some * (s - w)), 0.0))


def _score(cells: PairedCells, z: float) -> Limits:
    """The ratios whose score statistic is at most z; at 1 its square is McNemar's chi-square."""
    new, standard = cells.new, cells.standard
    if not (new or standard):
        return 0.0, math.inf
    seen, some = new / (new + standard), cells.a + cells.b + cells.c
    step = 0.0
    if _spread(cells, seen) <= 1e-12 * some:
        step = _STEP * z * z / (some + z * z)
    low, high = 0.0, 1.0
    if new:
        low = solve_between(
            lambda s: new * (1.0 - s) - standard * s - z * _spread(cells, s), 0.0, seen - step
        )
    if standard:
        high = solve_between(
            lambda s: new * (1.0 - s) - standard * s + z * _spread(cells, s), seen + step, 1.0
        )
    return low / (1.0 - low), high / (1.0 - high) if high < 1.0 else math.inf


def _wald(cells: PairedCells, z: float) -> Limits:
    ratio, factor = rate_ratio(cells), math.exp(z * log_ratio_error(cells))
    return ratio / factor, ratio * factor


# Method: its limits, at so many standard errors.
RATIO_METHODS: dict[str, Callable[[PairedCells, float], Limits]] = {"score": _score, "wald": _wald}
