"""pROC's bootstrap intervals of points of a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword, named
from rocstats.rbridge.proc_calls import RESAMPLING, Resampling, ask, check_independent, curve_of
from rocstats.rbridge.proc_points import (
    INPUTS,
    PLACES,
    QUANTITIES,
    PointTable,
    numbers_of,
    place_of,
    words_of,
)

__all__ = ["ci_coords", "ci_se", "ci_sp", "ci_thresholds"]

_GRID = tuple(i / 10 for i in range(11))


def ci_se(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    specificity: float | Sequence[float] = _GRID,
    confidence_level: float = 0.95,
    resampling: Resampling = RESAMPLING,
) -> PointTable:
    """Return pROC's bootstrap intervals of the sensitivity at given specificities.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    specificity : float or sequence of float, default (0.0, 0.1, ..., 1.0)
        The fixed specificities.
    confidence_level : float, default 0.95
        Level of the intervals.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    PointTable
        A row for each specificity: median and limits.

    See Also
    --------
    ci_sp : Intervals of the specificity, as pROC has them.
    rocstats.sensitivity_at : The same in Python.

    Notes
    -----
    The middle column is the median of the replicates, not the estimate. R: ``pROC::ci.se(roc,
    specificities = , conf.level = , boot.n = , boot.stratified = )``.

    Examples
    --------
    >>> import rocstats as rs
    >>> ratings = rs.datasets.load_ct_ratings()
    >>> table = rs.rbridge.ci_se(ratings, specificity=[0.8, 0.9])  # doctest: +SKIP
    >>> table.column("at"), table.column("quantity")  # doctest: +SKIP
    ([0.8, 0.9], ['sensitivity', 'sensitivity'])
    """
    given = _rates(specificity, "specificity")
    call = "list(sensitivity = ci.se(curve(a), specificities = x,"
    return _intervals(
        sample, marker, call, "specificity", given, confidence_level, resampling, name="ci.se"
    )


def ci_sp(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    sensitivity: float | Sequence[float] = _GRID,
    confidence_level: float = 0.95,
    resampling: Resampling = RESAMPLING,
) -> PointTable:
    """Return pROC's bootstrap intervals of the specificity at given sensitivities.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    sensitivity : float or sequence of float, default (0.0, 0.1, ..., 1.0)
        The fixed sensitivities.
    confidence_level : float, default 0.95
        Level of the intervals.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    PointTable
        A row for each sensitivity: median and limits.

    See Also
    --------
    ci_se : Intervals of the sensitivity, as pROC has them.
    rocstats.specificity_at : The same in Python.

    Notes
    -----
    The middle column is the median of the replicates, not the estimate.
    R: ``pROC::ci.sp(roc, sensitivities = , ...)``.

    Examples
    --------
    >>> import rocstats as rs
    >>> ratings = rs.datasets.load_ct_ratings()
    >>> table = rs.rbridge.ci_sp(ratings, sensitivity=0.9)  # doctest: +SKIP
    >>> table.column("at"), table.column("quantity")  # doctest: +SKIP
    ([0.9], ['specificity'])
    """
    given = _rates(sensitivity, "sensitivity")
    call = "list(specificity = ci.sp(curve(a), sensitivities = x,"
    return _intervals(
        sample, marker, call, "sensitivity", given, confidence_level, resampling, name="ci.sp"
    )


def ci_thresholds(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    thresholds: str | float | Sequence[float] = "local maxima",
    confidence_level: float = 0.95,
    resampling: Resampling = RESAMPLING,
) -> PointTable:
    """Return pROC's bootstrap intervals of specificity and sensitivity at fixed thresholds.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    thresholds : str, float or sequence of float, default "local maxima"
        Numbers, or "all", "local maxima" or "best" of the sample.
    confidence_level : float, default 0.95
        Level of the intervals.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    PointTable
        A row for each threshold and rate: median and limits.

    See Also
    --------
    coords : Points of the curve, as pROC has them.
    ci_coords : Intervals of any coordinates, as pROC has them.
    rocstats.operating_points : The same in Python.

    Notes
    -----
    R: ``pROC::ci.thresholds(roc, thresholds = , ...)``.

    Examples
    --------
    >>> import rocstats as rs
    >>> ratings = rs.datasets.load_ct_ratings()
    >>> table = rs.rbridge.ci_thresholds(ratings, thresholds=3.5)  # doctest: +SKIP
    >>> table.column("at"), table.column("quantity")  # doctest: +SKIP
    ([3.5, 3.5], ['specificity', 'sensitivity'])
    """
    given: Any = numbers_of(thresholds, "thresholds") if not isinstance(thresholds, str) else None
    if given is None:
        check_option("thresholds", thresholds, tuple(PLACES))
        given = PLACES[str(thresholds)]
    return _intervals(
        sample,
        marker,
        "unclass(ci.thresholds(curve(a), thresholds = x,",
        "threshold",
        given,
        confidence_level,
        resampling,
        name="ci.thresholds",
    )


def ci_coords(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    at: str | float | Sequence[float] = "best",
    input: str = "threshold",  # noqa: A002 - pROC's word
    quantities: Sequence[str] = ("threshold", "specificity", "sensitivity"),
    best_method: str = "youden",
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
    best_policy: str = "stop",
    confidence_level: float = 0.95,
    resampling: Resampling = RESAMPLING,
) -> PointTable:
    """Return pROC's bootstrap intervals of any coordinates.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    at : str, float or sequence of float, default "best"
        "best", or values of `input`.
    input : {"threshold", "specificity", "sensitivity"}, default "threshold"
        What the values are.
    quantities : sequence of str, default ("threshold", "specificity", "sensitivity")
        The rows: threshold, specificity, sensitivity, fpr, accuracy, tp, fp, tn, fn, ppv, npv,
        youden, closest_topleft.
    best_method : {"youden", "closest_topleft"}, default "youden"
        What is best.
    relative_cost : float, default 1.0
        What a false negative costs beside a false positive, in pROC's ``best.weights``.
    prevalence : float, default 0.5
        The share of positives in ``best.weights``.
    best_policy : {"stop", "random"}, default "stop"
        What to do where a replicate has several best points (pROC's third, "omit", fails in 1.18
        and misshapes the answer in 1.19).
    confidence_level : float, default 0.95
        Level of the intervals.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    PointTable
        A row for each point and quantity: median and limits.

    See Also
    --------
    coords : Points of the curve, as pROC has them.
    ci_thresholds : Intervals at thresholds, as pROC has them.

    Notes
    -----
    With ``at="best"`` the point is chosen anew in every replicate. ``youden`` is J, and only
    without weights. R: ``pROC::ci.coords(roc, x, input = , ret = , best.policy = , ...)``.

    Examples
    --------
    >>> import rocstats as rs
    >>> ratings = rs.datasets.load_ct_ratings()
    >>> table = rs.rbridge.ci_coords(ratings, at=3.5, quantities=["ppv", "npv"])  # doctest: +SKIP
    >>> table.column("at"), table.column("quantity")  # doctest: +SKIP
    ([3.5, 3.5], ['ppv', 'npv'])
    """
    check_option("input", input, INPUTS)
    check_option("best_policy", best_policy, ("stop", "random"))
    words = words_of(quantities)
    x, _, options = place_of(at, best_method, relative_cost, prevalence)
    if isinstance(x, str) and x != "best":
        raise InvalidOptionError(f'{named("at")} must be "best" or numbers here, got {at!r}.')
    if "youden" in words and options["weights"] != [1.0, 0.5]:
        raise InvalidOptionError(
            f"pROC's weighted Youden index is not J; ask for it with {keyword('relative_cost', 1)} "
            f"and {keyword('prevalence', 0.5)}."
        )
    call = (
        "unclass(ci.coords(curve(a), x = x, input = input, ret = ret, best.method = method,"
        " best.weights = weights, best.policy = policy,"
    )
    ret = [QUANTITIES[word] for word in words]
    options |= {"input": input, "ret": ret, "policy": best_policy}
    return _intervals(
        sample, marker, call, input, x, confidence_level, resampling, name="ci.coords", **options
    )


def _intervals(
    sample: ScoredSample,
    marker: str | None,
    call: str,
    input_word: str,
    x: Any,
    confidence_level: float,
    resampling: Resampling,
    *,
    name: str,
    **options: Any,
) -> PointTable:
    """Rows of one of pROC's bootstrap intervals: point, quantity, median and limits."""
    check_independent(sample)
    level = check_confidence_level(confidence_level)
    found = ask(
        f"answer <- {call} conf.level = level, boot.n = n, boot.stratified = stratified));"
        " points <- attr(answer, 'thresholds'); if (is.null(points)) points <- x;"
        " list(points = as.list(unname(points)), limits = lapply(answer, unclass))",
        a=curve_of(sample, marker),
        x=x,
        level=level,
        resampling=resampling,
        **options,
    )
    ours = {theirs: word for word, theirs in QUANTITIES.items()}
    rows = []
    for quantity, limits in found["limits"].items():
        shift = 1.0 if quantity == "youden" else 0.0
        for point, (low, median, high) in zip(found["points"], limits, strict=True):
            best = isinstance(point, str)
            rows.append(
                {
                    "input": "best" if best else input_word,
                    "at": math.nan if best else point,
                    "quantity": ours[quantity],
                    "median": median - shift,
                    "conf_low": low - shift,
                    "conf_high": high - shift,
                    "conf_level": level,
                }
            )
    return PointTable(
        classifier=sample.markers[sample.marker(marker)],
        method=f"pROC::{name}, {resampling.n_resamples} bootstrap replicates",
        rows=tuple(rows),
    )


def _rates(values: Any, name: str) -> list[float]:
    rates = numbers_of(values, name)
    if not all(0.0 <= rate <= 1.0 for rate in rates):
        raise InvalidOptionError(f"{named(name)} must lie within [0, 1], got {values!r}.")
    return rates
