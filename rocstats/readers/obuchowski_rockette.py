"""Obuchowski and Rockette's analysis of variance of readers' estimates, with Hillis' df.

Rows are cells (test i, reader j) with estimates theta and their covariance S over cases. What is
random decides on the denominator of the test (STATISTICS.md, reader studies): both, cases alone
with the readers as they are, or readers alone with the cases as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rocstats.arrays import Floats

__all__ = ["Answered", "MeanSquares", "Scatter", "mean_scatter"]

_ROUNDING = 16 * np.finfo(np.float64).eps  # a mean square this small beside its terms' is 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A statistic beside its reference: F with df and df_denominator, chi-square where inf."""

    statistic: float
    df: float
    df_denominator: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """A standard error and its degrees of freedom; inf for a normal reference."""

    std_error: float
    df: float


class MeanSquares:
    """Mean squares and averaged covariances of a table of estimates, tests by readers.

    Readers are crossed with tests, or nested in them; then a test has readers of its own.

    Attributes
    ----------
    t : number of tests
    sizes : (t,) number of readers of every test
    means : (t,) mean of the readers, by test
    var, cov1, cov2, cov3 : averages of S over equal cells; the same reader; the same test; neither
    """

    def __init__(
        self,
        theta: Floats,
        covariance: Floats,
        test: NDArray[np.intp],
        reader: NDArray[np.intp],
        *,
        nested: bool,
    ) -> None:
        self.theta, self.covariance, self.test, self.nested = theta, covariance, test, nested
        self.t = int(test.max()) + 1
        self.sizes = np.bincount(test).astype(np.float64)
        self.means: Floats = np.bincount(test, theta) / self.sizes
        same_test = test[:, np.newaxis] == test
        same_reader = reader[:, np.newaxis] == reader
        self.var = _mean(covariance, same_test & same_reader)
        self.cov1 = 0.0 if nested else _mean(covariance, ~same_test & same_reader)
        self.cov2 = _mean(covariance, same_test & ~same_reader)
        self.cov3 = _mean(covariance, ~same_test & ~same_reader)
        self.r = float(self.sizes[0])
        small = _ROUNDING * float(np.abs(theta).max(initial=0.0))
        grand = float(theta.sum()) / theta.size
        self.ms_test = self.ms_reader = self.ms_test_reader = math.nan
        if self.t > 1:
            between = float((self.sizes * (self.means - grand) ** 2).sum())
            self.ms_test = _not_rounding(between / (self.t - 1), small)
        if nested:
            within = float(((theta - self.means[test]) ** 2).sum())
            if theta.size > self.t:
                self.ms_reader = _not_rounding(within / (theta.size - self.t), small)
            return
        if theta.size != self.t * (int(reader.max()) + 1):  # some have no reader: no mean squares
            self.ms_test = math.nan
            return
        by_reader: Floats = np.bincount(reader, theta) / self.t
        rest = theta - self.means[test] - by_reader[reader] + grand
        if self.r > 1:
            among = float(self.t * ((by_reader - grand) ** 2).sum())
            self.ms_reader = _not_rounding(among / (self.r - 1.0), small)
            if self.t > 1:
                below = (self.t - 1) * (self.r - 1.0)
                self.ms_test_reader = _not_rounding(float((rest**2).sum()) / below, small)

    @property
    def excess(self) -> float:
        """By how much readers agree more within a test than across tests, on the same cases."""
        return max(self.cov2 - self.cov3, 0.0)

    @property
    def weight(self) -> float:
        """How often `excess` enters the mean square of tests: readers of a test (Hillis 2014)."""
        n = float(self.theta.size)
        if not self.nested:
            return self.r
        return (n * n - float((self.sizes**2).sum())) / (n * (self.t - 1))

    @property
    def residual(self) -> tuple[float, float]:
        """The mean square that readers leave, and its degrees of freedom."""
        if self.nested:
            return self.ms_reader, float(self.theta.size - self.t)
        return self.ms_test_reader, (self.t - 1) * (self.r - 1.0)

    def denominator(self, random: str) -> tuple[float, float]:
        """Return what the mean square of tests is held against, and its degrees of freedom."""
        ms, df = self.residual
        if random == "readers":
            return ms, df
        if random == "cases":
            if self.nested:
                return self.var - self.cov2 + self.weight * self.excess, math.inf
            # Not cut at 0: with two tests this is the contrast of the covariance itself.
            spread = (self.r - 1.0) * (self.cov2 - self.cov3)
            return self.var - self.cov1 + spread, math.inf
        below = ms + self.weight * self.excess
        return below, _hillis(below, ms, df)

    def omnibus(self, random: str) -> Answered:
        """Return the test of all tests; p follows from F, or from chi-square."""
        below, df = self.denominator(random)
        ratio = _ratio(self.ms_test, below)
        if math.isinf(df) and random == "cases":
            ratio *= self.t - 1
        return Answered(statistic=ratio, df=float(self.t - 1), df_denominator=df)

    def difference(self, first: int, second: int, random: str) -> Scatter:
        """Return the standard error of the difference of two tests."""
        if random == "cases" and not self.nested:
            weights = ((self.test == first) * 1.0 - (self.test == second)) / self.r
            return Scatter(std_error=_root(weights @ self.covariance @ weights), df=math.inf)
        below, df = self.denominator(random)
        return Scatter(
            std_error=_root((1.0 / self.sizes[first] + 1.0 / self.sizes[second]) * below), df=df
        )

    def one_test(self, i: int, random: str) -> Scatter:
        """Return the standard error of one test's mean, from its own data (Hillis 2007, 5.3)."""
        here = self.test == i
        return mean_scatter(self.theta[here], self.covariance[np.ix_(here, here)], random)


def mean_scatter(theta: Floats, covariance: Floats, random: str) -> Scatter:
    """Return the standard error of the mean of several readers, and its degrees of freedom."""
    r = float(theta.size)
    together = ~np.eye(theta.size, dtype=bool)
    shared = max(_mean(covariance, together), 0.0)
    if random == "cases":
        own = float(np.diag(covariance).mean())
        return Scatter(std_error=_root((own + (r - 1.0) * shared) / r), df=math.inf)
    if r < 2:
        return Scatter(std_error=math.nan, df=math.nan)
    small = _ROUNDING * float(np.abs(theta).max(initial=0.0))
    ms = _not_rounding(float(theta.var(ddof=1)), small)
    if random == "readers":
        return Scatter(std_error=_root(ms / r), df=r - 1.0)
    below = ms + r * shared
    return Scatter(std_error=_root(below / r), df=_hillis(below, ms, r - 1.0))


def _hillis(below: float, ms: float, df: float) -> float:
    """Return Hillis' (2007) degrees of freedom of a mean square plus a covariance."""
    if math.isnan(below) or math.isnan(ms):
        return math.nan
    return math.inf if ms == 0.0 else below * below / (ms * ms / df)


def _ratio(above: float, below: float) -> float:
    if math.isnan(above) or math.isnan(below):
        return math.nan
    if below > 0.0:
        return above / below
    return 0.0 if above == 0.0 else math.inf


def _root(variance: float) -> float:
    return math.sqrt(max(float(variance), 0.0)) if not math.isnan(variance) else math.nan


def _mean(values: Floats, where: NDArray[np.bool_]) -> float:
    return float(values[where].mean()) if where.any() else 0.0


def _not_rounding(value: float, small: float) -> float:
    return 0.0 if value <= small * small else value
