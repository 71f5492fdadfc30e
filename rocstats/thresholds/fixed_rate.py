"""A rate at a fixed rate: sensitivity at a given specificity, or specificity at a sensitivity.

The threshold is not given but estimated, so that both classes add to the uncertainty. One quantity
is the other with the classes exchanged and the scores turned round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.curves.path import read_only
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import Account, NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    check_confidence_level,
    check_option,
    keyword,
    named,
    warn_user,
)
from rocstats.estimates.results import ConfidenceInterval
from rocstats.resampling.bootstrap_limits import percentile
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import as_seed, check_kind, run_chunks
from rocstats.tables import AnswerAtLevel, Row, Rows, SingleValue, Statement, counted
from rocstats.thresholds.coarse_redraws import CoarseRedraws, is_vast
from rocstats.thresholds.fixed_rate_counts import facing, heights, neighbours, order_limits
from rocstats.thresholds.points import if_low
from rocstats.thresholds.proportions import as_fractions
from rocstats.thresholds.redraws import Redraws, lay_out_vertices

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FixedRate", "sensitivity_at", "specificity_at"]

Method = Literal["order", "percentile"]
_Task = Callable[[int, np.random.Generator], Floats]
METHODS = ("order", "percentile")
_SHOWN = ("at", "estimate", "reading", "conf_low", "conf_high", "conf_method", "recommended")
_POINTS = ("at", "threshold", "sensitivity", "specificity", "meets")
_DEFAULT = Bootstrap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FixedRate(Rows["FixedRate"], SingleValue, AnswerAtLevel):
    """One rate where the other is fixed, the threshold being estimated.

    Attributes
    ----------
    quantity : str
        "sensitivity at fixed specificity", or the reverse.
    classifier : str
        Name of the marker.
    at : array of shape (k,)
        The fixed rates.
    value : array of shape (k,)
        The estimates, on the empirical ROC curve, linear between its vertices: between them no
        threshold has this rate, see `interpolated`.
    replicates : array of shape (B, k)
        Their values in the resamples.
    curve : RocCurve
        The ROC curve.
    independent : bool
        Whether subjects are independent; where they are clustered whole clusters were drawn.
    rates : tuple of Fraction
        The fixed rates as exact numbers.

    See Also
    --------
    sensitivity_at : Estimate the sensitivity at a fixed specificity.
    specificity_at : Estimate the specificity at a fixed sensitivity.
    """

    quantity: str
    classifier: str
    at: Floats
    value: Floats
    replicates: Floats
    curve: RocCurve
    independent: bool
    rates: tuple[Fraction, ...]
    _one: ClassVar = "fixed rate"

    def _names(self) -> list[tuple[float]]:
        return [(at,) for at in self.at.tolist()]

    def _row(self, i: int) -> FixedRate:
        return self._part([i])

    def _part(self, where: Sequence[int]) -> FixedRate:
        rows = list(where)
        return replace(
            self,
            at=read_only(self.at[rows]),
            value=read_only(self.value[rows]),
            replicates=read_only(self.replicates[:, rows]),
            rates=tuple(self.rates[i] for i in rows),
        )

    def __float__(self) -> float:
        self._check_one("value")
        return float(self.value[0])

    def _check_one(self, what: str) -> None:
        if len(self.at) != 1:
            rates = ", ".join(f"{at:g}" for at in self.at.tolist())
            raise InvalidOptionError(
                f"There are {len(self.at)} fixed rates ({rates}), so there is no one {what}; take "
                "them one by one, as in [rate.confidence_interval() for rate in result]."
            )

    @property
    def interpolated(self) -> tuple[bool, ...]:
        """Whether each value lies between two thresholds, so that neither of them has it."""
        return tuple(between for *_, between in self._places())

    def attainable(self) -> list[Row]:
        """Return the thresholds that can be used at each fixed rate, as tidy rows.

        First the one that has at least the fixed rate and the highest other rate; then, where no
        threshold has the very rate, the next one, which falls short of it.

        Returns
        -------
        list of dict
            At which fixed rate, the threshold, sensitivity and specificity there, and whether it
            meets the fixed rate. An infinite threshold calls no one positive.
        """
        curve = self.curve
        return [
            {
                "classifier": self.classifier,
                "at": at,
                "threshold": float(curve.threshold[place]),
                "sensitivity": float(curve.tp[place] / curve.n_pos),
                "specificity": float(1.0 - curve.fp[place] / curve.n_neg),
                "meets": place == first,
            }
            for at, (first, second, _) in zip(self.at.tolist(), self._places(), strict=True)
            for place in (first, *([] if second is None else [second]))
        ]

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: Method | None = None
    ) -> ConfidenceInterval:
        """Return the interval at the only fixed rate; of several, ask rate by rate.

        ``"order"`` is analytic, ``"percentile"`` takes quantiles of the replicates; None takes the
        first of them that the sample allows. See `rocstats.sensitivity_at`.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"order", "percentile"}, optional
            How the limits are found.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        limits, *_ = self._intervals(confidence_level, method or self._methods[0])
        self._check_one("interval")
        if math.isnan(limits.low):
            warn_user(
                f"The {self.quantity} {self.at[0]:g} is the same in every resample, so there is no "
                "percentile interval.",
                DegenerateVarianceWarning,
            )
        return limits

    @property
    def account(self) -> Account | None:
        """Which class is positive, and who was left out."""
        return self.curve.account

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return a row for each fixed rate and method."""
        by_method = [self._intervals(confidence_level, method) for method in self._methods]
        rows = [
            {
                "classifier": self.classifier,
                "quantity": self.quantity,
                "at": at,
                "estimate": value,
                "reading": "interpolated" if between else "attained",
                "conf_low": limits.low,
                "conf_high": limits.high,
                "conf_level": limits.confidence_level,
                "conf_method": limits.method,
                "recommended": limits.method == self._methods[0],
            }
            for at, value, between, *found in zip(
                self.at.tolist(), self.value.tolist(), self.interpolated, *by_method, strict=True
            )
            for limits in found
        ]
        points = self.attainable()
        return Statement(
            head=f"{self.classifier}: {counted(self.curve.n_pos, 'positive')}, "
            f"{counted(self.curve.n_neg, 'negative')}"
            f"{if_low(self.classifier, self.curve.higher_is_positive)}"
            f"; the threshold is estimated; {counted(len(self.replicates), 'resample')}",
            rows=rows,
            parts=[
                Statement(head="Thresholds that can be used", rows=points, shown=_POINTS),
                Statement(
                    head=f"{self.quantity.capitalize()}, on the ROC curve",
                    rows=rows,
                    shown=_SHOWN,
                    notes=self.advice(),
                ),
            ],
            content={"rows": rows, "attainable": points, "n_resamples": len(self.replicates)},
        )

    def advice(self) -> list[str]:
        """Return what to know of the values and which interval to take, in sentences.

        Returns
        -------
        list of str
            A sentence where a value is interpolated, and one where there are two intervals.
        """
        found = []
        if any(self.interpolated):
            found.append(
                "An interpolated value lies on the line between two thresholds that can be used: "
                "none has it, and where scores are few it says little."
            )
        if len(self._methods) > 1:
            found.append(
                "Take the interval by order statistics (order): it held its level in simulations, "
                "where the percentile interval of few negatives or positives was too narrow."
            )
        return found

    def plot(self, ax: Axes | None = None, *, confidence_level: float = 0.95) -> Axes:
        """Draw the ROC curve with an interval at every fixed rate.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.threshold_plot import draw_fixed_rate

        intervals = self._intervals(confidence_level, self._methods[0])
        low, high = np.array([(limits.low, limits.high) for limits in intervals]).T
        curve, value = self.curve, self.value
        return draw_fixed_rate(
            curve.fpr,
            curve.tpr,
            f"{self.classifier} (AUC {curve.area():.3f})",
            (1.0 - self.at, value) if self._upright else (1.0 - value, self.at),
            (value - low, high - value) if self._upright else (high - value, value - low),
            ax,
            upright=self._upright,
        )

    @property
    def _methods(self) -> tuple[str, ...]:
        return METHODS if self.independent else METHODS[1:]

    def _intervals(self, confidence_level: float, method: str) -> tuple[ConfidenceInterval, ...]:
        level = check_confidence_level(confidence_level)
        check_option("method", method, METHODS)
        if method not in self._methods:
            raise InvalidOptionError(
                f"The {method} interval takes subjects as independent, and these are clustered; "
                'take "percentile".'
            )
        if method == "order":
            path = facing(self.curve.tp, self.curve.fp, upright=self._upright)
            limits = [order_limits(*path, 1 - rate, level) for rate in self.rates]
        else:
            limits = [_quantiles(column, (1.0 - level) / 2.0) for column in self.replicates.T]
        return tuple(
            ConfidenceInterval(low=low, high=high, confidence_level=level, method=method)
            for low, high in limits
        )

    def _places(self) -> list[tuple[int, int | None, bool]]:
        """Return, by fixed rate, two vertices of the curve and whether the value lies between."""
        path = facing(self.curve.tp, self.curve.fp, upright=self._upright)
        found = [neighbours(*path, 1 - rate) for rate in self.rates]
        if self._upright:
            return found
        last = self.curve.tp.size - 1
        return [(last - i, None if j is None else last - j, between) for i, j, between in found]

    @property
    def _upright(self) -> bool:
        return self.quantity.startswith("sensitivity")


