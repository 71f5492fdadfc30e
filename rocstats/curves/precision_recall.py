"""The precision-recall curve: a point for every distinct score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats, Ints
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import read_only, to_numbers
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.engine.precision_influence import joined_pieces
from rocstats.errors import InvalidOptionError, named
from rocstats.tables import Answer, Record, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = [
    "PrecisionRecallCurve",
    "PrecisionRecallPoint",
    "precision_recall_curve",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PrecisionRecallPoint(Record):
    """A point of a precision-recall curve, or several: floats where one was asked for.

    Parameters
    ----------
    recall : float or array
        Share of the positives that are called positive.
    precision : float or array
        Share of those called positive that are.
    threshold : float or array
        A subject is called positive at or beyond it.

    See Also
    --------
    PrecisionRecallCurve : An empirical precision-recall curve.
    """

    recall: Any
    precision: Any
    threshold: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrecisionRecallCurve(DrawnCurve, Answer):
    """An empirical precision-recall curve, a point for every distinct score.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    fp, tp : array of int
        Counts of negatives and positives called positive, from the highest score down.
    threshold : array
        A subject is called positive at or beyond it.
    higher_is_positive : bool
        Whether "beyond" means above or below.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    precision_recall_curve : The precision-recall curve.
    """

    classifier: str
    fp: Ints
    tp: Ints
    threshold: Floats
    higher_is_positive: bool
    account: Account | None = None

    @property
    def n_pos(self) -> int:
        return int(self.tp[-1])

    @property
    def n_neg(self) -> int:
        return int(self.fp[-1])

    @property
    def recall(self) -> Floats:
        """Share of the positives that are called positive: sensitivity."""
        return self.tp / self.n_pos

    @property
    def precision(self) -> Floats:
        """Share of those called positive that are: positive predictive value in this sample."""
        return self.tp / (self.tp + self.fp)

    @property
    def prevalence(self) -> float:
        """Share of positives in the sample: the precision of calling everyone positive."""
        return self.n_pos / (self.n_pos + self.n_neg)

    def average_precision(self) -> float:
        """Return the mean over the positives of the precision at their scores.

        This is ``sum (R_k - R_{k-1}) P_k`` as in ``sklearn.metrics.average_precision_score``, the
        area under the steps that `plot` draws; nothing is interpolated.
        """
        return float((np.diff(self.tp, prepend=0) * self.precision).sum() / self.n_pos)

    def interpolated_area(self) -> float:
        """Return the area with points joined as ROC points are, by a curve on this plane.

        Between neighbours false positives grow linearly with true positives (Davis & Goadrich
        2006, doi:10.1145/1143844.1143874); the integral is exact. A straight line on this plane,
        as of ``sklearn.metrics.auc(recall, precision)``, lies above what can be reached. R
        equivalent: ``PRROC::pr.curve``'s ``auc.integral``.
        """
        tp, fp = np.append(0, self.tp[:-1]), np.append(0, self.fp[:-1])
        rise, run = self.tp - tp, self.fp - fp
        moves = rise > 0
        area = joined_pieces(rise[moves], run[moves], tp[moves], fp[moves])
        return float(area.sum() / self.n_pos)

    def at(
        self, recall: ArrayLike | None = None, *, threshold: ArrayLike | None = None
    ) -> PrecisionRecallPoint:
        """Return the point that first reaches a recall, or the point at a threshold.

        The recall given back is the one reached. Beyond every score no one is called positive,
        and the precision is nan.

        Parameters
        ----------
        recall : float or array-like, optional
            Recalls to be reached, where no thresholds are given.
        threshold : float or array-like, optional
            Thresholds instead.

        Returns
        -------
        PrecisionRecallPoint
            The point, or points: floats where one was asked for.
        """
        if (recall is None) == (threshold is None):
            raise InvalidOptionError("Give one of recall and threshold: where on the curve?")
        if recall is not None:
            wanted = to_numbers(recall, "recall")
            if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
                raise InvalidOptionError(
                    f"{named('recall')} must lie within [0, 1], got {recall!r}."
                )
            here = np.searchsorted(self.recall, wanted, side="left") + 1
            cut = self.threshold[here - 1]
        else:
            sign = -1.0 if self.higher_is_positive else 1.0
            cut = to_numbers(threshold, "threshold")
            here = np.searchsorted(sign * self.threshold, sign * cut, side="right")
        found = np.append(0.0, self.recall)[here], np.append(math.nan, self.precision)[here], cut
        one = here.ndim == 0
        r, p, t = (float(v) if one else v for v in found)
        return PrecisionRecallPoint(recall=r, precision=p, threshold=t)

    def statement(self) -> Statement:
        """Return the points, the average precision and the interpolated area."""
        joined = self.interpolated_area()
        columns = {
            "threshold": self.threshold,
            "recall": self.recall,
            "precision": self.precision,
            "fp": self.fp,
            "tp": self.tp,
        }
        return Statement(
            head=f"Precision-recall curve of {self.classifier}: "
            f"AP {self.average_precision():.4f}, {self.tp.size} points, "
            f"{self.n_pos} positives, {self.n_neg} negatives",
            rows=columns,
            notes=[f"Area with the points joined as on the ROC plane: {joined:.4f}"],
            content={"classifier": self.classifier, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.curve_plots import draw_precision_recall

        label = f"{self.classifier} (AP {self.average_precision():.3f})"
        return draw_precision_recall(
            self.recall, self.precision, self.prevalence, label, ax, line=line
        )


def precision_recall_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> PrecisionRecallCurve:
    """Return the precision-recall curve of one marker.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
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
    PrecisionRecallCurve
        A point for every distinct score.

    See Also
    --------
    average_precision : Estimate the average precision.
    roc_curve : The empirical ROC curve.

    Notes
    -----
    Tied subjects are called together. There is no point for calling no one, whose precision is
    0/0; ``sklearn.metrics.precision_recall_curve`` adds (0, 1) and orders by rising threshold.
    Precision depends on the prevalence: the curve of a case-control sample is not that of a clinic.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.precision_recall_curve([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    >>> curve.recall.tolist(), curve.precision.round(3).tolist()
    ([0.5, 1.0, 1.0], [1.0, 0.667, 0.5])
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    row = sample.marker(marker)
    blocks = sample.blocks(row)
    score = blocks.score[::-1]
    return PrecisionRecallCurve(
        classifier=sample.markers[row],
        fp=read_only(np.cumsum(blocks.n_neg[::-1]).astype(np.int64)),
        tp=read_only(np.cumsum(blocks.n_pos[::-1]).astype(np.int64)),
        threshold=read_only(0.0 - score if sample.is_flipped(row) else score.copy()),
        higher_is_positive=sample.higher_is_positive[row],
        account=sample.account,
    )
