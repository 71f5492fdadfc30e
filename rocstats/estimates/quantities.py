"""Quantities: numbers known by every subject's influence on them, with no measure behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from rocstats.data.sample import Account
from rocstats.engine.influence import Influence
from rocstats.engine.t_quantiles import stdtrit
from rocstats.engine.variances import influence_df, satterthwaite_df
from rocstats.errors import (
    DegenerateVarianceWarning,
    SmallSampleWarning,
    check_confidence_level,
    check_option,
    warn_user,
)
from rocstats.estimates.interval_methods import Situation, null_limits, null_share
from rocstats.estimates.intervals import interval, interval_names
from rocstats.estimates.results import ConfidenceInterval, state_estimate
from rocstats.tables import AnswerByMethod, SingleValue, Statement, counted

__all__ = ["Quantity", "known_by_influence"]

Edge = Callable[[float], tuple[float, float]]
Known = Callable[[float], ConfidenceInterval]

_LEAST_DF = 6.0  # the tails of the influence are not taken to say less (STATISTICS.md 7.11)
_BEYOND = 0.3, 0.6  # of the way from chance to the end: where it begins to be like an area
_ROUNDING = 64 * np.finfo(np.float64).eps  # a standard error this small beside its terms is 0


class QuantityName(str):
    """The name of a quantity, which answers what a comparison asks a measure."""

    __slots__ = ("label",)
    label: str
    is_auc: ClassVar = False

    @property
    def name(self) -> str:
        """The name itself."""
        return str(self)

    @property
    def less_is_better(self) -> bool:
        """Whether it is a loss."""
        return self == "brier"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Quantity(SingleValue, AnswerByMethod):
    """One number of one classifier: an average precision, a Brier score.

    Attributes
    ----------
    label : str
        Its printed name.
    n_pos, n_neg : int
        Class sizes.
    bounds : (float, float)
        The least and the largest value there can be.
    scatter : (float, float)
        Standard error as computed, and its degrees of freedom.
    influence : Influence
        The value and every subject's influence on it, in the order of the sample.
    details : mapping
        What this quantity alone knows.
    edge : Edge or None
        Limits for a given tail where the value is so extreme that it has no variance.
    known : callable or None
        The interval at a level, of a value whose own is known: Wilson's of a share, that of an AUC.
    chance : float or None
        What chance gives, of a quantity that is like an area: near its end it is taken as one,
        half way from chance on.
    units : (int, int) or None
        Independent positives and negatives, of such a quantity.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    average_precision : Estimate the average precision.
    brier_score : Estimate the Brier score.
    """

    label: str
    n_pos: int
    n_neg: int
    bounds: tuple[float, float]
    scatter: tuple[float, float]
    influence: Influence
    details: Mapping[str, Any] = field(default_factory=dict)
    edge: Edge | None = None
    known: Known | None = None
    chance: float | None = None
    units: tuple[int, int] | None = None
    account: Account | None = None

    @property
    def classifier(self) -> str:
        """Name of the marker."""
        return self.influence.rows[0][0]

    @property
    def measure(self) -> QuantityName:
        """Name of the quantity."""
        name = QuantityName(self.influence.rows[0][1])
        name.label = self.label
        return name

    @property
    def value(self) -> float:
        """The estimate."""
        return float(self.influence.estimate[0])

    @property
    def std_error(self) -> float:
        """Standard error by the spread of the influence; nan with one unit in a class."""
        if self._is_small:
            warn_user(
                f"{self._title} has {counted(self.n_pos, 'positive')} and "
                f"{counted(self.n_neg, 'negative')}; a standard error needs two independent ones "
                "of each, so it is nan.",
                SmallSampleWarning,
            )
        elif self.scatter[0] == 0.0:
            warn_user(
                f"{self._title} has standard error 0 because every subject has the same "
                "influence, which does not measure the uncertainty.",
                DegenerateVarianceWarning,
            )
        return self.scatter[0]

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval by a named method.

        ``"auto"`` is ``"logit_t"`` for what lies on [0, 1] and ``"wald_t"`` for the rest, and for
        average precision ``"score_t"`` near its ends; an area or a share within a group has
        that of `auc` or ``"wilson"``; others are ``"wald"``, ``"logit"``,
        ``"probit"`` and ``"arcsine"``. A value at its bound, without
        variance, has an ``"exact"`` bound where one is known. Limits are cut to the bounds of the
        quantity; there are none where no subject shows the uncertainty.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            How the limits are found.

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
                SmallSampleWarning if self._is_small else DegenerateVarianceWarning,
            )
        return limits

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the value with its interval, the class sizes and the details, as one row."""
        limits = self._interval(confidence_level, method)
        return state_estimate(
            self._title,
            {
                "classifier": self.classifier,
                "measure": self.measure.name,
                "estimate": self.value,
                "std_error": self.scatter[0],
                "conf_low": limits.low,
                "conf_high": limits.high,
                "conf_level": limits.confidence_level,
                "conf_method": limits.method,
                "n_pos": self.n_pos,
                "n_neg": self.n_neg,
            },
            self.details,
        )

    @property
    def _title(self) -> str:
        return f"{self.label} of {self.classifier}"

    @property
    def _is_small(self) -> bool:
        return math.isnan(self.scatter[0])

    def _interval(self, confidence_level: float, method: str) -> ConfidenceInterval:
        level = check_confidence_level(confidence_level)
        extra = () if self.chance is None else ("score_t",)
        check_option("method", method, (*interval_names(of_pairs=False), *extra))
        if method == "auto" and self.known is not None:
            return self.known(level)
        if method == "auto" and self.edge is not None and not self.scatter[0] > 0.0:
            low, high = self.edge((1.0 - level) / 2.0)
            return ConfidenceInterval(low=low, high=high, confidence_level=level, method="exact")
        units = int(self.influence.units().min())
        situation = Situation(
            value=self.value,
            std_error=self.scatter[0],
            df=self.scatter[1],
            n_pos=units,
            n_neg=units,
            label=self.label,
            bounds=self.bounds,
            pair_mean=False,
            is_auc=False,
            is_area=False,
        )
        share = self._null_share() if method == "auto" else float(method == "score_t")
        low, high, used = interval(situation, level, "auto" if method == "score_t" else method)
        if share > 0.0:
            near = self._near((1.0 - level) / 2.0)
            low, high = (
                share * x + (1.0 - share) * y if share < 1.0 else x
                for x, y in zip(near, (low, high), strict=True)
            )
            used = "score_t"
        low, high = max(low, self.bounds[0]), min(high, self.bounds[1])
        if not high > low:
            low = high = math.nan
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=used)

    def _scaled(self) -> Situation | None:
        """What an interval reads of a quantity like an area: chance half way, the end at 1."""
        if self.chance is None or self.units is None or not self.scatter[0] > 0.0:
            return None
        width, df = 2.0 * (1.0 - self.chance), self.scatter[1]
        if self.influence.cluster is None:
            tails = influence_df(self.influence.values[0], self.influence.stratum)
            df = min(df, max(tails, _LEAST_DF))
        return Situation(
            value=1.0 - (1.0 - self.value) / width,
            std_error=self.scatter[0] / width,
            df=df,
            n_pos=self.units[0],
            n_neg=self.units[1],
            label=self.label,
            bounds=(0.0, 1.0),
            pair_mean=False,
            is_auc=False,
        )

    def _null_share(self) -> float:
        """How much of the interval takes its variance at the limits: none near chance (7.11)."""
        scaled = self._scaled()
        if scaled is None:
            return 0.0
        beyond = (2.0 * scaled.value - 1.0 - _BEYOND[0]) / (_BEYOND[1] - _BEYOND[0])
        return null_share(scaled) * min(max(beyond, 0.0), 1.0)

    def _near(self, tail: float) -> tuple[float, float]:
        """Return the limits with the variance that they have themselves."""
        scaled = self._scaled()
        if scaled is None or self.chance is None:
            return math.nan, math.nan
        low, high = null_limits(scaled, -float(stdtrit(scaled.df, tail)))
        width = 2.0 * (1.0 - self.chance)
        return 1.0 - (1.0 - low) * width, 1.0 - (1.0 - high) * width


def known_by_influence(
    influence: Influence,
    *,
    label: str,
    n_pos: int,
    n_neg: int,
    bounds: tuple[float, float],
    details: Mapping[str, Any] | None = None,
    edge: Edge | None = None,
    known: Known | None = None,
    chance: float | None = None,
    sizes: tuple[int, int] | None = None,
    account: Account | None = None,
) -> Quantity:
    """Return the quantity whose influence, of one row, is given."""
    scatter = math.nan, math.nan
    units = influence.units()
    if units.min() >= 2:
        terms = influence.covariance_terms()[:, 0, 0]
        std_error = math.sqrt(max(float(terms.sum()), 0.0))
        peak = float(np.abs(influence.values).max()) + abs(float(influence.estimate[0]))
        df = min(satterthwaite_df(terms[:-1], units), influence.most_df())
        scatter = (0.0 if std_error <= _ROUNDING * peak else std_error), df
    return Quantity(
        label=label,
        n_pos=n_pos,
        n_neg=n_neg,
        bounds=bounds,
        scatter=scatter,
        influence=influence,
        details=details or {},
        edge=edge,
        known=known,
        chance=chance,
        units=sizes,
        account=account,
    )
