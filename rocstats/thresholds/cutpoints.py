"""Cutpoints: chosen by the data, with what the choice is worth, or prespecified."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.path import read_only, to_numbers
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import Account, NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    as_number,
    check_confidence_level,
    check_option,
    keyword,
    named,
)
from rocstats.estimates.proportion_limits import Limits, ProportionMethod, proportion_limits
from rocstats.estimates.results import ConfidenceInterval
from rocstats.resampling.bootstrap_limits import percentile
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import check_kind
from rocstats.tables import Answer, Statement, counted, tidy_rows
from rocstats.thresholds.chosen_thresholds import operating_points, places_at
from rocstats.thresholds.coarse_redraws import CoarseRedraws, is_vast
from rocstats.thresholds.cutpoint_criteria import CRITERIA, Criterion, Floor, best_vertices
from rocstats.thresholds.optimism import Search, midpoints, thresholds_beyond
from rocstats.thresholds.points import OperatingPoints, if_low
from rocstats.thresholds.proportions import as_fraction
from rocstats.thresholds.redraws import Redraws, lay_out_vertices
from rocstats.thresholds.smoothed_cutpoints import draw_smoothed, is_smooth
from rocstats.thresholds.two_by_two import Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["NOISE", "Cutpoint", "optimal_cutpoint"]

Kind = Literal["exploratory", "prespecified"]

_RATES = ("sensitivity", "specificity")
_SHOWN = (
    *("threshold", "midpoint", "tp", "fp", "fn", "tn"),
    *("sensitivity", "specificity", "corrected_sensitivity", "corrected_specificity"),
)
_DEFAULT = Bootstrap()
NOISE = (
    "A corrected rate above the apparent one is noise of the resampling and no gain; take the "
    "apparent one."
)
_MOST = 1e300  # the largest weight of specificity: beyond it a score is no double


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Cutpoint(Answer):
    """A cutpoint, or all that are equally good.

    Attributes
    ----------
    kind : str
        "exploratory" where the data chose it, "prespecified" where they did not.
    criterion : str
        By what it was chosen, in words.
    points : OperatingPoints
        The 2x2 tables and all measures at the k optima, without any correction.
    everywhere : OperatingPoints
        The same at all thresholds.
    criterion_value : array of shape (k,)
        What was largest, or smallest.
    next_score : array of shape (k,)
        The next score on the negative side: every threshold from there, exclusive, to the one of
        the point, inclusive, has the same table.
    midpoint : array of shape (k,)
        Half-way between the two, for reporting; `confidence_interval` is of it.
    replicates : array of shape (B, 5)
        For every resample its own cutpoint, a midpoint; sensitivity and specificity there in the
        resample; and in the sample itself. Empty if prespecified.
    smoothed : array of shape (B,)
        The cutpoints of resamples of smoothed classes. Empty if prespecified, of clusters, of
        grades, and where minimal rates are asked for.

    See Also
    --------
    optimal_cutpoint : Choose the best cutpoint, and say what choosing cost.
    """

    kind: Kind
    criterion: str
    points: OperatingPoints
    everywhere: OperatingPoints
    criterion_value: Floats
    next_score: Floats
    midpoint: Floats
    replicates: Floats
    smoothed: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def threshold(self) -> Floats:
        """(k,) a subject is called positive at or beyond it."""
        return self.points.threshold

    @property
    def optimism(self) -> tuple[float, float]:
        """By how much sensitivity and specificity are too good, on average, for having chosen.

        The mean, over resamples, of the rate of a resample's own cutpoint there less the rate of
        the same cutpoint in the sample. 0 if prespecified, and where every resample chose the same
        again, as of a test with two results: the mean is noise around 0 then.
        """
        if self.kind == "prespecified" or self.is_steady:
            return 0.0, 0.0
        known = self._known()
        if not len(known):
            return math.nan, math.nan
        excess = known[:, 1:3] - known[:, 3:5]
        return float(excess[:, 0].mean()), float(excess[:, 1].mean())

    @property
    def is_steady(self) -> bool:
        """Whether the data chose one cutpoint, and every resample called the same subjects so."""
        known = self._known()[:, 3:5]
        rates = np.stack([self.points.sensitivity, self.points.specificity], axis=1)
        return bool(len(known) and len(rates) == 1 and (known == rates).all())

    @property
    def corrected_sensitivity(self) -> Floats:
        """(k,) sensitivity less its optimism."""
        return self._corrected("sensitivity")[0]

    @property
    def corrected_specificity(self) -> Floats:
        """(k,) specificity less its optimism."""
        return self._corrected("specificity")[0]

    def corrected_limits(self, rate: Literal["sensitivity", "specificity"]) -> Limits:
        """Return the limits of a corrected rate: those of as large a share of the same class.

        With clusters the class counts as many subjects as it is worth at the cutpoint.

        Parameters
        ----------
        rate : {"sensitivity", "specificity"}
            Which rate.

        Returns
        -------
        (array, array)
            Lower and upper limits.
        """
        check_option("rate", rate, _RATES)
        return self._corrected(rate)[1:]

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return quantiles over resamples of the cutpoint, taken half-way to the next score.

        It is an interval of `midpoint`, not of `threshold`, the last score that is called positive,
        which may lie outside. ``"smoothed"``: of resamples of smoothed classes. ``"percentile"``:
        of resamples of the subjects, which choose among the sample's own scores and vary too little
        where the classes are of very different size or lie far apart (docs/evidence/thresholds.md).
        ``"auto"``: the former where there are such resamples, else the latter, stretched to hold
        the midpoints. A prespecified cutpoint is not estimated and has no interval: its limits are
        nan.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "smoothed", "percentile"}, default "auto"
            How the limits are found.

        Returns
        -------
        ConfidenceInterval
            The limits of the cutpoint.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, ("auto", "smoothed", "percentile"))
        smoothed = self.smoothed[~np.isnan(self.smoothed)]
        if method == "smoothed" and smoothed.size < 2 and self.kind == "exploratory":
            raise InvalidOptionError(
                "Clusters, grades and minimal rates have no smoothed resamples; take "
                f"{keyword('method', 'percentile')}."
            )
        low = high = math.nan
        name = "percentile" if method == "percentile" or smoothed.size < 2 else "smoothed"
        if name == "smoothed":
            low, high = percentile(smoothed, (1.0 - level) / 2.0)
        elif self.kind == "exploratory" and len(self._known()) > 1:
            low, high = percentile(self._known()[:, 0], (1.0 - level) / 2.0)
        if method != "percentile" and not math.isnan(low):
            low, high = min(low, *self.midpoint), max(high, *self.midpoint)
        return ConfidenceInterval(
            low=float(low),
            high=float(high),
            confidence_level=level,
            method=f"{name}, re-optimised",
        )

    @property
    def account(self) -> Account | None:
        """Which class is positive, and who was left out."""
        return self.points.account

    def statement(self) -> Statement:
        """Return a row for each optimum, the interval of the cutpoint and the optimism."""
        points, level = self.points, self.points.confidence_level
        chosen = self.kind == "exploratory"
        limits = self.confidence_interval(confidence_level=level)
        ends = {"cutpoint_conf_low": limits.low, "cutpoint_conf_high": limits.high}
        name = {"kind": self.kind, "criterion": self.criterion, "classifier": points.classifier}
        optima = self._optima()
        head = (
            f"{self.kind.capitalize()} cutpoint of {points.classifier} "
            f"({self.criterion}): {counted(points.n_pos, 'positive')}, "
            f"{counted(points.n_neg, 'negative')}"
            f"{if_low(points.classifier, points.higher_is_positive)}"
        )
        if chosen and len(optima) > 1:
            head += f"; {len(optima)} optima are equally good"
        middle = " and ".join(f"{value:.6g}" for value in self.midpoint.tolist())
        notes = [
            f"{level:.0%} interval of the midpoint {middle}: {limits.low:.6g} to "
            f"{limits.high:.6g}; optimism: sensitivity {self.optimism[0]:.4f}, specificity "
            f"{self.optimism[1]:.4f} ({counted(len(self.replicates), 'resample')})",
            *self._remarks(),
        ]
        return Statement(
            head=head,
            rows=[name | ends | row for row in optima],
            shown=_SHOWN if chosen else _SHOWN[:1] + _SHOWN[2:8],
            notes=notes if chosen else [],
            content={
                **name,
                "higher_is_positive": points.higher_is_positive,
                **ends,
                "conf_level": level,
                "conf_method": limits.method,
                "optimism": dict(zip(_RATES, self.optimism, strict=True)),
                "n_resamples": len(self.replicates),
                "optima": optima,
            },
        )

    def _remarks(self) -> list[str]:
        """Return what is to be known of the correction, where it is none."""
        if self.is_steady:
            return ["Every resample chose this cutpoint again, so there is nothing to correct."]
        if min(self.optimism) < 0.0:
            return [NOISE]
        return []

    def _optima(self) -> list[dict[str, Any]]:
        columns: dict[str, Any] = {
            "criterion_value": self.criterion_value,
            "next_score": self.next_score,
            "midpoint": self.midpoint,
        }
        for rate in _RATES:
            value, low, high = self._corrected(rate)
            whole = f"corrected_{rate}"
            columns |= {whole: value, f"{whole}_conf_low": low, f"{whole}_conf_high": high}
        points = self.points.statement().tidy
        return [{**own, **row} for own, row in zip(tidy_rows(columns), points, strict=True)]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the cutpoint, and its interval, across sensitivity and specificity.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.threshold_plot import draw_cutpoint

        limits = self.confidence_interval(confidence_level=self.points.confidence_level)
        ax = self.everywhere.plot(ax)
        return draw_cutpoint(
            self.midpoint, (limits.low, limits.high), f"{self.kind.capitalize()} cutpoint", ax
        )

    def _corrected(self, rate: str) -> tuple[Floats, Floats, Floats]:
        points, which = self.points, _RATES.index(rate)
        cells = points.tables().classwise
        size = (cells.n_pos, cells.n_neg)[which]
        value = np.clip(points.values(rate) - self.optimism[which], 0.0, 1.0)
        low, high = proportion_limits(
            value * size, size, level=points.confidence_level, method=points.interval
        )
        return value, low, high

    def _known(self) -> Floats:
        known: Floats = self.replicates[~np.isnan(self.replicates[:, 0])]
        return known


def optimal_cutpoint(
    y_true: Any,
    y_score: Any = None,
    criterion: str = "youden",
    *,
    cost: float = 1.0,
    prevalence: float = 0.5,
    min_sensitivity: float = 0.0,
    min_specificity: float = 0.0,
    threshold: float | None = None,
    resampling: Bootstrap = _DEFAULT,
    interval: ProportionMethod = "wilson",
    confidence_level: float = 0.95,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> Cutpoint:
    """Choose the best cutpoint of a marker, and say what choosing cost; or judge a given one.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    criterion : str, default "youden"
        "youden"; "closest" to sensitivity and specificity 1; their "product", "equality" or
        "minimum"; "kappa"; "chi_square"; of PPV and NPV "predictive_sum", "predictive_product",
        "predictive_equality", "predictive_minimum" or "predictive_closest"; or "sensitivity",
        "specificity", "accuracy", "balanced_accuracy", "ppv", "npv", "lr_pos", "lr_neg", "dor",
        "f1" or "mcc", to be largest (lr_neg: smallest).
    cost : float, default 1.0
        Cost of a missed positive relative to that of a false alarm; it weighs "youden" and
        "closest".
    prevalence : float, default 0.5
        Share of positives where the test will be used; likewise.
    min_sensitivity : float, default 0.0
        Sensitivity that the cutpoint must have; for the most specific cutpoint of sensitivity .9
        take ``criterion="specificity", min_sensitivity=0.9``.
    min_specificity : float, default 0.0
        Specificity that the cutpoint must have.
    threshold : float, optional
        A prespecified cutpoint, to be judged and not chosen; nothing is resampled.
    resampling : Bootstrap, default Bootstrap()
        Number of resamples, randomness, workers.
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

    Returns
    -------
    Cutpoint
        The cutpoint, or all that are equally good, with the optimism of choosing.

    See Also
    --------
    operating_points : 2x2 tables at thresholds, with their measures.
    roc_hull : The convex hull of ROC curves.
    Bootstrap : How to bootstrap.

    Notes
    -----
    With the weight r = (1 - prevalence) / (cost prevalence) "youden" has the largest
    se - r (1 - sp), which is the least expected cost, and "closest" the smallest
    (1 - se)^2 + r (1 - sp)^2, as with pROC's ``best.weights``. Candidates are all distinct scores
    and the threshold that calls no one positive. Ties are judged in whole numbers, the weights
    being the decimals that were written, and all optima are returned.

    The odds ratio ("dor") is infinite wherever a kind of error does not occur, which is so at many
    thresholds of most samples; to choose among them an empty cell counts half a subject, as in
    ``OptimalCutpoints``, and where all or none are called positive there is none. "chi_square" is
    Pearson's without correction and blind to direction ("mcc" is its signed root, up to the sample
    size); the p-value of the largest is not that of a table fixed in advance. PPV and NPV are those
    at the sample's prevalence. All criteria: docs/STATISTICS.md 14.1.

    A cutpoint that the same data chose is exploratory: its sensitivity and specificity are too
    good. The optimism is estimated by choosing again in every resample (Efron 1983; Harrell et al.
    1996): rate in the resample less rate of the same cutpoint in the sample, on average; of equal
    optima in a resample the most specific is taken. That leaves about a third of it in small
    samples (docs/evidence/thresholds.md). The measures in `points`, and their intervals, are not
    corrected. R equivalent: ``pROC::coords(x = "best")``, which decides ties by rounded numbers,
    ``cutpointr::cutpointr`` and ``OptimalCutpoints::optimal.cutpoints``.

    References
    ----------
    Youden (1950), Cancer 3, 32-35; Perkins & Schisterman (2006), doi:10.1093/aje/kwj063; Leeflang
    et al. (2008), doi:10.1373/clinchem.2007.096032; Efron (1983), JASA 78, 316-331; Harrell, Lee &
    Mark (1996), Statistics in Medicine 15, 361-387.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1]
    >>> found = rs.optimal_cutpoint(y, score, resampling=rs.Bootstrap(rng=1))
    >>> found.kind, found.threshold.tolist(), found.midpoint.tolist()
    ('exploratory', [8.0, 6.0, 3.0], [7.5, 5.0, 2.5])
    >>> rs.optimal_cutpoint(y, score, threshold=6).points.sensitivity.tolist()
    [0.75]
    """
    check_kind("resampling", resampling, Bootstrap)
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        takes=() if threshold is None else ("weights", "strata", "nuisance"),
    )
    check_option("criterion", criterion, CRITERIA)
    weight = _weight(cost, prevalence)
    floor = Floor(
        sensitivity=as_fraction(min_sensitivity, "min_sensitivity"),
        specificity=as_fraction(min_specificity, "min_specificity"),
    )
    if weight != 1 and not CRITERIA[criterion].weighted:
        raise InvalidOptionError(
            f"{named('cost')} and {named('prevalence')} have no part in the criterion "
            f'{criterion!r}; take "youden" or "closest", or leave them out.'
        )
    curve = roc_curve(sample, marker=marker)
    chosen = threshold is None
    if not chosen and (criterion != "youden" or weight != 1 or floor != Floor()):
        raise InvalidOptionError(
            f"A prespecified threshold is not chosen; leave {named('criterion')}, {named('cost')}, "
            f"{named('prevalence')} and minimal rates out."
        )
    scores = thresholds_beyond(curve)
    replicates, smoothed = np.empty((0, 5)), np.empty(0)
    if chosen:
        search = Search(
            curve=curve,
            criterion=CRITERIA[criterion],
            weight=weight,
            floor=floor,
            redraws=_redraws(sample, marker, curve, CRITERIA[criterion]),
        )
        best = _optima(search, criterion)
        given, replicates = scores[best], search.run(resampling)
        if sample.cluster is None and floor == Floor() and is_smooth(curve):
            smoothed = draw_smoothed(curve, search.criterion, weight, resampling)
    else:
        given = to_numbers(threshold, "threshold").reshape(-1)
        if not given.size:
            raise InvalidOptionError(f"{named('threshold')} is empty; give at least one number.")
        sample.check_edges(sample.marker(marker), given)
        best = places_at(curve, given)
    everywhere = operating_points(
        sample, marker=marker, interval=interval, confidence_level=confidence_level
    )
    kind: Kind = "exploratory" if chosen else "prespecified"
    points = replace(everywhere.select(best), threshold=read_only(given), chosen_by=kind)
    value = _worth(points, criterion, weight) if chosen else np.full(best.size, math.nan)
    return Cutpoint(
        kind=kind,
        criterion=_words(criterion, weight, floor) if chosen else "as given",
        points=points,
        everywhere=everywhere,
        criterion_value=read_only(value),
        next_score=read_only(scores[best + 1]),
        midpoint=read_only(midpoints(given, scores[best + 1]) if chosen else given),
        replicates=read_only(replicates),
        smoothed=read_only(smoothed),
    )


def _redraws(
    sample: ScoredSample, marker: str | None, curve: RocCurve, criterion: Criterion
) -> Redraws | CoarseRedraws:
    """Return the resamples of a marker, coarsely where that is possible and worth it."""
    if criterion.rates is not None and is_vast(sample, curve):
        return CoarseRedraws.of(curve)
    return lay_out_vertices(sample, sample.marker(marker))


def _optima(search: Search, criterion: str) -> Ints:
    """Return the places of the best thresholds, or refuse where there is none."""
    curve, floor = search.curve, search.floor
    best = best_vertices(search.criterion, curve.tp, curve.fp, search.weight, floor)
    if not best.size:
        raise InvalidSampleError(
            f"No threshold of {curve.classifier} has "
            + (f"{floor}; ask for less." if floor != Floor() else f"a defined {criterion}.")
        )
    return best


def _worth(points: OperatingPoints, criterion: str, weight: Fraction) -> Floats:
    """Return the criterion's value, as a reader expects to see it."""
    cells = Cells.of(points.tp, points.fp, points.n_pos, points.n_neg)
    return CRITERIA[criterion].worth(cells, float(weight))


def _weight(cost: float, prevalence: float) -> Fraction:
    """Return the weight of specificity, of the decimals that were written."""
    share = as_fraction(prevalence, "prevalence", inside=True)
    ratio = as_number(cost)
    if not (math.isfinite(ratio) and ratio > 0.0):
        raise InvalidOptionError(f"{named('cost')} must be a positive number, got {cost!r}.")
    weight = (1 - share) / (Fraction(repr(ratio)) * share)
    if weight > _MOST:
        raise InvalidOptionError(
            f"{named('cost')} {cost!r} and {named('prevalence')} {prevalence!r} are too small to "
            "weigh anything."
        )
    return weight


def _words(criterion: str, weight: Fraction, floor: Floor) -> str:
    known = CRITERIA[criterion]
    words = known.label if weight == 1 else f"{known.weighted}, r = {float(weight):g}"
    return words if floor == Floor() else f"{words}, with {floor}"
