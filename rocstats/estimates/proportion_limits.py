"""Confidence limits of proportions: Wilson, Clopper-Pearson, Agresti-Coull and Jeffreys.

The formulas are those of ``statsmodels.stats.proportion``, whose import takes longer than a report
of a small study; a test holds the limits to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["PROPORTION_METHODS", "Limits", "ProportionMethod", "proportion_limits"]

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]
ProportionMethod = Literal["wilson", "clopper-pearson", "agresti-coull", "jeffreys"]


def proportion_limits(count: Any, size: Any, *, level: float, method: str) -> Limits:
    """Return the limits of ``count / size``; nan where the size is 0.

    Where nothing, or everything, was counted, that end is exactly 0 or 1, of Jeffreys' interval
    too: so Brown, Cai & DasGupta (2001) have it, and statsmodels has quantiles a little inside.
    """
    given, sizes = np.broadcast_arrays(np.asarray(count, float), np.asarray(size, float))
    none = sizes == 0.0
    sizes = sizes + none
    low, high = PROPORTION_METHODS[method](given, sizes, (1.0 - level) / 2.0)
    low = np.where(none, math.nan, np.where(given == 0.0, 0.0, low))
    return low, np.where(none, math.nan, np.where(given == sizes, 1.0, high))


def _wilson(count: Any, size: Any, tail: float) -> Limits:
    z, share = _quantile(tail), count / size
    scale = 1.0 + z * z / size
    centre = (share + z * z / (2.0 * size)) / scale
    reach = z * np.sqrt(share * (1.0 - share) / size + z * z / (4.0 * size**2)) / scale
    return centre - reach, centre + reach


def _agresti_coull(count: Any, size: Any, tail: float) -> Limits:
    z = _quantile(tail)
    worth = size + z * z
    share = (count + z * z / 2.0) / worth
    reach = z * np.sqrt(share * (1.0 - share) / worth)
    return np.clip(share - reach, 0.0, 1.0), np.clip(share + reach, 0.0, 1.0)


def _clopper_pearson(count: Any, size: Any, tail: float) -> Limits:
    from scipy.special import betainccinv, betaincinv

    rest = size - count
    some, few = count + (count == 0.0), rest + (rest == 0.0)  # those ends are put right above
    return betaincinv(some, rest + 1.0, tail), betainccinv(count + 1.0, few, tail)


def _jeffreys(count: Any, size: Any, tail: float) -> Limits:
    from scipy.special import betainccinv, betaincinv

    ours, rest = count + 0.5, size - count + 0.5
    return betaincinv(ours, rest, tail), betainccinv(ours, rest, tail)


def _quantile(tail: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(tail))


PROPORTION_METHODS: Mapping[str, Callable[[Any, Any, float], Limits]] = {
    "wilson": _wilson,
    "clopper-pearson": _clopper_pearson,
    "agresti-coull": _agresti_coull,
    "jeffreys": _jeffreys,
}
