"""Two areas known by their summaries alone, as papers print them, and whether they differ."""

from __future__ import annotations

import math

from rocstats.errors import InvalidOptionError, as_number, named
from rocstats.estimates.results import TestResult
from rocstats.inference.contrasts import tail_probability

__all__ = ["compare_published_areas", "published_error"]


def published_error(
    area: float,
    *,
    std_error: float | None = None,
    limits: tuple[float, float] | None = None,
    sizes: tuple[int, int] | None = None,
    confidence_level: float = 0.95,
) -> float:
    """Return the standard error of a printed area.

    Parameters
    ----------
    area : the AUC
    std_error : its standard error, where that is printed
    limits : or the limits of its interval, taken as symmetric
    sizes : or the numbers of positives and negatives, for Hanley and McNeil's formula
    confidence_level : of the limits

    Notes
    -----
    Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747: with ``q1 = a / (2 - a)`` and
    ``q2 = 2 a^2 / (1 + a)`` the variance is
    ``(a (1 - a) + (m - 1)(q1 - a^2) + (n - 1)(q2 - a^2)) / (m n)``.

    Examples
    --------
    >>> round(published_error(0.893, sizes=(51, 58)), 4)
    0.0325
    """
    value = as_number(area)
    if not 0.0 <= value <= 1.0:
        raise InvalidOptionError(f"{named('auc')} must lie within [0, 1], got {area!r}.")
    given = [thing for thing in (std_error, limits, sizes) if thing is not None]
    if len(given) != 1:
        raise InvalidOptionError(
            f"Give one of {named('std_error')}, the limits of the interval, or the numbers of "
            f"positives and negatives, for each area; {len(given)} were given."
        )
    if sizes is not None:
        m, n = sizes
        if m < 1 or n < 1:
            raise InvalidOptionError(
                f"The numbers of positives and negatives must be at least 1, got {m} and {n}."
            )
        q1, q2 = value / (2.0 - value), 2.0 * value**2 / (1.0 + value)
        spread = value * (1.0 - value) + (m - 1) * (q1 - value**2) + (n - 1) * (q2 - value**2)
        found = math.sqrt(max(spread, 0.0) / (m * n))
    elif limits is not None:
        from scipy.special import ndtri

        low, high = map(as_number, limits)
        if not low <= value <= high:
            raise InvalidOptionError(
                f"The limits must lie on either side of the AUC {value:g}, got {low:g} and "
                f"{high:g}."
            )
        found = (high - low) / (-2.0 * float(ndtri((1.0 - confidence_level) / 2.0)))
    else:
        found = as_number(std_error)
    if not 0.0 < found < 1.0:
        raise InvalidOptionError(
            f"{named('std_error')} must lie strictly between 0 and 1, got {found:g}; an area "
            "without error needs the data."
        )
    return found


def compare_published_areas(
    first: tuple[float, float], second: tuple[float, float], *, correlation: float = 0.0
) -> TestResult:
    """Return the z test of the difference of two printed areas, first less second.

    Parameters
    ----------
    first, second : each the AUC and its standard error
    correlation : of the two estimates; 0 where the subjects differ

    Notes
    -----
    Hanley & McNeil (1983), doi:10.1148/radiology.148.3.6878708: the variance of the difference is
    ``s1^2 + s2^2 - 2 r s1 s2``.

    Examples
    --------
    >>> compare_published_areas((0.90, 0.02), (0.80, 0.03))
    first - second: 0.1000 (95% CI 0.0293 to 0.1707), z = 2.774, p = 0.0055
    z test of printed areas (Hanley & McNeil 1983), two-sided
    """
    r = as_number(correlation)
    if not -1.0 < r < 1.0:
        raise InvalidOptionError(
            f"{named('correlation')} must lie strictly between -1 and 1, got {correlation!r}."
        )
    (a, s), (b, t) = first, second
    error = math.sqrt(s**2 + t**2 - 2.0 * r * s * t)
    statistic = (a - b) / error
    return TestResult(
        contrast="first - second",
        method="z test of printed areas (Hanley & McNeil 1983)",
        null_value=0.0,
        alternative="two-sided",
        estimate=a - b,
        std_error=error,
        statistic=statistic,
        df=math.inf,
        pvalue=tail_probability(statistic, math.inf, "two-sided"),
    )
