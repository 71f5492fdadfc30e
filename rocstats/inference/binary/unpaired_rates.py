"""Rates of different people: score limits and tests of equal shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rocstats.inference.binary.rate_differences import Limits, solve_between

__all__ = ["UnpairedScore", "equal_shares"]

_STEP = 1e-3  # of z**2 / (n + z**2), the nearest that a limit comes where nothing varies


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedScore:
    """The score statistic of a difference of two independent shares at every null value.

    Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211: the variance is that of the likeliest
    shares with the null difference, times N / (N - 1). At 0 its square is Pearson's chi-square
    times (N - 1) / N.
    """

    hits: tuple[int, int]
    sizes: tuple[int, int]

    @property
    def name(self) -> str:
        return "score"

    @property
    def seen(self) -> float:
        """The difference of the shares."""
        return self.hits[0] / self.sizes[0] - self.hits[1] / self.sizes[1]

    def restricted(self, null: float) -> tuple[float, float]:
        """Return the likeliest two shares whose difference is `null`.

        The second is the root of a cubic between the ends that leave both in [0, 1]; there the
        slope of the likelihood falls, so that a few steps of halving and Newton find it.
        """
        low, high = max(0.0, -null), min(1.0, 1.0 - null)
        (x, y), (m, n) = self.hits, self.sizes
        size = m + n
        c2 = (size + n) * null - size - x - y
        c1 = (n * null - size - 2.0 * y) * null + x + y
        c0 = y * null * (1.0 - null)
        p = 0.5 * (low + high)
        left, right = low, high
        for _ in range(60):
            value = ((size * p + c2) * p + c1) * p + c0
            if value > 0.0:  # the cubic falls through its root
                left = p
            elif value < 0.0:
                right = p
            else:
                break
            slope = (3.0 * size * p + 2.0 * c2) * p + c1
            step = p - value / slope if slope < 0.0 else math.nan
            new = step if left < step < right else 0.5 * (left + right)
            if new == p or right - left <= 1e-16:
                break
            p = new
        p = min(max(p, low), high)
        return p + null, p

    def _spread(self, null: float) -> float:
        first, second = self.restricted(null)
        m, n = self.sizes
        own = first * (1.0 - first) / m + second * (1.0 - second) / n
        return math.sqrt(max(own, 0.0) * (m + n) / (m + n - 1.0))

    def judge(self, null: float) -> tuple[float, float]:
        """Return the signed statistic at a null value, and degrees of freedom (inf: normal)."""
        distance, spread = self.seen - null, self._spread(null)
        if spread > 0.0:
            return distance / spread, math.inf
        return math.copysign(math.inf, distance) if distance else 0.0, math.inf

    def limits(self, tail: float) -> Limits:
        """Return the least and the largest difference that leaves at least the tail beyond."""
        from scipy.special import ndtri

        z, seen = -float(ndtri(tail)), self.seen
        size = min(self.sizes)
        step = 0.0 if self._spread(seen) > 1e-9 else _STEP * z * z / (size + z * z)
        low, high = -1.0, 1.0
        if seen > -1.0:
            low = solve_between(lambda d: seen - d - z * self._spread(d), -1.0, seen - step)
        if seen < 1.0:
            high = solve_between(lambda d: seen - d + z * self._spread(d), seen + step, 1.0)
        return low, high


def equal_shares(hits: Sequence[int], sizes: Sequence[int]) -> float:
    """Return the chi-square of several independent shares that are equal; 0 where none varies.

    Pearson's, times (N - 1) / N, that is with the variance of counts over random relabelings.
    """
    total = sum(sizes)
    pooled = sum(hits) / total
    spread = pooled * (1.0 - pooled)
    if not spread > 0.0:
        return 0.0
    parts = (n * (x / n - pooled) ** 2 for x, n in zip(hits, sizes, strict=True))
    return (total - 1.0) / total * math.fsum(parts) / spread
