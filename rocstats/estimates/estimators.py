"""Estimators: data in, `Estimate` out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from rocstats.data.blocks import Blocks
from rocstats.data.sample import DESIGNS, NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.data.subject_weights import WeightKind
from rocstats.engine.catalogue import AUC, find_measure, partial_area, scored_auc, smooth_auc
from rocstats.engine.evaluation import (
    Summary,
    summarise,
    summarise_unsorted,
    to_measure_scale,
)
from rocstats.engine.influence import Influence, sample_influence
from rocstats.engine.measures import Bounds, ClassWeight, Measure
from rocstats.engine.variances import influence_df, satterthwaite_df
from rocstats.engine.windows import rests_on
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    MidOutOfRangeWarning,
    ScoreRangeError,
    SmallSampleWarning,
    keyword,
    listed,
    named,
    warn_user,
)
from rocstats.estimates.results import Estimate, Estimates

__all__ = [
    "as_measure",
    "auc",
    "estimate",
    "estimate_jointly",
    "partial_auc",
    "sauc",
    "smauc",
    "value_alone",
]

_ALL = ("auc", "sauc", "smauc")
_CANCELLED = 1e-13  # terms that add up to so little of their size are rounding
_FEW_WITHIN = 5.0 * (1.0 - 1e-12)  # fewer in a window, and its interval misses too often


def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
    cluster: Any = None,
    strata: Any = None,
    verified: Any = None,
    verification_model: Any = None,
    adjust_for: Any = None,
) -> Estimate:
    """Estimate the area under the ROC curve with its DeLong variance.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
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
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, such as primary units of a survey.
    strata : array-like of shape (N,), optional
        The sampling stratum every subject, or its cluster, was drawn from.
    verified : array-like of bool of shape (N,), optional
        Whose true class is known; the verified stand for the others by their probability of that.
    verification_model : names, mapping or data frame, optional
        What verification depends on: names of markers, or columns by name; by default all markers.
    adjust_for : str, array-like of shape (N,), mapping or data frame, optional
        Covariates within which like is compared with like: names of a sample's, or columns.

    Returns
    -------
    Estimate
        The area, with its standard error, intervals and influence.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    partial_auc : Estimate the area under a part of the curve.
    sauc : Estimate the scored AUC.
    smauc : Estimate the smooth AUC.
    roc_curve : The empirical ROC curve.

    Notes
    -----
    The mean over pairs of a positive and a negative of 1 if the positive scores higher, 1/2 if
    they tie and 0 otherwise; variance by structural components. Equal to Mann-Whitney U / (m n).
    R equivalent: ``pROC::roc(direction = "<")`` with ``auc``, ``var``, ``ci.auc``.

    Probability weights count in the mean, and the variance is a sandwich in which a row is one
    subject, summed over clusters and centred within strata as survey software has it; frequencies
    are rows that are repeated. With `verified` the weights are one over the fitted probability of
    verification, and the influence of the fit is in the variance (Alonzo & Pepe 2005). With
    `adjust_for` every positive is compared with the negatives of its own stratum, or scores less a
    line fitted to the negatives (Janes & Pepe 2009). STATISTICS.md 17, docs/evidence/weights.md.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; Alonzo & Pepe (2005),
    doi:10.1111/j.1467-9876.2005.00477.x; Janes & Pepe (2009), doi:10.1093/biomet/asp002.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.auc([1, 1, 1, 0, 0, 0], [1, 0.9, 0.5, 0.6, 0.2, 0.0]).value
    0.8888888888888888
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        cluster=cluster,
        strata=strata,
        verified=verified,
        verification_model=verification_model,
        adjust_for=adjust_for,
        takes=DESIGNS,
    )
    return _estimate_one(sample, marker, AUC)


