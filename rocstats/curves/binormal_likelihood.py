"""The latent binormal model of ordered categories: likelihood, information, maximum.

Negatives are N(0, 1) and positives N(a / b, 1 / b**2) on a latent scale that cut points c divide
into categories, so ``TPR = Phi(a + b Phi^-1(FPR))``. The information is an arrow: tridiagonal in
the cut points, with two rows for (a, b); every step costs O(k) for k categories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import Blocks

__all__ = [
    "Model",
    "cell_probabilities",
    "gather_categories",
    "information",
    "maximise",
    "truth_state_runs",
]

_STEPS = 100  # three to six are enough where there is a maximum
_LAST_GAIN = 1e-9  # twice the log-likelihood still to be won; one Newton step then ends the search
_SHARES = 0.5 ** np.arange(40)  # of a step
_ENOUGH = 1e-4  # of the gain that a step promises
_FARTHEST = 1e3  # a slope beyond it, or below its inverse, is on the way to no maximum
_REACH = 12.0  # standard deviations within which starting cut points lie


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Values of all parameters.

    Attributes
    ----------
    a, b : intercept and slope of the curve on normal deviates
    cuts : (k - 1,) cut points, increasing
    """

    a: float
    b: float
    cuts: Floats

    @property
    def pos_cuts(self) -> Floats:
        """Cut points in standard units of the positives."""
        return self.b * self.cuts - self.a


def gather_categories(blocks: Blocks, n_categories: int | None) -> tuple[Floats, Floats]:
    """Return negatives and positives by category, from the lowest score up.

    At most `n_categories` groups of scores, alike in size, are made without looking at the class.
    Neighbours that hold one class only are then one category: a cut between them would tell nothing
    about a and b (Metz, Herman & Shen 1998: truth-state runs).
    """
    neg, pos = blocks.n_neg, blocks.n_pos
    if n_categories is not None and neg.size > n_categories:
        size = neg + pos
        middle = (np.cumsum(size) - 0.5 * size) / size.sum()
        group = np.floor(middle * n_categories)
        neg, pos = _merge(neg, pos, group[1:] != group[:-1])
    return truth_state_runs(neg, pos)


def truth_state_runs(neg: Floats, pos: Floats) -> tuple[Floats, Floats]:
    """Return counts by category with neighbours that hold one class only as one."""
    only = np.where(pos == 0.0, -1, np.where(neg == 0.0, 1, 0))
    return _merge(neg, pos, (only[1:] != only[:-1]) | (only[1:] == 0))


def _merge(neg: Floats, pos: Floats, is_edge: Bools) -> tuple[Floats, Floats]:
    first = np.append(0, np.flatnonzero(is_edge) + 1)
    return np.add.reduceat(neg, first), np.add.reduceat(pos, first)


def cell_probabilities(cuts: Floats) -> Floats:
    """Return the standard normal probability of every category, each from its nearer tail."""
    from scipy.special import ndtr

    edges = np.concatenate([[-math.inf], cuts, [math.inf]])
    low, high = edges[:-1], edges[1:]
    upper = low > 0.0
    found: Floats = ndtr(np.where(upper, -low, high)) - ndtr(np.where(upper, -high, low))
    return found


def log_likelihood(model: Model, neg: Floats, pos: Floats) -> float:
    """Return the log-likelihood, without the multinomial constants."""
    total = 0.0
    for count, cuts in ((neg, model.cuts), (pos, model.pos_cuts)):
        share = cell_probabilities(cuts)[count > 0.0]
        if not (share > 0.0).all():
            return -math.inf
        total += float((count[count > 0.0] * np.log(share)).sum())
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _Arrow:
    """Score and information.

    Attributes
    ----------
    score_line, score_cuts : gradient in (a, b) and in the cut points
    line : (2, 2) information of (a, b)
    border : (2, k - 1) information of (a, b) with the cut points
    band : (2, k - 1) tridiagonal information of the cut points, upper diagonal first
    """

    score_line: Floats
    score_cuts: Floats
    line: Floats
    border: Floats
    band: Floats

    def solve(self) -> tuple[Floats, Floats, Floats]:
        """Return the steps of (a, b) and of the cut points, and the information left to (a, b).

        Raises `numpy.linalg.LinAlgError` where the information is not positive definite.
        """
        from scipy.linalg import solveh_banded

        sides = np.column_stack([self.score_cuts, self.border.T])
        if not all(np.isfinite(part).all() for part in (sides, self.band, self.line)):
            raise np.linalg.LinAlgError
        solved = solveh_banded(self.band, sides)
        left: Floats = self.line - self.border @ solved[:, 1:]
        np.linalg.cholesky(left)
        gain = self.score_line - self.border @ solved[:, 0]
        step: Floats = np.asarray(np.linalg.solve(left, gain), dtype=np.float64)
        return step, solved[:, 0] - solved[:, 1:] @ step, left


