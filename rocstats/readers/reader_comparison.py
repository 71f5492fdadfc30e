"""Comparison of the tests of a reader study: readers, cases or both drawn at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocstats.data.sample import Account
from rocstats.engine.catalogue import find_measure
from rocstats.engine.measures import Measure
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    as_number,
    check_confidence_level,
    check_option,
    check_significance,
    keyword,
    listed,
    named,
    warn_user,
)
from rocstats.estimates.results import Alternative, TestResult
from rocstats.inference.contrasts import (
    ROUNDING,
    Contrasts,
    adjust_pvalues,
    check_margin,
    tail_probability,
    warn_no_variance,
)
from rocstats.inference.margins import MarginTest, judge_margin
from rocstats.inference.omnibus import OmnibusTest
from rocstats.readers.case_covariances import COVARIANCES, case_covariance
from rocstats.readers.cell_influence import CellRows, cell_rows
from rocstats.readers.obuchowski_rockette import MeanSquares, Scatter
from rocstats.readers.pair_moments import ReaderMoments
from rocstats.readers.pair_sums import pair_sums
from rocstats.readers.rates_at_threshold import RATES, rate_at
from rocstats.readers.reader_components import ReaderComponents, components_of
from rocstats.readers.reader_estimates import (
    CellEstimates,
    ReaderEstimate,
    ReaderEstimates,
    cell_estimate,
)
from rocstats.readers.reader_study import ReaderStudy
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.tables import AnswerAtLevel, Rows, Statement, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.arrays import Floats

__all__ = [
    "GENERALISES",
    "ReaderComparison",
    "compare_readers",
    "judge_difference",
    "largest_difference",
    "reader_measure",
]

Effect = Literal["random", "fixed"]

# What varies: whom the answer holds for.
GENERALISES = {
    "both": "Readers and cases are random: the answer holds for readers and cases like these.",
    "cases": "Readers are fixed: the answer holds for these readers alone, on cases like these.",
    "readers": "Cases are fixed: the answer holds for readers like these, on these cases alone.",
}
_DEFAULT = Bootstrap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReaderComparison(Rows[ReaderEstimate], AnswerAtLevel):
    """The tests of a reader study, compared.

    Attributes
    ----------
    study : ReaderStudy
        The study, as it was analysed.
    measure : Measure
        What was estimated of every reader in every test.
    random : str
        What varies: "both" readers and cases, "cases" alone, or "readers" alone.
    method : str
        "or" (Obuchowski and Rockette) or "ustat" (U-statistics).
    covariance : array of shape (C, C)
        Covariance over cases of the C estimates by test and reader, test by test.
    covariance_name : str
        How it was found.
    cells : CellRows
        The estimates themselves, with their influence.
    table : MeanSquares
        Mean squares and averaged covariances.
    moments : ReaderMoments or None
        The moments of U-statistics, where they were used.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    """

    study: ReaderStudy
    measure: Measure
    random: str
    method: str
    covariance: Floats
    covariance_name: str
    cells: CellRows
    table: MeanSquares
    moments: ReaderMoments | None = None

    def _names(self) -> list[tuple[str]]:
        return [(test,) for test in self.study.tests]

    def _row(self, i: int) -> ReaderEstimate:
        return self.estimates.rows[i]

    def _part(self, where: Sequence[int]) -> ReaderEstimates:
        return self.estimates._part(where)

    @property
    def account(self) -> Account:
        """Which class is positive."""
        return self.study.account

    @property
    def estimates(self) -> ReaderEstimates:
        """The mean of the readers in every test, with standard error, df and interval."""
        rows = []
        for i, (test, value) in enumerate(zip(self.study.tests, self._values(), strict=True)):
            scatter = self._scatter(i)
            rows.append(
                ReaderEstimate(
                    test=test,
                    measure=self.measure.label,
                    value=float(value),
                    std_error=scatter.std_error,
                    df=scatter.df,
                    n_readers=int(self.table.sizes[i]),
                    bounds=self.measure.value_bounds,
                )
            )
        return ReaderEstimates(rows=tuple(rows))

    @property
    def by_reader(self) -> CellEstimates:
        """Every reader in every test, each for that reader alone."""
        study, rows = self.study, []
        spread = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        for c, (i, j) in enumerate(study.cells):
            rows.append(cell_estimate(study, i, j, self.measure, float(spread[c])))
        return CellEstimates(rows=tuple(rows))

    @property
    def components(self) -> ReaderComponents:
        """Mean squares, variances and covariances, by name; what a next study is planned with."""
        study = self.study
        return components_of(self.table, len(study.readers), study.n_pos, study.n_neg)

    @property
    def pvalue(self) -> float:
        """P-value of the difference, where there are two tests; `pairwise` has them all."""
        return self.pairwise().pvalue

    def pairwise(
        self,
        adjust: str = "holm",
        *,
        versus: str | None = None,
        alternative: Alternative = "two-sided",
        confidence_level: float = 0.95,
    ) -> Contrasts:
        """Test the difference of every pair of tests.

        Parameters
        ----------
        adjust : str, default "holm"
            How to adjust p-values for their number: "none", or a method of statsmodels by name.
        versus : str, optional
            Compare all others with this test instead of every pair.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against equality, about the first test less the second.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        Contrasts
            A test for every pair, with adjusted p-values.
        """
        pairs = self._pairs(versus)
        self._check_two()
        return self._contrasts(
            [self._difference(i, j, alternative) for i, j in pairs], adjust, confidence_level
        )

    def _pairs(self, versus: str | None) -> list[tuple[int, int]]:
        """Return the tests that are compared: every pair, or all others with one."""
        tests = range(len(self.study.tests))
        if versus is None:
            return list(combinations(tests, 2))
        other = self.study.find(versus, "test")
        return [(i, other) for i in tests if i != other]

    def reader_differences(
        self,
        adjust: str = "none",
        *,
        versus: str | None = None,
        alternative: Alternative = "two-sided",
        confidence_level: float = 0.95,
    ) -> Contrasts:
        """Test the difference of every pair of tests within each reader, for that reader alone.

        Parameters
        ----------
        adjust : str, default "none"
            How to adjust p-values for their number.
        versus : str, optional
            Compare all others with this test instead of every pair.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against equality, about the first test less the second.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        Contrasts
            A test for every reader and pair of tests, called "reader: a - b".
        """
        self._check_two()
        study, found = self.study, []
        place = {cell: c for c, cell in enumerate(study.cells)}
        for j, reader in enumerate(study.readers):
            for i, k in self._pairs(versus):
                if (i, j) not in place or (k, j) not in place:
                    continue
                a, b = place[i, j], place[k, j]
                s = self.covariance
                variance = float(s[a, a] + s[b, b] - 2.0 * s[a, b])
                found.append(
                    judge_difference(
                        f"{reader}: {study.tests[i]} - {study.tests[k]}",
                        float(self.cells.estimate[a] - self.cells.estimate[b]),
                        Scatter(std_error=math.sqrt(max(variance, 0.0)), df=math.inf),
                        alternative,
                        f"z test of one reader, {COVARIANCES[self.covariance_name]}",
                    )
                )
        if not found:
            raise InvalidOptionError("No reader read in two tests, so none has a difference.")
        return self._contrasts(found, adjust, confidence_level)

    def omnibus(self) -> OmnibusTest:
        """Test whether all tests are equal: F, or chi-square where readers are fixed.

        Returns
        -------
        OmnibusTest
            The test.
        """
        self._check_two()
        if self.method == "or":
            answer = self.table.omnibus(self.random)
            statistic, df, below = answer.statistic, answer.df, answer.df_denominator
            if statistic == math.inf:
                warn_no_variance(
                    "The tests differ with no variance at all, so the answer is not to be trusted."
                )
            as_f = self.random != "cases"
        else:
            statistic, df, below = self._quadratic()
            as_f = self.random == "both"
        return OmnibusTest(
            method=self._words(),
            statistic=statistic,
            df=df,
            df_denominator=below if as_f else math.inf,
            pvalue=_upper_tail(statistic, df, below, as_f),
        )

    def noninferiority(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.025,
    ) -> MarginTest:
        """Test that the new test is not worse than the standard by the margin.

        Parameters
        ----------
        margin : float
            By how much worse it may be, above 0.
        new : str, optional
            The test that is to be shown; the first of two.
        standard : str, optional
            The test it is held against; the other of two.
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        return self._margin("non-inferiority", margin, new, standard, significance)

    def superiority(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.025,
    ) -> MarginTest:
        """Test that the new test is better than the standard by more than the margin.

        Parameters
        ----------
        margin : float
            By how much better it must be, above 0.
        new : str, optional
            The test that is to be shown; the first of two.
        standard : str, optional
            The test it is held against; the other of two.
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        return self._margin("superiority", margin, new, standard, significance)

    def equivalence(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.05,
    ) -> MarginTest:
        """Test that the tests differ by less than the margin (two one-sided tests).

        Parameters
        ----------
        margin : float
            What counts as a difference, above 0.
        new : str, optional
            The one test; the first of two.
        standard : str, optional
            The other.
        significance : float, default 0.05
            Level of either one-sided test.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        return self._margin("equivalence", margin, new, standard, significance)

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the design, the tests, their differences, and whom the answer holds for."""
        study = self.study.statement()
        estimates = self.estimates.statement(confidence_level=confidence_level)
        parts, pairs = [], []
        if len(self.study.tests) > 1:
            stated = self.pairwise(confidence_level=confidence_level).statement()
            pairs, parts = list(stated.tidy), [stated]
        return Statement(
            head=f"{study.head}\nMean {self.measure.label} of the readers, by test:",
            rows=estimates.rows,
            shown=estimates.shown,
            notes=[self._words(), GENERALISES[self.random], *self.remarks()],
            parts=parts,
            content={
                "study": study.content,
                "measure": self.measure.name,
                "method": self.method,
                "covariance": self.covariance_name,
                "random": self.random,
                "estimates": estimates.rows,
                "pairwise": pairs,
                "omnibus": self.omnibus().to_dict() if pairs else None,
                "by_reader": self.by_reader.statement(confidence_level=confidence_level).rows,
                "components": dict(self.components),
                "remarks": self.remarks(),
            },
        )

    def remarks(self) -> list[str]:
        """Return what a reader of the answer must know beside it.

        Returns
        -------
        list of str
            Sentences; none where all is plain.
        """
        table, found = self.table, []
        both = self.method == "or" and self.random == "both" and table.t > 1
        if both and table.cov2 <= table.cov3 and (table.cov2 or table.cov3):
            found.append(
                "Two readers agree no more within a test than across tests (Cov2 <= Cov3), so "
                "cases add nothing to the variance of a difference, and the answer is that of "
                "fixed cases."
            )
        if self.method == "ustat" and not self.study.design.is_balanced:
            found.append(
                "Readers read different numbers of cases: the AUC of a test is that of all pairs "
                "of a positive and a negative case that a reader read, not the mean of the "
                "readers' AUCs."
            )
        for i, test in enumerate(self.study.tests):
            if self.moments is None and self._scatter(i).std_error == 0.0:
                found.append(
                    f"The mean {self.measure.label} of {test} varies neither over readers nor over "
                    "cases, so that it has no interval."
                )
        return found

    def plot(
        self,
        ax: Axes | None = None,
        *,
        confidence_level: float = 0.95,
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw every reader in every test with the interval, one below the other (a forest).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the intervals.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        return self.by_reader.plot(ax, confidence_level=confidence_level, color=color)

    def _check_two(self) -> None:
        if len(self.study.tests) < 2:
            raise InvalidOptionError(
                f"There is one test only ({self.study.tests[0]}), so nothing to compare it with."
            )

    def _values(self) -> Floats:
        if self.method == "or":
            return self.table.means
        weights: Floats = self._weights() @ self.cells.estimate
        return weights

    def _weights(self) -> Floats:
        """(t, C) weight of every cell in the value of its test."""
        own = self.cells.test == np.arange(self.table.t)[:, np.newaxis]
        size = self.cells.sizes.prod(axis=1)
        if self.method == "or" or not self.measure.is_auc:
            size = np.ones(size.size)
        found: Floats = own * size / (own * size).sum(axis=1, keepdims=True)
        return found

    def _scatter(self, first: int, second: int | None = None) -> Scatter:
        """Standard error of a test, or of the difference of two."""
        if self.method == "or":
            if second is None:
                return self.table.one_test(first, self.random)
            return self.table.difference(first, second, self.random)
        if self.moments is None:  # fixed readers
            weights = self._weights()
            line = weights[first] - (0.0 if second is None else weights[second])
            variance = float(line @ self.covariance @ line)
            return Scatter(std_error=math.sqrt(max(variance, 0.0)), df=math.inf)
        found = self.moments.scatter(first, second)
        if found.variance > 0.0:
            return Scatter(std_error=math.sqrt(found.variance), df=found.df)
        what = self.study.tests[first]
        if second is not None:
            what = f"{what} - {self.study.tests[second]}"
        warn_user(
            f"The unbiased variance of {what} is {found.variance:.4g}, which no variance can be; "
            f"that of the V-statistic, {found.variance_v:.4g}, is taken.",
            DegenerateVarianceWarning,
        )
        return Scatter(std_error=math.sqrt(max(found.variance_v, 0.0)), df=found.df_v)

    def _difference(self, first: int, second: int, alternative: Alternative) -> TestResult:
        check_option("alternative", alternative, ("two-sided", "less", "greater"))
        values, tests = self._values(), self.study.tests
        return judge_difference(
            f"{tests[first]} - {tests[second]}",
            float(values[first] - values[second]),
            self._scatter(first, second),
            alternative,
            self._words(),
        )

    def _contrasts(self, tests: Sequence[TestResult], adjust: str, level: float) -> Contrasts:
        return Contrasts(
            tests=tuple(tests),
            adjust=adjust,
            adjusted=adjust_pvalues([test.pvalue for test in tests], adjust),
            confidence_level=check_confidence_level(level),
            account=self.account,
        )

    def _quadratic(self) -> tuple[float, float, float]:
        """Statistic and degrees of freedom of all tests at once, by the covariance of their values.

        With both random the least degrees of freedom of a pair are taken, on the careful side.
        """
        t = self.table.t
        step = np.eye(t - 1, t) - np.eye(t - 1, t, k=1)
        values = step @ self._values()
        if self.moments is None:
            weights = self._weights()
            joint = weights @ self.covariance @ weights.T
            below = math.inf
        else:
            if t == 2:
                scatter = self._scatter(0, 1)
                ratio = _squared(float(values[0]), scatter.std_error)
                return ratio, 1.0, scatter.df
            two = [[self.moments.two(i, j) for j in range(t)] for i in range(t)]
            joint = np.array([[cell.covariance for cell in line] for line in two])
            below = min(self._scatter(i, j).df for i, j in combinations(range(t), 2))
            if not np.linalg.eigvalsh(step @ joint @ step.T)[0] > 0.0:
                joint = np.array([[cell.covariance_v for cell in line] for line in two])
        found = float(values @ np.linalg.pinv(step @ joint @ step.T) @ values)
        if self.moments is not None:
            found /= t - 1
        return found, float(t - 1), below

    def _margin(
        self, aim: str, margin: float, new: str | None, standard: str | None, significance: float
    ) -> MarginTest:
        self._check_two()
        tests = self.study.tests
        if new is None and standard is None and len(tests) > 2:
            raise InvalidOptionError(
                f"There are {len(tests)} tests ({listed(tests)}); name two with {keyword('new')} "
                f"and {keyword('standard')}."
            )
        places = [
            None if name is None else self.study.find(name, "test") for name in (new, standard)
        ]
        first, second = places
        if first is None:
            first = next(i for i in range(len(tests)) if i != second)
        if second is None:
            if len(tests) > 2:
                raise InvalidOptionError(f"Name the other test with {keyword('standard')}.")
            second = next(i for i in range(len(tests)) if i != first)
        if first == second:
            raise InvalidOptionError(
                f"{named('new')} and {named('standard')} are the same test ({tests[first]})."
            )
        level = check_significance(significance)
        check_margin(margin, below=largest_difference(self.measure))
        return judge_margin(self._difference(first, second, "two-sided"), aim, margin, level)

    def _words(self) -> str:
        drawn = {
            "both": "random readers and cases",
            "cases": "fixed readers, random cases",
            "readers": "random readers, fixed cases",
        }[self.random]
        if self.method == "ustat" and self.moments is not None:
            return f"U-statistics of readers and cases (Gallas), {drawn}, Bandos' df"
        how = "" if self.random == "readers" else f", covariance by {_HOW[self.covariance_name]}"
        if self.method == "ustat":
            return f"Weighted mean of readers, {drawn}{how}"
        df = ", Hillis' df" if self.random == "both" else ""
        return f"Obuchowski-Rockette, {drawn}{how}{df}"


_HOW = {
    "influence": "structural components",
    "jackknife": "the jackknife (DBM)",
    "unbiased": "U-statistics",
    "bootstrap": "the bootstrap",
}


def largest_difference(measure: Measure) -> float:
    """Return the largest difference that there can be, which no margin may reach."""
    low, high = measure.value_bounds
    return high - low


def judge_difference(
    name: str, estimate: float, scatter: Scatter, alternative: Alternative, method: str
) -> TestResult:
    """Return a difference against 0, degenerate cases included (STATISTICS.md 6.3)."""
    statistic = pvalue = math.nan
    if abs(estimate) <= ROUNDING:
        estimate = 0.0
    if scatter.std_error > 0.0:
        statistic = estimate / scatter.std_error
        pvalue = tail_probability(statistic, scatter.df, alternative)
    elif scatter.std_error == 0.0 and estimate == 0.0:
        warn_no_variance(f"{name} is 0 for every reader alike: p is 1, and nothing was tested.")
        statistic, pvalue = 0.0, 1.0
    elif scatter.std_error == 0.0:
        warn_no_variance(
            f"{name} is {estimate:.4g} with no variance at all, so the test is not to be trusted."
        )
        statistic = math.copysign(math.inf, estimate)
        pvalue = tail_probability(statistic, math.inf, alternative)
    return TestResult(
        contrast=name,
        method=method,
        null_value=0.0,
        alternative=alternative,
        estimate=estimate,
        std_error=scatter.std_error,
        statistic=statistic,
        df=scatter.df,
        pvalue=pvalue,
    )


def _squared(estimate: float, std_error: float) -> float:
    if std_error > 0.0:
        return (estimate / std_error) ** 2
    return 0.0 if abs(estimate) <= ROUNDING else math.inf


def _upper_tail(statistic: float, df: float, below: float, as_f: bool) -> float:
    from scipy.special import chdtrc, fdtrc

    if math.isnan(statistic):
        return math.nan
    if math.isinf(statistic):
        return 0.0
    if as_f and math.isfinite(below):
        return float(fdtrc(df, below, statistic))
    return float(chdtrc(df, statistic * df if as_f else statistic))


def reader_measure(
    measure: str | Measure, threshold: float | None, *, higher_is_positive: bool = True
) -> Measure:
    """Return the measure of that name; sensitivity and specificity need a threshold."""
    if isinstance(measure, str) and measure in RATES:
        level = as_number(threshold)
        if not math.isfinite(level):
            raise InvalidOptionError(
                f"{measure.capitalize()} needs the rating from which a case is called positive; "
                f"give it with {keyword('threshold')}."
            )
        return rate_at(measure, level if higher_is_positive else -level)
    if threshold is not None:
        raise InvalidOptionError(
            f"{named('threshold')} is for {keyword('measure', 'sensitivity')} and "
            f"{keyword('measure', 'specificity')} only."
        )
    return find_measure(measure)


def compare_readers(
    study: ReaderStudy,
    measure: str | Measure = "auc",
    *,
    readers: Effect = "random",
    cases: Effect = "random",
    covariance: str = "influence",
    method: str = "auto",
    threshold: float | None = None,
    missing: str = "available",
    resampling: Bootstrap = _DEFAULT,
) -> ReaderComparison:
    """Compare the tests of a reader study (many readers, many cases).

    Parameters
    ----------
    study : ReaderStudy
        The study; its design is recognised from the ids.
    measure : str or Measure, default "auc"
        What is estimated of every reader in every test: "auc", "sauc", "smauc", "sensitivity" or
        "specificity" at a `threshold`, or a `Measure` such as `partial_area` gives.
    readers : {"random", "fixed"}, default "random"
        Whether the answer is to hold for other readers, or for these alone.
    cases : {"random", "fixed"}, default "random"
        Whether the answer is to hold for other cases, or for these alone.
    covariance : {"influence", "jackknife", "unbiased", "bootstrap"}, default "influence"
        The covariance over cases: structural components, DeLong's for the AUC; the jackknife of
        Dorfman, Berbaum and Metz; unbiased; or by the bootstrap.
    method : {"auto", "or", "ustat"}, default "auto"
        "or" is Obuchowski and Rockette's analysis with Hillis' degrees of freedom, for designs that
        are crossed or nested; "ustat" that of Gallas by U-statistics, for the AUC in any design;
        "auto" takes "or" where the design allows it.
    threshold : float, optional
        The rating from which a case is called positive, for sensitivity and specificity.
    missing : {"available", "complete_cases"}, default "available"
        Take every reading there is, or only cases that every reader read in every test.
    resampling : Bootstrap, default Bootstrap()
        How to bootstrap, for ``covariance="bootstrap"``.

    Returns
    -------
    ReaderComparison
        Estimates by test and by reader, differences with their df, margins, components.

    See Also
    --------
    compare_to_readers : Compare a stand-alone AI with readers.
    sample_size_readers : Cases or readers that a reader study needs.
    compare : Compare classifiers on the same subjects, without readers.

    Notes
    -----
    With r readers in each of t tests, all crossed with the cases, both random,

        F = MS(T) / (MS(TR) + r max(Cov2 - Cov3, 0))

    has t - 1 and, by Hillis (2007), ``den**2 / (MS(TR)**2 / ((t - 1)(r - 1)))`` degrees of freedom.
    With ``covariance="jackknife"`` this is the analysis of Dorfman, Berbaum and Metz (1992).

    R equivalent: ``MRMCaov::mrmc(empirical_auc(truth, rating), test, reader, case, cov = DeLong)``;
    iMRMC's ``doIMRMC`` for ``method="ustat"``.

    References
    ----------
    Obuchowski & Rockette (1995), doi:10.1080/03610919508813243; Hillis (2007),
    doi:10.1002/sim.2532; Gallas et al. (2009), doi:10.1080/03610920802610084.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.datasets.load_reader_study()
    >>> found = rs.compare_readers(study)
    >>> test = found.pairwise()[0]
    >>> round(test.estimate, 4), round(test.df, 2), round(test.pvalue, 4)
    (-0.0727, 45.21, 0.077)
    """
    check_option("readers", readers, ("random", "fixed"))
    check_option("cases", cases, ("random", "fixed"))
    check_option("method", method, ("auto", "or", "ustat"))
    check_option("missing", missing, ("available", "complete_cases"))
    check_option("covariance", covariance, COVARIANCES)
    if not isinstance(study, ReaderStudy):
        raise InvalidOptionError(
            "A ReaderStudy was expected; build one with rs.ReaderStudy.from_frame."
        )
    if readers == cases == "fixed":
        raise InvalidOptionError(
            f"{keyword('readers', 'fixed')} and {keyword('cases', 'fixed')} leave nothing that "
            "varies; one of them must be random."
        )
    random = "both" if readers == cases else ("cases" if readers == "fixed" else "readers")
    what = reader_measure(measure, threshold, higher_is_positive=study.higher_is_positive)
    if missing == "complete_cases":
        study = study.complete_cases()
    _check_readers(study, random)
    way = _choose_way(study, method)
    rows = cell_rows(study, what)
    if way == "or" and not study.design.is_balanced:
        raise InvalidOptionError(
            f"{keyword('method', 'or')} is for designs that are crossed or nested, and in this one "
            f"{study.design.words}; take {keyword('method', 'ustat')}, or "
            f"{keyword('missing', 'complete_cases')}."
        )
    moments = None
    if way == "ustat":
        _check_ustat(study, what, random, covariance)
        if random == "both":
            moments = ReaderMoments(pair_sums(rows), rows.test, rows.reader)
    spread = case_covariance(rows, covariance, resampling)
    table = MeanSquares(
        rows.estimate, spread, rows.test, rows.reader, nested=study.design.readers_nested
    )
    return ReaderComparison(
        study=study,
        measure=what,
        random=random,
        method=way,
        covariance=spread,
        covariance_name=covariance,
        cells=rows,
        table=table,
        moments=moments,
    )


def _choose_way(study: ReaderStudy, method: str) -> str:
    if method != "auto":
        return method
    return "or" if study.design.is_balanced else "ustat"


def _check_readers(study: ReaderStudy, random: str) -> None:
    if random == "cases":
        return
    sizes = np.bincount([i for i, _ in study.cells])
    few = len(study.readers) if not study.design.readers_nested else int(sizes.max())
    if few < 2:
        raise InvalidOptionError(
            f"There is {counted(len(study.readers), 'reader')} in a test, and random readers need "
            f"two; treat readers as fixed, with {keyword('readers', 'fixed')}."
        )


def _check_ustat(study: ReaderStudy, measure: Measure, random: str, covariance: str) -> None:
    if random == "readers":
        raise InvalidOptionError(
            f"{keyword('cases', 'fixed')} needs readers who read the same cases; take "
            f"{keyword('missing', 'complete_cases')}."
        )
    if random == "cases":
        return
    if not measure.is_auc:
        raise InvalidOptionError(
            f"U-statistics of readers and cases are for the AUC, not for {measure.label}; take "
            f"{keyword('readers', 'fixed')}, or {keyword('missing', 'complete_cases')}."
        )
    if study.cluster is not None:
        raise InvalidOptionError(
            "U-statistics take cases as independent, which clusters are not; take "
            f"{keyword('missing', 'complete_cases')}."
        )
    if covariance not in ("influence", "unbiased"):
        raise InvalidOptionError(
            f"{keyword('method', 'ustat')} has a covariance of its own, so "
            f"{keyword('covariance', covariance)} cannot be given with it."
        )