def partial_auc(
    y_true: Any,
    y_score: Any = None,
    fpr: Bounds | None = None,
    *,
    tpr: Bounds | None = None,
    standardized: bool = False,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
) -> Estimate:
    """Estimate the area under a part of the ROC curve, with an analytic variance.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    fpr : (float, float), optional
        Low and high, a range of the false positive rate: the area under the curve over it, from 0
        to ``high - low``.
    tpr : (float, float), optional
        Low and high, a range of the true positive rate: the area beside the curve, towards
        specificity; give one of the two.
    standardized : bool, default False
        Scale the area so that chance is 1/2 and the best 1 (McClish 1989).
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

    Returns
    -------
    Estimate
        The area, with its standard error, intervals and influence.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    partial_area : The partial area as a measure.
    sensitivity_at : Estimate the sensitivity at a fixed specificity.

    Notes
    -----
    The curve is that of `roc_curve`, linear over tied scores and at both bounds. The variance is
    that of the exact derivative of the area in every subject's weight, the estimated threshold at
    each bound included: the AUC's structural components with a positive's share of negatives above
    it clipped to the range, and a negative's share of positives to the heights of the curve at the
    bounds (docs/evidence/partial_auc.md). Below chance the standardized area is less than 1/2,
    where pROC gives NA. ``details`` holds the range, both scalings and the number of subjects in
    the range. R equivalent: ``pROC::auc(partial.auc = c(1 - low, 1 - high))``, for `tpr` with
    ``partial.auc.focus = "sensitivity"`` and ``c(high, low)``; its variance is a bootstrap.

    References
    ----------
    McClish (1989), doi:10.1177/0272989X8900900307; Dodd & Pepe (2003),
    doi:10.1111/1541-0420.00071.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> early = rs.partial_auc(cancer, marker="mean_radius", fpr=(0, 0.1))
    >>> limits = early.confidence_interval()
    >>> [round(v, 4) for v in (early.value, early.std_error, limits.low, limits.high)]
    [0.0737, 0.0033, 0.0667, 0.0797]
    >>> round(early.details["standardized"], 4), early.details["n_within"]
    (0.8615, 36)
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        takes=DESIGNS,
    )
    measure = partial_area(fpr=fpr, tpr=tpr, standardized=standardized)
    return _estimate_one(sample, marker, measure)


def sauc(
    y_true: Any,
    y_score: Any = None,
    bounds: Bounds | Literal["range"] | None = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
) -> Estimate:
    """Estimate the scored AUC: the mean margin by which a positive outscores a negative.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    bounds : (float, float) or "range", optional
        None leaves the scores, and so the value, in their own units; two numbers take the scores
        from there to [0, 1]; "range" takes the sample's own range and gives no standard error.
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

    Returns
    -------
    Estimate
        The scored AUC, with its standard error, intervals and influence.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    scored_auc : The scored AUC as a measure.
    sroc_curve : The scored ROC curve, whose area is the sAUC.
    two_sample_test : Test whether two samples come from one distribution.

    Notes
    -----
    The mean over pairs of ``max(y - x, 0)``; there is nothing to correct at ties. ``details`` holds
    R+ and R- (``R+ - R- = sAUC``), the difference of the class means and the scale-free rsAUC.
    Compare classifiers by it only where their scores share a calibrated scale. Without `bounds`,
    scores that all lie on [0, 1] get an interval on [0, 1]; others one in score units.

    References
    ----------
    Wu, Flach & Ferri (2007), doi:10.1007/978-3-540-74958-5_44, with the misprints of its Theorem 6
    mended (STATISTICS.md 1).

    Examples
    --------
    >>> import rocstats as rs
    >>> e = rs.sauc([1, 1, 1, 0, 0, 0, 0], [0.95, 0.86, 0.84, 0.89, 0.15, 0.13, 0.10])
    >>> round(e.value, 4), round(e.details["r_plus"], 4), round(e.details["r_minus"], 4)
    (0.5725, 0.7417, 0.1692)
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        takes=DESIGNS,
    )
    return _estimate_one(sample, marker, scored_auc(bounds=bounds))


