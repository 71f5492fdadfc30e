"""The plan of a study: everything that is chosen before the data are looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rocstats.analysis.options import PLANNED, STUDY_TEXTS, Aim, AskR, Origin
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
)
from rocstats.inference.contrasts import ADJUSTMENTS
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.thresholds.cutpoint_criteria import CRITERIA

__all__ = ["StudyPlan"]

Purpose = Literal["band", "cutpoint", "fixed rate", "witness", "midpoints"]

# Where the random streams of a purpose begin; a marker has the one at its place.
_STREAMS: Mapping[Purpose, int] = {
    **{"band": 0, "cutpoint": 1000, "fixed rate": 2000, "witness": 3000},
    "midpoints": 4000,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """What a report is asked to do: the planned options of the table, checked by its rules."""

    # Written by docs/reference/report_options.py.
    versus: str | None = None
    prespecified: Mapping[str, Sequence[float]] = field(default_factory=dict)
    prevalence: Sequence[float] = ()
    margin: float | None = None
    aim: Aim = "non-inferiority"
    adjust: str = "holm"
    criterion: str = "youden"
    fpr_range: tuple[float, float] = (0.0, 0.1)
    specificities: Sequence[float] = (0.9, 0.95)
    decision_range: tuple[float, float] = (0.01, 0.99)
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
        for option in PLANNED:
            option.check(getattr(self, option.name))
        check_option("adjust", self.adjust, ADJUSTMENTS)
        check_option("criterion", self.criterion, CRITERIA)
        if self.margin is None and self.aim != "non-inferiority":
            raise InvalidOptionError(
                f"{named('aim')} says what is to be shown with a margin; give {keyword('margin')} "
                f"for {self.aim}, or leave it out."
            )
        for name in self.study:
            if name not in STUDY_TEXTS:
                raise InvalidOptionError(
                    f"There is no study text {name!r}; there are {listed(STUDY_TEXTS, 30)}."
                    f"{did_you_mean(name, STUDY_TEXTS)}"
                )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> StudyPlan:
        """Return the plan of what was given to `rs.report`, by its keywords."""
        return cls(
            **{option.name: option.take(given[option.keyword or option.name]) for option in PLANNED}
        )

    def check_markers(self, markers: Sequence[str]) -> None:
        """Refuse a name that is no marker of the sample."""
        for option in PLANNED:
            for name in option.kind.markers(getattr(self, option.name)):
                if name not in markers:
                    raise InvalidOptionError(
                        f"{named(option.name)} names {name!r}, which is no marker; there are "
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
        return {o.name: _plain(getattr(self, o.name)) for o in PLANNED if o.name != "study"}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
