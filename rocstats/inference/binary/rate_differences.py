"""Rate differences: intervals and tests of the difference of two paired proportions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocstats.engine.root_finding import find_zero
from rocstats.inference.binary.paired_cells import PairedCells

__all__ = [
    "DIFFERENCE_METHODS",
    "TangoScore",
    "exact_pvalue",
    "mcnemar_statistic",
    "mid_pvalue",
    "restricted_deviation",
    "solve_between",
    "wilson_limits",
]

Limits = tuple[float, float]

_STEP = 1e-3  # of z**2 / (n + z**2), the nearest that a limit comes where nothing varies
_CLOSE = 1e-15  # of a root


def solve_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that changes its sign does so, to the last digits."""
    if function(low) == 0.0:
        return low
    if function(high) == 0.0:
        return high
    return find_zero(function, low, high, xtol=_CLOSE, rtol=4.0 * 2.3e-16)


def restricted_deviation(n: float, b: float, c: float, null: float) -> float:
    """Return the standard deviation of b - c of n, by likelihood where the difference is `null`."""
    linear = (2.0 * n - b + c) * null - b - c
    root = math.sqrt(max(linear * linear + 8.0 * n * c * null * (1.0 - null), 0.0))
    q = (root - linear) / (4.0 * n)
    if linear > 0.0:  # the same without cancellation
        q = 2.0 * c * null * (1.0 - null) / (root + linear)
    return math.sqrt(max(n * (2.0 * q + null * (1.0 - null)), 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class TangoScore:
    """The score statistic of a difference of paired proportions at every null value.

    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B. At 0 its
    square is McNemar's chi-square.
    """

    cells: PairedCells

    @property
    def name(self) -> str:
        return "score"

    def _spread(self, null: float) -> float:
        return restricted_deviation(self.cells.n, self.cells.b, self.cells.c, null)

    def judge(self, null: float) -> tuple[float, float]:
        """Return the signed statistic at a null value, and degrees of freedom (inf: normal)."""
        distance = self.cells.b - self.cells.c - self.cells.n * null
        spread = self._spread(null)
        if spread > 0.0:
            return distance / spread, math.inf
        return math.copysign(math.inf, distance) if distance else 0.0, math.inf

    def limits(self, tail: float) -> Limits:
        """Return the least and the largest difference that leaves at least the tail beyond."""
        from scipy.special import ndtri

        return self.limits_at(-float(ndtri(tail)))

    def limits_at(self, z: float) -> Limits:
        """Return the differences whose statistic is z, and minus z."""
        n = self.cells.n
        lead = self.cells.b - self.cells.c
        seen = lead / n
        step = 0.0
        if self._spread(seen) <= 1e-12 * n:  # zero here too, where the limit is not
            step = _STEP * z * z / (n + z * z)
        low, high = -1.0, 1.0
        if self.cells.c < n:
            low = solve_between(
                lambda delta: lead - n * delta - z * self._spread(delta), -1.0, seen - step
            )
        if self.cells.b < n:
            high = solve_between(
                lambda delta: lead - n * delta + z * self._spread(delta), seen + step, 1.0
            )
        return low, high


def wilson_limits(count: int, n: int, z: float) -> Limits:
    """Return Wilson's score limits of one proportion, exactly 0 or 1 at the ends."""
    share = count / n
    middle = share + z * z / (2.0 * n)
    reach = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    scale = 1.0 + z * z / n
    low = 0.0 if count == 0 else (middle - reach) / scale
    return low, 1.0 if count == n else (middle + reach) / scale


def _newcombe(cells: PairedCells, z: float) -> Limits:
    """Newcombe (1998), method 10: Wilson's limits squared and added, with a corrected phi."""
    n = cells.n
    margins = [cells.new, n - cells.new, cells.standard, n - cells.standard]
    joint = float(cells.a * cells.d - cells.b * cells.c)
    if joint > 0.0:
        joint = max(joint - n / 2.0, 0.0)
    scale = math.sqrt(math.prod(margins))
    phi = joint / scale if scale > 0.0 else 0.0
    new, standard = cells.new / n, cells.standard / n
    (l1, u1), (l2, u2) = wilson_limits(cells.new, n, z), wilson_limits(cells.standard, n, z)

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(one * one - 2.0 * phi * one * other + other * other, 0.0))

    seen = (cells.b - cells.c) / n
    return seen - reach(new - l1, u2 - standard), seen + reach(u1 - new, standard - l2)


def _adjusted(cells: PairedCells, z: float, added: float, to: float) -> Limits:
    """Wald limits with `added` to either discordant cell and `to` to the size."""
    n, b, c = cells.n + to, cells.b + added, cells.c + added
    middle = (b - c) / n
    reach = z * math.sqrt(max(b + c - (b - c) ** 2 / n, 0.0)) / n
    return max(middle - reach, -1.0), min(middle + reach, 1.0)


# Method: its limits, at so many standard errors.
DIFFERENCE_METHODS: dict[str, Callable[[PairedCells, float], Limits]] = {
    "score": lambda cells, z: TangoScore(cells=cells).limits_at(z),
    "newcombe": _newcombe,
    "bonett-price": lambda cells, z: _adjusted(cells, z, 1.0, 2.0),
    "agresti-min": lambda cells, z: _adjusted(cells, z, 0.5, 2.0),
    "wald": lambda cells, z: _adjusted(cells, z, 0.0, 0.0),
}


def mcnemar_statistic(cells: PairedCells) -> float:
    """Return McNemar's chi-square, without a continuity correction; 0 without discordant pairs."""
    if not cells.discordant:
        return 0.0
    return (cells.b - cells.c) ** 2 / cells.discordant


def exact_pvalue(cells: PairedCells) -> float:
    """Return the two-sided exact p-value: twice the smaller tail, at most 1."""
    from scipy.special import bdtr

    if not cells.discordant:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(cells.b, cells.c), cells.discordant, 0.5)))


def mid_pvalue(cells: PairedCells) -> float:
    """Return the mid-p value: the exact one less the probability of what was seen.

    Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91.
    """
    from scipy.special import bdtr, betaln

    m, k = cells.discordant, min(cells.b, cells.c)
    if not m:
        return 1.0
    seen = math.exp(-math.log(m + 1.0) - float(betaln(m - k + 1.0, k + 1.0)) - m * math.log(2.0))
    if cells.b == cells.c:
        return 1.0 - 0.5 * seen
    return max(2.0 * float(bdtr(k, m, 0.5)) - seen, 0.0)
