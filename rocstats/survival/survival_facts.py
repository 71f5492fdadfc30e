"""What the page of a survival study states, and how it says what was done."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import RocstatsWarning
from rocstats.survival.area_estimators import auc_at, compare_at
from rocstats.survival.areas_in_time import Controls
from rocstats.survival.censoring import fit_censoring
from rocstats.survival.concordance_estimators import concordance
from rocstats.survival.rate_estimators import operating_points_at
from rocstats.survival.survival_sample import SurvivalSample
from rocstats.survival.time_estimates import EstimateAt
from rocstats.tables import counted, plain

__all__ = ["survival_facts"]

_NOT_IN_DATA = "not in the data; to be stated by the authors"
_REFERENCES = {
    "uno2007": (
        "Uno H, Cai T, Tian L, Wei LJ. Evaluating prediction rules for t-year survivors with "
        "censored regression models. J Am Stat Assoc 2007;102:527-537. "
        "doi:10.1198/016214507000000149"
    ),
    "blanche": (
        "Blanche P, Dartigues JF, Jacqmin-Gadda H. Estimating and comparing time-dependent areas "
        "under receiver operating characteristic curves for censored event times with competing "
        "risks. Stat Med 2013;32:5381-5397. doi:10.1002/sim.5958"
    ),
    "harrell": (
        "Harrell FE, Lee KL, Mark DB. Multivariable prognostic models: issues in developing "
        "models, evaluating assumptions and adequacy, and measuring and reducing errors. Stat Med "
        "1996;15:361-387."
    ),
    "uno2011": (
        "Uno H, Cai T, Pencina MJ, D'Agostino RB, Wei LJ. On the C-statistics for evaluating "
        "overall adequacy of risk prediction procedures with censored survival data. Stat Med "
        "2011;30:1105-1117. doi:10.1002/sim.4154"
    ),
}


def survival_facts(
    sample: SurvivalSample,
    times: Sequence[float],
    *,
    controls: Controls = "event-free",
    thresholds: Mapping[str, Any] | None = None,
    tau: float | None = None,
    margin: float | None = None,
    new: str | None = None,
    standard: str | None = None,
    adjust: str = "holm",
    confidence_level: float = 0.95,
) -> dict[str, Any]:
    """Return every number and sentence of the page, as built-in values."""
    level, several = confidence_level, len(sample.markers) > 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RocstatsWarning)
        areas = auc_at(sample, times, controls=controls)
        pairs: list[Any] = []
        noninferiority = None
        if several:
            for t in times:
                found = compare_at(sample, t, controls=controls)
                stated = found.pairwise(adjust=adjust, confidence_level=level).statement()
                pairs += [{"time": t, **row} for row in stated.tidy]
            if margin is not None:
                found = compare_at(sample, times[-1], controls=controls)
                noninferiority = found.noninferiority(margin, new=new, standard=standard)
        order: list[Any] = []
        if not sample.n_other:
            for method in ("harrell", "uno"):
                # Uno's up to the last time that was asked for, where someone has the event before.
                last = times[-1] if (sample.event & (sample.time < times[-1])).any() else None
                horizon = (last if tau is None else tau) if method == "uno" else None
                rows = concordance(sample, method, tau=horizon)
                order += [
                    {"method": row.measure.label, **row.statement(confidence_level=level).row}
                    for row in rows
                ]
        points: list[Any] = []
        if thresholds:
            at = operating_points_at(sample, times, thresholds, controls=controls)
            points = list(at.statement(confidence_level=level).tidy)
        band = areas.band(confidence_level=level).statement()
    facts = {
        "study": {
            "n": sample.time.size,
            "n_events": sample.n_events,
            "n_censored": sample.n_censored,
            "n_other": sample.n_other,
            "median_followup": median_followup(sample),
            "last": float(sample.time.max()),
            "account": str(sample.account),
            "markers": sample.markers,
            "low": [
                m for m, up in zip(sample.markers, sample.higher_is_positive, strict=True) if not up
            ],
        },
        "summary": _summary(areas[len(times) - 1 :: len(times)], times[-1], level),
        "horizons": [_horizon(sample, t) for t in times],
        "level": level,
        "adjust": adjust,
        "controls": controls,
        "estimates": list(areas.statement(confidence_level=level).tidy),
        "band": list(band.tidy),
        "band_note": list(band.notes),
        "pairwise": pairs,
        "noninferiority": None if noninferiority is None else noninferiority.to_dict(),
        "noninferiority_time": times[-1],
        "concordance": order,
        "points": points,
        "alerts": [
            *dict.fromkeys(str(warning.message) for warning in caught),
            *_turned_round(areas, level),
        ],
        "methods": _methods(sample, times, controls, level, adjust, bool(order), bool(points)),
        "references": [
            text
            for name, text in _REFERENCES.items()
            if order or name not in ("harrell", "uno2011")
        ],
        "checklist": _checklist(sample, times),
    }
    made: dict[str, Any] = plain(facts)
    return made


def _summary(last: Iterable[EstimateAt], time: float, level: float) -> str:
    """Return which marker had the largest area at the last time, as a sentence."""
    known = [row for row in last if not math.isnan(row.value)]
    if not known:
        return ""
    best = max(known, key=lambda row: row.value)
    row = best.statement(confidence_level=level).row
    low, high = row["conf_low"], row["conf_high"]
    several = f"Of {len(known)} markers " if len(known) > 1 else ""
    told = "told best" if several else "told"
    return (
        f"{several}{best.classifier} {told} who would have the event by {time:g} from who would "
        f"not: area under the ROC curve {best.value:.3f} ({100.0 * level:g}% interval {low:.3f} to "
        f"{high:.3f})."
    )


def _turned_round(areas: Iterable[EstimateAt], level: float) -> list[str]:
    """Return a sentence on every marker whose area is clearly below one half at some time."""
    when: dict[str, list[str]] = {}
    for row in areas:
        if row.statement(confidence_level=level).row["conf_high"] < 0.5:
            when.setdefault(row.classifier, []).append(f"{row.time:g}")
    return [
        f"The area of {name} is below one half at {', '.join(at)}: there its values speak against "
        "an early event. Check the direction of the marker; nothing was turned round."
        for name, at in when.items()
    ]


def median_followup(sample: SurvivalSample) -> float:
    """Return the time by which half were censored, by Kaplan-Meier with events as censoring."""
    ((_, curve),) = fit_censoring(sample.time, sample.censored).parts
    below = curve.time[curve.before[1:] <= 0.5]
    return float(below[0]) if below.size else math.nan


def _median(sample: SurvivalSample) -> str:
    median = median_followup(sample)
    known = "not reached" if math.isnan(median) else f"{median:g}"
    return f"median {known} (reverse Kaplan-Meier)"


def _horizon(sample: SurvivalSample, time: float) -> dict[str, Any]:
    """Return what is known at a time: who is still there, and the risk by then."""
    over = sample.time <= time
    censoring = sample.censoring()
    weight = (over & sample.event) / censoring.before
    return {
        "time": time,
        "at_risk": int(np.count_nonzero(~over)),
        "events": int(np.count_nonzero(over & sample.event)),
        "censored": int(np.count_nonzero(over & sample.censored)),
        "other": int(np.count_nonzero(over & ~sample.event & ~sample.censored)),
        "risk": float(weight.sum()) / sample.time.size,
        "uncensored": float(censoring.at(time).min()),
    }


def _methods(
    sample: SurvivalSample,
    times: Sequence[float],
    controls: Controls,
    level: float,
    adjust: str,
    concordant: bool,
    pointed: bool,
) -> list[str]:
    """Return the methods as sentences, with exactly what was used."""
    when = ", ".join(f"{t:g}" for t in times)
    others = ""
    if sample.n_other:
        part = (
            "and so were participants with a competing event by then"
            if controls == "event-free"
            else "and participants with a competing event by then took no part"
        )
        others = f", {part}"
    text = [
        f"{counted(sample.time.size, 'participant')} were followed ({sample.n_events} events, "
        f"{sample.n_censored} censored"
        + (f", {sample.n_other} with a competing event" if sample.n_other else "")
        + ").",
        f"Discrimination was assessed by the cumulative/dynamic area under the ROC curve at "
        f"{when}: cases had the event by that time, controls were still under observation "
        f"after it{others}.",
        "Censoring was allowed for by inverse probability of censoring weights from the "
        "Kaplan-Meier estimate"
        + (" within strata" if sample.stratum is not None else "")
        + ", in which events precede censorings at tied times, and taken as independent of the "
        "event and of the markers.",
        "Standard errors were computed from influence values, the estimation of the weights "
        f"included, and {100.0 * level:g}% confidence intervals on the logit scale.",
    ]
    if sample.cluster is not None:
        text.append("Clusters of participants were taken as the independent units.")
    if len(sample.markers) > 1:
        text.append(
            "Markers were compared on the same participants by t tests of the differences; "
            f"p-values were adjusted within each time ({adjust})."
        )
    if concordant:
        text.append(
            "Overall concordance was measured by Harrell's C, which depends on the censoring "
            "distribution, and by Uno's C, which does not."
        )
    if pointed:
        text.append(
            "Sensitivity, specificity and predictive values at thresholds fixed in advance were "
            "computed with the same weights."
        )
    return text


def _checklist(sample: SurvivalSample, times: Sequence[float]) -> list[dict[str, str]]:
    """Return what TRIPOD+AI asks of a prognostic study's discrimination, and where it stands."""
    when = ", ".join(f"{t:g}" for t in times)
    events = f"{sample.n_events} events, {sample.n_censored} censored, {sample.n_other} competing"
    rows = {
        "Outcome and horizon": f"the event by {when}; its definition is {_NOT_IN_DATA}",
        "When the horizon was chosen": _NOT_IN_DATA,
        "Follow-up": f"{_median(sample)}, last {float(sample.time.max()):g}",
        "Participants, events and censoring": f"{sample.time.size} participants: {events}",
        "Why participants were censored": f"{_NOT_IN_DATA}; the analysis takes it as independent",
        "Missing values": str(sample.account.dropped),
        "Discrimination with its uncertainty": "in the report",
        "Calibration": "not in this report",
        "Whether the markers were fitted on these participants": f"{_NOT_IN_DATA}; if so, these "
        "areas are too high",
    }
    return [{"item": item, "answer": answer} for item, answer in rows.items()]
