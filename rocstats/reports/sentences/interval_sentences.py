"""Intervals of areas in words, which every method brings along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocstats.estimates.interval_methods import METHODS
from rocstats.reports.sentences.sentence_words import Sentence, say

__all__ = ["OTHER_INTERVALS", "clusters_sentences", "interval_sentence", "window_sentences"]

OTHER_INTERVALS = ("bootstrap", "wald")  # sensitivity analyses that differ by the interval alone


def interval_sentence(methods: Sequence[str], what: str, level: str) -> Sentence:
    """Return how intervals were computed; the ordinary method first, then that near the bounds."""
    ordered = sorted((METHODS[name] for name in methods), key=lambda method: method.edge != "")
    words = [method.words for method in ordered]
    if len(ordered) > 1 and ordered[-1].edge:
        way, edge = words[-1], ordered[-1].edge
        words[-1] = f"{edge}, {way}" if " where " in way else f"{way} {edge}"
    scales, _, quantiles = zip(*(word.partition(" with ") for word in words), strict=True)
    if len(words) > 1 and len(set(quantiles)) == 1 and quantiles[0]:
        ways = f"{' or '.join(scales)}, with {quantiles[0]}"
    else:
        ways = ", or ".join(words)
    cites = [key for method in ordered for key in method.cites]
    return say(f"{level} confidence intervals of {what} were computed {ways}.", *cites)


def clusters_sentences(methods: Sequence[str]) -> list[Sentence]:
    """Return what the methods took of clusters."""
    told = [METHODS[name].in_clusters for name in methods]
    return [say(words, *cites) for words, cites in filter(None, told)]


def window_sentences(methods: Sequence[str], words: Mapping[str, str]) -> list[Sentence]:
    """Return what the methods took of partial areas, in the words of a report."""
    told = [METHODS[name].in_window for name in methods]
    return [say(sentence.format(**words)) for sentence in told if sentence]
