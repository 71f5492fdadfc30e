"""Paired ratios: predictive values and likelihood ratios of two tests on the same patients."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rocstats.data.sample import Account
from rocstats.engine.influence import Influence
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    as_number,
    check_confidence_level,
    check_option,
    keyword,
    named,
    warn_user,
)
from rocstats.estimates.results import ConfidenceInterval, TestResult, Wald
from rocstats.inference.binary.paired_cells import ClassCells
from rocstats.inference.binary.paired_rates import NO_CELLS, quantile, state_pair
from rocstats.inference.binary.predictive_scores import SCORES
from rocstats.inference.binary.rate_tests import chi_square_test, without_p
from rocstats.inference.contrasts import ROUNDING, tail_probability
from rocstats.tables import AnswerAtLevel, Statement

__all__ = ["PairedLikelihood", "PairedPredictive"]

_WORDS = {
    "wgs": "Weighted generalised score test (Kosinski 2013)",
    "gs": "Generalised score test (Leisenring, Alonzo & Pepe 2000)",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedPredictive(AnswerAtLevel):
    """Positive or negative predictive values of two tests, new against standard.

    Attributes
    ----------
    name, label : str
        "ppv" or "npv", and what a reader calls it.
    new, standard : str
        Names of the tests.
    cells : ClassCells
        Subjects by class and results, turned for the NPV.
    influence : Influence
        Every subject's influence on the two values, the standard one first; all subjects are one
        stratum, for class sizes are random in a cohort.
    exploratory : bool
        Whether cutoffs were chosen on these data: then there is no p-value.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    compare_tests : Compare binary tests on the same patients.
    PairedLikelihood : Likelihood ratios, which need no cohort.
    """

    name: str
    label: str
    new: str
    standard: str
    cells: ClassCells
    influence: Influence
    exploratory: bool = False
    account: Account | None = None

    @property
    def contrast(self) -> str:
        """The difference in words."""
        return f"{self.new} - {self.standard}"

    @property
    def standard_value(self) -> float:
        """The value of the standard test; nan where it has no such result."""
        return float(self.influence.estimate[0])

    @property
    def new_value(self) -> float:
        """The value of the new test."""
        return float(self.influence.estimate[1])

    @property
    def difference(self) -> float:
        """The value of the new test less that of the standard one."""
        return self.new_value - self.standard_value

    @property
    def ratio(self) -> float:
        """The value of the new test over that of the standard one; nan over 0."""
        return self.new_value / self.standard_value if self.standard_value else math.nan

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Wald limits of the difference, by every subject's influence.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits; nan where nothing varies.
        """
        level = check_confidence_level(confidence_level)
        low, high = self._wald.limits((1.0 - level) / 2.0)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method="wald")

    def ratio_interval(
        self, confidence_level: float = 0.95, *, method: str = "wald"
    ) -> ConfidenceInterval:
        """Return limits of the ratio, Wald's on the logarithm.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"wald", "moskowitz-pepe"}, default "wald"
            The variance over N (N - 1), as all of rocstats; or over N squared, as Moskowitz & Pepe
            (2006) and DTComPair have it.

        Returns
        -------
        ConfidenceInterval
            The limits; nan where nothing varies.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, ("wald", "moskowitz-pepe"))
        _, error, df = self._log_ratio
        if method == "moskowitz-pepe":
            error *= math.sqrt(1.0 - 1.0 / self.influence.stratum.size)
        return _log_limits(self.ratio, error, df, level, method)

    def test(self, *, method: str = "auto") -> TestResult:
        """Test whether the values are equal.

        Parameters
        ----------
        method : {"auto", "wgs", "gs", "wald"}, default "auto"
            "wgs" is Kosinski's (2013) weighted generalised score, chi-square with 1 degree of
            freedom; "gs" that of Leisenring, Alonzo & Pepe (2000); "wald" a test of the log ratio.
            "auto" is "wgs", and "wald" with clusters, the only one there.

        Returns
        -------
        TestResult
            The test; p is 1 where nothing varies, with a warning.
        """
        check_option("method", method, ("auto", "wgs", "gs", "wald"))
        clustered = self.influence.cluster is not None
        if clustered and method in SCORES:
            raise InvalidOptionError(
                f"{_WORDS[method]} takes patients as independent, and these are in clusters; "
                f"take {keyword('method', 'wald')}."
            )
        test, sentence = self._judge("wald" if clustered and method == "auto" else method)
        if sentence:
            warn_user(sentence, DegenerateVarianceWarning)
        return test

    def _judge(self, method: str) -> tuple[TestResult, str]:
        """Return the test, and a sentence where nothing varies."""
        way = "wgs" if method == "auto" else method
        unknown = math.isnan(self.difference)
        if way == "wald":
            value, error, df = self._log_ratio
            test = _log_test(self, value, error, df, "Wald test of the log ratio")
            flat = not unknown and not error > 0.0
            if flat and value == 0.0:
                test = replace(test, statistic=0.0, pvalue=1.0)
        else:
            chi2 = math.nan if unknown else SCORES[way](self.cells)
            flat = not unknown and math.isnan(chi2)
            test = chi_square_test(
                self.contrast,
                _WORDS[way],
                self.difference,
                self._wald.std_error,
                0.0 if flat else chi2,
                self._wald,
            )
        sentence = ""
        if flat:
            sentence = f"The {self.label} of {self.contrast} does not vary, so nothing was tested."
        return without_p(test) if self.exploratory else test, sentence

    @property
    def _wald(self) -> Wald:
        error, df = _spread(self.influence, [-1.0, 1.0])
        return Wald(estimate=self.difference, std_error=error, df=df)

    @property
    def _log_ratio(self) -> tuple[float, float, float]:
        """The logarithm of the ratio, its standard error and degrees of freedom."""
        first, second = self.standard_value, self.new_value
        if not (first > 0.0 and second > 0.0):
            return math.nan, math.nan, math.inf
        error, df = _spread(self.influence, [-1.0 / first, 1.0 / second])
        return math.log(second) - math.log(first), error, df

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the values with difference, ratio and test, as one row."""
        way = "auto" if self.influence.cluster is None else "wald"
        test, sentence = self._judge(way)
        limits, ratio = (
            self.confidence_interval(confidence_level),
            self.ratio_interval(confidence_level),
        )
        row = {
            "measure": self.name,
            "contrast": self.contrast,
            "standard": self.standard_value,
            "new": self.new_value,
            "estimate": self.difference,
            "std_error": self._wald.std_error,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "ratio": self.ratio,
            "ratio_low": ratio.low,
            "ratio_high": ratio.high,
            "statistic": test.statistic,
            "df": test.df,
            "p_value": test.pvalue,
            **NO_CELLS,
            "method": test.method,
        }
        return state_pair(row, self.label, [sentence] if sentence else [])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedLikelihood(AnswerAtLevel):
    """Positive or negative likelihood ratios of two tests, new against standard.

    Attributes
    ----------
    name, label : str
        "lr_pos" or "lr_neg", and what a reader calls it.
    new, standard : str
        Names of the tests.
    influence : Influence
        Every subject's influence on the two logarithms, the standard one first.
    exploratory : bool
        Whether cutoffs were chosen on these data: then there is no p-value.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    compare_tests : Compare binary tests on the same patients.
    PairedPredictive : Predictive values, of a cohort.
    """

    name: str
    label: str
    new: str
    standard: str
    influence: Influence
    exploratory: bool = False
    account: Account | None = None

    @property
    def contrast(self) -> str:
        """The difference in words."""
        return f"{self.new} - {self.standard}"

    @property
    def standard_value(self) -> float:
        """The likelihood ratio of the standard test; nan where a rate is 0."""
        return math.exp(self.influence.estimate[0])

    @property
    def new_value(self) -> float:
        """The likelihood ratio of the new test."""
        return math.exp(self.influence.estimate[1])

    @property
    def ratio(self) -> float:
        """The likelihood ratio of the new test over that of the standard one."""
        return math.exp(self.influence.estimate[1] - self.influence.estimate[0])

    def ratio_interval(
        self, confidence_level: float = 0.95, *, method: str = "wald"
    ) -> ConfidenceInterval:
        """Return limits of the ratio, Wald's on the logarithm.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"wald", "gu-pepe"}, default "wald"
            The variance over n (n - 1) of each class, as all of rocstats; or over n squared, as the
            sandwich of Gu & Pepe (2009) and DTComPair have it.

        Returns
        -------
        ConfidenceInterval
            The limits; nan, with a warning, where a rate is 0.
        """
        level = check_confidence_level(confidence_level)
        error, df = self._error(method)
        self._warn_if_unknown()
        return _log_limits(self.ratio, error, df, level, method)

    def test(self, *, method: str = "wald") -> TestResult:
        """Test whether the likelihood ratios are equal.

        Parameters
        ----------
        method : {"wald", "gu-pepe"}, default "wald"
            The variance, as in `ratio_interval`.

        Returns
        -------
        TestResult
            The z test of the logarithm of the ratio (t with clusters).
        """
        test = self._judge(method)
        self._warn_if_unknown()
        return test

    def predictive(self, prevalence: float) -> tuple[float, float]:
        """Return the predictive values that the tests have at a prevalence.

        PPV = 1 / (1 + (1 / prevalence - 1) / LR+) rises with LR+, and the NPV falls with LR-, so
        that the test of the ratio is the test of these values, at every prevalence.

        Parameters
        ----------
        prevalence : float
            Share of diseased subjects where the tests are to be used.

        Returns
        -------
        standard : float
            The PPV of the standard test, of LR+; or its NPV, of LR-.
        new : float
            The same of the new test.
        """
        share = as_number(prevalence)
        if not 0.0 < share < 1.0:
            raise InvalidOptionError(
                f"{named('prevalence')} must lie strictly between 0 and 1, got {prevalence!r}."
            )
        odds = share / (1.0 - share)
        if self.name == "lr_pos":
            return tuple(  # type: ignore[return-value]
                1.0 / (1.0 + 1.0 / (odds * value))
                for value in (self.standard_value, self.new_value)
            )
        return 1.0 / (1.0 + odds * self.standard_value), 1.0 / (1.0 + odds * self.new_value)

    def _error(self, method: str) -> tuple[float, float]:
        check_option("method", method, ("wald", "gu-pepe"))
        if math.isnan(self.ratio):
            return math.nan, math.inf
        if method == "wald" or self.influence.cluster is not None:
            return _spread(self.influence, [-1.0, 1.0])
        row = self.influence.values[1] - self.influence.values[0]
        parts = [row[self.influence.stratum == k] for k in range(2)]
        squares = [float(np.einsum("n,n->", part, part)) / part.size**2 for part in parts]
        return math.sqrt(sum(squares)), math.inf

    def _judge(self, method: str = "wald") -> TestResult:
        error, df = self._error(method)
        value = math.nan if math.isnan(self.ratio) else math.log(self.ratio)
        test = _log_test(self, value, error, df, "Wald test of the log ratio")
        if error == 0.0 and value == 0.0:
            test = replace(test, statistic=0.0, pvalue=1.0)
        return without_p(test) if self.exploratory else test

    def _unknown(self) -> str:
        if not math.isnan(self.ratio):
            return ""
        return (
            f"The {self.label} of {self.new} or {self.standard} rests on a rate of 0, so their "
            "ratio is nan."
        )

    def _warn_if_unknown(self) -> None:
        if sentence := self._unknown():
            warn_user(sentence, DegenerateVarianceWarning)

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the likelihood ratios with their ratio and test, as one row."""
        level = check_confidence_level(confidence_level)
        error, df = self._error("wald")
        limits, test = _log_limits(self.ratio, error, df, level, "wald"), self._judge()
        row = {
            "measure": self.name,
            "contrast": self.contrast,
            "standard": self.standard_value,
            "new": self.new_value,
            "estimate": math.nan,
            "std_error": math.nan,
            "conf_low": math.nan,
            "conf_high": math.nan,
            "conf_level": level,
            "ratio": self.ratio,
            "ratio_low": limits.low,
            "ratio_high": limits.high,
            "statistic": test.statistic,
            "df": test.df,
            "p_value": test.pvalue,
            **NO_CELLS,
            "method": test.method,
        }
        sentence = self._unknown()
        return state_pair(row, self.label, [sentence] if sentence else [])


def _spread(influence: Influence, weights: list[float]) -> tuple[float, float]:
    """Return the standard error of a contrast, and its degrees of freedom (inf: normal)."""
    found = influence.contrast(np.nan_to_num([weights]))
    if np.isnan(influence.estimate).any() or influence.units().min() < 2:
        return math.nan, math.inf
    error = math.sqrt(max(float(found.covariance()[0, 0]), 0.0))
    scale = float(np.abs(influence.estimate) @ np.abs(weights))
    return 0.0 if error <= ROUNDING * scale else error, influence.most_df()


def _log_limits(
    ratio: float, error: float, df: float, level: float, method: str
) -> ConfidenceInterval:
    wide = math.exp(quantile(level, df) * error) if error > 0.0 else math.nan
    return ConfidenceInterval(
        low=ratio / wide, high=ratio * wide, confidence_level=level, method=method
    )


def _log_test(
    pair: PairedPredictive | PairedLikelihood, value: float, error: float, df: float, words: str
) -> TestResult:
    statistic = value / error if error > 0.0 else math.nan
    return TestResult(
        contrast=f"log {pair.new} - log {pair.standard}",
        method=words,
        null_value=0.0,
        alternative="two-sided",
        estimate=value,
        std_error=error,
        statistic=statistic,
        df=df,
        pvalue=math.nan if math.isnan(statistic) else tail_probability(statistic, df, "two-sided"),
    )
