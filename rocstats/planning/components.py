"""Variance components of an area: what one positive, one negative and their pair add to it.

The variance of a mean over pairs at m positives and n negatives is
``xi10 / m + xi01 / n + sigma2 / (m n)`` (STATISTICS.md 2.3, 8.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["MODELS", "Components", "bivariate_normal", "normal_components"]

_SAME = 1.0 - 1e-15  # two parts of a correlation of 1 may sum to this


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Variance due to positives, to negatives, and to their interaction."""

    xi10: float
    xi01: float
    sigma2: float

    def variance(self, m: int, n: int) -> float:
        """Return the variance (or covariance) at m positives and n negatives."""
        return self.xi10 / m + self.xi01 / n + self.sigma2 / (m * n)

    def less(self, other: Components) -> Components:
        """Return the difference, part by part."""
        return Components(
            xi10=self.xi10 - other.xi10,
            xi01=self.xi01 - other.xi01,
            sigma2=self.sigma2 - other.sigma2,
        )


def bivariate_normal(h: float, k: float, correlation: float) -> float:
    """Return P(X < h, Y < k) of standard normal X and Y, by Owen's T function (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    if correlation >= _SAME:
        return float(ndtr(min(h, k)))
    if correlation <= -1.0:
        return float(max(ndtr(h) - ndtr(-k), 0.0))
    root = math.sqrt((1.0 - correlation) * (1.0 + correlation))
    if h == k == 0.0:
        return 0.25 + math.asin(correlation) / (2.0 * math.pi)

    def wing(x: float, other: float) -> float:
        slope = (other - correlation * x) / root
        return float(owens_t(x, slope / x if x else math.copysign(math.inf, slope)))

    low, high = sorted((h, k))  # signs, not the product, which may underflow
    split = 0.5 if low < 0.0 <= high else 0.0
    return float(0.5 * (ndtr(h) + ndtr(k))) - wing(h, k) - wing(k, h) - split


def normal_components(
    auc: tuple[float, float],
    sd_ratio: tuple[float, float] = (1.0, 1.0),
    correlation: tuple[float, float] = (1.0, 1.0),
) -> Components:
    """Return the covariance components of two areas under normal scores, exactly (8.2, 8.3).

    Parameters
    ----------
    auc : the two areas; an area with itself, all correlations 1, gives its variance
    sd_ratio : standard deviation of the positives over that of the negatives, for each score
    correlation : of the two scores within positives and within negatives
    """
    from scipy.special import ndtri

    h, k = (float(ndtri(a)) for a in auc)
    scale = math.hypot(1.0, sd_ratio[0]) * math.hypot(1.0, sd_ratio[1])
    pos = correlation[0] * sd_ratio[0] * sd_ratio[1] / scale
    neg = correlation[1] / scale
    xi10, xi01, xi11 = (bivariate_normal(h, k, r) - auc[0] * auc[1] for r in (pos, neg, pos + neg))
    return Components(xi10=xi10, xi01=xi01, sigma2=xi11 - xi10 - xi01)


def _normal(auc: float, sd_ratio: float) -> Components:
    return normal_components((auc, auc), (sd_ratio, sd_ratio))


def _hanley_mcneil(auc: float, sd_ratio: float) -> Components:
    """Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747: exponential scores."""
    xi10 = 2.0 * auc**2 / (1.0 + auc) - auc**2
    xi01 = auc / (2.0 - auc) - auc**2
    return Components(xi10=xi10, xi01=xi01, sigma2=auc * (1.0 - auc) - xi10 - xi01)


def _obuchowski(auc: float, sd_ratio: float) -> Components:
    """Obuchowski & McClish (1997) as used by Obuchowski, Lieber & Wians (2004) and by pROC."""
    from scipy.special import ndtri

    a = 1.414 * float(ndtri(auc))
    factor = 0.0099 * math.exp(-a * a / 2.0)
    return Components(xi10=factor * (5.0 * a * a + 8.0), xi01=factor * (a * a + 8.0), sigma2=0.0)


# Model: the components at an area, for positives whose spread is sd_ratio that of the negatives.
MODELS: dict[str, Callable[[float, float], Components]] = {
    "normal": _normal,
    "hanley-mcneil": _hanley_mcneil,
    "obuchowski": _obuchowski,
}
