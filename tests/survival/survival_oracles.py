"""Definitions written out: areas, concordance and their influence over all pairs of subjects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs


def uncensored(time: Any, censored: Any, at: float, copies: Any, *, before: bool) -> float:
    """G by the product over censoring times, events of a time first; `copies` of each subject."""
    left = 1.0
    for u in np.unique(time[censored]):
        if u < at or (not before and u == at):
            at_risk = copies[(time > u) | ((time == u) & censored)].sum()
            left *= 1.0 - copies[(time == u) & censored].sum() / at_risk
    return left


def each_uncensored(time: Any, censored: Any, copies: Any) -> Any:
    """G just before every subject's own time."""
    known = {u: uncensored(time, censored, u, copies, before=True) for u in np.unique(time)}
    return np.array([known[u] for u in time])


def wins(a: Any, b: Any) -> Any:
    return (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])


def roles(time: Any, code: Any, t: float, controls: str, copies: Any) -> tuple[Any, Any]:
    censored = code == 0
    before = each_uncensored(time, censored, copies)
    after = uncensored(time, censored, t, copies, before=False)
    case = np.where((time <= t) & (code == 1), copies / before, 0.0)
    control = np.where(time > t, copies / after if after > 0.0 else 0.0, 0.0)
    if controls == "event-free":
        control = np.where((time <= t) & (code > 1), copies / before, control)
    return case, control


def area(
    time: Any, code: Any, score: Any, t: float, controls: str = "event-free", copies: Any = None
) -> float:
    copies = np.ones(time.size) if copies is None else copies
    case, control = roles(time, code, t, controls, copies)
    return float(case @ wins(score, score) @ control / (case.sum() * control.sum()))


def first_pairs(time: Any, code: Any) -> Any:
    """Which pairs (i, j) are comparable."""
    later = (time[None, :] > time[:, None]) | (
        (time[None, :] == time[:, None]) & (code[None, :] == 0)
    )
    return (code == 1)[:, None] & later


def concordance(
    time: Any,
    code: Any,
    score: Any,
    method: str,
    tau: float = np.inf,
    copies: Any = None,
    fixed: Any = None,
) -> float:
    """C over all pairs; `fixed` has the copies by which G is estimated, where they differ."""
    copies = np.ones(time.size) if copies is None else copies
    weight = np.where(time < tau, 1.0, 0.0)
    if method == "uno":
        counted = copies if fixed is None else fixed
        weight = weight / each_uncensored(time, code == 0, counted) ** 2
    pairs = first_pairs(time, code) * (weight * copies)[:, None] * copies[None, :]
    np.fill_diagonal(pairs, 0.0)
    return float((pairs * wins(score, score)).sum() / pairs.sum())


def derivative(estimate: Callable[[Any], float], size: int, step: float = 1e-5) -> Any:
    """n times the derivative by the number of copies of every subject."""
    found = np.empty(size)
    for k in range(size):
        up, down = np.ones(size), np.ones(size)
        up[k], down[k] = 1.0 + step, 1.0 - step
        found[k] = (estimate(up) - estimate(down)) / (2.0 * step)
    return size * found


def through_censoring(time: Any, code: Any, mass: Any, until: Any) -> Any:
    """sum_i mass_i I_k(until_i), the integral of dM_k / pi over censoring times before it.

    Events of a time come first, so a subject with its event there is not at risk of censoring.
    """
    n, censored = time.size, code == 0
    total = np.zeros(n)
    for u in np.unique(time[censored]):
        at_risk = (time > u) | ((time == u) & censored)
        hazard = ((time == u) & censored).sum() / at_risk.sum()
        martingale = ((time == u) & censored) - at_risk * hazard
        total += martingale / (at_risk.sum() / n) * mass[until > u].sum()
    return total


def draw(seed: int, n: int = 60, *, ties: bool = True, competing: bool = False) -> dict[str, Any]:
    """A study with censoring; with `ties`, whole times and markers of one decimal."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    event = rng.exponential(size=n) * np.exp(-x) * 8.0
    end = rng.exponential(size=n) * 10.0
    time, code = np.minimum(event, end), (event <= end).astype(int)
    if competing:
        other = rng.exponential(size=n) * 12.0
        code = np.where(other < time, 2, code)
        time = np.minimum(time, other)
    if ties:
        time, x, z = np.ceil(time), np.round(x, 1), np.round(z, 1)
    return {"time": time, "event": code, "x": x, "z": z}


def sample_of(data: dict[str, Any], **options: Any) -> rs.SurvivalSample:
    return rs.SurvivalSample.from_frame(
        data, time="time", event="event", markers=["x", "z"], **options
    )
