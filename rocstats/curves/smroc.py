"""The smooth ROC curve (Klement et al. 2011, Algorithm 2): steps as long as the scores say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import CurvePoint, point_at, read_only, trapezoid
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.engine.catalogue import smooth_auc
from rocstats.engine.evaluation import Plane, to_measure_scale
from rocstats.engine.measures import Bounds, ClassWeight
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["SmrocCurve", "smroc_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmrocCurve(DrawnCurve, Answer):
    """A smooth ROC curve.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    fpr, tpr : array
        Horizontal and vertical shares passed, from (0, 0) to (1, 1).
    threshold : array
        The score of each vertex, in the units given; the first, infinite, is the origin.
    midpoint : float
        Where a score turns from low to high, on [0, 1].
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    smroc_curve : The smooth ROC curve, whose area is the smAUC.
    """

    classifier: str
    fpr: Floats
    tpr: Floats
    threshold: Floats
    midpoint: float
    account: Account | None = None

    def area(self) -> float:
        """Return the area under the curve, which is the smAUC."""
        return trapezoid(self.fpr, self.tpr)

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point at a horizontal or vertical share, linear between vertices.

        Parameters
        ----------
        fpr : float or array-like, optional
            Horizontal shares, where no vertical ones are given.
        tpr : float or array-like, optional
            Vertical shares instead.

        Returns
        -------
        CurvePoint
            The point, or points: floats where one was asked for.
        """
        return point_at(self.fpr, self.tpr, at_fpr=fpr, at_tpr=tpr)

    def statement(self) -> Statement:
        """Return the vertices, the area and the midpoint."""
        columns = {"threshold": self.threshold, "fpr": self.fpr, "tpr": self.tpr}
        return Statement(
            head=f"smROC curve of {self.classifier}: smAUC {self.area():.4f}, "
            f"{self.fpr.size} vertices, midpoint {self.midpoint:.4f}",
            rows=columns,
            content={"classifier": self.classifier, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.plane import draw_plane

        label = f"{self.classifier} (smAUC {self.area():.3f})"
        return draw_plane(
            self.fpr,
            self.tpr,
            label,
            ax,
            line=line,
            x_label="Horizontal share",
            y_label="Vertical share",
        )


def smroc_curve(
    y_true: Any,
    y_score: Any = None,
    midpoint: float | str = 0.5,
    *,
    class_weight: ClassWeight = None,
    bounds: Bounds | Literal["range"] | None = None,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> SmrocCurve:
    """Return the smooth ROC curve of one marker.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    midpoint : float or {"paper", "class_mean"}, default 0.5
        Where a score turns from low to high: a number in (0, 1], Klement's equation 1, or the
        middle of the class means.
    class_weight : {"balanced"} or float, optional
        None as published, "balanced" so that chance is 1/2, or a prevalence.
    bounds : (float, float) or "range", optional
        Limits of the scores where they are not 0 and 1; "range" takes the sample's own.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which marker, where there are several.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    SmrocCurve
        A vertex for every distinct score.

    See Also
    --------
    smauc : Estimate the smooth AUC.
    roc_curve : The empirical ROC curve.
    kernel_curve : A kernel-smoothed ROC curve.

    Notes
    -----
    A score at or above the midpoint is high; a tie makes one segment; the area equals the smAUC
    (Klement et al. 2011, doi:10.1007/978-3-642-23783-6_13, Algorithm 2 as corrected).

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.smroc_curve([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0])
    >>> round(curve.area(), 6)
    0.834821
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    row = sample.marker(marker)
    measure = smooth_auc(midpoint=midpoint, class_weight=class_weight, bounds=bounds)
    blocks, flipped = sample.blocks(row), sample.is_flipped(row)
    plane = Plane(measure, to_measure_scale(measure, blocks, flipped=flipped))
    up, right = plane.masses(plane.midpoint)
    score = np.append(blocks.score, np.inf)[::-1]
    return SmrocCurve(
        classifier=sample.markers[row],
        fpr=read_only(_path(right)),
        tpr=read_only(_path(up)),
        threshold=read_only(0.0 - score if flipped else score),
        midpoint=plane.midpoint if plane.midpoint is not None else np.nan,
        account=sample.account,
    )


def _path(step: Floats) -> Floats:
    """Cumulate steps from the highest score down, ending at 1 exactly; nan if they are all zero."""
    path = np.cumsum(np.append(step, 0.0)[::-1])
    total = path[-1]
    return path / total if total > 0.0 else np.full_like(path, np.nan)
