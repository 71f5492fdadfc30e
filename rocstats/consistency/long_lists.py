"""What AUC and a cut of a ranked list come to in long lists (proved in docs/measures.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocstats.errors import InvalidOptionError, as_number, named

__all__ = ["LongLists", "long_lists"]


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
