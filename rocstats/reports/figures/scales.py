"""Scales: from the values of a fact to places on a drawing, with ticks at round values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rocstats.reports.leaves import number

__all__ = ["Scale", "fit_scale", "show_tick"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values from ``low`` to ``high`` between the places ``start`` and ``stop``."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: Any) -> float:
        """Return the place of a value; nan where it has none."""
        at = number(value)
        low, high = self.low, self.high
        if self.log:
            if not at > 0.0:
                return math.nan
            low, high, at = math.log10(low), math.log10(high), math.log10(at)
        return self.start + (at - low) / (high - low) * (self.stop - self.start)

    def inside(self, value: Any) -> float:
        """Return the place of a value, or the end of the scale that it lies beyond."""
        at = number(value)
        return self(min(max(at, self.low), self.high)) if at == at else math.nan

    def holds(self, value: Any) -> bool:
        """Return whether a value lies on the scale."""
        return self.low <= number(value) <= self.high

    def ticks(self, count: int = 5) -> list[float]:
        """Return about ``count`` round values on the scale."""
        if self.log:
            return self._log_ticks(count)
        step = _round_step((self.high - self.low) / max(count, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step)) + 1)
        return [round(k * step, digits) + 0.0 for k in range(first, last + 1)]

    def _log_ticks(self, count: int) -> list[float]:
        low, high = math.log10(self.low), math.log10(self.high)
        decades = range(math.floor(low), math.ceil(high) + 1)
        for steps in ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
            found = [
                float(f"{s}e{d}")
                for d in decades
                for s in steps
                if low - 1e-9 <= math.log10(s) + d <= high + 1e-9
            ]
            if len(found) <= count + 1 and len(found) > 1:
                return found
        every = max(1, math.ceil((high - low) / count))
        found = [float(f"1e{d}") for d in decades if d % every == 0 and low <= d <= high]
        linear = Scale(low=self.low, high=self.high, start=0.0, stop=1.0)
        return found if len(found) > 1 else [t for t in linear.ticks(count) if t > 0.0]


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= step * (1 - 1e-9))


def fit_scale(
    values: Iterable[Any],
    start: float,
    stop: float,
    *,
    log: bool = False,
    margin: float = 0.0,
    least: float | None = None,
    most: float | None = None,
) -> Scale:
    """Return the scale that holds every finite value, with a share of it as margin on each side.

    ``least`` and ``most`` are values that the margin does not go beyond. A single value, or none,
    gets a scale around it.
    """
    kept = [v for v in map(number, values) if math.isfinite(v) and (v > 0.0 or not log)]
    low, high = (min(kept), max(kept)) if kept else ((1.0, 10.0) if log else (0.0, 1.0))
    if log:
        room = (high / low) ** margin if high > low * (1 + 1e-12) else 2.0
        low, high = low / room, high * room
    else:
        room = (high - low) * margin
        if not high - low > 1e-12 * max(abs(low), abs(high), 1e-300):
            room = abs(low) * 0.1 or 0.5
        low, high = low - room, high + room
        low = low if least is None else max(low, min(least, min(kept, default=low)))
        high = high if most is None else min(high, max(most, max(kept, default=high)))
    return Scale(low=low, high=high, start=start, stop=stop, log=log)


def show_tick(value: float) -> str:
    """Return a tick's value: as few digits as it has, and a true minus sign."""
    if value == 0.0:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-4:
        mantissa, power = f"{value:.3e}".split("e")
        head = mantissa.rstrip("0").rstrip(".")
        return f"{head}e{int(power)}".replace("-", "\u2212")
    return f"{value:.6g}".replace("-", "\u2212")
