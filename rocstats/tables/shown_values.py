"""A value as a reader wants it: digits, p-values, and counts with their word."""

from __future__ import annotations

from typing import Any

__all__ = ["by_number", "counted", "show_p", "show_value"]


def counted(number: int, word: str) -> str:
    """Return ``1 positive`` or ``2 positives``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def by_number(level: str) -> tuple[bool, float, str]:
    """Return the key that sorts levels: those written as numbers first, by their size.

    Examples
    --------
    >>> sorted(["high", "10", "9"], key=by_number)
    ['9', '10', 'high']
    """
    try:
        return False, float(level), level
    except ValueError:
        return True, 0.0, level


def show_value(value: Any) -> str:
    """Return a value as a reader wants it: four decimals, or four digits where it is small."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if 0.0 < abs(value) < 0.001 or abs(value) >= 1e6 else f"{value:.4f}"


def show_p(pvalue: float) -> str:
    """Return ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if pvalue < 0.0001 else f"= {pvalue:.4f}"
