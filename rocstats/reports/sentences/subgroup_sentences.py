"""How subgroups and probabilities were judged."""

from __future__ import annotations

from collections.abc import Iterator

from rocstats.reports.sentences.sentence_words import (
    Facts,
    Sentence,
    is_clustered,
    listed,
    say,
)

__all__ = ["probabilities_sentences", "subgroups_sentences"]


def subgroups_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how subgroups were analysed."""
    groups = facts["subgroups"]
    names = [g["name"] for g in groups if any(level["estimates"] for level in g["levels"])]
    if not names:
        return
    yield say(f"AUCs were estimated by themselves within the levels of {listed(names)}.")
    tests = [test for group in groups for test in group["interaction"]]
    if any(test["p_value"] is not None for test in tests):
        yield say(
            "Whether the AUC differed between levels was tested by the squared distances of the "
            "levels' estimates from their weighted mean, over their variances, referred to an F "
            "distribution with Satterthwaite's degrees of freedom; these tests were not adjusted "
            "for their number.",
            *("delong1988", "satterthwaite1946"),
        )
        yield say(
            "Where a level lost few pairs, the variances were taken where all levels have the same "
            "AUC, by Newcombe's formula times the ratio of DeLong's variance to it, a level with "
            "few losses leaning on the others.",
            "newcombe2006",
        )
    gaps = [gap["contrast"] for group in groups for part in group["gaps"] for gap in part]
    if gaps:
        yield say(
            "Gaps of the AUC between levels, and of the xAUC, the AUC of the positives of one "
            "level beside the negatives of the other, had t intervals on DeLong's components.",
            *("delong1988", "kallus2019"),
        )
    if any(name.endswith("(sensitivity)") for name in gaps):
        words = facts["words"]
        rates = f"{words['sensitivity']} and {words['specificity']}".lower()
        way = "t intervals over clusters" if is_clustered(facts) else "score intervals"
        yield say(
            f"Gaps of {rates} at thresholds fixed in advance had {way}.",
            *([] if is_clustered(facts) else ["miettinen1985"]),
        )
    shared = [
        group["name"]
        for group in groups
        if any(test["method"] == "levels share clusters" for test in group["interaction"])
    ]
    if shared:
        yield say(f"No test was made between the levels of {listed(shared)}, which share clusters.")


_RECALIBRATED = {"intercept": "the intercept with the slope fixed at 1", "slope": "the slope"}


def probabilities_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how calibration and net benefit were judged."""
    judged = [m for m in facts["markers"] if m["calibration"]]
    if judged:
        clustered = is_clustered(facts)
        errors = "standard errors over clusters and t quantiles" if clustered else (
            "the model's standard errors and normal quantiles"
        )  # fmt: skip
        fitted = [
            words
            for name, words in _RECALIBRATED.items()
            if any(m["calibration"][name]["estimate"] is not None for m in judged)
        ]
        if fitted:
            yield say(
                "Calibration of scores that can be probabilities was judged by logistic "
                f"recalibration: {', and '.join(fitted)}, with symmetric intervals by {errors}.",
                "cox1958",
            )
        yield say(
            "Observed shares in at most ten groups of similar probability and about equal size "
            "had Wilson's intervals"
            + (", with the counts divided by the design effect." if clustered else "."),
            *("wilson1927", *(["rao1992", "korn1998"] if clustered else [])),
        )
        yield say("The calibration curve was a lowess smooth.", "cleveland1979")
        yield say(
            "The integrated calibration index and its companions were the mean, quantiles and "
            "maximum of the distance of that curve from the diagonal.",
            "austin2019",
        )
        yield say(
            "The Brier score was the mean squared distance of probability and outcome, and its "
            "scaled form the share by which that was less than with the prevalence for everyone; "
            "they and the difference of observed and predicted shares had intervals by the "
            "standard error of a mean and t quantiles, that of the Brier score on the logit scale.",
            "brier1950",
        )
    if any(m["decision"] for m in facts["markers"]):
        yield say(
            "Decision curves gave the net benefit of acting on a score over threshold "
            "probabilities, beside those of treating all and none; it and its differences from "
            f"these, on the same {facts['words']['participants']}, had pointwise intervals by "
            "square and add from the limits of the two counts they rest on, which were Wilson's, "
            "and Poisson's for the lower limit of counts up to three.",
            "vickers2006",
            "newcombe1998",
            "wilson1927",
            "brown2001",
        )
    if any(m["decision"] and m["decision"]["avoided"] for m in facts["markers"]):
        yield say(
            "Interventions avoided were the gain in net benefit over treating all, divided by the "
            f"odds of the threshold probability, for 100 {facts['words']['participants']}.",
            "vickers2006",
        )
