"""Vertices of a ROC convex hull, and which of them costs and prevalence choose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HullVertex", "IsoPerformance", "tidy_vertices"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HullVertex:
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

    def to_dict(self) -> dict[str, Any]:
        """Return the vertex as built-in types."""
        return {
            "fpr": float(self.fpr),
            "tpr": float(self.tpr),
            "owner": list(self.owner),
            "threshold": list(self.threshold),
            "slope_low": self.slope_low,
            "slope_high": self.slope_high,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IsoPerformance:
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

    def to_dict(self) -> dict[str, Any]:
        """Return conditions and vertices as built-in types."""
        return {
            "cost_fp": self.cost_fp,
            "cost_fn": self.cost_fn,
            "prevalence": self.prevalence,
            "slope": self.slope,
            "expected_cost": self.expected_cost,
            "vertices": [v.to_dict() for v in self.vertices],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the best vertices as a pandas data frame, one row for each of their owners."""
        frame = tidy_vertices(self.vertices)
        frame.insert(0, "slope", self.slope)
        return frame.assign(expected_cost=self.expected_cost)

    def __repr__(self) -> str:
        lines = [
            f"Iso-performance slope {self.slope:.4g} (cost_fp {self.cost_fp:g}, "
            f"cost_fn {self.cost_fn:g}, prevalence {self.prevalence:g}): "
            f"expected cost {self.expected_cost:.4f}"
        ]
        lines += [
            f"  {v.owners_in_words()} (fpr {float(v.fpr):.4f}, tpr {float(v.tpr):.4f})"
            for v in self.vertices
        ]
        return "\n".join(lines)


def tidy_vertices(vertices: Sequence[HullVertex]) -> pd.DataFrame:
    """Return vertices as a pandas data frame, one row for each owner."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"vertex": i, **v.to_dict(), "owner": owner, "threshold": threshold}
            for i, v in enumerate(vertices)
            for owner, threshold in zip(v.owner, v.threshold, strict=True)
        ]
    )
