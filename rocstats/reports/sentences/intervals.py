"""Intervals of areas in words, by the names they have in the facts."""

from __future__ import annotations

from collections.abc import Sequence

from rocstats.reports.sentences.words import Sentence, say

__all__ = ["AREA_INTERVALS", "BOOTSTRAPPED", "OTHER_INTERVALS", "interval_sentence"]

# Name of an interval: how it was computed, and what to cite.
AREA_INTERVALS: dict[str, tuple[str, tuple[str, ...]]] = {
    "wald": ("symmetrically about the estimate with normal quantiles", ()),
    "wald_t": (
        "symmetrically about the estimate with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "logit": ("on the logit scale with normal quantiles", ()),
    "logit_t": (
        "on the logit scale with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "probit": ("on the probit scale with normal quantiles", ()),
    "arcsine": ("on the arcsine square-root scale with normal quantiles", ()),
    "log": ("on the log scale with normal quantiles", ()),
    "log_t": (
        "on the log scale with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "hanley-mcneil": ("with Hanley and McNeil's standard error", ("hanley1982",)),
    "newcombe": ("by Newcombe's method 5", ("newcombe2006", "hanley1982")),
    "kl": ("by Hoeffding's inequality", ("hoeffding1963",)),
    "percentile": ("as percentiles of bootstrap replicates", ("efron1993",)),
    "bca": ("by the bias-corrected and accelerated bootstrap", ("efron1987",)),
    "studentized": ("by the studentized bootstrap", ("efron1993",)),
    "normal": ("with the bootstrap standard error and normal quantiles", ("efron1993",)),
}
BOOTSTRAPPED = ("percentile", "bca", "studentized", "normal")
OTHER_INTERVALS = ("bootstrap", "wald")  # sensitivity analyses that differ by the interval alone


def interval_sentence(methods: Sequence[str], what: str, level: str) -> Sentence:
    """Return how intervals were computed; the ordinary method first, then that near the bounds."""
    ordered = sorted(methods, key=lambda name: name in _AT_THE_EDGE)
    words = [AREA_INTERVALS[name][0] for name in ordered]
    if len(ordered) > 1 and ordered[-1] in _AT_THE_EDGE:
        words[-1] += _AT_THE_EDGE[ordered[-1]]
    scales, _, quantiles = zip(*(word.partition(" with ") for word in words), strict=True)
    if len(words) > 1 and len(set(quantiles)) == 1 and quantiles[0]:
        ways = f"{' or '.join(scales)}, with {quantiles[0]}"
    else:
        ways = ", or ".join(words)
    cites = [key for name in ordered for key in AREA_INTERVALS[name][1]]
    return say(f"{level} confidence intervals of {what} were computed {ways}.", *cites)


_AT_THE_EDGE = {
    "newcombe": " where the area was too near to 0 or 1 for the size of the smaller group",
    "kl": " where it had no variance",
}
