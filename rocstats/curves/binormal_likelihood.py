"""The latent binormal model of ordered categories: likelihood, information, maximum.

Negatives are N(0, 1) and positives N(a / b, 1 / b**2) on a latent scale that cut points c divide
into categories, so ``TPR = Phi(a + b Phi^-1(FPR))``. The information is an arrow: tridiagonal in
the cut points, with two rows for (a, b); every step costs O(k) for k categories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import Blocks, slabs

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
_BEYOND = 1e200  # where a density, and what it is multiplied by, is 0


@dataclass(frozen=True, eq=False)
class Model:
    """Values of all parameters.

    Attributes
    ----------
    a, b : intercept and slope of the curve on normal deviates
    cuts : (k - 1,) cut points, increasing
    shares : (k,) probabilities of the categories in negatives, and in positives
    """

    a: float
    b: float
    cuts: Floats

    @property
    def pos_cuts(self) -> Floats:
        """Cut points in standard units of the positives."""
        return self.b * self.cuts - self.a

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        return cell_probabilities(self.cuts), cell_probabilities(self.pos_cuts)


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

    tail = np.zeros(cuts.size + 2)
    inner = tail[1:-1]
    np.negative(np.abs(cuts, out=inner), out=inner)
    ndtr(inner, out=inner)
    found = np.diff(tail)
    middle = int(np.searchsorted(cuts, 0.0, side="right"))  # its tails are those of both sides
    found[middle] = 1.0 - tail[middle] - tail[middle + 1]
    np.negative(found[middle + 1 :], out=found[middle + 1 :])
    return found


def log_likelihood(model: Model, neg: Floats, pos: Floats) -> float:
    """Return the log-likelihood, without the multinomial constants."""
    from scipy.special import xlogy

    total = sum(float(xlogy(n, p).sum()) for n, p in zip((neg, pos), model.shares, strict=True))
    return -math.inf if math.isnan(total) else total


@dataclass(frozen=True, slots=True, eq=False)
class _Arrow:
    """Score and information.

    Attributes
    ----------
    score_line : gradient in (a, b)
    sides : (3, k - 1) gradient in the cut points, and their information with a and with b
    line : (2, 2) information of (a, b)
    band : (2, k - 1) tridiagonal information of the cut points, upper diagonal first
    """

    score_line: Floats
    sides: Floats
    line: Floats
    band: Floats

    def solve(self) -> tuple[Floats, Floats, Floats]:
        """Return the steps of (a, b) and of the cut points, and the information left to (a, b).

        Raises `numpy.linalg.LinAlgError` where the information is not positive definite.
        """
        from scipy.linalg import solveh_banded

        if not all(np.isfinite(part).all() for part in (self.sides, self.band, self.line)):
            raise np.linalg.LinAlgError
        solved = solveh_banded(self.band, self.sides.T, check_finite=False).T
        # By einsum: BLAS would wake threads for it.
        through = np.array([[_sum(p, q) for q in solved] for p in self.sides[1:]])
        left: Floats = self.line - through[:, 1:]
        np.linalg.cholesky(left)
        step: Floats = np.asarray(np.linalg.solve(left, self.score_line - through[:, 0]))
        cut_step: Floats = solved[0] - step[0] * solved[1] - step[1] * solved[2]
        return step, cut_step, left


def _arrow(model: Model, neg: Floats, pos: Floats, *, observed: bool) -> _Arrow:
    """Return score and information, slab by slab of the cut points.

    A cut is the upper end of one cell and the lower end of the next.
    """
    b, size = model.b, model.cuts.size
    ends = np.concatenate([[-_BEYOND], model.cuts, [_BEYOND]])
    totals = (None, None) if observed else (float(neg.sum()), float(pos.sum()))
    line, score_line = np.zeros((2, 2)), np.zeros(2)
    band, sides = np.empty((2, size)), np.empty((3, size))
    for s in slabs(size):
        cells = slice(s.start, s.stop + 1)
        mine = slice(None if s.stop == size else -1)  # the last cell is the first of the next slab
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            c = ends[s.start : s.stop + 2]
            z = b * c - model.a
            ratio, v = _weights(pos[cells], model.shares[1][cells], totals[1])
            density = _density(z)
            by = [-np.diff(density), np.diff(c * density)]  # of every cell, by a and by b
            line += [[_sum(v[mine], p[mine], q[mine]) for q in by] for p in by]
            score_line += [_sum(ratio[mine], p[mine]) for p in by]
            g, jump = density[1:-1], -np.diff(ratio)
            sides[0, s] = b * g * jump
            sides[1, s], sides[2, s] = (-b * g * np.diff(v * p) for p in by)
            band[0, s] = -b * b * density[:-2] * g * v[:-1]
            band[1, s] = b * b * g * g * (v[:-1] + v[1:])
            if observed:
                bend = jump * z[1:-1] * g  # less the sum of second derivatives
                by_both = -_sum(bend, c[1:-1])
                line += [[bend.sum(), by_both], [by_both, _sum(bend, c[1:-1], c[1:-1])]]
                sides[1, s] -= b * bend
                sides[2, s] += b * c[1:-1] * bend - jump * g
                band[1, s] += b * b * bend
            ratio, u = _weights(neg[cells], model.shares[0][cells], totals[0])
            density = _density(c)
            f, jump = density[1:-1], -np.diff(ratio)
            sides[0, s] += f * jump
            band[0, s] -= density[:-2] * f * u[:-1]
            band[1, s] += f * f * (u[:-1] + u[1:])
            if observed:
                band[1, s] += jump * c[1:-1] * f
    return _Arrow(score_line=score_line, sides=sides, line=line, band=band)


def _weights(count: Floats, share: Floats, total: float | None) -> tuple[Floats, Floats]:
    """Return counts over probabilities, and each cell's weight of its gradient's outer product.

    As observed, or as expected of a total.
    """
    ratio = count / share
    return ratio, (ratio if total is None else total) / share


def _density(z: Floats) -> Floats:
    found: Floats = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return found


def _sum(*terms: Any) -> float:
    return float(np.einsum(",".join("i" * len(terms)) + "->", *terms))


def information(model: Model, neg: Floats, pos: Floats) -> Floats:
    """Return the (2, 2) observed information of (a, b), the cut points being estimated too."""
    return _arrow(model, neg, pos, observed=True).solve()[2]


def maximise(neg: Floats, pos: Floats) -> tuple[Model, float, Floats] | None:
    """Return the maximum, its log-likelihood and `information` there; None where there is none.

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
        gain = float(step @ arrow.score_line) + _sum(cut_step, arrow.sides[0])
        del arrow
        if gain <= _LAST_GAIN:
            model = _moved(model, step, cut_step, 1.0)
            known = _information_at_maximum(model, neg, pos)
            return None if known is None else (model, log_likelihood(model, neg, pos), known)
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


def _information_at_maximum(model: Model, neg: Floats, pos: Floats) -> Floats | None:
    """Return None where the search ended at no maximum, but on a flat way to infinity."""
    if not 1.0 / _FARTHEST < model.b < _FARTHEST:
        return None
    try:
        return information(model, neg, pos)
    except np.linalg.LinAlgError:
        return None


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
