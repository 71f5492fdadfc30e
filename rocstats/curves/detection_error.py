"""The detection error tradeoff: both error rates against each other, in normal deviates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import read_only
from rocstats.curves.roc import roc_curve
from rocstats.data.sample import Account, NanPolicy, Orientation
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["DetCurve", "det_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DetCurve(DrawnCurve, Answer):
    """An empirical detection error tradeoff curve, from the last point without a false alarm on.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    fp, fn : array of int
        Negatives called positive and positives missed, down the thresholds: from the last point
        without a false alarm to the first without a miss.
    threshold : array
        A subject is called positive at or beyond it.
    n_pos, n_neg : int
        Class sizes.
    higher_is_positive : bool
        Whether "beyond" means above or below.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    det_curve : The detection error tradeoff curve.
    """

    classifier: str
    fp: Ints
    fn: Ints
    threshold: Floats
    n_pos: int
    n_neg: int
    higher_is_positive: bool
    account: Account | None = None

    @property
    def fpr(self) -> Floats:
        """False positive rate, of false alarms."""
        return self.fp / self.n_neg

    @property
    def fnr(self) -> Floats:
        """False negative rate, of misses."""
        return self.fn / self.n_pos

    @property
    def deviates(self) -> tuple[Floats, Floats]:
        """Both rates as normal deviates, infinite where a rate is 0 or 1: what `plot` draws."""
        from scipy.special import ndtri

        return ndtri(self.fpr), ndtri(self.fnr)

    def equal_error_rate(self) -> float:
        """Return the rate at which false alarms and misses are alike, linear between points."""
        fpr, fnr = self.fpr, self.fnr
        after = int(np.argmax(fpr >= fnr))
        if fpr[after] == fnr[after] or after == 0:
            return float(fpr[after])
        before = after - 1
        short, long = fnr[before] - fpr[before], fpr[after] - fnr[after]
        return float(fpr[before] + (fpr[after] - fpr[before]) * short / (short + long))

    def statement(self) -> Statement:
        """Return the points, and the equal error rate."""
        columns = {
            "threshold": self.threshold,
            "fpr": self.fpr,
            "fnr": self.fnr,
            "fp": self.fp,
            "fn": self.fn,
        }
        rate = self.equal_error_rate()
        return Statement(
            head=f"DET curve of {self.classifier}: equal error rate {rate:.4f}, "
            f"{self.fp.size} points, {self.n_pos} positives, {self.n_neg} negatives",
            rows=columns,
            content={"classifier": self.classifier, "equal_error_rate": rate, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.curve_plots import draw_detection_error

        label = f"{self.classifier} (EER {self.equal_error_rate():.3f})"
        return draw_detection_error(*self.deviates, label, ax, line=line)


def det_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> DetCurve:
    """Return the detection error tradeoff (DET) curve of one marker.

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
    DetCurve
        The rates of false alarms and of misses at the thresholds, and the equal error rate.

    See Also
    --------
    roc_curve : The empirical ROC curve.
    precision_recall_curve : The precision-recall curve.

    Notes
    -----
    The ROC curve with misses in place of hits. In normal deviates two normal classes make a
    straight line, of slope -1 where their variances are equal, and good markers, which crowd in a
    corner of the ROC plane, are spread out (Martin et al. 1997, doi:10.21437/Eurospeech.1997-504).
    Points that a neighbour beats in one rate and equals in the other, before the last without a
    false alarm and after the first without a miss, are left out: the points of
    ``sklearn.metrics.det_curve`` without ``drop_intermediate``, which orders them by rising
    threshold.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.fnr.tolist(), curve.threshold.tolist()
    ([0.0, 0.5, 0.5], [0.5, 0.5, 0.0], [0.8, 0.4, 0.35])
    >>> curve.equal_error_rate()
    0.5
    """
    curve = roc_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        marker=marker,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    first = int(np.searchsorted(curve.fp, 0, side="right")) - 1
    last = int(np.searchsorted(curve.tp, curve.n_pos, side="left")) + 1
    kept = slice(first, last)
    return DetCurve(
        classifier=curve.classifier,
        fp=read_only(curve.fp[kept].copy()),
        fn=read_only(curve.n_pos - curve.tp[kept]),
        threshold=read_only(curve.threshold[kept].copy()),
        n_pos=curve.n_pos,
        n_neg=curve.n_neg,
        higher_is_positive=curve.higher_is_positive,
        account=curve.account,
    )
