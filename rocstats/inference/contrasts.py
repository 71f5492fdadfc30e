"""Contrasts: linear combinations of estimates, tested one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.sample import Account
from rocstats.engine.contrast_terms import ContrastTerms, contrast_terms
from rocstats.engine.influence import Influence
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    as_number,
    check_option,
    listed,
    named,
    shown,
    warn_user,
)
from rocstats.estimates.results import (
    TEST_COLUMNS,
    Alternative,
    ConfidenceInterval,
    Pivot,
    TestResult,
)
from rocstats.inference.adjusted_pvalues import ADJUSTMENTS, adjust_pvalues
from rocstats.tables import Answer, Rows, Statement, plot_forest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ADJUSTMENTS",
    "INTERVALS",
    "ROUNDING",
    "Contrasts",
    "Intervals",
    "adjust_pvalues",
    "check_margin",
    "judge_contrasts",
    "tail_probability",
    "warn_no_variance",
]

Intervals = Literal["pointwise", "simultaneous"]
INTERVALS: tuple[Intervals, ...] = ("pointwise", "simultaneous")
ROUNDING = 8 * np.finfo(np.float64).eps  # differences this small beside their terms are 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Contrasts(Rows[TestResult], Answer):
    """Several contrasts, with p-values adjusted for their number.

    Attributes
    ----------
    tests : tuple of TestResult
        The tests, one by one.
    adjust : str
        How the p-values were adjusted.
    adjusted : tuple of float
        The adjusted p-values.
    confidence_level : float
        Level of the intervals.
    intervals : str
        "pointwise" where each interval has the level by itself, "simultaneous" where all have it
        together, by Bonferroni's inequality.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    Comparison.pairwise : Test the difference of every pair of classifiers.
    TestResult : A contrast against its null value.
    """

    tests: tuple[TestResult, ...]
    adjust: str
    adjusted: tuple[float, ...]
    confidence_level: float
    intervals: Intervals = "pointwise"
    account: Account | None = None

    _one: ClassVar = "contrast"

    def _names(self) -> list[tuple[str]]:
        return [(test.contrast,) for test in self.tests]

    def _row(self, i: int) -> TestResult:
        return self.tests[i]

    def _part(self, where: Sequence[int]) -> Contrasts:
        return replace(
            self,
            tests=tuple(self.tests[i] for i in where),
            adjusted=tuple(self.adjusted[i] for i in where),
        )

    @property
    def estimate(self) -> float:
        """Estimate of the only contrast there is."""
        return self._only.estimate

    @property
    def std_error(self) -> float:
        """Standard error of the only contrast there is."""
        return self._only.std_error

    @property
    def statistic(self) -> float:
        """Statistic of the only contrast there is."""
        return self._only.statistic

    @property
    def df(self) -> float:
        """Degrees of freedom of the only contrast there is."""
        return self._only.df

    @property
    def pvalue(self) -> float:
        """P-value of the only contrast there is."""
        return self._only.pvalue

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval of the only contrast there is.

        Parameters
        ----------
        confidence_level : float, optional
            Level of the interval; that of the contrasts by default.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        level = self.confidence_level if confidence_level is None else confidence_level
        return self._only.confidence_interval(level)

    @property
    def _only(self) -> TestResult:
        if len(self.tests) == 1:
            return self.tests[0]
        names = [test.contrast for test in self.tests]
        raise InvalidOptionError(
            f"There are {len(names)} contrasts ({listed(names)}); take one, as in "
            f"contrasts[{names[0]!r}]."
        )

    @property
    def each_level(self) -> float:
        """Level of every interval by itself."""
        if self.intervals == "pointwise":
            return self.confidence_level
        size = sum(not math.isnan(test.pvalue) for test in self.tests)
        return 1.0 - (1.0 - self.confidence_level) / max(size, 1)

    def statement(self) -> Statement:
        """Return a row for each contrast, and how p-values and intervals were made."""
        rows = []
        for test, adjusted in zip(self.tests, self.adjusted, strict=True):
            row = dict(test.statement(confidence_level=self.each_level).row)
            head = ("contrast", "estimate", "std_error", "statistic", "df", "p_value")
            first = {name: row.pop(name) for name in head}
            rows.append(first | {"p_adjusted": adjusted} | row)
        null_value = self.tests[0].null_value
        against = f", against {null_value:g}" if null_value else ""
        return Statement(
            rows=rows,
            shown=_SHOWN_ADJUSTED,
            notes=[
                f"{self.tests[0].method}, {self.tests[0].alternative}{against}; "
                f"p adjusted: {self.adjust}; "
                f"{self.confidence_level:.0%} intervals, {_INTERVALS[self.intervals]}",
                *self._dissents(),
            ],
            content={"contrasts": rows, "adjust": self.adjust, "intervals": self.intervals},
        )

    def _dissents(self) -> list[str]:
        """How other tests disagree, and which contrasts were judged otherwise than the first."""
        other = [t.contrast for t in self.tests if t.method != self.tests[0].method]
        words = {t.method for t in self.tests} - {self.tests[0].method}
        mixed = [f"{listed(other)}: {listed(sorted(words))}"] if other else []
        found = [test.dissent(1.0 - self.confidence_level) for test in self.tests]
        return [*mixed, *filter(None, found)]

    def plot(self, ax: Axes | None = None, *, color: str | tuple[float, ...] | None = None) -> Axes:
        """Draw the contrasts with their intervals, one below the other, and the null value.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        return plot_forest(
            self.statement().tidy,
            [test.contrast for test in self.tests],
            ax,
            x_label=f"Contrast ({100.0 * self.confidence_level:g}% CI)",
            level=self.tests[0].null_value,
            color=color,
        )


