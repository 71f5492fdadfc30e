"""Vertices of a ROC convex hull, and which of them costs and prevalence choose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rocstats.tables import Answer, Record, Statement

__all__ = ["HullVertex", "IsoPerformance", "owner_rows"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HullVertex(Record):
    """A vertex of the hull: an operating point that is the best for some costs and prevalence.

    Attributes
    ----------
    fpr, tpr : Fraction
        Exact rates.
    owner : tuple of str
        Names of all classifiers that reach it; ``"none"`` and ``"all"``, which call no one and
        everyone positive, own the corners.
    threshold : tuple of float
        Where each owner reaches it; nan for the corners, which need no score.
    slope_low, slope_high : float
        Slopes of iso-performance lines for which no vertex is better.

    See Also
    --------
    RocHull : The ROC convex hull.
    """

    fpr: Fraction
    tpr: Fraction
    owner: tuple[str, ...]
    threshold: tuple[float, ...]
    slope_low: float
    slope_high: float

    def owners_in_words(self) -> str:
        """Return the owners as ``a at 0.54 or b at 17``."""
        return " or ".join(
            name if math.isnan(threshold) else f"{name} at {threshold:g}"
            for name, threshold in zip(self.owner, self.threshold, strict=True)
        )

    def statement(self) -> Statement:
        """Return a row for each owner."""
        record = Record.statement(self)
        rates = {"fpr": float(self.fpr), "tpr": float(self.tpr)}
        slopes = {"slope_low": self.slope_low, "slope_high": self.slope_high}
        owners = zip(self.owner, self.threshold, strict=True)
        rows = [rates | {"owner": o, "threshold": t} | slopes for o, t in owners]
        return replace(record, rows=rows, content=record.row)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IsoPerformance(Answer):
    """Costs and prevalence, and what is best under them.

    Attributes
    ----------
    cost_fp, cost_fn, prevalence : float
        The conditions.
    slope : float
        Slope of the lines of equal expected cost, ``cost_fp (1 - prevalence) / (cost_fn
        prevalence)``; inf where false negatives cost nothing.
    expected_cost : float
        The least expected cost of a subject.
    vertices : tuple of HullVertex
        Every vertex with that cost; two where the line lies along an edge of the hull, and then all
        their mixtures are as good.

    See Also
    --------
    RocHull.best : The vertices with the least expected cost.
    """

    cost_fp: float
    cost_fn: float
    prevalence: float
    slope: float
    expected_cost: float
    vertices: tuple[HullVertex, ...]

    @property
    def classifiers(self) -> list[str]:
        """Names of the chosen classifiers."""
        return list(dict.fromkeys(name for v in self.vertices for name in v.owner))

    def statement(self) -> Statement:
        """Return the best vertices, a row for each of their owners, and the conditions."""
        ends = {"slope": self.slope}, {"expected_cost": self.expected_cost}
        conditions = ("cost_fp", "cost_fn", "prevalence", "slope", "expected_cost")
        return Statement(
            head=f"Iso-performance slope {self.slope:.4g} (cost_fp {self.cost_fp:g}, "
            f"cost_fn {self.cost_fn:g}, prevalence {self.prevalence:g}): "
            f"expected cost {self.expected_cost:.4f}",
            rows=[ends[0] | row | ends[1] for row in owner_rows(self.vertices)],
            notes=[
                f"  {v.owners_in_words()} (fpr {float(v.fpr):.4f}, tpr {float(v.tpr):.4f})"
                for v in self.vertices
            ],
            content={
                **{name: getattr(self, name) for name in conditions},
                "vertices": [v.to_dict() for v in self.vertices],
            },
        )


def owner_rows(vertices: Sequence[HullVertex]) -> list[dict[str, Any]]:
    """Return a tidy row for each owner of each vertex."""
    return [{"vertex": i, **row} for i, v in enumerate(vertices) for row in v.statement().tidy]
