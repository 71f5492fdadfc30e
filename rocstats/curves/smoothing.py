"""The kernel-smoothed ROC curve: each score is a small normal distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import CurvePoint, point_at, read_only, trapezoid
from rocstats.data.blocks import slabs
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    ScoreRangeError,
    as_number,
    check_option,
    keyword,
    named,
)
from rocstats.tables import Answer, Statement, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["KernelCurve", "kernel_curve"]

Rule = Literal["nrd0", "nrd0-pooled"]

_LARGEST = 1e307  # scores may be moved apart and by bandwidths, and stay doubles
_STEP = 1.0 / 256.0  # most that fpr and tpr together change from vertex to vertex
_REACH = 9.0  # bandwidths beyond the last score where a normal tail is nothing
_SEEDS = 33  # order statistics of each class that the search for vertices begins with
_ROUNDS = 200  # a gap is halved until its rates are close, and doubles do not halve more often
_FEW = 4096  # scores of a class; more are gathered into cells of a hundredth bandwidth
_CELLS = 100.0
_BATCH = 2**20  # normal probabilities worked on at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class KernelCurve(DrawnCurve, Answer):
    """A kernel-smoothed ROC curve.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    fpr, tpr : array
        Vertices on the smooth curve, from (0, 0) to (1, 1), close enough for straight lines.
    threshold : array
        The threshold of each vertex; the first calls no one and the last everyone.
    bandwidth : (float, float)
        Standard deviations of the kernels of positives and of negatives.
    n_pos, n_neg : int
        Class sizes.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    kernel_curve : A kernel-smoothed ROC curve.
    """

    classifier: str
    fpr: Floats
    tpr: Floats
    threshold: Floats
    bandwidth: tuple[float, float]
    n_pos: int
    n_neg: int
    account: Account | None = None

    def area(self) -> float:
        """Return the area under the curve, within 1e-5 of its closed form."""
        return trapezoid(self.fpr, self.tpr)

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point at a rate, linear between vertices.

        Parameters
        ----------
        fpr : float or array-like, optional
            False positive rates, where no true positive rates are given.
        tpr : float or array-like, optional
            True positive rates instead.

        Returns
        -------
        CurvePoint
            The point, or points: floats where one was asked for.
        """
        return point_at(self.fpr, self.tpr, at_fpr=fpr, at_tpr=tpr)

    def statement(self) -> Statement:
        """Return the vertices, the area and the bandwidths."""
        columns = {"threshold": self.threshold, "fpr": self.fpr, "tpr": self.tpr}
        return Statement(
            head=f"Kernel-smoothed ROC curve of {self.classifier}: AUC {self.area():.4f}, "
            f"bandwidths {self.bandwidth[0]:.4g} (positives) and {self.bandwidth[1]:.4g} "
            f"(negatives), {counted(self.n_pos, 'positive')}, {counted(self.n_neg, 'negative')}",
            rows=columns,
            content={"classifier": self.classifier, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.plane import draw_plane

        label = f"{self.classifier}, kernel (AUC {self.area():.3f})"
        return draw_plane(self.fpr, self.tpr, label, ax, line=line)


@dataclass(frozen=True, slots=True, eq=False)
class _Mixture:
    """Equal normal distributions around weighted centres."""

    centre: Floats
    weight: Floats
    bandwidth: float

    @classmethod
    def of(cls, scores: Floats, bandwidth: float) -> _Mixture:
        """Return that of sorted scores; many scores are represented by the means of cells.

        Scores move by less than h / 100 and the mean of a cell stays, so no rate changes by more
        than max|Phi''| / 8 / 100**2, or 3e-6.
        """
        if scores.size <= _FEW:
            return cls(scores, np.full(scores.size, 1.0 / scores.size), bandwidth)
        cell = np.floor((scores - scores[0]) * (_CELLS / bandwidth))
        first = np.append(0, np.flatnonzero(cell[1:] != cell[:-1]) + 1)
        size = np.diff(np.append(first, scores.size))
        return cls(np.add.reduceat(scores, first) / size, size / scores.size, bandwidth)

    def beyond(self, threshold: Floats) -> Floats:
        """Return the probability above each threshold."""
        from scipy.special import ndtr

        found = np.empty(threshold.size)
        for part in slabs(threshold.size, max(1, _BATCH // self.centre.size)):
            with np.errstate(over="ignore"):  # so many bandwidths away that all, or none, is beyond
                deviate = (self.centre - threshold[part, np.newaxis]) / self.bandwidth
            found[part] = np.einsum("ti,i->t", ndtr(deviate), self.weight)
        return np.minimum(found, 1.0)


def trace(pos: _Mixture, neg: _Mixture) -> tuple[Floats, Floats, Floats]:
    """Return falling thresholds with their fpr and tpr, so many that no step is long."""
    threshold = np.unique(np.concatenate([_seeds(pos), _seeds(neg)]))[::-1]
    fpr, tpr = neg.beyond(threshold), pos.beyond(threshold)
    for _ in range(_ROUNDS):
        long = np.abs(np.diff(fpr)) + np.abs(np.diff(tpr)) > _STEP
        here = np.flatnonzero(long)
        middle = 0.5 * threshold[here] + 0.5 * threshold[here + 1]
        new = (middle < threshold[here]) & (middle > threshold[here + 1])
        here, middle = here[new] + 1, middle[new]
        if here.size == 0:
            break
        threshold = np.insert(threshold, here, middle)
        fpr = np.insert(fpr, here, neg.beyond(middle))
        tpr = np.insert(tpr, here, pos.beyond(middle))
    return threshold, fpr, tpr


def _seeds(mixture: _Mixture) -> Floats:
    size = mixture.centre.size
    chosen = mixture.centre[np.linspace(0, size - 1, min(size, _SEEDS)).astype(np.intp)]
    reach = _REACH * mixture.bandwidth
    return np.concatenate([[chosen[0] - reach], chosen, [chosen[-1] + reach]])


def nrd0(scores: Floats) -> float:
    """Return Silverman's rule of thumb, as R's ``bw.nrd0`` has it; 0 without spread."""
    if scores.size < 2:
        return 0.0
    unit = math.frexp(float(np.abs(scores).max()))[1]  # a power of two: squares stay doubles
    scores = np.ldexp(scores, -unit)
    low, high = np.quantile(scores, [0.25, 0.75]).tolist()
    spread = float(scores.std(ddof=1))
    width = 0.9 * (min(spread, (high - low) / 1.34) or spread) * float(scores.size**-0.2)
    return math.ldexp(width, unit)


def kernel_curve(
    y_true: Any,
    y_score: Any = None,
    bandwidth: Rule | float | tuple[float, float] = "nrd0",
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> KernelCurve:
    """Return the ROC curve of Gaussian kernel estimates of both score distributions.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    bandwidth : {"nrd0", "nrd0-pooled"}, float or (float, float), default "nrd0"
        "nrd0" is Silverman's rule for each class, as Zou, Hall & Shapiro take it; "nrd0-pooled" is
        the same rule for all scores together, as pROC takes it; a number is the kernels' standard
        deviation in score units, and two are those of positives and negatives.
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
    KernelCurve
        The curve, as vertices close enough for straight lines.

    See Also
    --------
    binormal_fit : Fit a binormal ROC curve.
    roc_curve : The empirical ROC curve.
    smroc_curve : The smooth ROC curve, whose area is the smAUC.

    Notes
    -----
    ``TPR(t) = mean Phi((y_i - t) / h_pos)`` and ``FPR(t) = mean Phi((x_j - t) / h_neg)`` (Zou, Hall
    & Shapiro 1997, Statistics in Medicine 16:2143-2156). The area is the integral of the curve; its
    closed form, ``mean Phi((y_i - x_j) / sqrt(h_pos**2 + h_neg**2))`` over all pairs, agrees to
    1e-5. Smoothing draws the classes together: the area is a little below the AUC. R equivalent:
    ``pROC::smooth(method = "density")`` with ``bandwidth="nrd0-pooled"``, which sums densities over
    a grid of 512 points and so agrees to about three decimals. Not to be confused with the smooth
    ROC curve and smAUC of `rocstats.smroc_curve`, where scores are memberships.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.kernel_curve([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0], bandwidth=0.1)
    >>> round(curve.area(), 4), round(curve.at(fpr=0.2).tpr, 4)
    (0.954, 0.9298)
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    row = sample.marker(marker)
    scores = sample.oriented(row)
    if not np.isfinite(scores).all():
        raise ScoreRangeError("Kernel smoothing needs finite scores; infinite ones have no place.")
    if (largest := float(np.abs(scores).max())) > _LARGEST:
        raise ScoreRangeError(
            f"Kernel smoothing subtracts scores, and scores of {largest:g} are too large for that; "
            "divide them by a constant first."
        )
    pos, neg = np.sort(scores[sample.positive]), np.sort(scores[~sample.positive])
    widths = _bandwidths(bandwidth, pos, neg)
    threshold, fpr, tpr = trace(_Mixture.of(pos, widths[0]), _Mixture.of(neg, widths[1]))
    threshold = np.concatenate([[math.inf], threshold, [-math.inf]])
    return KernelCurve(
        classifier=sample.markers[row],
        fpr=read_only(np.concatenate([[0.0], np.maximum.accumulate(fpr), [1.0]])),
        tpr=read_only(np.concatenate([[0.0], np.maximum.accumulate(tpr), [1.0]])),
        threshold=read_only(0.0 - threshold if sample.is_flipped(row) else threshold),
        bandwidth=widths,
        n_pos=pos.size,
        n_neg=neg.size,
        account=sample.account,
    )


def _bandwidths(bandwidth: Any, pos: Floats, neg: Floats) -> tuple[float, float]:
    if isinstance(bandwidth, str):
        check_option("bandwidth", bandwidth, ("nrd0", "nrd0-pooled"))
        if bandwidth == "nrd0":
            found = nrd0(pos), nrd0(neg)
        else:
            found = (nrd0(np.concatenate([pos, neg])),) * 2
        if not min(found) > 0.0:
            raise InvalidSampleError(
                f"The {bandwidth} bandwidth needs scores that differ, in each class; "
                f"give {keyword('bandwidth')} a number."
            )
        return found
    given = bandwidth if isinstance(bandwidth, (tuple, list)) else (bandwidth, bandwidth)
    widths = [as_number(value) for value in given]
    if len(widths) != 2 or not all(0.0 < h < math.inf for h in widths):
        raise InvalidOptionError(
            f'{named("bandwidth")} must be "nrd0", "nrd0-pooled", a positive number or two of '
            f"them, got {bandwidth!r}."
        )
    return widths[0], widths[1]
