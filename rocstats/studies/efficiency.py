"""Efficiency: how many subjects one test needs for the power of another, in theory."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import InvalidOptionError, check_option, named
from rocstats.studies.designs import ALTERNATIVES, Law, TwoSampleDesign
from rocstats.studies.families import FAMILIES, Distribution

__all__ = ["design_efficiency", "noncentrality", "pitman_efficiency", "quantile_grid"]

_LOGITS = 150.0  # probabilities from exp(-150): beyond, a t3 variable's square adds < 1e-20
_STEP = 0.02
_SCORES = ("auc", "sauc", "t")
_LOCAL = ("location", "scale", "lehmann", "shape")

# Tests with the same score have the same power in the limit.
_SCORE_OF = {
    "auc": "auc",
    "brunner-munzel": "auc",
    "sauc": "sauc",
    "sauc-permutation": "sauc",
    "t": "t",
    "welch": "t",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantileGrid:
    """A distribution at quantiles whose logits are evenly spaced, with their weights."""

    below: Floats
    above: Floats
    value: Floats
    weight: Floats


@lru_cache(maxsize=64)
def quantile_grid(family: str, shape: tuple[float, ...]) -> QuantileGrid:
    """Return the grid of a family: ``sum(weight * f(value))`` is the mean of f."""
    from scipy.special import expit

    distribution = FAMILIES[family].build(*shape)

    logit = np.arange(-_LOGITS, _LOGITS + _STEP / 2.0, _STEP)
    below, above = expit(logit), expit(-logit)
    low = logit < 0.0
    value = np.where(low, distribution.ppf(below), distribution.isf(above))
    return QuantileGrid(below=below, above=above, value=value, weight=below * above * _STEP)


def pitman_efficiency(
    family: str,
    alternative: str = "location",
    *,
    test: str = "sauc",
    versus: str = "auc",
    share_pos: float = 0.5,
    shape: tuple[float, ...] = (),
) -> float:
    """Return the asymptotic relative efficiency of a test against another.

    Parameters
    ----------
    family : str
        ``normal``, ``logistic``, ``laplace``, ``t3``, ``t5``, ``uniform``, ``lognormal``,
        ``exponential``, ``gamma``, ``beta`` or another family of `two_sample_design`.
    alternative : {"location", "scale", "lehmann", "shape"}, default "location"
        How the positives differ.
    test : {"auc", "sauc", "t"}, default "sauc"
        The test: ``auc`` is Wilcoxon-Mann-Whitney, ``t`` also Welch's.
    versus : {"auc", "sauc", "t"}, default "auc"
        The test it is held against.
    share_pos : float, default 0.5
        Share of positives among all subjects; it matters to sAUC alone.
    shape : tuple of float, default ()
        Shape parameters of the null distribution; () takes those of the family.

    Returns
    -------
    float
        Subjects that `versus` needs for each subject of `test`, in the limit of small effects
        and large samples. Above 1, `test` is better.

    See Also
    --------
    power_study : Simulate the size and power of two-sample tests.
    two_sample_design : Describe two samples by family and alternative.

    Notes
    -----
    A linear statistic with score phi has the efficacy ``(d/dt E_t phi)**2 / var phi`` along an
    alternative with parameter t, and the efficiency is the ratio of two efficacies. The scores are
    F(z) for AUC, z for t, and ``z + (1 - 2 share_pos) E|z - Z|`` for sAUC, all one-sided. The
    derivative is E phi'(Z) for a location, E Z phi'(Z) for a scale, and E phi(Z) psi(Z) with
    ``psi = 1 + log F`` for Lehmann's and ``psi = log Z - E log Z`` for a first shape parameter
    of a beta or gamma distribution.

    Examples
    --------
    >>> import rocstats as rs
    >>> round(rs.pitman_efficiency("normal"), 3), round(rs.pitman_efficiency("laplace"), 3)
    (1.047, 0.667)
    """
    check_option("alternative", alternative, ALTERNATIVES)
    if alternative not in _LOCAL:
        raise InvalidOptionError(
            f"An alternative that vanishes with its effect is needed ({', '.join(_LOCAL)}); "
            f"{alternative} does not."
        )
    for name, value in (("test", test), ("versus", versus)):
        check_option(name, value, _SCORES)
    if not 0.0 < share_pos < 1.0:
        raise InvalidOptionError(
            f"{named('share_pos')} must lie between 0 and 1, got {share_pos!r}."
        )
    law = Law(family=family, shape=shape)
    first, second = (_efficacy(law, alternative, name, share_pos) for name in (test, versus))
    return first / second if second > 1e-9 else math.nan


def design_efficiency(
    design: TwoSampleDesign, test: str, versus: str, *, alternative: str
) -> float:
    """Return the asymptotic efficiency for a design, or nan where there is no such number.

    There is one where a single parameter sets positives and negatives apart. The two-sided sAUC
    test with unequal sizes takes the larger of two statistics, so it has none; nor have values
    behind a link.
    """
    kind = _single_change(design.positives, design.negatives)
    known = {"test": _SCORE_OF.get(test), "versus": _SCORE_OF.get(versus)}
    balanced = design.n_pos == design.n_neg
    if kind is None or None in known.values() or FAMILIES[design.negatives.family].link is not None:
        return math.nan
    if "sauc" in known.values() and not balanced and alternative != "greater":
        return math.nan
    return pitman_efficiency(
        design.negatives.family,
        kind,
        test=str(known["test"]),
        versus=str(known["versus"]),
        share_pos=design.n_pos / (design.n_pos + design.n_neg),
        shape=design.negatives.shape,
    )


def _single_change(positives: Law, negatives: Law) -> str | None:
    """Return what alone differs from a plain law, or None."""
    plain = Law(family=negatives.family, shape=negatives.shape)
    if negatives != plain or positives == plain:
        return None
    for kind in ("location", "scale", "lehmann"):
        if positives == replace(plain, **{kind: getattr(positives, kind)}):
            return kind
    if plain.shape and positives == replace(plain, shape=(positives.shape[0], *plain.shape[1:])):
        return "shape"
    return None


@lru_cache(maxsize=512)
def _efficacy(law: Law, alternative: str, test: str, share_pos: float) -> float:
    grid = quantile_grid(law.family, law.shape)
    slope, score = _score(grid, law.distribution, test, share_pos)
    mean = float(np.sum(grid.weight * score))
    spread = float(np.sum(grid.weight * (score - mean) ** 2))
    if alternative == "location":
        change = slope
    elif alternative == "scale":
        change = grid.value * slope
    elif alternative == "lehmann":
        change = (score - mean) * (1.0 + np.log(grid.below))
    else:
        if law.family not in ("beta", "gamma"):
            raise InvalidOptionError(f"{law.family} has no shape parameter.")
        change = (score - mean) * np.log(grid.value)
    return float(np.sum(grid.weight * change)) ** 2 / spread


def _score(
    grid: QuantileGrid, distribution: Distribution, test: str, share_pos: float
) -> tuple[Floats, Floats]:
    """Return the derivative of a test's score, and the score."""
    if test == "auc":
        return distribution.pdf(grid.value), grid.below
    if test == "t":
        return np.ones_like(grid.value), grid.value
    # E|z - Z| = z (2F - 1) + E Z - 2 E(Z; Z < z), all sums on the grid; a sum that ends within the
    # distribution has the correction of Euler and Maclaurin, a twelfth of the slope there
    steps = grid.weight * grid.value
    under = np.cumsum(steps) - 0.5 * steps - _STEP / 12.0 * np.gradient(steps, _STEP)
    mean = float(np.sum(grid.weight * grid.value))
    away = grid.value * (grid.below - grid.above) + mean - 2.0 * under
    tilt = 1.0 - 2.0 * share_pos
    return 1.0 + tilt * (grid.below - grid.above), grid.value + tilt * away


def noncentrality(power: Floats, significance: float, *, two_sided: bool = True) -> Floats:
    """Return the mean of a unit normal statistic whose test has the power.

    It grows with the square root of the number of subjects, so the squared ratio of two is the
    ratio of the numbers of subjects that give equal power. It is nan unless the power lies
    between the significance and 1.
    """
    from scipy.special import ndtri

    power = np.asarray(power, dtype=np.float64)
    inside = (power > significance) & (power < 1.0)
    wanted = np.where(inside, power, 0.5)
    if not two_sided:
        return np.where(inside, ndtri(wanted) - ndtri(significance), math.nan)
    from scipy.special import ndtr

    bar = -float(ndtri(significance / 2.0))
    low, high = np.zeros_like(wanted), np.full_like(wanted, 50.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        short = ndtr(middle - bar) + ndtr(-middle - bar) < wanted
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.where(inside, 0.5 * (low + high), math.nan)
