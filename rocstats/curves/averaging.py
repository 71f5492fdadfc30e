"""Averages of ROC curves over folds, test sets or readers (Fawcett 2006, section 8)."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.binormal_likelihood import maximise, truth_state_runs
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.fold_curves import as_curves
from rocstats.curves.path import CurvePoint, point_at, read_only, to_numbers, trapezoid
from rocstats.curves.roc import RocCurve
from rocstats.data.sample import Account, ScoredSample, joint_account
from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    check_confidence_level,
    check_count,
    check_option,
    keyword,
    listed,
    named,
    warn_user,
)
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["AverageCurve", "average_curves"]

_MOST_POINTS = 1_000_000
_DEVIATES = np.linspace(-3.5, 3.5, 141)  # of the false positive rates of a binormal average
_LEGEND = 36  # characters of a legend that leave room for the curve

_COLUMNS = (
    *("fpr", "tpr", "tpr_left", "threshold", "fpr_std_error", "tpr_std_error"),
    *("fpr_low", "fpr_high", "tpr_low", "tpr_high"),
)
_IN_WORDS = {
    "t": "t intervals, too narrow where the curves are folds",
    "binomial": "binomial intervals, which leave out how the curves differ",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AverageCurve(DrawnCurve, Answer):
    """The mean of several ROC curves, point by point.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    method : str
        "vertical" (mean tpr at a fixed fpr), "threshold" (mean of both at a threshold) or
        "binormal" (mean of the normal deviates of tpr at a fixed fpr).
    n_curves : int
        Number of curves averaged.
    fpr, tpr : array of shape (K,)
        The mean points; at a jump of a curve its highest tpr counts.
    tpr_left : array of shape (K,)
        Mean tpr on arrival at the fpr, before any jump there; equal to `tpr` elsewhere.
    threshold : array of shape (K,)
        Thresholds of the points; nan for averages at a fixed fpr, which have none.
    fpr_std_dev, tpr_std_dev : array of shape (K,)
        Standard deviation over the curves; nan for one curve.
    confidence_level : float
        Level of the intervals.
    n_pos, n_neg : int
        Positives and negatives of all curves together.
    interval : str
        "t" (over the curves) or "binomial" (over the subjects).
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    average_curves : Average ROC curves of several folds or test sets.

    Notes
    -----
    The intervals are point by point: no band for the whole curve. Those called "t" are mean +-
    t SD / sqrt(n) with n - 1 degrees of freedom, cut at 0 and 1. They take the curves as
    independent. Curves of different test sets of one fitted model are; folds of a
    cross-validation share training subjects and are not, and no unbiased estimate of that
    variance exists (Bengio & Grandvalet 2004): the limits are then too close. Where the curves
    all agree, the limits are nan. Those called "binomial" are Wilson's limits of the mean rate
    as a share of all positives (negatives) of the curves: they tell how far the subjects that
    were tested bear it out, and nothing of how the curves differ.
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
    n_pos: int
    n_neg: int
    interval: str = "t"
    account: Account | None = None

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
        return self._limits("fpr")[0]

    @property
    def fpr_high(self) -> Floats:
        """Upper limits of the mean fpr."""
        return self._limits("fpr")[1]

    @property
    def tpr_low(self) -> Floats:
        """Lower limits of the mean tpr."""
        return self._limits("tpr")[0]

    @property
    def tpr_high(self) -> Floats:
        """Upper limits of the mean tpr."""
        return self._limits("tpr")[1]

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

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
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

    def statement(self) -> Statement:
        """Return the points, and how they were made."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        return Statement(
            head=f"{self.method.capitalize()} average of {self.n_curves} ROC curves of "
            f"{self.classifier}: area {self.area():.4f}, {self.fpr.size} points; "
            f"{self.confidence_level:.0%} {_IN_WORDS[self.interval]}",
            rows=columns,
            content={
                "classifier": self.classifier,
                "method": self.method,
                "n_curves": self.n_curves,
                **columns,
                "conf_level": self.confidence_level,
                "conf_method": self.interval,
            },
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.curve_plots import draw_average

        label = f"{self.classifier} (mean of {self.n_curves}, area {self.area():.3f})"
        return draw_average(
            *self.path(),
            textwrap.fill(label, _LEGEND),
            ax,
            fpr=(self.fpr, self.fpr_low, self.fpr_high),
            tpr=(self.tpr, self.tpr_low, self.tpr_high),
            line=line,
        )

    def _limits(self, axis: Literal["fpr", "tpr"]) -> tuple[Floats, Floats]:
        return _INTERVALS[self.interval](self, axis)


def _t_limits(mean: AverageCurve, axis: Literal["fpr", "tpr"]) -> tuple[Floats, Floats]:
    """Return t limits over the curves, cut at 0 and 1."""
    value: Floats = getattr(mean, axis)
    std_error: Floats = getattr(mean, f"{axis}_std_error")
    # Without spread, or with one curve, there is no honest interval.
    known = np.where(std_error > 0.0, std_error, math.nan)
    if mean.n_curves > 1:
        known = float(stdtrit(mean.n_curves - 1, (1 + mean.confidence_level) / 2)) * known
    return np.clip(value - known, 0.0, 1.0), np.clip(value + known, 0.0, 1.0)


def _binomial_limits(mean: AverageCurve, axis: Literal["fpr", "tpr"]) -> tuple[Floats, Floats]:
    """Return Wilson's limits of a share of all positives, or negatives, of the curves."""
    from scipy.special import ndtri

    value: Floats = getattr(mean, axis)
    if axis == "fpr" and mean.method != "threshold":  # fixed, not estimated
        return np.full_like(value, math.nan), np.full_like(value, math.nan)
    size = mean.n_pos if axis == "tpr" else mean.n_neg
    square = float(ndtri((1.0 + mean.confidence_level) / 2.0)) ** 2
    middle = (value + square / (2.0 * size)) / (1.0 + square / size)
    reach = np.sqrt(square * (value * (1.0 - value) / size + square / (4.0 * size * size)))
    reach = reach / (1.0 + square / size)
    return np.clip(middle - reach, 0.0, 1.0), np.clip(middle + reach, 0.0, 1.0)