def sensitivity_at(
    y_true: Any,
    y_score: Any = None,
    specificity: Any = None,
    *,
    resampling: Bootstrap = _DEFAULT,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> FixedRate:
    """Estimate the sensitivity at a fixed specificity.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    specificity : float or sequence of float
        One rate or several.
    resampling : Bootstrap, default Bootstrap()
        Number of resamples, randomness, workers.
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
    FixedRate
        The sensitivities, with intervals that know the threshold is estimated.

    See Also
    --------
    specificity_at : Estimate the specificity at a fixed sensitivity.
    operating_points : 2x2 tables at thresholds, with their measures.
    partial_auc : Estimate the area under a part of the curve.

    Notes
    -----
    The value is the height of the empirical ROC curve, linear between its vertices and the upper
    end of a vertical piece, as in pROC. Between vertices, where scores are tied most of all, no
    threshold has it: ``found.interpolated`` says so, and ``found.attainable()`` has the thresholds
    on either side, which can be used. It is not the sensitivity at the threshold that happened to
    have this specificity (`rocstats.operating_points`), whose interval takes the threshold as known
    and is too narrow here.

    Two intervals. ``"order"``: were the specificity of a threshold truly 1 - f, the number of
    negatives beyond it would be binomial (n, f). Its quantiles, interpolated to the level, say how
    far along the curve the true threshold may lie (order statistics, as in Greenhouse & Mantel
    1950); the heights there are joined with the Wilson limits of the sensitivity by square-and-add
    (Newcombe 1998). It needs no density, depends on the ranks alone, and is wide where n f is near
    1, where the data say little. ``"percentile"``: quantiles over resamples, drawn within classes,
    or of whole clusters. Take ``"order"``, the default: in docs/evidence/thresholds.md it covered
    .943 or more at the 95% level, ``"percentile"`` as little as .845. R equivalent:
    ``pROC::ci.se``.

    References
    ----------
    Greenhouse & Mantel (1950), Biometrics 6, 399-412; Platt, Hanley & Yang (2000), Statistics in
    Medicine 19, 313-322; Newcombe (1998), Statistics in Medicine 17, 873-890.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1]
    >>> found = rs.sensitivity_at(y, score, specificity=0.75, resampling=rs.Bootstrap(rng=1))
    >>> found.value.tolist()
    [0.75]
    >>> found.confidence_interval().method
    'order'
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    return _estimate(sample, marker, "specificity", specificity, resampling)


def specificity_at(
    y_true: Any,
    y_score: Any = None,
    sensitivity: Any = None,
    *,
    resampling: Bootstrap = _DEFAULT,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> FixedRate:
    """Estimate the specificity at a fixed sensitivity.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    sensitivity : float or sequence of float
        One rate or several.
    resampling : Bootstrap, default Bootstrap()
        Number of resamples, randomness, workers.
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
    FixedRate
        The specificities, with intervals that know the threshold is estimated.

    See Also
    --------
    sensitivity_at : Estimate the sensitivity at a fixed specificity.
    operating_points : 2x2 tables at thresholds, with their measures.

    Notes
    -----
    The mirror image of `sensitivity_at`, whose notes and references hold here too. R equivalent:
    ``pROC::ci.sp``.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1]
    >>> rs.specificity_at(y, score, sensitivity=0.75, resampling=rs.Bootstrap(rng=1)).value.tolist()
    [0.75]
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    return _estimate(sample, marker, "sensitivity", sensitivity, resampling)


