"""Public estimators at a threshold and a time: sensitivity, specificity, PPV and NPV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Bools, Floats
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_option,
    did_you_mean,
    listed,
    named,
    shown,
)
from rocstats.survival.area_estimators import (
    ASSUMED,
    check_sample,
    check_times,
    controls_in_words,
    find_roles,
    influence_of,
    role_counts,
    sure_size,
)
from rocstats.survival.areas_in_time import CONTROLS, Controls, Roles
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.survival.time_estimates import (
    EstimatesAt,
    MeasureAt,
    in_digits,
    plain_number,
    rows_of,
)

__all__ = ["operating_points_at"]

_RATES = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "ppv": "PPV",
    "npv": "NPV",
}


def _parts(rate: str, roles: Roles, called: Bools) -> tuple[Floats, Floats]:
    """Return the weights of those who count for a rate, and of all whom it is a share of."""
    case, control = roles.case, roles.control
    if rate == "sensitivity":
        return case * called, case
    if rate == "specificity":
        return control * ~called, control
    if rate == "ppv":
        return case * called, (case + control) * called
    return control * ~called, (case + control) * ~called


def _share(part: Floats, whole: Floats, derivative: Floats) -> float:
    """Return a weighted share, and fill in its derivative by the logarithm of every weight."""
    total = float(whole.sum())
    if not total > 0.0:
        derivative[:] = math.nan
        return math.nan
    value = min(float(part.sum()) / total, 1.0)
    np.multiply(value, whole, out=derivative)
    np.subtract(part, derivative, out=derivative)
    derivative /= total
    return value


def operating_points_at(
    sample: SurvivalSample,
    times: ArrayLike,
    thresholds: float | Mapping[str, Any],
    *,
    controls: Controls = "event-free",
) -> EstimatesAt:
    """Estimate sensitivity, specificity, PPV and NPV at thresholds and times.

    Parameters
    ----------
    sample : SurvivalSample
        Times, events and markers.
    times : float or array-like
        Times within the follow-up, in its unit.
    thresholds : mapping of str to float or several, or a number
        Thresholds by marker; a number where there is one marker. A subject is called positive at or
        beyond it (``>=``, or ``<=`` where low is positive).
    controls : {"event-free", "survivors"}, default "event-free"
        Whether those with a competing event by the time are controls, as in `auc_at`.

    Returns
    -------
    EstimatesAt
        Four rows for each marker, threshold and time, with their joint covariance.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    roc_curve_at : The ROC curve at a time.
    operating_points : 2x2 tables at thresholds, of two classes.

    Notes
    -----
    Shares of the weights of `auc_at`: sensitivity among the cases, specificity among the controls,
    PPV among those called positive and NPV among those called negative, so that both rest on the
    study's own risk (Uno et al. 2007, doi:10.1198/016214507000000149). Standard errors allow for
    the estimated censoring; thresholds are taken as given. R equivalent: ``timeROC::SeSpPPVNPV``.

    Examples
    --------
    >>> import rocstats as rs
    >>> followup = rs.datasets.load_breast_followup()
    >>> found = rs.operating_points_at(followup, times=1826, thresholds={"nodes": 4})
    >>> [f"{row.measure.name} {row.value:.3f}" for row in found]
    ['sensitivity(1826) 0.592', 'specificity(1826) 0.694', 'ppv(1826) 0.667', 'npv(1826) 0.622']
    """
    sample = check_sample(sample)
    check_option("controls", controls, CONTROLS)
    wanted = check_times(times, sample)
    points = _points(thresholds, sample)
    censoring = sample.censoring()
    roles = find_roles(sample, wanted, controls, censoring)
    rows: list[tuple[str, str]] = []
    estimates: list[float] = []
    measures, when, sizes, counts = [], [], [], []
    values = np.empty((len(points) * len(roles) * len(_RATES), sample.time.size))
    for marker, threshold in points:
        up = sample.higher_is_positive[marker]
        scores = sample.scores[marker]
        called = scores >= threshold if up else scores <= threshold
        name = sample.markers[marker]
        several = sum(row == marker for row, _ in points) > 1
        for role in roles:
            for rate, label in _RATES.items():
                part, whole = _parts(rate, role, called)
                value = _share(part, whole, values[len(rows)])
                cut, when_at = in_digits(threshold), in_digits(role.time)
                at = f"{cut}, {when_at}" if several else when_at
                measure = MeasureAt(
                    name=f"{rate}({at})",
                    label=f"{label} from {cut} at {when_at}",
                    time=role.time,
                    is_area=False,
                )
                rows.append((name, measure.name))
                estimates.append(value)
                measures.append((name, measure))
                when.append(role.time)
                size = sure_size(whole, max(float(role.case.max()), float(role.control.max())))
                sizes.append((size, size))
                counts.append({"threshold": plain_number(threshold), **role_counts(sample, role)})
    influence = influence_of(sample, censoring, rows, estimates, values, when)
    return EstimatesAt(
        rows=rows_of(sample, influence, measures, sizes, counts),
        influence=influence,
        sample=sample,
        remarks=(
            f"{controls_in_words(sample, controls)}; weighted by the inverse probability of "
            "being uncensored",
            ASSUMED,
            "positive is a score at or beyond the threshold, which is taken as given",
        ),
    )


def _points(thresholds: Any, sample: SurvivalSample) -> list[tuple[int, float]]:
    """Return marker and threshold of every point."""
    given = thresholds
    if not isinstance(given, Mapping):
        if len(sample.markers) > 1:
            raise InvalidOptionError(
                f"{named('thresholds')} must name the marker of each threshold, as in "
                f"{{{sample.markers[0]!r}: 1.0}}; the markers are {listed(sample.markers)}."
            )
        given = {sample.markers[0]: thresholds}
    points = []
    for name, values in given.items():
        if name not in sample.markers:
            raise InvalidOptionError(
                f"{named('thresholds')} names {name!r}, which is no marker of the sample "
                f"({listed(sample.markers)}).{did_you_mean(name, sample.markers)}"
            )
        several = isinstance(values, Iterable) and not isinstance(values, (str, bytes))
        for value in values if several else [values]:
            number = as_number(value)
            if not math.isfinite(number):
                raise InvalidOptionError(
                    f"{named('thresholds')} of {name} must be numbers, got {shown(value)}."
                )
            points.append((sample.marker(name), number))
    if not points or len(set(points)) < len(points):
        raise InvalidOptionError(
            f"{named('thresholds')} must have a threshold, each once, got {shown(thresholds)}."
        )
    return points
