"""AUC and a cut of a ranked list in long lists (proved in docs/evidence/measures.md)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rocstats.errors import InvalidOptionError, as_number, named

__all__ = ["LongLists", "ahead_below", "long_lists"]

_HALVINGS, _NODES = 100, 48


@dataclass(frozen=True, slots=True, kw_only=True)
class LongLists:
    """Limits for the AUC against a measure of the positives in the first part of a list.

    Attributes
    ----------
    correlation : of the two over all lists
    consistency : limit of C
    discriminancy_rate : limit of D / n
    indifferency_rate : limit of E n**2
    """

    correlation: float
    consistency: float
    discriminancy_rate: float
    indifferency_rate: float


def long_lists(top: float, share_pos: float = 0.5) -> LongLists:
    """Return the limits for lists with a share of positives, of which a share is predicted so.

    Notes
    -----
    ``rho = sqrt(3 top (1 - top))``, ``C -> 1/2 + arcsin(rho) / pi``, ``D / n -> 1 /
    sqrt(12 top (1 - top))`` and ``E n**2 -> sqrt(3) / (2 pi v w sqrt(1 - rho**2))`` with
    ``v = share_pos (1 - share_pos)`` and ``w = sqrt(top (1 - top))``.

    Examples
    --------
    >>> limits = long_lists(0.5)
    >>> round(limits.consistency, 4), round(limits.discriminancy_rate, 4)
    (0.8333, 0.5774)
    """
    for name, value in (("top", top), ("share_pos", share_pos)):
        if not 0.0 < as_number(value) < 1.0:
            raise InvalidOptionError(
                f"{named(name)} must lie strictly between 0 and 1, got {value!r}."
            )
    spread = top * (1.0 - top)
    correlation = math.sqrt(3.0 * spread)
    residual = math.sqrt(1.0 - correlation**2)
    mix = share_pos * (1.0 - share_pos)
    return LongLists(
        correlation=correlation,
        consistency=0.5 + math.asin(correlation) / math.pi,
        discriminancy_rate=1.0 / math.sqrt(12.0 * spread),
        indifferency_rate=math.sqrt(3.0) / (2.0 * math.pi * mix * math.sqrt(spread) * residual),
    )


def ahead_below(auc: float) -> float:
    """Return the top share below which profit given AUC exceeds that given the same accuracy.

    For long lists with as many positives as negatives, and an AUC strictly between 1/2 and 1.

    Notes
    -----
    Given its AUC a long list has positives at the share x from its top with the chance
    ``p(x) = 1 / (1 + exp(b (x - 1/2)))``, b such that ``AUC = 1/2 + 4 int_0^(1/2) y tanh(b y / 2)
    dy``; given an accuracy a, a share a of any part of its top half is positive. The share is where
    the mean of p over the part is a. It tends to 1/3 as the AUC falls to 1/2, and to 1/2 as it
    rises to 1 (docs/evidence/measures.md).

    Examples
    --------
    >>> round(ahead_below(0.5001), 4), round(ahead_below(0.8), 4)
    (0.3333, 0.3435)
    """
    if not 0.5 < as_number(auc) < 1.0:
        raise InvalidOptionError(
            f"{named('auc')} must lie strictly between 1/2 and 1, got {auc!r}."
        )
    slope = math.exp(_zero(lambda b: _auc_of_slope(math.exp(b)) - auc, -20.0, 16.0))

    def short(top: float) -> float:
        found = np.logaddexp(0.0, slope / 2.0) - np.logaddexp(0.0, slope * (0.5 - top))
        return float(auc - found / (slope * top))

    return _zero(short, 0.25, 0.5)


def _zero(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function is 0, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if rising(middle) < 0.0 else (low, middle)
    return (low + high) / 2.0


def _auc_of_slope(slope: float) -> float:
    """Return 1/2 + 4 int_0^(1/2) y tanh(slope y / 2) dy."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    ends = [0.0, min(0.5, 4.0 / slope), min(0.5, 40.0 / slope), 0.5]  # it bends, and is all but 1
    total = 0.0
    for low, high in pairwise(ends):
        y = (low + high) / 2.0 + (high - low) / 2.0 * nodes
        total += (high - low) / 2.0 * float(weights @ (y * np.tanh(slope * y / 2.0)))
    return 0.5 + 4.0 * total
