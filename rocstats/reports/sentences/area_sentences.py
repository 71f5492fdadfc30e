"""How areas, their bands and the rank tests were computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rocstats.reports.facts import level_of, show_cut, show_level
from rocstats.reports.sentences.interval_sentences import (
    OTHER_INTERVALS,
    clusters_sentences,
    interval_sentence,
    window_sentences,
)
from rocstats.reports.sentences.sentence_words import (
    Facts,
    Sentence,
    a_participant,
    distinct,
    is_clustered,
    listed,
    methods_of,
    say,
    word_of,
)

__all__ = ["areas_sentences"]


def _estimates(facts: Facts, name: str) -> list[Mapping[str, Any]]:
    found = (m["estimates"][name] for m in facts["markers"])
    return [estimate for estimate in found if estimate is not None]


def _if_varying(rows: Iterable[Mapping[str, Any]], words: str) -> str:
    """Return the words on the variance where there is one."""
    return words if any(row["std_error"] is not None for row in rows) else ""


def areas_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how every area, band and rank test was computed."""
    yield say(
        "The area under the empirical receiver operating characteristic (ROC) curve (AUC) was "
        "estimated by the Mann-Whitney statistic, in which a tie counts one half.",
        "bamber1975",
    )
    rows = _estimates(facts, "auc")
    design = facts["data"]["design"]
    if design is not None and design["weighted"]:
        yield say(
            "Every observation counted by its probability weight, in areas, ROC curves, "
            "comparisons and rates at given thresholds; numbers of observations and the "
            "description of the markers are unweighted."
        )
    if any(row["std_error"] is not None for row in rows):
        if design is not None:
            within = " within sampling strata" if design["strata"] else ""
            units = "clusters" if is_clustered(facts) else "observations"
            yield say(
                "Its variance was that of the sampling design by linearisation: structural "
                f"components, summed by {units} and centred{within}.",
                "delong1988",
                *(["obuchowski1997"] if is_clustered(facts) else []),
            )
        elif is_clustered(facts):
            yield say(
                "Its variance was nonparametric, from structural components summed within "
                "clusters.",
                "delong1988",
                "obuchowski1997",
            )
            yield say("Degrees of freedom were never more than the number of clusters less one.")
        else:
            yield say(
                "Its variance was the nonparametric one of DeLong and colleagues, from structural "
                "components.",
                "delong1988",
            )
    levels = [level for group in facts["subgroups"] for level in group["levels"]]
    parts = [found for level in levels for found in level["estimates"]]
    apart = (*OTHER_INTERVALS, "independent")  # that has the intervals of a study without clusters
    again = [row for row in facts["sensitivity_analyses"] if row["analysis"] not in apart]
    methods = methods_of([*rows, *parts, *again])
    if methods:
        yield interval_sentence(methods, "the AUC", level_of(facts))
        if is_clustered(facts) and parts:
            yield say("Normal quantiles were taken where no two observations were of one cluster.")
        if is_clustered(facts):
            yield from clusters_sentences(methods)
        elif design is not None:
            yield say(
                "Where an interval rested on numbers of observations, these were as many alike as "
                "the weighted ones were worth."
            )
    if any(row["wald_low"] is not None for row in rows):
        yield say(
            "Symmetric (Wald) intervals, cut off at 0 and 1, were computed for comparison with "
            "other software."
        )
    level = level_of(facts)
    yield from _partial_area(facts, level)
    yield from _scored_area(facts, level)
    yield from _smooth_area(facts, level)
    yield from _bands(facts, level)
    yield say(
        "Distributions were described by medians and quartiles, interpolated between order "
        "statistics as by default in R (type 7).",
        "hyndman1996",
    )
    yield from _rank_tests(facts)


