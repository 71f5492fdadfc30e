"""Tests of paired differences from overlapping resamples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.columns import as_doubles
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    as_number,
    check_option,
    named,
    warn_user,
)
from rocstats.estimates.results import Alternative, TestResult

__all__ = [
    "FEW_ROWS",
    "NADEAU_BENGIO",
    "corrected_t_test",
    "few_rows_words",
    "sign_test_p",
    "t_of_differences",
    "wins_and_losses",
]

NADEAU_BENGIO = "t with the Nadeau-Bengio variance"
FEW_ROWS = 100.0  # below it sizes of .08 to .12 were found (docs/evidence/corrected.md)
_ROUNDING = 1e-12  # a spread this small beside the differences is none


def corrected_t_test(
    differences: Any,
    *,
    n_train: int,
    n_test: int,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    contrast: str = "difference",
) -> TestResult:
    """Test the mean difference of two learners over resamples of one data set.

    Parameters
    ----------
    differences : array-like of shape (J,)
        Differences of a performance, one a split or a fold of any repetition.
    n_train : int
        Rows that a split learns from; rows that choose a model count among them.
    n_test : int
        Rows that a split is tested on.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against the null value.
    null_value : float, default 0.0
        The mean difference under the null hypothesis.
    contrast : str, default "difference"
        What the differences are, such as "sauc - auc".

    Returns
    -------
    TestResult
        The mean difference, its test and its interval.

    See Also
    --------
    select_model : Choose among models on validation rows.
    compare : Compare classifiers on the same subjects.

    Notes
    -----
    The splits share rows, so the plain t test, with variance s^2 / J, rejects too often, and the
    more the more splits there are. Nadeau & Bengio take (1/J + n_test/n_train) s^2, which assumes
    that two splits are correlated as n_test / (n_train + n_test); J - 1 degrees of freedom. For
    r repetitions of k-fold cross-validation J is r k (Bouckaert & Frank). The correlation is a
    heuristic: what is learnt from few rows varies as well, so that of fewer than 100 rows in all
    the test rejects up to .12 where .05 is meant, with a `SmallSampleWarning`
    (docs/evidence/corrected.md).

    References
    ----------
    Nadeau & Bengio (2003), doi:10.1023/A:1024068626366; Bouckaert & Frank (2004),
    doi:10.1007/978-3-540-24775-3_3.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.corrected_t_test([0.02, 0.01, 0.04, 0.00, 0.03], n_train=90, n_test=10)
    difference: 0.0200 (95% CI -0.0045 to 0.0445), t(4.0) = 2.268, p = 0.0859
    t with the Nadeau-Bengio variance, two-sided
    """
    sizes = [as_number(size) for size in (n_train, n_test)]
    if not all(size > 0.0 and math.isfinite(size) for size in sizes):
        raise InvalidOptionError(
            f"{named('n_train')} and {named('n_test')} must be numbers of rows, got {n_train!r} "
            f"and {n_test!r}."
        )
    result = t_of_differences(
        differences,
        extra=sizes[1] / sizes[0],
        method=NADEAU_BENGIO,
        alternative=alternative,
        null_value=null_value,
        contrast=contrast,
    )
    if math.isnan(result.pvalue):
        warn_user(
            f"All differences of {contrast} are equal, so they do not show the uncertainty and "
            "there is no p-value.",
            DegenerateVarianceWarning,
        )
    elif sum(sizes) < FEW_ROWS:
        warn_user(f"{few_rows_words(sum(sizes))}.", SmallSampleWarning)
    return result


def few_rows_words(rows: float) -> str:
    """Return what is to be known of the test where data sets are small."""
    return (
        f"With {rows:g} rows, fewer than {FEW_ROWS:g}, the corrected t test rejects too often, in "
        "up to 12% of studies where 5% are meant, because what is learnt from few rows varies "
        "more than it allows for; ask for smaller p-values"
    )


def t_of_differences(
    differences: Any,
    *,
    extra: float = 0.0,
    method: str = "t",
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    contrast: str = "difference",
) -> TestResult:
    """Return the t test with variance (1/J + extra) s^2; p is nan where s is 0."""
    from scipy.special import stdtr

    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    if not math.isfinite(as_number(null_value)):
        raise InvalidOptionError(
            f"{named('null_value')} must be a finite number, got {null_value!r}."
        )
    d = as_doubles(differences)
    if d.ndim != 1 or d.size < 2 or not np.isfinite(d).all():
        raise InvalidSampleError(
            "Two or more finite differences are needed in one list of numbers, got "
            f"{type(differences).__name__}{f' of shape {d.shape}' if d.size else ''}."
        )
    mean, spread = float(d.mean()), float(d.std(ddof=1))
    std_error = spread * math.sqrt(1.0 / d.size + extra)
    if spread <= _ROUNDING * float(np.abs(d).max()):
        std_error, statistic, pvalue = 0.0, math.nan, math.nan
    else:
        statistic = (mean - null_value) / std_error
        df = d.size - 1.0
        tails = {"less": stdtr(df, statistic), "greater": stdtr(df, -statistic)}
        pvalue = float(tails.get(alternative, 2.0 * stdtr(df, -abs(statistic))))
    return TestResult(
        contrast=contrast,
        method=method,
        null_value=float(null_value),
        alternative=alternative,
        estimate=mean,
        std_error=std_error,
        statistic=statistic,
        df=d.size - 1.0,
        pvalue=pvalue,
    )


def sign_test_p(wins: int, losses: int) -> float:
    """Return the exact two-sided p of a sign test; ties are left out, and p is 1 without others.

    Examples
    --------
    >>> from rocstats.studies.corrected import sign_test_p
    >>> round(sign_test_p(9, 2), 4), round(sign_test_p(10, 1), 4)
    (0.0654, 0.0117)
    """
    n = wins + losses
    tail = sum(math.comb(n, k) for k in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**n))


def wins_and_losses(differences: Floats) -> tuple[int, int]:
    """Return how many differences are above and below 0, beyond rounding."""
    return int(np.sum(differences > _ROUNDING)), int(np.sum(differences < -_ROUNDING))
