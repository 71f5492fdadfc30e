"""How thresholds were chosen and what was computed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocstats.reports.facts import level_of, show_level
from rocstats.reports.markup import opening
from rocstats.reports.sentences.sentence_words import (
    Facts,
    Sentence,
    distinct,
    is_clustered,
    listed,
    methods_of,
    say,
    word_of,
)

__all__ = ["rates_sentences", "thresholds_sentences"]


def thresholds_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield where thresholds come from, and how rates and predictive values were computed."""
    cuts = [(m, cut) for m in facts["markers"] for cut in m["cutpoints"]]
    if cuts:
        yield from _chosen(facts, cuts)
        yield from _rates(facts, [cut for _, cut in cuts])
        yield from _predictive_values(facts, [cut for _, cut in cuts])
        yield from _indeterminate(facts, [cut for _, cut in cuts])
    yield from _fixed_rates(facts)


def rates_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how rates and predictive values of tests without a threshold were computed."""
    cuts = [cut for m in facts["markers"] for cut in m["cutpoints"]]
    yield from _rates(facts, cuts)
    yield from _predictive_values(facts, cuts)


def _chosen(facts: Facts, cuts: Sequence[tuple[Facts, Facts]]) -> Iterator[Sentence]:
    low = [not m["higher_is_positive"] for m, _ in cuts]
    beyond = "at or above" if not any(low) else "at or below" if all(low) else "at or beyond"
    yield say(f"A result {beyond} a threshold was called positive.")
    fixed = [m["label"] for m, cut in cuts if cut["kind"] == "prespecified"]
    if fixed:
        several = "thresholds" if len(fixed) > 1 else "threshold"
        yield say(
            f"The prespecified {several} of {listed(distinct(fixed))} "
            f"{'were' if len(fixed) > 1 else 'was'} fixed before the analysis."
        )
    found = [cut for _, cut in cuts if cut["kind"] != "prespecified"]
    if found:
        criterion = found[0]["criterion"]
        cited = ("youden1950",) if facts["settings"]["criterion"] == "youden" else ()
        yield say(f"Exploratory thresholds were chosen on the same data: {criterion}.", *cited)
    corrected = [cut["corrected"] for cut in found if cut["corrected"]]
    if corrected:
        se, sp = (word_of(facts, name) for name in ("sensitivity", "specificity"))
        yield say(
            f"As such a choice makes {se} and {sp} look too high, both were corrected for "
            "optimism: the threshold was chosen again in each of "
            f"{corrected[0]['n_resamples']} bootstrap resamples, and the mean excess of a rate in "
            "the resample over the rate of the same threshold in the sample was taken away, which "
            "leaves about a third of it in small samples; no other measure at these thresholds was "
            "corrected.",
            *("leeflang2008", "efron1983", "harrell1996"),
        )
        if any(found["sensitivity"]["conf_low"] is not None for found in corrected):
            yield say(
                "Intervals of corrected rates took them as observed proportions at a fixed "
                "threshold."
            )
    ranged = [cut["conf_method"] for cut in found if cut["conf_low"] is not None]
    smooth = [method.startswith("smoothed") for method in ranged]
    if any(smooth):
        yield say(
            "Intervals of the exploratory thresholds themselves, taken half-way to the next "
            "score, were percentiles of those chosen in resamples of smoothed groups.",
            *("efron1993", "abrevaya2005"),
        )
    if not all(smooth):
        yield say(
            "Intervals of the exploratory thresholds themselves, taken half-way to the next "
            "score, were percentiles of those chosen in the resamples, half-way too.",
            "efron1993",
        )


def _rates(facts: Facts, cuts: Sequence[Facts]) -> Iterator[Sentence]:
    measures = [item for cut in cuts for item in cut["measures"].items()]
    known = [(name, row) for name, row in measures if row["conf_low"] is not None]
    methods = distinct(row["conf_method"] for _, row in known)
    shares = distinct(word_of(facts, name) for name, row in known if row["conf_method"] == "wilson")
    if shares:
        yield say(
            f"{level_of(facts)} confidence intervals of {listed(shares)} were computed by Wilson's "
            "score method.",
            "wilson1927",
        )
    ratios = distinct(_RATIOS.get(name) or f"the {word_of(facts, name)}" for name, row in known
                      if row["conf_method"] == "log")  # fmt: skip
    if ratios:
        cites = ("simel1991", "glas2003")
        yield say(f"Those of {listed(ratios)} were computed on the log scale.", *cites)
    if any(method.startswith("newcombe of") for method in methods):
        sums = distinct(
            "the Youden index" if name == "youden" else f"the {word_of(facts, name)}"
            for name, _ in known
            if name in _SUMS
        )
        yield say(
            f"Those of {listed(sums)} joined the limits of both rates by Newcombe's "
            "square-and-add method.",
            "newcombe1998",
        )
    if any("tp / (tp + fp + fn)" in method for method in methods):
        yield say(
            "That of F1 came from the interval of the share of true positives among all "
            f"{facts['words']['participants']} {facts['words']['ill']} or called positive."
        )
    if any("Fisher" in method for method in methods):
        yield say(
            "That of the Matthews correlation was computed by the delta method on the scale of "
            "Fisher's z.",
            "bishop1975",
        )
    if any(method.startswith("corners of") for method in methods):
        yield say(
            "Where a cell of the table was empty nothing was added to it, and limits of ratios "
            "came from the corners of the limits of both rates."
        )
    if known and facts["data"]["design"] is not None and not is_clustered(facts):
        yield say(
            "For each of these intervals the counts were divided by the design effect of the "
            "measure, its variance in the sampling design beside that of a simple sample of "
            "observations alike.",
            "korn1998",
        )
    if known and is_clustered(facts):
        yield say(
            "For each of these intervals the counts were divided by the design effect of the "
            "measure, its variance over clusters beside that of independent observations, and "
            "lessened by the ratio of squared t quantiles where clusters were few; where a rate "
            "did not vary, a cluster counted as one observation.",
            *("rao1992", "korn1998"),
        )


_RATIOS = {
    "lr_pos": "the positive likelihood ratio",
    "lr_neg": "the negative likelihood ratio",
}
_SUMS = ("youden", "balanced_accuracy")


def _predictive_values(facts: Facts, cuts: Sequence[Facts]) -> Iterator[Sentence]:
    rows = [row for cut in cuts for row in cut["at_prevalence"] if not row["own"]]
    limits = [row[value]["conf_low"] for row in rows for value in ("ppv", "npv")]
    curves = [m["predictive_curve"] for m in facts["markers"] if m["predictive_curve"]]
    limits += [low for curve in curves for low in (*curve["ppv_low"], *curve["npv_low"])]
    if not rows and not curves:
        return
    ppv, npv, se, sp = (
        word_of(facts, name) for name in ("ppv", "npv", "sensitivity", "specificity")
    )
    where = "Over a range of prevalences"
    if rows:
        stated = distinct(show_level(row["prevalence"]) for row in rows)
        where = f"At the stated prevalence{'s' if len(stated) > 1 else ''} of {listed(stated)}"
        where += ", and over a range of others" if curves else ""
    text = (
        f"{where}, taken as known, {ppv} and {npv} were computed from {se} and {sp} by Bayes' "
        "theorem"
    )
    if any(low is not None for low in limits):
        yield say(f"{text}, with confidence intervals on the logit scale.", "mercaldo2007")
    else:
        yield say(f"{text}.")


def _indeterminate(facts: Facts, cuts: Sequence[Facts]) -> Iterator[Sentence]:
    if any(cut["indeterminate"] for cut in cuts):
        se, sp = (word_of(facts, name) for name in ("sensitivity", "specificity"))
        yield say(
            f"{opening(se)} and {sp} were also computed with indeterminate results "
            "counted as positive, and as negative.",
            "fda2007",
        )


def _fixed_rates(facts: Facts) -> Iterator[Sentence]:
    rows = [row for m in facts["markers"] for row in m["fixed_rates"]]
    for rate in distinct(row["rate"] for row in rows):
        mine = [row for row in rows if row["rate"] == rate]
        at = listed(distinct(show_level(row["level"]) for row in mine))
        first, second = word_of(facts, rate), word_of(facts, mine[0]["at"])
        ways: list[str] = []
        cites: list[str] = []
        for method in methods_of(mine):
            words, more = _FIXED[method]
            ways.append(words)
            cites += more
        text = (
            f"The {first} at a fixed {second} of {at} was read from the empirical ROC curve, its "
            "threshold being estimated"
            + (
                ", and by linear interpolation where no threshold had that rate"
                if any(row["interpolated"] for row in mine)
                else ""
            )
        )
        yield say(f"{text}; its interval {listed(ways, 'or')}." if ways else f"{text}.", *cites)


_FIXED: dict[str, tuple[str, tuple[str, ...]]] = {
    "order": (
        "joined the uncertainty of that threshold, by order statistics, with Wilson's limits",
        ("greenhouse1950", "wilson1927", "newcombe1998"),
    ),
    "percentile": ("had percentiles of bootstrap replicates as its limits", ("efron1993",)),
}
