"""The measures that ship: AUC, sAUC, smAUC and partial areas, and how to find or set one up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.data.columns import as_doubles
from rocstats.engine.evaluation import Plane, summarise
from rocstats.engine.kernels import RAMP, STEP, step_within
from rocstats.engine.measures import (
    Bounds,
    ClassWeight,
    Measure,
    Membership,
    Midpoint,
    appropriateness,
)
from rocstats.engine.windows import Axis, Window
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    aside,
    did_you_mean,
    keyword,
    named,
    shown,
)

__all__ = [
    "AUC",
    "MEASURES",
    "SAUC",
    "SMAUC",
    "find_measure",
    "partial_area",
    "scored_auc",
    "smooth_auc",
]

AUC = Measure(
    name="auc",
    label="AUC",
    kernel=STEP,
    value_bounds=(0.0, 1.0),
    references=("10.2307/2531595",),
)


def _negatives(m: float, n: float) -> float:
    return n


def _positives(m: float, n: float) -> float:
    return m


MIDPOINTS: Mapping[str, Midpoint] = {
    "paper": Midpoint(name="paper", weight=_negatives),
    "class_mean": Midpoint(name="class_mean", weight=_positives),
}


def _margins(measure: Measure, blocks: Blocks) -> dict[str, Any]:
    """R+ and R- (ties count half), the relative sAUC and the mean difference (3.2, 3.3, 3.7)."""
    score, (m, n) = blocks.score, blocks.totals
    ahead = behind = r_plus = r_minus = seen_pos = seen_neg = 0.0
    for s in slabs(score.size):
        (pos, neg), z = blocks.counts(s), score[s]
        upto_pos, upto_neg = np.cumsum(pos) + seen_pos, np.cumsum(neg) + seen_neg
        seen_pos, seen_neg = upto_pos[-1], upto_neg[-1]
        r_plus += _sum_product(z, pos / m * ((upto_neg - 0.5 * neg) / n))
        r_minus += _sum_product(z, neg / n * ((m - upto_pos + 0.5 * pos) / m))
        gap = np.diff(score[s.start : s.stop + 1])
        upto_pos, upto_neg = upto_pos[: gap.size] / m, upto_neg[: gap.size] / n
        ahead += _sum_product(gap, upto_neg * (1.0 - upto_pos))
        behind += _sum_product(gap, upto_pos * (1.0 - upto_neg))
    total = ahead + behind
    return {
        "r_plus": r_plus,
        "r_minus": r_minus,
        "rsauc": ahead / total if total > 0.0 else math.nan,
        "mean_difference": ahead - behind,
    }


def scored_auc(bounds: Bounds | Literal["range"] | None = None, *, name: str = "sauc") -> Measure:
    """Return the scored AUC (Wu & Flach 2005) for scores within `bounds`, or as they are.

    Parameters
    ----------
    bounds : (float, float) or "range", optional
        None leaves the scores, and so the value, in their own units; two numbers take the scores
        from there to [0, 1]; "range" takes the sample's own range and gives no standard error.
    name : str, default "sauc"
        Its name among measures.

    Returns
    -------
    Measure
        The measure, for `estimate` and `compare`.

    See Also
    --------
    sauc : Estimate the scored AUC.
    smooth_auc : The smooth AUC as a measure.
    Measure : A membership and a kernel.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0], [10, 9, 5, 6, 2, 0]
    >>> found = rs.estimate(y, score, measures=rs.scored_auc(bounds=(0, 10)))
    >>> round(found.rows[0].value, 4)
    0.5444
    """
    score_bounds = _check_bounds(bounds)
    return Measure(
        name=name,
        label="sAUC",
        kernel=RAMP,
        score_bounds=score_bounds,
        value_bounds=(0.0, math.inf if score_bounds is None else 1.0),
        unit_on_unit_scores=True,
        details=_margins,
        references=("10.1007/978-3-540-74958-5_44",),
    )


def _setting(measure: Measure, blocks: Blocks) -> dict[str, Any]:
    """The midpoint, the chance level and how the value moves with prevalence (4.3, 4.4, 4.6)."""
    plane = Plane(measure, blocks)
    return {
        "midpoint": plane.midpoint,
        "chance": plane.chance(),
        "class_weight": measure.class_weight,
        "prevalence_sensitivity": plane.components()[3],
    }


def smooth_auc(
    midpoint: float | str = 0.5,
    *,
    class_weight: ClassWeight = None,
    bounds: Bounds | Literal["range"] | None = None,
    name: str = "smauc",
) -> Measure:
    """Return the smooth AUC (Klement et al. 2011) around a midpoint: a number or a rule's name.

    Parameters
    ----------
    midpoint : float or {"paper", "class_mean"}, default 0.5
        Where a score turns from low to high: a number in (0, 1], Klement's equation 1, or the
        middle of the class means; an estimated midpoint adds its own variance.
    class_weight : {"balanced"} or float, optional
        None as published, "balanced" so that chance is 1/2, or a prevalence.
    bounds : (float, float) or "range", optional
        Limits of the scores where they are not 0 and 1; "range" takes the sample's own.
    name : str, default "smauc"
        Its name among measures.

    Returns
    -------
    Measure
        The measure, for `estimate` and `compare`.

    See Also
    --------
    smauc : Estimate the smooth AUC.
    scored_auc : The scored AUC as a measure.
    Measure : A membership and a kernel.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0]
    >>> found = rs.estimate(y, score, measures=rs.smooth_auc(midpoint="class_mean"))
    >>> round(found.rows[0].details["midpoint"], 4)
    0.5333
    """
    if isinstance(midpoint, str) and midpoint in MIDPOINTS:
        rule: float | Midpoint = MIDPOINTS[midpoint]
    elif 0.0 < as_number(midpoint) <= 1.0:
        rule = as_number(midpoint)
    else:
        raise InvalidOptionError(
            f'{named("midpoint")} must be a number in (0, 1], "paper" or "class_mean", got '
            f"{midpoint!r}."
        )
    if not (
        class_weight is None
        or (isinstance(class_weight, str) and class_weight == "balanced")
        or 0.0 < as_number(class_weight) < 1.0
    ):
        raise InvalidOptionError(
            f'{named("class_weight")} must be None, "balanced" or a prevalence strictly between 0 '
            f"and 1, got {class_weight!r}."
        )
    return Measure(
        name=name,
        label="smAUC",
        kernel=STEP,
        membership=Membership(name="soft", theta=appropriateness, midpoint=rule),
        score_bounds=_check_bounds(bounds) or (0.0, 1.0),
        class_weight=class_weight,
        value_bounds=(0.0, 1.0),
        details=_setting,
        references=("10.1007/978-3-642-23783-6_13",),
    )


def _place(measure: Measure, blocks: Blocks) -> dict[str, Any]:
    """The range, the area as it is and as McClish scales it, and how many subjects it rests on."""
    window = measure.kernel.window
    if window is None:
        raise ValueError("the measure has no window")
    level, slope = window.scale
    raw = (summarise(measure, blocks).value - level) / slope
    raw = replace(window, standardized=False).held(raw)
    scaled = replace(window, standardized=True)
    level, slope = scaled.scale
    opens, closes = window.passed(window.sides(*blocks.sizes)[0])
    plain = blocks.weight is None
    return {
        "axis": window.axis,
        "low": window.low,
        "high": window.high,
        "raw": raw,
        "standardized": scaled.held(level + slope * raw),
        "n_within": math.ceil(closes) - math.floor(opens) if plain else math.nan,
    }


def partial_area(
    fpr: Bounds | None = None,
    *,
    tpr: Bounds | None = None,
    standardized: bool = False,
    name: str | None = None,
) -> Measure:
    """Return the partial area over a range of one rate, raw or scaled as McClish (1989) has it.

    Parameters
    ----------
    fpr : (float, float), optional
        Low and high, a range of the false positive rate: the area under the curve over it.
    tpr : (float, float), optional
        Low and high, a range of the true positive rate: the area beside the curve; give one of the
        two.
    standardized : bool, default False
        Scale the area so that chance is 1/2 and the best 1.
    name : str, optional
        Its name among measures; by default it tells the range.

    Returns
    -------
    Measure
        The measure, for `estimate` and `compare`.

    See Also
    --------
    partial_auc : Estimate the area under a part of the curve.
    estimate : Estimate several measures of several markers at once.
    Measure : A membership and a kernel.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> parts = [rs.partial_area(fpr=(0, 0.1)), rs.partial_area(fpr=(0.1, 1)), "auc"]
    >>> [round(row.value, 4) for row in rs.estimate(cancer, measures=parts).rows[:3]]
    [0.0737, 0.8638, 0.9375]
    """
    axis: Axis = "tpr" if fpr is None else "fpr"
    if (fpr is None) == (tpr is None):
        raise InvalidOptionError(
            f"Give one range, {keyword('fpr', ('low', 'high'))} or "
            f"{keyword('tpr', ('low', 'high'))}, not {'none' if fpr is None else 'both'}."
        )
    if not isinstance(standardized, bool):
        raise InvalidOptionError(
            f"{named('standardized')} must be True or False, got {standardized!r}."
        )
    low, high = _check_range(axis, tpr if fpr is None else fpr)
    window = Window(axis=axis, low=low, high=high, standardized=standardized)
    kind = "standardized pAUC" if standardized else "pAUC"
    return Measure(
        name=name or f"{'s' if standardized else ''}pauc_{axis}_{low:g}_{high:g}",
        label=f"{kind} ({window})",
        kernel=step_within(window),
        value_bounds=window.bounds,
        details=_place,
        references=("10.1177/0272989X8900900307", "10.1111/1541-0420.00071"),
    )


def _check_range(axis: str, given: object) -> Bounds:
    try:
        low, high = (as_number(value) for value in given)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        low = high = math.nan
    if not 0.0 <= low < high <= 1.0:
        raise InvalidOptionError(
            f"{named(axis)} must be two numbers low < high from 0 to 1, got {given!r}."
        )
    return low, high


def _check_bounds(bounds: object) -> Bounds | Literal["range"] | None:
    if bounds is None:
        return None
    if isinstance(bounds, str) and bounds == "range":
        return "range"
    ends = as_doubles(bounds)
    low, high = ends.tolist() if ends.shape == (2,) else (math.nan, math.nan)
    if not (low < high and math.isfinite(high - low)):
        raise InvalidOptionError(
            f'{named("bounds")} must be None, "range" or two finite numbers low < high, got '
            f"{bounds!r}."
        )
    return low, high


SAUC = scored_auc()
SMAUC = smooth_auc()
MEASURES: Mapping[str, Measure] = {m.name: m for m in (AUC, SAUC, SMAUC)}


_MODELS = ' Scores of several models go together, by name: {"a": scores_of_a, "b": scores_of_b}.'


def find_measure(measure: str | Measure) -> Measure:
    """Return the measure of that name, or the measure itself."""
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, str) and measure in MEASURES:
        return MEASURES[measure]
    raise InvalidOptionError(
        f"{named('measure')} must be one of {', '.join(map(repr, MEASURES))} or a Measure, got "
        f"{shown(measure)}.{did_you_mean(measure, MEASURES)}"
        + (aside(_MODELS) if not math.isnan(as_number(measure)) else "")
        + (aside(" The partial AUC is rs.partial_area(fpr=(0, 0.1)).") if _partial(measure) else "")
    )


def _partial(measure: object) -> bool:
    """Whether a partial area was asked for by a name."""
    return isinstance(measure, str) and measure.startswith(("partial", "pauc"))


def _sum_product(a: Floats, b: Floats) -> float:
    return float(np.einsum("i,i->", a, b))