_INTERVALS = {"pointwise": "not adjusted", "simultaneous": "simultaneous by Bonferroni"}
_SHOWN_ADJUSTED = (*TEST_COLUMNS[:6], "p_adjusted", *TEST_COLUMNS[6:])


def judge_contrasts(
    influence: Influence,
    names: Sequence[str],
    scale: Floats,
    *,
    weights: Floats | None = None,
    terms: ContrastTerms | None = None,
    reference: str = "auto",
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    pivots: Sequence[Pivot | None] = (),
) -> tuple[TestResult, ...]:
    """Test every row of `influence`, or every contrast of its rows, against the null value.

    `weights` has a line for each contrast, and `terms` what their standard errors are made of,
    where that is known. `scale` is the size of the terms each contrast is made of: what is small
    beside it is 0. The reference ``"auto"`` is t with Satterthwaite's degrees of freedom
    (STATISTICS.md 6.2). `pivots` has for each contrast its statistic at every null, where that is
    not DeLong's.
    """
    check_option("reference", reference, ("auto", "t", "normal"))
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    if not math.isfinite(as_number(null_value)):
        raise InvalidOptionError(
            f"{named('null_value')} must be a finite number, got {shown(null_value)}."
        )
    lines = np.eye(len(names)) if weights is None else weights
    found = contrast_terms(influence, lines) if terms is None else terms
    few, most_df = min(influence.units().tolist()) < 2, influence.most_df()
    delong, clusters = _components_in_words(influence), _clusters_in_words(influence)
    results = []
    for i, name in enumerate(names):
        (own, support), estimate = found.line(i), float(found.estimate[i])
        variance, std_error = sum(own), math.nan
        if not math.isnan(variance):
            std_error = float(found.unit[i]) * math.sqrt(max(variance, 0.0))
        std_error = 0.0 if std_error <= ROUNDING * scale[i] else std_error
        df = math.inf
        if reference != "normal":
            df = min(satterthwaite_df(own[:-1], support), most_df)
        difference = estimate - null_value
        if abs(difference) <= ROUNDING * (scale[i] + abs(null_value)):
            difference = 0.0
        if math.isnan(std_error) and not few:  # else that was said already
            warn_no_variance(f"{name} has no standard error here, so its test is nan.")
        pivot, plain_df = pivots[i] if pivots else None, df
        letter = "z" if reference == "normal" else "t"
        if pivot is None:
            answer = _judge(difference, std_error, df, alternative, name)
            words = f"{letter} test of {delong}"
        else:
            answer = _judge_at_null(pivot, null_value, difference, std_error, alternative, name)
            words = _WORDS[pivot.name].format(letter) + clusters
        statistic, df, pvalue = answer
        results.append(
            TestResult(
                contrast=name,
                method=words,
                null_value=null_value,
                alternative=alternative,
                estimate=estimate,
                std_error=std_error,
                statistic=statistic,
                df=df,
                pvalue=pvalue,
                pivot=pivot,
                wald_df=None if pivot is None else plain_df,
            )
        )
    return tuple(results)


