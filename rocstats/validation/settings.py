"""Settings: what both sides of every case have to agree on."""

from __future__ import annotations

from typing import Any, Literal

__all__ = ["ALTERNATIVES", "LEVELS", "MARGIN", "RATES", "Markers", "Numbers"]

Numbers = dict[str, Any]  # name: a float, or a list of them
Markers = tuple[str, ...]

ALTERNATIVES: tuple[Literal["two-sided", "less", "greater"], ...] = ("two-sided", "less", "greater")
LEVELS = (0.9, 0.95, 0.99)  # of intervals
MARGIN = 0.1  # of non-inferiority, superiority and equivalence
RATES = (0.5, 0.8, 0.9, 0.95)  # at which the other rate is wanted
