"""Equivocal results: missing and invalid results of a test, counted every way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools
from rocstats.errors import InvalidOptionError
from rocstats.inference.binary.paired_cells import count_classes
from rocstats.inference.binary.rate_differences import TangoScore
from rocstats.tables import Answer, Row, Statement, TidyRows

if TYPE_CHECKING:
    from rocstats.inference.binary.compared_tests import ComparedTests

__all__ = ["EquivocalBounds", "Unresolved", "bound_rates"]

UNKNOWN = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unresolved:
    """All patients whose true class is known, with what is not known of their results.

    Attributes
    ----------
    positive : (N,) the true class
    calls : (K, N) results: 1 positive, 0 negative, -1 missing or equivocal
    """

    positive: Bools
    calls: NDArray[np.int8]

    def only(self, where: Sequence[int]) -> Unresolved:
        """Return some of the tests."""
        return replace(self, calls=self.calls[list(where)])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EquivocalBounds(TidyRows, Answer):
    """Differences with missing and equivocal results counted every way.

    Attributes
    ----------
    rows : tuple of mapping
        How they were counted, the rate, its value for each test, the difference and its limits.
    confidence_level : float
        Level of the intervals.
    n_equivocal : tuple of int
        Such results of the standard and of the new test.

    See Also
    --------
    ComparedTests.bounds : Missing and equivocal results both ways.
    """

    rows: tuple[Row, ...]
    confidence_level: float
    n_equivocal: tuple[int, ...]

    _named_by: ClassVar[tuple[str, ...]] = ("counted", "measure")

    def statement(self) -> Statement:
        """Return a row for every way of counting and every rate."""
        standard, new = self.n_equivocal
        return Statement(
            rows=self.rows,
            shown=(
                *("counted", "measure", "n", "standard", "new"),
                *("estimate", "conf_low", "conf_high"),
            ),
            notes=[
                f"Missing or equivocal: {standard} of the standard test, {new} of the new one; "
                f"{self.confidence_level:.0%} score intervals"
            ],
            content={
                "bounds": self.rows,
                "n_equivocal": list(self.n_equivocal),
                "confidence_level": self.confidence_level,
            },
        )


def _ways(unresolved: Unresolved) -> dict[str, tuple[Any, Any]]:
    """Return what stands for an unknown result of the standard and of the new test, by way."""
    truth = unresolved.positive
    return {
        "positive": (True, True),
        "negative": (False, False),
        "best for new": (~truth, truth),
        "worst for new": (truth, ~truth),
    }


def bound_rates(
    pair: ComparedTests, unresolved: Unresolved | None, level: float
) -> EquivocalBounds:
    """Return the differences of a pair of tests, with what is unknown counted every way."""
    if unresolved is None:
        raise InvalidOptionError("No result is missing or equivocal, so there is nothing to bound.")
    truth, calls = unresolved.positive, unresolved.calls
    known = (calls != UNKNOWN).all(axis=0)
    tables = {"left out": (truth[known], calls[0, known] == 1, calls[1, known] == 1)}
    for way, stand_ins in _ways(unresolved).items():
        filled = (
            np.where(row == UNKNOWN, other, row == 1)
            for row, other in zip(calls, stand_ins, strict=True)
        )
        tables[way] = (truth, *filled)
    names = [
        name for name in pair._measures if name in ("sensitivity", "specificity", "ppa", "npa")
    ]
    rows = []
    for way, (positive, standard, new) in tables.items():
        counted = count_classes(positive, standard, new)
        for name, cells in zip(names, (counted.sensitivity, counted.specificity), strict=True):
            low, high = TangoScore(cells=cells).limits((1.0 - level) / 2.0)
            rows.append(
                {
                    "counted": way,
                    "measure": name,
                    "n": cells.n,
                    "standard": cells.standard / cells.n,
                    "new": cells.new / cells.n,
                    "estimate": (cells.b - cells.c) / cells.n,
                    "conf_low": low,
                    "conf_high": high,
                }
            )
    return EquivocalBounds(
        rows=tuple(rows),
        confidence_level=level,
        n_equivocal=tuple(np.count_nonzero(calls == UNKNOWN, axis=1).tolist()),
    )
