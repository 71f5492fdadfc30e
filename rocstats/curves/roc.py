"""The ROC curve (Fawcett 2006, Algorithm 1): one segment for every distinct score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats, Ints
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import CurvePoint, point_at, read_only, to_numbers, trapezoid
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.data.scan.count_blocks import within_bin
from rocstats.data.subject_weights import WeightKind
from rocstats.errors import InvalidCallError, InvalidOptionError
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["RocCurve", "refuse_weighted", "roc_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocCurve(DrawnCurve, Answer):
    """An empirical ROC curve.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    fp, tp : array of int
        Counts of negatives and positives called positive, from (0, 0) to (n_neg, n_pos); sums of
        weights where subjects have some.
    threshold : array
        A subject is called positive at or beyond it; the first, infinite, calls no one.
    higher_is_positive : bool
        Whether "beyond" means above or below.
    account : Account, optional
        Which class is positive, and who was left out.
    sizes : (int, int) or None
        Number of positives and of negatives, where weights are summed in their place.
    bin_ends : array or None
        Where scores were counted in bins, how far the bin of each vertex reaches beyond its
        threshold.

    See Also
    --------
    roc_curve : The empirical ROC curve.
    """

    classifier: str
    fp: Ints
    tp: Ints
    threshold: Floats
    higher_is_positive: bool
    account: Account | None = None
    sizes: tuple[int, int] | None = None
    bin_ends: Floats | None = None

    @property
    def n_pos(self) -> int:
        return int(self.tp[-1]) if self.sizes is None else self.sizes[0]

    @property
    def n_neg(self) -> int:
        return int(self.fp[-1]) if self.sizes is None else self.sizes[1]

    @property
    def is_weighted(self) -> bool:
        """Whether weights are summed in the place of counts."""
        return self.sizes is not None

    @property
    def fpr(self) -> Floats:
        """False positive rate, 1 - specificity."""
        rate: Floats = self.fp / self.fp[-1]
        return rate

    @property
    def tpr(self) -> Floats:
        """True positive rate, sensitivity."""
        rate: Floats = self.tp / self.tp[-1]
        return rate

    def __iter__(self) -> NoReturn:
        """Refuse ``fpr, tpr, threshold = roc_curve(...)``, as scikit-learn's is unpacked."""
        raise InvalidCallError(
            "A curve is one object and is not unpacked; take curve.fpr, curve.tpr and "
            "curve.threshold of it."
        )

    def area(self) -> float:
        """Return the area under the curve, which is the AUC."""
        area = float(trapezoid(self.fp, self.tp) / (self.fp[-1].item() * self.tp[-1].item()))
        return min(area, 1.0)  # sums of weights are rounded

    def at(
        self,
        fpr: ArrayLike | None = None,
        *,
        tpr: ArrayLike | None = None,
        threshold: ArrayLike | None = None,
    ) -> CurvePoint:
        """Return the point at a rate (linear between vertices) or at a threshold (exact counts).

        Parameters
        ----------
        fpr : float or array-like, optional
            False positive rates; give one of the three.
        tpr : float or array-like, optional
            True positive rates instead.
        threshold : float or array-like, optional
            Thresholds instead; refused within a bin of scores, where nothing is counted.

        Returns
        -------
        CurvePoint
            The point, or points: floats where one was asked for.
        """
        if threshold is None:
            return point_at(self.fpr, self.tpr, at_fpr=fpr, at_tpr=tpr)
        if fpr is not None or tpr is not None:
            raise InvalidOptionError("Give one of fpr, tpr and threshold: where on the curve?")
        sign = -1.0 if self.higher_is_positive else 1.0
        wanted = sign * to_numbers(threshold, "threshold")
        here = np.searchsorted(sign * self.threshold[1:], wanted, side="right")
        self._check_bins(sign * wanted, here)
        found_fpr, found_tpr = self.fpr[here], self.tpr[here]
        if here.ndim == 0:
            return CurvePoint(fpr=float(found_fpr), tpr=float(found_tpr))
        return CurvePoint(fpr=found_fpr, tpr=found_tpr)

    def _check_bins(self, thresholds: Floats, here: Ints) -> None:
        """Refuse a threshold between the edges of the bin that comes after its vertex."""
        if self.bin_ends is None:
            return
        given, after = np.ravel(thresholds), np.ravel(here) + 1
        given, after = given[after < self.tp.size], after[after < self.tp.size]
        ends, sign = self.bin_ends[after], 1.0 if self.higher_is_positive else -1.0
        for i in np.flatnonzero(sign * given <= sign * ends)[:1]:
            low, high = sorted((self.threshold[after[i]], ends[i]))
            raise within_bin(given[i], self.classifier, low, high)

    def statement(self) -> Statement:
        """Return the vertices, and the area."""
        columns = {
            "threshold": self.threshold,
            "fpr": self.fpr,
            "tpr": self.tpr,
            "fp": self.fp,
            "tp": self.tp,
        }
        return Statement(
            head=f"ROC curve of {self.classifier}: AUC {self.area():.4f}, "
            f"{self.tp.size} vertices, {self.n_pos} positives, {self.n_neg} negatives",
            rows=columns,
            content={"classifier": self.classifier, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.plane import draw_plane

        label = f"{self.classifier} (AUC {self.area():.3f})"
        return draw_plane(self.fpr, self.tpr, label, ax, line=line)


def refuse_weighted(curve: RocCurve) -> None:
    """Refuse a curve of weights where whole counts are needed."""
    if curve.is_weighted:
        raise InvalidOptionError(
            f"The ROC curve of {curve.classifier} sums weights, and counts of subjects are needed "
            "here; take a curve without weights."
        )


def roc_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
) -> RocCurve:
    """Return the ROC curve of one marker.

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
    weights : array-like of shape (N,), optional
        What every row counts, at least 0; a sample has its own.
    weight_kind : {"probability", "frequency"}, default "probability"
        Whether a row is one subject that stands for others, or so many that are alike.

    Returns
    -------
    RocCurve
        A vertex for every distinct score, and the one that calls no one.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    roc_band : A confidence band of the ROC curve.
    average_curves : Average ROC curves of several folds or test sets.
    precision_recall_curve : The precision-recall curve.
    operating_points : 2x2 tables at thresholds, with their measures.

    Notes
    -----
    Tied subjects make one segment, neither the optimistic nor the pessimistic step (Fawcett 2006,
    doi:10.1016/j.patrec.2005.10.010, Algorithm 1 and Fig. 6). R equivalent: ``pROC::roc``, whose
    thresholds lie between the scores where ours are the scores.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.threshold.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.9, 0.8, 0.1])
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        takes=("weights", "strata", "nuisance"),
    )
    row = sample.marker(marker)
    blocks = sample.blocks(row)
    score, ends = np.append(blocks.score, np.inf)[::-1], sample.bin_ends(row)
    kind = np.int64 if sample.weights is None else np.float64
    return RocCurve(
        classifier=sample.markers[row],
        fp=read_only(np.cumsum(np.append(blocks.n_neg, 0.0)[::-1]).astype(kind)),
        tp=read_only(np.cumsum(np.append(blocks.n_pos, 0.0)[::-1]).astype(kind)),
        threshold=read_only(0.0 - score if sample.is_flipped(row) else score),
        higher_is_positive=sample.higher_is_positive[row],
        account=sample.account,
        sizes=None if sample.weights is None else blocks.sizes,
        bin_ends=None if ends is None else read_only(np.append(ends, score[:1])[::-1]),
    )
