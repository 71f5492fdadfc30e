"""Methods of confidence intervals for one estimate, as values (STATISTICS.md section 7).

A method is added by a row of `METHODS`: it then has its name wherever an interval is asked for, on
the command line too, its refusal, and its words and citations in a report.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocstats.engine.null_variance import area_scale, losses, score_share
from rocstats.engine.t_quantiles import stdtrit
from rocstats.engine.variances import newcombe_variance

_ROUNDING = 1e-12  # an area this near to 0 or 1 of its range is that

__all__ = ["METHODS", "IntervalMethod", "Situation", "null_limits", "null_share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that an interval reads of an estimate.

    Attributes
    ----------
    value, std_error, df : estimate, its standard error, Satterthwaite degrees of freedom (7.2)
    n_pos, n_neg : class sizes; of a partial area, those its variance rests on; of clusters, how
        many independent subjects they are worth
    label : name of the measure, for messages
    bounds : the least and the largest value there can be
    pair_mean : whether it is a mean of a kernel over pairs of a positive and a negative
    is_auc : whether that kernel counts wins
    is_area : whether it is an area under the ROC curve, all of it or a part
    clusters : numbers of clusters with a positive, and with a negative, or what weighted subjects
        are worth; None for independent subjects of equal weight
    prior : how many losses the AUC's own variance is worth beside the sample's, for what is like an
        area near 0 or 1 of its range (7.11); None for the rest
    """

    value: float
    std_error: float
    df: float
    n_pos: float
    n_neg: float
    label: str
    bounds: tuple[float, float]
    pair_mean: bool
    is_auc: bool
    is_area: bool = False
    clusters: tuple[float, float] | None = None
    prior: float | None = None

    @property
    def pairs(self) -> float:
        """How many independent pairs of a positive and a negative there are for certain."""
        return min(self.clusters or (self.n_pos, self.n_neg))

    @property
    def bounded(self) -> bool:
        """Whether the value is confined to a finite range."""
        return math.isfinite(self.bounds[0]) and math.isfinite(self.bounds[1])

    @property
    def width(self) -> float:
        return self.bounds[1] - self.bounds[0]

    @property
    def share(self) -> float:
        """Where the value lies in its range, from 0 to 1."""
        share = (self.value - self.bounds[0]) / self.width
        edge = round(share)
        rounded = (self.is_area or self.prior is not None) and abs(share - edge) < _ROUNDING
        return float(edge) if rounded else share


Quantile = Callable[[Situation, float], float]
Limits = Callable[[Situation, float], tuple[float, float]]


def _anywhere(s: Situation) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalMethod:
    """One way to an interval.

    Attributes
    ----------
    name : by which it is asked for
    limits : lower and upper limit for a situation and the probability of either tail
    words : how an interval was computed, after "intervals were computed"
    cites : keys of the works to cite
    on_share : whether `limits` takes the value as a share of its range, from 0 to 1, and gives its
        limits so
    applies, refusal : when there is such an interval, and what is said otherwise: of its {name},
        the {label} of the measure and the option {bounds}
    of_pairs : whether it needs pairs of a positive and a negative; only means over such have it
    without_spread : whether it tells the uncertainty even where nothing varies
    edge : where ``"auto"`` takes it in place of the ordinary method, as a clause
    in_clusters : what it takes of clusters, as a sentence and the keys of the works to cite
    in_window : what it takes of a partial area, as a sentence on the {participants}
    """

    name: str
    limits: Limits
    words: str
    cites: tuple[str, ...] = ()
    on_share: bool = False
    applies: Callable[[Situation], bool] = _anywhere
    refusal: str = ""
    of_pairs: bool = False
    without_spread: bool = False
    edge: str = ""
    in_clusters: tuple[str, tuple[str, ...]] | None = None
    in_window: str = ""


def _normal_quantile(s: Situation, tail: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(tail))


def _t_quantile(s: Situation, tail: float) -> float:
    if not math.isfinite(s.df):
        return _normal_quantile(s, tail)
    return -float(stdtrit(s.df, tail))


