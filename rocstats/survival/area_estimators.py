"""Public estimators at a time: areas, and the comparison of markers by them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.columns import as_doubles
from rocstats.engine.influence import Influence
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    check_option,
    named,
    several,
    shown,
    warn_user,
)
from rocstats.inference.comparison import Comparison
from rocstats.survival.areas_in_time import CONTROLS, Controls, Roles, area_at, roles_at
from rocstats.survival.censoring import Censoring
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.survival.time_estimates import EstimatesAt, MeasureAt, in_digits, rows_of
from rocstats.tables import counted

__all__ = [
    "ASSUMED",
    "add_censoring",
    "auc_at",
    "check_sample",
    "check_times",
    "compare_at",
    "controls_in_words",
    "find_roles",
    "influence_of",
    "role_counts",
    "sure_size",
]

_FEW, _LITTLE = 5, 0.05  # subjects in a role, and uncensored share, that are warned of
ASSUMED = "censoring is taken as independent of the event and of the markers"


def check_sample(sample: Any) -> SurvivalSample:
    """Return the sample, or say how one is made."""
    if not isinstance(sample, SurvivalSample):
        raise InvalidSampleError(
            f"A SurvivalSample was expected, got {type(sample).__name__}; build one with "
            "rs.SurvivalSample.from_frame."
        )
    return sample


def check_times(times: Any, sample: SurvivalSample) -> list[float]:
    """Return the times asked for, each once and within the follow-up, or refuse them."""
    numbers = as_doubles([*times] if several(times) else [times])
    wanted = numbers.tolist() if numbers.ndim == 1 else [math.nan]
    if not wanted or not all(0.0 < t < math.inf for t in wanted):
        raise InvalidOptionError(
            f"{named('times')} must be positive numbers, got {shown(times)}; they are in the unit "
            "of the times of the sample."
        )
    if len(set(wanted)) < len(wanted):
        raise InvalidOptionError(f"{named('times')} has a time twice, got {shown(times)}.")
    last = float(sample.time.max())
    if max(wanted) > last:
        raise InvalidOptionError(
            f"{named('times')} must lie within the follow-up, whose last time is {last:g}, got "
            f"{max(wanted):g}; nobody was seen so long."
        )
    return wanted


def find_roles(
    sample: SurvivalSample, times: Sequence[float], controls: Controls, censoring: Censoring
) -> list[Roles]:
    """Return cases and controls at every time; warn where there are few, or little is known."""
    found = []
    for time in times:
        roles = roles_at(time, sample.time, sample.event, sample.censored, censoring, controls)
        n_pos, n_neg = roles.n_pos, roles.n_neg
        sizes = f"{counted(n_pos, 'case')} and {counted(n_neg, 'control')} at time {time:g}"
        if min(n_pos, n_neg) == 0:
            warn_user(
                f"There are {sizes}, and both are needed, so the estimates there are nan; take "
                "another time.",
                SmallSampleWarning,
            )
        elif min(n_pos, n_neg) < _FEW:
            warn_user(
                f"There are {sizes}; with fewer than {_FEW} of either, standard errors and "
                "intervals are not to be trusted.",
                SmallSampleWarning,
            )
        least = 1.0 / max(float(roles.case.max()), float(roles.control.max()), 1.0)
        if least < _LITTLE and n_pos:
            share = float(roles.case.max()) / float(roles.case.sum())
            warn_user(
                f"At time {time:g} only {100.0 * least:.1f}% are left uncensored, and one case has "
                f"{100.0 * share:.0f}% of the weight of all; take an earlier time.",
                SmallSampleWarning,
            )
        found.append(roles)
    return found


def add_censoring(derivative: Floats, censoring: Censoring, time: float) -> None:
    """Make an influence of the derivative by the logarithm of every weight, in its place.

    A subject's own weight, and the curve of censoring, by which all weights are made.
    """
    through = censoring.influence(derivative, beyond=time)
    derivative *= derivative.size
    derivative += through


def influence_of(
    sample: SurvivalSample,
    rows: Sequence[tuple[str, str]],
    estimates: Sequence[float],
    values: Floats,
) -> Influence:
    """Return the joint influence of estimates of a sample, `values` of (r, N)."""
    return Influence(
        components="influence values",
        estimate=np.array(estimates),
        values=values,
        stratum=np.zeros(sample.time.size, dtype=np.intp),
        rows=tuple(rows),
        subject=sample.subject,
        cluster=sample.cluster,
    )


def sure_size(weight: Floats) -> float:
    """Return how many subjects of the heaviest weight the weights add up to."""
    most = float(weight.max())
    return float(weight.sum()) / most if most > 0.0 else 0.0


def role_counts(sample: SurvivalSample, roles: Roles) -> dict[str, Any]:
    """Return who took part at a time, and how unequal they are."""
    total = float(roles.case.sum())
    early = sample.censored & (sample.time <= roles.time)
    return {
        "n_pos": roles.n_pos,
        "n_neg": roles.n_neg,
        "n_censored": int(np.count_nonzero(early)),
        "largest_share": float(roles.case.max()) / total if total > 0.0 else math.nan,
    }


def controls_in_words(sample: SurvivalSample, controls: Controls) -> str:
    """Return who the controls are."""
    words = "cases have the event by the time, controls are still there after it"
    if sample.n_other:
        part = "are controls too" if controls == "event-free" else "take no part"
        words += f"; those with another event by then {part}"
    return words


def auc_at(
    sample: SurvivalSample, times: ArrayLike, *, controls: Controls = "event-free"
) -> EstimatesAt:
    """Estimate the area under the ROC curve at times: who has the event by then, and who not.

    Parameters
    ----------
    sample : SurvivalSample
        Times, events and markers.
    times : float or array-like
        Times within the follow-up, in its unit.
    controls : {"event-free", "survivors"}, default "event-free"
        Where events compete: "event-free" takes everyone without the event of interest by the time
        as a control, also those with another event; "survivors" those still there alone. Without
        competing events they are the same.

    Returns
    -------
    EstimatesAt
        A row for each marker and time, with their joint covariance.

    See Also
    --------
    compare_at : Compare markers by their areas at times.
    roc_curve_at : The ROC curve at a time.
    operating_points_at : Sensitivity, specificity and predictive values at thresholds and a time.
    concordance : Estimate Harrell's or Uno's C.
    auc : Estimate the area under the ROC curve of two classes.

    Notes
    -----
    Subjects censored before the time are neither dropped nor taken as free of the event: the
    others are weighted by the inverse of the probability G of being uncensored (Kaplan-Meier;
    events before censorings of the same time). With cases A (T <= t and the event), weight
    w = 1/G(T-), and controls B (T > t),

        AUC(t) = sum_A w_i P_i / sum_A w_i,   P_i the mean over B of wins of i (ties 1/2)

    (Uno et al. 2007, doi:10.1198/016214507000000149; Hung & Chiang 2010; Blanche, Dartigues &
    Jacqmin-Gadda 2013, doi:10.1002/sim.5958). The standard error allows for the estimated G. R
    equivalent: ``riskRegression::Score(metrics = "auc", conf.int = TRUE)``, to the last digit
    without ties in time; ``timeROC::timeROC`` takes T < t for cases, so that an event on the very
    day t counts nowhere. Without censoring it is `auc` of the classes T <= t and T > t. R's
    interval is ``method="wald"``.

    Examples
    --------
    >>> import rocstats as rs
    >>> followup = rs.datasets.load_breast_followup()
    >>> rs.auc_at(followup, times=[730, 1826])["nodes", 1826]
    AUC at 1826 of nodes: 0.6574 (95% CI 0.6011 to 0.7096, logit), SE 0.0278
    n pos 285, n neg 121, n censored 280, largest share 0.0076
    event 1, censored 0
    """
    sample = check_sample(sample)
    check_option("controls", controls, CONTROLS)
    wanted = check_times(times, sample)
    censoring = sample.censoring()
    roles = find_roles(sample, wanted, controls, censoring)
    rows: list[tuple[str, str]] = []
    estimates: list[float] = []
    values = np.empty((len(sample.markers) * len(roles), sample.time.size))
    for k in range(len(sample.markers)):
        blocks = sort_into_blocks(sample.oriented(k), sample.event, ordered=True)
        for role in roles:
            line = values[len(rows)]
            estimates.append(area_at(role, blocks, line))
            add_censoring(line, censoring, role.time)
            rows.append((sample.markers[k], f"auc({in_digits(role.time)})"))
    several = len(sample.markers)
    influence = influence_of(sample, rows, estimates, values)
    measures = [
        (name, MeasureAt(name=f"auc({in_digits(t)})", label=f"AUC at {in_digits(t)}", time=t))
        for name in sample.markers
        for t in wanted
    ]
    return EstimatesAt(
        rows=rows_of(
            sample,
            influence,
            measures,
            [(sure_size(r.case), sure_size(r.control)) for r in roles] * several,
            [role_counts(sample, r) for r in roles] * several,
        ),
        influence=influence,
        sample=sample,
        remarks=(
            f"{controls_in_words(sample, controls)}; weighted by the inverse probability of "
            "being uncensored",
            ASSUMED,
        ),
    )


def compare_at(
    sample: SurvivalSample, times: ArrayLike, *, controls: Controls = "event-free"
) -> Comparison:
    """Compare markers by their areas at times, or the areas of one marker at several times.

    Parameters
    ----------
    sample : SurvivalSample
        Times, events and markers.
    times : float or array-like
        Times within the follow-up, in its unit.
    controls : {"event-free", "survivors"}, default "event-free"
        Whether those with a competing event by the time are controls, as in `auc_at`.

    Returns
    -------
    Comparison
        The areas with their joint covariance; its methods test differences, contrasts and margins.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    compare : Compare classifiers of two classes on the same subjects.

    Notes
    -----
    The influence of every subject on all areas gives their covariance, estimated censoring
    included (Blanche, Dartigues & Jacqmin-Gadda 2013, doi:10.1002/sim.5958). R equivalent:
    ``riskRegression::Score`` with ``contrasts``, ``timeROC::compare``; both refer to the normal
    distribution, ``pairwise(reference="normal")``.

    Examples
    --------
    >>> import rocstats as rs
    >>> followup = rs.datasets.load_breast_followup()
    >>> found = rs.compare_at(followup, times=1826)
    >>> found.pairwise(reference="normal")["nodes - age"]
    nodes - age: 0.1412 (95% CI 0.0574 to 0.2251), z = 3.301, p = 0.0010
    z test of influence values, two-sided
    """
    return auc_at(sample, times, controls=controls).compare()
