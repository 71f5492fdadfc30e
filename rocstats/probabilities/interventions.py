"""Interventions avoided: what a gain in net benefit is worth in subjects not treated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.sample import Account
from rocstats.tables import Answer, Row, Statement, TidyRows, tidy_rows

__all__ = ["PER", "InterventionsAvoided", "avoided"]

PER = 100.0  # subjects


def avoided(gain: Floats, threshold: Floats, prevalence: float = 1.0) -> Floats:
    """Return the interventions saved among 100 subjects by a gain over treating all.

    `prevalence` is what the gain was divided by. At threshold 0 nothing is worth an intervention,
    and it is nan.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = PER * prevalence * gain * (1.0 - threshold) / threshold
    return np.where(threshold > 0.0, found, np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class InterventionsAvoided(TidyRows, Answer):
    """How many interventions fewer a strategy needs than treating all, among 100 subjects.

    Attributes
    ----------
    strategy : str
        A model, or "treat none".
    threshold : array of shape (T,)
        Threshold probabilities.
    value : array of shape (T,)
        Net reduction in interventions for 100 subjects, missed events already taken off; nan at
        threshold 0.
    conf_low, conf_high : array of shape (T,)
        Limits, for each threshold by itself: those of the difference in net benefit.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    DecisionCurve.interventions_avoided : Net reduction in interventions.
    decision_curve : Net benefit of acting on each model.
    """

    strategy: str
    threshold: Floats
    value: Floats
    conf_low: Floats
    conf_high: Floats
    account: Account | None = None

    def statement(self) -> Statement:
        """Return a row for every threshold."""
        columns = {
            "threshold": self.threshold,
            "interventions_avoided": self.value,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
        }
        return Statement(
            head=f"Interventions avoided by {self.strategy}, net of missed events, of "
            f"{PER:g} subjects at {self.threshold.size} thresholds",
            rows=[{"strategy": self.strategy, **row} for row in tidy_rows(columns)],
            content={"strategy": self.strategy, **columns},
        )

    def rows(self) -> list[Row]:
        """Return a tidy row for every threshold."""
        return list(self.statement().tidy)
