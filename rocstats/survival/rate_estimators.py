"""Public estimators at a threshold and a time: sensitivity, specificity, PPV and NPV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import slabs
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
    add_censoring,
    check_sample,
    check_times,
    controls_in_words,
    find_roles,
    influence_of,
    role_counts,
)
from rocstats.survival.areas_in_time import CONTROLS, Controls, Roles
from rocstats.survival.censoring import Censoring
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
    # its label, the cell of the 2x2 table that it is the share of, and the cell that is the rest
    "sensitivity": ("Sensitivity", "hits", "misses"),
    "specificity": ("Specificity", "passes", "alarms"),
    "ppv": ("PPV", "hits", "alarms"),
    "npv": ("NPV", "passes", "misses"),
}


def _rates(
    role: Roles, called: Bools, sums: Sequence[Floats], censoring: Censoring, values: Floats
) -> list[tuple[float, float]]:
    """Return every rate, and the weight that it is a share of; fill in all influence.

    `sums` has the influence on the weight of all cases, and on that of all controls.
    """
    hits, alarms = role.case * called, role.control * called
    total = {
        "hits": float(hits.sum()),
        "alarms": float(alarms.sum()),
        "misses": float((role.case - hits).sum()),
        "passes": float((role.control - alarms).sum()),
    }
    for weight in (hits, alarms):
        add_censoring(weight, censoring, role.time)
    pairs = [(total[part], total[rest]) for _, part, rest in _RATES.values()]
    scale = [(a + b) ** -2.0 if a + b > 0.0 else math.nan for a, b in pairs]
    for s in slabs(called.size):
        moves = {"hits": hits[s], "alarms": alarms[s]}
        moves |= {"misses": sums[0][s] - hits[s], "passes": sums[1][s] - alarms[s]}
        for r, (_, part, rest) in enumerate(_RATES.values()):
            line, (a, b) = values[r, s], pairs[r]
            np.multiply(moves[part], b * scale[r], out=line)
            line -= moves[rest] * (a * scale[r])
    return [(a / (a + b) if a + b > 0.0 else math.nan, a + b) for a, b in pairs]


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
    shape = len(points), len(roles), len(_RATES)
    estimates, sure = np.empty((2, *shape))
    values = np.empty((*shape, sample.time.size))
    for t, role in enumerate(roles):
        sums = role.case.copy(), role.control.copy()
        for weight in sums:
            add_censoring(weight, censoring, role.time)
        # Where nothing was lost, the one that might have been may have been the heaviest.
        heaviest = max(float(role.case.max()), float(role.control.max()), 1.0)
        for p, (marker, threshold) in enumerate(points):
            up, scores = sample.higher_is_positive[marker], sample.scores[marker]
            called = scores >= threshold if up else scores <= threshold
            found = _rates(role, called, sums, censoring, values[p, t])
            estimates[p, t], sure[p, t] = zip(*found, strict=True)
        sure[:, t] /= heaviest
    rows: list[tuple[str, str]] = []
    measures, counts = [], []
    taking_part = [role_counts(sample, role) for role in roles]
    for marker, threshold in points:
        name = sample.markers[marker]
        several = sum(row == marker for row, _ in points) > 1
        for role, known in zip(roles, taking_part, strict=True):
            cut, when_at = in_digits(threshold), in_digits(role.time)
            at = f"{cut}, {when_at}" if several else when_at
            for rate, (label, *_) in _RATES.items():
                measure = MeasureAt(
                    name=f"{rate}({at})",
                    label=f"{label} from {cut} at {when_at}",
                    time=role.time,
                    is_area=False,
                )
                rows.append((name, measure.name))
                measures.append((name, measure))
                counts.append({"threshold": plain_number(threshold), **known})
    influence = influence_of(
        sample, rows, estimates.reshape(-1).tolist(), values.reshape(-1, sample.time.size)
    )
    sizes = [(size, size) for size in sure.reshape(-1).tolist()]
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
