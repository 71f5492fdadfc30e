"""Scales: from the values of a fact to places on a drawing, with ticks at round values."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rocstats.reports.figures.lettering import text_width
from rocstats.reports.leaves import number

__all__ = ["Scale", "fit_scale", "fit_ticks", "show_tick"]

_APART = 3.0  # units between the words of two ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values from ``low`` to ``high`` between the places ``start`` and ``stop``.

    Where there are ``steps``, these values stand at equal distances, and others between them.
    """

    low: float
    high: float
    start: float
    stop: float
    log: bool = False
    steps: tuple[float, ...] = ()

    def __call__(self, value: Any) -> float:
        """Return the place of a value; nan where it has none."""
        at = number(value)
        low, high = self.low, self.high
        if self.log:
            if not at > 0.0:
                return math.nan
            low, high, at = math.log10(low), math.log10(high), math.log10(at)
        elif self.steps and math.isfinite(at):
            low, high, at = (_rank(self.steps, value) for value in (low, high, at))
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
        if self.steps:
            return list(self.steps)
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


def _rank(steps: Sequence[float], value: float) -> float:
    """Return how many steps a value is above the first, parts of a step among them."""
    i = min(max(bisect_right(steps, value) - 1, 0), len(steps) - 2)
    return i + (value - steps[i]) / (steps[i + 1] - steps[i])


def fit_ticks(scale: Scale, count: int, ticks: Sequence[float] | None = None) -> list[float]:
    """Return ticks whose words do not touch: fewer round ones, or every other one of those given.

    Parameters
    ----------
    scale : where they stand, from left to right
    count : about how many there may be
    ticks : those that are asked for
    """
    for n in range(count, 1, -1):
        found = scale.ticks(n) if ticks is None else list(ticks)
        if _are_apart(scale, found):
            return found
    every = (found[::step] for step in range(2, len(found) + 1))
    return next((some for some in every if _are_apart(scale, some)), found[:1])


def _are_apart(scale: Scale, ticks: Sequence[float]) -> bool:
    return all(
        scale(right) - scale(left)
        >= (text_width(show_tick(left)) + text_width(show_tick(right))) / 2 + _APART
        for left, right in pairwise(ticks)
    )


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
    steps: Sequence[Any] = (),
) -> Scale:
    """Return the scale that holds every finite value, with a share of it as margin on each side.

    ``least`` and ``most`` are values that the margin does not go beyond. A single value, or none,
    gets a scale around it. One with ``steps`` reaches half a step beyond them.
    """
    rungs = tuple(map(number, steps))
    if len(rungs) > 1 and all(right > left for left, right in pairwise(rungs)):
        room = 0.5 + margin
        low = rungs[0] - room * (rungs[1] - rungs[0])
        high = rungs[-1] + room * (rungs[-1] - rungs[-2])
        return Scale(low=low, high=high, start=start, stop=stop, steps=rungs)
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
