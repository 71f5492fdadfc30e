"""Assumptions: what a planner is told, checked and put together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocstats.errors import (
    InvalidOptionError,
    as_number,
    aside,
    check_option,
    check_significance,
    keyword,
    named,
)
from rocstats.planning.components import MODELS
from rocstats.planning.hypotheses import AIMS, Hypothesis, make_hypothesis
from rocstats.planning.pilot import pilot_target
from rocstats.planning.targets import IndependentAreas, OneArea, Pair, PairedAreas, Target

__all__ = [
    "Assumptions",
    "Numbers",
    "as_pair",
    "as_positive",
    "as_ratio",
    "as_share",
    "as_size",
    "choose_goal",
    "choose_hypothesis",
    "choose_ratio",
    "choose_significance",
    "choose_target",
    "negatives_for",
]

Numbers = float | tuple[float, float]

_MOST = 1e12  # subjects, and ratio of sizes: more cannot be meant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assumptions:
    """What a planner is told of the value and its variance, as the user says it (`power_auc`)."""

    auc: float | None
    auc2: float | None
    model: str
    sd_ratio: Numbers
    paired: bool
    correlation: Numbers | None
    auc_correlation: float | None
    group_ratio: float
    pilot: Any
    effect: float | None

    @property
    def source(self) -> str:
        """Where the variance comes from: the name of a model, or a pilot."""
        return self.model if self.pilot is None else "pilot"

    @property
    def has_correlation(self) -> bool:
        """Whether a correlation is given, of scores or of areas."""
        return self.correlation is not None or self.auc_correlation is not None


def choose_target(told: Assumptions) -> Target:
    """Return what is estimated; refuse what does not go together."""
    check_option("model", told.model, tuple(MODELS))
    check_option("paired", told.paired, (True, False))
    if told.pilot is not None:
        return _from_pilot(told)
    if told.effect is not None:
        raise InvalidOptionError(
            f"{keyword('effect')} is for a pilot; give {keyword('auc')}, and {keyword('auc2')} for "
            "a difference."
        )
    if told.auc is None:
        raise InvalidOptionError(
            f"Give {keyword('auc')}, the area to plan for{aside(', or pilot=')}."
        )
    ratios = as_pair("sd_ratio", told.sd_ratio, 0.0, math.inf)
    if ratios != (1.0, 1.0) and told.model != "normal":
        raise InvalidOptionError(
            f"{named('sd_ratio')} is for {keyword('model', 'normal')}, not {told.model!r}."
        )
    first = as_share("auc", told.auc)
    if told.auc2 is None:
        return _one_area(told, first, ratios)
    areas = first, as_share("auc2", told.auc2)
    choose = _paired_areas if told.paired else _independent_areas
    return choose(told, areas, ratios)


def _from_pilot(told: Assumptions) -> Target:
    names = ("auc", "auc2", "correlation", "auc_correlation")
    extra = [name for name in names if getattr(told, name) is not None]
    if extra:
        raise InvalidOptionError(
            f"A pilot gives the variance; {', '.join(map(keyword, extra))} cannot be given "
            "beside it (effect= sets another value or difference)."
        )
    if told.effect is not None and not math.isfinite(as_number(told.effect)):
        raise InvalidOptionError(f"{named('effect')} must be a number, got {told.effect!r}.")
    return pilot_target(told.pilot, told.effect)


def _one_area(told: Assumptions, area: float, ratios: Pair) -> Target:
    if told.has_correlation or not told.paired:
        raise InvalidOptionError(
            f"Give {keyword('auc2')}, the second area, or plan for one without it."
        )
    if ratios[0] != ratios[1]:
        raise InvalidOptionError(f"One area has one {named('sd_ratio')}.")
    return OneArea(auc=area, model=told.model, sd_ratio=ratios[0])


def _independent_areas(told: Assumptions, areas: Pair, ratios: Pair) -> Target:
    if told.has_correlation:
        raise InvalidOptionError("Areas on different subjects have no correlation.")
    more = as_ratio("group_ratio", told.group_ratio)
    return IndependentAreas(auc=areas, model=told.model, sd_ratio=ratios, group_ratio=more)


def _paired_areas(told: Assumptions, areas: Pair, ratios: Pair) -> Target:
    of_scores, of_areas = told.correlation, told.auc_correlation
    if told.group_ratio != 1.0:
        raise InvalidOptionError(
            f"{named('group_ratio')} is for areas on different subjects "
            f"({keyword('paired', False)})."
        )
    if (of_scores is None) == (of_areas is None):
        raise InvalidOptionError(
            f"Two areas on the same subjects need {keyword('correlation')} (of the scores) or "
            f"{keyword('auc_correlation')} (of the estimated areas), one of them; on different "
            f"subjects {keyword('paired', False)}."
        )
    if of_scores is not None and told.model != "normal":
        raise InvalidOptionError(
            f"The model {told.model!r} knows no correlation of scores; give "
            f"{keyword('auc_correlation')}, or take {keyword('model', 'normal')}."
        )
    pairs = None if of_scores is None else as_pair("correlation", of_scores, -1.0, 1.0)
    if of_areas is not None and not -1.0 < as_number(of_areas) < 1.0:
        raise InvalidOptionError(
            f"{named('auc_correlation')} must lie strictly between -1 and 1, got {of_areas!r}."
        )
    return PairedAreas(
        auc=areas,
        model=told.model,
        sd_ratio=ratios,
        correlation=pairs,
        auc_correlation=None if of_areas is None else float(of_areas),
    )


def choose_hypothesis(
    target: Target,
    null_value: float | None,
    alternative: str,
    margin: float | None,
    aim: str | None,
) -> Hypothesis:
    """Return the hypothesis; refuse a null value or margin that is not possible."""
    null = target.chance if null_value is None else as_number(null_value)
    if null is None:
        raise InvalidOptionError(
            f"Name the {named('null_value')} of this measure; it is not always 0.5."
        )
    hypothesis = make_hypothesis(null, alternative, margin, aim)
    low, high = target.nulls
    outside = [bound for bound, _ in hypothesis.bounds if not low < bound < high]
    if outside or math.isnan(null):
        value = f"{null_value!r}" if margin is None else f"{outside[0]:g} (with the margin)"
        raise InvalidOptionError(
            f"{named('null_value')} must be a value that is possible here, got {value}."
        )
    return hypothesis


def choose_significance(value: float | None, aim: str | None) -> float:
    """Return the level, where none is given that of the aim."""
    if value is None:
        return AIMS[aim][1] if aim in AIMS else 0.05
    return check_significance(value, most=1.0 if aim is None else 0.5)


def choose_goal(
    level: float,
    power: float | None,
    half_width: float | None,
    tested: tuple[object, ...],
    *,
    alternative: str,
) -> tuple[float, str]:
    """Return the power, or the half-width, that is wanted, and what it is in words."""
    if half_width is None:
        wanted = as_share("power", 0.8 if power is None else power)
        if wanted <= level:
            raise InvalidOptionError(
                f"{named('power')} must be above the significance ({level:g}), got {wanted:g}."
            )
        return wanted, f"a power of {wanted:g}"
    wanted = as_positive("half_width", half_width)
    if alternative != "two-sided" or any(given is not None for given in (power, *tested)):
        raise InvalidOptionError(
            f"A half-width is planned without a test; leave {keyword('power')}, "
            f"{keyword('null_value')}, {keyword('alternative')}, {keyword('margin')} and "
            f"{keyword('aim')} out."
        )
    return wanted, f"a half-width of {wanted:g}"


def choose_ratio(
    target: Target, ratio: float | None, prevalence: float | None, fixed: int | None
) -> float:
    """Return the negatives for every positive."""
    if sum(value is not None for value in (ratio, prevalence, fixed)) > 1:
        raise InvalidOptionError(
            f"Give one of {keyword('ratio')}, {keyword('prevalence')} and the other class size."
        )
    if prevalence is not None:
        share = as_share("prevalence", prevalence)
        if share * _MOST < 1.0:
            raise InvalidOptionError(
                f"{named('prevalence')} must be at least {1 / _MOST:g}, got {share:g}."
            )
        return (1.0 - share) / share
    return target.ratio if ratio is None else as_ratio("ratio", ratio)


def negatives_for(n_pos: int, ratio: float) -> int:
    """Return the negatives beside so many positives, rounded up."""
    return max(math.ceil(n_pos * ratio * (1.0 - 1e-12)), 1)


def as_size(name: str, value: Any) -> int:
    """Return a whole number of subjects, or refuse it."""
    number = as_number(value)
    if not (number >= 1.0 and number.is_integer()):
        raise InvalidOptionError(
            f"{named(name)} must be a whole number of at least 1, got {value!r}."
        )
    if number > _MOST:
        raise InvalidOptionError(f"{named(name)} must be at most {_MOST:g}, got {number:g}.")
    return int(number)


def as_share(name: str, value: float | None) -> float:
    """Return a number strictly between 0 and 1, or refuse it."""
    number = as_number(value)
    if not 0.0 < number < 1.0:
        raise InvalidOptionError(f"{named(name)} must lie strictly between 0 and 1, got {value!r}.")
    return number


def as_positive(name: str, value: float) -> float:
    """Return a positive number, or refuse it."""
    number = as_number(value)
    if not 0.0 < number < math.inf:
        raise InvalidOptionError(f"{named(name)} must be a positive number, got {value!r}.")
    return number


def as_ratio(name: str, value: float) -> float:
    """Return a positive ratio of sizes, or refuse it."""
    number = as_positive(name, value)
    if number > _MOST:
        raise InvalidOptionError(f"{named(name)} must be at most {_MOST:g}, got {number:g}.")
    return number


def as_pair(name: str, value: Numbers, low: float, high: float) -> Pair:
    """Return two numbers strictly between the limits; one number counts for both."""
    both = value if isinstance(value, tuple) else (value, value)
    numbers = [as_number(v) for v in both]
    if len(numbers) != 2 or not all(low < v < high for v in numbers):
        raise InvalidOptionError(
            f"{named(name)} must be one number or two, strictly between {low:g} and {high:g}, "
            f"got {value!r}."
        )
    return numbers[0], numbers[1]
