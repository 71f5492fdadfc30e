"""Omnibus test: are all contrasts zero?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.influence import Influence
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import SmallSampleWarning, check_option, warn_user
from rocstats.estimates.results import say_dissent
from rocstats.inference.at_null import QuadraticAtNull
from rocstats.inference.contrasts import ROUNDING, warn_no_variance
from rocstats.tables import Answer, Statement, show_p

__all__ = ["OmnibusTest", "judge_omnibus", "refer_quadratic"]

_RANK = 1e-10  # eigenvalues below this share of the largest count as 0 (STATISTICS.md 6.1)
_OUTSIDE = 1e-8  # a difference this far outside the range of its covariance is impossible (6.1)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OmnibusTest(Answer):
    """A test whether all contrasts are zero.

    Attributes
    ----------
    method : str
        Test and reference distribution in words.
    statistic : float
        Chi-square, or F.
    df : float
        Degrees of freedom: the rank of the contrasts' covariance.
    df_denominator : float
        Those of F below; inf for chi-square.
    pvalue : float
        The answer.
    delong : OmnibusTest, optional
        DeLong's own, where the answer has its variance at the null.

    See Also
    --------
    Comparison.omnibus : Test whether all classifiers are equal.
    """

    method: str
    statistic: float
    df: float
    df_denominator: float = math.inf
    pvalue: float
    delong: OmnibusTest | None = field(default=None, compare=False)

    def dissent(self, significance: float = 0.05) -> str:
        """Return what DeLong's own test says, where the two disagree about significance.

        Parameters
        ----------
        significance : float, default 0.05
            The level of both.

        Returns
        -------
        str
            A sentence; empty where they agree, or there is no other.
        """
        other = math.nan if self.delong is None else self.delong.pvalue
        if math.isnan(other) or (self.pvalue <= significance) == (other <= significance):
            return ""
        return say_dissent("DeLong's own omnibus test", f"p {show_p(other)}")

    def statement(self) -> Statement:
        """Return the test as one row."""
        row = {
            "method": self.method,
            "statistic": self.statistic,
            "df": self.df,
            "df_denominator": self.df_denominator,
            "p_value": self.pvalue,
            "p_delong": math.nan if self.delong is None else self.delong.pvalue,
        }
        name, df = "chi-square", f"{self.df:g}"
        if math.isfinite(self.df_denominator):
            name, df = "F", f"{df}, {self.df_denominator:.6g}"
        return Statement(
            head=f"{self.method}: {name}({df}) = {self.statistic:.3f}, p {show_p(self.pvalue)}",
            rows=[row],
            shown=tuple(row)[:-1],
            in_words=True,
            notes=list(filter(None, [self.dissent()])),
        )


def judge_omnibus(
    influence: Influence,
    scale: Floats,
    *,
    reference: str = "auto",
    at_null: QuadraticAtNull | None = None,
) -> OmnibusTest:
    """Test whether all rows of `influence`, contrasts, are zero (STATISTICS.md 6.1, 6.2).

    `at_null` has the quadratic form with the covariance at the null (6.8).

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
    varies = spread * unit > ROUNDING * scale
    spread = np.where(varies, spread, 1.0)
    covariance = covariance * np.outer(varies / spread, varies / spread)
    difference = np.where(np.abs(influence.estimate) <= ROUNDING * scale, 0.0, influence.estimate)
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
        quadratic = math.inf
    elif rank == 0:
        warn_no_variance("All contrasts are 0 for every subject alike: nothing was tested.")
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    if math.isinf(quadratic) and at_null is None:
        warn_no_variance(
            "Some contrasts differ from 0 with no variance at all, so the test is not to be "
            "trusted; take a permutation test."
        )
    vectors = vectors[:, kept] / spread[:, np.newaxis]
    only = None
    if rank == 1:
        single = plain.contrast(vectors[:, 0])
        only = satterthwaite_df(single.covariance_terms()[:-1, 0, 0], single.support()[0])
    refer = partial(
        refer_quadratic,
        smallest=int(plain.support().min()),
        most_df=plain.most_df(),
        reference=reference,
    )
    if at_null is None:
        return refer(quadratic, max(rank, 1), only=only)
    return _at_null(refer, quadratic, max(rank, 1), only, at_null)


def _at_null(
    refer: Callable[..., OmnibusTest],
    quadratic: float,
    rank: int,
    only: float | None,
    at_null: QuadraticAtNull,
) -> OmnibusTest:
    """Return the test with its covariance at the null, and DeLong's own beside it."""
    if math.isinf(quadratic):
        warn_no_variance(
            "Some contrasts differ from 0 with no variance at all, so their test rests on what "
            "samples of this size have; a permutation test needs none."
        )
    own = only
    if at_null.rank == 1:
        own = at_null.df
    least = min(quadratic, at_null.value)
    value = 0.0
    if least > 0.0:
        value = 1.0 / ((1.0 - at_null.share) / quadratic + at_null.share / least)
    test = refer(value, max(at_null.rank, 1), only=own if at_null.rank == 1 else None)
    known = math.isfinite(quadratic) and not math.isnan(test.pvalue)
    delong = refer(quadratic, rank, only=only) if known else None
    return replace(test, method=f"{test.method}, variance at the null", delong=delong)


def refer_quadratic(
    quadratic: float,
    rank: int,
    *,
    smallest: int,
    most_df: float,
    only: float | None,
    reference: str = "auto",
) -> OmnibusTest:
    """Refer a quadratic form of so many contrasts to chi-square or F.

    `smallest` is the least number of units of a class, `most_df` the most degrees of freedom there
    can be, and `only` those of the contrast where there is but one.
    """
    from scipy.special import chdtrc, fdtrc

    if reference == "chi2" or (reference == "auto" and smallest >= 100 and only is None):
        pvalue = float(chdtrc(rank, quadratic))
        return OmnibusTest(
            method="Omnibus test, chi-square", statistic=quadratic, df=float(rank), pvalue=pvalue
        )
    nu = min(2.0 * smallest - 2.0, most_df)
    below = nu - rank + 1.0
    statistic = quadratic * below / (rank * nu)
    if only is not None:
        below, statistic = min(only, most_df), quadratic
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
