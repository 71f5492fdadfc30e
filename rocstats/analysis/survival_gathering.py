"""All that a page of a survival study is made of: facts, drawings and the R script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rocstats.errors import InvalidOptionError, named
from rocstats.rbridge.survival_script import survival_script
from rocstats.survival.area_estimators import check_sample, check_times, compare_at
from rocstats.survival.survival_facts import survival_facts
from rocstats.survival.survival_pictures import survival_pictures
from rocstats.survival.survival_sample import SurvivalSample

__all__ = ["SurvivalPage", "gather_survival"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalPage:
    """What a page is made of.

    Attributes
    ----------
    facts : every number and sentence
    pictures : the drawings as SVG text
    script : for R, or nothing
    """

    facts: dict[str, Any]
    pictures: dict[str, str]
    script: str


def gather_survival(
    sample: SurvivalSample,
    times: float | Iterable[float],
    *,
    aims: Mapping[str, Any],
    controls: Any,
    confidence_level: float,
    source: str,
    columns: Mapping[str, str] | None,
    version: str,
) -> SurvivalPage:
    """Return what the page of a sample is made of.

    Parameters
    ----------
    aims : thresholds, tau, margin, new, standard and adjust
    sample, times, controls, confidence_level, source, columns, version : as `report_survival` has
        them
    """
    when = check_times(times, check_sample(sample))
    for name in ("new", "standard"):
        if aims[name] is not None and aims["margin"] is None:
            raise InvalidOptionError(f"{named(name)} goes with {named('margin')}.")
    if aims["margin"] is not None:
        compare_at(sample, when[-1], controls=controls)  # refuses a single marker
    facts = survival_facts(
        sample, when, controls=controls, confidence_level=confidence_level, **aims
    )
    script = ""
    if columns is not None:
        script = survival_script(
            file=source,
            columns=columns,
            codes=(sample.account.pos_label, sample.account.neg_label),
            markers=dict(zip(sample.markers, sample.higher_is_positive, strict=True)),
            competing=sample.n_other > 0,
            estimates=facts["estimates"],
            version=version,
        )
    pictures = {}
    if all(row["estimate"] is not None for row in facts["estimates"]):
        pictures = survival_pictures(
            sample, when, controls=controls, confidence_level=confidence_level
        )
    return SurvivalPage(facts=facts, pictures=pictures, script=script)