def _estimate(
    sample: ScoredSample, marker: str | None, fixed: str, rates: Any, resampling: Bootstrap
) -> FixedRate:
    check_kind("resampling", resampling, Bootstrap)
    if rates is None:
        raise InvalidOptionError(f"{named(fixed)} is missing; write {keyword(fixed, 0.9)}, say.")
    exact = as_fractions(rates, fixed)
    if not exact:
        raise InvalidOptionError(f"{named(fixed)} is empty; give at least one rate.")
    upright = fixed == "specificity"
    curve = roc_curve(sample, marker=marker)
    path = facing(curve.tp, curve.fp, upright=upright)
    replicates = run_chunks(
        _coarse_task(curve, exact, upright=upright)
        if is_vast(sample, curve)
        else _task(lay_out_vertices(sample, sample.marker(marker)), exact, upright=upright),
        resampling.n_resamples,
        as_seed(resampling.rng),
        n_jobs=resampling.n_jobs,
        title="bootstrap",
    )
    lost = int(np.isnan(replicates).any(axis=1).sum())
    if lost:
        warn_user(
            f"{lost} of {len(replicates)} resamples lack a class and are left out.",
            DegenerateVarianceWarning,
        )
    quantity = "sensitivity at fixed specificity" if upright else "specificity at fixed sensitivity"
    return FixedRate(
        quantity=quantity,
        classifier=curve.classifier,
        at=read_only(np.array([float(rate) for rate in exact])),
        value=read_only(np.array([float(heights(*path, 1 - rate)[0]) for rate in exact])),
        replicates=read_only(replicates),
        curve=curve,
        independent=sample.cluster is None,
        rates=exact,
    )