def _sized_quantile(s: Situation, tail: float) -> float:
    """Of t where the sizes, which a variance by formula rests on, were estimated over clusters."""
    return (_normal_quantile if s.clusters is None else _t_quantile)(s, tail)


def _wald(quantile: Quantile) -> Limits:
    def limits(s: Situation, tail: float) -> tuple[float, float]:
        reach = quantile(s, tail) * s.std_error
        return s.value - reach, s.value + reach

    return limits


def _log(quantile: Quantile) -> Limits:
    def limits(s: Situation, tail: float) -> tuple[float, float]:
        if s.value <= 0.0:
            return math.nan, math.nan
        factor = math.exp(min(quantile(s, tail) * s.std_error / s.value, 700.0))
        return s.value / factor, s.value * factor

    return limits


def _transformed(
    quantile: Quantile,
    forward: Callable[[float], float],
    slope: Callable[[float], float],
    back: Callable[[float], float],
) -> Limits:
    """Wald limits on another scale; at 0 or 1, where no scale helps, the exact bound (7.4)."""

    def limits(s: Situation, tail: float) -> tuple[float, float]:
        exact = tail ** (1.0 / s.pairs)
        if s.value >= 1.0:
            return exact, 1.0
        if s.value <= 0.0:
            return 0.0, 1.0 - exact
        centre, reach = forward(s.value), quantile(s, tail) * s.std_error * slope(s.value)
        return back(centre - reach), back(centre + reach)

    return limits


def _logit(quantile: Quantile) -> Limits:
    return _transformed(
        quantile,
        lambda t: math.log(t / (1.0 - t)),
        lambda t: 1.0 / (t * (1.0 - t)),
        lambda x: 1.0 / (1.0 + math.exp(-x)) if x > -700.0 else 0.0,
    )


