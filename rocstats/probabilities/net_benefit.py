"""Decision curves: the net benefit of acting on a model, over threshold probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Bools, Floats
from rocstats.curves.path import read_only, to_numbers
from rocstats.data.sample import Account, NanPolicy, as_sample
from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import (
    InvalidOptionError,
    SmallSampleWarning,
    as_number,
    check_confidence_level,
    check_option,
    did_you_mean,
    listed,
    named,
    warn_user,
)
from rocstats.probabilities.decision_cells import (
    cell_covariance,
    gather_cells,
    gather_levels,
    joint_calls,
    net_benefit_influence,
)
from rocstats.probabilities.net_benefit_limits import Calls, pair_limits
from rocstats.tables import Answer, Row, Rows, Statement, TidyRows, tidy_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.probabilities.interventions import InterventionsAvoided

__all__ = ["TREAT_ALL", "TREAT_NONE", "DecisionCurve", "NetBenefit", "decision_curve"]

TREAT_ALL, TREAT_NONE = "treat all", "treat none"
IntervalName = Literal["auto", "wald"]
_INTERVALS = ("auto", "wald")
_MOST_MODELS = 60  # calls of all models make one integer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NetBenefit(TidyRows, Answer):
    """One strategy, or a difference of two, over the thresholds.

    Attributes
    ----------
    strategy : str
        A model, "treat all", "treat none", or a difference such as "a - treat all".
    threshold : array of shape (T,)
        Threshold probabilities.
    value, std_error : array of shape (T,)
        Net benefit and its standard error, which is nan where the data show no uncertainty.
    conf_low, conf_high : array of shape (T,)
        Limits, for each threshold by itself.
    method : str
        How the limits were found: "mover", "agresti-min" or "wald"; Wald's are nan where the
        standard error is, because a model calls no one, say.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    decision_curve : Net benefit of acting on each model.
    DecisionCurve.difference : The net benefit of one strategy less another's.
    """

    strategy: str
    threshold: Floats
    value: Floats
    std_error: Floats
    conf_low: Floats
    conf_high: Floats
    method: str = "wald"
    account: Account | None = None

    def statement(self) -> Statement:
        """Return a row for every threshold, and where the net benefit is largest."""
        columns = {
            "threshold": self.threshold,
            "net_benefit": self.value,
            "std_error": self.std_error,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
        }
        best = int(np.argmax(self.value))
        return Statement(
            head=f"Net benefit of {self.strategy} at {self.threshold.size} thresholds, "
            f"largest {self.value[best]:.4f} at {self.threshold[best]:g}",
            rows=[
                {"strategy": self.strategy, **row, "conf_method": self.method}
                for row in tidy_rows(columns)
            ],
            content={"strategy": self.strategy, **columns, "conf_method": self.method},
        )

    def rows(self) -> list[Row]:
        """Return a tidy row for every threshold."""
        return list(self.statement().tidy)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DecisionCurve(Rows[NetBenefit], Answer):
    """Net benefit of every model, of treating all and of treating none.

    Attributes
    ----------
    strategies : tuple of str
        The models, then "treat all" and "treat none".
    threshold : array of shape (T,)
        Threshold probabilities.
    net_benefit : array of shape (S, T)
        Net benefit of every strategy at every threshold.
    covariance : array of shape (T, S, S)
        Covariance of the net benefits at every threshold.
    calls : Calls
        How many subjects any two strategies both treat, which the limits rest on.
    df : float
        Degrees of freedom of Wald's intervals: inf, or clusters less one.
    prevalence : float
        As given, or the share of positives.
    standardized : bool
        Whether net benefit is divided by the prevalence, so that 1 is the most.
    confidence_level : float
        Level of the intervals.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    decision_curve : Net benefit of acting on each model.
    NetBenefit : Net benefit of one strategy.
    """

    strategies: tuple[str, ...]
    threshold: Floats
    net_benefit: Floats
    covariance: Floats
    calls: Calls
    df: float
    prevalence: float
    standardized: bool
    confidence_level: float
    account: Account | None = None

    _one: ClassVar = "strategy"

    def _names(self) -> list[tuple[str]]:
        return [(name,) for name in self.strategies]

    def _row(self, i: int) -> NetBenefit:
        return self.curve(self.strategies[i])

    def curve(self, strategy: str, *, method: IntervalName = "auto") -> NetBenefit:
        """Return one strategy with its pointwise intervals, those of its gain over treating none.

        Parameters
        ----------
        strategy : str
            A model, "treat all" or "treat none".
        method : {"auto", "wald"}, default "auto"
            How the limits are found; see `decision_curve`.

        Returns
        -------
        NetBenefit
            Its net benefit.
        """
        return self._combine(self._place(strategy), None, method)

    def difference(
        self, strategy: str, versus: str = TREAT_ALL, *, method: IntervalName = "auto"
    ) -> NetBenefit:
        """Return the net benefit of one strategy less another's, on the same subjects.

        Two curves whose intervals overlap may well differ; this interval tells. It warns where, of
        50 subjects or fewer, fewer than 3 events were missed beside treating all.

        Parameters
        ----------
        strategy : str
            A model, "treat all" or "treat none".
        versus : str, default "treat all"
            The one that is taken off.
        method : {"auto", "wald"}, default "auto"
            How the limits are found; see `decision_curve`.

        Returns
        -------
        NetBenefit
            The difference.
        """
        found = self._combine(self._place(strategy), self._place(versus), method)
        few = self.few_missed(strategy) if versus == TREAT_ALL else ()
        if few:
            size = self.calls.sizes[:, 0].sum()
            warn_user(
                f"{strategy} missed fewer than 3 events of {size:.0f} subjects {_in_words(few)}; "
                f"the difference from {TREAT_ALL} rests on them there, so look for more subjects.",
                SmallSampleWarning,
            )
        return found

    def few_missed(self, strategy: str) -> tuple[tuple[float, float], ...]:
        """Return where a difference from treating all rests on fewer than 3 missed events.

        Only in samples of 50 subjects or fewer, and where someone is left untreated.

        Parameters
        ----------
        strategy : str
            A model.

        Returns
        -------
        tuple of (float, float)
            The first and the last threshold of every run of thresholds.
        """
        return self._runs(self.calls.rests_on_few(self._place(strategy)))

    def useful_ranges(
        self, strategy: str, *, supported: bool = False, method: IntervalName = "auto"
    ) -> tuple[tuple[float, float], ...]:
        """Return where a model is above treating all and treating none.

        Parameters
        ----------
        strategy : str
            A model.
        supported : bool, default False
            Whether the lower limits of both differences must be above 0 too, each at its threshold
            by itself.
        method : {"auto", "wald"}, default "auto"
            How the limits are found; see `decision_curve`.

        Returns
        -------
        tuple of (float, float)
            The first and the last threshold of every run of thresholds; none is left out between.
        """
        place, last = self._place(strategy), len(self.strategies) - 1
        gains = [self._combine(place, other, method) for other in (last - 1, last)]
        above = [(gain.conf_low if supported else gain.value) > 0.0 for gain in gains]
        return self._runs(above[0] & above[1])

    def _runs(self, chosen: Bools) -> tuple[tuple[float, float], ...]:
        edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
        cuts = self.threshold.tolist()
        return tuple((cuts[i], cuts[j - 1]) for i, j in edges.reshape(-1, 2).tolist())

    def statement(self) -> Statement:
        """Return a row for every strategy and threshold, and where each model is of use."""
        kind = "standardised net benefit" if self.standardized else "net benefit"
        curves = [self.curve(strategy).statement() for strategy in self.strategies]
        useful = {
            name: {
                "above": self.useful_ranges(name),
                "supported": self.useful_ranges(name, supported=True),
                "few_missed": self.few_missed(name),
            }
            for name in self.strategies[:-2]
        }
        return Statement(
            head=f"Decision curve, {kind} of {listed(self.strategies)} "
            f"at {_where(self.threshold)}, prevalence {self.prevalence:.4f}",
            rows=[row for curve in curves for row in curve.tidy],
            notes=[
                f"{name}: above {TREAT_ALL} and {TREAT_NONE} {_in_words(found['above'])}; the "
                f"{self.confidence_level:.0%} limits of both differences support this "
                f"{_in_words(found['supported'])}"
                + (f" (few missed events {_in_words(found['few_missed'])})" if few else "")
                for name, found in useful.items()
                for few in [found["few_missed"]]
            ],
            content={
                "prevalence": self.prevalence,
                "standardized": self.standardized,
                "conf_level": self.confidence_level,
                "curves": [curve.content for curve in curves],
                "interventions_avoided": self._avoided(),
                "useful": useful,
            },
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves with pointwise bands with matplotlib, and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.probability_plot import draw_decision

        return draw_decision(self, ax)

    def interventions_avoided(self, strategy: str) -> InterventionsAvoided:
        """Return how many interventions fewer than with treating all there are of 100 subjects.

        It is ``100 (NB - NB of treating all) (1 - t) / t``: untreated subjects less what the events
        among them are worth at the threshold. R equivalent: ``dcurves::net_intervention_avoided``.

        Parameters
        ----------
        strategy : str
            A model, "treat all" or "treat none".

        Returns
        -------
        InterventionsAvoided
            The net reduction in interventions, with pointwise intervals.
        """
        from rocstats.probabilities.interventions import InterventionsAvoided, avoided

        gain = self._combine(self._place(strategy), len(self.strategies) - 2, "auto")
        scale = self.prevalence if self.standardized else 1.0
        ends = (gain.value, gain.conf_low, gain.conf_high)
        value, low, high = (avoided(end, self.threshold, scale) for end in ends)
        return InterventionsAvoided(
            strategy=strategy,
            threshold=self.threshold,
            value=value,
            conf_low=low,
            conf_high=high,
            account=self.account,
        )

    def _avoided(self) -> dict[str, Floats]:
        from rocstats.probabilities.interventions import avoided

        scale, everyone = self.prevalence if self.standardized else 1.0, self.net_benefit[-2]
        models = zip(self.strategies[:-2], self.net_benefit, strict=False)
        return {name: avoided(own - everyone, self.threshold, scale) for name, own in models}

    def _place(self, strategy: str) -> int:
        if strategy not in self.strategies:
            raise InvalidOptionError(
                f"There is no strategy {strategy!r}; there are {listed(self.strategies)}."
                f"{did_you_mean(strategy, self.strategies)}"
            )
        return self.strategies.index(strategy)

    def _combine(self, place: int, versus: int | None, method: str) -> NetBenefit:
        check_option("method", method, _INTERVALS)
        weights = np.zeros(len(self.strategies))
        weights[place] = 1.0
        name = self.strategies[place]
        if versus is not None:
            weights[versus] -= 1.0
            name = f"{name} - {self.strategies[versus]}"
        value = weights @ self.net_benefit
        variance, alone = (
            np.einsum("s,tsr,r->t", weights, spread, weights)
            for spread in (self.covariance, self.calls.alone)
        )
        std_error = np.sqrt(np.maximum(variance, 0.0))
        if weights[:-2].any():  # a model that calls no one, say, shows no uncertainty
            std_error = np.where(std_error > 0.0, std_error, math.nan)
        other = len(self.strategies) - 1 if versus is None else versus
        if method == "wald" or place == other:
            low, high, used = *self._wald(value, std_error), "wald"
        else:
            worth = self.calls.worth(variance, alone, self.confidence_level)
            low, high, used = pair_limits(self.calls, place, other, worth, self.confidence_level)
        return NetBenefit(
            strategy=name,
            threshold=self.threshold,
            value=value,
            std_error=std_error,
            conf_low=low,
            conf_high=high,
            method=used,
            account=self.account,
        )

    def _wald(self, value: Floats, std_error: Floats) -> tuple[Floats, Floats]:
        from scipy.special import ndtri

        tail = 0.5 * (1.0 - self.confidence_level)
        quantile = -float(ndtri(tail) if math.isinf(self.df) else stdtrit(self.df, tail))
        return value - quantile * std_error, value + quantile * std_error


def decision_curve(
    y_true: Any,
    y_prob: Any = None,
    thresholds: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    standardized: bool = False,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    markers: str | Sequence[str] | None = None,
    nan_policy: NanPolicy | None = None,
) -> DecisionCurve:
    """Return the net benefit of acting on each model, of treating all and of treating none.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the probabilities too.
    y_prob : array-like of shape (N,) or (N, K), mapping or data frame, optional
        Probabilities of the positive class, of one model or of several by name; none with a sample.
    thresholds : array-like, optional
        Threshold probabilities from 0 up to below 1; 0.01 to 0.99 by default. State the range that
        matters in the clinic: what lies outside is of no use.
    prevalence : float, optional
        Prevalence of the population, where cases and controls were sampled apart; the probabilities
        must be those for that population too.
    standardized : bool, default False
        Whether to divide by the prevalence, so that 1 is a perfect model.
    confidence_level : float, default 0.95
        Level of the intervals, for each threshold by itself.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    markers : str or sequence of str, optional
        The models to show; all by default.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    DecisionCurve
        Net benefit of every strategy at every threshold.

    See Also
    --------
    calibration : Judge probabilities by their mean, intercept and slope.
    operating_points : 2x2 tables at thresholds, with their measures.

    Notes
    -----
    A subject is treated where ``p >= t``, and ``NB = tp / N - fp / N * t / (1 - t)`` (Vickers &
    Elkin 2006, doi:10.1177/0272989X06295361); with a prevalence,
    ``NB = prevalence * tpr - (1 - prevalence) * fpr * t / (1 - t)``. The standard error is that of
    a mean over the cohort, with a prevalence that of two independent classes, and with clusters
    that of their sums; ``difference("a", "b")`` has the interval of a difference on the same
    subjects. R equivalent: ``dcurves::dca``.

    By ``method="auto"`` the limits of a model, and of its difference from treating all or none, are
    those of the two counts they rest on, put together by square and add (MOVER; Zou & Donner 2008,
    doi:10.1002/sim.3095): ``tp - fp * t / (1 - t)`` beside none, and ``tn * t / (1 - t) - fn``
    beside all. Counts have Wilson limits, with Poisson's lower limit up to 3 (Brown, Cai &
    DasGupta 2001, doi:10.1214/ss/1009213286). Two models have Wald limits with 1/2 added to each
    of the four counts of subjects they call differently (Agresti & Min 2005,
    doi:10.1002/sim.1781). Wald's own (``method="wald"``) fail where few events are missed: 95%
    limits of the difference from treating all held it in 0 to 95% of simulated studies, these in
    92 to 100%; those between two models in 88 to 100% (docs/evidence/edges.md).

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.decision_curve([1, 1, 0, 0, 0], [0.8, 0.3, 0.4, 0.2, 0.1], thresholds=[0.2, 0.5])
    >>> curve.strategies, curve.net_benefit.round(3).tolist()
    (('score', 'treat all', 'treat none'), [[0.3, 0.2], [0.25, -0.2], [0.0, 0.0]])
    >>> curve.interventions_avoided("score").value.round(1).tolist()
    [20.0, 40.0]
    """
    level = check_confidence_level(confidence_level)
    if not isinstance(standardized, bool):
        raise InvalidOptionError(
            f"{named('standardized')} must be True or False, got {standardized!r}."
        )
    cuts = _check_thresholds(thresholds)
    share = None if prevalence is None else as_number(prevalence)
    if share is not None and not 0.0 < share < 1.0:
        raise InvalidOptionError(
            f"{named('prevalence')} must lie strictly between 0 and 1, got {prevalence!r}."
        )
    sample = as_sample(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    chosen = _read_models(markers, sample.markers)
    rows = [sample.marker(name) for name in chosen]
    net_benefit = np.empty((len(chosen) + 2, cuts.size))
    covariance = np.empty((cuts.size, len(chosen) + 2, len(chosen) + 2))
    joint = np.empty((2, *covariance.shape))
    alone = covariance if sample.cluster is None else np.empty_like(covariance)
    levels = gather_levels(sample, rows, cuts)
    for j, cut in enumerate(cuts.tolist()):
        cells = gather_cells(levels, j)
        odds = cut / (1.0 - cut)
        net_benefit[:, j], values = net_benefit_influence(
            cells, odds, share, standardized=standardized
        )
        joint[:, j] = joint_calls(cells)
        covariance[j] = cell_covariance(cells, values, sample, within_classes=share is not None)
        if alone is not covariance:
            apart = replace(cells, place=None)
            alone[j] = cell_covariance(apart, values, sample, within_classes=share is not None)
    if np.isnan(covariance).any():
        warn_user(
            "A class has one subject or cluster only, so every standard error is nan.",
            SmallSampleWarning,
        )
    clusters = math.inf if sample.cluster is None else float(len(sample.cluster_ids) - 1)
    return DecisionCurve(
        strategies=(*chosen, TREAT_ALL, TREAT_NONE),
        threshold=read_only(cuts),
        net_benefit=read_only(net_benefit),
        covariance=read_only(covariance),
        calls=Calls(
            joint=read_only(joint),
            odds=read_only(cuts / (1.0 - cuts)),
            prevalence=share,
            standardized=standardized,
            clusters=None if sample.cluster is None else len(sample.cluster_ids),
            alone=read_only(alone),
        ),
        df=clusters,
        prevalence=sample.n_pos / (sample.n_pos + sample.n_neg) if share is None else share,
        standardized=standardized,
        confidence_level=level,
        account=sample.account,
    )


def _where(threshold: Floats) -> str:
    """Return at how many thresholds, and from which to which."""
    if threshold.size == 1:
        return f"the threshold {threshold[0]:g}"
    return f"{threshold.size} thresholds from {threshold[0]:g} to {threshold[-1]:g}"


def _in_words(ranges: Sequence[tuple[float, float]]) -> str:
    """Return where a model is of use, such as "from 0.1 to 0.3 and at 0.5"."""
    if not ranges:
        return "nowhere"
    parts = [f"at {low:g}" if low == high else f"from {low:g} to {high:g}" for low, high in ranges]
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def _check_thresholds(thresholds: ArrayLike | None) -> Floats:
    if thresholds is None:
        return np.arange(1, 100) / 100.0
    cuts = np.unique(np.atleast_1d(to_numbers(thresholds, "thresholds")))
    if not (cuts.size and cuts[0] >= 0.0 and cuts[-1] < 1.0):
        raise InvalidOptionError(
            f"{named('thresholds')} must be probabilities from 0 up to below 1, got {thresholds!r}."
        )
    return cuts


def _read_models(markers: Any, known: Sequence[str]) -> list[str]:
    """Return the names of the models, all of the sample by default."""
    wanted = markers.tolist() if isinstance(markers, np.ndarray) else markers
    if wanted is not None and not isinstance(wanted, (str, list, tuple)):
        raise InvalidOptionError(
            f"{named('markers')} must be a name or a list of names, got {markers!r}."
        )
    names = [wanted] if isinstance(wanted, str) else [str(n) for n in wanted or known]
    taken = [name for name in names if name in (TREAT_ALL, TREAT_NONE)]
    if taken:
        raise InvalidOptionError(
            f"A model cannot be called {taken[0]!r}, which is a strategy of its own; rename it."
        )
    if len(set(names)) < len(names) or len(names) > _MOST_MODELS:
        raise InvalidOptionError(
            f"{named('markers')} must name at most {_MOST_MODELS} different models, got "
            f"{listed(names)}."
        )
    return names
