"""The Kaplan-Meier curve of censoring, its weights, and every subject's influence through them."""

from __future__ import annotations

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

    Attributes
    ----------
    time : (K,) the distinct times
    level : (m,) the place of every subject's time among them
    cell : (m,) twice that place, and one more for who was censored
    before : (K + 1,) the curve G just before each time, and after the last
    hazard : (K,) share of those at risk of censoring who are censored at each time
    at_risk : (K,) those at risk of censoring: events of that time come first and are not
    """

    time: Floats
    level: Codes
    cell: Codes
    before: Floats
    hazard: Floats
    at_risk: Floats

    def place(self, time: float) -> int:
        """Return the number of times up to and with this one."""
        return int(np.searchsorted(self.time, time, side="right"))

    def spread(self, mass: Floats, size: int) -> Floats:
        """Return the sum over subjects of mass times each one's part in -dG/G before its own time.

        The first `size` times count; whoever is there longer has what they have.
        """
        held = np.bincount(np.minimum(self.level, size), mass, minlength=size + 1)
        np.cumsum(held[::-1], out=held[::-1])
        each = held[1:]  # mass that this time and all later ones outlast: 0 where nobody is at risk
        np.divide(each, self.at_risk[:size], out=each, where=self.at_risk[:size] > 0.0)
        paid = np.zeros(size + 1)
        np.multiply(self.hazard[:size], each, out=paid[1:])
        np.cumsum(paid, out=paid)
        # Of each time what an event and what a censoring has, and last of whoever is there longer:
        # subjects read it in one go.
        table = np.empty(2 * size + 1)
        np.negative(paid, out=table[::2])
        np.subtract(each, paid[1:], out=table[1::2])
        return table.take(self.cell, mode="clip")


def _fit(time: Floats, censored: Bools) -> _Curve:
    blocks = sort_into_blocks(time, censored, ordered=True)
    n_censored, n_events = blocks.n_pos, blocks.n_neg
    both, level = n_censored + n_events, blocks.levels()
    at_risk = time.size - np.cumsum(both) + n_censored
    hazard = np.divide(n_censored, at_risk, out=np.zeros(at_risk.size), where=at_risk > 0.0)
    return _Curve(
        time=blocks.score,
        level=level,
        cell=2 * level + censored,
        before=np.append(1.0, np.cumprod(1.0 - hazard)),
        hazard=hazard,
        at_risk=at_risk,
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
            size = curve.time.size if beyond is None else curve.place(beyond)
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
