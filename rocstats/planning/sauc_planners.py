"""Planners of the sAUC: of normal scores or from a pilot, one marker or the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from rocstats.engine.kernels import RAMP
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    aside,
    check_option,
    function,
    keyword,
    named,
)
from rocstats.estimates.results import Alternative, Estimate
from rocstats.inference.comparison import Comparison
from rocstats.planning.assumptions import (
    Numbers,
    as_pair,
    as_share,
    as_size,
    choose_goal,
    choose_hypothesis,
    choose_ratio,
    choose_significance,
    negatives_for,
)
from rocstats.planning.hypotheses import Hypothesis
from rocstats.planning.pilot import pilot_target
from rocstats.planning.planners import Aim, find_effect, find_significance, refuse_unmet
from rocstats.planning.plans import PowerResult, make_plan, power_of
from rocstats.planning.sauc_targets import NormalMarker, OneSauc, PairedSaucs
from rocstats.planning.solving import least_size
from rocstats.planning.targets import Target

__all__ = ["power_sauc", "sample_size_sauc"]


def power_sauc(
    mean_difference: float | None = None,
    *,
    sd_pos: Numbers = 1.0,
    sd_neg: Numbers = 1.0,
    null_value: float | None = None,
    mean_difference2: float | None = None,
    correlation: Numbers | None = None,
    n_pos: int,
    n_neg: int | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    significance: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    aim: Aim | None = None,
    pilot: Any = None,
    effect: float | None = None,
    find: Literal["power", "sauc", "significance"] = "power",
    power: float | None = None,
) -> PowerResult:
    """Return the power of a study of the sAUC; or the sAUC or significance for a given power.

    Parameters
    ----------
    mean_difference : float, optional
        Mean of the positives' scores less that of the negatives', assumed to be true.
    sd_pos : float or (float, float), default 1.0
        Standard deviation of the positives' scores; a pair for two markers.
    sd_neg : float or (float, float), default 1.0
        Standard deviation of the negatives' scores; a pair for two markers.
    null_value : float, optional
        The sAUC it is tested against, by default that of equal means at these standard deviations;
        with `mean_difference2` the difference of sAUCs, 0 by default. A pilot of one marker has
        none.
    mean_difference2 : float, optional
        That of a second marker on the same subjects; the difference of the two sAUCs is tested.
    correlation : float or (float, float), optional
        Correlation of the two scores within a class; a pair for positives and negatives.
    n_pos : int
        Number of positives.
    n_neg : int, optional
        Number of negatives; by default it follows from `ratio` or `prevalence`.
    ratio : float, optional
        Negatives for every positive: 1 by default, or a pilot's.
    prevalence : float, optional
        Instead of a ratio, the share of positives.
    significance : float, optional
        Level; 0.05 by default, for non-inferiority and superiority 0.025 (one-sided).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against the null value.
    margin : float, optional
        The margin of `aim`, in units of the scores.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    pilot : Estimate or Comparison, optional
        An estimate of `sauc`, or a comparison of two markers by it, whose influence gives the
        variance and, unless `effect` is given, the value or difference.
    effect : float, optional
        The assumed sAUC or difference, with a pilot.
    find : {"power", "sauc", "significance"}, default "power"
        What is found: "sauc" is the sAUC that is found with the given `power` (of the first where
        there are two, or the effect with a pilot); "significance" the level.
    power : float, optional
        The wanted power, where something else is found.

    Returns
    -------
    PowerResult
        Sizes, significance, effect and power that go together.

    See Also
    --------
    sample_size_sauc : The least sizes that give the wanted power.
    binormal_sauc : The sAUC of normal scores.
    power_auc : The power of a study of the AUC.
    PowerResult.simulate : Simulate the planned study.

    Notes
    -----
    The variance of the nonparametric sAUC, ``xi10 / m + xi01 / n + sigma2 / (m n)``, is exact for
    normal scores (STATISTICS.md 8.6) and unbiased from a pilot of one marker. One sAUC is judged by
    an interval, against a value that is known before the study. Whether two samples differ at all
    is another question, with a permutation test of its own (`two_sample_test`), whose power
    `power_study` simulates.

    Examples
    --------
    >>> import rocstats as rs
    >>> round(rs.power_sauc(0.8, n_pos=30, n_neg=60).power, 3)
    0.937
    >>> plan = rs.power_sauc(1.2, mean_difference2=0.9, correlation=0.6, n_pos=80)
    >>> round(plan.effect, 3), round(plan.power, 3)
    (0.231, 0.534)
    """
    check_option("find", find, ("power", "sauc", "significance"))
    if find != "power":
        power = as_share("power", power)
    elif power is not None:
        raise InvalidOptionError(
            f"{named('power')} is what is found; give {keyword('find', 'sauc')} or "
            f"{keyword('find', 'significance')}, or use {function('sample_size_sauc')}."
        )
    if find == "sauc":
        if mean_difference is not None or effect is not None:
            raise InvalidOptionError(
                f"With {keyword('find', 'sauc')} leave {keyword('mean_difference')}"
                f"{aside(' and effect=')} out."
            )
        start = 0.0 if mean_difference2 is None else mean_difference2
        mean_difference = None if pilot is not None else start
    target = _Told(
        mean_difference=mean_difference,
        sd_pos=sd_pos,
        sd_neg=sd_neg,
        mean_difference2=mean_difference2,
        correlation=correlation,
        pilot=pilot,
        effect=effect,
    ).target()
    hypothesis = _choose_hypothesis(target, null_value, alternative, margin, aim)
    m = as_size("n_pos", n_pos)
    per_positive = choose_ratio(target, ratio, prevalence, n_neg)
    n = negatives_for(m, per_positive) if n_neg is None else as_size("n_neg", n_neg)
    if find == "significance":
        if significance is not None:
            raise InvalidOptionError(
                f"With {keyword('find', 'significance')} leave {keyword('significance')} out."
            )
        level = find_significance(target, hypothesis, m, n, float(power or 0.0))
    else:
        level = choose_significance(significance, aim)
    if find == "sauc":
        target = find_effect(target, hypothesis, m, n, level, float(power or 0.0))
    return make_plan(target, hypothesis, m, n, level, "normal" if pilot is None else "pilot")


def sample_size_sauc(
    mean_difference: float | None = None,
    *,
    sd_pos: Numbers = 1.0,
    sd_neg: Numbers = 1.0,
    null_value: float | None = None,
    mean_difference2: float | None = None,
    correlation: Numbers | None = None,
    power: float | None = None,
    half_width: float | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    significance: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    aim: Aim | None = None,
    pilot: Any = None,
    effect: float | None = None,
) -> PowerResult:
    """Return the least sizes at which a study of the sAUC has the wanted power, or precision.

    Parameters
    ----------
    mean_difference : float, optional
        Mean of the positives' scores less that of the negatives', assumed to be true.
    sd_pos : float or (float, float), default 1.0
        Standard deviation of the positives' scores; a pair for two markers.
    sd_neg : float or (float, float), default 1.0
        Standard deviation of the negatives' scores; a pair for two markers.
    null_value : float, optional
        The sAUC it is tested against, by default that of equal means at these standard deviations;
        with `mean_difference2` the difference of sAUCs, 0 by default. A pilot of one marker has
        none.
    mean_difference2 : float, optional
        That of a second marker on the same subjects; the difference of the two sAUCs is tested.
    correlation : float or (float, float), optional
        Correlation of the two scores within a class; a pair for positives and negatives.
    power : float, default 0.8
        The wanted power.
    half_width : float, optional
        Instead of a power, the wanted half-width of the Wald interval at confidence level
        ``1 - significance``, in units of the scores.
    n_pos : int, optional
        Number of positives, where it is fixed already; the other size is found.
    n_neg : int, optional
        Number of negatives, where it is fixed already; likewise.
    ratio : float, optional
        Negatives for every positive: 1 by default, or a pilot's.
    prevalence : float, optional
        Instead of a ratio, the share of positives.
    significance : float, optional
        Level; 0.05 by default, for non-inferiority and superiority 0.025 (one-sided).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against the null value.
    margin : float, optional
        The margin of `aim`, in units of the scores.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    pilot : Estimate or Comparison, optional
        An estimate of `sauc`, or a comparison of two markers by it, whose influence gives the
        variance and, unless `effect` is given, the value or difference.
    effect : float, optional
        The assumed sAUC or difference, with a pilot.

    Returns
    -------
    PowerResult
        Sizes, significance, effect and power that go together.

    See Also
    --------
    power_sauc : The power of a study of given size.
    binormal_sauc : The sAUC of normal scores, and the ratio of classes that serves it best.
    sample_size_auc : The least sizes for the AUC.
    PowerResult.simulate : Simulate the planned study.

    Notes
    -----
    A search over whole numbers of positives, with ``ratio`` negatives for each, rounded up; so the
    power achieved is at least the wanted one.

    Examples
    --------
    >>> import rocstats as rs
    >>> plan = rs.sample_size_sauc(0.8, sd_pos=1.2, power=0.9)
    >>> plan.n_pos, plan.n_neg, round(plan.power, 3)
    (42, 42, 0.902)
    >>> rs.sample_size_sauc(0.8, half_width=0.2, prevalence=0.2).n_pos
    65
    """
    target = _Told(
        mean_difference=mean_difference,
        sd_pos=sd_pos,
        sd_neg=sd_neg,
        mean_difference2=mean_difference2,
        correlation=correlation,
        pilot=pilot,
        effect=effect,
    ).target()
    if n_pos is not None and n_neg is not None:
        raise InvalidOptionError(
            f"Both sizes are given; use {function('power_sauc')} for their power."
        )
    per_positive = choose_ratio(target, ratio, prevalence, n_pos or n_neg)
    level = choose_significance(significance, aim)
    wanted, goal = choose_goal(
        level, power, half_width, (null_value, margin, aim), alternative=alternative
    )
    hypothesis = None
    if half_width is None:
        hypothesis = _choose_hypothesis(target, null_value, alternative, margin, aim)
    model = "normal" if pilot is None else "pilot"

    def sizes(k: int) -> tuple[int, int]:
        if n_neg is not None:
            return k, as_size("n_neg", n_neg)
        if n_pos is not None:
            return as_size("n_pos", n_pos), k
        return k, negatives_for(k, per_positive)

    def reaches(k: int) -> bool:
        m, n = sizes(k)
        if hypothesis is None:
            return make_plan(target, None, m, n, level, model).half_width <= wanted
        refuse_unmet(hypothesis, target.effect(m, n))
        return power_of(target, hypothesis, m, n, level) >= wanted

    least = least_size(reaches)
    if least is None:
        fixed = "" if n_pos is None and n_neg is None else " with the other class as it is"
        raise InvalidOptionError(f"No sample size{fixed} reaches {goal}.")
    return make_plan(target, hypothesis, *sizes(least), level, model)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Told:
    """What is assumed of the scores, as the user says it (`power_sauc`)."""

    mean_difference: float | None
    sd_pos: Numbers
    sd_neg: Numbers
    mean_difference2: float | None
    correlation: Numbers | None
    pilot: Any
    effect: float | None

    def target(self) -> Target:
        """Return what is estimated; refuse what does not go together."""
        if self.pilot is not None:
            return self._from_pilot()
        if self.effect is not None:
            raise InvalidOptionError(
                f"{keyword('effect')} is for a pilot; give {keyword('mean_difference')}, and "
                f"{keyword('mean_difference2')} for a difference."
            )
        if self.mean_difference is None:
            raise InvalidOptionError(
                f"Give {keyword('mean_difference')}, that of the scores' means"
                f"{aside(', or pilot=')}."
            )
        spreads = (
            as_pair("sd_pos", self.sd_pos, 0.0, math.inf),
            as_pair("sd_neg", self.sd_neg, 0.0, math.inf),
        )
        first, second = (
            NormalMarker(mean_difference=mean, sd_pos=pos, sd_neg=neg)
            for mean, pos, neg in zip(self._means(), *spreads, strict=True)
        )
        if self.mean_difference2 is None:
            if self.correlation is not None:
                raise InvalidOptionError(
                    f"Give {keyword('mean_difference2')}, that of the second marker, or plan for "
                    "one without it."
                )
            if first != second:
                raise InvalidOptionError(
                    f"One marker has one {named('sd_pos')} and one {named('sd_neg')}."
                )
            return OneSauc(marker=first)
        if self.correlation is None:
            raise InvalidOptionError(
                f"Two markers on the same subjects need {keyword('correlation')}, that of their "
                "scores within a class."
            )
        pair = as_pair("correlation", self.correlation, -1.0, 1.0)
        return PairedSaucs(markers=(first, second), correlation=pair)

    def _means(self) -> tuple[float, float]:
        second = self.mean_difference if self.mean_difference2 is None else self.mean_difference2
        given = {"mean_difference": self.mean_difference, "mean_difference2": second}
        for name, value in given.items():
            if not math.isfinite(as_number(value)):
                raise InvalidOptionError(f"{named(name)} must be a finite number, got {value!r}.")
        return as_number(self.mean_difference), as_number(second)

    def _from_pilot(self) -> Target:
        names = ("mean_difference", "mean_difference2", "correlation")
        extra = [name for name in names if getattr(self, name) is not None]
        if extra:
            raise InvalidOptionError(
                f"A pilot gives the variance; {', '.join(map(keyword, extra))} cannot be given "
                "beside it (effect= sets another value or difference)."
            )
        if self.effect is not None and not math.isfinite(as_number(self.effect)):
            raise InvalidOptionError(f"{named('effect')} must be a number, got {self.effect!r}.")
        rows: tuple[Estimate, ...] = ()
        if isinstance(self.pilot, Comparison):
            rows = self.pilot.rows
        elif isinstance(self.pilot, Estimate):
            rows = (self.pilot,)
        if not all(row.measure.is_hard and row.measure.kernel is RAMP for row in rows):
            raise InvalidOptionError(
                f"{named('pilot')} must be of the sAUC; {function('power_auc')} and "
                f"{function('sample_size_auc')} plan from a pilot of another measure."
            )
        return pilot_target(self.pilot, self.effect)


def _choose_hypothesis(
    target: Target,
    null_value: float | None,
    alternative: str,
    margin: float | None,
    aim: str | None,
) -> Hypothesis:
    if null_value is None and target.chance is None:
        raise InvalidOptionError(
            f"Name the {named('null_value')}: what the sAUC of a pilot would be without a "
            "difference is not known."
        )
    return choose_hypothesis(target, null_value, alternative, margin, aim)
