"""Limits of net benefit: square and add on Wilson limits, or half added to discordant cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.engine.variances import effective_size

__all__ = ["Calls", "NetBenefitLimits", "count_limits", "pair_limits", "square_and_add"]

NetBenefitLimits = tuple[Floats, Floats]
Known = tuple[Floats, Floats, Floats]  # a value, its lower and its upper limit

_FEW = 3.0  # up to so many of a count the lower limit is Poisson's (Brown, Cai & DasGupta 2001)
_FEWEST_MISSED, _SMALL = 3.0, 50.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calls:
    """How many subjects the strategies treat; "treat all" is the last but one, none the last.

    Attributes
    ----------
    joint : (2, T, S, S) positives, then negatives, that two strategies both treat
    odds : (T,) what a false positive costs in true positives
    prevalence : that of the population where the classes were sampled apart
    standardized : whether net benefit is divided by the prevalence
    clusters : number of clusters, or None
    alone : (T, S, S) covariance of the net benefits of independent subjects
    """

    joint: Floats
    odds: Floats
    prevalence: float | None
    standardized: bool
    clusters: int | None
    alone: Floats

    @property
    def sizes(self) -> Floats:
        """(2, T) positives and negatives."""
        sizes: Floats = self.joint[:, :, -2, -2]
        return sizes

    def treated(self, strategy: int) -> Floats:
        """Return (2, T) true and false positives."""
        treated: Floats = self.joint[:, :, strategy, strategy]
        return treated

    def missed(self, strategy: int) -> Floats:
        """Return (2, T) false and true negatives."""
        missed: Floats = self.sizes - self.treated(strategy)
        return missed

    def rests_on_few(self, strategy: int) -> Bools:
        """Return (T,) whether next to no event was missed in a small sample."""
        pos, neg = self.missed(strategy)
        small = self.sizes.sum(axis=0) <= _SMALL
        few: Bools = small & (pos < _FEWEST_MISSED) & (pos + neg > 0.0)
        return few

    def worth(self, variance: Floats, alone: Floats, level: float) -> Floats:
        """Return (T,) the effective number of subjects as a share of their number."""
        size = self.sizes.sum(axis=0)
        if self.clusters is None:
            return np.ones_like(variance)
        units = float(self.clusters)
        square = variance * size**2 * (units - 1.0) / units
        own = alone * size * (size - 1.0)
        found = effective_size(own, square, size, np.full_like(own, units), level)
        return np.where(np.isnan(variance), math.nan, found / size)


def count_limits(count: Floats, size: Floats, level: float) -> NetBenefitLimits:
    """Return Wilson limits of ``count / size``, with Poisson's where at most 3 were counted.

    Wilson's lower limit is too high for counts of 1 to 3 (Brown, Cai & DasGupta 2001); with all
    of the error below, Poisson's is half the chi-square quantile with twice the count of degrees
    of freedom.
    """
    from scipy.special import chdtri, ndtri

    z = -float(ndtri(0.5 * (1.0 - level)))
    share = count / size
    below = 1.0 + z * z / size
    centre = (share + 0.5 * z * z / size) / below
    reach = z / below * np.sqrt(share * (1.0 - share) / size + 0.25 * (z / size) ** 2)

    def poisson(few: Floats) -> Floats:
        rare = (few > 0.0) & (few <= _FEW)
        mean = 0.5 * chdtri(np.where(rare, 2.0 * few, 1.0), level)
        return np.where(rare, mean / size, math.inf)

    low = np.minimum(centre - reach, poisson(count))
    high = np.maximum(centre + reach, 1.0 - poisson(size - count))
    return np.where(count <= 0.0, 0.0, low), np.where(count >= size, 1.0, high)


def square_and_add(gain: Known, loss: Known, correlation: Floats | float) -> NetBenefitLimits:
    """Return limits of a gain less a loss from the limits of each (MOVER)."""

    def reach(a: Floats, b: Floats) -> Floats:
        found: Floats = np.sqrt(np.maximum(a * a + b * b - 2.0 * correlation * a * b, 0.0))
        return found

    value = gain[0] - loss[0]
    low = value - reach(gain[0] - gain[1], loss[2] - loss[0])
    return low, value + reach(gain[2] - gain[0], loss[0] - loss[1])


def pair_limits(
    calls: Calls, strategy: int, versus: int, worth: Floats, level: float
) -> tuple[Floats, Floats, str]:
    """Return the limits of one strategy less another, and what they are called."""
    no_one = calls.joint.shape[-1] - 1
    everyone = no_one - 1
    if max(strategy, versus) < everyone:
        return *_half_added(calls, strategy, versus, worth, level), "agresti-min"
    if strategy > versus:  # models stand before treat all, and that before none
        low, high, name = pair_limits(calls, versus, strategy, worth, level)
        return -high, -low, name
    if versus == no_one:
        pos, neg, correlation = _parts(calls, calls.treated(strategy), worth, level)
        if strategy == everyone:
            pos, neg = _not_drawn(calls, pos, neg)
        return *square_and_add(pos, neg, correlation), "mover"
    pos, neg, correlation = _parts(calls, calls.missed(strategy), worth, level)
    return *square_and_add(neg, pos, correlation), "mover"


def _parts(
    calls: Calls, count: Floats, worth: Floats, level: float
) -> tuple[Known, Known, Floats | float]:
    """Return what so many positives, and negatives, are worth, and how the two correlate.

    Over the prevalence, a number of negatives is the odds of being one of them rather than a
    positive; it is uncorrelated with the share of positives that are counted.
    """
    (pos, neg), sizes = count, calls.sizes

    def share(number: Floats, size: Floats) -> Known:
        limits = count_limits(number * worth, size * worth, level)
        return number / size, *limits

    if calls.prevalence is not None:
        weight = calls.prevalence, (1.0 - calls.prevalence) * calls.odds
        below = calls.prevalence if calls.standardized else 1.0
        found = share(pos, sizes[0]), share(neg, sizes[1])
        return _times(weight[0] / below, found[0]), _times(weight[1] / below, found[1]), 0.0
    if calls.standardized:
        value, low, high = (p / (1.0 - p) for p in share(neg, neg + sizes[0]))
        return share(pos, sizes[0]), _times(calls.odds, (value, low, high)), 0.0
    whole = sizes.sum(axis=0)
    rest = (whole - pos) * (whole - neg)
    known = rest > 0.0
    correlation = -np.sqrt(np.where(known, pos * neg, 0.0) / np.where(known, rest, 1.0))
    return share(pos, whole), _times(calls.odds, share(neg, whole)), correlation


def _times(weight: Floats | float, known: Known) -> Known:
    value, low, high = (weight * part for part in known)
    return value, low, high


def _not_drawn(calls: Calls, pos: Known, neg: Known) -> tuple[Known, Known]:
    """Return the parts of treating all: who is treated is known, and only the classes are drawn."""
    if calls.prevalence is not None:
        return (pos[0],) * 3, (neg[0],) * 3
    return ((pos[0],) * 3 if calls.standardized else pos), neg


def _half_added(
    calls: Calls, strategy: int, versus: int, worth: Floats, level: float
) -> NetBenefitLimits:
    """Return Wald's limits with 1/2 added to the cells where two models differ (Agresti & Min)."""
    from scipy.special import ndtri

    both = calls.joint[:, :, strategy, versus]
    more = worth * (calls.treated(strategy) - both) + 0.5
    less = worth * (calls.treated(versus) - both) + 0.5
    sizes = worth * calls.sizes + 1.0
    gain, differ = more - less, more + less
    odds, whole = calls.odds, sizes.sum(axis=0)
    below: Floats | float = 1.0
    if calls.prevalence is not None:
        mean = gain / sizes
        weight = np.stack([np.full_like(odds, calls.prevalence), (calls.prevalence - 1.0) * odds])
        value = (weight * mean).sum(axis=0)
        variance = (weight**2 * (differ / sizes - mean**2) / (sizes - 1.0)).sum(axis=0)
        below = calls.prevalence if calls.standardized else 1.0
    else:
        value = (gain[0] - odds * gain[1]) / whole
        square = differ[0] + odds**2 * differ[1]
        if calls.standardized:  # a ratio to the share of positives, which is drawn too
            below = sizes[0] / whole
            ratio = value / below
            square = square - 2.0 * ratio * gain[0] + ratio**2 * sizes[0]
            variance = square / (whole * (whole - 1.0))
        else:
            variance = (square / whole - value**2) / (whole - 1.0)
    reach = -float(ndtri(0.5 * (1.0 - level))) * np.sqrt(variance) / below
    return value / below - reach, value / below + reach
