"""Contrasts: linear combinations of estimates, tested one by one and all at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocstats.blocks import Floats
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    SmallSampleWarning,
    as_number,
    check_confidence_level,
    check_option,
    warn_user,
)
from rocstats.influence import Influence
from rocstats.results import ConfidenceInterval, html_table, show_value, text_table, tidy_frame
from rocstats.variances import satterthwaite_df

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Contrasts", "OmnibusTest", "TestResult", "judge_contrasts", "judge_omnibus"]

Alternative = Literal["two-sided", "less", "greater"]
ADJUSTMENTS = (  # by statsmodels, and named as there
    *("none", "bonferroni", "sidak", "holm", "holm-sidak"),
    *("simes-hochberg", "hommel", "fdr_bh", "fdr_by"),
)
_ROUNDING = 8 * np.finfo(np.float64).eps  # differences this small beside their terms are 0
_RANK = 1e-10  # eigenvalues below this share of the largest count as 0 (STATISTICS.md 6.1)
_OUTSIDE = 1e-8  # a difference this far outside the range of its covariance is impossible (6.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One contrast against its null value.

    Attributes
    ----------
    contrast : what is tested, such as "a - b"
    method : test and reference distribution in words
    null_value, alternative : the hypothesis
    estimate, std_error, statistic, df, pvalue : the answer; ``df`` is inf for a normal reference
    """

    __test__ = False

    contrast: str
    method: str
    null_value: float
    alternative: Alternative
    estimate: float
    std_error: float
    statistic: float
    df: float
    pvalue: float

    def confidence_interval(self, *, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the limits that go with the test; one-sided where the alternative is."""
        level = check_confidence_level(confidence_level)
        tail = (1.0 - level) / 2.0 if self.alternative == "two-sided" else 1.0 - level
        # Without variance there is no honest interval.
        reach = _quantile(self.df, tail) * self.std_error if self.std_error > 0.0 else math.nan
        low = -math.inf if self.alternative == "less" else self.estimate - reach
        high = math.inf if self.alternative == "greater" else self.estimate + reach
        method = "wald" if math.isinf(self.df) else "wald_t"
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=method)

    def to_dict(self, *, confidence_level: float = 0.95) -> dict[str, Any]:
        """Return the tidy row as built-in types."""
        limits = self.confidence_interval(confidence_level=confidence_level)
        return {
            "contrast": self.contrast,
            "estimate": self.estimate,
            "std_error": self.std_error,
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.pvalue,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "null_value": self.null_value,
            "alternative": self.alternative,
            "method": self.method,
        }

    def to_frame(self, *, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return the tidy row as a pandas data frame."""
        return tidy_frame([self.to_dict(confidence_level=confidence_level)])

    def __repr__(self) -> str:
        row = self.to_dict()
        reference = "z" if self.method.startswith("z") else f"t({self.df:.1f})"
        return (
            f"{self.contrast}: {show_value(self.estimate)} "
            f"({row['conf_level']:.0%} CI {show_value(row['conf_low'])} to "
            f"{show_value(row['conf_high'])}), {reference} = {self.statistic:.3f}, "
            f"p {show_p(self.pvalue)}\n{self.method}, {self.alternative}"
            + (f", against {self.null_value:g}" if self.null_value else "")
        )

    def _repr_html_(self) -> str:
        return html_table([self.to_dict()], _SHOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusTest:
    """All contrasts at once: are they all zero?

    Attributes
    ----------
    method : test and reference distribution in words
    statistic : chi-square, or F
    df : degrees of freedom: the rank of the contrasts' covariance
    df_denominator : those of F below; inf for chi-square
    pvalue : the answer
    """

    method: str
    statistic: float
    df: float
    df_denominator: float = math.inf
    pvalue: float

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as built-in types."""
        return {
            "method": self.method,
            "statistic": self.statistic,
            "df": self.df,
            "df_denominator": self.df_denominator,
            "p_value": self.pvalue,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the answer as a pandas data frame of one row."""
        return tidy_frame([self.to_dict()])

    def __repr__(self) -> str:
        name, df = "chi-square", f"{self.df:g}"
        if math.isfinite(self.df_denominator):
            name, df = "F", f"{df}, {self.df_denominator:.6g}"
        return f"{self.method}: {name}({df}) = {self.statistic:.3f}, p {show_p(self.pvalue)}"

    def _repr_html_(self) -> str:
        shown = ("method", "statistic", "df", "df_denominator", "p_value")
        return html_table([self.to_dict()], shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrasts:
    """Several contrasts, with p-values adjusted for their number.

    Attributes
    ----------
    tests : the tests, one by one
    adjust : how the p-values were adjusted
    adjusted : the adjusted p-values
    confidence_level : of the intervals, which are not adjusted
    """

    tests: tuple[TestResult, ...]
    adjust: str
    adjusted: tuple[float, ...]
    confidence_level: float

    def to_dict(self) -> dict[str, Any]:
        """Return the tidy rows as built-in types."""
        rows = []
        for test, adjusted in zip(self.tests, self.adjusted, strict=True):
            row = test.to_dict(confidence_level=self.confidence_level)
            head = ("contrast", "estimate", "std_error", "statistic", "df", "p_value")
            first = {name: row.pop(name) for name in head}
            rows.append(first | {"p_adjusted": adjusted} | row)
        return {"contrasts": rows, "adjust": self.adjust}

    def to_frame(self) -> pd.DataFrame:
        """Return the tidy rows as a pandas data frame."""
        return tidy_frame(self.to_dict()["contrasts"])

    def __repr__(self) -> str:
        null_value = self.tests[0].null_value
        against = f", against {null_value:g}" if null_value else ""
        return (
            f"{text_table(self.to_dict()['contrasts'], _SHOWN_ADJUSTED)}\n"
            f"{self.tests[0].method}, {self.tests[0].alternative}{against}; "
            f"p adjusted: {self.adjust}; "
            f"{self.confidence_level:.0%} intervals, not adjusted"
        )

    def _repr_html_(self) -> str:
        return html_table(self.to_dict()["contrasts"], _SHOWN_ADJUSTED)


_SHOWN = (
    "contrast",
    "estimate",
    "std_error",
    "statistic",
    "df",
    "p_value",
    "conf_low",
    "conf_high",
)
_SHOWN_ADJUSTED = (*_SHOWN[:6], "p_adjusted", *_SHOWN[6:])


def show_p(pvalue: float) -> str:
    """Return ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if pvalue < 0.0001 else f"= {pvalue:.4f}"


def judge_contrasts(
    influence: Influence,
    names: Sequence[str],
    scale: Floats,
    *,
    reference: str = "auto",
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
) -> tuple[TestResult, ...]:
    """Test every row of `influence`, a contrast, against the null value.

    `scale` is the size of the terms each contrast is made of: what is small beside it is 0. The
    reference ``"auto"`` is t with Satterthwaite's degrees of freedom (STATISTICS.md 6.2).
    """
    check_option("reference", reference, ("auto", "t", "normal"))
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    plain, size = influence.scaled()
    terms = plain.covariance_terms()
    units = influence.units()
    results = []
    for i, name in enumerate(names):
        variance, estimate = float(terms[:, i, i].sum()), float(influence.estimate[i])
        std_error = math.nan
        if not math.isnan(variance):
            std_error = float(size[i]) * math.sqrt(max(variance, 0.0))
        std_error = 0.0 if std_error <= _ROUNDING * scale[i] else std_error
        df = math.inf
        if reference != "normal":
            df = min(satterthwaite_df(terms[:-1, i, i], units), influence.most_df())
        difference = estimate - null_value
        if abs(difference) <= _ROUNDING * (scale[i] + abs(null_value)):
            difference = 0.0
        if math.isnan(std_error) and int(units.min()) >= 2:  # else that was said already
            _warn_no_variance(f"{name} has no standard error here, so its test is nan.")
        statistic, df, pvalue = _judge(difference, std_error, df, alternative, name)
        results.append(
            TestResult(
                contrast=name,
                method=f"{'z' if reference == 'normal' else 't'} test of structural components"
                + _clusters_in_words(influence),
                null_value=null_value,
                alternative=alternative,
                estimate=estimate,
                std_error=std_error,
                statistic=statistic,
                df=df,
                pvalue=pvalue,
            )
        )
    return tuple(results)


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
        _warn_no_variance(f"{name} is 0 for every subject alike: p is 1, and nothing was tested.")
        return 0.0, 0.0, 1.0
    _warn_no_variance(
        f"{name} is {difference:.4g} with no variance at all, so the test is not to be trusted; "
        "take a permutation test."
    )
    statistic = math.copysign(math.inf, difference)
    return statistic, 0.0, tail_probability(statistic, math.inf, alternative)


def _clusters_in_words(influence: Influence) -> str:
    if influence.cluster is None:
        return ""
    return f", {np.unique(influence.cluster).size} clusters"


def _warn_no_variance(sentence: str) -> None:
    warn_user(sentence, DegenerateVarianceWarning)


def tail_probability(statistic: float, df: float, alternative: Alternative) -> float:
    """Return the p-value of a t statistic (normal where df is inf)."""
    from scipy.special import ndtr, stdtr

    def below(x: float) -> float:
        return float(ndtr(x) if math.isinf(df) else stdtr(df, x))

    if alternative == "two-sided":
        return 2.0 * below(-abs(statistic))
    return below(statistic if alternative == "less" else -statistic)


def _quantile(df: float, tail: float) -> float:
    from scipy.special import ndtri, stdtrit

    return -float(ndtri(tail) if math.isinf(df) or not df > 0.0 else stdtrit(df, tail))


def judge_omnibus(influence: Influence, scale: Floats, *, reference: str = "auto") -> OmnibusTest:
    """Test whether all rows of `influence`, contrasts, are zero (STATISTICS.md 6.1, 6.2).

    ``"chi2"`` refers the quadratic form to chi-square on the rank of the covariance; ``"F"``
    allows for small samples; ``"auto"`` takes F below 100 subjects in a class, and for one contrast
    the square of its t.
    """
    check_option("reference", reference, ("auto", "chi2", "F"))
    # Contrasts of any unit are brought to one before small is told from large.
    plain, unit = influence.scaled()
    covariance = plain.covariance()
    if np.isnan(covariance).any():
        return OmnibusTest(method="Omnibus test", statistic=math.nan, df=math.nan, pvalue=math.nan)
    spread = np.sqrt(np.diag(covariance))
    varies = spread * unit > _ROUNDING * scale
    spread = np.where(varies, spread, 1.0)
    covariance = covariance * np.outer(varies / spread, varies / spread)
    difference = np.where(np.abs(influence.estimate) <= _ROUNDING * scale, 0.0, influence.estimate)
    difference = difference / (unit * spread)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > _RANK * max(values[-1], 0.0)
    rank = int(np.count_nonzero(kept))
    if rank >= influence.capacity() and len(difference) > rank:
        warn_user(
            f"So few subjects or clusters cannot tell {len(difference)} contrasts apart; the "
            "answer is nan.",
            SmallSampleWarning,
        )
        return OmnibusTest(method="Omnibus test", statistic=math.nan, df=math.nan, pvalue=math.nan)
    inside = vectors[:, kept].T @ difference
    outside = difference - vectors[:, kept] @ inside
    quadratic = float((inside**2 / values[kept]).sum())
    length = float(np.abs(difference).max())
    if float(np.abs(outside).max()) > _OUTSIDE * length:
        _warn_no_variance(
            "Some contrasts differ from 0 with no variance at all, so the test is not to be "
            "trusted; take a permutation test."
        )
        quadratic = math.inf
    elif rank == 0:
        _warn_no_variance("All contrasts are 0 for every subject alike: nothing was tested.")
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    vectors = vectors[:, kept] / spread[:, np.newaxis]
    return _refer(quadratic, max(rank, 1), plain, vectors, reference)


def _refer(
    quadratic: float,
    rank: int,
    influence: Influence,
    vectors: Floats,
    reference: str,
) -> OmnibusTest:
    from scipy.special import chdtrc, fdtrc

    smallest = int(influence.units().min())
    single = rank == 1 and vectors.shape[1] == 1
    if reference == "chi2" or (reference == "auto" and smallest >= 100 and not single):
        pvalue = float(chdtrc(rank, quadratic))
        return OmnibusTest(
            method="Omnibus test, chi-square", statistic=quadratic, df=float(rank), pvalue=pvalue
        )
    nu = min(2.0 * smallest - 2.0, influence.most_df())
    below = nu - rank + 1.0
    statistic = quadratic * below / (rank * nu)
    if single:
        only = influence.contrast(vectors[:, 0])
        below = satterthwaite_df(only.covariance_terms()[:-1, 0, 0], only.units())
        below, statistic = min(below, influence.most_df()), quadratic
    if not below > 0.0:
        warn_user(
            f"With {smallest} subjects or clusters in a class, {rank} contrasts cannot be tested "
            "together; the answer is nan.",
            SmallSampleWarning,
        )
        return OmnibusTest(
            method="Omnibus test, F",
            statistic=math.nan,
            df=float(rank),
            df_denominator=below,
            pvalue=math.nan,
        )
    pvalue = float(fdtrc(rank, below, statistic)) if math.isfinite(statistic) else 0.0
    return OmnibusTest(
        method="Omnibus test, F",
        statistic=statistic,
        df=float(rank),
        df_denominator=below,
        pvalue=pvalue,
    )


def adjust_pvalues(pvalues: Sequence[float], adjust: str) -> tuple[float, ...]:
    """Return p-values adjusted for their number by statsmodels; nan stays nan and counts not."""
    check_option("adjust", adjust, ADJUSTMENTS)
    known = [p for p in pvalues if not math.isnan(p)]
    if adjust == "none" or len(known) < 2:
        return tuple(pvalues)
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

    with np.errstate(divide="ignore"):  # p = 1 in the logarithms of Sidak's methods
        adjusted = iter(multipletests(known, method=adjust)[1].tolist())
    return tuple(math.nan if math.isnan(p) else float(next(adjusted)) for p in pvalues)


def check_margin(margin: float) -> float:
    """Return the margin as a positive number, or refuse it."""
    value = as_number(margin)
    if not 0.0 < value < math.inf:
        raise InvalidOptionError(f"margin must be a positive number, got {margin!r}.")
    return value
