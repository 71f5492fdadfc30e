"""Rate tests: chi-square tests of two rates, with the limits that go with them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from rocstats.estimates.results import Pivot, TestResult

__all__ = ["ChiSquareTest", "ScoreTest", "chi_square_test", "without_p"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreTest(TestResult):
    """A test of rates whose interval, and statistic at another null value, are those of `at`.

    Attributes
    ----------
    contrast : str
        What is tested, such as "women - men".
    method : str
        The test in words.
    null_value : float
        What the contrast is under the null hypothesis: 0.
    alternative : str
        "two-sided".
    estimate, std_error, statistic, df, pvalue : float
        The answer.
    pivot : Pivot, optional
        None: there is no other test beside this one.
    wald_df : float, optional
        None.
    at : Pivot
        The signed statistic at every null value, and its limits.

    See Also
    --------
    TestResult : A contrast against its null value.
    """

    at: Pivot = field(compare=False)

    @property
    def _pivot(self) -> Pivot:
        return self.at


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChiSquareTest(ScoreTest):
    """A two-sided test by chi-square: McNemar's, or a score test of predictive values.

    It is a `TestResult` whose statistic is a chi-square with `df` degrees of freedom; its interval,
    and its statistic at another null value, are those of `at` below.

    Attributes
    ----------
    contrast : str
        What is tested, such as "new - standard".
    method : str
        The test in words.
    null_value : float
        What the contrast is under the null hypothesis: 0.
    alternative : str
        "two-sided".
    estimate, std_error, statistic, df, pvalue : float
        The answer.
    pivot : Pivot, optional
        None: there is no other test beside this one.
    wald_df : float, optional
        None.
    at : Pivot
        The signed statistic at every null value, and its limits.

    See Also
    --------
    PairedRates : One rate of two tests on the same patients.
    TestResult : A contrast against its null value.
    """

    @property
    def _letter(self) -> str:
        return f"chi-square({self.df:g})"


def chi_square_test(
    contrast: str, method: str, estimate: float, std_error: float, statistic: float, at: Pivot
) -> ChiSquareTest:
    """Return a chi-square with one degree of freedom as a test of a difference against 0."""
    from scipy.special import chdtrc

    return ChiSquareTest(
        contrast=contrast,
        method=method,
        null_value=0.0,
        alternative="two-sided",
        estimate=estimate,
        std_error=std_error,
        statistic=statistic,
        df=1.0,
        pvalue=float(chdtrc(1.0, statistic)),
        at=at,
    )


def without_p(test: TestResult) -> TestResult:
    """Return a test of cutoffs that were chosen on these data: it has no p-value."""
    words = f"{test.method}; exploratory: cutoffs chosen on these data have no p-value"
    return replace(test, pvalue=math.nan, method=words)