_WORDS = {
    "score": "{} test, variance at the null",
    "mover": "MOVER, from the limits of either area",
}


def _judge_at_null(
    pivot: Pivot,
    null_value: float,
    difference: float,
    std_error: float,
    alternative: Alternative,
    name: str,
) -> tuple[float, float, float]:
    if math.isnan(std_error):
        return math.nan, math.nan, math.nan
    if std_error == 0.0:
        warn_no_variance(
            f"{name} has no variance in this sample, so its test rests on what samples of this "
            "size have; a permutation test needs none."
            if difference
            else f"{name} is 0 for every subject alike: p is 1, and nothing was tested."
        )
    statistic, df = pivot.judge(null_value)
    statistic = statistic if difference else 0.0
    return statistic, df, tail_probability(statistic, df, alternative)


def _judge(
    difference: float, std_error: float, df: float, alternative: Alternative, name: str
) -> tuple[float, float, float]:
    """Return statistic, degrees of freedom and p-value, degenerate cases included (6.3)."""
    if math.isnan(std_error) or math.isnan(difference):
        return math.nan, math.nan, math.nan
    if std_error > 0.0:
        statistic = difference / std_error
        return statistic, df, tail_probability(statistic, df, alternative)
    if difference == 0.0:
        warn_no_variance(f"{name} is 0 for every subject alike: p is 1, and nothing was tested.")
        return 0.0, 0.0, 1.0
    warn_no_variance(
        f"{name} is {difference:.4g} with no variance at all, so the test is not to be trusted; "
        "take a permutation test."
    )
    statistic = math.copysign(math.inf, difference)
    return statistic, 0.0, tail_probability(statistic, math.inf, alternative)


def _components_in_words(influence: Influence) -> str:
    if influence.cluster is None:
        return influence.components
    return f"structural components{_clusters_in_words(influence)}"


def _clusters_in_words(influence: Influence) -> str:
    if influence.cluster is None:
        return ""
    return f", {influence.n_clusters()} clusters"


def warn_no_variance(sentence: str) -> None:
    """Warn that a test rests on no variance."""
    warn_user(sentence, DegenerateVarianceWarning)


def tail_probability(statistic: float, df: float, alternative: Alternative) -> float:
    """Return the p-value of a t statistic (normal where df is inf)."""
    from scipy.special import ndtr, stdtr

    def below(x: float) -> float:
        return float(ndtr(x) if math.isinf(df) else stdtr(df, x))

    if alternative == "two-sided":
        return 2.0 * below(-abs(statistic))
    return below(statistic if alternative == "less" else -statistic)


def check_margin(margin: float, *, below: float = math.inf) -> float:
    """Return the margin as a positive number, below the largest difference there can be."""
    value = as_number(margin)
    if not 0.0 < value < below:
        least = "" if math.isinf(below) else f" below {below:g}"
        raise InvalidOptionError(
            f"{named('margin')} must be a positive number{least}, got {margin!r}."
        )
    return value