def smauc(
    y_true: Any,
    y_score: Any = None,
    midpoint: float | str = 0.5,
    *,
    class_weight: ClassWeight = None,
    bounds: Bounds | Literal["range"] | None = None,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
) -> Estimate:
    """Estimate the area under the smooth ROC curve, whose steps follow the scores.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    midpoint : float or {"paper", "class_mean"}, default 0.5
        Where a score turns from low to high: a number in (0, 1], Klement's equation 1, or the
        middle of the class means; an estimated midpoint adds its own variance.
    class_weight : {"balanced"} or float, optional
        None as published, "balanced" so that chance is 1/2, or a prevalence.
    bounds : (float, float) or "range", optional
        Limits of the scores where they are not 0 and 1; "range" takes the sample's own.
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

    Returns
    -------
    Estimate
        The smooth AUC, with its standard error, intervals and influence.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    smooth_auc : The smooth AUC as a measure.
    smroc_curve : The smooth ROC curve, whose area is the smAUC.

    Notes
    -----
    With unbalanced classes chance is not 1/2 unless ``class_weight="balanced"``; ``details`` holds
    it, beside the midpoint. Compare classifiers by it only on a common calibrated scale.

    References
    ----------
    Klement, Flach, Japkowicz & Matwin (2011), doi:10.1007/978-3-642-23783-6_13, with the misprints
    of its equation 6 and Algorithm 2 mended (STATISTICS.md 1).

    Examples
    --------
    >>> import rocstats as rs
    >>> e = rs.smauc([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0])
    >>> round(e.value, 6), e.details["midpoint"]
    (0.834821, 0.5)
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        takes=DESIGNS,
    )
    measure = smooth_auc(midpoint=midpoint, class_weight=class_weight, bounds=bounds)
    return _estimate_one(sample, marker, measure)


def estimate(
    y_true: Any,
    y_score: Any = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    pos_label: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
    cluster: Any = None,
    strata: Any = None,
    verified: Any = None,
    verification_model: Any = None,
    adjust_for: Any = None,
) -> Estimates:
    """Estimate every marker by every measure, with the joint covariance of all rows.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,) or (N, K), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    measures : str, Measure or iterable of them, default ("auc", "sauc", "smauc")
        Names, or measures such as ``rs.smooth_auc(midpoint="paper")`` or one's own. Of the default
        ones a marker has those its scores allow, smAUC on [0, 1] only; the result says which are
        left out.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    weights : array-like of shape (N,), optional
        What every row counts, at least 0; a sample has its own.
    weight_kind : {"probability", "frequency"}, default "probability"
        Whether a row is one subject that stands for others, or so many that are alike.
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, such as primary units of a survey.
    strata : array-like of shape (N,), optional
        The sampling stratum every subject, or its cluster, was drawn from.
    verified : array-like of bool of shape (N,), optional
        Whose true class is known; the verified stand for the others by their probability of that.
    verification_model : names, mapping or data frame, optional
        What verification depends on: names of markers, or columns by name; by default all markers.
    adjust_for : str, array-like of shape (N,), mapping or data frame, optional
        Covariates within which like is compared with like: names of a sample's, or columns.

    Returns
    -------
    Estimates
        A row for each marker and measure, with their joint covariance.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    compare : Compare classifiers on the same subjects.
    Measure : A membership and a kernel.

    Examples
    --------
    >>> import rocstats as rs
    >>> sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], {"a": [0.9, 0.4, 0.5, 0.1]})
    >>> rs.estimate(sample, measures=("auc", "sauc")).covariance.shape
    (2, 2)
    """
    data = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        cluster=cluster,
        strata=strata,
        verified=verified,
        verification_model=verification_model,
        adjust_for=adjust_for,
        takes=DESIGNS,
    )
    usual = _ALL if data.adjustment is None else _ALL[:1]
    chosen = _chosen(usual if measures is None else measures)
    rows: list[Estimate] = []
    remarks: list[str] = []
    _pass_once(data, chosen)
    for marker in range(len(data.markers)):
        blocks, defined = None, chosen
        if measures is None:
            blocks = _sorted(data, marker, chosen)
            defined, left_out = _defined(chosen, data, marker, blocks)
            remarks += left_out
        rows += _estimate_marker(data, marker, defined, blocks)
    return Estimates(rows=tuple(rows), sample=data, remarks=tuple(remarks))


def _defined(
    measures: Iterable[Measure], sample: ScoredSample, marker: int, blocks: Blocks
) -> tuple[list[Measure], list[str]]:
    """Return the measures that a marker's scores allow, and why the others are left out."""
    kept, remarks = [], []
    for measure in measures:
        try:
            to_measure_scale(measure, blocks, flipped=sample.is_flipped(marker))
        except ScoreRangeError as reason:
            why = str(reason).partition(";")[0]
            remarks.append(f"{measure.label} of {sample.markers[marker]} is left out: {why}")
        else:
            kept.append(measure)
    return kept, remarks


