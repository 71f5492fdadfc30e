"""Planners: leave one of size, power, area and significance out, and it is found."""

from __future__ import annotations

from typing import Any, Literal

from rocstats.errors import InvalidOptionError, aside, check_option, function, keyword, named
from rocstats.estimates.results import Alternative
from rocstats.planning.assumptions import (
    Assumptions,
    Numbers,
    as_share,
    as_size,
    choose_goal,
    choose_hypothesis,
    choose_ratio,
    choose_significance,
    choose_target,
    negatives_for,
)
from rocstats.planning.hypotheses import Hypothesis
from rocstats.planning.plans import PowerResult, make_plan, power_of
from rocstats.planning.solving import find_root, least_size
from rocstats.planning.targets import Target

__all__ = ["find_effect", "find_significance", "power_auc", "refuse_unmet", "sample_size_auc"]

Model = Literal["normal", "hanley-mcneil", "obuchowski"]
Aim = Literal["non-inferiority", "superiority", "equivalence"]


def power_auc(
    auc: float | None = None,
    *,
    null_value: float | None = None,
    auc2: float | None = None,
    n_pos: int,
    n_neg: int | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    significance: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    aim: Aim | None = None,
    model: Model = "normal",
    sd_ratio: Numbers = 1.0,
    paired: bool = True,
    correlation: Numbers | None = None,
    auc_correlation: float | None = None,
    group_ratio: float = 1.0,
    pilot: Any = None,
    effect: float | None = None,
    find: Literal["power", "auc", "significance"] = "power",
    power: float | None = None,
) -> PowerResult:
    """Return the power of a study of given size; or the area or significance for a given power.

    Parameters
    ----------
    auc : float, optional
        The area assumed to be true.
    null_value : float, optional
        The area it is tested against, 0.5 by default; with `auc2` the difference, 0 by default.
    auc2 : float, optional
        A second area; the difference ``auc - auc2`` is tested against `null_value`.
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
        The margin of `aim`.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    model : {"normal", "hanley-mcneil", "obuchowski"}, default "normal"
        Variance of an area: exact for normal scores, by Hanley & McNeil, or by Obuchowski as in
        pROC.
    sd_ratio : float or (float, float), default 1.0
        Standard deviation of the positives' scores over that of the negatives', for the normal
        model; a pair for two areas.
    paired : bool, default True
        Whether both areas are of the same subjects.
    correlation : float or (float, float), optional
        Correlation of the two scores within a class; a pair for positives and negatives.
    auc_correlation : float, optional
        Instead of it, that of the two estimated areas.
    group_ratio : float, default 1.0
        Size of the second group over the first where they are not `paired`.
    pilot : Estimate or Comparison, optional
        An estimate of any measure, or a comparison of two markers by one measure, whose influence
        gives the variance and, unless `effect` is given, the value or difference.
    effect : float, optional
        The assumed value or difference, with a pilot.
    find : {"power", "auc", "significance"}, default "power"
        What is found: "auc" is the area that is found with the given `power` (of the first where
        there are two, or the effect with a pilot); "significance" the level.
    power : float, optional
        The wanted power, where something else is found.

    Returns
    -------
    PowerResult
        Sizes, significance, effect and power that go together.

    See Also
    --------
    sample_size_auc : The least sizes that give the wanted power.
    PowerResult.simulate : Simulate the planned study.

    Notes
    -----
    The variance is ``xi10 / m + xi01 / n + sigma2 / (m n)`` and the estimate normal. One area is
    tested with its standard error under the null value: ``Phi((D - z s0) / s1)`` and the other
    tail's part. A difference is tested as `compare` does: where losses are few with the standard
    error where a hypothesis puts the areas, else with that of the assumed areas; their order does
    not matter. A half-width is that of the default interval. `PowerResult.simulate` checks it all.
    R equivalent:
    ``pROC::power.roc.test(auc = , ncases = , ncontrols = )`` is ``model="obuchowski"``; for two
    curves pROC's answer depends on their order, and is not reproduced.

    References
    ----------
    Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747; Obuchowski & McClish (1997),
    Statistics in Medicine 16:1529-1542.

    Examples
    --------
    >>> import rocstats as rs
    >>> plan = rs.power_auc(auc=0.8, null_value=0.7, n_pos=60, n_neg=120)
    >>> round(plan.power, 3)
    0.716
    >>> round(rs.power_auc(auc2=0.75, correlation=0.5, n_pos=100, find="auc", power=0.8).auc, 3)
    0.842
    """
    check_option("find", find, ("power", "auc", "significance"))
    if find != "power":
        power = as_share("power", power)
    elif power is not None:
        raise InvalidOptionError(
            f"{named('power')} is what is found; give {keyword('find', 'auc')} or "
            f"{keyword('find', 'significance')}, or use {function('sample_size_auc')}."
        )
    if find == "auc":
        if auc is not None or effect is not None:
            raise InvalidOptionError(
                f"With {keyword('find', 'auc')} leave {keyword('auc')}{aside(' and effect=')} out."
            )
        auc = None if pilot is not None else (0.5 if auc2 is None else auc2)
    told = Assumptions(
        auc=auc,
        auc2=auc2,
        model=model,
        sd_ratio=sd_ratio,
        paired=paired,
        correlation=correlation,
        auc_correlation=auc_correlation,
        group_ratio=group_ratio,
        pilot=pilot,
        effect=effect,
    )
    target = choose_target(told)
    hypothesis = choose_hypothesis(target, null_value, alternative, margin, aim)
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
    if find == "auc":
        target = find_effect(target, hypothesis, m, n, level, float(power or 0.0))
    return make_plan(target, hypothesis, m, n, level, told.source)


