"""Areas for more than two classes: Hand & Till (2001), Provost & Domingos (2001)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample import Dropped, NanPolicy
from rocstats.engine.influence import Influence
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    SmallSampleWarning,
    check_confidence_level,
    check_option,
    keyword,
    listed,
    named,
    warn_user,
)
from rocstats.estimates.estimators import auc
from rocstats.estimates.results import Alternative, ConfidenceInterval, Estimate
from rocstats.inference.contrasts import Contrasts, adjust_pvalues, judge_contrasts
from rocstats.multiclass.class_pairs import (
    PAIR_COLUMNS,
    ClassAreas,
    ClassPair,
    class_areas,
    class_units,
    limits_of,
    scatter_of,
    situation_of,
)
from rocstats.multiclass.class_scores import ClassScores, read_classes
from rocstats.tables import AnswerByMethod, Rows, SingleValue, Statement, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MulticlassAuc", "compare_multiclass", "multiclass_auc"]

Method = Literal["hand-till", "provost-domingos", "ovr-macro", "ovr-weighted", "ovr-micro"]
Sampling = Literal["stratified", "cohort"]
_PRIOR = 0.3  # losses that the variance of an AUC is worth (STATISTICS.md 7.11)
_LABELS = {
    "hand-till": "Hand & Till's M",
    "provost-domingos": "Provost & Domingos' AUC",
    "ovr-macro": "Macro-averaged AUC of each class against the rest",
    "ovr-weighted": "Prevalence-weighted AUC of each class against the rest",
    "ovr-micro": "Micro-averaged AUC of all classes",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MulticlassAuc(Rows[ClassPair], SingleValue, AnswerByMethod):
    """One area for all classes.

    Attributes
    ----------
    method, sampling : str
        As they were asked for.
    value : float
        The area.
    scatter : (float, float)
        Standard error as computed, and its degrees of freedom.
    pairs : tuple of ClassPair
        Every pair of classes.
    influence : Influence
        Every subject's influence; the classes are the strata, or one stratum for a cohort.
    classes : ClassScores
        Labels and scores.

    See Also
    --------
    multiclass_auc : Estimate one area for several classes.
    ClassPair : How well two classes are told apart.
    """

    method: str
    sampling: str
    value: float
    scatter: tuple[float, float]
    pairs: tuple[ClassPair, ...]
    influence: Influence
    classes: ClassScores
    _one: ClassVar = "pair of classes"

    def _names(self) -> list[tuple[Any, Any]]:
        return [(pair.first, pair.second) for pair in self.pairs]

    def _row(self, i: int) -> ClassPair:
        return self.pairs[i]

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in the order of the columns."""
        return self.classes.labels

    @property
    def std_error(self) -> float:
        """Standard error by structural components; nan with one subject in a class."""
        title, std_error = _LABELS[self.method], self.scatter[0]
        if math.isnan(std_error):
            warn_user(
                f"A class has one subject or cluster only, so {title} has no standard error.",
                SmallSampleWarning,
            )
        elif std_error == 0.0:
            warn_user(
                f"{title} has standard error 0 because every subject has the same influence, "
                "which does not measure the uncertainty.",
                DegenerateVarianceWarning,
            )
        return std_error

    @property
    def references(self) -> tuple[Estimate, ...]:
        """AUC of each class against all others, in the order of the classes.

        Their standard errors are DeLong's, which take the others as one population.
        """
        return tuple(auc(self.classes.against_rest(label)) for label in self.labels)

    def reference_curve(self, label: Any) -> RocCurve:
        """Return the class-reference ROC curve: one class against all others.

        Parameters
        ----------
        label : label
            The class.

        Returns
        -------
        RocCurve
            Its curve.
        """
        return roc_curve(self.classes.against_rest(label))

    def variance(self) -> float:
        """Return the variance by structural components of all pairs."""
        return self.std_error**2

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval by a named method.

        ``"auto"`` of Hand & Till's M is ``"score_t"`` near 0 or 1; elsewhere, and of the others,
        ``"logit_t"``, without spread "kl". For two classes it is that of `rocstats.auc`.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            How the limits are found.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        units = class_units(self.classes)
        two = units.size == 2 and self.method != "ovr-micro"
        sizes = units if two else np.sort(units)[:2]  # the smallest class bounds what is known
        like_area = self.method == "hand-till" and not two and self.scatter[0] > 0.0
        prior = _PRIOR if like_area else None
        if prior is not None and method in ("auto", "score_t"):
            sizes = sizes * (units.size - 1)  # a subject is in a pair with every other class
        label = _LABELS[self.method]
        situation = situation_of(label, self.value, *self.scatter, sizes, is_auc=two, prior=prior)
        return limits_of(situation, confidence_level, method)

    @property
    def _account(self) -> Dropped:
        return self.classes.dropped

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the area, the class sizes, and a row for each pair of classes."""
        limits = self.confidence_interval(confidence_level=confidence_level, method=method)
        whole = {
            "measure": self.method,
            "estimate": self.value,
            "std_error": self.scatter[0],
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_method": limits.method,
            "conf_level": limits.confidence_level,
            "sampling": self.sampling,
            "n_classes": len(self.labels),
        }
        value, std_error, low, high = (
            show_value(whole[k]) for k in ("estimate", "std_error", "conf_low", "conf_high")
        )
        counts = self.classes.counts.tolist()
        sizes = [f"{n} {label}" for n, label in zip(counts, self.labels, strict=True)]
        rows = [
            pair.statement(confidence_level=confidence_level, method=method).row
            for pair in self.pairs
        ]
        return Statement(
            head=f"{_LABELS[self.method]}: {value} ({limits.confidence_level:.0%} CI {low} to "
            f"{high}, {limits.method}), SE {std_error}\n{listed(sizes)}; {self.classes.dropped}",
            rows=rows,
            shown=PAIR_COLUMNS,
            content=whole | {"pairs": rows},
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the class-reference curves and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        for label in self.labels:
            ax = self.reference_curve(label).plot(ax)
        if ax is None:
            raise InvalidOptionError("There is no class to draw.")
        return ax


def multiclass_auc(
    y_true: Any,
    y_prob: Any,
    labels: Any = None,
    *,
    method: Method = "hand-till",
    sampling: Sampling = "stratified",
    cluster: Any = None,
    nan_policy: NanPolicy = "raise",
) -> MulticlassAuc:
    """Estimate one area for two or more classes, with its variance.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of k classes.
    y_prob : array-like of shape (N, k) or (N,), or data frame
        A score for each class, columns in the order of `labels`; named columns are taken by name.
        Or one marker that grows along the labels.
    labels : sequence, optional
        The classes in order; None takes them sorted.
    method : str, default "hand-till"
        "hand-till" is the mean over pairs of classes; "provost-domingos", also "ovr-weighted", the
        classes against the rest weighted by their prevalence; "ovr-macro" these weighted alike;
        "ovr-micro" one AUC of all scores of all classes, pooled.
    sampling : {"stratified", "cohort"}, default "stratified"
        "stratified" takes the class sizes, and so the weights, as fixed; "cohort" as drawn with the
        subjects, which adds to the variance of all but "hand-till".
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, which are then the independent units.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    MulticlassAuc
        The area, with its standard error, interval and pairs of classes.

    See Also
    --------
    compare_multiclass : Compare models by their multiclass areas.
    auc : Estimate the area under the ROC curve.

    Notes
    -----
    A(i|j) is the AUC of class i against class j by the scores for i; ``M = 2 / (k (k - 1))
    sum_{i<j} [A(i|j) + A(j|i)] / 2``; Provost & Domingos' ``sum_i p_i AUC(i, rest)`` is ``sum_ij
    p_i n_j / (N - n_i) A(i|j)``. Every A(i|j) has DeLong's structural components, and the area has
    their weighted sum: its variance is the sum over the classes of the variance within the class
    over its size. In a cohort the prevalences add ``(g_c - mean g)`` for a subject of class c, with
    g the slope in its prevalence. M does not depend on the prevalence; the areas against the rest
    do, so compare them only between samples with the same class sizes. The macro average is
    ``mean_i AUC(i, rest)``, with pairs weighted by ``n_j / (N - n_i) / k``. The micro average ranks
    all N k scores together, those of a subject's own class being positives; its variance is that
    of the subjects' sums of structural components, as of clusters. Nothing is turned round by
    looking at the data; one marker with the labels in reverse gives 1 - M. O(k n log n).

    As ``sklearn.metrics.roc_auc_score``: "ovr-macro", "ovr-weighted" and "ovr-micro" are
    ``multi_class="ovr"`` with that average, "hand-till" is ``multi_class="ovo"``.
    R equivalent: ``pROC::multiclass.roc`` (no variance there), with ``direction = "<"`` for one
    marker: its default turns every pair round until it is above 1/2.

    References
    ----------
    Hand & Till (2001), doi:10.1023/A:1010920819831. Provost & Domingos (2001), Well-trained PETs,
    CeDER working paper IS-00-04, Stern School of Business, New York University.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> p = [[.8, .1, .1], [.6, .3, .1], [.4, .5, .1], [.3, .6, .1], [.5, .3, .2], [.1, .5, .4],
    ...      [.2, .3, .5], [.1, .1, .8], [.3, .4, .3]]
    >>> result = rs.multiclass_auc(y, p)
    >>> round(result.value, 4), round(result.std_error, 4)
    (0.8981, 0.0844)
    """
    classes = _read(
        y_true,
        y_prob,
        method,
        sampling,
        labels=labels,
        cluster=cluster,
        nan_policy=nan_policy,
    )
    areas = class_areas(classes, method, sampling)
    influence = _influence([areas], classes, sampling, [("model", method)])
    return MulticlassAuc(
        method=method,
        sampling=sampling,
        value=areas.value,
        scatter=scatter_of(influence),
        pairs=areas.pairs,
        influence=influence,
        classes=classes,
    )


def _read(y_true: Any, y_prob: Any, method: str, sampling: str, **options: Any) -> ClassScores:
    check_option("method", method, _LABELS)
    check_option("sampling", sampling, ("stratified", "cohort"))
    classes = read_classes(y_true, y_prob, **options)
    if classes.has_one_score and method != "hand-till":
        raise InvalidOptionError(
            "Classes against the rest need a score for each class, and there is one score for "
            f"all; take {keyword('method', 'hand-till')}."
        )
    return classes


def _influence(
    areas: Sequence[ClassAreas],
    classes: ClassScores,
    sampling: str,
    rows: Sequence[tuple[str, str]],
) -> Influence:
    """Return the joint influence of one or several models; the classes are the strata."""
    return Influence(
        estimate=np.array([a.value for a in areas]),
        values=np.stack([a.values for a in areas]),
        stratum=np.zeros_like(classes.code) if sampling == "cohort" else classes.code,
        rows=tuple(rows),
        cluster=classes.cluster,
    )


def compare_multiclass(
    y_true: Any,
    y_prob: Mapping[str, Any],
    labels: Any = None,
    *,
    method: Method = "hand-till",
    sampling: Sampling = "stratified",
    cluster: Any = None,
    adjust: str = "holm",
    reference: str = "auto",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> Contrasts:
    """Compare the areas of several models on the same subjects, pair by pair.

    Parameters
    ----------
    y_true : array-like of shape (N,)
        Labels of k classes.
    y_prob : mapping of str to array-like of shape (N, k) or (N,)
        The scores of each model, by its name: a score for each class, columns in the order of
        `labels`, or one marker that grows along the labels.
    labels : sequence, optional
        The classes in order; None takes them sorted.
    method : str, default "hand-till"
        "hand-till" is the mean over pairs of classes; "provost-domingos", also "ovr-weighted", the
        classes against the rest weighted by their prevalence; "ovr-macro" these weighted alike;
        "ovr-micro" one AUC of all scores of all classes, pooled.
    sampling : {"stratified", "cohort"}, default "stratified"
        Whether the class sizes are fixed, or drawn with the subjects.
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, which are then the independent units.
    adjust : str, default "holm"
        How to adjust p-values for their number: "none", or a method of statsmodels: "bonferroni",
        "sidak", "holm", "holm-sidak", "simes-hochberg", "hommel", "fdr_bh", "fdr_by".
    reference : {"auto", "t", "normal"}, default "auto"
        The distribution of the statistic: "auto" is t with Satterthwaite's degrees of freedom,
        "normal" that of DeLong et al. and pROC.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equality, about the first model less the second.
    confidence_level : float, default 0.95
        Level of the intervals, which are not adjusted.

    Returns
    -------
    Contrasts
        A test for every pair of models, with adjusted p-values.

    See Also
    --------
    multiclass_auc : Estimate one area for several classes.
    compare : Compare classifiers on the same subjects.

    Notes
    -----
    The influence of each model on the same subjects gives their joint covariance; a difference is a
    contrast of the rows.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> result = rs.compare_multiclass(y, {"a": [1, 2, 4, 3, 5, 6, 7, 8, 9],
    ...                                    "b": [1, 5, 4, 3, 2, 6, 9, 7, 8]})
    >>> [round(v, 4) for v in (result.tests[0].estimate, result.tests[0].std_error)]
    [0.1111, 0.0907]
    """
    if not isinstance(y_prob, Mapping) or len(y_prob) < 2:
        raise InvalidOptionError(
            f"{named('y_prob')} must be a mapping from the names of two or more models to their "
            "scores."
        )
    names = [str(name) for name in y_prob]
    if len(set(names)) < len(names):
        raise InvalidOptionError(f"Two models have the same name ({listed(names)}); rename one.")
    level = check_confidence_level(confidence_level)
    options = {"labels": labels, "cluster": cluster, "nan_policy": "raise"}
    check_same_rows(with_names(y_prob, "y_prob"))
    read = [_read(y_true, scores, method, sampling, **options) for scores in y_prob.values()]
    joint = _influence(
        [class_areas(classes, method, sampling) for classes in read],
        read[0],
        sampling,
        [(name, method) for name in names],
    )
    pairs = list(combinations(range(len(names)), 2))
    rows = np.eye(len(names))
    matrix = np.array([rows[a] - rows[b] for a, b in pairs])
    tests = judge_contrasts(
        joint,
        [f"{names[a]} - {names[b]}" for a, b in pairs],
        np.abs(matrix) @ np.abs(joint.estimate),
        weights=matrix,
        reference=reference,
        alternative=alternative,
    )
    return Contrasts(
        tests=tests,
        adjust=adjust,
        adjusted=adjust_pvalues([test.pvalue for test in tests], adjust),
        confidence_level=level,
    )
