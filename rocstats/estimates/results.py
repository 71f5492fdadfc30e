"""Results: frozen answers, each with one tidy row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from rocstats.data.blocks import Blocks
from rocstats.data.sample import Account, ScoredSample
from rocstats.engine.adjusted_measures import adjusted_influence, fold_spread
from rocstats.engine.evaluation import summarise, to_measure_scale
from rocstats.engine.influence import Influence, sample_influence
from rocstats.engine.measures import Bounds, Measure
from rocstats.engine.t_quantiles import stdtrit
from rocstats.engine.variances import (
    cohort_variance,
    unbiased_variance,
    wu_variance,
)
from rocstats.engine.windows import rests_on
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    SmallSampleWarning,
    as_number,
    check_confidence_level,
    check_option,
    keyword,
    named,
    warn_user,
)
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import OwnInterval, interval
from rocstats.tables import (
    AnswerAtLevel,
    AnswerByMethod,
    Record,
    Row,
    Rows,
    SingleValue,
    Statement,
    counted,
    plot_forest,
    show_p,
    show_value,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.arrays import Floats
    from rocstats.estimates.strata_of_covariates import Homogeneity

__all__ = [
    "ESTIMATE_COLUMNS",
    "TEST_COLUMNS",
    "Alternative",
    "ConfidenceInterval",
    "Estimate",
    "Estimates",
    "Pivot",
    "TestResult",
    "Wald",
    "say_dissent",
    "state_estimate",
]

ESTIMATE_COLUMNS = (
    "classifier",
    "measure",
    "estimate",
    "std_error",
    "conf_low",
    "conf_high",
    "conf_method",
)

_ROUNDING = 4 * np.finfo(np.float64).eps  # a standard error this small beside its estimate is 0
_SOFT_PRIOR = 0.3  # losses that the variance of an AUC is worth beside a smAUC's own (7.11)
_FEW = 10.0  # degrees of freedom by the tails from which a raw sAUC's interval holds (7.11)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConfidenceInterval(Record):
    """Limits, with the level and the method that gave them.

    Parameters
    ----------
    low : float
        Lower limit.
    high : float
        Upper limit.
    confidence_level : float
        Level of the interval.
    method : str
        What gave the limits.

    See Also
    --------
    Estimate : One measure of one classifier.
    TestResult : A contrast against its null value.
    """

    low: float
    high: float
    confidence_level: float
    method: str

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate(SingleValue, AnswerByMethod):
    """One measure of one classifier.

    Attributes
    ----------
    measure : Measure
        The `Measure`.
    classifier : str
        Name of the marker.
    value : float
        The estimate.
    n_pos, n_neg : int
        Class sizes.
    bounds : (float, float)
        The least and the largest value there can be.
    scatter : (float, float)
        Standard error as computed, and its degrees of freedom.
    spread_pos, spread_neg : float
        Standard deviation of the influence within each class.
    sample : ScoredSample
        The data, from which the influence and the details are made when asked for.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    estimate : Estimate several measures of several markers at once.
    Influence : Every subject's influence on estimates.
    """

    measure: Measure
    classifier: str
    value: float
    n_pos: int
    n_neg: int
    bounds: Bounds
    scatter: tuple[float, float]
    spread_pos: float
    spread_neg: float
    sample: ScoredSample

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return self.sample.account

    @property
    def std_error(self) -> float:
        """Standard error by structural components (DeLong); nan with one subject in a class."""
        self._warn_if_degenerate()
        return self._std_error()

    @property
    def details(self) -> dict[str, Any]:
        """What the measure alone knows.

        sAUC: ``r_plus``, ``r_minus``, ``rsauc``, ``mean_difference``; smAUC: ``midpoint``,
        ``chance``, ``class_weight``, ``prevalence_sensitivity``; a partial area: ``axis``, ``low``,
        ``high``, ``raw``, ``standardized``, ``n_within``. An adjusted area: ``pooled``, the one
        that is not, and ``homogeneity_p`` of the test that all strata have the same. A mean over
        folds: ``folds``, ``smallest_fold``, ``largest_fold``, ``repeats``, ``subjects``.
        """
        if self._sizes_of_folds is not None:
            return self._folds
        if self.sample.adjustment is not None:
            test = self.homogeneity
            tested = {} if math.isnan(test.pvalue) else {"homogeneity_p": test.pvalue}
            return {"pooled": summarise(self.measure, self._blocks()).value, **tested}
        told = {}
        if self.measure.details is not None:
            told = self.measure.details(self.measure, self._blocks())
        return {**told, **self._bounds_of_bins()}

    def _bounds_of_bins(self) -> dict[str, Any]:
        """Between which values the estimate lies, where a table counts its scores in bins."""
        if self.sample.keeps_rows:
            return {}
        from rocstats.engine.bounds_of_bins import estimate_bounds

        marker = self.sample.marker(self.classifier)
        spreads = self.spread_pos, self.spread_neg
        return estimate_bounds(self.sample, marker, self.measure, self.value, spreads)

    @property
    def homogeneity(self) -> Homogeneity:
        """The measure within each stratum of what it is adjusted for, and whether all agree."""
        if self.sample.adjustment is None:
            raise InvalidOptionError(
                f"{self._title} is not adjusted, and has no strata; estimate it with "
                f"{keyword('adjust_for')}."
            )
        from rocstats.estimates.strata_of_covariates import compare_strata

        return compare_strata(self.sample, self.sample.marker(self.classifier), self.measure)

    @property
    def influence(self) -> Influence:
        """Every subject's influence on the estimate, in the order of the sample."""
        return sample_influence(self.sample, [(self.sample.marker(self.classifier), self.measure)])

    def variance(self, method: str = "delong") -> float:
        """Return the variance by a named estimator (STATISTICS.md 2.4, 4.6).

        ``"delong"``: structural components, never too small in expectation. ``"wu"``: Wu, Flach &
        Ferri's Theorem 6 as corrected. ``"unbiased"``: exactly that, and so below zero in some tiny
        samples. These two are for means over pairs, not for smAUC, which has ``"cohort"`` instead:
        class sizes random too, for a fixed midpoint and unweighted classes.

        Parameters
        ----------
        method : {"delong", "wu", "unbiased", "cohort"}, default "delong"
            The estimator.

        Returns
        -------
        float
            The variance.
        """
        check_option("method", method, ("delong", "wu", "unbiased", "cohort"))
        if method in ("wu", "unbiased") and not self.measure.is_pair_mean:
            raise InvalidOptionError(
                f'The "{method}" variance is for means over pairs, which {self.measure.label} is '
                'not; take "delong".'
            )
        if method != "delong" and not self.sample.is_plain:
            raise InvalidOptionError(
                f'The "{method}" variance takes subjects as independent and alike, which clusters '
                'and weighted subjects are not; take "delong".'
            )
        fixed = self.measure.has_fixed_midpoint and self.measure.class_weight is None
        if method == "cohort" and not fixed:
            raise InvalidOptionError(
                'The "cohort" variance is for smAUC with a fixed midpoint and '
                f'{keyword("class_weight", None)}; take "delong".'
            )
        self._warn_if_degenerate()
        m, n, std_error = self.n_pos, self.n_neg, self._std_error()
        delong = std_error * std_error
        if method == "delong" or not math.isfinite(delong):
            return delong
        s10, s01 = self.spread_pos * self.spread_pos, self.spread_neg * self.spread_neg
        if method == "wu":
            return wu_variance(s10, s01, m, n)
        if method == "cohort":
            return cohort_variance(self.details["prevalence_sensitivity"], s10, s01, m, n)
        square_sum = self.measure.kernel.square_sum(self._blocks())
        value = unbiased_variance(self.value, square_sum, s10, s01, m, n)
        if value <= 0.0 < std_error:
            warn_user(
                f"The unbiased variance of {self._title} is not positive; standard errors and "
                'intervals use "delong".',
                DegenerateVarianceWarning,
            )
        return value

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto", clip: bool = False
    ) -> ConfidenceInterval:
        """Return the interval by a named method (STATISTICS.md 7); `clip` cuts it to the bounds.

        ``"auto"`` takes the method that covered best in simulation: for the AUC ``"score"``
        near 0 or 1 and ``"logit"`` elsewhere; for a partial area ``"newcombe"`` near the ends of
        its range and ``"logit_t"`` elsewhere, on the subjects within it
        (docs/evidence/partial_auc.md); for sAUC on [0, 1] ``"logit_t"`` (without spread
        ``"kl"``); for smAUC ``"score_t"`` near 0 or 1 and ``"logit_t"`` elsewhere; for sAUC in
        score units ``"log_t"``, with a `SmallSampleWarning` where a few scores far out make its
        variance (docs/evidence/edges.md). By name: ``"wald"``, ``"wald_t"``, ``"probit"``,
        ``"arcsine"``, ``"log"``, ``"hanley-mcneil"``. pROC's interval is ``"delong"``, that is
        ``method="wald", clip=True``.
        With clusters the AUC has ``"logit_t"`` for ``"logit"``, and ``"score"`` takes t and as
        many subjects as they are worth (docs/evidence/clusters.md).

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            How the limits are found.
        clip : bool, default False
            Whether to cut the limits to the bounds of the measure.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        limits = self._interval(confidence_level, method)
        if clip:
            low, high = max(limits.low, self.bounds[0]), min(limits.high, self.bounds[1])
            limits = replace(limits, low=low, high=high)
        if not limits.high > limits.low:
            undefined = math.isnan(limits.low)
            warn_user(
                f"{self._title} has {'no' if undefined else 'a zero-width'} {limits.method} "
                "interval; the data do not show the uncertainty.",
                SmallSampleWarning if self._is_small else DegenerateVarianceWarning,
            )
        few = math.inf
        if limits.method == "log_t" and method == "auto" and not self.sample.is_clustered:
            few = self.influence.tailed_df()
        if few < _FEW:
            warn_user(
                f"The interval of {self._title} in score units rests on few subjects, in a small "
                f"class or with scores far out (the variance has {few:.1f} degrees of freedom, "
                f"and {_FEW:g} are wanted); take the scores on a log scale, or the AUC.",
                SmallSampleWarning,
            )
        return limits

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the estimate with its interval, the class sizes and the details, as one row."""
        limits = self._interval(confidence_level, method)
        return state_estimate(
            self._title,
            {
                "classifier": self.classifier,
                "measure": self.measure.name,
                "estimate": self.value,
                "std_error": self._std_error(),
                "conf_low": limits.low,
                "conf_high": limits.high,
                "conf_level": limits.confidence_level,
                "conf_method": limits.method,
                "n_pos": self.n_pos,
                "n_neg": self.n_neg,
            },
            self.details,
            hints=[*self._in_strata(), *self.what_it_means, *direction_hints([self])],
            source=self._source,
        )

    def _in_strata(self) -> list[str]:
        """Return a line for each stratum of what the estimate is adjusted for."""
        if self.sample.adjustment is None:
            return []
        return [
            f"{row.level}: {show_value(row.estimate)}, SE {show_value(row.std_error)}, "
            f"{counted(row.n_pos, 'positive')}, {counted(row.n_neg, 'negative')}"
            for row in self.homogeneity.strata
        ]

    @property
    def _sizes_of_folds(self) -> list[int] | None:
        """How many rows each fold of a cross-validation has; None where there are no folds."""
        adjusted = self.sample.adjustment
        if adjusted is None or adjusted.shares is None or adjusted.stratum is None:
            return None
        sizes: list[int] = np.bincount(adjusted.stratum).tolist()
        return sizes

    @property
    def _spread_of_folds(self) -> tuple[float, float] | None:
        """What the interval takes of clusters or repeats (19.5); None: the standard error itself.

        So it is, too, where a fold has one cluster of a class, and for R's formula.
        """
        sample, folds = self.sample, self.sample.adjustment
        if folds is None or folds.stratum is None or sample.cluster is None:
            return None
        if math.isinf(self.scatter[1]):
            return None
        scores = sample.oriented(sample.marker(self.classifier))
        _, values = adjusted_influence(self.measure, scores, sample.positive, folds)
        found = fold_spread(values, sample.positive, folds.stratum, sample.cluster, folds.repeats)
        return found if found[0] > 0.0 else None

    @property
    def _folds(self) -> dict[str, Any]:
        """The number and sizes of folds; of repeats, how many of whom."""
        sizes, adjusted = self._sizes_of_folds or [0], self.sample.adjustment
        told = {"folds": len(sizes), "smallest_fold": min(sizes), "largest_fold": max(sizes)}
        if adjusted is not None and adjusted.repeats > 1:
            told |= {"repeats": adjusted.repeats, "subjects": len(self.sample.cluster_ids)}
        return told

    @property
    def what_it_means(self) -> list[str]:
        """What a mean over folds estimates, in words; empty for other estimates."""
        if self._sizes_of_folds is None:
            return []
        return [
            f"This is the mean {self.measure.label} of the {len(self._sizes_of_folds)} models that "
            "were fitted, each tested on the fold it did not see; it is not that of a final model "
            "fitted to all."
        ]

    def test(
        self, null_value: float | None = None, *, alternative: Alternative = "two-sided"
    ) -> TestResult:
        """Test the estimate against a value.

        An AUC is tested by its own interval: what lies outside `confidence_interval` is rejected,
        and nothing else. With few losses that takes the variance where the null hypothesis is, as a
        comparison does; DeLong's test, whose variance is then too small too often (5% were 12% at
        an AUC of 0.95 with 30 and 30), is ``test(...).wald``. Other measures are judged by t with
        Satterthwaite's degrees of freedom, the distance in standard errors; the interval of that
        test is symmetric, and where `confidence_interval` disagrees, trust the latter, which allows
        for the bounds.

        Parameters
        ----------
        null_value : float, optional
            What the measure is under the null hypothesis; 0.5 for the AUC, others have no default.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against the null value.

        Returns
        -------
        TestResult
            The test, with its interval.
        """
        check_option("alternative", alternative, ("two-sided", "less", "greater"))
        if null_value is None and not self.measure.is_auc:
            raise InvalidOptionError(
                f"Say which value of {self.measure.label} is to be tested, with "
                f"{keyword('null_value')}."
            )
        null = 0.5 if null_value is None else as_number(null_value)
        low, high = self.bounds
        if not math.isfinite(null):
            raise InvalidOptionError(f"{named('null_value')} must be a number, got {null_value!r}.")
        if not low <= null <= high or (self.measure.is_auc and null in self.bounds):
            raise InvalidOptionError(
                f"{named('null_value')} must lie between {low:g} and {high:g}, as "
                f"{self.measure.label} does, got {null_value!r}."
            )
        std_error, df, pivot = self._std_error(), self.scatter[1], None
        own = Wald(estimate=self.value, std_error=std_error, df=df)
        if self.measure.is_auc and not self._is_small:
            situation, method = self._situation("auto")
            pivot = OwnInterval(situation=situation, method=method)
        else:
            self._warn_if_degenerate()
        statistic, df = (pivot or own).judge(null)
        return TestResult(
            contrast=self._title,
            method=self._test_words(pivot, df),
            null_value=null,
            alternative=alternative,
            estimate=self.value,
            std_error=std_error,
            statistic=statistic,
            df=df,
            pvalue=_tail_probability(statistic, df, alternative),
            pivot=pivot,
            wald_df=self.scatter[1],
        )

    def _test_words(self, pivot: OwnInterval | None, df: float) -> str:
        """Return the test and its reference distribution in words."""
        if pivot is None:
            return f"t test of {self._components}"
        letter = "z" if math.isinf(df) else "t"
        if pivot.name == "score":
            clusters = f", {len(self.sample.cluster_ids)} clusters"
            return f"{letter} test, variance at the null{clusters * self.sample.is_clustered}"
        return f"{letter} test of {self._components}, on the logit scale"

    @property
    def _title(self) -> str:
        adjusted = self.sample.adjustment
        within = "" if adjusted is None else adjusted.title
        return f"{self.measure.label} of {self.classifier}{within}"

    @property
    def _components(self) -> str:
        if not self.sample.is_clustered:
            return self.sample.components
        return f"structural components, {len(self.sample.cluster_ids)} clusters"

    @property
    def _source(self) -> str:
        """Whose standard error it is."""
        return "DeLong" if self.measure.is_auc and self.sample.is_plain else ""

    def _blocks(self) -> Blocks:
        marker = self.sample.marker(self.classifier)
        flipped = self.sample.is_flipped(marker)
        blocks = self.sample.blocks(marker, ordered=self.measure.looks_at_subjects)
        return to_measure_scale(self.measure, blocks, flipped=flipped)

    def _warn_if_degenerate(self) -> None:
        value = self._std_error()
        if self._is_small:
            why = (
                f"has {counted(self.n_pos, 'positive')} and {counted(self.n_neg, 'negative')}; "
                "a standard error needs two of each, so it is nan."
            )
        elif value == 0.0:
            why = (
                "has standard error 0 because every subject has the same influence, which does not "
                "measure the uncertainty."
            )
        elif math.isnan(value):
            why = "has no standard error here, so it is nan."
        else:
            return
        category = SmallSampleWarning if self._is_small else DegenerateVarianceWarning
        warn_user(f"{self._title} {why}", category)

    def _std_error(self) -> float:
        value = self.scatter[0]
        return 0.0 if value <= _ROUNDING * abs(self.value) else value

    @property
    def _is_small(self) -> bool:
        return min(self.n_pos, self.n_neg) < 2

    def _clusters(self) -> tuple[float, float] | None:
        """Clusters with a positive, and with a negative; None where each subject is its own."""
        return self.sample.clusters_by_class()

    @property
    def effective_sizes(self) -> tuple[float, float]:
        """How many independent positives and negatives there are: all without clusters.

        All but one are divided by the design effect, the variance over clusters beside DeLong's.
        Where nothing varies a cluster counts as one subject. Weighted subjects are worth as many of
        equal weight as Kish has it.
        """
        clusters, (n_pos, n_neg) = self._clusters(), self.sample.worth
        if clusters is None:
            return n_pos, n_neg
        std_error = self._std_error()
        if not std_error > 0.0:
            return min(clusters[0], n_pos), min(clusters[1], n_neg)
        parts = self.spread_pos / math.sqrt(self.n_pos), self.spread_neg / math.sqrt(self.n_neg)
        worth = min(math.hypot(*parts) / std_error, 1.0) ** 2
        return 1.0 + (n_pos - 1) * worth, 1.0 + (n_neg - 1) * worth

    def _interval(self, confidence_level: float, method: str) -> ConfidenceInterval:
        situation, method = self._situation(method)
        low, high, used = interval(situation, confidence_level, method)
        return ConfidenceInterval(
            low=low, high=high, confidence_level=confidence_level, method=used
        )

    def _situation(self, method: str) -> tuple[Situation, str]:
        """Return what an interval reads, and how its limits are found."""
        neg, pos = self.measure.shares
        (n_pos, n_neg), clusters = self.effective_sizes, self._clusters()
        if clusters is None and not (self.sample.weights is None and self.sample.strata is None):
            clusters = n_pos, n_neg
        situation = Situation(
            value=self.value,
            std_error=self._std_error(),
            df=self.scatter[1],
            n_pos=rests_on(n_pos, pos),
            n_neg=rests_on(n_neg, neg),
            clusters=clusters and (rests_on(clusters[0], pos), rests_on(clusters[1], neg)),
            label=self.measure.label,
            bounds=self.bounds,
            pair_mean=self.measure.is_pair_mean,
            is_auc=self.measure.is_auc,
            is_area=self.measure.is_area,
            prior=_SOFT_PRIOR if self.measure.is_soft_area else None,
        )
        if method == "auto" and self._sizes_of_folds is not None and situation.std_error > 0.0:
            method, spread = "logit_t", self._spread_of_folds
            if spread is not None:
                situation = replace(situation, std_error=spread[0], df=spread[1])
        return situation, method


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimates(Rows[Estimate], AnswerByMethod):
    """Several estimates on one sample, with their joint covariance.

    Attributes
    ----------
    rows : tuple of Estimate
        The estimates, classifier by classifier.
    sample : ScoredSample
        The data.
    remarks : tuple of str
        What was left out, and why.

    See Also
    --------
    estimate : Estimate several measures of several markers at once.
    Estimate : One measure of one classifier.
    """

    rows: tuple[Estimate, ...]
    sample: ScoredSample
    remarks: tuple[str, ...] = ()

    def _names(self) -> list[tuple[str, str]]:
        return [(row.classifier, row.measure.name) for row in self.rows]

    def _row(self, i: int) -> Estimate:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> Estimates:
        return replace(self, rows=tuple(self.rows[i] for i in where))

    @property
    def _account(self) -> Account:
        return self.sample.account

    @property
    def influence(self) -> Influence:
        """Every subject's influence on every row, in the order of the sample."""
        marker = self.sample.marker
        return sample_influence(self.sample, [(marker(r.classifier), r.measure) for r in self.rows])

    @property
    def covariance(self) -> Floats:
        """Covariance of the rows, in their order."""
        return self.influence.covariance()

    @property
    def covariance_bound(self) -> Floats | None:
        """How far off the covariance may be where scores are counted in bins; None elsewhere."""
        if self.sample.keeps_rows:
            return None
        from rocstats.engine.bounds_of_bins import covariance_bound

        rows = [(self.sample.marker(r.classifier), r.measure) for r in self.rows]
        spreads = [(r.spread_pos, r.spread_neg) for r in self.rows]
        return covariance_bound(self.sample, rows, spreads)

    @property
    def correlation(self) -> Floats:
        """Correlation of the rows; nan beside a row without variance."""
        return self.influence.correlation()

    def row(self, classifier: str, measure: str) -> Estimate:
        """Return the estimate of one classifier by one measure.

        Parameters
        ----------
        classifier : str
            Name of the marker.
        measure : str
            Name of the measure.

        Returns
        -------
        Estimate
            That row.
        """
        found: Estimate = self[classifier, measure]
        return found

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a row for each estimate, and the class sizes; the covariance is not printed."""
        stated = [
            row.statement(confidence_level=confidence_level, method=method) for row in self.rows
        ]
        rows, sample = [part.row for part in stated], self.sample
        bound = self.covariance_bound
        return Statement(
            rows=rows,
            shown=ESTIMATE_COLUMNS,
            notes=[
                f"{counted(sample.n_pos, 'positive')} ({sample.pos_label}), "
                f"{counted(sample.n_neg, 'negative')} ({sample.neg_label}); {sample.dropped}"
                + (f"; {sample.design}" if sample.design else ""),
                *self.remarks,
                *direction_hints(self.rows),
            ],
            content={
                "estimates": rows,
                "covariance": self.covariance,
                **({} if bound is None else {"covariance_bound": bound}),
                **({"remarks": self.remarks} if self.remarks else {}),
            },
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        confidence_level: float = 0.95,
        method: str = "auto",
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw the estimates with their intervals, one below the other (a forest).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            The method of the intervals, as in `Estimate.confidence_interval`.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        rows = self.statement(confidence_level=confidence_level, method=method).tidy
        labels = list(dict.fromkeys(row.measure.label for row in self.rows))
        names = [
            row.classifier if len(labels) == 1 else f"{row.classifier}, {row.measure.label}"
            for row in self.rows
        ]
        what = labels[0] if len(labels) == 1 else "Estimate"
        label = f"{what} ({100.0 * confidence_level:g}% CI)"
        return plot_forest(rows, names, ax, x_label=label, color=color)


def direction_hints(rows: Iterable[Estimate]) -> list[str]:
    """Return a sentence on the direction of every marker whose AUC is below one half."""
    return [
        f"The AUC of {row.classifier} is below one half: its {'high' if up else 'low'} values were "
        f"taken to speak for {row.sample.pos_label}, and here they {_how_low(row)}; check the "
        "coding of the classes and the direction of the marker."
        for row in rows
        if row.measure.is_auc and row.value < 0.5
        for up in [not row.sample.is_flipped(row.sample.marker(row.classifier))]
    ]


def _how_low(row: Estimate) -> str:
    """Return what an AUC below one half says of its marker: that, or nothing for certain."""
    surely = row._interval(0.95, "auto").high < 0.5
    return "speak against it" if surely else "do not, though the interval reaches one half"


def state_estimate(
    title: str, row: Row, details: Row, *, hints: Sequence[str] = (), source: str = ""
) -> Statement:
    """Return what one estimate says: its tidy row, what it alone knows, and hints to the reader."""
    known = ", ".join(f"{name.replace('_', ' ')} {show_value(v)}" for name, v in details.items())
    value, std_error, low, high = (
        show_value(row[name]) for name in ("estimate", "std_error", "conf_low", "conf_high")
    )
    return Statement(
        head=f"{title}: {value} ({row['conf_level']:.0%} CI {low} to {high}, "
        f"{row['conf_method']}), SE {std_error}{f' ({source})' if source else ''}",
        rows=[{**row, **details}],
        shown=ESTIMATE_COLUMNS,
        in_words=True,
        notes=[
            f"{counted(row['n_pos'], 'positive')}, {counted(row['n_neg'], 'negative')}"
            + (f"; {known}" if known else ""),
            *hints,
        ],
    )


Alternative = Literal["two-sided", "less", "greater"]
TEST_COLUMNS = (
    "contrast",
    "estimate",
    "std_error",
    "statistic",
    "df",
    "p_value",
    "conf_low",
    "conf_high",
)


class Pivot(Protocol):
    """A statistic at every null value, from which test, interval and margins are read."""

    @property
    def name(self) -> str:
        """What its intervals are called."""

    def judge(self, null: float) -> tuple[float, float]:
        """Return the distance from the null value, in standard errors, and degrees of freedom."""

    def limits(self, tail: float) -> tuple[float, float]:
        """Return the least and the largest null value that leaves at least the tail beyond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wald:
    """The distance in standard errors as the sample has them, whatever the null value."""

    estimate: float
    std_error: float
    df: float

    @property
    def name(self) -> str:
        return "wald" if math.isinf(self.df) else "wald_t"

    def judge(self, null: float) -> tuple[float, float]:
        distance = self.estimate - null
        return distance / self.std_error if self.std_error > 0.0 else math.nan, self.df

    def limits(self, tail: float) -> tuple[float, float]:
        # Without variance there is no honest interval.
        reach = _quantile(self.df, tail) * self.std_error if self.std_error > 0.0 else math.nan
        return self.estimate - reach, self.estimate + reach


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TestResult(AnswerAtLevel):
    """One contrast against its null value.

    Attributes
    ----------
    contrast : str
        What is tested, such as "a - b".
    method : str
        Test and reference distribution in words.
    null_value : float
        What the contrast is under the null hypothesis.
    alternative : str
        "two-sided", "greater" or "less".
    estimate, std_error, statistic, df, pvalue : float
        The answer; ``df`` is inf for a normal reference.
    pivot : Pivot, optional
        The statistic at every null value, where its standard error is not the same at all of them.
    wald_df : float, optional
        Degrees of freedom of the sample's own standard error, where those of the statistic differ.

    See Also
    --------
    compare_independent : Compare estimates from different samples.
    Contrasts : Several tests with adjusted p-values.
    """

    __test__ = False

    contrast: str
    method: str
    null_value: float
    alternative: Alternative
    estimate: float
    std_error: float
    statistic: float
    df: float
    pvalue: float
    pivot: Pivot | None = field(default=None, compare=False)
    wald_df: float | None = None

    @property
    def wald(self) -> TestResult:
        """The same with the standard error that the sample has: DeLong's test of areas."""
        if self.pivot is None:
            return self
        df = self.df if self.wald_df is None else self.wald_df
        plain = Wald(estimate=self.estimate, std_error=self.std_error, df=df)
        statistic, _ = plain.judge(self.null_value)
        pvalue = _tail_probability(statistic, df, self.alternative)
        words = f"{'z' if math.isinf(df) else 't'} test of DeLong's components"
        found = replace(self, statistic=statistic, df=df, pvalue=pvalue, method=words)
        return replace(found, pivot=None, wald_df=None)

    def judge_at(self, null_value: float) -> tuple[float, float]:
        """Return statistic and degrees of freedom at another null value.

        Parameters
        ----------
        null_value : float
            What the contrast is under that hypothesis.

        Returns
        -------
        statistic : float
            The distance in standard errors.
        df : float
            Its degrees of freedom.
        """
        return self._pivot.judge(null_value)

    @property
    def _letter(self) -> str:
        """The statistic by its reference distribution."""
        if math.isnan(self.df):
            return "statistic"
        return "z" if math.isinf(self.df) else f"t({self.df:.1f})"

    @property
    def _pivot(self) -> Pivot:
        return self.pivot or Wald(estimate=self.estimate, std_error=self.std_error, df=self.df)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the limits that go with the test; one-sided where the alternative is.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        level = check_confidence_level(confidence_level)
        tail = (1.0 - level) / 2.0 if self.alternative == "two-sided" else 1.0 - level
        low, high = self._pivot.limits(tail)
        low = -math.inf if self.alternative == "less" else low
        high = math.inf if self.alternative == "greater" else high
        name = self._pivot.name
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=name)

    def dissent(self, significance: float) -> str:
        """Return what the other test says, where the two disagree about significance.

        Parameters
        ----------
        significance : float
            The level of both.

        Returns
        -------
        str
            A sentence; empty where they agree, or there is no other.
        """
        other = self.wald
        own = isinstance(self.pivot, OwnInterval) and self.pivot.name != "score"
        unknown = self.pivot is None or own or math.isnan(other.pvalue)  # own: the same variance
        if unknown or (self.pvalue <= significance) == (other.pvalue <= significance):
            return ""
        low, high = other.confidence_interval(confidence_level=1.0 - significance)
        return say_dissent(
            f"DeLong's own test of {self.contrast}",
            f"p {show_p(other.pvalue)} ({1.0 - significance:.0%} CI {show_value(low)} to "
            f"{show_value(high)})",
        )

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the contrast with its interval and test, as one row."""
        limits = self.confidence_interval(confidence_level=confidence_level)
        row = {
            "contrast": self.contrast,
            "estimate": self.estimate,
            "std_error": self.std_error,
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.pvalue,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "null_value": self.null_value,
            "alternative": self.alternative,
            "method": self.method,
            "p_delong": math.nan if self.pivot is None else self.wald.pvalue,
        }
        return Statement(
            head=f"{self.contrast}: {show_value(self.estimate)} "
            f"({limits.confidence_level:.0%} CI {show_value(limits.low)} to "
            f"{show_value(limits.high)}), {self._letter} = {self.statistic:.3f}, "
            f"p {show_p(self.pvalue)}",
            rows=[row],
            shown=TEST_COLUMNS,
            in_words=True,
            notes=[
                f"{self.method}, {self.alternative}"
                + (f", against {self.null_value:g}" if self.null_value else ""),
                *filter(None, [self.dissent(1.0 - limits.confidence_level)]),
            ],
        )


def say_dissent(who: str, answer: str) -> str:
    """Return that DeLong's own test says otherwise, and why it is not the one to trust."""
    return (
        f"{who} disagrees: {answer}; its variance is that of the sample, which few losses make too "
        "small too often."
    )


def _tail_probability(statistic: float, df: float, alternative: Alternative) -> float:
    from scipy.special import ndtr, stdtr

    def below(x: float) -> float:
        return float(stdtr(df, x) if math.isfinite(df) else ndtr(x))

    if alternative == "two-sided":
        return 2.0 * below(-abs(statistic))
    return below(statistic if alternative == "less" else -statistic)


def _quantile(df: float, tail: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(tail) if math.isinf(df) or not df > 0.0 else stdtrit(df, tail))
