"""Estimates under censoring: areas, concordances and rates, each known by its influence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from rocstats.engine.influence import Influence
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    check_option,
    listed,
    warn_user,
)
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval, interval_names
from rocstats.estimates.results import ConfidenceInterval, Estimates
from rocstats.inference.comparison import Comparison
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.tables import (
    AnswerByMethod,
    Rows,
    SingleValue,
    Statement,
    counted,
    plot_forest,
    show_value,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.arrays import Floats
    from rocstats.data.sample import Account
    from rocstats.survival.bands_in_time import AucBand

__all__ = ["EstimateAt", "EstimatesAt", "MeasureAt", "in_digits", "plain_number", "rows_of"]

_ROUNDING = 64 * np.finfo(np.float64).eps  # a standard error this small beside its terms is 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureAt:
    """What was estimated, and when.

    Attributes
    ----------
    name : identifier, as "auc(5)"
    label : printed name
    time : the time it is for, or up to which pairs count
    is_area : whether it is an area or a concordance; else a rate
    """

    name: str
    label: str
    time: float
    is_area: bool = True
    is_auc: ClassVar = False  # what is derived for unweighted pairs of two classes does not hold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EstimateAt(SingleValue, AnswerByMethod):
    """One measure of one classifier under censoring.

    Attributes
    ----------
    measure : MeasureAt
        What was estimated, and when.
    classifier : str
        Name of the marker.
    scatter : (float, float)
        Standard error as computed, and its degrees of freedom.
    sizes : (float, float)
        How many cases and controls of the heaviest weight there are for certain; only an interval
        of an estimate without variance, at 0 or 1, rests on them.
    counts : mapping
        Who took part, and what this measure alone knows.
    joint : Influence
        The influence of all estimates made together.
    place : int
        The row of this one.
    account : Account
        What the codes of the events mean, and who was left out.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    concordance : Estimate Harrell's or Uno's C.
    """

    measure: MeasureAt
    classifier: str
    scatter: tuple[float, float]
    sizes: tuple[float, float]
    counts: Mapping[str, Any]
    joint: Influence
    place: int
    account: Account

    @property
    def value(self) -> float:
        """The estimate."""
        return float(self.joint.estimate[self.place])

    @property
    def time(self) -> float:
        """The time it is for."""
        return self.measure.time

    @property
    def std_error(self) -> float:
        """Standard error by the spread of the influence, estimated censoring included."""
        if not self.scatter[0] > 0.0:
            what = "no standard error" if math.isnan(self.scatter[0]) else "standard error 0"
            warn_user(
                f"{self._title} has {what}, which does not measure the uncertainty.",
                DegenerateVarianceWarning,
            )
        return self.scatter[0]

    @property
    def influence(self) -> Influence:
        """Every subject's influence on the estimate, in the order of the sample."""
        return self.joint.select([self.place])

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval by a named method.

        ``"auto"`` is ``"logit"``, by the delta method; where nothing varies, ``"score"`` for areas
        and the exact bound for rates. timeROC and riskRegression give ``"wald"``. Limits are cut to
        [0, 1].

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            "auto", "wald", "wald_t", "logit", "logit_t", "probit", "arcsine", "log", "log_t"; for
            areas also "score", Newcombe's method on the scale of the sample's variance.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        limits = self._interval(confidence_level, method)
        if math.isnan(limits.low):
            warn_user(
                f"{self._title} has no {limits.method} interval; the data do not show the "
                "uncertainty.",
                DegenerateVarianceWarning,
            )
        return limits

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the value with its interval, and who took part, as one row."""
        limits = self._interval(confidence_level, method)
        row = {
            "classifier": self.classifier,
            "measure": self.measure.name,
            "time": plain_number(self.measure.time),
            "estimate": self.value,
            "std_error": self.scatter[0],
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "conf_method": limits.method,
            **self.counts,
        }
        known = ", ".join(f"{k.replace('_', ' ')} {show_value(v)}" for k, v in self.counts.items())
        return Statement(
            head=f"{self._title}: {show_value(self.value)} ({limits.confidence_level:.0%} CI "
            f"{show_value(limits.low)} to {show_value(limits.high)}, {limits.method}), "
            f"SE {show_value(self.scatter[0])}",
            rows=[row],
            shown=_SHOWN,
            in_words=True,
            notes=[known],
        )

    @property
    def _title(self) -> str:
        return f"{self.measure.label} of {self.classifier}"

    def _interval(self, confidence_level: float, method: str) -> ConfidenceInterval:
        area = self.measure.is_area
        check_option(
            "method", method, (*interval_names(of_pairs=False), *(["score"] if area else []))
        )
        varies = self.scatter[0] > 0.0
        if method == "auto":
            method = "logit" if varies or not area else "score"
        situation = Situation(
            value=self.value,
            std_error=self.scatter[0],
            df=self.scatter[1],
            n_pos=self.sizes[0],
            n_neg=self.sizes[1],
            label=self.measure.label,
            bounds=(0.0, 1.0),
            pair_mean=False,
            is_auc=area,
        )
        low, high, used = interval(situation, confidence_level, method)
        low, high = max(low, 0.0), min(high, 1.0)
        if not high > low:
            low = high = math.nan
        return ConfidenceInterval(
            low=low, high=high, confidence_level=confidence_level, method=used
        )


_SHOWN = ("classifier", "time", "estimate", "std_error", "conf_low", "conf_high", "conf_method")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EstimatesAt(Rows[EstimateAt], AnswerByMethod):
    """Several estimates under censoring, with their joint covariance.

    Attributes
    ----------
    rows : tuple of EstimateAt
        The estimates, classifier by classifier.
    influence : Influence
        Every subject's influence on every row, in the order of the sample.
    sample : SurvivalSample
        The data.
    remarks : tuple of str
        What a reader must know of how they were made.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    concordance : Estimate Harrell's or Uno's C.
    Comparison : Classifiers on the same subjects.
    """

    rows: tuple[EstimateAt, ...]
    influence: Influence
    sample: SurvivalSample
    remarks: tuple[str, ...] = field(default=())

    def _names(self) -> list[tuple[Any, ...]]:
        return [(row.classifier, row.measure.name, row.measure.time) for row in self.rows]

    def _row(self, i: int) -> EstimateAt:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> EstimatesAt:
        chosen = list(where)
        return replace(
            self, rows=tuple(self.rows[i] for i in chosen), influence=self.influence.select(chosen)
        )

    @property
    def account(self) -> Account:
        """What the codes of the events mean, and who was left out."""
        return self.sample.account

    @property
    def value(self) -> float:
        """The only estimate there is."""
        return self._only.value

    @property
    def std_error(self) -> float:
        """Standard error of the only estimate there is."""
        return self._only.std_error

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the only estimate there is.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            As in `EstimateAt.confidence_interval`.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        return self._only.confidence_interval(confidence_level, method=method)

    @property
    def _only(self) -> EstimateAt:
        if len(self.rows) == 1:
            return self.rows[0]
        names = [f"{row.classifier}, {row.measure.name}" for row in self.rows]
        raise InvalidOptionError(
            f"There are {len(names)} estimates ({listed(names)}); take one, as in "
            f"estimates[{self.rows[0].classifier!r}, {self.rows[0].measure.name!r}]."
        )

    @property
    def covariance(self) -> Floats:
        """Covariance of the rows, in their order."""
        return self.influence.covariance()

    @property
    def correlation(self) -> Floats:
        """Correlation of the rows; nan beside a row without variance."""
        return self.influence.correlation()

    def compare(self) -> Comparison:
        """Return the same estimates as a comparison: pairs, contrasts, margins.

        Returns
        -------
        Comparison
            The estimates with their joint covariance; its methods test differences.
        """
        if len(self.rows) < 2:
            raise InvalidOptionError(
                f"A comparison needs two markers or two times; there is one estimate only "
                f"({self.rows[0].classifier}, {self.rows[0].measure.name})."
            )
        # A Comparison reads names, values and influence, which these rows have as well.
        return Comparison(estimates=cast("Estimates", self), influence=self.influence)

    def band(
        self, *, confidence_level: float = 0.95, n_resamples: int = 10_000, rng: Any = 1
    ) -> AucBand:
        """Return limits that hold for all times of a marker at once.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of each marker's band.
        n_resamples : int, default 10000
            Number of multiplier resamples of the influence.
        rng : int, numpy Generator or None, default 1
            Where the randomness comes from; 1 gives the same band at every run.

        Returns
        -------
        AucBand
            The limits at every time.
        """
        from rocstats.survival.bands_in_time import band_over

        return band_over(self, confidence_level, n_resamples, rng)

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a row for each estimate; the covariance is not printed."""
        rows = [
            row.statement(confidence_level=confidence_level, method=method).row for row in self.rows
        ]
        sample, several = self.sample, len({row.measure.label for row in self.rows}) > 1
        shown = [*_SHOWN, *(name for name in self.rows[0].counts if name in _COUNTS)]
        if all(math.isinf(row.measure.time) for row in self.rows):
            shown.remove("time")
        if several and len({row["measure"].partition("(")[0] for row in rows}) > 1:
            shown.insert(1, "measure")
        other = f", {sample.n_other} with another event" if sample.n_other else ""
        return Statement(
            head="" if several else self.rows[0].measure.label,
            rows=rows,
            shown=shown,
            notes=[
                f"{counted(sample.time.size, 'subject')}: {counted(sample.n_events, 'event')}, "
                f"{sample.n_censored} censored{other}",
                *self.remarks,
                *direction_hints(self.rows),
            ],
            content={
                "estimates": rows,
                "covariance": self.covariance,
                "remarks": self.remarks,
            },
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        confidence_level: float = 0.95,
        method: str = "auto",
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw the estimates with their intervals, one below the other (a forest).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            The method of the intervals, as in `EstimateAt.confidence_interval`.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        rows = self.statement(confidence_level=confidence_level, method=method).tidy
        names = [f"{row.classifier}, {row.measure.label}" for row in self.rows]
        label = f"Estimate ({100.0 * confidence_level:g}% CI)"
        return plot_forest(rows, names, ax, x_label=label, color=color)


def direction_hints(rows: Iterable[EstimateAt]) -> list[str]:
    """Return a sentence on the direction of every marker with an area below one half."""
    return [
        f"The {row.measure.label} of {row.classifier} is below one half: check the code of the "
        "event and the direction of the marker."
        for row in rows
        if row.measure.is_area and row.value < 0.5
    ]


def plain_number(number: float) -> float | int:
    """Return a whole number as one, which is how it was written."""
    return int(number) if number.is_integer() else number


def in_digits(number: float) -> str:
    """Return a number with all its digits, so that different ones have different names."""
    return str(plain_number(number))


_COUNTS = ("n_pos", "n_neg", "n_censored", "threshold", "n_events")


def rows_of(
    sample: SurvivalSample,
    influence: Influence,
    measures: Sequence[tuple[str, MeasureAt]],
    sizes: Sequence[tuple[float, float]],
    counts: Sequence[Mapping[str, Any]],
) -> tuple[EstimateAt, ...]:
    """Return an estimate for every row of the influence."""
    variance = np.diag(influence.covariance())
    units = int(influence.units().min())
    rows = []
    for i, (classifier, measure) in enumerate(measures):
        std_error = math.nan
        if not math.isnan(variance[i]):
            std_error = math.sqrt(max(float(variance[i]), 0.0))
            line = influence.values[i]
            peak = max(float(line.max()), -float(line.min())) + 1.0
            std_error = 0.0 if std_error <= _ROUNDING * peak else std_error
        rows.append(
            EstimateAt(
                measure=measure,
                classifier=classifier,
                scatter=(std_error, float(units - 1)),
                sizes=sizes[i],
                counts=counts[i],
                joint=influence,
                place=i,
                account=sample.account,
            )
        )
    return tuple(rows)
