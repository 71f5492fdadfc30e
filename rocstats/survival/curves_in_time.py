"""The ROC curve at a time, weighted for censoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import CurvePoint, point_at, read_only, trapezoid
from rocstats.data.blocks import sort_into_blocks
from rocstats.errors import InvalidOptionError, check_option
from rocstats.survival.area_estimators import check_sample, check_times, find_roles
from rocstats.survival.areas_in_time import CONTROLS, Controls
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.tables import Answer, Statement, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.data.sample import Account
    from rocstats.plots.plane import Line

__all__ = ["RocCurveAt", "roc_curve_at"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocCurveAt(DrawnCurve, Answer):
    """A ROC curve of cases before and controls after a time, weighted for censoring.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    time : float
        The time.
    fpr, tpr : array
        Weighted shares of controls and of cases called positive, from 0 to 1.
    threshold : array
        A subject is called positive at or beyond it; the first, infinite, calls no one.
    n_pos, n_neg : int
        Number of cases and of controls.
    account : Account
        What the codes of the events mean, and who was left out.

    See Also
    --------
    roc_curve_at : The ROC curve at a time.
    """

    classifier: str
    time: float
    fpr: Floats
    tpr: Floats
    threshold: Floats
    n_pos: int
    n_neg: int
    account: Account

    def area(self) -> float:
        """Return the area under the curve, which is the AUC at the time."""
        return trapezoid(self.fpr, self.tpr)

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point at a rate, linear between vertices.

        Parameters
        ----------
        fpr : float or array-like, optional
            False positive rates; give one of the two.
        tpr : float or array-like, optional
            True positive rates instead.

        Returns
        -------
        CurvePoint
            The point, or points: floats where one was asked for.
        """
        return point_at(self.fpr, self.tpr, at_fpr=fpr, at_tpr=tpr)

    def statement(self) -> Statement:
        """Return the vertices, and the area."""
        columns = {"threshold": self.threshold, "fpr": self.fpr, "tpr": self.tpr}
        return Statement(
            head=f"ROC curve of {self.classifier} at {self.time:g}: AUC {self.area():.4f}, "
            f"{self.tpr.size} vertices, {counted(self.n_pos, 'case')}, "
            f"{counted(self.n_neg, 'control')}",
            rows=columns,
            content={"classifier": self.classifier, "time": self.time, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.plane import draw_plane

        label = f"{self.classifier} at {self.time:g} (AUC {self.area():.3f})"
        return draw_plane(self.fpr, self.tpr, label, ax, line=line)


def roc_curve_at(
    sample: SurvivalSample,
    time: float,
    marker: str | None = None,
    *,
    controls: Controls = "event-free",
) -> RocCurveAt:
    """Return the ROC curve of one marker at a time.

    Parameters
    ----------
    sample : SurvivalSample
        Times, events and markers.
    time : float
        A time within the follow-up, in its unit.
    marker : str, optional
        Which marker, where there are several.
    controls : {"event-free", "survivors"}, default "event-free"
        Whether those with a competing event by the time are controls, as in `auc_at`.

    Returns
    -------
    RocCurveAt
        A vertex for every distinct score of cases and controls, and the one that calls no one.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    operating_points_at : Sensitivity, specificity and predictive values at thresholds and a time.
    roc_curve : The ROC curve of two classes.

    Notes
    -----
    Its area is `auc_at`. Blanche, Dartigues & Jacqmin-Gadda (2013), doi:10.1002/sim.5958; R
    equivalent: ``timeROC::timeROC`` with ``ROC = TRUE``.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.roc_curve_at(rs.datasets.load_breast_followup(), 1826, marker="nodes")
    >>> curve.n_pos, curve.n_neg, round(curve.area(), 4)
    (285, 121, 0.6574)
    """
    sample = check_sample(sample)
    check_option("controls", controls, CONTROLS)
    (wanted,) = check_times(time, sample)
    row = sample.marker(marker)
    (roles,) = find_roles(sample, [wanted], controls, sample.censoring())
    if min(roles.n_pos, roles.n_neg) == 0:
        raise InvalidOptionError(
            f"There are {counted(roles.n_pos, 'case')} and {counted(roles.n_neg, 'control')} at "
            f"time {wanted:g}; a curve needs both."
        )
    part = (roles.case > 0.0) | (roles.control > 0.0)
    case, control = roles.case[part], roles.control[part]
    blocks = sort_into_blocks(sample.oriented(row)[part], case > 0.0, ordered=True)
    score = np.append(blocks.score, np.inf)[::-1]
    tpr, fpr = (
        np.cumsum(np.append(blocks.by_block(weight[blocks.order]), 0.0)[::-1])
        for weight in (case, control)
    )
    return RocCurveAt(
        classifier=sample.markers[row],
        time=wanted,
        fpr=read_only(fpr / fpr[-1]),
        tpr=read_only(tpr / tpr[-1]),
        threshold=read_only(score if sample.higher_is_positive[row] else 0.0 - score),
        n_pos=roles.n_pos,
        n_neg=roles.n_neg,
        account=sample.account,
    )