_INTERVALS: dict[str, Callable[[AverageCurve, Literal["fpr", "tpr"]], tuple[Floats, Floats]]] = {
    "t": _t_limits,
    "binomial": _binomial_limits,
}


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


def deviates_above(curve: RocCurve, fpr: Floats) -> tuple[Floats, Floats, Floats]:
    """Return fpr, and the normal deviate of the tpr of the binormal curve there, twice."""
    from scipy.special import ndtri

    neg, pos = (np.diff(count)[::-1].astype(np.float64) for count in (curve.fp, curve.tp))
    found = maximise(*truth_state_runs(neg, pos))
    if found is None:
        raise InvalidSampleError(
            f"There is no binormal curve of maximum likelihood of {curve.classifier}; average "
            f"with {keyword('method', 'vertical')}."
        )
    deviate = found[0].a + found[0].b * ndtri(fpr)
    return fpr, deviate, deviate


def average_curves(
    curves: Any,
    method: Literal["vertical", "threshold", "binormal"] = "vertical",
    *,
    at: ArrayLike | int | None = None,
    folds: Any = None,
    marker: str | None = None,
    confidence_level: float = 0.95,
    interval: Literal["t", "binomial"] = "t",
) -> AverageCurve:
    """Average ROC curves of several folds, test sets or readers.

    Parameters
    ----------
    curves : sequence of RocCurve or ScoredSample, or ScoredSample
        One for each fold or reader; or one sample, with `folds`.
    method : {"vertical", "threshold", "binormal"}, default "vertical"
        "vertical" averages tpr at fixed fpr; "threshold" averages fpr and tpr at fixed thresholds,
        which needs scores on a common scale; "binormal" averages the parameters a and b of the
        binormal curves of maximum likelihood, as reader studies draw it.
    at : int or array-like, optional
        Where: None takes every fpr (threshold) there is; a number takes so many, evenly spaced
        (thresholds by rank); or the values themselves.
    folds : array-like of shape (N,) or str, optional
        The fold of each subject of the one sample; or the name of a covariate of it.
    marker : str, optional
        Which marker of samples that have several.
    confidence_level : float, default 0.95
        Level of the intervals.
    interval : {"t", "binomial"}, default "t"
        "t" is by the spread of the curves; "binomial" takes a mean rate as a share of all
        positives, or negatives, of the curves, as Fawcett does.

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
    curves unless his binomial one is asked for (he does not say which: it is Wilson's here, over
    all subjects of the curves). A vertical average takes the highest tpr where a curve
    jumps and interpolates elsewhere; with ``at=None`` the average of one curve is that curve. A
    threshold calls positive who scores at or beyond it. Algorithm 4 as printed takes the next score
    at or below the threshold instead, calls the subjects there positive too, and runs past the end
    of a curve at thresholds below its lowest score; where a threshold is a score of every curve the
    two agree. See `AverageCurve` for what the intervals do not cover. The binormal average is the
    mean of the normal deviates of tpr, so that its curve has the mean a and the mean b.

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
    members = as_curves(curves, folds, marker)
    check_option("method", method, _METHODS)
    check_option("interval", interval, _INTERVALS)
    level = check_confidence_level(confidence_level)
    sample_at, where = _METHODS[method]
    grid = where(members, at)
    fpr, tpr, left = _Moments(), _Moments(), _Moments()
    for curve in members:
        for moments, values in zip((fpr, tpr, left), sample_at(curve, grid), strict=True):
            moments.add(values)
    if method == "binormal":
        _from_deviates(tpr, left)
    if len(members) == 1 and interval == "t":
        warn_user("One curve has no spread, so its intervals are nan.", SmallSampleWarning)
    names = list(dict.fromkeys(curve.classifier for curve in members))
    # The parts of a sample do not know who was left out of it.
    whole = [curves] if isinstance(curves, ScoredSample) else members
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
        n_pos=sum(curve.n_pos for curve in members),
        n_neg=sum(curve.n_neg for curve in members),
        interval=interval,
        account=joint_account(member.account for member in whole),
    )


def _from_deviates(*moments: _Moments) -> None:
    """Bring mean and spread of normal deviates to rates, the spread by the delta method."""
    from scipy.special import ndtr

    for one in moments:
        slope = np.exp(-0.5 * one.mean**2) / math.sqrt(2.0 * math.pi)
        one.mean, one.squares = ndtr(one.mean), one.squares * slope**2


def _rates_inside(curves: Sequence[RocCurve], at: ArrayLike | int | None) -> Floats:
    """Return where to average deviates: between 0 and 1, where they are finite."""
    from scipy.special import ndtr

    if at is None:
        return np.asarray(ndtr(_DEVIATES), dtype=np.float64)
    rates = _rates(curves, at)
    return rates[(rates > 0.0) & (rates < 1.0)] if _number_of_points(at) else _inside(rates, at)


def _inside(rates: Floats, at: Any) -> Floats:
    if rates[0] <= 0.0 or rates[-1] >= 1.0:
        raise InvalidOptionError(
            f"{named('at')} must be false positive rates strictly between 0 and 1 for a binormal "
            f"average, got {at!r}."
        )
    return rates


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
    return check_count("at", at, most=_MOST_POINTS)


_Sampler = Callable[[RocCurve, Floats], tuple[Floats, Floats, Floats]]
_Grid = Callable[[Sequence[RocCurve], ArrayLike | int | None], Floats]
_METHODS: dict[str, tuple[_Sampler, _Grid]] = {
    "vertical": (point_above, _rates),
    "threshold": (point_at_threshold, _thresholds),
    "binormal": (deviates_above, _rates_inside),
}
