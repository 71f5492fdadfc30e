"""Cells: 2x2 tables, what their intervals share, and how a measure of them is evaluated."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.blocks import Floats
from rocstats.thresholds.proportions import Limits, proportion_limits

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables:
    """2x2 tables, and how to make intervals for them.

    Attributes
    ----------
    cells : counts
    level : confidence level
    method : interval of a proportion
    """

    cells: Cells
    level: float
    method: str

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
        rates = zip(self.share(c.tp[where], c.n_pos), self.share(c.tn[where], c.n_neg), strict=True)
        return where, tuple(Cells.at_rates(*ends, c.n_pos, c.n_neg) for ends in rates)

    def share(self, count: Floats, size: Size) -> Limits:
        """Return the limits of a proportion."""
        return proportion_limits(count, size, level=self.level, method=self.method)


Value = Callable[[Cells], Floats]
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
    falling : whether it falls as sensitivity or specificity rises
    cornered : whether its limits, where a cell is empty, are its values at the corners of the
        limits of sensitivity and specificity
    """

    label: str
    value: Value
    limits: MakeLimits
    method: str
    falling: bool = False
    cornered: bool = False

    def evaluate(self, tables: Tables) -> tuple[Floats, Floats, Floats]:
        """Return values, lower and upper limits; nan where the measure is not defined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            value = self.value(tables.cells)
            low, high = self.limits(tables, value)
            if self.cornered:
                where, ends = tables.corners
                if where.size:
                    at = [self.value(cells) for cells in ends]
                    low[where], high[where] = at[::-1] if self.falling else at
        unknown = np.isnan(value)
        if unknown.any():
            low, high = (np.where(unknown, math.nan, limit) for limit in (low, high))
        return value, low, high