def _arrow(model: Model, neg: Floats, pos: Floats, *, observed: bool) -> _Arrow:
    """Return score and information; first what positives add, so that few arrays live at a time."""
    b, c, z = model.b, model.cuts, model.pos_cuts
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratio, v = _weights(pos, z, observed=observed)
        g = _density(z)
        by_a, by_b = -_between(g), _between(c * g)
        line = np.array([[_sum(v, p, q) for q in (by_a, by_b)] for p in (by_a, by_b)])
        border = np.array([-b * g * np.diff(v * p) for p in (by_a, by_b)])
        score_line = np.array([_sum(ratio, by_a), _sum(ratio, by_b)])
        del by_a, by_b
        # A cut is the upper end of one cell and the lower end of the next.
        jump = -np.diff(ratio)
        score_cuts = b * g * jump
        diagonal = b * b * g * g * (v[:-1] + v[1:])
        beside = b * b * g[:-1] * g[1:] * v[1:-1]
        del ratio, v
        if observed:
            bend = jump * z * g  # less the sum of second derivatives
            line += [[bend.sum(), -_sum(bend, c)], [-_sum(bend, c), _sum(bend, c, c)]]
            border[0] += -b * bend
            border[1] += b * c * bend - jump * g
        del g, jump
        ratio, u = _weights(neg, c, observed=observed)
        f = _density(c)
        jump = -np.diff(ratio)
        score_cuts += f * jump
        diagonal += f * f * (u[:-1] + u[1:])
        beside += f[:-1] * f[1:] * u[1:-1]
        if observed:
            diagonal += jump * c * f + b * b * bend
        return _Arrow(
            score_line=score_line,
            score_cuts=score_cuts,
            line=line,
            border=border,
            band=np.stack([np.append(0.0, -beside), diagonal]),
        )


def _weights(count: Floats, cuts: Floats, *, observed: bool) -> tuple[Floats, Floats]:
    """Return counts over probabilities, and each cell's weight of its gradient's outer product."""
    share = cell_probabilities(cuts)
    ratio = count / share
    return ratio, ratio / share if observed else count.sum() / share


def _density(z: Floats) -> Floats:
    found: Floats = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return found


def _between(at_cuts: Floats) -> Floats:
    """Return what a function, 0 at both infinities, gains over each category."""
    return np.diff(np.concatenate([[0.0], at_cuts, [0.0]]))


def _sum(*terms: Any) -> float:
    return float(np.einsum(",".join("i" * len(terms)) + "->", *terms))


def information(model: Model, neg: Floats, pos: Floats) -> Floats:
    """Return the (2, 2) observed information of (a, b), the cut points being estimated too."""
    return _arrow(model, neg, pos, observed=True).solve()[2]


def maximise(neg: Floats, pos: Floats) -> tuple[Model, float] | None:
    """Return the maximum and its log-likelihood, or None where there is none.

    Newton's method; Fisher's scoring, as Dorfman & Alf have it, where the observed information is
    not positive definite; steps are halved until the likelihood rises enough.
    """
    if neg.size < 3:
        return None
    model = _start(neg, pos)
    value = log_likelihood(model, neg, pos)
    for _ in range(_STEPS):
        try:
            arrow = _arrow(model, neg, pos, observed=True)
            step, cut_step, _ = arrow.solve()
        except np.linalg.LinAlgError:
            try:
                arrow = _arrow(model, neg, pos, observed=False)
                step, cut_step, _ = arrow.solve()
            except np.linalg.LinAlgError:
                return None
        gain = float(step @ arrow.score_line) + _sum(cut_step, arrow.score_cuts)
        del arrow
        if gain <= _LAST_GAIN:
            model = _moved(model, step, cut_step, 1.0)
            if not _is_maximum(model, neg, pos):
                return None
            return model, log_likelihood(model, neg, pos)
        for share in _SHARES:
            tried = _moved(model, step, cut_step, share)
            if tried.b > 0.0 and (tried.cuts[1:] > tried.cuts[:-1]).all():
                found = log_likelihood(tried, neg, pos)
                if found >= value + _ENOUGH * share * gain:
                    break
        else:
            return None
        model, value = tried, found
    return None


def _moved(model: Model, step: Floats, cut_step: Floats, share: float) -> Model:
    a, b = (share * step).tolist()
    return Model(model.a + a, model.b + b, model.cuts + share * cut_step)


def _is_maximum(model: Model, neg: Floats, pos: Floats) -> bool:
    """Whether the search ended at a maximum, not on a flat way to infinity."""
    if not 1.0 / _FARTHEST < model.b < _FARTHEST:
        return False
    try:
        information(model, neg, pos)
    except np.linalg.LinAlgError:
        return False
    return True


def _start(neg: Floats, pos: Floats) -> Model:
    """Return a line through shifted rates, and cut points that share the pooled sample."""
    from scipy.special import ndtr, ndtri

    n, m = neg.sum(), pos.sum()
    x = -ndtri((np.cumsum(neg)[:-1] + 0.5) / (n + 1.0))
    y = -ndtri((np.cumsum(pos)[:-1] + 0.5) / (m + 1.0))
    spread = float(x.std()), float(y.std())
    b = min(max(spread[1] / spread[0], 0.2), 5.0) if min(spread) > 0.0 else 1.0
    a = float(y.mean() - b * x.mean())
    even = np.linspace(-_REACH, _REACH, 4001)
    grid = np.sort(np.concatenate([even, (even + a) / b]))
    passed = n * ndtr(grid) + m * ndtr(b * grid - a)
    return Model(a, b, np.interp(np.cumsum(neg + pos)[:-1], passed, grid))
