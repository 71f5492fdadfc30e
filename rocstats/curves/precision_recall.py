"""The precision-recall curve: a point for every distinct score."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats, Ints
from rocstats.curves.path import read_only, to_numbers
from rocstats.data.sample import NanPolicy, Orientation, as_sample
from rocstats.errors import InvalidOptionError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = [
    "PrecisionRecallCurve",
    "PrecisionRecallPoint",
    "precision_recall_curve",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionRecallPoint:
    """A point of a precision-recall curve, or several: floats where one was asked for."""

    recall: Any
    precision: Any
    threshold: Any

    def to_dict(self) -> dict[str, Any]:
        """Return the point, or points, as built-in types."""
        return {name: np.asarray(value).tolist() for name, value in asdict(self).items()}

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame({k: np.atleast_1d(v) for k, v in self.to_dict().items()})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrecisionRecallCurve:
    """An empirical precision-recall curve, a point for every distinct score.

    Attributes
    ----------
    classifier : name of the marker
    fp, tp : counts of negatives and positives called positive, from the highest score down
    threshold : a subject is called positive at or beyond it
    higher_is_positive : whether "beyond" means above or below
    """

    classifier: str
    fp: Ints
    tp: Ints
    threshold: Floats
    higher_is_positive: bool

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
        2006, doi:10.1145/1143844.1143874); the integral is exact. R equivalent:
        ``PRROC::pr.curve``'s ``auc.integral``.
        """
        tp, fp = np.append(0, self.tp[:-1]), np.append(0, self.fp[:-1])
        rise, run = self.tp - tp, self.fp - fp
        moves = rise > 0
        tp, fp, rise, run = tp[moves], fp[moves], rise[moves], run[moves]
        slope = 1.0 + run / rise
        offset = fp - (slope - 1.0) * tp
        called = np.where(tp + fp > 0, tp + fp, 1)  # no one is called at first; the offset is 0
        area = rise / slope - offset / slope**2 * np.log1p(slope * rise / called)
        return float(area.sum() / self.n_pos)

    def at(
        self, *, recall: ArrayLike | None = None, threshold: ArrayLike | None = None
    ) -> PrecisionRecallPoint:
        """Return the point that first reaches a recall, or the point at a threshold.

        The recall given back is the one reached. Beyond every score no one is called positive,
        and the precision is nan.
        """
        if (recall is None) == (threshold is None):
            raise InvalidOptionError("Give one of recall and threshold: where on the curve?")
        if recall is not None:
            wanted = to_numbers(recall, "recall")
            if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
                raise InvalidOptionError(f"recall must lie within [0, 1], got {recall!r}.")
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

    def to_dict(self) -> dict[str, Any]:
        """Return the points as lists of built-in numbers."""
        return {
            "classifier": self.classifier,
            "threshold": self.threshold.tolist(),
            "recall": self.recall.tolist(),
            "precision": self.precision.tolist(),
            "fp": self.fp.tolist(),
            "tp": self.tp.tolist(),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a pandas data frame."""
        import pandas as pd

        columns = {"threshold": self.threshold, "recall": self.recall, "precision": self.precision}
        return pd.DataFrame(columns | {"fp": self.fp, "tp": self.tp})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curve and the line of the prevalence with matplotlib, and return the axes."""
        from rocstats.plots.curve_plots import draw_precision_recall

        label = f"{self.classifier} (AP {self.average_precision():.3f})"
        return draw_precision_recall(self.recall, self.precision, self.prevalence, label, ax)

    def __repr__(self) -> str:
        return (
            f"Precision-recall curve of {self.classifier}: AP {self.average_precision():.4f}, "
            f"{self.tp.size} points, {self.n_pos} positives, {self.n_neg} negatives"
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
    """Return the precision-recall curve of one marker; arguments as in `rocstats.auc`.

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
    )
