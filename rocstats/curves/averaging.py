"""Averages of ROC curves over folds or test sets (Fawcett 2006, section 8)."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.fold_curves import as_curves
from rocstats.curves.path import CurvePoint, point_at, read_only, to_numbers, trapezoid
from rocstats.curves.roc import RocCurve
from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import (
    InvalidOptionError,
    SmallSampleWarning,
    check_confidence_level,
    check_option,
    keyword,
    listed,
    named,
    warn_user,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["AverageCurve", "average_curves"]

_LEGEND = 36  # characters of a legend that leave room for the curve

_COLUMNS = (
    *("fpr", "tpr", "tpr_left", "threshold", "fpr_std_error", "tpr_std_error"),
    *("fpr_low", "fpr_high", "tpr_low", "tpr_high"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AverageCurve:
    """The mean of several ROC curves, point by point.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    method : str
        "vertical" (mean tpr at a fixed fpr) or "threshold" (mean of both at a threshold).
    n_curves : int
        Number of curves averaged.
    fpr, tpr : array of shape (K,)
        The mean points; at a jump of a curve its highest tpr counts.
    tpr_left : array of shape (K,)
        Mean tpr on arrival at the fpr, before any jump there; equal to `tpr` elsewhere.
    threshold : array of shape (K,)
        Thresholds of the points; nan for vertical averages, which have none.
    fpr_std_dev, tpr_std_dev : array of shape (K,)
        Standard deviation over the curves; nan for one curve.
    confidence_level : float
        Level of the intervals.

    See Also
    --------
    average_curves : Average ROC curves of several folds or test sets.

    Notes
    -----
    The intervals are mean +- t SD / sqrt(n) with n - 1 degrees of freedom, point by point: no band
    for the whole curve. They take the curves as independent. Curves of different test sets of one
    fitted model are; folds of a cross-validation share training subjects and are not, and no
    unbiased estimate of that variance exists (Bengio & Grandvalet 2004): the limits are then too
    close. Where the curves all agree, the limits are nan.
    """

    classifier: str
    method: str
    n_curves: int
    fpr: Floats
    tpr: Floats
    tpr_left: Floats
    threshold: Floats
    fpr_std_dev: Floats
    tpr_std_dev: Floats
    confidence_level: float

    @property
    def fpr_std_error(self) -> Floats:
        """Standard error of the mean fpr: 0 where it is fixed."""
        return self.fpr_std_dev / math.sqrt(self.n_curves)

    @property
    def tpr_std_error(self) -> Floats:
        """Standard error of the mean tpr."""
        return self.tpr_std_dev / math.sqrt(self.n_curves)

    @property
    def fpr_low(self) -> Floats:
        """Lower limits of the mean fpr."""
        return self.fpr - self._reach(self.fpr_std_error)

    @property
    def fpr_high(self) -> Floats:
        """Upper limits of the mean fpr."""
        return self.fpr + self._reach(self.fpr_std_error)

    @property
    def tpr_low(self) -> Floats:
        """Lower limits of the mean tpr."""
        return self.tpr - self._reach(self.tpr_std_error)

    @property
    def tpr_high(self) -> Floats:
        """Upper limits of the mean tpr."""
        return self.tpr + self._reach(self.tpr_std_error)

    def path(self) -> tuple[Floats, Floats]:
        """Return the vertices of the average curve, jumps included, from (0, 0) to (1, 1)."""
        fpr = np.concatenate([[0.0], np.repeat(self.fpr, 2), [1.0]])
        both = np.stack([self.tpr_left, self.tpr], axis=1).ravel()
        tpr = np.concatenate([[0.0], both, [1.0]])
        moved = (fpr[1:] != fpr[:-1]) | (tpr[1:] != tpr[:-1])
        kept = np.append(True, moved)
        return fpr[kept], tpr[kept]

    def area(self) -> float:
        """Return the area under the average curve.

        With all points of all curves, that of a vertical average is the mean of their areas.
        """
        return trapezoid(*self.path())

    def at(self, *, fpr: ArrayLike | None = None, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point of the average curve at a rate, linear between its points.

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
        return point_at(*self.path(), at_fpr=fpr, at_tpr=tpr)

    def to_dict(self) -> dict[str, Any]:
        """Return the points as lists of built-in numbers."""
        head = {"classifier": self.classifier, "method": self.method, "n_curves": self.n_curves}
        columns = {name: getattr(self, name).tolist() for name in _COLUMNS}
        return head | columns | {"conf_level": self.confidence_level}

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame({name: getattr(self, name) for name in _COLUMNS})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average curve with its intervals and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.average_plot import draw_average

        label = f"{self.classifier} (mean of {self.n_curves}, area {self.area():.3f})"
        return draw_average(
            *self.path(),
            textwrap.fill(label, _LEGEND),
            ax,
            fpr=(self.fpr, self.fpr_low, self.fpr_high),
            tpr=(self.tpr, self.tpr_low, self.tpr_high),
        )

    def __repr__(self) -> str:
        return (
            f"{self.method.capitalize()} average of {self.n_curves} ROC curves of "
            f"{self.classifier}: area {self.area():.4f}, {self.fpr.size} points; "
            f"{self.confidence_level:.0%} t intervals, too narrow where the curves are folds"
        )

    def _reach(self, std_error: Floats) -> Floats:

        # Without spread, or with one curve, there is no honest interval.
        known = np.where(std_error > 0.0, std_error, math.nan)
        if self.n_curves < 2:
            return known
        reach: Floats = float(stdtrit(self.n_curves - 1, (1 + self.confidence_level) / 2)) * known
        return reach


@dataclass(slots=True)
class _Moments:
    """Running mean and sum of squared deviations of arrays (Welford)."""

    n: int = 0
    mean: Any = 0.0
    squares: Any = 0.0

    def add(self, values: Floats) -> None:
        self.n += 1
        step = values - self.mean
        self.mean = self.mean + step / self.n
        self.squares = self.squares + step * (values - self.mean)

    def std_dev(self) -> Floats:
        if self.n < 2:
            return np.full_like(self.mean, math.nan)
        result: Floats = np.sqrt(self.squares / (self.n - 1))
        return result


def point_above(curve: RocCurve, fpr: Floats) -> tuple[Floats, Floats, Floats]:
    """Return fpr, and the highest and the lowest tpr of a curve there."""
    rates = curve.fpr
    high = point_at(rates, curve.tpr, at_fpr=fpr, at_tpr=None).tpr
    first = np.searchsorted(rates, fpr)
    return fpr, high, np.where(rates[first] == fpr, curve.tpr[first], high)


def point_at_threshold(curve: RocCurve, threshold: Floats) -> tuple[Floats, Floats, Floats]:
    """Return fpr, tpr and tpr again of a curve at thresholds."""
    point = curve.at(threshold=threshold)
    return point.fpr, point.tpr, point.tpr


def average_curves(
    curves: Any,
    *,
    method: Literal["vertical", "threshold"] = "vertical",
    at: ArrayLike | int | None = None,
    folds: Any = None,
    marker: str | None = None,
    confidence_level: float = 0.95,
) -> AverageCurve:
    """Average ROC curves of several folds or test sets.

    Parameters
    ----------
    curves : sequence of RocCurve or ScoredSample, or ScoredSample
        One for each fold; or one sample, with `folds`.
    method : {"vertical", "threshold"}, default "vertical"
        "vertical" averages tpr at fixed fpr; "threshold" averages fpr and tpr at fixed thresholds,
        which needs scores on a common scale.
    at : int or array-like, optional
        Where: None takes every fpr (threshold) there is; a number takes so many, evenly spaced
        (thresholds by rank); or the values themselves.
    folds : array-like of shape (N,), optional
        The fold of each subject of the one sample.
    marker : str, optional
        Which marker of samples that have several.
    confidence_level : float, default 0.95
        Level of the intervals.

    Returns
    -------
    AverageCurve
        The mean points, with their standard deviations and intervals.

    See Also
    --------
    roc_curve : The empirical ROC curve.
    pooled_curve : Merge several test sets into one curve.

    Notes
    -----
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010, Algorithms 3 and 4, with a t interval over the
    curves in place of his binomial one. A vertical average takes the highest tpr where a curve
    jumps and interpolates elsewhere; with ``at=None`` the average of one curve is that curve. A
    threshold calls positive who scores at or beyond it. Algorithm 4 as printed takes the next score
    at or below the threshold instead, calls the subjects there positive too, and runs past the end
    of a curve at thresholds below its lowest score; where a threshold is a score of every curve the
    two agree. See `AverageCurve` for what the intervals do not cover.

    R equivalent: ROCR's ``plot(perf, avg = "vertical")`` and ``avg = "threshold"``.

    Examples
    --------
    >>> import rocstats as rs
    >>> folds = [
    ...     rs.roc_curve([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]),
    ...     rs.roc_curve([1, 1, 0, 0], [0.8, 0.7, 0.3, 0.2]),
    ... ]
    >>> mean = rs.average_curves(folds, at=3)
    >>> mean.fpr.tolist(), mean.tpr.tolist()
    ([0.0, 0.5, 1.0], [0.75, 1.0, 1.0])
    """
    check_option("method", method, ("vertical", "threshold"))
    level = check_confidence_level(confidence_level)
    members = as_curves(curves, folds, marker)
    sample_at, where = _METHODS[method]
    grid = where(members, at)
    fpr, tpr, left = _Moments(), _Moments(), _Moments()
    for curve in members:
        for moments, values in zip((fpr, tpr, left), sample_at(curve, grid), strict=True):
            moments.add(values)
    if len(members) == 1:
        warn_user("One curve has no spread, so its intervals are nan.", SmallSampleWarning)
    names = list(dict.fromkeys(curve.classifier for curve in members))
    return AverageCurve(
        classifier=listed(names),
        method=method,
        n_curves=len(members),
        fpr=read_only(fpr.mean),
        tpr=read_only(tpr.mean),
        tpr_left=read_only(left.mean),
        threshold=read_only(grid if method == "threshold" else np.full_like(grid, math.nan)),
        fpr_std_dev=read_only(fpr.std_dev()),
        tpr_std_dev=read_only(tpr.std_dev()),
        confidence_level=level,
    )


def _rates(curves: Sequence[RocCurve], at: ArrayLike | int | None) -> Floats:
    """Return where to average vertically, in increasing order."""
    if at is None:
        return np.unique(np.concatenate([curve.fpr for curve in curves]))
    points = _number_of_points(at)
    if points is not None:
        return np.arange(points) / (points - 1)
    rates = np.unique(to_numbers(at, "at"))
    if rates.size == 0 or rates[0] < 0.0 or rates[-1] > 1.0:
        raise InvalidOptionError(
            f"{named('at')} must be false positive rates within [0, 1], got {at!r}."
        )
    return rates


def _thresholds(curves: Sequence[RocCurve], at: ArrayLike | int | None) -> Floats:
    """Return where to average by threshold, from the one that calls the fewest positive."""
    if len({curve.higher_is_positive for curve in curves}) > 1:
        raise InvalidOptionError(
            "High scores are positive in some curves and low scores in others, so no threshold "
            f"is common to them; average vertically with {keyword('method', 'vertical')}."
        )
    sign = -1.0 if curves[0].higher_is_positive else 1.0
    points = None if at is None else _number_of_points(at)
    if at is not None and points is None:
        chosen = np.unique(sign * to_numbers(at, "at"))
        if chosen.size == 0:
            raise InvalidOptionError(f"{named('at')} is empty; give at least one threshold.")
        return sign * chosen
    every = np.sort(np.concatenate([sign * curve.threshold[1:] for curve in curves]))
    if points is not None:  # Algorithm 4: by rank among all scores; the first calls no one
        every = every[np.linspace(0, every.size - 1, points - 1).astype(np.intp)]
    return sign * np.append(-math.inf, np.unique(every))


def _number_of_points(at: ArrayLike | int) -> int | None:
    if isinstance(at, bool) or not isinstance(at, (int, np.integer)):
        return None
    if at < 2:
        raise InvalidOptionError(
            f"{named('at')} must be at least 2 points, or the points, got {at!r}."
        )
    return int(at)


_Sampler = Callable[[RocCurve, Floats], tuple[Floats, Floats, Floats]]
_Grid = Callable[[Sequence[RocCurve], ArrayLike | int | None], Floats]
_METHODS: dict[str, tuple[_Sampler, _Grid]] = {
    "vertical": (point_above, _rates),
    "threshold": (point_at_threshold, _thresholds),
}
