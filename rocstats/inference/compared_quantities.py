"""Markers compared by quantities that are no mean over pairs: average precision, Brier score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocstats.data.sample import Account, ScoredSample, refuse_design
from rocstats.engine.influence import Influence
from rocstats.errors import InvalidOptionError, listed, named
from rocstats.estimates.quantities import Quantity
from rocstats.estimates.results import ESTIMATE_COLUMNS
from rocstats.tables import AnswerByMethod, Rows, Statement, counted

__all__ = ["QUANTITIES", "Quantities", "asks_for_quantity", "estimate_quantities"]

QUANTITIES = ("average_precision", "brier")  # what a comparison may ask for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Quantities(Rows[Quantity], AnswerByMethod):
    """One quantity of several classifiers, with their joint influence.

    Attributes
    ----------
    rows : tuple of Quantity
        The quantity of every classifier.
    influence : Influence
        Every subject's influence on every row.
    sample : ScoredSample
        The data.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    """

    rows: tuple[Quantity, ...]
    influence: Influence
    sample: ScoredSample

    def _names(self) -> list[tuple[str, str]]:
        return [(row.classifier, row.measure) for row in self.rows]

    def _row(self, i: int) -> Quantity:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> Quantities:
        chosen = list(where)
        return replace(
            self, rows=tuple(self.rows[i] for i in chosen), influence=self.influence.select(chosen)
        )

    @property
    def _account(self) -> Account:
        return self.sample.account

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a row for each classifier, and the class sizes."""
        rows = [
            row.statement(confidence_level=confidence_level, method=method).row for row in self.rows
        ]
        sample = self.sample
        return Statement(
            rows=rows,
            shown=ESTIMATE_COLUMNS,
            notes=[
                f"{counted(sample.n_pos, 'positive')} ({sample.pos_label}), "
                f"{counted(sample.n_neg, 'negative')} ({sample.neg_label}); {sample.dropped}",
                *(["less is better"] if self.rows[0].measure.less_is_better else []),
            ],
            content={"estimates": rows, "covariance": self.influence.covariance()},
        )


def asks_for_quantity(measure: Any) -> str | None:
    """Return the quantity that is asked for, alone; None for measures."""
    several = isinstance(measure, (list, tuple))
    wanted = [one for one in (measure if several else [measure]) if isinstance(one, str)]
    found = [one for one in wanted if one in QUANTITIES]
    if found and several and len(measure) > 1:
        raise InvalidOptionError(
            f"{named('measure')} {found[0]!r} is compared by itself, not beside others; ask for "
            f"one at a time of {listed(map(repr, measure))}."
        )
    return found[0] if found else None


def estimate_quantities(sample: ScoredSample, name: str) -> tuple[Quantities, Influence]:
    """Return the quantity of every marker, and the joint influence."""
    from rocstats.estimates.average_precisions import precision_quantity
    from rocstats.estimates.brier_scores import brier_quantity

    refuse_design(sample)
    estimators: dict[str, Callable[[ScoredSample, int], Quantity]] = {
        "average_precision": precision_quantity,
        "brier": brier_quantity,
    }
    rows = tuple(estimators[name](sample, row) for row in range(len(sample.markers)))
    first = rows[0].influence
    influence = replace(
        first,
        estimate=np.concatenate([row.influence.estimate for row in rows]),
        values=np.concatenate([row.influence.values for row in rows]),
        rows=tuple(one for row in rows for one in row.influence.rows),
    )
    return Quantities(rows=rows, influence=influence, sample=sample), influence
