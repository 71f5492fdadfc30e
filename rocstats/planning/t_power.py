"""The power of t tests, given a standard error and its degrees of freedom."""

from __future__ import annotations

import math

from rocstats.engine.t_quantiles import stdtrit

__all__ = ["detectable_effect", "power_if_equal"]

_STEPS = 1000  # quantiles over which the spread of a standard error is averaged


def detectable_effect(
    std_error: float, df: float, *, confidence_level: float, power: float
) -> float:
    """Return the effect that the two-sided t test of this standard error finds with the power."""
    if not std_error > 0.0:
        return math.nan
    return float(std_error * (stdtrit(df, 0.5 + confidence_level / 2.0) + stdtrit(df, power)))


def power_if_equal(
    std_error: float, df: float, *, aim: str, margin: float, significance: float
) -> float | None:
    """Return the power of a margin's test at this standard error, if the two values are equal.

    Superiority by a margin has none: equal values are what it is to be told from.
    """
    import numpy as np
    from scipy.special import gammaincinv, ndtr

    if aim == "superiority" or not std_error > 0.0:
        return None
    sides = 2.0 if aim == "equivalence" else 1.0
    chances = (np.arange(_STEPS) + 0.5) / _STEPS
    spread = np.sqrt(gammaincinv(df / 2.0, chances) / (df / 2.0))  # of a standard error, over it
    reach = margin / std_error - stdtrit(df, 1.0 - significance) * spread
    return float(np.maximum(1.0 - sides * ndtr(-reach), 0.0).mean())