def sample_size_auc(
    auc: float | None = None,
    *,
    null_value: float | None = None,
    auc2: float | None = None,
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
    model: Model = "normal",
    sd_ratio: Numbers = 1.0,
    paired: bool = True,
    correlation: Numbers | None = None,
    auc_correlation: float | None = None,
    group_ratio: float = 1.0,
    pilot: Any = None,
    effect: float | None = None,
) -> PowerResult:
    """Return the least sizes at which a study has the wanted power, or precision.

    Parameters
    ----------
    auc : float, optional
        The area assumed to be true.
    null_value : float, optional
        The area it is tested against, 0.5 by default; with `auc2` the difference, 0 by default.
    auc2 : float, optional
        A second area; the difference ``auc - auc2`` is tested against `null_value`.
    power : float, default 0.8
        The wanted power.
    half_width : float, optional
        Instead of a power, the wanted half-width of the Wald interval at confidence level
        ``1 - significance``.
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
        The margin of `aim`.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    model : {"normal", "hanley-mcneil", "obuchowski"}, default "normal"
        Variance of an area: exact for normal scores, by Hanley & McNeil, or by Obuchowski as in
        pROC.
    sd_ratio : float or (float, float), default 1.0
        Standard deviation of the positives' scores over that of the negatives', for the normal
        model; a pair for two areas.
    paired : bool, default True
        Whether both areas are of the same subjects.
    correlation : float or (float, float), optional
        Correlation of the two scores within a class; a pair for positives and negatives.
    auc_correlation : float, optional
        Instead of it, that of the two estimated areas.
    group_ratio : float, default 1.0
        Size of the second group over the first where they are not `paired`.
    pilot : Estimate or Comparison, optional
        An estimate of any measure, or a comparison of two markers by one measure, whose influence
        gives the variance and, unless `effect` is given, the value or difference.
    effect : float, optional
        The assumed value or difference, with a pilot.

    Returns
    -------
    PowerResult
        Sizes, significance, effect and power that go together.

    See Also
    --------
    power_auc : The power of a study of given size.
    PowerResult.simulate : Simulate the planned study.

    Notes
    -----
    A search over whole numbers of positives, with ``ratio`` negatives for each, rounded up; so the
    power achieved is at least the wanted one.

    Examples
    --------
    >>> import rocstats as rs
    >>> plan = rs.sample_size_auc(auc=0.8, null_value=0.7, power=0.9, ratio=2)
    >>> plan.n_pos, plan.n_neg, round(plan.power, 3)
    (93, 186, 0.901)
    >>> rs.sample_size_auc(auc=0.8, half_width=0.05, prevalence=0.2).n_pos
    91
    """
    told = Assumptions(
        auc=auc,
        auc2=auc2,
        model=model,
        sd_ratio=sd_ratio,
        paired=paired,
        correlation=correlation,
        auc_correlation=auc_correlation,
        group_ratio=group_ratio,
        pilot=pilot,
        effect=effect,
    )
    target = choose_target(told)
    if n_pos is not None and n_neg is not None:
        raise InvalidOptionError(
            f"Both sizes are given; use {function('power_auc')} for their power."
        )
    per_positive = choose_ratio(target, ratio, prevalence, n_pos or n_neg)
    level = choose_significance(significance, aim)
    wanted, goal = choose_goal(
        level, power, half_width, (null_value, margin, aim), alternative=alternative
    )
    hypothesis = None
    if half_width is None:
        hypothesis = choose_hypothesis(target, null_value, alternative, margin, aim)

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
    return make_plan(target, hypothesis, *sizes(least), level, told.source)


def refuse_unmet(hypothesis: Hypothesis, effect: float) -> None:
    """Refuse an assumed value that is not one the study is to show."""
    if hypothesis.is_met_by(effect):
        return
    if hypothesis.aim is None:
        wanted = {"two-sided": "other than", "greater": "above", "less": "below"}
        why = f"it must be {wanted[hypothesis.alternative]} {hypothesis.null_value:g}"
    else:
        bounds = " and ".join(
            f"{'above' if side > 0 else 'below'} {bound:g}" for bound, side in hypothesis.bounds
        )
        why = f"{hypothesis.aim} needs it {bounds}"
    raise InvalidOptionError(
        f"No sample size can show this: the assumed value is {effect:.4g}, and {why}."
    )


def find_significance(
    target: Target, hypothesis: Hypothesis, m: int, n: int, power: float
) -> float:
    """Return the level at which the study has that power."""
    refuse_unmet(hypothesis, target.effect(m, n))
    most = 0.5 if hypothesis.all_needed else 1.0
    found = find_root(
        lambda level: power_of(target, hypothesis, m, n, level) - power, 1e-300, most - 1e-12
    )
    if found is None:
        raise InvalidOptionError(f"No significance reaches a power of {power:g} at these sizes.")
    return found


def find_effect(
    target: Target, hypothesis: Hypothesis, m: int, n: int, level: float, power: float
) -> Target:
    """Return the target at the value nearest the null value that is found with that power."""
    if len(hypothesis.bounds) > 1 and hypothesis.all_needed:
        raise InvalidOptionError("Equivalence has no least effect to find.")
    if power <= level:
        raise InvalidOptionError(
            f"{named('power')} must be above the significance ({level:g}), got {power:g}."
        )
    (bound, side), reach = hypothesis.bounds[0], target.reach
    distance = (reach[1] - bound) if side > 0 else (bound - reach[0])
    most = min(distance, 1e6 * target.std_error(m, n))

    def excess(step: float) -> float:
        return power_of(target.at(bound + side * step), hypothesis, m, n, level) - power

    found = find_root(excess, 0.0, most)
    if found is None:
        raise InvalidOptionError(
            f"No value there can be is found with a power of {power:g} at these sizes."
        )
    return target.at(bound + side * found)
