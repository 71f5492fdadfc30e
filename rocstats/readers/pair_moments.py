"""U-statistics of readers and cases for any design (Gallas, Bandos, Samuelson & Wagner 2009).

The covariance of two tests' AUCs is a sum of eight moments: the mean of the product of two kernels
that share the reader or not, the positive case or not, and the negative case or not. Each moment is
a mean over exactly those pairs that were read, so that no design needs formulas of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rocstats.readers.pair_sums import PairSums, apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocstats.arrays import Bools, Floats

__all__ = ["PairMoments", "ReaderMoments", "UScatter"]

# Which of the eight moments share a negative case, a positive case, the reader.
_SHARE = {"neg": (0, 2, 4, 6), "pos": (0, 1, 4, 5), "reader": (0, 1, 2, 3)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairMoments:
    """The eight moments of two tests, M1 to M8: reader same (1-4) or another (5-8).

    Within four: the same positive and negative case, the same positive, the same negative, neither.

    Attributes
    ----------
    moments : means over pairs that share exactly that
    moments_v : means over pairs that share at least that
    coefficients : share of the pairs, that of M8 less 1
    known : which of `moments_v` have a pair; the others are 0, and count not
    """

    moments: Floats
    moments_v: Floats
    coefficients: Floats
    known: Bools

    @property
    def covariance(self) -> float:
        """Unbiased; may be below zero."""
        return float(self.coefficients @ self.moments)

    @property
    def covariance_v(self) -> float:
        """That of the V-statistic: biased upwards."""
        return float(self.coefficients @ self.moments_v)

    def part(self, factor: str) -> float:
        """Return the component of one factor alone, by the V-statistic."""
        place = {"neg": 6, "pos": 5, "reader": 3}[factor]
        if not self.known[place]:
            return 0.0
        return float(self.moments_v[place] - self.moments_v[7])

    def df(self, factor: str) -> float:
        """Return how many independent units of a factor there are, less one; inf for none."""
        share = float(self.coefficients[list(_SHARE[factor])].sum())
        return float(round(1.0 / share - 1.0)) if share > 0.0 else math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class UScatter:
    """A variance, unbiased and by the V-statistic, with Bandos' degrees of freedom of either."""

    variance: float
    variance_v: float
    df: float
    df_v: float


class ReaderMoments:
    """The tests' AUCs pooled over pairs of cases, and the moments of every two of them."""

    def __init__(self, pairs: PairSums, test: NDArray[np.intp], reader: NDArray[np.intp]) -> None:
        self.pairs, self.test, self.reader = pairs, test, reader
        self.t = int(test.max()) + 1

    @cached_property
    def weights(self) -> Floats:
        """(t, C) weight of every cell in its test: its share of the pairs that were read."""
        size = np.sqrt(np.diag(self.pairs.terms[3]))
        own = np.where(self.test == np.arange(self.t)[:, np.newaxis], size, 0.0)
        found: Floats = own / own.sum(axis=1, keepdims=True)
        return found

    def two(self, first: int, second: int) -> PairMoments:
        """Return the moments of two tests, or of one with itself."""
        here = np.ix_(self.test == first, self.test == second)
        same = (self.reader[:, np.newaxis] == self.reader)[here]
        sums, terms = self.pairs.sums[(slice(None), *here)], self.pairs.terms[(slice(None), *here)]
        s_every, t_every = (v.sum(axis=(1, 2)) for v in (sums, terms))
        s_own, t_own = ((v * same).sum(axis=(1, 2)) for v in (sums, terms))
        exact = np.concatenate([apart(s_own), apart(s_every - s_own)])
        count = np.concatenate([apart(t_own), apart(t_every - t_own)])
        coefficients = count / t_every[3]
        coefficients[7] -= 1.0
        terms_v = np.concatenate([t_own, t_every])
        return PairMoments(
            moments=_mean(exact, count),
            moments_v=_mean(np.concatenate([s_own, s_every]), terms_v),
            coefficients=coefficients,
            known=terms_v > 0.0,
        )

    def scatter(self, first: int, second: int | None = None) -> UScatter:
        """Return the variance of one test's AUC, or of the difference of two."""
        if second is None:
            parts = [(1.0, self.two(first, first))]
        else:
            parts = [
                (1.0, self.two(first, first)),
                (1.0, self.two(second, second)),
                (-2.0, self.two(first, second)),
            ]
        variance = sum(weight * part.covariance for weight, part in parts)
        variance_v = sum(weight * part.covariance_v for weight, part in parts)
        below, least = 0.0, math.inf
        for factor in _SHARE:
            component = sum(weight * part.part(factor) for weight, part in parts)
            df = min(part.df(factor) for _, part in parts)
            least = min(least, df)
            below += component**2 / df**3 if math.isfinite(df) and df > 0.0 else 0.0
        return UScatter(
            variance=variance,
            variance_v=variance_v,
            df=_bandos(variance, below, least),
            df_v=_bandos(variance_v, below, least),
        )


def _bandos(variance: float, below: float, least: float) -> float:
    if not variance > 0.0:
        return math.nan
    return max(variance**2 / below if below > 0.0 else math.inf, least)


def _mean(sums: Floats, terms: Floats) -> Floats:
    found = np.zeros(sums.shape)
    np.divide(sums, terms, out=found, where=terms > 0.0)
    return found
