"""Solving: the least whole number, and the root, at which a rising function reaches a target."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["find_root", "least_size"]

_LARGEST = 10**9
_TOLERANCE = 1e-12


def least_size(reaches: Callable[[int], bool]) -> int | None:
    """Return the least whole number from 2 that reaches the target and stays so; None if none does.

    `reaches` must be False below some number and True from it on, as the power of a test is in the
    size of its sample.
    """
    high = 2
    while not reaches(high):
        high *= 2
        if high > _LARGEST:
            return None
    low = max(high // 2, 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def find_root(rising: Callable[[float], float], low: float, high: float) -> float | None:
    """Return where a rising function is zero between `low` and `high`; None if it stays below."""
    from rocstats.engine.root_finding import find_zero

    if rising(high) < 0.0:
        return None
    if rising(low) >= 0.0:
        return low
    return find_zero(rising, low, high, xtol=_TOLERANCE, rtol=4 * _TOLERANCE)
