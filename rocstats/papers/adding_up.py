"""Whether printed numbers add up: shares of whole counts, averages of rows, wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rocstats.studies.corrected import sign_test_p

__all__ = ["Wins", "count_wins", "critical_wins", "share_is_possible"]


class Wins(NamedTuple):
    """How often the first of two numbers is greater, less and equal."""

    wins: int
    losses: int
    ties: int


def count_wins(first: Sequence[float], second: Sequence[float]) -> Wins:
    """Return how often the first is greater, less and equal."""
    pairs = list(zip(first, second, strict=True))
    wins = sum(a > b for a, b in pairs)
    losses = sum(a < b for a, b in pairs)
    return Wins(wins, losses, len(pairs) - wins - losses)


def critical_wins(n: int, significance: float) -> int | None:
    """Return the fewest wins of n that are significant, or None if not even n are."""
    for wins in range((n + 1) // 2, n + 1):
        if sign_test_p(wins, n - wins) <= significance:
            return wins
    return None


def share_is_possible(percent: float, n: int) -> bool:
    """Return whether a whole number out of n, rounded or cut, can be printed as this share.

    Examples
    --------
    >>> from rocstats.papers.adding_up import share_is_possible
    >>> share_is_possible(66.66, 3), share_is_possible(66.67, 3), share_is_possible(66.68, 3)
    (True, True, False)
    """
    printed, nearest = round(100.0 * percent), round(percent * n / 100.0)
    return any(
        printed in (10_000 * count // n, (20_000 * count + n) // (2 * n))
        for count in range(nearest - 1, nearest + 2)
    )