def as_measure(thing: object) -> Measure | None:
    """Return what is a measure, and None for anything else."""
    return thing if isinstance(thing, Measure) else None


def value_alone(measure: Measure, y_true: Any, y_score: Any) -> float:
    """Return the value of a measure without its standard error, and so without warnings of it."""
    sample = as_sample(y_true, y_score)
    return summarise(measure, to_measure_scale(measure, sample.blocks(0), flipped=False)).value


def estimate_jointly(
    sample: ScoredSample, measures: str | Measure | Iterable[str | Measure]
) -> tuple[Estimates, Influence]:
    """Return what `estimate` does and the joint influence, sorting each marker once for both."""
    chosen = _chosen(measures)
    rows: list[Estimate] = []
    _pass_once(sample, chosen)

    def tell(marker: int, found: Blocks | Summary) -> None:
        rows.extend(_estimate(sample, marker, measure, found) for measure in chosen)

    pairs = [(marker, measure) for marker in range(len(sample.markers)) for measure in chosen]
    influence = sample_influence(sample, pairs, tell=tell)
    if not rows:  # adjusted: sorted within strata, never as a whole
        for marker in range(len(sample.markers)):
            tell(marker, sample.blocks(marker, ordered=True))
    return Estimates(rows=tuple(rows), sample=sample), influence


def _pass_once(sample: ScoredSample, measures: Sequence[Measure]) -> None:
    """Have a table with clusters remember all moments, so that no estimate passes again."""
    if sample.keeps_rows or sample.is_plain:
        return
    markers = range(len(sample.markers))
    defined = [
        measures
        if summarise_unsorted(measures, sample, marker)
        else _defined(measures, sample, marker, sample.blocks(marker))[0]
        for marker in markers
    ]
    pairs = [(marker, measure) for marker in markers for measure in defined[marker]]
    if pairs:
        sample_influence(sample, pairs)


def _chosen(measures: Any) -> list[Measure]:
    several = isinstance(measures, Iterable) and not isinstance(measures, str)
    given = list(measures) if several else [measures]
    chosen = [find_measure(measure) for measure in given]
    if not chosen:
        raise InvalidOptionError(f"{named('measures')} is empty; name at least one.")
    names = [measure.name for measure in chosen]
    if len(set(names)) < len(names):
        raise InvalidOptionError(
            f"Two measures have the same name ({listed(names)}); give each its own, as in "
            'smooth_auc(midpoint="paper", name="smauc_paper").'
        )
    return chosen


def _estimate_one(sample: ScoredSample, marker: str | None, measure: Measure) -> Estimate:
    row = sample.marker(marker)
    return _estimate_marker(sample, row, [measure])[0]


def _estimate_marker(
    sample: ScoredSample, marker: int, measures: Sequence[Measure], blocks: Blocks | None = None
) -> list[Estimate]:
    """Return the estimates of one marker by several measures; it is sorted once, if it must be."""
    found = summarise_unsorted(measures, sample, marker) if blocks is None else blocks
    if found is None:
        found = _sorted(sample, marker, measures)
    return [_estimate(sample, marker, measure, found) for measure in measures]


def _sorted(sample: ScoredSample, marker: int, measures: Iterable[Measure]) -> Blocks:
    by_subject = not sample.is_plain or any(m.looks_at_subjects for m in measures)
    return sample.blocks(marker, ordered=by_subject)