def _probit(s: Situation, tail: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    def slope(t: float) -> float:
        return math.sqrt(2.0 * math.pi) * math.exp(min(0.5 * float(ndtri(t)) ** 2, 700.0))

    method = _transformed(
        _normal_quantile, lambda t: float(ndtri(t)), slope, lambda x: float(ndtr(x))
    )
    return method(s, tail)


def _angle_back(angle: float) -> float:
    return math.sin(min(max(angle, 0.0), math.pi / 2.0)) ** 2


_arcsine = _transformed(
    _normal_quantile,
    lambda t: math.asin(math.sqrt(t)),
    lambda t: 0.5 / math.sqrt(t * (1.0 - t)),
    _angle_back,
)


def _hanley_mcneil(s: Situation, tail: float) -> tuple[float, float]:
    a, m, n = s.value, s.n_pos, s.n_neg
    q1, q2 = a / (2.0 - a), 2.0 * a * a / (1.0 + a)
    variance = (a * (1.0 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    reach = _sized_quantile(s, tail) * math.sqrt(max(variance, 0.0))
    return a - reach, a + reach


def _newcombe(s: Situation, tail: float) -> tuple[float, float]:
    """Newcombe (2006) method 5: Hanley & McNeil's variance taken at the limit itself (7.3)."""
    a, z = s.value, _sized_quantile(s, tail)

    def excess(t: float) -> float:
        return float((a - t) ** 2 - z * z * newcombe_variance(t, s.n_pos, s.n_neg))

    return _solve_limits(excess, a)


def _score(quantile: Quantile) -> Limits:
    """Newcombe's limits on the sample's own scale, and as losses grow logit ones (7.8)."""

    def limits(s: Situation, tail: float) -> tuple[float, float]:
        near, share = null_limits(s, quantile(s, tail)), null_share(s)
        if share == 1.0:
            return near
        far = _logit(quantile)(s, tail)
        low, high = (share * x + (1.0 - share) * y for x, y in zip(near, far, strict=True))
        return low, high

    return limits


def null_limits(s: Situation, quantile: float) -> tuple[float, float]:
    """Return the limits at which a value, as a share of its range, is so many errors away (7.8)."""
    a, prior = s.value, {} if s.prior is None else {"prior": s.prior}
    scale = float(area_scale(a, s.std_error**2, s.n_pos, s.n_neg, **prior))

    def excess(t: float) -> float:
        variance = scale * newcombe_variance(t, s.n_pos, s.n_neg)
        return float((a - t) ** 2 - quantile * quantile * variance)

    return _solve_limits(excess, a)


def null_share(s: Situation) -> float:
    """Return how much of an area's interval takes its variance at the limits (6.8)."""
    if s.std_error == 0.0:
        return 1.0
    return float(score_share(losses(s.share, s.n_pos, s.n_neg)))


def _score_t_quantile(s: Situation, tail: float) -> float:
    df = s.df if s.df > 0.0 else max(s.n_pos + s.n_neg - 2.0, 1.0)
    return _normal_quantile(s, tail) if math.isinf(df) else -float(stdtrit(df, tail))


def _kl(s: Situation, tail: float) -> tuple[float, float]:
    """Hoeffding's (1963) bound, valid at any sample size for a kernel on [0, 1] (7.5)."""
    value, pairs = s.value, s.pairs

    def excess(t: float) -> float:
        return pairs * _divergence(value, t) + math.log(tail)

    return _solve_limits(excess, value)


def _divergence(p: float, t: float) -> float:
    """Kullback-Leibler divergence of Bernoulli(p) from Bernoulli(t)."""
    if p == t:
        return 0.0
    if t <= 0.0 or t >= 1.0:
        return math.inf
    left = p * math.log(p / t) if p > 0.0 else 0.0
    right = (1.0 - p) * math.log((1.0 - p) / (1.0 - t)) if p < 1.0 else 0.0
    return left + right


def _solve_limits(excess: Callable[[float], float], value: float) -> tuple[float, float]:
    """Return where `excess`, negative at the value, turns positive on either side within [0, 1]."""
    from rocstats.engine.root_finding import find_zero

    def root(edge: float) -> float:
        inner = value + (edge - value) * 1e-12
        outer = edge + (value - edge) * 1e-15
        if value == edge or excess(inner) >= 0.0:
            return value
        if excess(outer) <= 0.0:
            return edge
        return find_zero(excess, inner, outer, xtol=1e-15)

    return root(0.0), root(1.0)


def _bounded(s: Situation) -> bool:
    return s.bounded


def _cut_wald(s: Situation, tail: float) -> tuple[float, float]:
    """Return the limits of ``pROC::ci.auc``."""
    low, high = _wald(_normal_quantile)(s, tail)
    return max(low, s.bounds[0]), min(high, s.bounds[1])


_NOT_BOUNDED = (
    "The {name} interval needs a value on [0, 1], but {label} is in score units here; "
    'give {bounds}, or take "wald_t" or "log_t".'
)
_NOT_THE_AUC = "The {name} interval is derived for the AUC only, not {label}."
_NORMAL = "with normal quantiles"
_T = "with t quantiles on Satterthwaite's degrees of freedom"
_CITES_T = ("satterthwaite1946",)
_IN_CLUSTERS = (
    "Newcombe's method took, in place of the numbers of observations, those divided by the design "
    "effect, the variance over clusters beside that of independent observations, and quantiles of "
    "t; where nothing varied, a cluster counted as one observation.",
    ("rao1992",),
)

_ROWS = (
    IntervalMethod(
        name="wald",
        limits=_wald(_normal_quantile),
        words=f"symmetrically about the estimate {_NORMAL}",
    ),
    IntervalMethod(
        name="delong",
        limits=_cut_wald,
        words=f"symmetrically about the estimate {_NORMAL} and cut to its range",
        cites=("delong1988",),
        applies=lambda s: s.is_auc or s.is_area,
        refusal="The {name} interval is for areas under the ROC curve, not {label}.",
        of_pairs=True,
    ),
    IntervalMethod(
        name="wald_t",
        limits=_wald(_t_quantile),
        words=f"symmetrically about the estimate {_T}",
        cites=_CITES_T,
    ),
    IntervalMethod(
        name="logit",
        limits=_logit(_normal_quantile),
        words=f"on the logit scale {_NORMAL}",
        on_share=True,
        applies=_bounded,
        refusal=_NOT_BOUNDED,
    ),
    IntervalMethod(
        name="logit_t",
        limits=_logit(_t_quantile),
        words=f"on the logit scale {_T}",
        cites=_CITES_T,
        on_share=True,
        applies=_bounded,
        refusal=_NOT_BOUNDED,
    ),
    IntervalMethod(
        name="probit",
        limits=_probit,
        words=f"on the probit scale {_NORMAL}",
        on_share=True,
        applies=_bounded,
        refusal=_NOT_BOUNDED,
    ),
    IntervalMethod(
        name="arcsine",
        limits=_arcsine,
        words=f"on the scale of the arcsine of the square root {_NORMAL}",
        on_share=True,
        applies=_bounded,
        refusal=_NOT_BOUNDED,
    ),
    IntervalMethod(name="log", limits=_log(_normal_quantile), words=f"on the log scale {_NORMAL}"),
    IntervalMethod(
        name="log_t", limits=_log(_t_quantile), words=f"on the log scale {_T}", cites=_CITES_T
    ),
    IntervalMethod(
        name="hanley-mcneil",
        limits=_hanley_mcneil,
        words="symmetrically about the estimate by Hanley and McNeil's variance",
        cites=("hanley1982",),
        on_share=True,
        applies=lambda s: s.is_auc,
        refusal=_NOT_THE_AUC,
        of_pairs=True,
    ),
    IntervalMethod(
        name="newcombe",
        limits=_newcombe,
        words="by Newcombe's method 5",
        cites=("newcombe2006", "hanley1982"),
        on_share=True,
        applies=lambda s: s.is_auc or s.is_area,
        refusal=_NOT_THE_AUC,
        of_pairs=True,
        without_spread=True,
        edge="where the area had no variance or was too near to 0 or 1 for the size of the smaller "
        "group",
        in_clusters=_IN_CLUSTERS,
        in_window="For them it took the area as a share of its range, and the numbers of "
        "{participants} within the bounds.",
    ),
    IntervalMethod(
        name="score",
        limits=_score(_sized_quantile),
        words="by Newcombe's method 5 on the scale of DeLong's variance, with logit limits in part "
        "where more than ten subjects of the smaller group were lost",
        cites=("newcombe2006", "hanley1982"),
        on_share=True,
        applies=lambda s: s.is_auc,
        refusal=_NOT_THE_AUC,
        of_pairs=True,
        without_spread=True,
        edge="where the area had no variance or was so near to 0 or 1 that fewer than 20 subjects "
        "of the smaller group were lost",
        in_clusters=_IN_CLUSTERS,
    ),
    IntervalMethod(
        name="score_t",
        limits=_score(_score_t_quantile),
        words="by Newcombe's method 5 on the scale of the sample's own variance, with logit limits "
        f"in part where more than ten subjects of the smaller group were lost, {_T}",
        cites=("newcombe2006", "hanley1982", *_CITES_T),
        on_share=True,
        applies=lambda s: s.is_auc or s.prior is not None,
        refusal=_NOT_THE_AUC,
        of_pairs=True,
        without_spread=True,
        edge="where it was so near to 0 or 1 that fewer than 20 subjects of the smaller group were "
        "lost",
        in_clusters=_IN_CLUSTERS,
    ),
    IntervalMethod(
        name="kl",
        limits=_kl,
        words="by Hoeffding's inequality",
        cites=("hoeffding1963",),
        on_share=True,
        applies=lambda s: s.pair_mean and s.bounded,
        refusal="The {name} interval needs a mean of pairs on [0, 1], which this {label} is not.",
        of_pairs=True,
        without_spread=True,
        edge="where it had no variance",
    ),
)
METHODS: dict[str, IntervalMethod] = {method.name: method for method in _ROWS}
