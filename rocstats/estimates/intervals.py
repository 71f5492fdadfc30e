"""Confidence intervals for one estimate: the recommended method, or one by name."""

from __future__ import annotations

import math
from dataclasses import replace

from rocstats.errors import InvalidOptionError, check_confidence_level, check_option, keyword
from rocstats.estimates.interval_methods import METHODS, Situation, null_share

__all__ = ["choose_method", "interval", "interval_names"]

_FEW_PARTIAL_LOSSES = 1.0 * (1.0 - 1e-12)  # 1 - 0.9 is a little less than 0.1


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
    chosen = method == "auto"
    found = METHODS[choose_method(s) if chosen else method]
    if not found.applies(s):
        raise InvalidOptionError(
            found.refusal.format(name=found.name, label=s.label, bounds=keyword("bounds"))
        )
    if math.isnan(s.value) or math.isnan(s.std_error):
        return math.nan, math.nan, found.name
    tail = (1.0 - level) / 2.0
    if not found.on_share:
        return *found.limits(s, tail), found.name
    part = replace(s, value=s.share, std_error=s.std_error / s.width, bounds=(0.0, 1.0))
    if chosen and not found.without_spread and part.std_error == 0.0 and 0.0 < part.value < 1.0:
        return math.nan, math.nan, found.name  # no interval is honest here
    low, high = (s.bounds[0] + s.width * limit for limit in found.limits(part, tail))
    return low, high, found.name
