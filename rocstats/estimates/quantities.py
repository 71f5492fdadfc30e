"""Quantities: numbers known by every subject's influence on them, with no measure behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.engine.influence import Influence
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import (
    DegenerateVarianceWarning,
    SmallSampleWarning,
    check_confidence_level,
    check_option,
    warn_user,
)
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval, interval_names
from rocstats.estimates.results import ConfidenceInterval
from rocstats.tables import counted, html_table, show_value, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Quantity", "known_by_influence"]

Edge = Callable[[float], tuple[float, float]]

_ROUNDING = 64 * np.finfo(np.float64).eps  # a standard error this small beside its terms is 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Quantity:
    """One number of one classifier: an average precision, a Brier score.

    Attributes
    ----------
    label : its printed name
    n_pos, n_neg : class sizes
    bounds : the least and the largest value there can be
    scatter : standard error as computed, and its degrees of freedom
    influence : the value and every subject's influence on it, in the order of the sample
    details : what this quantity alone knows
    edge : limits for a given tail where the value is so extreme that it has no variance, or None
    """

    label: str
    n_pos: int
    n_neg: int
    bounds: tuple[float, float]
    scatter: tuple[float, float]
    influence: Influence
    details: Mapping[str, Any] = field(default_factory=dict)
    edge: Edge | None = None

    @property
    def classifier(self) -> str:
        """Name of the marker."""
        return self.influence.rows[0][0]

    @property
    def measure(self) -> str:
        """Name of the quantity."""
        return self.influence.rows[0][1]

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
        self, *, confidence_level: float = 0.95, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval by a named method.

        ``"auto"`` is ``"logit_t"`` for what lies on [0, 1] and ``"wald_t"`` for the rest; others
        are ``"wald"``, ``"logit"``, ``"probit"`` and ``"arcsine"``. A value at its bound, without
        variance, has an ``"exact"`` bound where one is known. Limits are cut to the bounds of the
        quantity; there are none where no subject shows the uncertainty.
        """
        limits = self._interval(confidence_level, method)
        if math.isnan(limits.low):
            warn_user(
                f"{self._title} has no {limits.method} interval; the data do not show the "
                "uncertainty.",
                SmallSampleWarning if self._is_small else DegenerateVarianceWarning,
            )
        return limits

    def to_dict(self, *, confidence_level: float = 0.95, method: str = "auto") -> dict[str, Any]:
        """Return the tidy row as built-in types; the interval is as in `confidence_interval`."""
        limits = self._interval(confidence_level, method)
        return {
            "classifier": self.classifier,
            "measure": self.measure,
            "estimate": self.value,
            "std_error": self.scatter[0],
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "conf_method": limits.method,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            **self.details,
        }

    def to_frame(self, *, confidence_level: float = 0.95, method: str = "auto") -> pd.DataFrame:
        """Return the tidy row as a pandas data frame."""
        return tidy_frame([self.to_dict(confidence_level=confidence_level, method=method)])

    def __repr__(self) -> str:
        row = self.to_dict()
        details = ", ".join(
            f"{name.replace('_', ' ')} {show_value(value)}" for name, value in self.details.items()
        )
        low, high = show_value(row["conf_low"]), show_value(row["conf_high"])
        return (
            f"{self._title}: {show_value(self.value)} ({row['conf_level']:.0%} CI {low} to {high}, "
            f"{row['conf_method']}), SE {show_value(self.scatter[0])}\n"
            f"{counted(self.n_pos, 'positive')}, {counted(self.n_neg, 'negative')}"
            + (f"; {details}" if details else "")
        )

    def _repr_html_(self) -> str:
        return html_table([self.to_dict()])

    @property
    def _title(self) -> str:
        return f"{self.label} of {self.classifier}"

    @property
    def _is_small(self) -> bool:
        return math.isnan(self.scatter[0])

    def _interval(self, confidence_level: float, method: str) -> ConfidenceInterval:
        level = check_confidence_level(confidence_level)
        check_option("method", method, interval_names(of_pairs=False))
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
        low, high, used = interval(situation, level, method)
        low, high = max(low, self.bounds[0]), min(high, self.bounds[1])
        if not high > low:
            low = high = math.nan
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=used)


def known_by_influence(
    influence: Influence,
    *,
    label: str,
    n_pos: int,
    n_neg: int,
    bounds: tuple[float, float],
    details: Mapping[str, Any] | None = None,
    edge: Edge | None = None,
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
    )
