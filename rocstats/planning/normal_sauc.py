"""The sAUC of normal scores: its value in closed form, and what each subject adds to its variance.

The value is a quantity to plan with. As an estimator, from means and standard deviations, it gains
nothing where scores are normal and misleads where they are not (docs/evidence/parametric_sauc.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocstats.errors import InvalidOptionError, as_number, named
from rocstats.planning.assumptions import as_size
from rocstats.planning.components import Components, bivariate_normal
from rocstats.planning.solving import find_root
from rocstats.tables import Answer, SingleValue, Statement

__all__ = ["BinormalSauc", "binormal_sauc", "mean_difference_for", "ramp_mean", "sauc_components"]

_ROOT_2_PI = math.sqrt(2.0 * math.pi)
_SAME = 1.0 - 1e-15  # two parts of a correlation of 1 may sum to this
_CERTAIN = 37.0  # standard deviations beyond which a normal variable has its sign for certain


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BinormalSauc(SingleValue, Answer):
    """The sAUC of normal scores, and the components of its variance.

    Attributes
    ----------
    mean_difference : float
        Mean of the positives' scores less that of the negatives'.
    sd_pos, sd_neg : float
        Standard deviations of the scores within the classes.
    value : float
        The sAUC, in units of the scores.
    no_difference : float
        The sAUC at these standard deviations where the means are equal.
    auc : float
        The AUC of the same scores.
    xi10, xi01, sigma2 : float
        Variance due to positives, to negatives, and to their interaction; nan where the scores do
        not vary.

    See Also
    --------
    binormal_sauc : The sAUC of normal scores.
    power_sauc : The power of a study of the sAUC.
    """

    mean_difference: float
    sd_pos: float
    sd_neg: float
    value: float
    no_difference: float
    auc: float
    xi10: float
    xi01: float
    sigma2: float

    def std_error(self, n_pos: int, n_neg: int) -> float:
        """Return the standard error that the nonparametric sAUC has at these sizes.

        Parameters
        ----------
        n_pos : int
            Number of positives.
        n_neg : int
            Number of negatives.

        Returns
        -------
        float
            The exact standard deviation of the estimate; nan where the scores do not vary.
        """
        m, n = as_size("n_pos", n_pos), as_size("n_neg", n_neg)
        found = Components(xi10=self.xi10, xi01=self.xi01, sigma2=self.sigma2)
        return math.sqrt(found.variance(m, n))

    @property
    def best_ratio(self) -> float:
        """Negatives for every positive that make the most of a number of subjects."""
        return math.sqrt(self.xi01 / self.xi10) if self.xi10 > 0.0 else math.nan

    def statement(self) -> Statement:
        """Return the value and its components as one row."""
        row = {name: getattr(self, name) for name in BinormalSauc.__slots__}
        return Statement(
            head=f"sAUC {self.value:.4g} of normal scores with mean difference "
            f"{self.mean_difference:g} and SDs {self.sd_pos:g} and {self.sd_neg:g} "
            f"({self.no_difference:.4g} if the means were equal; AUC {self.auc:.4g})",
            rows=[row],
            shown=("xi10", "xi01", "sigma2"),
            notes=["A quantity to plan with; estimate the sAUC of data by rs.sauc."],
        )


def binormal_sauc(
    mean_difference: float, *, sd_pos: float = 1.0, sd_neg: float = 1.0
) -> BinormalSauc:
    """Return the sAUC of normal scores, for planning.

    Parameters
    ----------
    mean_difference : float
        Mean of the positives' scores less that of the negatives'.
    sd_pos : float, default 1.0
        Standard deviation of the positives' scores.
    sd_neg : float, default 1.0
        Standard deviation of the negatives' scores.

    Returns
    -------
    BinormalSauc
        The value, and the exact components of the variance of the nonparametric estimate.

    See Also
    --------
    sauc : Estimate the scored AUC of data.
    power_sauc : The power of a study of the sAUC.
    sample_size_sauc : The least sizes that give the wanted power.

    Notes
    -----
    With ``s**2 = sd_pos**2 + sd_neg**2`` and ``h = mean_difference / s`` the sAUC is
    ``s (h Phi(h) + phi(h))``. One conditional mean has second moment
    ``s**2 E(sd**2 / s**2)``, where ``E(r)`` is that of two positive parts of normal variables with
    correlation r; all closed forms (STATISTICS.md 8.6). It is no estimator: one that puts means
    and standard deviations of data into it gains nothing with normal scores (SD 0.167 against 0.168
    with 50 in each class) and covers 84% instead of 95% with exponential ones
    (docs/evidence/parametric_sauc.md).

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.binormal_sauc(1.0, sd_pos=1.2)
    >>> round(found.value, 4), round(found.std_error(50, 50), 4)
    (1.2467, 0.1677)
    """
    mean = as_number(mean_difference)
    if not math.isfinite(mean):
        raise InvalidOptionError(
            f"{named('mean_difference')} must be a finite number, got {mean_difference!r}."
        )
    one, other = _spread("sd_pos", sd_pos), _spread("sd_neg", sd_neg)
    spread = math.hypot(one, other)
    if spread == 0.0:
        return BinormalSauc(
            mean_difference=mean,
            sd_pos=one,
            sd_neg=other,
            value=max(mean, 0.0),
            no_difference=0.0,
            auc=0.5 * (1.0 + (mean > 0.0) - (mean < 0.0)),
            xi10=math.nan,
            xi01=math.nan,
            sigma2=math.nan,
        )
    from scipy.special import ndtr

    found = sauc_components((mean, mean), (one, one), (other, other))
    return BinormalSauc(
        mean_difference=mean,
        sd_pos=one,
        sd_neg=other,
        value=spread * ramp_mean(mean / spread),
        no_difference=spread / _ROOT_2_PI,
        auc=float(ndtr(mean / spread)),
        xi10=found.xi10,
        xi01=found.xi01,
        sigma2=found.sigma2,
    )


def _spread(name: str, value: float) -> float:
    number = as_number(value)
    if not 0.0 <= number < math.inf:
        raise InvalidOptionError(
            f"{named(name)} must be a standard deviation, from 0, got {value!r}."
        )
    return number


def ramp_mean(h: float) -> float:
    """Return the mean of the positive part of a normal variable with mean h and variance 1."""
    from scipy.special import ndtr

    return h * float(ndtr(h)) + _density(h)


def mean_difference_for(sauc: float, spread: float) -> float:
    """Return the mean difference that gives an sAUC; `spread` is that of a difference of scores."""
    scaled = sauc / spread
    found = find_root(lambda h: ramp_mean(h) - scaled, -_CERTAIN, scaled)  # ramp_mean(h) > h
    return spread * (scaled if found is None else found)


def sauc_components(
    mean_difference: tuple[float, float],
    sd_pos: tuple[float, float],
    sd_neg: tuple[float, float],
    correlation: tuple[float, float] = (1.0, 1.0),
) -> Components:
    """Return the covariance components of two sAUCs under normal scores, exactly (8.6).

    Parameters
    ----------
    mean_difference : of the two scores; a score with itself, all correlations 1, is its variance
    sd_pos, sd_neg : standard deviations within the classes, for each score
    correlation : of the two scores within positives and within negatives
    """
    spread = [math.hypot(a, b) for a, b in zip(sd_pos, sd_neg, strict=True)]
    scale = spread[0] * spread[1]
    h, k = (m / s for m, s in zip(mean_difference, spread, strict=True))
    pos = correlation[0] * sd_pos[0] * sd_pos[1] / scale
    neg = correlation[1] * sd_neg[0] * sd_neg[1] / scale
    xi10, xi01, xi11 = (scale * _ramp_covariance(h, k, r) for r in (pos, neg, pos + neg))
    return Components(xi10=xi10, xi01=xi01, sigma2=xi11 - xi10 - xi01)


def _ramp_covariance(h: float, k: float, correlation: float) -> float:
    """Covariance of the positive parts of two normal variables with means h, k and variance 1."""
    from scipy.special import ndtr

    if min(h, k) > _CERTAIN:
        return correlation
    if correlation >= _SAME:
        least, most = min(h, k), max(h, k)
        moment = (h * k + 1.0) * float(ndtr(least)) + most * _density(least)
        return moment - ramp_mean(h) * ramp_mean(k)
    root = math.sqrt((1.0 - correlation) * (1.0 + correlation))
    if root == 0.0:
        both = max(float(ndtr(h) - ndtr(-k)), 0.0)
        moment = (h * k - 1.0) * both + h * _density(k) + k * _density(h) if h + k > 0.0 else 0.0
        return moment - ramp_mean(h) * ramp_mean(k)
    edge = (h - correlation * k) / root, (k - correlation * h) / root
    moment = (
        (h * k + correlation) * bivariate_normal(h, k, correlation)
        + h * _density(k) * float(ndtr(edge[0]))
        + k * _density(h) * float(ndtr(edge[1]))
        + root * _density(h) * _density(edge[1])
    )
    return moment - ramp_mean(h) * ramp_mean(k)


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / _ROOT_2_PI
