"""The answer of a two-sample test."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rocstats.errors import InvalidOptionError, check_confidence_level, named
from rocstats.estimates.results import Alternative, ConfidenceInterval, Estimate, TestResult
from rocstats.tables import AnswerAtLevel, Statement, counted, show_p, show_value

__all__ = ["TwoSampleResult"]

_COLUMNS = (
    *("measure", "estimate", "conf_low", "conf_high"),
    *("statistic", "p_value", "alternative", "method"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TwoSampleResult(AnswerAtLevel):
    """Two samples compared.

    Attributes
    ----------
    measure : str
        What is estimated, such as "AUC".
    method : str
        Test and null distribution in words.
    hypothesis : str
        What is taken for true under the null.
    alternative : str
        "two-sided", "less" or "greater" (x tends to be larger).
    estimate : float
        Estimate of x against y.
    null_value : float
        What the estimate is under the null; for sAUC its mean over all relabelings.
    std_error : float
        Standard error of the estimate; for the AUC and sAUC tests that over all relabelings.
    statistic, df, pvalue : float
        The answer; ``df`` is that of the asymptotic reference, inf if normal.
    n_pos, n_neg : int
        Number of values of x and of y.
    exact : bool
        Whether the p-value is that of all relabelings.
    n_resamples : int
        Random relabelings drawn, 0 if none.
    dropped : int
        Missing values left out.
    effect : Estimate or None
        The AUC or sAUC with its own standard error.

    See Also
    --------
    two_sample_test : Test whether two samples come from one distribution.
    """

    measure: str
    method: str
    hypothesis: str
    alternative: Alternative
    estimate: float
    null_value: float
    std_error: float
    statistic: float
    df: float
    pvalue: float
    n_pos: int
    n_neg: int
    exact: bool
    n_resamples: int
    dropped: int = 0
    effect: Estimate | None = field(default=None)

    @property
    def relative(self) -> float:
        """The estimate over twice its null value: 1/2 under the null, for sAUC of any scale."""
        return self.estimate / (2.0 * self.null_value) if self.null_value > 0.0 else math.nan

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return limits of the estimate; one-sided where the alternative is.

        For the AUC and sAUC they are those of `Estimate.confidence_interval`, which hold whatever
        the two distributions; for other tests they are the values the test would not reject.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        level = check_confidence_level(confidence_level)
        if self.effect is None:
            return TestResult(
                contrast="x - y",
                method=self.method,
                null_value=self.null_value,
                alternative=self.alternative,
                estimate=self.estimate,
                std_error=self.std_error,
                statistic=self.statistic,
                df=self.df,
                pvalue=self.pvalue,
            ).confidence_interval(confidence_level=level)
        inner = level if self.alternative == "two-sided" else 2.0 * level - 1.0
        if not inner > 0.0:
            raise InvalidOptionError(
                f"{named('confidence_level')} must exceed 0.5 in a one-sided test, got "
                f"{confidence_level!r}."
            )
        row, bounds = self.effect.statement(confidence_level=inner).row, self.effect.bounds
        return ConfidenceInterval(
            low=bounds[0] if self.alternative == "less" else row["conf_low"],
            high=bounds[1] if self.alternative == "greater" else row["conf_high"],
            confidence_level=level,
            method=row["conf_method"],
        )

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the estimate with its interval and the test, as one row."""
        limits = self.confidence_interval(confidence_level=confidence_level)
        interval = ""
        if not math.isnan(limits.low):
            interval = (
                f" ({100.0 * limits.confidence_level:g}% CI {show_value(limits.low)} to "
                f"{show_value(limits.high)})"
            )
        dropped = f"; {counted(self.dropped, 'missing value')} left out" if self.dropped else ""
        row = {
            "measure": self.measure,
            "estimate": self.estimate,
            "std_error": self.std_error,
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.pvalue,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "null_value": self.null_value,
            "relative": self.relative,
            "alternative": self.alternative,
            "hypothesis": self.hypothesis,
            "method": self.method,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "exact": self.exact,
            "n_resamples": self.n_resamples,
            "dropped": self.dropped,
        }
        return Statement(
            head=f"{self.measure} of x against y: {show_value(self.estimate)}{interval}, "
            f"{show_value(self.null_value)} under the null\n"
            f"statistic {show_value(self.statistic)}, p {show_p(self.pvalue)} ({self.alternative})",
            rows=[row],
            shown=_COLUMNS,
            in_words=True,
            notes=[
                self.method,
                f"null hypothesis: {self.hypothesis}; "
                f"{counted(self.n_pos, 'value')} of x, {self.n_neg} of y{dropped}",
            ],
        )

    def summary(self, confidence_level: float = 0.95) -> str:
        """Return the answer as text.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval that is shown.

        Returns
        -------
        str
            The lines that are printed.
        """
        return self.statement(confidence_level=confidence_level).as_text()
