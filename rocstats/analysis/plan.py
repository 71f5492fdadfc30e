"""The plan of a study: everything that is chosen before the data are looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

import numpy as np

from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_confidence_level,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
)
from rocstats.inference.contrasts import ADJUSTMENTS
from rocstats.resampling.bootstrapping import Bootstrap

__all__ = ["STUDY_TEXTS", "StudyPlan"]

Aim = Literal["non-inferiority", "superiority", "equivalence"]
Origin = Literal["measured", "model", "fitted", "cross-validated"]
AskR = Literal["auto", "yes", "no"]
Purpose = Literal["band", "cutpoint", "fixed rate", "witness"]

# What only the authors know; the report prints it, and the STARD checklist asks for the rest.
STUDY_TEXTS = (
    *("title", "analyst", "protocol", "registration", "status", "question", "index_test"),
    *("reference_standard", "design", "eligibility", "identification", "setting", "dates"),
    *("sampling", "blinding", "reference_blinding"),
    *("index_test_rationale", "positivity_rationale", "indeterminate_handling"),
    *("reference_standard_rationale", "reference_positivity", "model_development", "model_use"),
    *("missing_handling", "sample_size_rationale", "severity", "alternative_diagnoses"),
    *("interval_between_tests", "adverse_events", "limitations", "implications", "funding"),
)
_MOST_RESAMPLES = 10**6
_MOST_SEED = 2**128 - 1  # the entropy that numpy takes
_HIGHEST_LEVEL = 0.9999
# Where the random streams of a purpose begin; a marker has the one at its place.
_STREAMS: Mapping[Purpose, int] = {"band": 0, "cutpoint": 1000, "fixed rate": 2000, "witness": 3000}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """What a report is asked to do.

    Attributes
    ----------
    reference : marker that the others are compared with; every pair without it
    prespecified : thresholds fixed before the data were seen, by marker
    prevalence : prevalences of intended use, at which PPV and NPV are wanted
    margin, aim : how much worse (or different) is too much, and what is to be shown
    adjust : adjustment of p-values for the number of comparisons
    fpr_range : range of false positive rates of the partial AUC
    specificities : at which the sensitivity is estimated
    comparator : True where the outcome is no reference standard: agreement, not accuracy
    scores : where the scores come from: "measured"; "model" fitted to other data; "fitted" to
        these data; "cross-validated"
    bounds : limits of a marker's scores, by marker, where sAUC and smAUC are wanted on [0, 1]
    labels, units : printed name and unit of a marker
    planned : planned numbers of positives and negatives
    study : texts by the names of `STUDY_TEXTS`
    confidence_level : of every interval
    n_resamples, seed : of bands, optimism and the bootstrap witness
    r : whether to ask R: "auto" where it is there
    """

    reference: str | None = None
    prespecified: Mapping[str, Sequence[float]] = field(default_factory=dict)
    prevalence: Sequence[float] = ()
    margin: float | None = None
    aim: Aim = "non-inferiority"
    adjust: str = "holm"
    fpr_range: tuple[float, float] = (0.0, 0.1)
    specificities: Sequence[float] = (0.9, 0.95)
    comparator: bool = False
    scores: Origin = "measured"
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    planned: tuple[int, int] | None = None
    study: Mapping[str, str] = field(default_factory=dict)
    confidence_level: float = 0.95
    n_resamples: int = 2000
    seed: int = 1
    r: AskR = "auto"

    def __post_init__(self) -> None:
        check_option("aim", self.aim, get_args(Aim))
        check_option("scores", self.scores, get_args(Origin))
        check_option("r", self.r, get_args(AskR))
        check_option("adjust", self.adjust, ADJUSTMENTS)
        if not 0.5 <= check_confidence_level(self.confidence_level) <= _HIGHEST_LEVEL:
            raise InvalidOptionError(
                f"{named('confidence_level')} must lie between 0.5 and {_HIGHEST_LEVEL} in a "
                f"report, got {self.confidence_level!r}."
            )
        if not isinstance(self.comparator, bool):
            raise InvalidOptionError(
                f"{named('comparator')} must be True or False, got {self.comparator!r}."
            )
        if self.margin is not None and not 0.0 < as_number(self.margin) < 1.0:
            raise InvalidOptionError(
                f"{named('margin')} must be a difference of AUCs between 0 and 1, got "
                f"{self.margin!r}."
            )
        if self.margin is None and self.aim != "non-inferiority":
            raise InvalidOptionError(
                f"{named('aim')} says what is to be shown with a margin; give {keyword('margin')} "
                f"for {self.aim}, or leave it out."
            )
        whole = isinstance(self.seed, int) and not isinstance(self.seed, bool)
        if not whole or not 0 <= self.seed <= _MOST_SEED:
            raise InvalidOptionError(
                f"{named('seed')} must be a whole number from 0 to 2**128 - 1, got {self.seed!r}."
            )
        Bootstrap(n_resamples=self.n_resamples, rng=self.seed)
        if not 100 <= self.n_resamples <= _MOST_RESAMPLES:
            raise InvalidOptionError(
                f"{named('n_resamples')} must lie between 100 and {_MOST_RESAMPLES}, got "
                f"{self.n_resamples}."
            )
        for share in self.prevalence:
            if not 0.0 < as_number(share) < 1.0:
                raise InvalidOptionError(
                    f"{named('prevalence')} must lie strictly between 0 and 1, got {share!r}."
                )
        low, high = (as_number(end) for end in self.fpr_range)
        if not 0.0 <= low < high <= 1.0:
            raise InvalidOptionError(
                f"{named('fpr_range')} must be two numbers low < high from 0 to 1, got "
                f"{self.fpr_range!r}."
            )
        for share in self.specificities:
            if not 0.0 <= as_number(share) <= 1.0:
                raise InvalidOptionError(
                    f"{named('specificities')} must lie within [0, 1], got {share!r}."
                )
        if self.planned is not None and not all(_is_count(size) for size in self.planned):
            raise InvalidOptionError(
                f"{named('planned')} must be two whole numbers above 0, of positives and "
                f"negatives, got {self.planned!r}."
            )
        self._check_texts()

    def _check_texts(self) -> None:
        """Refuse what is to be printed and is no text."""
        for option in ("labels", "units", "study"):
            for name, text in getattr(self, option).items():
                if not isinstance(text, str) or not (text.strip() or option == "study"):
                    raise InvalidOptionError(
                        f"{named(option)} must be texts, got {text!r} for {name}."
                    )
        for name in self.study:
            if name not in STUDY_TEXTS:
                raise InvalidOptionError(
                    f"There is no study text {name!r}; there are {listed(STUDY_TEXTS, 30)}."
                    f"{did_you_mean(name, STUDY_TEXTS)}"
                )

    def check_markers(self, markers: Sequence[str]) -> None:
        """Refuse a name that is no marker of the sample."""
        by_option = {
            "reference": () if self.reference is None else (self.reference,),
            "prespecified": self.prespecified,
            "bounds": self.bounds,
            "labels": self.labels,
            "units": self.units,
        }
        for option, names in by_option.items():
            for name in names:
                if name not in markers:
                    raise InvalidOptionError(
                        f"{named(option)} names {name!r}, which is no marker; there are "
                        f"{listed(markers)}.{did_you_mean(name, markers)}"
                    )
        printed = [self.labels.get(name, name) for name in markers]
        for label in printed:
            if printed.count(label) > 1:
                raise InvalidOptionError(
                    f"{named('labels')} must differ, but two markers would be printed as {label!r}."
                )
        for name, thresholds in self.prespecified.items():
            for threshold in thresholds:
                if not math.isfinite(as_number(threshold)):
                    raise InvalidOptionError(
                        f"The prespecified threshold of {name} must be a finite number, "
                        f"got {threshold!r}."
                    )

    def resampling(self, purpose: Purpose, row: int) -> Bootstrap:
        """Return the bootstrap of one marker for a purpose, a stream of its own off the seed."""
        stream = np.random.SeedSequence(self.seed, spawn_key=(_STREAMS[purpose] + row,))
        return Bootstrap(n_resamples=self.n_resamples, rng=stream)

    def settings(self) -> dict[str, Any]:
        """Return the plan as built-in types, the texts apart."""
        found = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "study"}
        found["prespecified"] = {name: list(cuts) for name, cuts in self.prespecified.items()}
        for name in ("prevalence", "specificities", "fpr_range"):
            found[name] = list(found[name])
        found["bounds"] = {name: list(limits) for name, limits in self.bounds.items()}
        found["labels"], found["units"] = dict(self.labels), dict(self.units)
        found["planned"] = None if self.planned is None else list(self.planned)
        return found


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0.0 < as_number(value) < math.inf
