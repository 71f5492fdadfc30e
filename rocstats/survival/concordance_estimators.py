"""Public estimator of concordance: Harrell's C and Uno's."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from rocstats.engine.influence import Influence
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    as_number,
    check_option,
    listed,
    named,
    warn_user,
)
from rocstats.survival.area_estimators import ASSUMED, check_sample, sure_size
from rocstats.survival.concordance_in_time import concordance_of, default_horizon
from rocstats.survival.concordant_pairs import TimeOrder
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.survival.time_estimates import EstimatesAt, MeasureAt, in_digits, rows_of

__all__ = ["concordance"]

_LABELS = {"harrell": "Harrell's C", "uno": "Uno's C"}
_FEW = 5  # events that are warned of


def concordance(
    sample: SurvivalSample,
    method: Literal["harrell", "uno"] = "harrell",
    *,
    tau: float | None = None,
    censoring: Literal["estimated", "fixed"] = "estimated",
) -> EstimatesAt:
    """Estimate the concordance of each marker with the order of the events.

    Parameters
    ----------
    sample : SurvivalSample
        Times, events and markers, without competing events.
    method : {"harrell", "uno"}, default "harrell"
        "harrell" counts every comparable pair alike; what it estimates depends on the censoring.
        "uno" weights them so that it does not, for pairs whose first event is before `tau`.
    tau : float, optional
        Pairs count whose first event is before this time; inf for all. By default all for
        "harrell"; for "uno" the largest time with a probability of 0.1 of being uncensored and ten
        subjects at risk, since the last weights explode. Better name it before seeing the data.
    censoring : {"estimated", "fixed"}, default "estimated"
        Whether the standard error of Uno's C allows for the estimated curve of censoring; "fixed"
        leaves that out, as R's survival does.

    Returns
    -------
    EstimatesAt
        A row for each marker; `EstimatesAt.compare` tests their differences.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    compare_at : Compare markers by their areas at times.

    Notes
    -----
    A pair is comparable where one subject has the event and the other is there longer, or is
    censored at the same time; two events at one time are not. It is concordant where the first has
    the higher score, and half so at a tie. Harrell et al. (1996),
    doi:10.1002/(SICI)1097-0258(19960229)15:4<361::AID-SIM168>3.0.CO;2-4; Uno et al. (2011),
    doi:10.1002/sim.4154: weight 1/G(T-)^2. The standard error is the infinitesimal jackknife
    (divisor n^2), as in R's survival. R equivalent:
    ``survival::concordance(Surv(time, event) ~ x, reverse = TRUE)``, and with
    ``timewt = "n/G2", ymax = tau`` for Uno's. Pairs are counted in O(n log n).

    Examples
    --------
    >>> import rocstats as rs
    >>> followup = rs.datasets.load_breast_followup()
    >>> rs.concordance(followup)["nodes"]
    Harrell's C of nodes: 0.6452 (95% CI 0.6125 to 0.6767, logit), SE 0.0164
    n events 299, n subjects 686, tau inf
    event 1, censored 0
    """
    sample = check_sample(sample)
    check_option("method", method, tuple(_LABELS))
    check_option("censoring", censoring, ("estimated", "fixed"))
    if sample.n_other:
        raise InvalidSampleError(
            f"Concordance orders events of one kind, and there are competing ones "
            f"({listed(sample.account.other)}); take rs.auc_at, or code those as censored, which "
            "makes it the concordance of the cause-specific hazard."
        )
    curve = sample.censoring()
    horizon, default = _horizon(sample, method, tau, curve)
    first = sample.event & (sample.time < horizon)
    weight = first.astype(np.float64)
    if method == "uno":
        weight = np.where(first, curve.before**-2.0, 0.0)
    n_first = int(np.count_nonzero(first))
    if n_first < _FEW:
        warn_user(
            f"There are {n_first} events before {horizon:g}; with fewer than {_FEW} the standard "
            "error is not to be trusted.",
            SmallSampleWarning,
        )
    estimated = curve if method == "uno" and censoring == "estimated" else None
    time = TimeOrder.of(sample.time, sample.event)
    found = [
        concordance_of(time, sample.oriented(k), weight, estimated=estimated)
        for k in range(len(sample.markers))
    ]
    n, values = sample.time.size, np.array([values for _, values in found])
    values *= math.sqrt(1.0 - 1.0 / n)  # the divisor n^2 of the infinitesimal jackknife
    name = "c" if method == "harrell" else f"c({in_digits(horizon)})"
    label = _LABELS[method] + (f" up to {in_digits(horizon)}" if horizon < math.inf else "")
    influence = Influence(
        components="influence values",
        estimate=np.array([value for value, _ in found]),
        values=values,
        stratum=np.zeros(n, dtype=np.intp),
        rows=tuple((marker, name) for marker in sample.markers),
        subject=sample.subject,
        cluster=sample.cluster,
    )
    measure = MeasureAt(name=name, label=label, time=horizon)
    several = len(sample.markers)
    size = sure_size(weight)
    return EstimatesAt(
        rows=rows_of(
            sample,
            influence,
            [(marker, measure) for marker in sample.markers],
            [(size, size)] * several,
            [{"n_events": n_first, "n_subjects": n, "tau": horizon}] * several,
        ),
        influence=influence,
        sample=sample,
        remarks=_remarks(method, horizon, default, censoring),
    )


def _horizon(sample: SurvivalSample, method: str, tau: Any, curve: Any) -> tuple[float, bool]:
    """Return the time up to which pairs count, and whether nobody named it."""
    if tau is None:
        return (default_horizon(sample.time, curve), True) if method == "uno" else (math.inf, True)
    horizon = as_number(tau)
    if not horizon > 0.0:
        raise InvalidOptionError(f"{named('tau')} must be a positive time, got {tau!r}.")
    if not (sample.event & (sample.time < horizon)).any():
        raise InvalidOptionError(
            f"No subject has the event before {named('tau')} {horizon:g}; the first event is at "
            f"{float(sample.time[sample.event].min()):g}."
        )
    return horizon, False


def _remarks(method: str, horizon: float, default: bool, censoring: str) -> tuple[str, ...]:
    if method == "harrell":
        return (
            "Harrell's C depends on how subjects were censored: take Uno's, or the AUC at a time, "
            "to compare it between studies",
        )
    chosen = ", a time (tau) chosen from the data" if default else ""
    fixed = "" if censoring == "estimated" else ", whose estimation the standard error leaves out"
    return (
        f"pairs whose first event is before {horizon:g}{chosen}; weighted by the inverse squared "
        f"probability of being uncensored{fixed}",
        ASSUMED,
    )
