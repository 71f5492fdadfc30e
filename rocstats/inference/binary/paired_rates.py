"""Paired rates: sensitivity or specificity of a new and a standard test on the same patients."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocstats.data.sample import Account
from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword
from rocstats.estimates.results import ConfidenceInterval, TestResult, Wald
from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import (
    DIFFERENCE_METHODS,
    TangoScore,
    exact_pvalue,
    mcnemar_statistic,
    mid_pvalue,
)
from rocstats.inference.binary.rate_ratios import RATIO_METHODS, rate_ratio
from rocstats.inference.binary.rate_tests import chi_square_test, without_p
from rocstats.inference.contrasts import tail_probability
from rocstats.tables import AnswerAtLevel, Statement, counted, show_p, show_value

__all__ = ["FEW_DISCORDANT", "NO_CELLS", "PAIRED_COLUMNS", "PairedRates", "quantile", "state_pair"]

FEW_DISCORDANT = 25  # below so many discordant pairs the mid-p value is printed beside the score p

PAIRED_COLUMNS = (
    *("measure", "contrast", "standard", "new", "estimate", "conf_low", "conf_high"),
    *("ratio", "ratio_low", "ratio_high", "p_value"),
)

# What only rates have, of a measure that is none: its row has the same columns.
NO_CELLS = {"mid_p": math.nan} | dict.fromkeys(("both", "new_only", "standard_only", "neither"))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairedRates(AnswerAtLevel):
    """One rate of two tests on the same patients, new against standard.

    Attributes
    ----------
    name, label : str
        "sensitivity", "specificity" or "fpr" (where the comparator is no reference "ppa", "npa"),
        and what a reader calls it.
    new, standard : str
        Names of the tests.
    cells : PairedCells
        Subjects of the class: `a` where both tests succeed, `b` only the new one, `c` only the
        standard one, `d` neither. A success is a right result; for "fpr" a positive one.
    std_error, df : float
        Of the difference, as every subject's influence has it; df is inf, or that of clusters.
    clusters : int or None
        Clusters with subjects of the class.
    ratio_error : float
        With clusters: standard error of the logarithm of the ratio, by influence too.
    design : str
        "cohort", "case-control" or "screen-positive".
    exploratory : bool
        Whether cutoffs were chosen on these data: then there is no p-value.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    compare_tests : Compare binary tests on the same patients.
    PairedPredictive : Predictive values of two tests.
    PairedLikelihood : Likelihood ratios of two tests.
    """

    name: str
    label: str
    new: str
    standard: str
    cells: PairedCells
    std_error: float
    df: float = math.inf
    clusters: int | None = None
    ratio_error: float = math.nan
    design: str = "cohort"
    exploratory: bool = False
    account: Account | None = None

    @property
    def n(self) -> int:
        """Subjects of the class."""
        return self.cells.n

    @property
    def table(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Counts of results: rows the standard test positive, negative; columns the new one."""
        a, b, c, d = self.cells.a, self.cells.b, self.cells.c, self.cells.d
        if self.name in ("specificity", "npa"):
            a, b, c, d = d, c, b, a
        return (a, c), (b, d)

    @property
    def contrast(self) -> str:
        """The difference in words."""
        return f"{self.new} - {self.standard}"

    @property
    def standard_value(self) -> float:
        """The rate of the standard test; nan where who failed both is unknown."""
        return math.nan if self._is_screened else self.cells.standard / self.n

    @property
    def new_value(self) -> float:
        """The rate of the new test."""
        return math.nan if self._is_screened else self.cells.new / self.n

    @property
    def difference(self) -> float:
        """The rate of the new test less that of the standard one."""
        self._refuse_unless_verified("difference")
        return (self.cells.b - self.cells.c) / self.n

    @property
    def ratio(self) -> float:
        """The rate of the new test over that of the standard one."""
        return rate_ratio(self.cells)

    @property
    def mcnemar(self) -> TestResult:
        """McNemar's test, whose interval is the score interval: it excludes 0 where p is below 5%.

        Its statistic is chi-square without a continuity correction; without a discordant pair it is
        0, and p is 1.
        """
        self._refuse_clusters("McNemar's test")
        screened = self._is_screened
        at = TangoScore(cells=self.cells)
        test = chi_square_test(
            self.contrast,
            "McNemar's test",
            math.nan if screened else self.difference,
            self.std_error,
            mcnemar_statistic(self.cells),
            Wald(estimate=math.nan, std_error=math.nan, df=math.inf) if screened else at,
        )
        return without_p(test) if self.exploratory else test

    @property
    def mid_pvalue(self) -> float:
        """McNemar's mid-p value (Fagerland, Lydersen & Laake 2013), for few discordant pairs."""
        self._refuse_clusters("the mid-p test")
        return math.nan if self.exploratory else mid_pvalue(self.cells)

    @property
    def exact_pvalue(self) -> float:
        """McNemar's exact p-value, which is conservative."""
        self._refuse_clusters("the exact test")
        return math.nan if self.exploratory else exact_pvalue(self.cells)

    def test(self) -> TestResult:
        """Test whether the rates are equal: McNemar's test, or a t test of clusters.

        Returns
        -------
        TestResult
            The test; its interval is that of `confidence_interval`.
        """
        if self.clusters is None:
            return self.mcnemar
        statistic, pvalue = 0.0, 1.0
        if self.std_error > 0.0:
            statistic = self.difference / self.std_error
            pvalue = tail_probability(statistic, self.df, "two-sided")
        elif self.difference or math.isnan(self.std_error):
            statistic = pvalue = math.nan
        test = TestResult(
            contrast=self.contrast,
            method=f"t test of {self.clusters} clusters",
            null_value=0.0,
            alternative="two-sided",
            estimate=self.difference,
            std_error=self.std_error,
            statistic=statistic,
            df=self.df,
            pvalue=pvalue,
        )
        return without_p(test) if self.exploratory else test

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return limits of the difference.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "score", "newcombe", "bonett-price", "agresti-min", "wald"}
            "score" is Tango's (1998), which excludes 0 exactly where McNemar's test rejects and is
            never of width 0; "auto" is "score", and with clusters "wald" with a t quantile, the
            only one there.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, ("auto", *DIFFERENCE_METHODS))
        self._refuse_unless_verified("difference")
        if self.clusters is not None:
            if method not in ("auto", "wald"):
                self._refuse_clusters(f"the {method} interval")
            return self.test().confidence_interval(level)
        way = "score" if method == "auto" else method
        low, high = DIFFERENCE_METHODS[way](self.cells, quantile(level))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=way)

    def ratio_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return limits of the ratio.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "score", "wald"}, default "auto"
            "score" is that of Tang, Tang & Chan (2003); "wald" is on the logarithm. "auto" is
            "score"; with clusters, and of a screen-positive design, "wald".

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, ("auto", *RATIO_METHODS))
        if self.clusters is not None:
            if method == "score":
                self._refuse_clusters("the score interval")
            return self._clustered_ratio(level)
        usual = "wald" if self._is_screened else "score"
        way = usual if method == "auto" else method
        low, high = RATIO_METHODS[way](self.cells, quantile(level))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=way)

    def _clustered_ratio(self, level: float) -> ConfidenceInterval:
        wide = math.exp(quantile(level, self.df) * self.ratio_error)
        return ConfidenceInterval(
            low=self.ratio / wide, high=self.ratio * wide, confidence_level=level, method="wald_t"
        )

    @property
    def _is_screened(self) -> bool:
        return self.design == "screen-positive"

    def _refuse_unless_verified(self, what: str) -> None:
        if self._is_screened:
            raise InvalidOptionError(
                f"Where only patients positive on a test were verified, no {what} of rates is "
                "known, for it needs those negative on both; take the ratio."
            )

    def _refuse_clusters(self, what: str) -> None:
        if self.clusters is not None:
            raise InvalidOptionError(
                f"{what[0].upper()}{what[1:]} takes patients as independent, and these are in "
                f"{self.clusters} clusters; take test() and confidence_interval(), which are "
                f"Wald's with t ({keyword('method', 'wald')})."
            )

    def _notes(self) -> list[str]:
        notes = []
        few = self.clusters is None and self.cells.discordant < FEW_DISCORDANT
        if few and not self.exploratory:
            notes.append(
                f"{self.label}: {counted(self.cells.discordant, 'discordant pair')}; mid-p "
                f"{show_p(self.mid_pvalue)}"
            )
        return notes

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the rates with difference, ratio and test, as one row."""
        test, cells = self.test(), self.cells
        limits: tuple[float, float] = (math.nan, math.nan)
        if not self._is_screened:
            limits = tuple(self.confidence_interval(confidence_level))  # type: ignore[assignment]
        low, high = self.ratio_interval(confidence_level)
        row = {
            "measure": self.name,
            "contrast": self.contrast,
            "standard": self.standard_value,
            "new": self.new_value,
            "estimate": test.estimate,
            "std_error": self.std_error,
            "conf_low": limits[0],
            "conf_high": limits[1],
            "conf_level": float(confidence_level),
            "ratio": self.ratio,
            "ratio_low": low,
            "ratio_high": high,
            "statistic": test.statistic,
            "df": test.df,
            "p_value": test.pvalue,
            "mid_p": math.nan if self.clusters is not None else self.mid_pvalue,
            "both": cells.a,
            "new_only": cells.b,
            "standard_only": cells.c,
            "neither": None if self._is_screened else cells.d,
            "method": test.method,
        }
        return state_pair(row, self.label, self._notes())


def state_pair(row: Mapping[str, Any], label: str, notes: list[str]) -> Statement:
    """Return a measure of two tests in words, and as one row."""
    level = f"{row['conf_level']:.0%} CI"
    values = f"{show_value(row['standard'])} to {show_value(row['new'])}; "
    if math.isnan(row["new"]):
        values = ""
    effect = (
        f"difference {show_value(row['estimate'])} ({level} {show_value(row['conf_low'])} to "
        f"{show_value(row['conf_high'])}), "
    )
    if math.isnan(row["estimate"]):
        effect = ""
    ratio = (
        f"ratio {show_value(row['ratio'])} ({level} {show_value(row['ratio_low'])} to "
        f"{show_value(row['ratio_high'])}), "
    )
    return Statement(
        head=f"{label}, {row['contrast']}: {values}{effect}{ratio}p {show_p(row['p_value'])}",
        rows=[row],
        shown=PAIRED_COLUMNS,
        in_words=True,
        notes=[row["method"], *notes],
    )


def quantile(level: float, df: float = math.inf) -> float:
    """Return how many standard errors a two-sided interval reaches."""
    from scipy.special import ndtri

    tail = (1.0 - level) / 2.0
    return -float(ndtri(tail) if math.isinf(df) or not df > 0.0 else stdtrit(df, tail))
