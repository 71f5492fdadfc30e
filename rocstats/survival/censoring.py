"""The Kaplan-Meier curve of censoring, its weights, and every subject's influence through them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import sort_into_blocks

__all__ = ["Censoring", "fit_censoring"]

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Curve:
    """Remaining uncensored, of the subjects of one stratum.

    By levels, in the order of time: who has an event at a time, and then who is censored at it.

    Attributes
    ----------
    given : (m,) the time of every subject
    level : (m,) the level of every subject
    someone : (K,) a subject with the time of each level
    before : (K + 1,) the curve G just before each level, and after the last
    hazard : (K,) share of those at risk of censoring who are censored at each level
    part : (K,) one part of those at risk of censoring, or 0 where nobody is censored
    """

    given: Floats
    level: Codes
    someone: Codes
    before: Floats
    hazard: Floats
    part: Floats

    @property
    def time(self) -> Floats:
        """The time of every level."""
        return self.given[self.someone]

    def place(self, time: float) -> int:
        """Return the number of levels up to and with this time."""
        return bisect_right(self.someone, time, key=self.given.__getitem__)

    def spread(self, mass: Floats, size: int) -> Floats:
        """Return the sum over subjects of mass times each one's part in -dG/G before its own time.

        The first `size` levels count; whoever is there longer has what they have.
        """
        held = np.bincount(np.minimum(self.level, size), mass, minlength=size + 1)
        np.cumsum(held[::-1], out=held[::-1])
        # Of the mass that this level and all later ones outlast.
        each = np.multiply(self.part[:size], held[1:], out=held[1:])
        paid = np.zeros(size + 1)
        np.multiply(self.hazard[:size], each, out=paid[1:])
        np.cumsum(paid, out=paid)
        each -= paid[1:]
        return np.append(each, -paid[-1]).take(self.level, mode="clip")


def _fit(time: Floats, censored: Bools) -> _Curve:
    blocks = sort_into_blocks(time, censored, ordered=True)
    level, someone, lost = blocks.levels(), np.asarray(blocks.order), blocks.label
    n_here = np.ones(time.size)
    if blocks.last is not None:
        cell = 2 * level + censored
        held = np.bincount(cell, minlength=2 * blocks.n_blocks)
        there = held > 0
        level = (np.cumsum(there) - 1)[cell]
        someone = np.repeat(someone[blocks.last], 2)[there]
        lost = np.tile([False, True], blocks.n_blocks)[there]
        n_here = held[there].astype(np.float64)
    at_risk = time.size - np.cumsum(n_here) + n_here
    hazard = lost * n_here / at_risk
    return _Curve(
        given=time,
        level=level,
        someone=someone,
        before=np.append(1.0, np.cumprod(1.0 - hazard)),
        hazard=hazard,
        part=lost / at_risk,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Censoring:
    """The curve of censoring, by stratum, and what it makes of every subject.

    Attributes
    ----------
    size : number of subjects
    parts : the subjects of each stratum, and their curve
    before : (N,) G just before every subject's own time
    """

    size: int
    parts: tuple[tuple[Codes | slice, _Curve], ...]
    before: Floats

    def at(self, time: float) -> Floats:
        """Return G at a time, for every subject's stratum."""
        found = np.empty(self.size)
        for here, curve in self.parts:
            found[here] = curve.before[curve.place(time)]
        return found

    def influence(self, mass: Floats, *, beyond: float | None = None) -> Floats:
        """Return every subject's influence through the estimated curve.

        `mass` has the derivative of the estimate by the logarithm of every subject's weight, which
        is 1 / G just before its own time; or 1 / G at the time `beyond`, for those still there.
        The influence of subject k on -log G before s is

            1(k censored before s) / pi(T_k) - sum over u < s, u <= T_k of dLambda(u) / pi(u),

        pi(u) the share of subjects at risk of censoring at u. With events of a time before its
        censorings, a subject with an event at u is not among them.
        """
        found = np.empty(self.size) if len(self.parts) > 1 else None
        for here, curve in self.parts:
            size = curve.hazard.size if beyond is None else curve.place(beyond)
            part = curve.spread(mass[here], size)
            part *= self.size
            if found is None:
                return part
            found[here] = part
        return np.asarray(found)


def fit_censoring(time: Floats, censored: Bools, stratum: Codes | None = None) -> Censoring:
    """Return the Kaplan-Meier curve of censoring, one for each stratum where they are given."""
    places: list[Codes | slice] = [slice(None)]
    if stratum is not None:
        places = [np.flatnonzero(stratum == k) for k in range(int(stratum.max()) + 1)]
    parts = tuple((here, _fit(time[here], censored[here])) for here in places)
    before = np.empty(time.size)
    for here, curve in parts:
        before[here] = curve.before[curve.level]
    return Censoring(size=time.size, parts=parts, before=before)