def _estimate(
    sample: ScoredSample, marker: int, measure: Measure, known: Blocks | Summary
) -> Estimate:
    """Return the estimate of a marker that is sorted, or whose summary is known."""
    n_pos, n_neg = sample.n_pos, sample.n_neg
    bounds = measure.value_bounds
    if isinstance(known, Summary):
        found = known
        scatter = _scatter(found, measure, n_pos, n_neg)
        if not sample.is_plain:
            scatter, _ = _influence_scatter(sample, marker, measure, None)
    else:
        flipped = sample.is_flipped(marker)
        bounds = _value_bounds(measure, known, flipped)
        found = summarise(measure, to_measure_scale(measure, known, flipped=flipped))
        if sample.is_plain:
            scatter = _scatter(found, measure, n_pos, n_neg)
        else:
            scatter, value = _influence_scatter(sample, marker, measure, known)
            found = found._replace(value=value)
    classifier = sample.markers[marker]
    title = f"{measure.label} of {classifier}"
    _warn_about(found, title)
    _warn_of_few(sample, measure, title)
    return Estimate(
        measure=measure,
        classifier=classifier,
        value=found.value,
        n_pos=n_pos,
        n_neg=n_neg,
        bounds=bounds,
        scatter=scatter,
        spread_pos=found.spread_pos,
        spread_neg=found.spread_neg,
        sample=sample,
    )


def _value_bounds(measure: Measure, blocks: Blocks, flipped: bool) -> Bounds:
    if measure.unit_on_unit_scores and measure.score_bounds is None:
        low, high = (-1.0, 0.0) if flipped else (0.0, 1.0)
        if low <= blocks.score[0] and blocks.score[-1] <= high:
            return 0.0, 1.0
    return measure.value_bounds


def _scatter(found: Summary, measure: Measure, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Standard error and degrees of freedom from the spread within the classes (0.5, 7.2)."""
    by_pos, by_neg = found.spread_pos / math.sqrt(n_pos), found.spread_neg / math.sqrt(n_neg)
    std_error = math.hypot(by_pos, by_neg)
    if not 0.0 < std_error < math.inf:
        return std_error, math.nan
    terms = (by_pos / std_error) ** 2, (by_neg / std_error) ** 2  # none leaves the doubles
    neg, pos = measure.shares
    return std_error, satterthwaite_df(terms, (rests_on(n_pos, pos), rests_on(n_neg, neg)))


def _influence_scatter(
    sample: ScoredSample, marker: int, measure: Measure, known: Blocks | None
) -> tuple[tuple[float, float], float]:
    """Standard error and degrees of freedom of clusters, strata and weights; and the value.

    Unequal weights make the tails of influence heavy, and these tell how few subjects decide.
    """
    blocks = None if known is None else lambda _: known
    influence = sample_influence(sample, [(marker, measure)], blocks=blocks)
    terms = influence.covariance_terms()[:, 0, 0]
    df = min(satterthwaite_df(terms[:-1], influence.support()[0]), influence.most_df())
    if sample.weights is not None and sample.cluster is None:
        df = min(df, influence_df(influence.values[0], influence.stratum))
    variance = float(terms.sum())
    if variance <= _CANCELLED * float(np.abs(terms).sum()) < math.inf:
        variance = 0.0
    return (math.sqrt(variance), df), float(influence.estimate[0])


def _warn_of_few(sample: ScoredSample, measure: Measure, title: str) -> None:
    """Warn where the variance rests on few subjects, or clusters of them, within a window."""
    if measure.shares == (1.0, 1.0):
        return
    clusters = sample.clusters_by_class()
    pos, neg = (sample.n_pos, sample.n_neg) if clusters is None else clusters
    of = "" if clusters is None else "clusters of "
    for share, size, word in zip(
        measure.shares, (neg, pos), (f"{of}negatives", f"{of}positives"), strict=True
    ):
        if share == 1.0:
            continue
        if share * size < _FEW_WITHIN:
            warn_user(
                f"The {title} rests on {share * size:.2g} of the {size} {word}; with fewer than "
                f"{_FEW_WITHIN:g} its interval is often too narrow: widen the range.",
                SmallSampleWarning,
            )


def _warn_about(found: Summary, title: str) -> None:
    if found.midpoint is not None and found.midpoint > 1.0:
        warn_user(
            f"The midpoint for the {title} is {found.midpoint:.3g}, above 1, so every score counts "
            f"as low; use {keyword('midpoint', 0.5)} or {keyword('class_weight', 'balanced')}.",
            MidOutOfRangeWarning,
        )
    if math.isnan(found.value):
        warn_user(
            f"The {title} is undefined because a normaliser is 0, so it is nan.",
            DegenerateVarianceWarning,
        )