def _quantiles(replicates: Floats, tail: float) -> tuple[float, float]:
    known = replicates[~np.isnan(replicates)]
    if known.size < 2 or known.min() == known.max():
        return math.nan, math.nan
    return percentile(known, tail)


def _task(redraws: Redraws, exact: Sequence[Fraction], *, upright: bool) -> _Task:
    """Return what finds the rates of so many resamples."""

    def task(size: int, rng: np.random.Generator) -> Floats:
        found = np.full((size, len(exact)), math.nan)
        for part, whole, tp, fp in redraws.draw(rng, size):
            drawn = facing(tp, fp, upright=upright)
            found[part][whole] = np.stack([heights(*drawn, 1 - rate) for rate in exact], axis=1)
        return found

    return task


def _coarse_task(curve: RocCurve, exact: Sequence[Fraction], *, upright: bool) -> _Task:
    """Return the same for very many scores: a rate is read where its class passes it.

    A path is as wide as whole numbers allow: of false positives up to a number, of true ones from
    what then is left.
    """
    redraws = CoarseRedraws.of(curve)
    wide = [(curve.n_neg if upright else curve.n_pos) * (1 - rate) // 1 for rate in exact]
    reached = [n + 1 for n in wide] if upright else [curve.n_pos - n for n in wide]

    def task(size: int, rng: np.random.Generator) -> Floats:
        found = np.empty((size, len(exact)))
        for i, path in enumerate(redraws.near(rng, size, int(upright), reached)):
            drawn = facing(*path, upright=upright)
            found[i] = [float(heights(*drawn, 1 - rate)[0]) for rate in exact]
        return found

    return task
