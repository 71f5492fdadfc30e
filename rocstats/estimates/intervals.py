"""Confidence intervals for one estimate, by name (STATISTICS.md section 7)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from rocstats.engine.t_quantiles import stdtrit
from rocstats.engine.variances import newcombe_variance
from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword

_FEW_LOSSES = 3.0 * (1.0 - 1e-12)  # 1 - 0.9 is a little less than 0.1
_FEW_PARTIAL_LOSSES = 1.0 * (1.0 - 1e-12)
_ROUNDING = 1e-12  # an area this near to 0 or 1 of its range is that

__all__ = ["METHODS", "Situation", "choose_method", "interval"]


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
    clusters : numbers of clusters with a positive, and with a negative; None without clusters
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
        rounded = self.is_area and abs(share - edge) < _ROUNDING
        return float(edge) if rounded else share


def choose_method(s: Situation) -> str:
    """Return the recommended interval (7.7): the one with the best coverage in simulation."""
    if s.is_auc or s.is_area:
        losses = min(s.share, 1.0 - s.share) * min(s.n_pos, s.n_neg)
        few = _FEW_LOSSES if s.is_auc else _FEW_PARTIAL_LOSSES
        if s.std_error == 0.0 or losses < few:
            return "newcombe"
        return "logit" if s.is_auc and s.clusters is None else "logit_t"
    if not s.bounded:
        return "log_t" if s.bounds[0] == 0.0 else "wald_t"
    return "kl" if s.pair_mean and s.std_error == 0.0 else "logit_t"


def interval(s: Situation, confidence_level: float, method: str) -> tuple[float, float, str]:
    """Return lower limit, upper limit and the name of the method used."""
    level = check_confidence_level(confidence_level)
    check_option("method", method, ("auto", *METHODS))
    chosen = method == "auto"
    if chosen:
        method = choose_method(s)
    if method in _AREA_ONLY and not (s.is_auc or (s.is_area and method == "newcombe")):
        raise InvalidOptionError(
            f"The {method} interval is derived for the AUC only, not {s.label}."
        )
    if method == "kl" and not (s.pair_mean and s.bounded):
        raise InvalidOptionError(
            f"The kl interval needs a mean of pairs on [0, 1], which this {s.label} is not."
        )
    if method in _BOUNDED_ONLY and not s.bounded:
        raise InvalidOptionError(
            f"The {method} interval needs a value on [0, 1], but {s.label} is in score units here; "
            f'give {keyword("bounds")}, or take "wald_t" or "log_t".'
        )
    unknown = math.isnan(s.value) or math.isnan(s.std_error)
    if unknown:
        return math.nan, math.nan, method
    tail, anywhere = (1.0 - level) / 2.0, s
    if method in (*_AREA_ONLY, *_BOUNDED_ONLY, "kl"):
        s = replace(s, value=s.share, std_error=s.std_error / s.width, bounds=(0.0, 1.0))
        if chosen and s.std_error == 0.0 and method == "logit_t" and 0.0 < s.value < 1.0:
            return math.nan, math.nan, method  # no interval is honest here
    low, high = METHODS[method](s, tail)
    if s is not anywhere:
        low, high = (anywhere.bounds[0] + anywhere.width * limit for limit in (low, high))
    return low, high, method


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


Quantile = Callable[[Situation, float], float]
Method = Callable[[Situation, float], tuple[float, float]]


def _wald(quantile: Quantile) -> Method:
    def limits(s: Situation, tail: float) -> tuple[float, float]:
        reach = quantile(s, tail) * s.std_error
        return s.value - reach, s.value + reach

    return limits


def _log(quantile: Quantile) -> Method:
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
) -> Method:
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


def _logit(quantile: Quantile) -> Method:
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
        return (a - t) ** 2 - z * z * newcombe_variance(t, s.n_pos, s.n_neg)

    return _solve_limits(excess, a)


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
    from scipy.optimize import brentq

    def root(edge: float) -> float:
        inner = value + (edge - value) * 1e-12
        outer = edge + (value - edge) * 1e-15
        if value == edge or excess(inner) >= 0.0:
            return value
        if excess(outer) <= 0.0:
            return edge
        return float(brentq(excess, inner, outer, xtol=1e-15))

    return root(0.0), root(1.0)


METHODS: dict[str, Method] = {
    "wald": _wald(_normal_quantile),
    "wald_t": _wald(_t_quantile),
    "logit": _logit(_normal_quantile),
    "logit_t": _logit(_t_quantile),
    "probit": _probit,
    "arcsine": _arcsine,
    "log": _log(_normal_quantile),
    "log_t": _log(_t_quantile),
    "hanley-mcneil": _hanley_mcneil,
    "newcombe": _newcombe,
    "kl": _kl,
}
_AREA_ONLY = ("hanley-mcneil", "newcombe")
_BOUNDED_ONLY = ("logit", "logit_t", "probit", "arcsine")