def _partial_area(facts: Facts, level: str) -> Iterator[Sentence]:
    rows = _estimates(facts, "pauc")
    if not rows:
        return
    low, high = (show_level(rows[0][name]) for name in ("fpr_low", "fpr_high"))
    yield say(
        f"The partial AUC over {word_of(facts, 'false_positives')} from {low} to {high} was the "
        "area under the empirical curve within these bounds"
        + _if_varying(
            (row["raw"] for row in rows),
            ", with a variance by its influence function that included the estimation of the "
            "thresholds at the bounds",
        )
        + "; it was standardized so that an uninformative marker had 0.5 and a perfect one 1.",
        "dodd2003",
        "mcclish1989",
    )
    methods = methods_of(row[form] for row in rows for form in ("raw", "standardized"))
    if methods:
        yield interval_sentence(methods, "partial AUCs", level)
        yield from window_sentences(methods, facts["words"])


def _scored_area(facts: Facts, level: str) -> Iterator[Sentence]:
    rows = _estimates(facts, "sauc")
    if not rows:
        return
    units = "on a scale from 0 to 1" if all(r["unit_scale"] for r in rows) else "in score units"
    if len({bool(row["unit_scale"]) for row in rows}) > 1:
        units = "on a scale from 0 to 1 or, where the scores had none, in score units"
    ill, well = facts["words"]["ill"], facts["words"]["well"]
    yield say(
        "The scored AUC (sAUC) was the mean over pairs of the margin by which "
        f"{a_participant(facts)} {ill} outscored one {well}, 0 where it did not, {units}; "
        "this was the area under the scored ROC (sROC) curve, the AUC that was left when a margin "
        f"was demanded{_if_varying(rows, ', and had a variance by structural components')}.",
        "wu2007",
    )
    methods = methods_of(rows)
    if methods:
        yield interval_sentence(methods, "the sAUC", level)


def _smooth_area(facts: Facts, level: str) -> Iterator[Sentence]:
    rows = _estimates(facts, "smauc")
    if not rows:
        return
    middle = listed(distinct(show_cut(row["midpoint"]) for row in rows))
    weights = distinct(
        "none" if row["class_weight"] is None else str(row["class_weight"]) for row in rows
    )
    balance = {"none": "no class weights", "balanced": "classes weighted equally"}
    words = listed([balance.get(weight, f"class weight {weight}") for weight in weights], "or")
    yield say(
        "The smooth AUC (smAUC), the area under the smooth ROC (smROC) curve, in which each "
        f"{facts['words']['participant']} moved the curve both up and across by the size of the "
        f"score, had the midpoint {middle} and {words}"
        f"{_if_varying(rows, ', with an infinitesimal-jackknife variance')}; its value under "
        "chance was computed beside it.",
        "klement2011",
    )
    methods = methods_of(rows)
    if methods:
        yield interval_sentence(methods, "the smAUC", level)
    along = [m["smauc_along"] for m in facts["markers"] if m["smauc_along"]]
    if along:
        yield say(
            f"Along the midpoint the smAUC had an approximate simultaneous {level} band on the "
            f"logit scale, whose critical value came from {along[0]['n_draws']} normal curves with "
            "the covariance of the structural components."
        )


def _bands(facts: Facts, level: str) -> Iterator[Sentence]:
    drawn = facts["settings"]["n_resamples"]
    for method in distinct(m["band"]["method"] for m in facts["markers"] if m["band"]):
        words, cites = _BANDS[method]
        yield say(words.format(level=level, drawn=drawn), *cites)


_BANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "envelope": (
        "Simultaneous {level} confidence bands of the ROC curves were rank envelopes of {drawn} "
        "curves drawn from the distribution of the true rates given the data, a Bayesian "
        "bootstrap.",
        ("gu2008", "mandel2008"),
    ),
    "fixed-width": (
        "Simultaneous {level} confidence bands of the ROC curves were of fixed width, as wide as "
        "held that share of {drawn} bootstrap curves.",
        ("campbell1994",),
    ),
}


def _rank_tests(facts: Facts) -> Iterator[Sentence]:
    if any(m["distribution"]["wilcoxon"] for m in facts["markers"]):
        yield say(
            "The distributions of the two groups were compared by the Wilcoxon-Mann-Whitney test "
            "with a normal approximation that allows for ties and is corrected for continuity.",
            "mann1947",
        )
