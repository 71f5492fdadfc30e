"""The area at a time: cases before it against those event-free after it, weighted for censoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import Blocks
from rocstats.survival.censoring import Censoring

__all__ = ["CONTROLS", "Controls", "Roles", "area_at", "roles_at"]

Controls = Literal["event-free", "survivors"]
CONTROLS: tuple[Controls, ...] = ("event-free", "survivors")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roles:
    """What every subject is at a time, and by how much: each stands for those lost like it.

    Attributes
    ----------
    time : the time
    case, control : (N,) weights, 1 / G; zero for those who are not
    """

    time: float
    case: Floats
    control: Floats

    @property
    def n_pos(self) -> int:
        """Number of cases."""
        return int(np.count_nonzero(self.case))

    @property
    def n_neg(self) -> int:
        """Number of controls."""
        return int(np.count_nonzero(self.control))


def roles_at(
    time: float,
    given: Floats,
    event: Bools,
    censored: Bools,
    censoring: Censoring,
    controls: Controls,
) -> Roles:
    """Return cases and controls at a time, of `given` times, and their weights.

    Cases have the event at or before the time. Controls are still there after it ("survivors"), or
    have had another event by then too ("event-free").
    """
    over = given <= time
    weight = 1.0 / censoring.before
    case = np.where(over & event, weight, 0.0)
    left = censoring.at(time)
    control = np.divide(1.0, left, out=np.zeros(left.size), where=~over)
    if controls == "event-free":
        other = over & ~event & ~censored
        control[other] = weight[other]
    return Roles(time=time, case=case, control=control)


def area_at(roles: Roles, marker: Blocks, derivative: Floats) -> float:
    """Return the area, and fill in its derivative by the logarithm of every subject's weight.

    The area is the mean of P over cases, P a case's mean of wins over the controls:

        AUC = sum_A w_i P_i / W,    derivative  w_i (P_i - AUC) / W  and  v_j (Q_j - AUC) / V.

    `marker` has the scores in order, higher for those who have the event sooner.
    """
    order = np.asarray(marker.order)
    signed = (roles.case - roles.control).take(order)  # nobody is both
    case = np.maximum(signed, 0.0)
    control = np.subtract(case, signed, out=signed)
    if not (case.any() and control.any()):
        derivative[:] = np.nan
        return np.nan
    wins, lost = _beaten(control, marker), _beaten(case, marker)
    np.subtract(1.0, lost, out=lost)
    whole = float(case.sum()), float(control.sum())
    value = min(float((case * wins).sum()) / whole[0], 1.0)
    for passed, weight, total in ((wins, case, whole[0]), (lost, control, whole[1])):
        passed -= value
        passed *= weight
        passed /= total
    wins += lost
    derivative[order] = wins
    return value


def _beaten(weight: Floats, marker: Blocks) -> Floats:
    """Return for every subject by score the share of weight below its score, and half at it."""
    here = marker.by_block(weight)
    beaten = np.cumsum(here)
    total = float(beaten[-1])  # the last sum, so that all of it is 1
    beaten -= 0.5 * here
    beaten /= total
    if marker.last is None:
        return beaten
    return np.repeat(beaten, np.diff(marker.last, prepend=-1))
