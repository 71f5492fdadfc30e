"""Where a function of one number is zero: Brent's method, without the imports of scipy.optimize.

Those take longer than an analysis of a small file. The steps are those of ``scipy.optimize.brentq``
(Brent 1973, chapter 4), and so are the bits of the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["find_zero"]

_RTOL = 4.0 * 2.0**-52
_MOST = 100  # steps; bisection alone needs fewer than 64 for most brackets


def find_zero(
    function: Callable[[float], float], low: float, high: float, *, xtol: float, rtol: float = _RTOL
) -> float:
    """Return where a function that has two signs at `low` and `high` is zero, to the tolerances."""
    before, f_before, here, f_here = low, function(low), high, function(high)
    if f_before == 0.0:
        return before
    if f_here == 0.0:
        return here
    if (f_before < 0.0) == (f_here < 0.0):
        raise ValueError(f"No change of sign between {low!r} and {high!r}.")
    across = f_across = last_step = step = 0.0
    for _ in range(_MOST):
        if f_before != 0.0 and (f_before < 0.0) != (f_here < 0.0):
            across, f_across = before, f_before
            last_step = step = here - before
        if abs(f_across) < abs(f_here):
            before, here, across = here, across, here
            f_before, f_here, f_across = f_here, f_across, f_here
        near = (xtol + rtol * abs(here)) / 2.0
        half = (across - here) / 2.0
        if f_here == 0.0 or abs(half) < near:
            break
        tried = math.inf
        if abs(last_step) > near and abs(f_here) < abs(f_before):
            tried = _interpolated((before, f_before), (here, f_here), (across, f_across))
        if 2.0 * abs(tried) < min(abs(last_step), 3.0 * abs(half) - near):
            last_step, step = step, tried
        else:
            last_step = step = half
        before, f_before = here, f_here
        here += step if abs(step) > near else math.copysign(near, half)
        f_here = function(here)
    return here


def _interpolated(
    before: tuple[float, float], here: tuple[float, float], across: tuple[float, float]
) -> float:
    """Return the step to where a line, or a parabola of the inverse function, is zero."""
    (x0, f0), (x, f), (x1, f1) = before, here, across
    if x0 == x1:
        return -f * (x - x0) / (f - f0)
    d0, d1 = (f0 - f) / (x0 - x), (f1 - f) / (x1 - x)
    bottom = d1 * d0 * (f1 - f0)
    return -f * (f1 * d1 - f0 * d0) / bottom if bottom else math.inf
