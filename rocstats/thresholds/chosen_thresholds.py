"""Chosen thresholds: which of a marker's are wanted, and the operating points there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.arrays import Floats, Ints
from rocstats.curves.path import read_only, to_numbers
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.data.subject_weights import WeightKind
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    check_confidence_level,
    check_option,
    named,
    warn_user,
)
from rocstats.estimates.proportion_limits import PROPORTION_METHODS, ProportionMethod
from rocstats.thresholds.clusters import Clusters, gather_clusters
from rocstats.thresholds.points import EVERYWHERE, OperatingPoints
from rocstats.thresholds.proportions import as_fractions
from rocstats.thresholds.table_clusters import table_clusters

if TYPE_CHECKING:
    from rocstats.data.scan.scored_table import ScoredTable

__all__ = ["operating_points", "places_at"]

_ROUNDING = 1e-12  # sums of weights are this near to a rate that they reach


def places_at(curve: RocCurve, threshold: Floats) -> NDArray[np.intp]:
    """Return the vertex of the curve that each threshold stands for."""
    sign = -1.0 if curve.higher_is_positive else 1.0
    return np.searchsorted(sign * curve.threshold[1:], sign * threshold, side="right")


def _at_fpr(curve: RocCurve, fpr: Any, name: str) -> NDArray[np.intp]:
    """Return the vertex of highest sensitivity whose false positive rate is no larger."""
    rates = as_fractions(fpr, name)
    if curve.is_weighted:
        allowed = curve.fp[-1] * (np.array([*map(float, rates)]) * (1.0 + _ROUNDING))
        return np.asarray(np.searchsorted(curve.fp, allowed, side="right") - 1)
    most = [curve.n_neg * rate // 1 for rate in rates]
    return np.searchsorted(curve.fp, np.array(most, dtype=np.int64), side="right") - 1


def _at_tpr(curve: RocCurve, tpr: Any, name: str) -> NDArray[np.intp]:
    """Return the vertex of lowest false positive rate whose sensitivity is no smaller."""
    rates = as_fractions(tpr, name)
    if curve.is_weighted:
        needed = curve.tp[-1] * (np.array([*map(float, rates)]) * (1.0 - _ROUNDING))
        return np.asarray(np.searchsorted(curve.tp, needed, side="left"))
    least = [-(-curve.n_pos * rate // 1) for rate in rates]
    return np.searchsorted(curve.tp, np.array(least, dtype=np.int64), side="left")


def _clusters_of(
    sample: ScoredSample, row: int, curve: RocCurve, where: NDArray[np.intp]
) -> Clusters | None:
    """Return the clusters of a sample, or those of a table at some vertices of its curve."""
    if sample.keeps_rows:
        return gather_clusters(sample, row)
    return table_clusters(cast("ScoredTable", sample), row, curve.threshold[where[where > 0]])


def _called_at(sample: ScoredSample, row: int, where: NDArray[np.intp]) -> Ints | None:
    """Return how many subjects are called positive at some vertices; None where cells tell."""
    if sample.weights is None:
        return None
    last = sample.blocks(row).last
    ends = np.arange(sample.positive.size) if last is None else last
    starts = np.append(0, ends[:-1] + 1)
    called = np.append(0, (sample.positive.size - starts)[::-1])
    return read_only(called[where])


def operating_points(
    y_true: Any,
    y_score: Any = None,
    thresholds: ArrayLike | None = None,
    *,
    fpr: ArrayLike | None = None,
    tpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    prevalence: float | Sequence[float] = (),
    interval: ProportionMethod = "wilson",
    confidence_level: float = 0.95,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
    verified: Any = None,
    verification_model: Any = None,
) -> OperatingPoints:
    """Return 2x2 tables of one marker with their diagnostic measures and intervals.

    Without thresholds or a target rate there is a point for every distinct score, and the one that
    calls no one positive.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    thresholds : float or array-like, optional
        Any numbers; a subject is called positive at or beyond one (``>=``, or ``<=`` where low is
        positive).
    fpr : float or array-like, optional
        Target rates; each gives the point of highest sensitivity among those whose false positive
        rate is at most the target.
    tpr : float or array-like, optional
        Target rates, the same as `sensitivity`.
    specificity : float or array-like, optional
        Target rates; each gives the point of highest sensitivity among those whose specificity is
        at least the target.
    sensitivity : float or array-like, optional
        Target rates; each gives the point of highest specificity among those whose sensitivity is
        at least the target.
    prevalence : float or sequence of float, default ()
        Prevalences at which PPV and NPV are wanted, besides the sample's own.
    interval : {"wilson", "clopper-pearson", "agresti-coull", "jeffreys"}, default "wilson"
        Interval of a proportion.
    confidence_level : float, default 0.95
        Level of every interval.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which marker, where there are several.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    weights : array-like of shape (N,), optional
        What every row counts, at least 0; a sample has its own.
    weight_kind : {"probability", "frequency"}, default "probability"
        Whether a row is one subject that stands for others, or so many that are alike.
    verified : array-like of bool of shape (N,), optional
        Whose true class is known; the verified stand for the others by their probability of that.
    verification_model : names, mapping or data frame, optional
        What verification depends on: names of markers, or columns by name; by default all markers.

    Returns
    -------
    OperatingPoints
        The tables, with every measure and its limits.

    See Also
    --------
    optimal_cutpoint : Choose the best cutpoint, and say what choosing cost.
    sensitivity_at : Estimate the sensitivity at a fixed specificity.
    roc_curve : The empirical ROC curve.

    Notes
    -----
    A point at a target rate is a threshold that can be used, with whole counts; rates are compared
    as the decimals that were written, without rounding. Its interval takes the threshold as given.
    The sensitivity *at a fixed specificity*, whose threshold is estimated, is another quantity:
    `rocstats.sensitivity_at`.

    Sensitivity, specificity, accuracy, PPV and NPV are proportions, PPV and NPV at the sample's
    prevalence, which counts as estimated. Where a share is 0 or 1 so is that limit, also by
    "jeffreys", whose quantiles as they are would leave out the share itself (Brown, Cai & DasGupta
    2001; statsmodels has them as they are). Youden's J = se + sp - 1 has Newcombe's (1998)
    interval, the square root of the sum of the squared distances of both rates to their limits, and
    so has the balanced accuracy (J + 1) / 2. LR+, LR- and DOR have log intervals (Simel et al.
    1991). PPV and NPV at a stated prevalence, which counts as known, have logit intervals (Mercaldo
    et al. 2007). F1 = 2 q / (1 + q) has that of the proportion q = tp / (tp + fp + fn), MCC the
    delta interval of Fisher's z for two binary variables.

    Where a cell is empty those of LR+, LR-, DOR, MCC and of PPV and NPV at a stated prevalence do
    not exist; nothing is added to the cells. The limits are then the values at the corners of the
    limits of both rates: low and low, high and high. One may be 0 or infinite.

    What is 0 / 0, such as the PPV where no one is called positive, is nan. R equivalent:
    ``pROC::coords``, whose youden is J + 1 and whose thresholds lie between the scores.

    With clusters the counts are first divided by the design effect of the measure (Rao & Scott
    1992): its variance over c clusters, of a ratio of sums and with c / (c - 1), beside that of
    independent subjects, at least 1. Clusters are those with a subject in the denominator. For LR+,
    LR-, DOR and J each class has its own, and the covariance of both rates within clusters is taken
    into account. Few clusters make this variance uncertain, and the effective number of subjects
    becomes smaller by the squared ratio of t quantiles (Korn & Graubard 1998). Where a rate is 0 or
    1 a cluster counts as one subject. Clusters of one subject each give the intervals of
    independent ones. docs/evidence/thresholds.md has their coverage: with few clusters and a high
    correlation in them it falls to .90 or so.

    With probability weights the cells are sums of weights, and the intervals are those of as many
    subjects as these are worth for the measure: its variance with weights beside that of a simple
    sample (Korn & Graubard 1998). Where a rate is 0 or 1 the class counts as its weight over the
    largest, for who was not seen may weigh as much. Of a binary test whose verification depends on
    its result alone, sensitivity and specificity with `verified` are those of Begg & Greenes
    (1983), and their variances allow for the estimated probabilities.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953; Brown, Cai & DasGupta (2001), Statistical
    Science 16, 101-133, doi:10.1214/ss/1009213286; Newcombe (1998), Statistics in Medicine 17,
    873-890; Simel, Samsa & Matchar (1991), doi:10.1016/0895-4356(91)90128-V; Mercaldo, Lau & Zhou
    (2007), doi:10.1002/sim.2677; Bishop, Fienberg & Holland (1975), Discrete Multivariate Analysis;
    Rao & Scott (1992), Biometrics 48, 577-585; Korn & Graubard (1998), Survey Methodology 24,
    193-201.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1]
    >>> points = rs.operating_points(y, score, specificity=0.75, prevalence=0.1)
    >>> points.threshold.tolist(), points.tp.tolist(), points.fp.tolist()
    ([6.0], [3], [1])
    >>> points.ppv.tolist(), points.values("ppv_at_0.1").round(4).tolist()
    ([0.75], [0.25])
    >>> [limit.round(3).tolist() for limit in points.limits("sensitivity")]
    [[0.301], [0.954]]
    """
    check_option("interval", interval, PROPORTION_METHODS)
    level = check_confidence_level(confidence_level)
    shares = tuple(float(p) for p in as_fractions(prevalence, "prevalence", inside=True))
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        verified=verified,
        verification_model=verification_model,
        takes=("weights", "strata", "nuisance"),
    )
    curve = roc_curve(sample, marker=marker)
    given = {
        name: value
        for name, value in (
            ("thresholds", thresholds),
            ("fpr", fpr),
            ("tpr", tpr),
            ("specificity", specificity),
            ("sensitivity", sensitivity),
        )
        if value is not None
    }
    if len(given) > 1:
        raise InvalidOptionError(
            f"Give one of {', '.join(map(named, given))}, or none of them for all thresholds."
        )
    name, wanted = next(iter(given.items()), ("all", None))
    threshold = None
    if name == "thresholds":
        threshold = np.atleast_1d(to_numbers(wanted, name)).ravel()
        sample.check_edges(sample.marker(marker), threshold)
        where, chosen_by = places_at(curve, threshold), "thresholds as given"
    elif name in ("tpr", "sensitivity"):
        where, chosen_by = _at_tpr(curve, wanted, name), "sensitivity of at least the target"
    elif name == "fpr":
        where, chosen_by = _at_fpr(curve, wanted, name), "false positive rate of at most the target"
    elif name == "specificity":
        complement = [1 - rate for rate in as_fractions(wanted, name)]
        where, chosen_by = _at_fpr(curve, complement, name), "specificity of at least the target"
    else:
        where, chosen_by = np.arange(curve.tp.size), EVERYWHERE
    clusters = _clusters_of(sample, sample.marker(marker), curve, where)
    if clusters is not None:  # the very sums that the counts end in, so that empty cells are 0
        clusters = replace(clusters, totals=(curve.tp[-1].item(), curve.fp[-1].item()))
    for name, units in clusters.classes.items() if clusters else ():
        if units == 1:
            warn_user(
                f"All {name} are of one cluster, which counts as one subject.",
                DegenerateVarianceWarning,
            )
    return OperatingPoints(
        classifier=curve.classifier,
        threshold=read_only(curve.threshold[where] if threshold is None else threshold),
        tp=read_only(curve.tp[where]),
        fp=read_only(curve.fp[where]),
        called_at=_called_at(sample, sample.marker(marker), where),
        n_pos=curve.n_pos,
        n_neg=curve.n_neg,
        higher_is_positive=curve.higher_is_positive,
        prevalence=shares,
        interval=interval,
        confidence_level=level,
        clusters=clusters,
        chosen_by=chosen_by,
        account=sample.account,
    )
