"""What subjects are compared within: strata of covariates or folds; or a line to take off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import coded_ids, crossed_ids, label_column, standardised
from rocstats.errors import InvalidSampleError, listed, named

__all__ = ["Adjustment", "make_adjustment"]

_MOST_LEVELS = 20  # numbers with more distinct values than these are taken as a scale


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Adjustment:
    """What subjects are compared within, or have taken off their scores.

    Attributes
    ----------
    names : the covariates
    stratum : (N,) code of every subject's stratum; None for a location model
    levels : the strata by code, in words
    design : (N, q) covariates of the location model, centred; None for strata
    left_out : positives without a negative in their stratum, who have no part
    shares : (s,) what the value of every stratum counts, of folds; None for strata of covariates,
        whose values count by their positives
    repeats : how many times the subjects were divided into folds
    weights : (N,) what every subject stands for, within strata of covariates; None where all alike
    """

    names: tuple[str, ...]
    stratum: NDArray[np.intp] | None = None
    levels: tuple[str, ...] = ()
    design: Floats | None = None
    left_out: int = 0
    shares: Floats | None = None
    repeats: int = 1
    weights: Floats | None = None

    @property
    def title(self) -> str:
        """What is said of an estimate behind its name."""
        if self.shares is None:
            return f" adjusted for {listed(self.names)}"
        again = f" ({self.repeats} repeats)" if self.repeats > 1 else ""
        number = len(self.levels)
        return f", mean of {number} fold{'s' if number > 1 else ''}{again}"

    def __str__(self) -> str:
        if self.shares is not None:
            return f"within each fold{self.title}"
        what = f"adjusted for {listed(self.names)}"
        if self.design is not None:
            return f"{what} by a linear model of the scores of the negatives"
        gone = f", {self.left_out} positives without a negative in theirs left out"
        return f"{what}, within {len(self.levels)} strata{gone if self.left_out else ''}"

    def only(self, keep: Bools) -> Adjustment:
        """Return the same for some of the subjects."""
        return replace(
            self,
            stratum=None if self.stratum is None else self.stratum[keep],
            design=None if self.design is None else self.design[keep],
            weights=None if self.weights is None else self.weights[keep],
        )


def make_adjustment(
    covariates: Mapping[str, NDArray[Any]], positive: Bools
) -> tuple[Adjustment, Bools]:
    """Return the adjustment and who has a part in it.

    Words, and numbers of few distinct values, make strata, crossed where there are several; with a
    scale among them all enter a linear model of the scores of the negatives, words as indicators.
    """
    columns = {name: _column(values, name) for name, values in covariates.items()}
    everyone = np.ones(positive.size, dtype=np.bool_)
    if any(_is_scale(column) for column in columns.values()):
        return Adjustment(names=tuple(columns), design=_design(columns, positive)), everyone
    codes, crossed = crossed_ids(list(columns.values()))
    levels = [", ".join(map(str, one)) for one in crossed]
    n_neg = np.bincount(codes[~positive], minlength=len(levels))
    n_pos = np.bincount(codes[positive], minlength=len(levels))
    used = (n_neg > 0) & (n_pos > 0)
    if not used.any():
        raise InvalidSampleError(
            f"No stratum of {listed(columns)} has both classes, so that nobody can be compared "
            f"with the like; adjust for less with {named('adjust_for')}."
        )
    alone = [levels[i] for i in np.flatnonzero(used & (n_neg == 1))]
    if alone:
        raise InvalidSampleError(
            f"A stratum of {listed(columns)} has one negative only ({listed(alone)}), so that its "
            "variance is not known; merge strata, or adjust for less with "
            f"{named('adjust_for')}."
        )
    keep = used[codes]
    found = Adjustment(
        names=tuple(columns),
        stratum=(np.cumsum(used) - 1)[codes],
        levels=tuple(level for level, here in zip(levels, used, strict=True) if here),
        left_out=int(n_pos[~used].sum()),
    )
    return found.only(keep), keep


def _column(values: Any, name: str) -> NDArray[Any]:
    column, missing = label_column(values, name)
    if missing is not None:
        raise InvalidSampleError(
            f"{name}, which {named('adjust_for')} names, is missing for {int(missing.sum())} "
            "subjects; complete it, or leave them out."
        )
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        raise InvalidSampleError(f"{name}, which {named('adjust_for')} names, must be finite.")
    return column


def _is_scale(column: NDArray[Any]) -> bool:
    return column.dtype.kind in "iuf" and np.unique(column).size > _MOST_LEVELS


def _design(columns: Mapping[str, NDArray[Any]], positive: Bools) -> Floats:
    parts = []
    for column in columns.values():
        if _is_scale(column):
            parts.append(standardised(column.astype(np.float64)))
            continue
        codes, levels = coded_ids(column)
        parts += [(codes == level).astype(np.float64) for level in range(1, len(levels))]
    design = np.stack(parts, axis=1)
    mine = np.column_stack([np.ones(int((~positive).sum())), design[~positive]])
    if mine.shape[0] < mine.shape[1] + 2 or np.linalg.matrix_rank(mine) < mine.shape[1]:
        raise InvalidSampleError(
            f"The {mine.shape[0]} negatives do not tell the {mine.shape[1]} coefficients of "
            f"{listed(columns)} apart; adjust for less with {named('adjust_for')}."
        )
    return design
