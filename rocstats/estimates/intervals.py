"""Confidence intervals for one estimate: the recommended method, or one by name."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword
from rocstats.estimates.interval_methods import METHODS, Situation, null_share

__all__ = ["OwnInterval", "choose_method", "interval", "interval_names"]

_FEW_PARTIAL_LOSSES = 1.0 * (1.0 - 1e-12)  # 1 - 0.9 is a little less than 0.1
_ROUNDING = 1e-13
# Normal deviates: what is farther off has a probability of 0 in doubles; from less far on scipy's
# quantiles of t have other digits, and at last the wrong sign.
_FARTHEST, _FARTHEST_OF_T = 37.0, 20.0


def interval_names(*, of_pairs: bool = True) -> tuple[str, ...]:
    """Return the names that an interval may be asked for by, with or without those of pairs."""
    return ("auto", *(m.name for m in METHODS.values() if of_pairs or not m.of_pairs))


def choose_method(s: Situation) -> str:
    """Return the recommended interval (7.7): the one with the best coverage in simulation."""
    if s.is_auc:
        many = "logit" if s.clusters is None else "logit_t"
        return "score" if null_share(s) > 0.0 else many
    if s.is_area:
        losses = min(s.share, 1.0 - s.share) * min(s.n_pos, s.n_neg)
        few = s.std_error == 0.0 or losses < _FEW_PARTIAL_LOSSES
        return "newcombe" if few else "logit_t"
    if s.prior is not None and s.std_error > 0.0:
        return "score_t" if null_share(s) > 0.0 else "logit_t"
    if not s.bounded:
        return "log_t" if s.bounds[0] == 0.0 else "wald_t"
    return "kl" if s.pair_mean and s.std_error == 0.0 else "logit_t"


def interval(s: Situation, confidence_level: float, method: str) -> tuple[float, float, str]:
    """Return lower limit, upper limit and the name of the method used."""
    level = check_confidence_level(confidence_level)
    check_option("method", method, interval_names())
    return _limits(s, (1.0 - level) / 2.0, method)


def _limits(s: Situation, tail: float, method: str) -> tuple[float, float, str]:
    """Return the limits that leave a probability on either side, and the method's name."""
    chosen = method == "auto"
    found = METHODS[choose_method(s) if chosen else method]
    if not found.applies(s):
        raise InvalidOptionError(
            found.refusal.format(name=found.name, label=s.label, bounds=keyword("bounds"))
        )
    if math.isnan(s.value) or math.isnan(s.std_error):
        return math.nan, math.nan, found.name
    if not found.on_share:
        return *found.limits(s, tail), found.name
    part = replace(s, value=s.share, std_error=s.std_error / s.width, bounds=(0.0, 1.0))
    if chosen and not found.without_spread and part.std_error == 0.0 and 0.0 < part.value < 1.0:
        return math.nan, math.nan, found.name  # no interval is honest here
    low, high = (s.bounds[0] + s.width * limit for limit in found.limits(part, tail))
    return low, high, found.name


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnInterval:
    """The test that an estimate's interval is: a value is as unlikely as the limit that it is.

    Attributes
    ----------
    situation : Situation
        All that the interval reads of the estimate.
    method : str
        How its limits are found.
    """

    situation: Situation
    method: str

    @property
    def name(self) -> str:
        """What the interval is called."""
        return choose_method(self.situation) if self.method == "auto" else self.method

    def judge(self, null: float) -> tuple[float, float]:
        """Return the distance from a null value, in standard errors, and degrees of freedom."""
        from scipy.special import ndtr

        from rocstats.engine.root_finding import find_zero

        s = self.situation
        df = s.df if self._has_df else math.inf
        if math.isnan(s.std_error) or math.isnan(self.limits(0.025)[0]):
            return math.nan, df
        side = int(null > s.value)

        def short(score: float) -> float:
            """How far the limit has yet to go to the null, on its side."""
            ahead = null - self.limits(float(ndtr(-score)))[side]
            return ahead if side else -ahead

        if short(0.0) <= _ROUNDING:  # at the estimate
            return 0.0, df
        far = _FARTHEST if math.isinf(df) else _FARTHEST_OF_T
        score = far if short(far) > 0.0 else find_zero(short, 0.0, far, xtol=1e-14)
        size = -float(stdtrit(df, float(ndtr(-score)))) if math.isfinite(df) else score
        return math.copysign(size, s.value - null), df

    def limits(self, tail: float) -> tuple[float, float]:
        """Return the least and the largest null value that leaves at least the tail beyond."""
        low, high, _ = _limits(self.situation, tail, self.method)
        return low, high

    @property
    def _has_df(self) -> bool:
        of_t = self.name.endswith("_t") or self.situation.clusters is not None
        return of_t and math.isfinite(self.situation.df) and self.situation.df > 0.0
