"""Comparison: classifiers on the same subjects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from itertools import pairwise as successive
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample import (
    DESIGNS,
    Account,
    NanPolicy,
    Orientation,
    ScoredSample,
    as_sample,
)
from rocstats.data.subject_weights import WeightKind
from rocstats.engine.contrast_terms import ContrastTerms, contrast_terms
from rocstats.engine.influence import Influence, contrast_weights
from rocstats.engine.measures import Measure
from rocstats.engine.null_variance import NullVariance
from rocstats.errors import (
    IncompletePairsWarning,
    InvalidOptionError,
    NestedModelsError,
    PooledFoldsWarning,
    as_number,
    check_confidence_level,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
    warn_user,
)
from rocstats.estimates.estimators import estimate_jointly
from rocstats.estimates.results import Alternative, Estimate, Estimates, Pivot
from rocstats.inference.at_null import (
    QuadraticAtNull,
    choose_way,
    fewest_losses,
    find_pivot,
    quadratic_at_null,
    warn_if_lopsided,
)
from rocstats.inference.compared_quantities import asks_for_quantity, estimate_quantities
from rocstats.inference.contrasts import (
    INTERVALS,
    Contrasts,
    Intervals,
    adjust_pvalues,
    judge_contrasts,
)
from rocstats.inference.margins import MarginTest, first_bound, judge_margin
from rocstats.inference.omnibus import OmnibusTest, judge_omnibus
from rocstats.tables import AnswerAtLevel, Rows, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Comparison", "compare", "contrast_name"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Rows[Estimate], AnswerAtLevel):
    """Classifiers on the same subjects, by one measure or several.

    Attributes
    ----------
    estimates : Estimates
        The estimates, classifier by classifier.
    influence : Influence
        Every subject's influence on every row.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    Contrasts : Several tests with adjusted p-values.
    """

    estimates: Estimates
    influence: Influence

    def _names(self) -> list[tuple[str, str]]:
        return self.estimates._names()

    def _row(self, i: int) -> Estimate:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> Estimates:
        return self.estimates._part(where)

    @property
    def pvalue(self) -> float:
        """P-value of the difference, where there is one only; `pairwise` has them all."""
        return self.pairwise().pvalue

    @property
    def rows(self) -> tuple[Estimate, ...]:
        """The estimates, classifier by classifier."""
        return self.estimates.rows

    @property
    def classifiers(self) -> list[str]:
        """Names of the classifiers, in their order."""
        return list(dict.fromkeys(row.classifier for row in self.rows))

    @property
    def sample(self) -> ScoredSample:
        return self.estimates.sample

    @property
    def covariance(self) -> Floats:
        """Joint covariance of the rows."""
        return self.influence.covariance()

    @property
    def correlation(self) -> Floats:
        """Correlation of the rows; nan beside a row without variance."""
        return self.influence.correlation()

    def pairwise(
        self,
        adjust: str = "holm",
        *,
        reference: str = "auto",
        method: str = "auto",
        alternative: Alternative = "two-sided",
        versus: str | None = None,
        confidence_level: float = 0.95,
        intervals: Intervals = "pointwise",
    ) -> Contrasts:
        """Test the difference of every pair of classifiers, within each measure.

        Parameters
        ----------
        adjust : str, default "holm"
            How to adjust p-values for their number: "none", or a method of statsmodels:
            "bonferroni", "sidak", "holm", "holm-sidak", "simes-hochberg", "hommel", "fdr_bh",
            "fdr_by".
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t with Satterthwaite's degrees of freedom,
            "normal" that of DeLong et al. and pROC.
        method : {"auto", "score", "delong", "mover"}, default "auto"
            Where the standard error is taken: "score" where the null value puts the AUCs, which
            holds the level near 0 and 1 and is DeLong's where losses are many; "delong" where the
            sample fell; "mover" by the limits of either AUC. "auto" is "score" for AUCs, and
            "delong" for other measures and where `reference` is pROC's.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against equality, about the first classifier less the second.
        versus : str, optional
            Compare all others with this classifier instead of every pair.
        confidence_level : float, default 0.95
            Level of the intervals.
        intervals : {"pointwise", "simultaneous"}, default "pointwise"
            Whether each interval has the level by itself, so that one may exclude what an adjusted
            p-value does not; or all together, by Bonferroni's inequality: where one of those
            excludes the null value, the p-value adjusted by "bonferroni" or "holm" is as small.

        Returns
        -------
        Contrasts
            A test for every pair, with adjusted p-values.
        """
        names = self.classifiers
        if versus is None:
            pairs = list(combinations(names, 2))
        else:
            self._check_classifier(versus)
            pairs = [(name, versus) for name in names if name != versus]
        if not pairs:
            raise InvalidOptionError(
                f"There is one classifier only ({names[0]}); test its measures against each other "
                "with contrast()."
            )
        measures = list(dict.fromkeys(row.measure.name for row in self.rows))
        rows = [(first, second, measure) for measure in measures for first, second in pairs]
        labels = [
            f"{a} - {b}" if len(measures) == 1 else f"{a} - {b} ({measure})"
            for a, b, measure in rows
        ]
        matrix = np.array([self._difference(a, b, measure) for a, b, measure in rows])
        return self.contrast(
            matrix,
            names=labels,
            adjust=adjust,
            reference=reference,
            method=method,
            alternative=alternative,
            confidence_level=confidence_level,
            intervals=intervals,
        )

    def omnibus(self, reference: str = "auto", *, method: str = "auto") -> OmnibusTest:
        """Test whether all classifiers are equal, within each measure.

        ``reference="chi2"`` is the chi-square of DeLong et al. (1988); ``"F"`` allows for small
        samples; ``"auto"`` is F below 100 subjects in a class.

        Parameters
        ----------
        reference : {"auto", "chi2", "F"}, default "auto"
            The distribution of the statistic.
        method : {"auto", "score", "delong"}, default "auto"
            Where the covariance is taken, as in `contrast`.

        Returns
        -------
        OmnibusTest
            The test.
        """
        names = self.classifiers
        if len(names) < 2:
            raise InvalidOptionError(f"There is one classifier only ({names[0]}) to test.")
        measures = list(dict.fromkeys(row.measure.name for row in self.rows))
        matrix = np.array(
            [
                self._difference(first, second, measure)
                for measure in measures
                for first, second in successive(names)
            ]
        )
        return judge_omnibus(
            self.influence.contrast(matrix),
            self._scale(matrix),
            reference=reference,
            at_null=self._quadratic_at_null(method, reference, matrix),
        )

    def contrast(
        self,
        matrix: ArrayLike | str,
        second: str | None = None,
        *,
        names: Sequence[str] | None = None,
        adjust: str = "none",
        reference: str = "auto",
        method: str = "auto",
        alternative: Alternative = "two-sided",
        null_value: float = 0.0,
        confidence_level: float = 0.95,
        intervals: Intervals = "pointwise",
    ) -> Contrasts:
        """Test the difference of two classifiers, or linear combinations of the rows.

        Parameters
        ----------
        matrix : str, or array-like of shape (r,) or (c, r)
            A classifier; or one weight for each row, in the order of `rows`, or several lines of
            them.
        second : str, optional
            With a classifier: the one whose value is taken off, within each measure.
        names : sequence of str, optional
            What the combinations are called; by default their terms.
        adjust : str, default "none"
            How to adjust p-values for their number: "none", or a method of statsmodels by name,
            such as "holm".
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t with Satterthwaite's degrees of freedom,
            "normal" that of DeLong et al. and pROC.
        method : {"auto", "score", "delong", "mover"}, default "auto"
            Where the standard error is taken: "score" where the null value puts the AUCs, which
            holds the level near 0 and 1 and is DeLong's where losses are many; "delong" where the
            sample fell; "mover" by the limits of either AUC. "auto" is "score" for AUCs, and
            "delong" for other measures and where `reference` is pROC's.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against the null value, about the combination.
        null_value : float, default 0.0
            What each combination is under the null hypothesis.
        confidence_level : float, default 0.95
            Level of the intervals.
        intervals : {"pointwise", "simultaneous"}, default "pointwise"
            Whether each interval has the level by itself, so that one may exclude what an adjusted
            p-value does not; or all together, by Bonferroni's inequality: where one of those
            excludes the null value, the p-value adjusted by "bonferroni" or "holm" is as small.

        Returns
        -------
        Contrasts
            A test for every line.
        """
        level = check_confidence_level(confidence_level)
        check_option("intervals", intervals, INTERVALS)
        if isinstance(matrix, str) or second is not None:
            matrix = self._differences(str(matrix), second)
        weights = contrast_weights(matrix, len(self.rows))
        if math.isnan(as_number(null_value)):
            raise InvalidOptionError(f"{named('null_value')} must be a number, got {null_value!r}.")
        labels = [names] if isinstance(names, str) else [str(name) for name in names or ()]
        labels = labels or [contrast_name(w, self.rows) for w in weights]
        if len(labels) != weights.shape[0]:
            raise InvalidOptionError(
                f"There are {weights.shape[0]} contrasts but {len(labels)} names for them."
            )
        ways = [choose_way(method, reference, self.rows, line) for line in weights]
        covariance = None if set(ways) <= {"delong"} else self.influence.covariance_terms()
        terms = contrast_terms(self.influence, weights, covariance)
        pivots: list[Pivot | None] = []
        if covariance is not None:
            pivots = self._pivots(ways, reference, weights, covariance.sum(axis=0), terms)
        tests = judge_contrasts(
            self.influence,
            labels,
            self._scale(weights),
            weights=weights,
            terms=terms,
            reference=reference,
            alternative=alternative,
            null_value=null_value,
            pivots=pivots,
        )
        return Contrasts(
            tests=tests,
            adjust=adjust,
            adjusted=adjust_pvalues([test.pvalue for test in tests], adjust),
            confidence_level=level,
            intervals=intervals,
            account=self.sample.account,
        )

    def noninferiority(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.025,
        reference: str = "auto",
        method: str = "auto",
    ) -> MarginTest:
        """Test that the new classifier is not worse than the standard by the margin.

        With two classifiers the first is the new one unless they are named.

        Parameters
        ----------
        margin : float
            By how much worse it may be, above 0.
        new : str, optional
            The classifier that is to be shown; the first of two.
        standard : str, optional
            The classifier it is held against; the second of two.
        significance : float, default 0.025
            One-sided level.
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t.
        method : {"auto", "score", "delong", "mover"}, default "auto"
            Where the standard error is taken, as in `contrast`.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        way = reference, method
        return self._margin("non-inferiority", margin, new, standard, significance, way)

    def superiority(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.025,
        reference: str = "auto",
        method: str = "auto",
    ) -> MarginTest:
        """Test that the new classifier is better than the standard by more than the margin.

        Parameters
        ----------
        margin : float
            By how much better it must be, above 0.
        new : str, optional
            The classifier that is to be shown; the first of two.
        standard : str, optional
            The classifier it is held against; the second of two.
        significance : float, default 0.025
            One-sided level.
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t.
        method : {"auto", "score", "delong", "mover"}, default "auto"
            Where the standard error is taken, as in `contrast`.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        way = reference, method
        return self._margin("superiority", margin, new, standard, significance, way)

    def equivalence(
        self,
        margin: float,
        *,
        new: str | None = None,
        standard: str | None = None,
        significance: float = 0.05,
        reference: str = "auto",
        method: str = "auto",
    ) -> MarginTest:
        """Test that the classifiers differ by less than the margin (two one-sided tests).

        Parameters
        ----------
        margin : float
            By how much they may differ either way, above 0.
        new : str, optional
            The first classifier of the difference.
        standard : str, optional
            The second one.
        significance : float, default 0.05
            Level of each of the two one-sided tests.
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t.
        method : {"auto", "score", "delong", "mover"}, default "auto"
            Where the standard error is taken, as in `contrast`.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        way = reference, method
        return self._margin("equivalence", margin, new, standard, significance, way)

    @property
    def _account(self) -> Account:
        return self.sample.account

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the estimates, and the pairwise differences and omnibus test of the markers."""
        estimates = self.estimates.statement(confidence_level=confidence_level)
        if len(self.sample.markers) < 2:
            return estimates
        pairwise = self.pairwise(confidence_level=confidence_level).statement()
        omnibus = self.omnibus().statement()
        several = (
            [omnibus] if len(self.sample.markers) > 2 else []
        )  # of two, the difference says it
        return Statement(
            rows=pairwise.rows,
            parts=[estimates, pairwise, *several],
            content={
                **estimates.as_dict(),
                **pairwise.as_dict(),
                "omnibus": omnibus.as_dict(),
            },
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        versus: str | None = None,
        confidence_level: float = 0.95,
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw the difference of every pair of classifiers with its interval, and a line at 0.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        versus : str, optional
            Draw all others less this classifier instead of every pair.
        confidence_level : float, default 0.95
            Level of the intervals.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        found = self.pairwise(versus=versus, confidence_level=confidence_level)
        ax = found.plot(ax, color=color)
        labels = {row.measure.label for row in self.rows}
        what = f"Difference in {labels.pop()}" if len(labels) == 1 else "Difference"
        ax.set_xlabel(f"{what} ({100.0 * confidence_level:g}% CI)")
        return ax

    def _scale(self, matrix: Floats) -> Floats:
        scale: Floats = np.abs(matrix) @ np.abs(self.influence.estimate)
        return scale

    def _quadratic_at_null(
        self, method: str, reference: str, matrix: Floats
    ) -> QuadraticAtNull | None:
        check_option("method", method, ("auto", "score", "delong"))
        way = choose_way(method, reference, self.rows, np.abs(matrix).sum(axis=0))
        covariance = self.covariance if way == "score" else np.array([math.nan])
        if way == "delong" or np.isnan(covariance).any():
            return None
        found = quadratic_at_null(self.rows, covariance, self.influence)
        if not found.share > 0.0:
            return None
        warn_if_lopsided(self.rows)
        return found

    def _pivots(
        self,
        ways: Sequence[str],
        reference: str,
        weights: Floats,
        covariance: Floats,
        terms: ContrastTerms,
    ) -> list[Pivot | None]:
        found: list[Pivot | None] = []
        for i, (way, line) in enumerate(zip(ways, weights, strict=True)):
            own, units = terms.line(i)
            found.append(
                find_pivot(
                    *(way, self.rows, self.influence, line),
                    covariance=covariance,
                    parts=(own[:-1], units),
                    reference=reference,
                )
            )
        if any(isinstance(pivot, NullVariance) for pivot in found):
            used: list[bool] = np.logical_or.reduce(weights, axis=0).tolist()
            warn_if_lopsided([row for row, taken in zip(self.rows, used, strict=True) if taken])
        return found

    def _check_classifier(self, name: str) -> None:
        names = self.classifiers
        if name not in names:
            raise InvalidOptionError(
                f"There is no classifier {name!r}; there are {listed(names)}."
                f"{did_you_mean(name, names)}"
            )

    def _differences(self, first: str, second: str | None) -> Floats:
        """Return the weights of one classifier less another, a line for each measure."""
        if second is None:
            known = {f"{a} - {b}": (a, b) for a, b in permutations(self.classifiers, 2)}
            if first not in known:
                raise InvalidOptionError(
                    f"Name two classifiers of {listed(self.classifiers)}, as in "
                    f"contrast({self.classifiers[0]!r}, {self.classifiers[-1]!r}); got {first!r}."
                )
            first, second = known[first]
        for name in (first, second):
            self._check_classifier(name)
        measures = dict.fromkeys(row.measure.name for row in self.rows)
        return np.array([self._difference(first, second, measure) for measure in measures])

    def _difference(self, first: str, second: str, measure: str) -> list[float]:
        return [
            0.0 if row.measure.name != measure else float(row.classifier == first)
            - float(row.classifier == second)
            for row in self.rows
        ]  # fmt: skip

    def _margin(
        self,
        aim: str,
        margin: float,
        new: str | None,
        standard: str | None,
        significance: float,
        way: tuple[str, str],
    ) -> MarginTest:
        if not 0.0 < as_number(significance) < 0.5:
            raise InvalidOptionError(
                f"{named('significance')} must lie strictly between 0 and 0.5, got "
                f"{significance!r}."
            )
        names = self.classifiers
        if getattr(self.rows[0].measure, "less_is_better", False):
            raise InvalidOptionError(
                f"Less is better of the {self.rows[0].measure.label}, and a margin is for what "
                "more is better of; take the interval of the difference."
            )
        if len(self.rows) != len(names):
            raise InvalidOptionError("A margin is for one measure; compare by one measure only.")
        if new is None and standard is None and len(names) == 2:
            new, standard = names
        if new is None or standard is None or new == standard:
            raise InvalidOptionError(
                f"Name the new and the standard classifier (of {listed(names)}) with "
                f"{keyword('new')} and {keyword('standard')}."
            )
        self._check_classifier(new)
        self._check_classifier(standard)
        matrix = np.array(self._difference(new, standard, self.rows[0].measure.name))
        (test,) = self.contrast(
            matrix,
            names=[f"{new} - {standard}"],
            reference=way[0],
            method=way[1],
            null_value=first_bound(aim, margin),
        ).tests
        lost = fewest_losses(self.rows, matrix)
        return judge_margin(test, aim, margin, significance, losses=lost)


def _count_folds(folds: Any, y_true: Any, y_score: Any, sample: ScoredSample) -> int:
    check_same_rows([("y_true", y_true), *with_names(y_score, "y_score"), ("folds", folds)])
    size = sample.n_pos + sample.n_neg + sample.dropped.n
    try:
        given = np.asarray(folds)
    except ValueError:  # lists of several lengths
        given = np.empty(0)
    if given.shape != (size,):
        raise InvalidOptionError(
            f"{named('folds')} must give the fold of each of the {size} subjects, got shape "
            f"{given.shape}."
        )
    return len(set(given.tolist()))


def contrast_name(weights: Floats, rows: Sequence[Estimate]) -> str:
    """Return a combination of the rows in words, such as ``a - b`` or ``auc(a) - sauc(a)``."""
    several = len({row.measure.name for row in rows}) > 1
    terms = []
    for weight, row in zip(weights.tolist(), rows, strict=True):
        if weight:
            name = f"{row.measure.name}({row.classifier})" if several else row.classifier
            size = "" if abs(weight) == 1.0 else f"{abs(weight):g} "
            terms.append(("- " if weight < 0 else "+ ") + size + name)
    return " ".join(terms).removeprefix("+ ") or "0"


def compare(
    y_true: Any,
    y_score: Any = None,
    measure: str | Measure | Iterable[str | Measure] = "auc",
    *,
    nested: bool = False,
    folds: Any = None,
    pos_label: Any = None,
    subject: Any = None,
    cluster: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
    strata: Any = None,
    verified: Any = None,
    verification_model: Any = None,
    adjust_for: Any = None,
) -> Comparison:
    """Compare classifiers on the same subjects.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample of several markers.
    y_score : mapping, data frame or array-like of shape (N, K), optional
        Scores of the classifiers, by name; none with a sample.
    measure : str, Measure or iterable of them, default "auc"
        "auc", "sauc", "smauc", a measure, or several of them; or one of "average_precision" and
        "brier".
    nested : bool, default False
        True says that the scores are fitted values of nested models on these data, which is
        refused: the difference is not normal there.
    folds : array-like of shape (N,), optional
        The cross-validation fold each score comes from; it earns a warning.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    subject : array-like of shape (N,), optional
        Ids of the subjects; a warning is given where they repeat and no cluster is named.
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, which are then the independent units.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    weights : array-like of shape (N,), optional
        What every row counts, at least 0; a sample has its own.
    weight_kind : {"probability", "frequency"}, default "probability"
        Whether a row is one subject that stands for others, or so many that are alike.
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
    Comparison
        The estimates with their joint covariance; its methods test differences.

    See Also
    --------
    compare_independent : Compare estimates from different samples.
    permutation_test : Exchange the scores of two classifiers within subjects.
    venkatraman_test : Test whether two ROC curves on the same subjects are the same.
    compare_multiclass : Compare models by their multiclass areas.

    Notes
    -----
    All inference is a contrast of influence values: for two AUCs DeLong, DeLong & Clarke-Pearson
    (1988), doi:10.2307/2531595, with a t reference by default (STATISTICS.md 6.2); R equivalent:
    ``pROC::roc.test(paired = TRUE, method = "delong")`` is ``pairwise(reference="normal")``.
    sAUC and smAUC differences mix ranking with the spread of the scores: compare by them only on a
    common calibrated scale.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> result = rs.compare(y, {"a": [9, 8, 6, 5, 7, 4, 2, 1], "b": [9, 3, 6, 5, 7, 4, 8, 1]})
    >>> result.pairwise(reference="normal")
    contrast  estimate  std_error  statistic   df  p_value  p_adjusted  conf_low  conf_high
    a - b       0.3125     0.2224     1.4049  inf   0.1601      0.1601   -0.1235     0.7485
    z test of DeLong's components, two-sided; p adjusted: holm; 95% intervals, not adjusted
    positive class 1, negative class 0
    """
    if nested:
        raise NestedModelsError(
            "Nested models fitted to these data cannot be compared by their AUCs: under the null "
            "the difference is not normal and DeLong's test has next to no power; test the added "
            "terms by the likelihood ratio, as statsmodels' compare_lr_test does."
        )
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        subject=subject,
        cluster=cluster,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        strata=strata,
        verified=verified,
        verification_model=verification_model,
        adjust_for=adjust_for,
        takes=DESIGNS,
    )
    if folds is not None and _count_folds(folds, y_true, y_score, sample) > 1:
        warn_user(
            "Scores pooled over cross-validation folds come from several models trained on "
            "overlapping subjects; the standard errors take them as one model's and are too small: "
            "rs.cv_compare compares within the folds, and rs.cv_auc gives the mean AUC.",
            PooledFoldsWarning,
        )
    said = isinstance(y_true, ScoredSample)  # when it was built, and in every printout
    if sample.dropped.n and len(sample.markers) > 1 and not said:
        warn_user(
            f"The comparison rests on the {sample.n_pos + sample.n_neg} subjects with every marker "
            f"present; {sample.dropped}.",
            IncompletePairsWarning,
        )
    quantity = asks_for_quantity(measure)
    estimates, influence = (
        estimate_jointly(sample, measure)
        if quantity is None
        else cast("tuple[Estimates, Influence]", estimate_quantities(sample, quantity))
    )
    if len(estimates.rows) < 2 and sample.markers[0] == f"P({sample.pos_label})":
        raise InvalidOptionError(
            f"{named('y_score')} has two columns that add to 1, one model's probabilities of both "
            f"classes, and P({sample.neg_label}) is not compared with P({sample.pos_label}); give "
            "the positive column of each model, by name."
        )
    if len(estimates.rows) < 2:
        raise InvalidOptionError(
            f"A comparison needs two markers or two measures; there is one marker "
            f"({sample.markers[0]})."
        )
    return Comparison(estimates=estimates, influence=influence)
