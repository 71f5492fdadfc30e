"""Intervals of areas in words, by the names they have in the facts."""

from __future__ import annotations

from collections.abc import Sequence

from rocstats.reports.sentences.sentence_words import Sentence, say

__all__ = ["OTHER_INTERVALS", "interval_sentence"]

# Name of an interval that the analysis may choose: how it was computed, and what to cite.
_INTERVALS: dict[str, tuple[str, tuple[str, ...]]] = {
    "wald_t": (
        "symmetrically about the estimate with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "logit": ("on the logit scale with normal quantiles", ()),
    "logit_t": (
        "on the logit scale with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "log_t": (
        "on the log scale with t quantiles on Satterthwaite's degrees of freedom",
        ("satterthwaite1946",),
    ),
    "newcombe": ("by Newcombe's method 5", ("newcombe2006", "hanley1982")),
    "kl": ("by Hoeffding's inequality", ("hoeffding1963",)),
}
OTHER_INTERVALS = ("bootstrap", "wald")  # sensitivity analyses that differ by the interval alone


def interval_sentence(methods: Sequence[str], what: str, level: str) -> Sentence:
    """Return how intervals were computed; the ordinary method first, then that near the bounds."""
    ordered = sorted(methods, key=lambda name: name in _AT_THE_EDGE)
    words = [_INTERVALS[name][0] for name in ordered]
    if len(ordered) > 1 and ordered[-1] in _AT_THE_EDGE:
        words[-1] += _AT_THE_EDGE[ordered[-1]]
    scales, _, quantiles = zip(*(word.partition(" with ") for word in words), strict=True)
    if len(words) > 1 and len(set(quantiles)) == 1 and quantiles[0]:
        ways = f"{' or '.join(scales)}, with {quantiles[0]}"
    else:
        ways = ", or ".join(words)
    cites = [key for name in ordered for key in _INTERVALS[name][1]]
    return say(f"{level} confidence intervals of {what} were computed {ways}.", *cites)


_AT_THE_EDGE = {
    "newcombe": " where the area had no variance or was too near to 0 or 1 for the size of the "
    "smaller group",
    "kl": " where it had no variance",
}
