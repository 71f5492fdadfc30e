"""2x2 tables: what their intervals share, and how a measure of them is evaluated."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.estimates.proportion_limits import Limits, proportion_limits
from rocstats.thresholds.clusters import Moments, Weights

__all__ = ["Cells", "Diagnostic", "MakeLimits", "Tables", "Value"]

Size = int | Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """The cells of 2x2 tables, and the class sizes, which may differ from table to table."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    n_pos: Size
    n_neg: Size

    @property
    def youden(self) -> Floats:
        """Sensitivity + specificity - 1, by one division."""
        return (self.tp * self.n_neg - self.fp * self.n_pos) / (self.n_pos * self.n_neg)

    @classmethod
    def of(cls, tp: NDArray[Any], fp: NDArray[Any], n_pos: Size, n_neg: Size) -> Cells:
        """Return the cells of tables with these counts."""
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
        return cls(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp, n_pos=n_pos, n_neg=n_neg)

    @classmethod
    def at_rates(cls, sensitivity: Floats, specificity: Floats, n_pos: Size, n_neg: Size) -> Cells:
        """Return the cells that have these rates, whole numbers or not."""
        return cls(
            tp=n_pos * sensitivity,
            fp=n_neg * (1.0 - specificity),
            fn=n_pos * (1.0 - sensitivity),
            tn=n_neg * specificity,
            n_pos=n_pos,
            n_neg=n_neg,
        )

    def take(self, where: NDArray[np.intp]) -> Cells:
        """Return the cells of some of the tables."""
        tp, fp = self.tp[where], self.fp[where]
        n_pos, n_neg = (np.broadcast_to(n, self.tp.shape)[where] for n in (self.n_pos, self.n_neg))
        return Cells(tp=tp, fp=fp, fn=self.fn[where], tn=self.tn[where], n_pos=n_pos, n_neg=n_neg)

    def scaled(self, pos: Floats, neg: Floats) -> Cells:
        """Return the cells with as many times the positives, and the negatives."""
        return Cells(
            tp=pos * self.tp,
            fp=neg * self.fp,
            fn=pos * self.fn,
            tn=neg * self.tn,
            n_pos=pos * self.n_pos,
            n_neg=neg * self.n_neg,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables:
    """2x2 tables, and how to make intervals for them.

    Attributes
    ----------
    cells : counts
    level : confidence level
    method : interval of a proportion
    clusters : sums over the clusters of subjects, or None where those are independent
    """

    cells: Cells
    level: float
    method: str
    clusters: Moments | None = None

    @cached_property
    def _found(self) -> dict[Diagnostic, tuple[Floats, Floats, Floats]]:
        return {}

    def of(self, measure: Diagnostic) -> tuple[Floats, Floats, Floats]:
        """Return values and limits of a measure, computed once."""
        if measure not in self._found:
            self._found[measure] = measure.evaluate(self)
        return self._found[measure]

    @cached_property
    def quantile(self) -> float:
        """Normal quantile of the confidence level."""
        from scipy.special import ndtri

        return -float(ndtri((1.0 - self.level) / 2.0))

    @cached_property
    def sensitivity(self) -> Limits:
        """Limits of the sensitivity."""
        return self.share(self.cells.tp, self.cells.n_pos)

    @cached_property
    def specificity(self) -> Limits:
        """Limits of the specificity."""
        return self.share(self.cells.tn, self.cells.n_neg)

    @cached_property
    def difference(self) -> Limits:
        """Limits of Youden's J: Newcombe's square-and-add of those of the two rates."""
        c = self.cells
        se, sp, youden = c.tp / c.n_pos, c.tn / c.n_neg, c.youden
        (se_low, se_high), (sp_low, sp_high) = self.sensitivity, self.specificity
        below = np.sqrt((se - se_low) ** 2 + (sp - sp_low) ** 2)
        above = np.sqrt((se_high - se) ** 2 + (sp_high - sp) ** 2)
        return youden - below, youden + above

    @cached_property
    def inverse(self) -> Cells:
        """One over every cell, infinite where it is empty."""
        c = self.cells
        inverted = {name: 1.0 / getattr(c, name) for name in ("tp", "fp", "fn", "tn")}
        return Cells(**inverted, n_pos=c.n_pos, n_neg=c.n_neg)

    @cached_property
    def corners(self) -> tuple[NDArray[np.intp], tuple[Cells, ...]]:
        """Tables with an empty cell: which, and as both rates are at their low or high limits."""
        c = self.cells
        empty = np.equal(c.tp, 0.0) | (c.fp == 0.0) | (c.fn == 0.0) | (c.tn == 0.0)
        where = np.flatnonzero(empty)
        if not where.size:
            return where, ()
        edge, worth = c.take(where), self.classwise.take(where)
        limits = self.share(worth.tp, worth.n_pos), self.share(worth.tn, worth.n_neg)
        return where, tuple(
            Cells.at_rates(se, sp, edge.n_pos, edge.n_neg) for se, sp in zip(*limits, strict=True)
        )

    def share(self, count: Floats, size: Size) -> Limits:
        """Return the limits of a proportion."""
        return proportion_limits(count, size, level=self.level, method=self.method)

    @cached_property
    def classwise(self) -> Cells:
        """The cells of as many independent subjects as each class is worth by its own rate."""
        if self.clusters is None:
            return self.cells
        return self.cells.scaled(*self.clusters.worth_of_classes(self.level))

    @cached_property
    def _thinned(self) -> dict[tuple[Influence, str | None], Tables]:
        return {}

    def thinned(self, measure: Diagnostic) -> Tables:
        """Return tables of as many independent subjects as these are worth for a measure.

        Its limits follow from them as if there were no clusters (Rao & Scott 1992).
        """
        if self.clusters is None:
            return self
        key = measure.influence, measure.domain
        if key not in self._thinned:
            w = measure.influence(self.cells)
            if measure.domain is None:
                more = self.clusters.joint(w)
                cells = self.classwise.scaled(more, more)
            else:
                worth = self.clusters.worth(w, measure.domain, self.level)
                cells = self.cells.scaled(worth, worth)
            self._thinned[key] = replace(self, cells=cells, clusters=None)
        return self._thinned[key]


Value = Callable[[Cells], Floats]
Influence = Callable[[Cells], Weights]
MakeLimits = Callable[[Tables, Floats], Limits]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagnostic:
    """One measure of a 2x2 table.

    Attributes
    ----------
    label : its name for a reader
    value : as a function of the cells
    limits : as a function of the tables and the values
    method : how the limits are made; ``{}`` is the name of the interval of proportions
    influence : the change of the measure, up to a factor, with one more subject in a cell
    domain : the subjects it is a share of, or None where it follows from the two rates
    falling : whether it falls as sensitivity or specificity rises
    cornered : whether its limits, where a cell is empty, are its values at the corners of the
        limits of sensitivity and specificity
    """

    label: str
    value: Value
    limits: MakeLimits
    method: str
    influence: Influence
    domain: str | None = None
    falling: bool = False
    cornered: bool = False

    def evaluate(self, tables: Tables) -> tuple[Floats, Floats, Floats]:
        """Return values, lower and upper limits; nan where the measure is not defined."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            value = self.value(tables.cells)
            low, high = self.limits(tables.thinned(self), value)
            if self.cornered:
                where, ends = tables.corners
                if where.size:
                    at = [self.value(cells) for cells in ends]
                    low[where], high[where] = at[::-1] if self.falling else at
        unknown = np.isnan(value)
        if unknown.any():
            low, high = (np.where(unknown, math.nan, limit) for limit in (low, high))
        return value, low, high
