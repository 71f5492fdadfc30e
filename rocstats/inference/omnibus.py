"""Omnibus test: are all contrasts zero?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.influence import Influence
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import SmallSampleWarning, check_option, warn_user
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

    See Also
    --------
    Comparison.omnibus : Test whether all classifiers are equal.
    """

    method: str
    statistic: float
    df: float
    df_denominator: float = math.inf
    pvalue: float

    def statement(self) -> Statement:
        """Return the test as one row."""
        row = {
            "method": self.method,
            "statistic": self.statistic,
            "df": self.df,
            "df_denominator": self.df_denominator,
            "p_value": self.pvalue,
        }
        name, df = "chi-square", f"{self.df:g}"
        if math.isfinite(self.df_denominator):
            name, df = "F", f"{df}, {self.df_denominator:.6g}"
        return Statement(
            head=f"{self.method}: {name}({df}) = {self.statistic:.3f}, p {show_p(self.pvalue)}",
            rows=[row],
            shown=tuple(row),
            in_words=True,
        )


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
        warn_no_variance(
            "Some contrasts differ from 0 with no variance at all, so the test is not to be "
            "trusted; take a permutation test."
        )
        quadratic = math.inf
    elif rank == 0:
        warn_no_variance("All contrasts are 0 for every subject alike: nothing was tested.")
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    vectors = vectors[:, kept] / spread[:, np.newaxis]
    only = None
    if rank == 1 and vectors.shape[1] == 1:
        single = plain.contrast(vectors[:, 0])
        only = satterthwaite_df(single.covariance_terms()[:-1, 0, 0], single.support()[0])
    return refer_quadratic(
        quadratic,
        max(rank, 1),
        smallest=int(plain.support().min()),
        most_df=plain.most_df(),
        only=only,
        reference=reference,
    )


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
